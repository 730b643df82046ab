"""The share of wrong verdicts when looking after every batch, against the number of looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.plot import fonts
from ropewalk.plot.frame import frame, round_numbers, tick_labels, turned
from ropewalk.plot.style import BETTER, HAIR, WORSE, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.plan.sequential import Sequential

_WRONG = 0.05


def looks(plan: Sequential, *, ax: Axes | None = None, style: str = "screen") -> Figure:
    """Draw the share of wrong verdicts at the edge of the ROPE, at the threshold and at the stricter one."""
    edge = plan.scenarios[1]
    lines = (
        (edge.stopped.wrong_by_look, f"stop at {plan.threshold:.15g}", WORSE.ink),
        (edge.kept.wrong_by_look, f"stop at {plan.keeping:.4g}", BETTER.ink),
    )
    top = max(1.15 * max(float(w.max()) for w, _, _ in lines), 2 * _WRONG)
    chances = round_numbers(0, top, 5)
    labels = tick_labels(chances, signed=False)
    sizes = look(style)
    left = max(fonts.width(label, sizes.text) for label in labels) + 8 + turned(sizes)
    x = np.arange(1, plan.batches + 1)
    with frame(ax, style, left=left) as page:
        page.ax.set_xlim(0.5, plan.batches + 0.5)
        page.ax.set_ylim(0, top)
        page.ax.axhline(_WRONG, color=HAIR, lw=0.8, ls=(0, (4, 3)))
        for wrong, name, ink in lines:
            page.ax.plot(x, wrong, color=ink, lw=page.look.line, marker="o", ms=2.6 * page.look.line)
            y = float(wrong[-1]) / top * page.height
            options: dict[str, Any] = {"start": "inside", "ha": "right", "va": "bottom", "color": ink}
            page.write(name, page.width, y + 5, size=page.look.text, **options)
        page.ax.set_yticks(chances, labels)
        page.ax.tick_params(axis="y", length=0)
        page.beside("share of wrong verdicts so far")
        page.ticks(signed=False)
        page.ends("", f"looks, one after every {plan.size:,} {plan.unit}s", "")
        page.above = 4
        ends = float(edge.stopped.wrong_by_look[-1])
        page.title(
            f"With {plan.batches} looks, a wrong verdict at the edge of the ROPE has probability {ends:.2f}"
        )
        page.small_print(
            f'dashed: 0.05, the share of wrong "better" verdicts if stopped at {plan.keeping:.4g} · '
            f"{plan.draws:,} simulated runs, ±{plan.error:.3f} at most · ROPE {plan.rope.in_scores}"
        )
    return page.figure
