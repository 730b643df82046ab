"""A metric by its name: one that the log or table holds already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.read.roles import Options, Roles, compact
from ropewalk.read.table import Table, has_numbers

_RIGHT = ("correct", "iscorrect")
_ACCURACY = ("accuracy", "acc")


def picked(tables: Sequence[Table], options: Options, *, predictions: bool) -> Options:
    """Return the options with the column or metric of that name as the score.

    For predictions, the metric is computed later. For scores without a metric of that name, an error lists
    those that exist.
    """
    wanted = options.pick
    if wanted is None or options.score is not None:
        return options
    if predictions:
        return options
    known = _known(tables, options)
    same = [c for c in known if c == wanted] or [c for c in known if compact(c) == compact(wanted)]
    same = same or [wanted for c in known if c.partition(",")[0] == wanted]  # such as acc,none of lm-eval
    if not same and compact(wanted) in _ACCURACY:
        same = [c for c in known if compact(c) in _RIGHT]
    if not same:
        raise OptionError(
            f'the data are already scores, and none of them is called "{short(wanted)}"',
            hint=f"{did_you_mean(wanted, known)} Other metrics are computed from predictions and the truth.",
        )
    return replace(options, score=same[0])


def _known(tables: Sequence[Table], options: Options) -> list[str]:
    """Return the numeric columns, and the metrics that a column names."""
    names: dict[str, None] = {}
    for table in tables:
        roles = Roles(table, options)
        metric = roles.found["metric"]
        if metric:
            names |= dict.fromkeys(name for (name,) in table.distinct(metric[0]))
        used = {c for role in ("model", "task", "unit", "metric") for c in roles.found[role]}
        if table.log is None:
            columns = table.columns.items()
            names |= dict.fromkeys(c for c, cells in columns if c not in used and has_numbers(cells))
    return list(names)
