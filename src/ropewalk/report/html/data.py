"""Report -> the data of the page: names, numbers, and tables for other ROPEs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ropewalk.errors import short
from ropewalk.methods.method import RegionCurve, reads_likeliest
from ropewalk.methods.varied import follows, sensitivities
from ropewalk.outcomes import Outcomes
from ropewalk.posterior import (
    AdvantagePosterior,
    BetaMixture,
    DirichletRegions,
    Draws,
    Grid,
    Mixture,
    Posterior,
    WeightedRegions,
)
from ropewalk.questions import ASKS
from ropewalk.report.html import curves, tasks
from ropewalk.report.html.downloads import files
from ropewalk.report.method_names import other_questions, why_text
from ropewalk.results.comparison import COLOURS, Comparison
from ropewalk.results.evidence import Examples, Hierarchy
from ropewalk.results.formatting import effect_text, estimate_name
from ropewalk.results.headline import headline
from ropewalk.results.sentences import AGAINST, MODELS, PAIR, PAIRS, PROBABLY, REFERENCE

if TYPE_CHECKING:
    from ropewalk.decide import Sensitivity
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.report import Report

_PAIRS = 1_000  # with more pairs than this, the others are in the JSON document only
_CHECKS = 600  # with more comparisons than this, only failed checks are shown
_LIVE = 60  # most models of a leaderboard that follows the ROPE
_CLOUD = 200  # points drawn in a simplex
_DOTS = 400
_MANY = 48  # with more pairs than this, the simplex does not follow the ROPE
_IDS = 150_000  # characters available for the names of examples


class Strings:
    """A table that stores every text once."""

    def __init__(self) -> None:
        self.all: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.all.setdefault(text, len(self.all))


def of(report: Report) -> dict[str, Any]:
    """Return all data that the page shows and updates."""
    answers = report.overall or report.comparisons
    each = report.comparisons if report.overall else []
    pairs = answers[:_PAIRS]
    single = tasks.of_pairs(pairs, each)
    sent, full = tasks.sent(single)
    models = list(
        dict.fromkeys([*(m.name for m in report.models), *(x for c in answers for x in (c.a, c.b))])
    )
    index = {name: i for i, name in enumerate(models)}
    names = list(dict.fromkeys(c.task for found in sent for c in found))
    places = {name: i for i, name in enumerate(names)}
    text = Strings()
    shown = [*pairs, *(c for found in sent if full for c in found)]
    room = _examples_each(shown)
    head = partial(_head, text=text, index=index, places=places)
    one = partial(_comparison, text=text, head=head, brief=len(shown) > _CHECKS, room=room)
    no_width = bool(pairs) and all(c.rope.is_point for c in pairs if follows(c))
    unit = _unit(pairs) if no_width else 0.0
    found = curves.moving(pairs, [_own_unit(c, unit) for c in pairs], report.seed)
    start = 0 if no_width else curves.ONE
    moved = [_moved(c, m, start, many=len(pairs) > _MANY) for c, m in zip(pairs, found, strict=True)]
    by_threshold = all(c.verdict.decided_by.least is not None for c in pairs)
    return {
        "headline": headline(report),
        "asks": None if report.asks is None else {"name": report.asks, "text": ASKS[report.asks].asks},
        "reference": index.get(report.reference or ""),
        "sentences": {
            "pair": PAIR,
            "models": MODELS,
            "pairs": PAIRS,
            "against": AGAINST,
            "probably": PROBABLY,
            "called": REFERENCE,
        },
        "metric": report.metric,
        "higher": report.higher_is_better,
        "unit": report.unit,
        "threshold": report.threshold,
        "byThreshold": by_threshold,
        "start": start,
        "one": curves.ONE,
        "last": curves.POSITIONS - 1,
        "moves": any(follows(c) for c in pairs) and by_threshold,
        "models": [{"name": short(n), "brief": short(n, 24)} for n in models],
        "board": _board(report, index, unit),
        "tasks": [short(n, 40) for n in names],
        "pairs": [
            one(c, unit=_own_unit(c, unit))
            | m
            | _priors(s, text)
            | _readings(c, text, few=len(pairs) == 1)
            | (tasks.tally(found) if each else {})
            for c, m, s, found in zip(pairs, moved, sensitivities(pairs), single, strict=True)
        ],
        "each": tasks.packed(
            sent,
            one=lambda c: (one if full else head)(c, unit=_own_unit(c, unit)),
            text=None if full else text,
        ),
        "scores": _scores(report, index),
        "colours": COLOURS,
        "files": files(report),
        "left": [len(answers) - len(pairs), len(each) - sum(map(len, sent))],
        "strings": list(text.all),
    }


def _priors(s: Sensitivity, text: Strings) -> dict[str, Any]:
    """Return the answer under each prior with its description, or the reason why there is none."""
    rows = [[text(r.name), text(r.why), [number(x) for x in (r.p.better, r.p.equivalent, r.p.worse)]]
            for r in s.priors]  # fmt: skip
    return {"priors": rows, "notes": [text(note.text) for note in s.notes if note.about in ("prior", "all")]}


def _readings(c: Comparison, text: Strings, *, few: bool) -> dict[str, Any]:
    """Return the other questions over tasks by name; with many pairs they are only in the JSON document."""
    rows = other_questions(c) if few else []
    return {"readings": [[text(name), text(words)] for name, words in rows]} if rows else {}


def _moved(c: Comparison, found: RegionCurve | None, start: int, *, many: bool) -> dict[str, Any]:
    """Return the answers of a test over three regions for other ROPEs."""
    if found is None:
        return {}
    out: dict[str, Any] = {} if found.table is None else {"table": curves.shares(found.table)}
    if found.error:
        out["error"] = number(found.error)
    positions = (start,) if many or not follows(c) else curves.KNOTS
    return {**out, "clouds": curves.clouds(found, positions, _CLOUD)}


def _unit(pairs: list[Comparison]) -> float:
    """A stand-in for a ROPE of zero width: a round number near half the widest interval."""
    widths = [(c.estimate.high - c.estimate.low) / 2 for c in pairs if c.rope.is_point and follows(c)]
    return _round_number(max(widths, default=0.0))


def _own_unit(c: Comparison, unit: float) -> float:
    return unit if c.rope.is_point and follows(c) else 0.0


def _round_number(x: float) -> float:
    if not 0 < x < math.inf:
        return 0.01
    power = 10.0 ** math.floor(math.log10(x))
    return float(f"{next(m for m in (1, 2, 5, 10) if m * power >= x) * power:.3g}")


def _head(
    c: Comparison, *, text: Strings, index: dict[str, int], places: dict[str | None, int], unit: float
) -> dict[str, Any]:
    """Return the fields of a comparison that describe it."""
    out: dict[str, Any] = {
        "a": index[c.a],
        "b": index[c.b],
        "tint": list(c.colours),
        "n": c.n,
        "unit": text(c.unit),
        "method": text(c.method),
        "why": text(why_text(c)),
        "rope": _rope(c, unit, text),
        "v": text(c.verdict.name),
    }
    if c.estimate.kind != "advantage":
        out["of"] = c.estimate.kind
    if c.task is not None and c.task in places:
        out["task"] = places[c.task]
    if not follows(c) or c.is_identical:
        out["says"] = c.verdict.sentence
    return out


def _rounded(p: float) -> float:
    """Round to six decimals; 0 and 1 only for certainty, because the page calls them certain.

    >>> _rounded(0.1234567), _rounded(1 - 1e-9), _rounded(1e-9), _rounded(1.0)
    (0.123457, 0.999999, 1e-06, 1.0)
    """
    return p if p in (0, 1) else min(max(round(p, 6), 1e-6), 1 - 1e-6)


def _comparison(
    c: Comparison, *, text: Strings, head: Callable[..., dict[str, Any]], unit: float, brief: bool, room: int
) -> dict[str, Any]:
    v, e = c.verdict, c.estimate
    out: dict[str, Any] = head(c, unit=unit) | {
        "adv": number(c.advantage),
        "means": [number(c.evidence.mean_a), number(c.evidence.mean_b)],
        "est": [text(estimate_name(c)), number(e.mean), number(e.low), number(e.high)],
        "p": [_rounded(p) for p in (v.better, v.equivalent, v.worse)],
        "effect": [text(effect_text(c))],
        "tests": [[text(t.name), number(t.p_value)] for t in c.classical],
        "checks": [[text(k.name), int(k.ok), k.text] for k in c.checks if not (brief and k.ok)],
    }
    out |= _picture(c)
    if _needs_table(c, unit):
        out["table"] = curves.shares(curves.by_posterior(c, unit))
    if isinstance(c.evidence, Outcomes):
        out["counts"] = [c.evidence.n00, c.evidence.n01, c.evidence.n10, c.evidence.n11]
    if c.asks is not None:
        out["asks"] = text(ASKS[c.asks].of)
    if isinstance(c.evidence, Hierarchy) and c.asks is not None and not ASKS[c.asks].of_mean:
        out["next"] = c.asks == "likeliest"
    if c.examples is not None and room:
        out["examples"] = _named(c.examples, room)
    return out


def _needs_table(c: Comparison, unit: float) -> bool:
    """Whether quantiles are insufficient: draws have steps, and a mixture may have several peaks."""
    if not follows(c) or reads_likeliest(c):
        return False
    if isinstance(c.posterior, Draws):
        return True
    odd = isinstance(c.posterior, Mixture | BetaMixture | Grid | AdvantagePosterior)
    return odd and not curves.is_close(c, curves.quantiles(cast(Posterior, c.posterior)), unit)


def _rope(c: Comparison, unit: float, text: Strings) -> list[Any]:
    """Return the ROPE: its edges at t = 1, scale and source, and on phi the accuracy per unit of phi."""
    scale = c.rope.scale if follows(c) else "none"
    low, high = (float(x) for x in curves.edges(c.rope, curves.ONE, unit))
    accuracy = 2 * _disagreement(c) if scale == "phi" else 0.0
    return [low, high, text(scale), text(c.rope.source), number(accuracy)]


def _disagreement(c: Comparison) -> float:
    if isinstance(c.evidence, Outcomes):
        return (c.evidence.n01 + c.evidence.n10) / c.evidence.n
    fitted = getattr(c.evidence, "fitted", None)
    if fitted is None:
        return 0.0
    return float((fitted.n01 + fitted.n10).sum() / sum(c.evidence.n))  # type: ignore[union-attr]


def _picture(c: Comparison) -> dict[str, Any]:
    """Return the posterior, or if it is not of one number, the differences and a cloud of the regions."""
    if isinstance(c.posterior, Draws):
        low, high = c.posterior.quantile([0.002, 0.998])
        x = np.linspace(float(low), float(high), 81)
        f = c.posterior.pdf(x)
        top = float(f.max()) if np.isfinite(f).all() else 0.0
        return {"kernel": [number(low), number(high), curves.shares(f / top if top else np.zeros(81))]}
    if isinstance(c.posterior, DirichletRegions | WeightedRegions):
        d = np.sort(_differences(c))
        few = d if d.size <= _DOTS else np.quantile(d, np.linspace(0, 1, _DOTS))
        return {"dots": [number(x) for x in few]}
    return {"curve": curves.floats(curves.quantiles(cast(Posterior, c.posterior)))}


def _differences(c: Comparison) -> NDArray[np.float64]:
    e = c.evidence
    return np.repeat(e.values, e.counts) if isinstance(e, Outcomes) else np.asarray(getattr(e, "d", ()))


def _examples_each(shown: list[Comparison]) -> int:
    """Number of examples in favor of each model that fit on the page."""
    found = [c.examples for c in shown if c.examples is not None]
    if not found:
        return 0
    some = [len(name) for e in found[:50] for name, _ in (*e.for_a, *e.for_b)]
    longest = 12 + min(float(np.mean(some)) if some else 0.0, 80.0)
    return min(20, int(_IDS / (2 * len(found) * longest)))


def _named(e: Examples, room: int) -> list[Any]:
    sides = [[[short(name), number(x)] for name, x in side[:room]] for side in (e.for_a, e.for_b)]
    return [*sides, e.n_a, e.n_b]


def _board(report: Report, index: dict[str, int], unit: float) -> dict[str, Any] | None:
    board: Leaderboard | None = report.board
    rows = [
        {
            "i": index[m.name],
            "mean": number(m.mean),
            "low": number(m.low),
            "high": number(m.high),
            "best": None if m.p_best is None else number(m.p_best),
            "within": None if m.p_within_rope is None else number(m.p_within_rope),
            "rank": None if m.rank is None else list(m.rank),
            "top": m.practically_best,
        }
        for m in report.models
    ]
    if board is None or len(board.names) < 3:
        return {"rows": rows, "live": None} if len(rows) > 2 else None
    live = None
    if len(board.names) <= _LIVE:
        within, held = curves.best(board.posterior, board.rope, unit if board.rope.is_point else 0.0)
        live = {
            "order": board.order,
            "models": [index[n] for n in board.names],
            "within": curves.shares(within),
            "held": curves.shares(held),
        }
    sure = all(board.p_within[i] >= board.threshold for i in board.practically_best)
    return {
        "rows": rows,
        "live": live,
        "sure": bool(sure),
        "why": board.posterior.why,
        "error": number(board.posterior.error),
        "roped": board.rope.origin != "none",
    }


def _scores(report: Report, index: dict[str, int]) -> dict[str, Any] | None:
    """Return the score of every model on every task."""
    table = report.by_task
    if table is None or not set(table.models) <= set(index):
        return None
    return {
        "tasks": [short(name, 40) for name in table.tasks],
        "models": [index[name] for name in table.models],
        "values": [[number(x) for x in row] for row in table.values.tolist()],
        "mean": [number(x) for x in table.mean.tolist()],
    }


def number(x: float) -> float | None:
    """Round to six digits; None for NaN and infinity.

    >>> number(0.123456789), number(float("nan"))
    (0.123457, None)
    """
    return float(f"{x:.6g}") if math.isfinite(x) else None
