"""Report -> the JSON document that scripts rely on."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.decide import probabilities
from ropewalk.methods.varied import sensitivities
from ropewalk.results.evidence import Hierarchy, OverTasks
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk.decide import AtPrior, AtRope, SeedSummary, Sensitivity
    from ropewalk.nhst import TestResult
    from ropewalk.posterior import Probabilities
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.comparison import Comparison
    from ropewalk.results.mean_ranks import RankedModels
    from ropewalk.results.other_questions import Reading
    from ropewalk.results.report import Report
    from ropewalk.variation import Variation


_MATRIX = 100
_READ_BY_PEOPLE = 1000  # with more comparisons the document is one line, which is written seven times as fast
_UNUSUAL = re.compile(r"[^\n -~]")


@usual_arithmetic
def render(report: Report) -> str:
    """Return one JSON document, the same bytes for the same input and seed."""
    few = len(report.overall) <= _MATRIX  # the tasks of thousands of pairs would dominate the file
    content = {
        "schema": "ropewalk/1",
        "question": report.question,
        "asks": report.asks,
        "audit": {
            "paired": report.audit.paired,
            "dropped": [{"reason": d.reason, "units": d.units} for d in report.audit.dropped],
            "warnings": [*report.audit.cautions, *report.audit.warnings],
            "cautions": list(report.audit.cautions),
            "notes": list(report.audit.notes),
        },
        "metric": {"name": report.metric, "higher_is_better": report.higher_is_better},
        "comparisons": _comparisons(report.comparisons, report.threshold),
        "overall": _comparisons(report.overall, report.threshold, tasks=few),
        **({"groups": _groups(report)} if report.groups else {}),
        "classical": [_test(t) for t in report.classical],
        "models": [
            {
                "name": m.name,
                "mean": number(m.mean),
                "interval": [number(m.low), number(m.high)],
                "p_best": m.p_best,
                "p_within_rope": m.p_within_rope,
                "rank": None if m.rank is None else list(m.rank),
                "practically_best": m.practically_best,
            }
            for m in report.models
        ],
        **({"leaderboard": _board(report.board)} if report.board is not None else {}),
        **({"mean_ranks": _mean_ranks(report.mean_ranks)} if report.mean_ranks is not None else {}),
        **({"seeds": [_seeds(name, s) for name, s in report.seeds.items()]} if report.seeds else {}),
        **_varied(report.variation),
        "provenance": {
            "ropewalk": VERSION,
            "seed": report.seed,
            "inputs": [{"path": i.path, "sha256": i.sha256} for i in report.audit.inputs],
            **({"command": report.command} if report.command is not None else {}),
        },
    }
    indent = 2 if len(report.comparisons) <= _READ_BY_PEOPLE else None
    return json_text(content, indent=indent)


def json_text(content: object, *, indent: int | None = 2) -> str:
    """Return JSON with printable characters unchanged and all others escaped.

    Unprintable characters may control a terminal, or be invalid in UTF-8.

    >>> json_text("é\\x9b\\ud800")
    '"é\\\\u009b\\\\ud800"\\n'
    """
    text = json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"
    if text.isascii() and "\x7f" not in text:  # json has escaped the other control characters
        return text
    return _UNUSUAL.sub(lambda found: _escaped(found[0]), text)


def _escaped(letter: str) -> str:
    if letter.isprintable():
        return letter
    return json.dumps(letter)[1:-1] if ord(letter) > 0xFFFF else f"\\u{ord(letter):04x}"


def _comparisons(found: list[Comparison], threshold: float, *, tasks: bool = True) -> list[dict[str, Any]]:
    return [
        _comparison(c, s, threshold, tasks=tasks) for c, s in zip(found, sensitivities(found), strict=True)
    ]


def _comparison(c: Comparison, s: Sensitivity, threshold: float, *, tasks: bool) -> dict[str, Any]:
    return {
        "task": c.task,
        "a": c.a,
        "b": c.b,
        "method": c.method,
        "why": c.why,
        "prior_sd": c.prior_sd,
        "n": c.n,
        "observed": number(float(c.advantage)),
        "estimate": {
            "name": c.estimate.name,
            "mean": number(c.estimate.mean),
            "hdi": [number(c.estimate.low), number(c.estimate.high)],
            "level": c.estimate.level,
        },
        "rope": {
            "low": number(c.rope.low),
            "high": number(c.rope.high),
            "scale": c.rope.scale,
            "source": c.rope.source,
            "in_scores": c.rope.in_scores,
        },
        "probability": {
            "better": c.verdict.better,
            "equivalent": c.verdict.equivalent,
            "worse": c.verdict.worse,
        },
        "verdict": c.verdict.name,
        "winner": c.winner,
        "threshold": threshold,
        "rule": c.verdict.rule,
        "sentence": c.verdict.sentence,
        "effect": {"name": c.effect.name, "value": number(c.effect.value), "label": c.effect.label},
        "classical": [_test(t) for t in c.classical],
        "checks": [{"name": k.name, "ok": k.ok, "text": k.text, "numbers": k.numbers} for k in c.checks],
        "warnings": list(c.warnings),
        "sensitivity": _sensitivity(s),
        **({} if c.asks is None else {"asks": c.asks}),
        **(_over_tasks(c) if tasks and isinstance(c.evidence, OverTasks) else {}),
    }


def _sensitivity(s: Sensitivity) -> dict[str, Any]:
    """Return the answer with other ROPEs, thresholds and priors; `notes` say what is left out, and why."""

    def answer(row: AtRope | AtPrior) -> dict[str, Any]:
        p = row.p
        three = {"better": p.better, "equivalent": p.equivalent, "worse": p.worse}
        return {"probability": three, "verdict": row.verdict}

    return {
        "ropes": [{"times": r.times, "low": r.low, "high": r.high, **answer(r)} for r in s.ropes],
        "thresholds": [{"threshold": r.threshold, "verdict": r.verdict} for r in s.thresholds],
        "decided_up_to": s.decided_up_to,
        "priors": [{"prior": r.name, "why": r.why, **answer(r)} for r in s.priors],
        "notes": [note.text for note in s.notes],
    }


def _groups(report: Report) -> list[dict[str, Any]]:
    """Return the pairs over the tasks of each group; pairs on single tasks are under "comparisons"."""
    return [
        {
            "group": name,
            "tasks": list(
                dict.fromkeys(t for c in found if isinstance(c.evidence, OverTasks) for t in c.evidence.names)
            ),
            "comparisons": _comparisons(found, report.threshold, tasks=False),
        }
        for name, found in report.groups.items()
    ]


def _board(board: Leaderboard) -> dict[str, Any]:
    """Return the joint posterior, with the matrix of all pairs, row against column, for up to 100 models."""
    p = board.posterior
    pairs = {
        name: [[round(float(x), 4) for x in row] for row in matrix]
        for name, matrix in (
            ("better", board.better),
            ("equivalent", board.equivalent),
            ("worse", board.worse),
        )
    }
    return {
        "model": p.model,
        "why": p.why,
        "rope": {"low": board.rope.low, "high": board.rope.high, "source": board.rope.source},
        "practically_best": [board.names[i] for i in board.order if i in board.practically_best],
        "error": p.error,
        "pulled_together": round(p.pulled, 4),
        "checks": [{"name": c.name, "ok": c.ok, "p": c.p, "text": c.text} for c in p.checks],
        "models": list(board.names),
        **({"pairs": pairs} if len(board.names) <= _MATRIX else {}),
    }


def _mean_ranks(ranked: RankedModels) -> dict[str, Any]:
    """Return the Bayesian Friedman test; its ROPE is in ranks."""
    return {
        "tasks": ranked.tasks,
        "rope": ranked.rope,
        "error": ranked.posterior.error,
        "checks": [{"name": k.name, "ok": k.ok, "text": k.text} for k in ranked.checks],
        "models": [
            {
                "name": m.name,
                "mean_rank": m.mean_rank,
                "interval": [m.low, m.high],
                "p_best": m.p_best,
                "p_within_rope": m.p_within_rope,
            }
            for m in ranked.models
        ],
    }


def _seeds(name: str, s: SeedSummary) -> dict[str, Any]:
    return {
        "name": name,
        "seeds": s.seeds,
        "mean": s.mean,
        "sd": s.sd,
        "interval": list(s.interval(0.95)),
        "worst": s.worst,
        "best": s.best,
    }


def _varied(found: dict[tuple[str, str], Variation]) -> dict[str, Any]:
    """Return an entry for each data set and model with several sources of variation varied together."""
    return {"variation": [_variation(*at, v) for at, v in found.items()]} if found else {}


def _variation(task: str, model: str, v: Variation) -> dict[str, Any]:
    """Return the variance components of the runs; results where lower is better have their sign flipped."""
    return {
        "task": task,
        "name": model,
        "runs": v.runs,
        "mean": v.mean,
        "sd": v.sd,
        "standard_error": v.standard_error,
        "naive_error": v.naive_error,
        "interval": list(v.interval(0.95)),
        "quantiles": dict(zip(("5%", "50%", "95%"), v.quantiles, strict=True)),
        "worst": {"value": v.worst, "at": list(v.worst_at)},
        "sources": [
            {"name": s.name, "levels": s.levels, "variance": s.variance, "share": s.share} for s in v.sources
        ],
        "sample_more": None if v.sample_more is None else v.sample_more.name,
    }


def _test(test: TestResult) -> dict[str, Any]:
    return {"name": test.name, "statistic": number(test.statistic), "p_value": number(test.p_value)}


def _over_tasks(c: Comparison) -> dict[str, Any]:
    """Return the extra parts of a comparison over tasks: each task, and the other questions by name."""
    e = c.evidence
    assert isinstance(e, OverTasks)
    pulled = e.shrinkage if isinstance(e, Hierarchy) else [None] * len(e.names)
    tasks = [
        {"task": name, "n": n, "advantage": float(d), "shrinkage": None if k is None else float(k)}
        for name, n, d, k in zip(e.names, e.n, e.d, pulled, strict=True)
    ]
    found = {asks: _reading(r) for asks, r in c.readings.items()}
    out: dict[str, Any] = {"tasks": tasks, "readings": found}
    if e.weights is not None:
        out["weights"] = dict(zip(e.names, e.weights.tolist(), strict=True))
    if isinstance(e, Hierarchy):
        mean, most = e.next_task.mean, e.next_task.most_probable
        out["next_task"] = {"mean": _three(mean), "most_probable": _three(most)}
        low, high = e.these.hdi(0.95)
        out["these_tasks"] = {
            "mean": e.these.mean,
            "interval": [low, high],
            **_three(probabilities(e.these, c.rope)),
            "error": e.these.error(0.5),
        }
    return out


def _reading(r: Reading) -> dict[str, Any]:
    one = {} if r.mean is None else {"mean": r.mean, "interval": [r.low, r.high]}
    return {"by": r.by, "probability": _three(r.p), **one, "error": r.error}


def _three(p: Probabilities) -> dict[str, float]:
    return {"better": p.better, "equivalent": p.equivalent, "worse": p.worse}


def number(x: float) -> float | None:
    """Return null for an infinite effect size (zero spread), which JSON cannot express; a warning says so."""
    return x if math.isfinite(x) else None
