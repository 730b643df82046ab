"""A metric of the whole test set: AUROC, F1, a function of the user's."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.data.arrays import Ints
from ropewalk.decide import Effect, Rope, ScoreScale, cohens_d, cohens_h, probabilities, resolve_rope
from ropewalk.errors import MethodError
from ropewalk.methods import checks
from ropewalk.methods.pair import Answer, Ask, Pair, Whole, estimate
from ropewalk.posterior.base import Floats
from ropewalk.posterior.draws import Draws
from ropewalk.results.comparison import Check
from ropewalk.sums import Sums

_CLASSICAL_DRAWS = 1_999
_NAIVE_DRAWS = 1_000
_SMALL = 0.5  # of a posterior standard deviation
_FEW = 20  # with fewer units the Bayesian bootstrap is too sure of itself
_RARE = 10  # examples of a class


def as_sums(posterior: bayes.BootstrapPosterior, advantage: float) -> Sums:
    """So many independent units whose mean is the advantage, and varies as the posterior does."""
    n = posterior.units
    return Sums(n=n, mean=advantage, m2=posterior.sd**2 * n * (n - 1))


def bootstrap(pair: Pair, ask: Ask) -> Answer:
    """The Bayesian bootstrap of the difference."""
    whole = pair.whole
    assert whole is not None
    posterior = whole.posterior
    rope = _rope(pair, ask)
    p = probabilities(posterior, rope)
    found = [
        checks.enough(posterior.units, _FEW, pair.unit + "s"),
        checks.sampled(p, posterior.error, posterior.x.size, ask.rng),
    ]
    if posterior.undefined:
        found.append(
            Check(
                name="undefined draws",
                kind="numerical error",
                ok=False,
                text=f"{whole.metric.name} is not defined in {posterior.undefined:,} of "
                f"{posterior.undefined + posterior.x.size:,} draws, which were left out: a class or a group "
                "is very small",
                numbers={"undefined": float(posterior.undefined)},
            )
        )
    if whole.values is not None:
        found.append(_bins(whole, posterior))
    found += _rare(whole)
    if whole.metric.biased:
        found.append(
            Check(
                name="biased metric",
                ok=False,
                text=f"{whole.metric.name} comes out too high on finite data, and its intervals are somewhat "
                "too short: read it beside a proper score, such as log loss or Brier score",
            )
        )
    if whole.clusters is not None:
        found.append(_naive(whole, posterior, rope, ask))
    return Answer(
        posterior=posterior,
        estimate=estimate(f"{whole.metric.name} advantage", posterior),
        rope=rope,
        p=p,
        effect=_effect(pair, whole),
        classical=_classical(whole, ask),
        checks=found,
        evidence=pair.evidence,
    )


def _effect(pair: Pair, whole: Whole) -> Effect:
    """On the scale of the metric where that runs from 0 to 1, whatever the units are; else of the units."""
    if not whole.metric.bounded:
        return cohens_d(pair.sums)
    a, b = pair.evidence.mean_a, pair.evidence.mean_b
    return cohens_h(a, b) if whole.metric.higher_is_better else cohens_h(b, a)


def _classical(whole: Whole, ask: Ask) -> list[nhst.TestResult]:
    """DeLong for the AUROC of independent examples; for every metric a bootstrap and a permutation test."""
    metric, y, a, b, counts = whole.metric, whole.y, whole.a, whole.b, whole.counts
    tests: list[nhst.TestResult] = []
    if metric.name == "AUROC" and whole.clusters is None and min(np.bincount(y, counts)) > 1:
        with suppress(MethodError):  # perfect scores have no variance: the tests after it do without
            tests.append(nhst.delong(y, a, b, counts=counts, values=whole.values))
    drawn: dict[str, Any] = {
        "clusters": whole.clusters,
        "counts": counts,
        "values": whole.values,
        "draws": _CLASSICAL_DRAWS,
        "rng": ask.rng,
    }
    tests.append(nhst.bootstrap(metric, y, a, b, **drawn))
    if not metric.grouped:
        if metric.takes == "scores":
            a, b = ranks(a, counts), ranks(b, counts)
        tests.append(nhst.permutation_metric(metric, y, a, b, **drawn))
    return tests


def ranks(scores: Floats, counts: Ints | None = None) -> Floats:
    """Scores as ranks, ties at their mean: all that AUROC and the like see, and on one scale for both."""
    _, place = np.unique(scores, return_inverse=True)
    size = np.bincount(place, counts)
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place])


def _bins(whole: Whole, posterior: Draws) -> Check:
    """How far off the metric can be because of the bins; a warning where that is no small part of its sd."""
    fine, joint = whole.bins
    known = (
        f"is known to ±{whole.error:.2g}, from {fine:,} bins of each" if whole.error else "is exact for each"
    )
    return Check(
        name="bins of scores",
        kind="numerical error",
        ok=whole.error <= _SMALL * posterior.sd,
        text=f"the {whole.metric.name} advantage {known} model's scores; how it varies comes from {joint:,} "
        "bins of each",
        numbers={"error": whole.error, "bins": float(fine), "joint_bins": float(joint)},
    )


def _rope(pair: Pair, ask: Ask) -> Rope:
    level = (pair.evidence.mean_a + pair.evidence.mean_b) / 2
    scale = ScoreScale(metric=pair.metric, sd=pair.sums.sd, points=pair.points, level=level)
    return resolve_rope(ask.rope, scale)


def _rare(whole: Whole) -> list[Check]:
    """A class of which there are few: the bootstrap cannot know how the others would look."""
    y = np.asarray(whole.y)
    if y.ndim != 1 or y.dtype.kind == "f":
        return []  # numbers, and not classes
    place = np.unique(y, return_inverse=True)[1]
    least = int(np.bincount(place, weights=whole.counts).min())
    if least >= _RARE:
        return []
    price = "a claim at the edge of the ROPE may be wrong in 15 %, not in 5 %"  # docs/calibration.md, AUROC
    return [
        Check(
            name="enough of each class",
            kind="sample size",
            ok=False,
            text=f"{least} example{'' if least == 1 else 's'} of the rarest, fewer than {_RARE}: {price}",
            numbers={"least": float(least)},
        )
    ]


def _naive(whole: Whole, clustered: Draws, rope: Rope, ask: Ask) -> Check:
    """What the rows would say if they were independent."""
    naive = bayes.bootstrap(
        whole.metric,
        whole.y,
        whole.a,
        whole.b,
        counts=whole.counts,
        values=whole.values,
        draws=_NAIVE_DRAWS,
        rng=ask.rng,
    )
    p = probabilities(naive, rope)
    effect = (clustered.sd / naive.sd) ** 2 if naive.sd else 1.0
    return Check(
        name="without the clusters",
        kind="second opinion",
        ok=True,
        text=f"better / equivalent / worse {p.better:.3f} / {p.equivalent:.3f} / {p.worse:.3f} from "
        f"{naive.units:,} rows; the clusters make the variance {effect:.3g} times that",
        numbers={
            "better": p.better,
            "equivalent": p.equivalent,
            "worse": p.worse,
            "design_effect": effect,
        },
    )
