"""Right and wrong answers over several tasks at the gate: how often a candidate at the margin passes.

The gate samples the posterior of the mean over tasks. Here it is computed instead, so that many data sets can
be looked at: the distribution of won - lost on each task, on a lattice, and that of their sum by its Fourier
transform. A test holds the two together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, stdtrit

from ropewalk.gate.overall import FEWEST

Floats = NDArray[np.float64]

P = 0.95
WON = (0.0, 0.01, 0.04)  # shares of examples that the candidate wins
STEP = 0.001  # of the lattice
_SIZE = 8192
_NONE = 1e-9  # as at the gate: counts of a Dirichlet distribution are positive
_INNER = (np.arange(100) + 0.5) / 100
_CHUNK = 200
_SAMPLED = 0.003  # three standard errors of the gate's draws, which may go either way


def rates(n: int, tasks: int, won: float, margin: float, gates: int) -> dict[str, float]:
    """Shares of data sets that pass and fail overall, of n examples on each of several tasks."""
    rng = np.random.default_rng([n, tasks, round(1000 * won), 5])
    counts = rng.multinomial(n, [won + margin, won, 1 - 2 * won - margin], size=(gates, tasks))
    below = {side: chances(counts, tasks, margin, side) for side in ("not worse", "worse")}
    passed, failed = below["not worse"] <= 1 - P + _SAMPLED, below["worse"] >= P - _SAMPLED
    if tasks >= FEWEST:  # and the t-test on the tasks' means
        means = (counts[:, :, 1] - counts[:, :, 0]) / n
        width = stdtrit(tasks - 1, P) * means.std(axis=1, ddof=1) / np.sqrt(tasks)
        passed &= means.mean(axis=1) - width > -margin
        failed &= means.mean(axis=1) + width < -margin
    return {"pass": round(float(passed.mean()), 4), "fail": round(float(failed.mean()), 4)}


def chances(counts: NDArray[np.int64], tasks: int, margin: float, side: str) -> Floats:
    """Pr(mean over tasks <= -margin) for each data set, with one more example against the claim.

    The tasks share it, or the one on which the models disagree most has it: whichever is more careful.
    """
    tables, same = np.unique(np.sort(_coded(counts), axis=1), axis=0, return_inverse=True)
    lost, won = np.divmod(tables, _CODE)
    against = lost if side == "not worse" else won
    shared = np.full(tables.shape, 1 / tasks)
    most = (np.arange(tasks) == (lost + won).argmax(axis=1)[:, None]).astype(np.float64)
    alike = counts[0, 0].sum() - lost - won
    found = []
    for share in (shared, np.where((lost + won).any(axis=1, keepdims=True), most, shared)):
        more = against + share
        each = (more, won) if side == "not worse" else (lost, more)
        found.append(_up_to_margin(np.stack([*each, alike], axis=2), tasks, margin))
    return np.asarray((np.maximum if side == "not worse" else np.minimum)(*found)[same.ravel()])


_CODE = 1_000_000


def _coded(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number for each table, so that data sets whose tasks are in another order are looked at once."""
    return np.asarray(counts[..., 0] * _CODE + counts[..., 1])


def _up_to_margin(tables: Floats, tasks: int, margin: float) -> Floats:
    flat, place = np.unique(tables.reshape(-1, 3), axis=0, return_inverse=True)
    spectra = np.array([spectrum(lost, won, same) for lost, won, same in flat])
    place = place.reshape(-1, tasks)
    weights = _up_to(-margin * tasks)
    found = [
        np.real(np.prod(spectra[place[k : k + _CHUNK]], axis=1) @ weights)
        for k in range(0, len(place), _CHUNK)
    ]
    return np.concatenate(found)


def spectrum(lost: float, won: float, same: float) -> NDArray[np.complex128]:
    """Fourier transform of the distribution of won - lost under Dirichlet(lost, won, same)."""
    lost, won, same = (max(float(x), _NONE) for x in (lost, won, same))
    reach = min(1.0, 4.5 / np.sqrt(lost + won + same))
    k = np.arange(-round(reach / STEP), round(reach / STEP) + 1)
    edges = (np.append(k, k[-1] + 1) - 0.5) * STEP
    # Given how many differ, won - lost is 2 Beta(won, lost) - 1 times that share.
    share = np.maximum(betaincinv(lost + won, same, _INNER), 1e-12)
    cdf = betainc(won, lost, np.clip(0.5 * (1 + edges[:, None] / share), 0, 1)).mean(axis=1)
    cdf[0], cdf[-1] = 0.0, 1.0
    lattice = np.zeros(_SIZE)
    lattice[k % _SIZE] = np.diff(cdf)
    return np.fft.rfft(lattice)


def _up_to(x: float) -> NDArray[np.complex128]:
    """Weights of a transform that add up the distribution to x; half of the cell around x."""
    last = round(x / STEP)
    inside = np.zeros(_SIZE)
    inside[np.arange(-_SIZE // 2 + 1, last) % _SIZE] = 1.0
    inside[last % _SIZE] = 0.5
    twice = np.full(_SIZE // 2 + 1, 2.0)
    twice[[0, -1]] = 1.0
    return np.asarray(np.conj(np.fft.fft(inside))[: twice.size] * twice / _SIZE)


def worst(n: int, tasks: int, margin: float, gates: int) -> dict[str, float]:
    """The larger shares over how many examples the candidate wins."""
    found = [rates(n, tasks, won, margin, gates) for won in WON]
    return {name: max(r[name] for r in found) for name in ("pass", "fail")}
