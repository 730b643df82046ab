"""Plan -> the JSON document that scripts rely on."""

from __future__ import annotations

import math
from typing import Any

from ropewalk.plan.result import Direction, PairPlan, Plan
from ropewalk.report.json import json_text
from ropewalk.version import VERSION


def document(plan: Plan) -> str:
    """Return one JSON document, the same bytes for the same input and seed."""
    content = {
        "schema": "ropewalk-plan/1",
        "threshold": plan.threshold,
        "assurance": plan.chance,
        "pairs": [_pair(p) for p in plan.pairs],
        "left_out": plan.left_out,
        "cautions": list(plan.cautions),
        "provenance": {"ropewalk": VERSION, "seed": plan.seed, "draws": plan.draws},
    }
    return json_text(content)


def _pair(p: PairPlan) -> dict[str, Any]:
    now = p.now
    return {
        "a": p.a,
        "b": p.b,
        "task": p.task,
        "method": p.method,
        "metric": p.metric,
        "sentence": p.sentence,
        **({} if p.asks is None else {"asks": p.asks}),
        "rope": {"low": p.rope.low, "high": p.rope.high, "scale": p.rope.scale, "source": p.rope.source},
        "now": None
        if now is None
        else {
            "verdict": now.name,
            "probability": {"better": now.better, "equivalent": now.equivalent, "worse": now.worse},
        },
        "directions": [_direction(d) for d in p.directions],
        "ways": [{"adds": dict(w.adds), "decided": w.chance, "price": w.price} for w in p.ways],
        "notes": list(p.notes),
        "prior": None
        if p.prior is None
        else {"sd": p.prior.sd if math.isfinite(p.prior.sd) else None, "source": p.prior.source},
    }


def _direction(d: Direction) -> dict[str, Any]:
    c = d.curve
    rows = zip(c.more, c.decided, c.error, c.better, c.equivalent, c.worse, strict=True)
    return {
        "unit": d.unit,
        "n": d.n,
        "needed": d.needed,
        "not_before": d.earliest,
        "if_nothing_moves": d.stays,
        "limit": c.limit,
        "price": d.price,
        "curve": [
            {
                "more": int(m),
                "decided": float(p),
                "error": float(e),
                "better": float(b),
                "equivalent": float(q),
                "worse": float(w),
            }
            for m, p, e, b, q, w in rows
        ],
    }
