"""Report -> the checklist of good practice, filled in from the data; open items are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ropewalk.errors import short
from ropewalk.questions import ASKS, SETTINGS
from ropewalk.report.prose import texts_of
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import Seeds
from ropewalk.results.formatting import counted, effect_text, estimate_text, rope_text, series
from ropewalk.results.headline import headline

if TYPE_CHECKING:
    from ropewalk.results.report import Report

State = Literal["yes", "no", "ask"]

_UNNAMED = ("score", "scores", "value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item: "yes" and "no" follow from the data, "ask" is a question that only the authors can answer."""

    name: str
    state: State
    text: str


def checklist(report: Report) -> tuple[Item, ...]:
    """The checklist of a careful comparison (Williams 2026, best practice; also seeds, pairing and size).

    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> [item.name for item in report.checklist() if item.state == "no"]
    ['assumptions hold']
    """
    return tuple(item(report) for item in _ITEMS)


def _question(report: Report) -> Item:
    text = SETTINGS[report.question] if report.asks is None else ASKS[report.asks].asks
    return Item(name="question stated", state="yes", text=text)


def _loss(report: Report) -> Item:
    way = "higher" if report.higher_is_better else "lower"
    if report.metric.lower() in _UNNAMED:
        text = f"What does `{short(report.metric)}` measure ({way} is better)?"
        return Item(name="loss named", state="ask", text=text)
    return Item(name="loss named", state="yes", text=f"{short(report.metric)}, {way} is better")


def _loss_fits(report: Report) -> Item:
    text = f"Does {short(report.metric)} weigh mistakes the way the application does?"
    return Item(name="loss fits the application", state="ask", text=text)


def _factors(report: Report) -> Item:
    """Item on factors: those that vary in the data are random, the others fixed or forgotten."""
    varies = [text.varies for text in texts_of(_answers(report))]
    return Item(
        name="fixed and random factors",
        state="yes",
        text=f"fixed: the {len(report.models)} models compared; random: {series(varies or ['nothing'])}",
    )


def _training(report: Report) -> Item:
    """Item on training runs: several seeds, and never only the best one."""
    name = "several training runs"
    crossed = [c.evidence.fitted.seeds for c in _all(report) if isinstance(c.evidence, Seeds)]
    if crossed:
        least = min(min(pair) for pair in crossed)
        enough = f"at least {least} of each model, all of them used"
        if least > 1:
            return Item(name=name, state="yes", text=enough)
        return Item(name=name, state="no", text="at least one model has a single run")
    if report.unit == "seed":
        return Item(name=name, state="yes", text=f"{report.audit.paired:,}, all of them used")
    if report.unit == "fold":
        return Item(name=name, state="yes", text=f"trained again in each fold: {report.design}")
    text = (
        "Is each model a single training run? If so, the claim is about these trained models, not about "
        "the training procedure."
    )
    return Item(name=name, state="ask", text=text)


def _paired(report: Report) -> Item:
    left = f"; {report.audit.left_out:,} excluded" if report.audit.left_out else "; none excluded"
    text = f"{counted(report.audit.paired, report.unit)}, the same for both models of a pair{left}"
    return Item(name="paired", state="yes", text=text)


def _independence(report: Report) -> Item:
    name = "independent units"
    checks = [k for c in _all(report) for k in c.checks if k.kind == "dependence"]
    failed = [k for k in checks if not k.ok]
    if failed:
        return Item(name=name, state="no", text=failed[0].text)
    if any(c.correlation for c in _all(report)):
        return Item(
            name=name,
            state="yes",
            text=f"the {report.unit}s are treated as correlated, because of the design",
        )
    if checks:
        return Item(name=name, state="yes", text=checks[0].text)
    text = f"Could some of the {report.unit}s be related (same source, user or family)?"
    return Item(name=name, state="ask", text=text)


def _test(report: Report) -> Item:
    first, names = _answers(report)[0], [text.name for text in texts_of(_answers(report))]
    text = (
        (f"{series(names)} ({first.why})" if first.was_asked else first.why)
        if names
        else "none needed: the models give identical answers"
    )
    return Item(name="test fits the data", state="yes", text=text)


def _assumptions(report: Report) -> Item:
    failed = dict.fromkeys(f"{k.name} ({k.text})" for c in _answers(report) for k in c.checks if not k.ok)
    looked = dict.fromkeys(
        k.name
        for c in _answers(report)
        for k in c.checks
        if k.ok and k.kind not in ("second opinion", "replication")
    )
    name = "assumptions hold"
    if failed:
        first, *more = failed
        rest = f"; {len(more):,} more in the warnings" if more else ""
        return Item(name=name, state="no", text=f"to be discussed: {first}{rest}")
    if looked:
        return Item(name=name, state="yes", text="; ".join(looked))
    return Item(
        name=name,
        state="ask",
        text="Nothing could be checked automatically. Do the assumptions of the test hold?",
    )


def _rope(report: Report) -> Item:
    c = _answers(report)[0]
    question = (
        "This is a default. Is a difference of this size really too small to matter?"
        if c.rope.is_default
        else "Was it chosen before seeing the results, and why this width?"
    )
    if c.rope.is_point:
        question = "Without a ROPE a difference of any size counts. Is that intended?"
    return Item(name="ROPE justified", state="ask", text=f"{rope_text(c)}. {question}")


def _comparisons(report: Report) -> Item:
    n = len(_answers(report))
    name = "multiple comparisons"
    if n == 1:
        return Item(name=name, state="yes", text="one comparison: nothing to correct")
    joint = ", and the joint posterior of all models" if report.board is not None else ""
    text = f"{n:,} pairs: Bayesian false discovery rate and Holm's correction{joint}"
    return Item(name=name, state="yes", text=text)


def _untold(report: Report) -> Item:
    text = "Were other models, metrics, seeds or subsets tried that are not reported?"
    return Item(name="nothing excluded", state="ask", text=text)


def _effect(report: Report) -> Item:
    c, n = _answers(report)[0], len(_answers(report))
    more = "" if n == 1 else f" for the first of {n:,} pairs"
    ahead = short(c.b if c.advantage < 0 else c.a)
    text = f"{effect_text(c)}, observed advantage {abs(c.advantage):.3g} in favor of {ahead}{more}"
    return Item(name="effect size", state="yes", text=text)


def _interval(report: Report) -> Item:
    c, n = _answers(report)[0], len(_answers(report))
    more = "" if n == 1 else f" for the first of {n:,} pairs"
    return Item(name="intervals", state="yes", text=f"{estimate_text(c)}{more}")


def _inference(report: Report) -> Item:
    return Item(name="inference reported", state="yes", text=headline(report))


def _think(report: Report) -> Item:
    text = (
        "Could anything else explain the result: test data seen in training, tuning on the test set, "
        "unequal tuning effort for the two models, a few unusual examples?"
    )
    return Item(name="alternative explanations", state="ask", text=text)


_ITEMS = (
    _question,
    _loss,
    _loss_fits,
    _factors,
    _training,
    _paired,
    _independence,
    _test,
    _assumptions,
    _rope,
    _comparisons,
    _untold,
    _effect,
    _interval,
    _inference,
    _think,
)


def _answers(report: Report) -> list[Comparison]:
    return report.overall or report.comparisons


def _all(report: Report) -> list[Comparison]:
    return [*report.overall, *report.comparisons]
