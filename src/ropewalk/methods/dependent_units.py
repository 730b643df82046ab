"""Units that are not independent: clusters, series, and what a naive analysis would have said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.decide import ClusterSummary, cohens_d, probabilities, series_summary
from ropewalk.errors import MethodError
from ropewalk.methods import checks
from ropewalk.methods.pair import Answer, Ask, Pair, decide, estimate
from ropewalk.methods.single_units import rope_of
from ropewalk.metrics.metric import Metric, ratio_of
from ropewalk.posterior import Posterior, Probabilities
from ropewalk.results.comparison import Check, Differences, Evidence


def ess(pair: Pair, ask: Ask) -> Answer:
    """The t-test on the rows themselves, as many as they are worth given their autocorrelation."""
    d, series = (pair.d, None) if pair.clusters is None else (pair.clusters.d, pair.clusters.names)
    found = series_summary(d, series=series)
    if found.n_eff <= 1:
        raise MethodError(
            f"the {found.n:,} rows resemble each other so much that they are worth one",
            hint="Name the column of the clusters with cluster= (--cluster), and use the cluster means.",
        )
    inside = f" within {found.series:,} series" if series is not None else " in file order"
    worth = Check(
        name="effective sample size",
        kind="dependence",
        ok=True,
        text=f"{found.n:,} rows{inside} are worth {found.n_eff:,.0f} independent ones (correlation of "
        f"neighbours {found.lag1:+.2f}, {found.lags} lags)",
        numbers={"n_eff": found.n_eff, "lag1": found.lag1, "design_effect": found.design_effect},
    )
    return replace(_answer(pair, ask, bayes.ess_t(d, n_eff=found.n_eff), [worth]), dependence=found)


def bootstrap(pair: Pair, ask: Ask) -> Answer:
    """The Bayesian bootstrap of the mean advantage of a row; a cluster has one weight for all its rows."""
    if pair.clusters is None:
        each, sizes = pair.d, np.ones(pair.d.size)
    else:
        each, sizes = pair.clusters.each.means, pair.clusters.each.sizes
    # Differences that were counted are the middles of bins: their mean is moved onto the exact one.
    counts = None if pair.clusters is not None else pair.counts
    known = None if counts is None else (pair.sums.mean, 0.0)
    zeros = np.zeros(each.size)
    posterior = bayes.bootstrap(_MEAN, sizes, each, zeros, counts=counts, values=known, rng=ask.rng)
    answer = _answer(pair, ask, posterior, [])
    sampled = checks.sampled(answer.p, posterior.error, posterior.x.size, ask.rng)
    return replace(answer, checks=[*answer.checks, sampled])


def beside(pair: Pair, ask: Ask, answer: Answer, naive: Probabilities, found: ClusterSummary) -> list[Check]:
    """How alike the rows of a cluster are, and what the rows would say if they were independent."""
    assert pair.clusters is not None
    before, after = decide(pair.a, pair.b, naive, ask).name, decide(pair.a, pair.b, answer.p, ask).name
    three = " / ".join(f"{v:.3f}" for v in (naive.better, naive.equivalent, naive.worse))
    same = "the same verdict" if before == after else f"{before} instead of {after}, and too sure of it"
    if pair.clusters.rows.mean * pair.sums.mean < 0:
        same += "; the mean row and the mean cluster differ in sign, because large clusters differ from small"
    return [
        Check(
            name="clusters",
            kind="dependence",
            ok=True,
            text=f"{found.n:,} rows in {found.clusters:,} clusters, correlation within a cluster "
            f"{found.icc:.2f}, design effect {found.design_effect:.3g}: worth {found.n_eff:,.0f} "
            "independent rows",
            numbers={
                "units": float(found.n),
                "clusters": float(found.clusters),
                "icc": found.icc,
                "design_effect": found.design_effect,
                "n_eff": found.n_eff,
            },
        ),
        Check(
            name="without the clusters",
            kind="second opinion",
            ok=True,
            text=f"better / equivalent / worse {three}: {same}",
            numbers={"better": naive.better, "equivalent": naive.equivalent, "worse": naive.worse},
        ),
    ]


# The mean over the rows of clusters with so many rows and these means; a row alone is a cluster of one.
_MEAN = Metric(
    name="mean advantage",
    takes="numbers",
    higher_is_better=True,
    range=(-np.inf, np.inf),
    prepare=lambda sizes, means: ratio_of(sizes * means, sizes),
)


def _answer(pair: Pair, ask: Ask, posterior: Posterior, found: list[Check]) -> Answer:
    """The answer about the mean over all rows."""
    sums = pair.sums if pair.clusters is None else pair.clusters.rows
    rope = rope_of(replace(pair, sums=sums), ask.rope)
    evidence: Evidence = pair.evidence
    classical: list[nhst.TestResult] = []
    if pair.clusters is not None:
        d, rows = pair.clusters.d, pair.clusters.evidence
        evidence = Differences(d=d, mean_a=rows.mean_a, mean_b=rows.mean_b) if d.size else rows
        try:
            classical = [nhst.cluster_t(pair.clusters.each, None)]
        except MethodError as problem:  # a test beside the answer takes nothing from it
            found = [
                *found,
                Check(
                    name="cluster-robust t", kind="second opinion", ok=True, text=f"not run: {problem.what}"
                ),
            ]
    elif sums.m2 > 0:
        classical = [nhst.paired_t(sums)]
    return Answer(
        posterior=posterior,
        estimate=estimate("mean advantage", posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        effect=cohens_d(sums),
        classical=classical,
        checks=[checks.enough(pair.n, 20, pair.unit + "s"), *found],
        evidence=evidence,
    )
