"""The pictures of the classical tests: false claims, those of the peers, and power."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from canvas import canvas
from ropewalk.plot.style import BAND, BETTER, DATA, EQUIVALENT, HAIR, WORSE

Row = dict[str, Any]


def rate_axis(ax: Any) -> None:
    """An axis of rates on which both 1% and 60% can be read, with a line at 5%."""
    ax.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    ax.set_xticks([0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0], ["0", "1", "5", "10", "20", "40", "70", "100%"])
    ax.axvline(0.05, color=HAIR, lw=1, zorder=0)


def false_claims(rows: list[Row], path: Path) -> None:
    """One line for each test, one mark for each setting in which there is nothing to find."""
    tests = list(dict.fromkeys(r["test"] for r in rows))
    with canvas(path, size=(7.2, 5.4)) as axes:
        ax = axes[0][0]
        for i in range(0, len(tests), 2):
            ax.axhspan(i - 0.5, i + 0.5, color=BAND, zorder=-1)
        for holds, tint, mark, label, lift in (
            (True, BETTER, "o", "its assumptions hold", -0.16),
            (False, WORSE, "x", "one is broken", 0.16),
        ):
            own = [r for r in rows if r["holds"] == holds]
            y = [tests.index(r["test"]) + lift for r in own]
            x = [r["at_0.05"] for r in own]
            ax.errorbar(x, y, xerr=[2 * r["error"] for r in own], fmt="none", ecolor=tint.fill, lw=1)
            ax.plot(x, y, mark, color=tint.ink, ms=4, label=label, clip_on=False)
        rate_axis(ax)
        ax.set_yticks(range(len(tests)), tests)
        ax.set(ylim=(len(tests) - 0.5, -0.5), xlim=(0, 1), xlabel="false positives at 5%")
        ax.legend(fontsize=8.5, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


def beside(rows: list[Row], path: Path) -> None:
    """Peers and ropewalk on the same draws."""
    own = sorted(rows, key=lambda r: (r["test"], r["side"], r["setting"], r["n"]))
    with canvas(path, size=(8.4, 1.1 + 0.24 * len(own))) as axes:
        ax = axes[0][0]
        for i, r in enumerate(own):
            ax.plot([r["ours_at_0.05"], r["at_0.05"]], [i, i], color=HAIR, lw=1, zorder=1)
        y = range(len(own))
        ax.plot(
            [r["ours_at_0.05"] for r in own], y, "o", color=BETTER.ink, ms=5, label="ropewalk", clip_on=False
        )
        ax.plot([r["at_0.05"] for r in own], y, "s", color=WORSE.ink, ms=5, label="peer", clip_on=False)
        rate_axis(ax)
        ax.set_yticks(y, [f"{r['side']}: {r['test']}, {r['setting']}, n = {r['n']:,}" for r in own])
        ax.tick_params(axis="y", labelsize=7.5)
        ax.set(
            ylim=(len(own) - 0.4, -0.6),
            xlim=(-0.0001, 1.03),
            xlabel="false positives at 5%",
        )
        ax.legend(fontsize=8.5, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


def power(rows: list[Row], path: Path) -> None:
    """A panel for each test: power against the sample size, or against the effect."""
    tests = list(dict.fromkeys(r["test"] for r in rows))
    height = -(-len(tests) // 4)
    with canvas(path, rows=height, columns=4, size=(10.4, 2.35 * height)) as axes:
        for ax, test in zip(axes.flat, tests, strict=False):
            power_panel(ax, test, [r for r in rows if r["test"] == test])
        for ax in list(axes.flat)[len(tests) :]:
            ax.set_axis_off()


def power_panel(ax: Any, test: str, rows: list[Row]) -> None:
    """A colour for each effect, dashed for a second form; with one sample size a colour for each form."""
    sizes = sorted({r["n"] for r in rows})
    by_size = len(sizes) > 1
    lines = dict.fromkeys((_kind(r, by_size), r["side"]) for r in rows)
    kinds = list(dict.fromkeys(kind for kind, _ in lines))
    for kind, side in lines:
        own = [r for r in rows if (_kind(r, by_size), r["side"]) == (kind, side)]
        second = by_size and side != "ropewalk"
        ax.plot(
            [r["n"] if by_size else r["effect"] for r in own],
            [r["at_0.05"] for r in own],
            "os^D"[kinds.index(kind)],
            ls="--" if second else "-",
            lw=1.2,
            ms=3.5,
            color=(BETTER.ink, WORSE.ink, EQUIVALENT.ink, DATA.ink)[kinds.index(kind)],
            # The first dashed line says whose they all are.
            label=kind if not second else side.removeprefix("ropewalk, ") if kind == kinds[0] else None,
        )
    if by_size:
        ax.set_xscale("log")
        ax.set_xticks(sizes, [f"{n:,}" for n in sizes])
        ax.minorticks_off()
    ax.set(title=test, ylim=(-0.03, 1.45), xlabel="n" if by_size else "effect, in standard deviations")
    ax.set_yticks([0, 0.5, 1], ["0", "50", "100%"])
    ax.spines["left"].set_bounds(0, 1)  # above it is room for the names
    if len(lines) > 1:
        ax.legend(fontsize=7, frameon=False, loc="upper left", handlelength=1.6, labelspacing=0.2)


def _kind(r: Row, by_size: bool) -> str:
    if by_size:
        return f"{'heavy tails, ' if 'heavy' in r['setting'] else ''}effect {r['effect']:g}"
    form = {"adjust": "holm"}.get(r["test"], "ropewalk")  # what the side of ours that comes first is
    return form if r["side"] == "ropewalk" else r["side"].removeprefix("ropewalk, ")
