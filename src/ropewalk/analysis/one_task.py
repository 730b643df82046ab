"""One pair of models on one task: pick the method, run it, check it, decide."""

from __future__ import annotations

from dataclasses import replace

from ropewalk.decide import cluster_summary
from ropewalk.errors import MethodError, OptionError, short
from ropewalk.methods import Method, asks_of, by_preference, checks, known, mean_row, unvaried
from ropewalk.methods.answer import comparison
from ropewalk.methods.given_prior import with_prior
from ropewalk.methods.pair import Ask, Pair
from ropewalk.posterior import Probabilities
from ropewalk.questions import Asks
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import series
from ropewalk.results.sentences import PAIR


def choose(pair: Pair, ask: Ask) -> tuple[Method, str]:
    """Return the method for a pair, requested or first default, and the reason for it.

    If the units are tasks, the method must also answer the question.
    """
    asked = known().get(ask.method)
    if asked is not None:
        problem = asked.suits(pair).problem
        if problem is not None:
            raise problem
        return asked, "set by you"
    question = ask.question or ("average" if pair.kind == "tasks" else None)
    fitting = []
    for method in by_preference():
        why = method.suits(pair).default if method.one_task else ""
        if why and (pair.unit != "task" or question is None or question in method.answers):
            return method, why
        if why:
            fitting.append(method)
    if fitting and question is not None:
        raise _unanswered(question, fitting)
    raise MethodError("no method is available for these data", hint="Name one with method= (--method).")


def _unanswered(question: Asks, fitting: list[Method]) -> OptionError:
    """Error: the question needs more than one number per task."""
    can = "; ".join(f"{m.name} answers {series(m.answers)}" for m in fitting)
    others = [m.name for m in known().values() if question in m.answers]
    return OptionError(
        f'one number per task does not answer the question "{question}"',
        hint=f"With one number per task, {can}.\n"
        f'With folds or examples of each task, "{question}" is answered by {series(others)}.',
    )


def compare_pair(pair: Pair, ask: Ask) -> Comparison:
    """Choose the method, run it, check its assumptions, and decide."""
    method, why = choose(pair, ask)
    asks = asks_of(method, ask) if pair.unit == "task" else None
    d = pair.d
    if pair.n < 2:
        raise MethodError(
            f"there is only one {pair.unit} for {short(pair.a)} and {short(pair.b)}"
            + (f' on task "{short(pair.task)}"' if pair.task else ""),
            hint="A comparison needs at least two of them with scores of both models.",
        )
    each = pair.sums if pair.clusters is None else pair.clusters.rows
    if pair.alike and each.mean == 0 and each.m2 == 0 and not method.takes_identical:
        return compare_alike(pair, ask, method, why)
    fitted = replace(method.fit(pair, ask), asks=asks)
    answer, of_prior = with_prior(method, pair, unvaried.tempered(pair, ask, fitted), ask)
    found = [*answer.checks, *of_prior]
    if pair.clusters and pair.sums.m2 > 0:
        summary = cluster_summary(pair.clusters.each, None)
        found += mean_row.clustered(pair, ask, answer, _naive(pair, ask), summary)
        answer = replace(answer, dependence=answer.dependence or summary)
    elif pair.ordered and pair.unit == "example" and d.size >= 30 and pair.sums.m2 > 0:
        found += [checks.independence(d)] if answer.dependence is None else []
    same = any(check.kind == "same answers" for check in found)
    sentence = _alike(pair) if same else ""
    return comparison(pair, ask, method.name, why, answer, found, sentence)


def _naive(pair: Pair, ask: Ask) -> Probabilities:
    """The three probabilities if every row of a cluster were an independent unit."""
    assert pair.clusters is not None
    as_rows = replace(
        pair,
        d=pair.clusters.d,
        sums=pair.clusters.rows,
        evidence=pair.clusters.evidence,
        clusters=None,
        runs=None,
    )
    method, _ = choose(as_rows, replace(ask, method="auto"))
    return method.fit(as_rows, ask).p


def compare_alike(pair: Pair, ask: Ask, method: Method, why: str) -> Comparison:
    """Compare models that never differ, for any method; if units are tasks, for the question asked."""
    asks = asks_of(method, ask) if pair.unit == "task" else None
    answer, of_prior = with_prior(method, pair, replace(unvaried.alike(pair, ask), asks=asks), ask)
    return comparison(pair, ask, method.name, why, answer, [*answer.checks, *of_prior], _alike(pair))


def _alike(pair: Pair) -> str:
    return PAIR["alike"].format(a=short(pair.a), b=short(pair.b), unit=pair.unit)
