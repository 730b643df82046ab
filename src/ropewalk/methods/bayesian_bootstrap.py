"""The Bayesian bootstrap of a metric of the whole test set, such as AUROC or F1, or of the mean row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.data.arrays import Ints
from ropewalk.decide import (
    Effect,
    Note,
    Rope,
    cohens_d,
    cohens_h,
    priors,
    probabilities,
)
from ropewalk.errors import MethodError
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.mean_row import mean_row, needs_rows
from ropewalk.methods.method import Method, MethodText, PriorAnswer, register
from ropewalk.methods.pair import Ask, Kind, Pair, SetPredictions
from ropewalk.methods.t import rope_of
from ropewalk.metrics.metric import Metric, ratio_of
from ropewalk.metrics.ranking import auroc
from ropewalk.posterior.base import Floats
from ropewalk.posterior.draws import Draws
from ropewalk.results.comparison import Check, Comparison
from ropewalk.results.formatting import three
from ropewalk.sums import Sums

_CLASSICAL_DRAWS = 1_999
_NAIVE_DRAWS = 1_000
_SMALL = 0.5  # of a posterior standard deviation
_FEW = 20  # with fewer units the Bayesian bootstrap is overconfident
_RARE = 10  # fewest examples of a class without a warning


def as_sums(posterior: bayes.BootstrapPosterior, advantage: float) -> Sums:
    """Sums of independent units whose mean has the posterior's mean and standard deviation."""
    n = posterior.units
    return Sums(n=n, mean=advantage, m2=posterior.sd**2 * n * (n - 1))


class Bootstrap(Method):
    """The Bayesian bootstrap: random weights of the units instead of a model of the scores."""

    name = "bootstrap"
    title = "Bayesian bootstrap"
    card = bayes.bootstrap
    takes_set_metrics = True
    about_rows = True
    answers = ("average",)
    default_for: ClassVar[Mapping[Kind, str]] = {
        "set metric": "Bayesian bootstrap, because {metric} is computed on the whole test set"
    }

    def problem(self, pair: Pair) -> MethodError | None:
        known = pair.whole or pair.clusters is not None or pair.d.size > 0
        return super().problem(pair) or (None if known else needs_rows(self.name))

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        return _of_rows(pair, ask) if pair.whole is None else _of_set(pair, pair.whole, ask)

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior=f"the {c.unit}s have Dirichlet(1, ..., 1) weights, the same for both models; no parametric "
            "model of the scores is assumed",
            sources=("rubin1981",),
            computed="by Monte Carlo (4,000 draws)",
            varies=f"the sampling of the {c.unit}s",
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        p = cast("bayes.BootstrapPosterior", c.posterior)
        none = "Dirichlet(1, ..., 1), no prior weight (Rubin 1981, doi:10.1214/aos/1176345338)"
        more = f"a tenth more {c.unit}s without a difference (Ferguson 1973, doi:10.1214/aos/1176342360)"
        sceptical = priors.sceptical_draws(p, p.units, c.rope)
        return (
            PriorAnswer(name="none", why=none, p=c.verdict.probabilities),
            PriorAnswer(name="sceptical", why=more, p=sceptical),
        )


def _of_rows(pair: Pair, ask: Ask) -> Answer:
    """Bayesian bootstrap of the mean advantage of a row; all rows of a cluster share one weight."""
    if pair.clusters is None:
        each, sizes = pair.d, np.ones(pair.d.size)
    else:
        each, sizes = pair.clusters.each.means, pair.clusters.each.sizes
    # Tallied differences are midpoints of bins, so they are shifted to have the exact mean.
    counts = None if pair.clusters is not None else pair.counts
    known = None if counts is None else (pair.sums.mean, 0.0)
    zeros = np.zeros(each.size)
    posterior = bayes.bootstrap(_MEAN, sizes, each, zeros, counts=counts, values=known, rng=ask.rng)
    answer = mean_row(pair, ask, posterior, [])
    sampled = checks.sampled(answer.p, posterior.error, posterior.x.size, ask.rng)
    return replace(answer, checks=[*answer.checks, sampled])


