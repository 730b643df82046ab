"""Verdicts of the tests on ranks that are not paired, or of many models, where the truth is known."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from scipy.special import ndtri

from ropewalk.bayes.friedman import prior_mean_ranks
from ropewalk.matrices import model_ranks
from study import SHARES, Floats, Study, said

_DRAWS = 2000
_MODELS = 5
_AT_ONCE = 50  # data sets that share the draws of the weights


def rank_sum(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """n units of each model, normal; A scores higher than B in the given share of pairs."""
    spread = 3.0 if setting == "B varies three times as much" else 1.0
    out = []
    for share in effects:
        shift = float(ndtri(share)) * np.sqrt(1 + spread**2)
        a, b = rng.normal(shift, 1, (replications, n)), rng.normal(0, spread, (replications, n))
        better = np.concatenate([rank_sum_at_once(*part, rng) for part in _parts(a, b)])
        out.append(said(better, 1 - better))
    return np.array(out)


def rank_sum_at_once(a: Floats, b: Floats, rng: Generator) -> Floats:
    """Pr(better) of `bayes.rank_sum` without a ROPE, data sets x units; no two scores may tie.

    The prior observations count half on each side, so the sign of Σ_ij w_i v_j sign(a_i - b_j) decides.
    """
    sign = np.sign(a[:, :, np.newaxis] - b[:, np.newaxis])
    w, v = rng.standard_exponential((2, _DRAWS, a.shape[1]))
    return np.array([np.mean(((w @ s) * v).sum(axis=1) > 0) for s in sign])


def friedman(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """Five models on n tasks; the first beats each of the others, which are alike, in the given share."""
    out = []
    for share in effects:
        z = rng.normal(size=(replications, n, _MODELS))
        z[:, :, 0] += float(ndtri(share)) * np.sqrt(2)
        better = np.concatenate([friedman_at_once(part, rng) for (part,) in _parts(z)])
        out.append(said(better, 1 - better))
    return np.array(out)


def friedman_at_once(z: Floats, rng: Generator) -> Floats:
    """Pr(the first model has a better mean rank than the second) of `bayes.friedman`, for each data set."""
    sets, n, k = z.shape
    ranks = model_ranks(z.reshape(-1, k)).reshape(sets, n, k)
    w, w0 = rng.standard_exponential((_DRAWS, n)), rng.standard_exponential(_DRAWS)
    prior = prior_mean_ranks(k, 1.0, _DRAWS, rng)
    ahead = w @ (ranks[:, :, 1] - ranks[:, :, 0]).T + (w0 * (prior[:, 1] - prior[:, 0]))[:, np.newaxis]
    return np.asarray(np.mean(ahead > 0, axis=0))


def _parts(*arrays: Floats) -> list[list[Floats]]:
    starts = range(0, len(arrays[0]), _AT_ONCE)
    return [[x[start : start + _AT_ONCE] for x in arrays] for start in starts]


RANK_STUDIES = (
    Study(
        method="rank_sum",
        data="units that are not paired, no ROPE",
        unit="units of each model",
        settings=("alike", "B varies three times as much"),
        sizes=(5, 10, 20, 30),
        simulate=rank_sum,
        replications=5000,
        effects=SHARES,
        edge=0.5,
    ),
    Study(
        method="friedman",
        data="one pair of five models by mean ranks, no ROPE",
        unit="tasks",
        settings=("independent tasks",),
        sizes=(5, 10, 20, 30, 50),
        simulate=friedman,
        replications=20000,
        effects=SHARES,
        edge=0.5,
    ),
)
