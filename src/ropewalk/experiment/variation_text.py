"""The sources of variation of an experiment as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from ropewalk.errors import short
from ropewalk.variation import REST, Source, Variation

_WIDTH = 79
_ABOUT = (
    "Share: proportion of the variance of one run. Error: standard error of the mean over all sources. Error "
    "if independent: what it would be if the runs did not share splits, seeds and draws. Worst: the lowest "
    "run, with its level of each source, counted from 0."
)


def variation_text(found: Mapping[tuple[str, str], Variation], *, metric: str) -> str:
    """Return a block per data set: every algorithm with its distribution, shares, worst run and advice."""
    lines = [f"Sources of variation of {metric}", ""]
    for task in dict.fromkeys(task for task, _ in found):
        lines.append(f"  {short(task, 60)}")
        for (name, model), v in found.items():
            if name == task:
                lines += _model(model, v)
        lines.append("")
    return "\n".join([*lines, *textwrap.wrap(_ABOUT, _WIDTH)]) + "\n"


def _model(model: str, v: Variation) -> list[str]:
    low, middle, high = v.quantiles
    shares = ", ".join(f"{s.name} {s.share:.0%}" for s in v.sources)
    worst = ", ".join(f"{s.name} {k}" for s, k in zip(_varied(v), v.worst_at, strict=True))
    rows = [
        f"{short(model, 40)}: mean {v.mean:.4f}, error {v.standard_error:.4f} "
        f"(if independent {v.naive_error:.4f}), {v.runs} runs",
        f"  runs: 5% {low:.4f}, median {middle:.4f}, 95% {high:.4f}, worst {v.worst:.4f} ({worst})",
        f"  shares: {shares}",
        f"  {_advice(v)}",
    ]
    lines = []
    for number, row in enumerate(rows):
        first = "    " if number == 0 else "      "
        lines += textwrap.wrap(row.strip(), _WIDTH, initial_indent=first, subsequent_indent="        ")
    return lines


def _varied(v: Variation) -> Sequence[Source]:
    return [s for s in v.sources if s.name != REST]


def _advice(v: Variation) -> str:
    """Say which source to sample more, and the effect of one more level of it."""
    more = v.sample_more
    if more is None:
        return "Nothing varies: more runs would not change the mean."
    cost = v.runs // more.levels
    after = (max(v.standard_error**2 - more.gain * cost, 0.0)) ** 0.5
    return (
        f"Sample more {more.name}s: one more costs {cost} runs and lowers the error from "
        f"{v.standard_error:.4f} to about {after:.4f}."
    )