def _of_set(pair: Pair, whole: SetPredictions, ask: Ask) -> Answer:
    """Bayesian bootstrap of the difference of a metric."""
    posterior = whole.posterior
    rope = rope_of(pair, ask.rope)
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
                f"{posterior.undefined + posterior.x.size:,} draws, which were left out because a class "
                "or a group is very small",
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
                text=f"{whole.metric.name} is biased upwards on finite data, and its intervals are somewhat "
                "too narrow; report it alongside a proper score such as log loss or the Brier score",
            )
        )
    if whole.clusters is not None and not whole.metric.grouped:  # not defined without its queries
        found.append(_naive(pair, whole, posterior, rope, ask))
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


# The mean over the rows of clusters with these sizes and means; a single row counts as a cluster.
_MEAN = Metric(
    name="mean advantage",
    takes="numbers",
    higher_is_better=True,
    range=(-np.inf, np.inf),
    prepare=lambda sizes, means: ratio_of(sizes * means, sizes),
)


def _effect(pair: Pair, whole: SetPredictions) -> Effect:
    """Effect size on the scale of a metric from 0 to 1, whatever the units; else on that of the units."""
    if not whole.metric.bounded:
        return cohens_d(pair.sums)
    a, b = pair.evidence.mean_a, pair.evidence.mean_b
    return cohens_h(a, b) if whole.metric.higher_is_better else cohens_h(b, a)


def _classical(whole: SetPredictions, ask: Ask) -> list[nhst.TestResult]:
    """Bootstrap and permutation test for every metric; DeLong for the AUROC of independent examples."""
    metric, y, a, b, counts = whole.metric, whole.y, whole.a, whole.b, whole.counts
    tests: list[nhst.TestResult] = []
    if metric.prepare is auroc and whole.clusters is None and min(np.bincount(y, counts)) > 1:
        with suppress(MethodError):  # perfect scores have no variance; the tests below do not need one
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
    """Replace scores by ranks, ties by their mean: AUROC and similar metrics depend on ranks only."""
    _, place = np.unique(scores, return_inverse=True)
    size = np.bincount(place, counts)
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place])


def _bins(whole: SetPredictions, posterior: Draws) -> Check:
    """Check the error of the metric due to bins; a warning if it is large relative to the sd."""
    fine, joint = whole.bins
    known = (
        f"is known to ±{whole.error:.2g}, from {fine:,} bins of each" if whole.error else "is exact for each"
    )
    return Check(
        name="bins of scores",
        kind="numerical error",
        ok=whole.error <= _SMALL * posterior.sd,
        text=f"the {whole.metric.name} advantage {known} model's scores; its uncertainty is computed from "
        f"{joint:,} bins of each",
        numbers={"error": whole.error, "bins": float(fine), "joint_bins": float(joint)},
    )


def _rare(whole: SetPredictions) -> list[Check]:
    """Warn about a rare class: the bootstrap only reweights the examples that were seen."""
    least = whole.rarest
    if least is None or least >= _RARE:
        return []
    # for AUROC; see docs/calibration.md
    price = "a verdict near the edge of the ROPE can be wrong 15% of the time instead of 5%"
    return [
        Check(
            name="class sizes",
            kind="sample size",
            ok=False,
            text=f"{least} example{'' if least == 1 else 's'} of the rarest class, fewer than {_RARE}: "
            f"{price}",
            numbers={"least": float(least)},
        )
    ]


def _naive(pair: Pair, whole: SetPredictions, clustered: Draws, rope: Rope, ask: Ask) -> Check:
    """Return the answer that would hold if the rows were independent."""
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
        name="ignoring the clusters",
        kind="second opinion",
        ok=True,
        text=f"{three(pair.a, pair.b, p, ask.rule.least)} from {naive.units:,} rows; clustering multiplies "
        f"the variance by {effect:.3g}",
        numbers={
            "better": p.better,
            "equivalent": p.equivalent,
            "worse": p.worse,
            "design_effect": effect,
        },
    )


register(Bootstrap())
