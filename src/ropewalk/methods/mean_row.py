"""Shared code of the methods about the mean row, for rows in clusters or in an order."""

from __future__ import annotations

from dataclasses import replace

from ropewalk import nhst
from ropewalk.decide import ClusterSummary, cohens_d, probabilities
from ropewalk.errors import MethodError, short
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, decide, estimate, not_run
from ropewalk.methods.pair import Ask, Pair
from ropewalk.methods.t import rope_of
from ropewalk.posterior import Posterior, Probabilities
from ropewalk.results.comparison import Check
from ropewalk.results.evidence import Differences, Evidence
from ropewalk.results.formatting import three, winner_named


def needs_rows(method: str) -> MethodError:
    return MethodError(
        f"the method {method} needs every row, but only sums and counts are known",
        hint="Use t or robust_t, or read the rows into memory: in_place=False (--in-memory).",
    )


def mean_row(pair: Pair, ask: Ask, posterior: Posterior, found: list[Check]) -> Answer:
    """Return the answer about the mean over all rows."""
    sums = pair.sums if pair.clusters is None else pair.clusters.rows
    rope = rope_of(replace(pair, sums=sums), ask.rope)
    evidence: Evidence = pair.evidence
    classical: list[nhst.TestResult] = []
    if pair.clusters is not None:
        d, rows = pair.clusters.d, pair.clusters.evidence
        evidence = Differences(d=d, mean_a=rows.mean_a, mean_b=rows.mean_b) if d.size else rows
        try:
            classical = [nhst.cluster_t(pair.clusters.each, None)]
        except MethodError as problem:  # an additional test that fails does not affect the answer
            found = [*found, not_run("cluster-robust t", problem.what)]
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


def clustered(
    pair: Pair, ask: Ask, answer: Answer, naive: Probabilities, found: ClusterSummary
) -> list[Check]:
    """Checks: the correlation of rows within a cluster, and the answer if the rows were independent."""
    assert pair.clusters is not None
    before, after = decide(pair.a, pair.b, naive, ask).name, decide(pair.a, pair.b, answer.p, ask).name
    then, now = (winner_named(short(pair.a, 24), short(pair.b, 24), name) for name in (before, after))
    same = "the same verdict" if before == after else f"{then} instead of {now}, with too much confidence"
    if pair.clusters.rows.mean * pair.sums.mean < 0:
        same += "; the mean row and the mean cluster differ in sign, because large clusters differ from small"
    return [
        Check(
            name="clusters",
            kind="dependence",
            ok=True,
            text=f"{found.n:,} rows in {found.clusters:,} clusters, correlation within a cluster "
            f"{found.icc:.2f}, design effect {found.design_effect:.3g}: equivalent to "
            f"{found.n_eff:,.0f} independent rows",
            numbers={
                "units": float(found.n),
                "clusters": float(found.clusters),
                "icc": found.icc,
                "design_effect": found.design_effect,
                "n_eff": found.n_eff,
            },
        ),
        Check(
            name="ignoring the clusters",
            kind="second opinion",
            ok=True,
            text=f"{three(pair.a, pair.b, naive, ask.rule.least)}: {same}",
            numbers={"better": naive.better, "equivalent": naive.equivalent, "worse": naive.worse},
        ),
    ]
