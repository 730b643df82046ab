"""methods/: one page per method, from its docstring, a worked example of docs/worked and the figures of calibration/."""

from __future__ import annotations

import ast
import inspect
import json
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

from pages import HERE, write

CALIBRATION = HERE.parent / "calibration"
PICTURES = HERE / "methods" / "img"
ROOMS = {"bayes": "Bayesian methods", "nhst": "Classical tests"}
KIND = {"bayes": "Bayesian", "nhst": "classical"}
Row = dict[str, Any]


def cards() -> None:
    import ropewalk

    drawn = {"bayes": _Coverage(), "nhst": _FalseClaims()}
    listed = []
    for room, title in ROOMS.items():
        module = getattr(ropewalk, room)
        functions = [n for n in module.__all__ if inspect.isfunction(getattr(module, n))]
        for name in functions:
            write(HERE / "methods" / f"{room}.{name}.rst", card(room, name, drawn[room]))
        rows = "\n".join(
            f"   * - :doc:`{n} <{room}.{n}>`\n     - {summary(getattr(module, n))}" for n in functions
        )
        toc = "\n".join(f"   {room}.{n}" for n in functions)
        listed.append(
            f"{title}\n{'-' * len(title)}\n\n.. list-table::\n   :class: cards\n   :widths: 25 75\n\n{rows}\n\n"
            f".. toctree::\n   :hidden:\n\n{toc}\n"
        )
    write(
        HERE / "methods" / "index.rst",
        "Method cards\n============\n\nOne page per method: what it answers, its formula, its assumptions, when not to "
        "use it, references, a worked example, and how often it is wrong. ``ropewalk methods NAME`` prints the first "
        "part of a card.\n\n" + "\n".join(listed),
    )


def card(room: str, name: str, calibration: _Coverage | _FalseClaims) -> str:
    """The page of one method."""
    before, after, code = worked(room, name)
    title = f"{name} ({KIND[room]})"
    text = [
        ":html_theme.sidebar_secondary.remove: true",  # formulas need the room
        f"{title}\n{'=' * len(title)}",
        f".. autofunction:: ropewalk.{room}.{name}",
        f"Worked example\n--------------\n\n{before}",
        f".. python-run::\n\n{indent(code, '   ')}",
        after,
        f"How often it is wrong\n---------------------\n\n{calibration.text(name)}",
        _image(calibration.draw(name), f"calibration of {name}"),
    ]
    verdicts = sorted((HERE / "img" / "calibration").glob(f"verdicts-{name}-*.png"))
    if room == "bayes" and verdicts:
        text.append(
            "Share of data sets with a wrong verdict (top) and with the right one (bottom), by the true effect:"
        )
        text += [_image(path, f"verdicts of {name} by true difference") for path in verdicts]
    text.append(":doc:`/calibration` describes the simulations.")
    return "\n\n".join(text) + "\n"


def worked(room: str, name: str) -> tuple[str, str, str]:
    """The text before the worked example, the text after it, and its code."""
    source = (HERE / "worked" / room / f"{name}.py").read_text(encoding="utf-8")
    story = ast.get_docstring(ast.parse(source)) or ""
    before, _, after = story.partition("\n\n")
    return before, after, source.split('"""', 2)[2].strip()


def summary(thing: Any) -> str:
    first = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return first.replace("\n", " ").replace("*", "\\*").replace("|", "\\|")


def _image(path: Path, alt: str) -> str:
    return f".. image:: /{path.relative_to(HERE).as_posix()}\n   :alt: {alt}"


# --- how often a method is wrong, from the stored figures ---


def _figures(part: str) -> list[Row]:
    rows = json.loads((CALIBRATION / "figures" / f"{part}.json").read_text(encoding="utf-8"))["rows"]
    if str(CALIBRATION) not in sys.path:
        sys.path.append(str(CALIBRATION))
    return list(rows)


class _Coverage:
    """Bayesian methods: simulation-based calibration."""

    def __init__(self) -> None:
        self._rows = _figures("sbc")

    def of(self, name: str) -> list[Row]:
        return [row for row in self._rows if row["method"] == name]

    def text(self, name: str) -> str:
        lines = [
            f"- {row['quantity']}: {row['cover95']:.1%} of 95% intervals contained the truth"
            + ("" if row["exact"] else " (approximate case; dashed)")
            for row in self.of(name)
        ]
        return (
            f"In {self.of(name)[0]['n']:,} simulations, the truth was drawn from the prior and the data from the "
            "truth:\n\n"
            + "\n".join(lines)
            + "\n\nThe curve shows the share of truths below each point of the posterior, minus the expected "
            "share. For a calibrated method, 99 of 100 such curves stay within the gray band."
        )

    def draw(self, name: str) -> Path:
        from canvas import canvas
        from sbc import panel

        path = PICTURES / f"bayes.{name}.png"
        with canvas(path, size=(6.0, 2.6)) as axes:
            panel(axes[0][0], self.of(name))
            axes[0][0].set(
                xlabel="position of the truth in its posterior", ylabel="share below,\nminus expected"
            )
        return path


class _FalseClaims:
    """Classical tests: how often they reject a true hypothesis, and how often a false one."""

    def __init__(self) -> None:
        self._rows = _figures("classical")

    def of(self, name: str) -> list[Row]:
        return [row for row in self._rows if row["test"] == name and row["side"].startswith("ropewalk")]

    def null(self, name: str) -> list[Row]:
        return [row for row in self.of(name) if not row["effect"] and row["side"] == "ropewalk"]

    def text(self, name: str) -> str:
        parts = []
        for holds, when in ((True, "if its assumptions hold"), (False, "if one of them is violated")):
            rows = [row for row in self.null(name) if row["holds"] == holds]
            if rows:
                worst = max(rows, key=lambda row: row["at_0.05"])
                parts.append(
                    f"{when}, at most {worst['at_0.05']:.1%} ({worst['setting']}, n = {worst['n']:,})"
                )
        return (
            "False positives at the 5% level: "
            + "; ".join(parts)
            + ". The upper plot shows every simulated setting, the lower plot the power."
        )

    def draw(self, name: str) -> Path:
        from canvas import canvas
        from classical_pictures import power_panel, rate_axis

        from ropewalk.plot.style import BETTER, WORSE

        null, found = self.null(name), [row for row in self.of(name) if row["effect"]]
        path = PICTURES / f"nhst.{name}.png"
        with canvas(path, rows=2, size=(7.2, 3.4 + 0.24 * len(null))) as axes:
            ax = axes[0][0]
            for holds, tint, mark, label in (
                (True, BETTER, "o", "assumptions hold"),
                (False, WORSE, "x", "an assumption is violated"),
            ):
                at = [i for i, row in enumerate(null) if row["holds"] == holds]
                rates = [null[i]["at_0.05"] for i in at]
                errors = [2 * null[i]["error"] for i in at]
                ax.errorbar(rates, at, xerr=errors, fmt="none", ecolor=tint.fill, lw=1)
                ax.plot(rates, at, mark, color=tint.ink, ms=5, label=label, clip_on=False)
            rate_axis(ax)
            ax.set_yticks(range(len(null)), [f"{row['setting']}, n = {row['n']:,}" for row in null])
            ax.set(
                ylim=(len(null) - 0.5, -0.5),
                xlim=(0, 1),
                xlabel="false positives at the 5% level",
            )
            ax.legend(fontsize=8.5, frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
            axes[0][0].figure.get_layout_engine().set(h_pad=0.1)
            power_panel(axes[1][0], "power", found)
        return path
