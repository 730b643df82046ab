"""The plots of all models of a report, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.results.report import Report


def of_all_models(report: Report, style: str = "screen") -> dict[str, Callable[[], Figure]]:
    """The plots of all models, each with the function that draws it; a report on two models has none."""
    from ropewalk.nhst import NemenyiResult
    from ropewalk.plot import critical_difference

    board = report.board
    if board is None or len(board.names) < 3:
        return {}
    found: dict[str, Callable[[], Figure]] = {
        "leaderboard": partial(board.plot, report.metric, style=style),
        "verdict_matrix": partial(board.plot_verdicts, style=style),
        "ranks": partial(board.plot_ranks, style=style),
    }
    if board.within_by_task is not None:
        found["task_matrix"] = partial(board.plot_tasks, style=style)
    for test in report.classical:
        if isinstance(test, NemenyiResult):
            found["critical_difference"] = partial(
                critical_difference,
                board.names,
                test.average_ranks,
                test.critical_difference,
                alpha=test.alpha,
                style=style,
            )
    return found
