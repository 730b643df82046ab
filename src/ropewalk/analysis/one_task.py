"""One pair of models on one task: pick the method, run it, check it, decide."""

from __future__ import annotations

from dataclasses import replace

from ropewalk.decide import cluster_summary
from ropewalk.errors import MethodError, short
from ropewalk.methods import Method, by_preference, checks, known, mean_row, unvaried
from ropewalk.methods.given_prior import with_prior
from ropewalk.methods.pair import Ask, Pair, comparison
from ropewalk.posterior import Probabilities
from ropewalk.results.comparison import Comparison
from ropewalk.results.sentences import PAIR


def choose(pair: Pair, asked: str) -> tuple[Method, str]:
    """The method for a pair and the reason for it: the one asked for, or the first that is the default."""
    if asked != "auto":
        method = known()[asked]
        problem = method.suits(pair).problem
        if problem is not None:
            raise problem
        return method, "asked for"
    for method in by_preference():
        why = method.suits(pair).default if method.one_task else ""
        if why:
            return method, why
    raise MethodError("no method is known for these data", hint="Name one with method= (--method).")


def compare_pair(pair: Pair, ask: Ask) -> Comparison:
    """Choose, run, check, decide."""
    method, why = choose(pair, ask.method)
    d = pair.d
    if pair.n < 2:
        raise MethodError(
            f"there is one {pair.unit} only for {short(pair.a)} and {short(pair.b)}"
            + (f' on task "{short(pair.task)}"' if pair.task else ""),
            hint="A comparison needs at least two of them with scores of both models.",
        )
    each = pair.sums if pair.clusters is None else pair.clusters.rows
    if pair.alike and each.mean == 0 and each.m2 == 0 and not method.takes_identical:
        fitted = unvaried.alike(pair, ask)
    else:
        fitted = method.fit(pair, ask)
        fitted = unvaried.earned(pair, ask, fitted) if unvaried.is_certain(fitted.posterior) else fitted
    answer, of_prior = with_prior(method, fitted, ask)
    found = [*answer.checks, *of_prior]
    if pair.clusters and pair.sums.m2 > 0:
        summary = cluster_summary(pair.clusters.each, None)
        found += mean_row.clustered(pair, ask, answer, _naive(pair, ask), summary)
        answer = replace(answer, dependence=answer.dependence or summary)
    elif pair.ordered and pair.unit == "example" and d.size >= 30 and pair.sums.m2 > 0:
        found += [checks.independence(d)] if answer.dependence is None else []
    same = any(check.kind == "same answers" for check in found)
    sentence = PAIR["alike"].format(a=short(pair.a), b=short(pair.b), unit=pair.unit) if same else ""
    return comparison(pair, ask, method.name, why, answer, found, sentence)


def _naive(pair: Pair, ask: Ask) -> Probabilities:
    """The three probabilities if every row of a cluster were a unit of its own."""
    assert pair.clusters is not None
    as_rows = replace(
        pair,
        d=pair.clusters.d,
        sums=pair.clusters.rows,
        evidence=pair.clusters.evidence,
        clusters=None,
        runs=None,
    )
    method, _ = choose(as_rows, "auto")
    return method.fit(as_rows, ask).p
