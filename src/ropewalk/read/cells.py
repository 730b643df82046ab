"""Examples counted where the data are: how many have the same truth and the same predictions of all models.

That is all that a metric of predicted labels needs. Scores with few equal values are put into bins first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from ropewalk.data import Input, Predictions
from ropewalk.data.arrays import Floats, numbered
from ropewalk.data.binned import Binned
from ropewalk.errors import CellError, DataError
from ropewalk.metrics import Metric
from ropewalk.read.block import Block
from ropewalk.read.joined import UNCHECKED, Joined, Part, Present, collect, numbers, texts
from ropewalk.read.labels import label_text
from ropewalk.read.predictions import read_predictions
from ropewalk.read.roles import Options
from ropewalk.read.table import Column, array_column, as_text, table_of

_CELLS = 1_000_000  # largest number of cells fetched
_FEW = 300  # a model with at most this many different scores is counted without bins
_EVERY = 50_000  # with at most this many rows, all scores are counted without bins
_JOINT = 2**19  # cells of (truth, bin of A, bin of B) that may come back, over all tasks
_DRAWN = 2**14  # cells of a task for which weights are drawn: above this number the bins are widened
_FINE = 2**18  # bins of a single model, over all tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Map a score x to a position from 0 (lowest) to 1 (highest), so that bins are about equally full.

    For probabilities the position is 1 / (1 + (odds(m)/odds(x))^c), the logistic distribution of their
    logits. For other scores it is z / (1 + |z|) with z = (x-m)/s, moved from (-1, 1) to (0, 1). m, c and s
    come from the first rows and affect only how even the bins are. If `halves`, only the side of 1/2 that a
    probability is on matters, because the metric uses labels.
    """

    middle: float
    spread: float
    probability: bool
    halves: bool = False

    @classmethod
    def of(cls, head: Floats, *, probability: bool) -> Scale:
        """Fit the scale to the scores of the first rows."""
        if probability:
            p = np.clip(head, 1e-9, 1 - 1e-9)
            sd = float(np.std(np.log(p / (1 - p))))
            # The sd of a logistic variable is pi/sqrt(3). The limits keep the powers within a float's range.
            return cls(middle=float(np.median(p)), spread=min(max(0.55 * sd, 1 / 30), 20.0), probability=True)
        low, middle, high = np.quantile(head, [0.16, 0.5, 0.84])
        spread = float(high - low) / 2 or float(head.std()) or 1.0
        return cls(middle=float(middle), spread=spread, probability=False)

    def bin(self, x: Any, number: int) -> Any:
        """Return an expression for the bin number, given the number of bins."""
        import narwhals as nw

        if self.halves:
            return (x > 0.5).cast(nw.Float64)
        m, s = self.middle, self.spread
        if self.probability:
            p = x.clip(0.0, 1.0)
            odds = (1.0 - p) / (p + 1e-300) * (m / (1 - m))  # against x, as a multiple of those against m
            return (number * (1.0 / (odds ** (1 / s) + 1.0))).floor()
        z = (x - m) / s
        return (number * (0.5 + 0.5 * (z / (z.abs() + 1.0)))).floor()


def why_not(metric: Metric, parts: Sequence[Part]) -> str | None:
    """Explain why a metric needs every row; None if counts of labels or of bins of scores are enough."""
    if metric.grouped:
        return "it ranks the rows within each group"
    fractions = [p for p in parts if p.has_fractions]
    if metric.takes == "labels" and not all(p.is_share for p in fractions):
        return "it takes labels, and there are numbers outside 0 to 1"
    if metric.takes == "labels" or (metric.takes == "anything" and not fractions):
        return None
    if metric.bounds is None:
        return "its error on binned scores is unknown"
    if len(parts) > 2:
        return f"scores can be binned for two models at a time, and there are {len(parts)}"
    return None


def counted(
    data: Joined,
    parts: Sequence[Part],
    metric: Metric,
    *,
    names: dict[str, str],
    options: Options,
    inputs: Sequence[Input],
    always: bool,
) -> Predictions | None:
    """Return the distinct examples with their predictions and counts.

    `names` has the user's names for truth (y), unit, task and cluster. If there are too many distinct
    examples, the result is None, or an error if they have to be counted (`always`).
    """
    tasks = max(len(data.tasks), 1)
    joint, fine = _power(np.sqrt(_JOINT / 2 / tasks), least=8), _power(_FINE / tasks, least=1024)
    few = data.rows.max() <= _EVERY
    scales = [None if few and metric.takes != "labels" else _scale(p, metric) for p in parts]
    cells = _cells(data, scales, joint)
    if cells is None and metric.bounds is not None and all(p.head.size for p in parts):
        scales = [Scale.of(p.head, probability=p.is_share) for p in parts]
        cells = _cells(data, scales, joint)
    if cells is None:
        if not always:
            return None
        raise DataError(
            f"there are more than {_CELLS:,} different examples by truth, predictions and cluster",
            hint="Read the rows into memory: in_place=False (--in-memory).",
        )
    cells.who.check(data, parts, cells.bad, cells.differ)
    if cells.untold:
        raise CellError(
            f"{cells.untold:,.0f} examples have no truth", hint="Fill these cells, or drop these rows."
        )
    if cells.outside:
        raise CellError(
            f"{cells.outside:,.0f} examples have numbers outside 0 to 1, which are not probabilities",
            hint="Turn scores into probabilities, or into labels, first.",
        )
    lost = cells.who.dropped([p.label for p in parts])
    who, cells = cells.who, cells.paired()
    in_bins = [f"x{i}" for i, s in enumerate(scales) if s is not None and not s.halves]
    while in_bins and joint > 8 and len(cells.who.n) > _DRAWN * min(tasks, 8) and "cluster" not in names:
        cells, joint = cells.in_wider_bins(in_bins), joint // 2
    binned = {
        p.model: _fine(_rows_of(data, p, i, who), s, fine, joint)
        for i, (p, s) in enumerate(zip(parts, scales, strict=True))
        if s is not None and not s.halves
    }
    for i, (part, scale) in enumerate(zip(parts, scales, strict=True)):
        if scale is not None:
            cells.columns[f"x{i}"] = _scores(cells.columns[f"x{i}"], binned.get(part.model))
    found = _predictions(cells, parts, names, options, binned)
    return replace(found, audit=replace(found.audit, dropped=lost, inputs=tuple(inputs)))


def _power(x: float, *, least: int) -> int:
    """Round x down to a power of two, so that narrow bins can be merged into wide ones."""
    return int(max(2 ** int(np.log2(x)), least))


def _scale(part: Part, metric: Metric) -> Scale | None:
    """Return the scale for binning a model's scores; None if they are counted unbinned."""
    if metric.takes == "labels":
        return Scale(middle=0.5, spread=1.0, probability=True, halves=True) if part.has_fractions else None
    if np.unique(part.head).size <= _FEW:
        return None
    return Scale.of(part.head, probability=part.is_share)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _CameBack:
    """The result of the query, in an order that does not depend on the engine.

    For each cell it has the models that have the example, the truth, the predictions or their bins, and the
    task and cluster, if any.
    """

    who: Present
    columns: dict[str, Column]
    bad: Floats
    differ: dict[str, float]
    untold: float  # number of examples without a truth
    outside: float  # number of examples with values outside 0 to 1 that should be probabilities

    def paired(self) -> _CameBack:
        """Keep only the examples that all models have."""
        rows = self.who.whole
        who = Present(models=self.who.models[rows], n=self.who.n[rows])
        return replace(self, who=who, columns={c: x[rows] for c, x in self.columns.items()})

    def in_wider_bins(self, columns: Sequence[str]) -> _CameBack:
        """Merge neighboring bins of these columns in pairs."""
        wider = {c: x // 2 if c in columns else x for c, x in self.columns.items()}
        key = np.zeros(len(self.who.n), dtype=np.int64)
        for x in map(_keyed, wider.values()):
            values, code = np.unique(x, return_inverse=True)
            key = key * len(values) + code
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        return replace(
            self,
            who=Present(models=self.who.models[first], n=np.bincount(group, self.who.n).astype(np.float64)),
            columns={c: x[first] for c, x in wider.items()},
        )


def _cells(data: Joined, scales: Sequence[Scale | None], number: int) -> _CameBack | None:
    """Run one query that counts cells of (models, task, cluster, truth, predictions); None if too many."""
    import narwhals as nw

    k = len(scales)
    schema = data.frame.collect_schema()
    p = [nw.col(f"p{i}").fill_null(0) for i in range(k)]
    whole = reduce(lambda a, b: a & b, (e == 1 for e in p))
    keys = {
        "here": sum((2**i * p[i] for i in range(1, k)), start=p[0]),
        **{c: nw.col(c) for c in ("task", "cluster") if c in schema},
        "y": nw.when(whole).then(nw.col("y")),
    }
    sums = {f"odd_{what}": nw.col(f"odd_{what}") for what in data.agreed}
    sums["untold"] = (whole & nw.col("y").is_null()).cast(nw.Int64)
    outside = [nw.lit(False)]
    for i, scale in enumerate(scales):
        x = nw.col(f"x{i}") if scale is None else nw.col(f"x{i}").cast(nw.Float64)
        is_there = x.is_finite().fill_null(False) if scale or schema[f"x{i}"].is_float() else ~x.is_null()
        sums[f"bad{i}"] = ((p[i] == 1) & ~is_there).cast(nw.Int64)
        outside += [((x < 0) | (x > 1)).fill_null(False)] if scale is not None and scale.halves else []
        keys[f"x{i}"] = nw.when(whole).then(x if scale is None else scale.bin(x, number))
    sums["outside"] = reduce(lambda a, b: a | b, outside).cast(nw.Int64)
    groups = data.frame.select(**keys, **sums).group_by(list(keys))
    answer = collect(groups.agg(n=nw.len(), **{c: nw.col(c).sum() for c in sums}).head(_CELLS + 1))
    if len(answer["n"]) > _CELLS:
        return None
    here = numbers(answer["here"])
    columns = {c: _column(answer[c], name=c in ("task", "cluster")) for c in keys if c != "here"}
    coded = [np.unique(_keyed(x), return_inverse=True)[1] for x in reversed(columns.values())]
    order = np.lexsort([here, *coded])
    total = {c: float(numbers(answer[c]).sum()) for c in sums}
    return _CameBack(
        who=Present.of(here[order], numbers(answer["n"])[order], k),
        columns={c: x[order] for c, x in columns.items()},
        bad=np.array([total[f"bad{i}"] for i in range(k)]),
        differ={what: total[f"odd_{what}"] for what in data.agreed},
        untold=total["untold"],
        outside=total["outside"],
    )


def _column(values: Any, *, name: bool = False) -> Column:
    found = texts(values) if name else array_column(values)
    if found is None:
        raise DataError("the predictions are lists or objects", hint="Give labels or numbers.")
    return found


def _keyed(column: Column) -> Column:
    """Return the sort key of a column: labels by their text, in one spelling."""
    return label_text(as_text(column)).astype(str) if column.dtype == object else column


def _rows_of(data: Joined, part: Part, i: int, who: Present) -> Any:
    """Return the rows to count for one model; a shared table needs no join."""
    import narwhals as nw

    if part.frame is not None and who.whole.all() and "y" in part.frame.columns:
        return part.frame
    there = [nw.col(f"p{j}") == 1 for j in range(len(data.rows))]
    return data.frame.filter(*there).with_columns(x=nw.col(f"x{i}"))


def _fine(frame: Any, scale: Scale, number: int, joint: int) -> Binned:
    """Count the scores of a single model in many narrow bins."""
    import narwhals as nw

    x = nw.col("x").cast(nw.Float64)
    by = {c: nw.col(c) for c in ("task", "y") if c in frame.columns} | {"bin": scale.bin(x, number)}
    score = nw.col("score")
    answer = collect(
        frame.select(**by, score=x).group_by(list(by)).agg(n=nw.len(), low=score.min(), high=score.max())
    )
    tasks = texts(answer["task"]) if "task" in by else None
    bins, low, high = (numbers(answer[c]) for c in ("bin", "low", "high"))
    task = 0 if tasks is None else np.unique(tasks, return_inverse=True)[1]
    least, most = -_greatest(bins + (number + 1) * task, -low), _greatest(bins + (number + 1) * task, high)
    return Binned(
        tasks=tasks,
        truth=label_text(as_text(_column(answer["y"]))),
        bins=bins.astype(np.intp),
        scores=_greatest(bins, high),
        counts=numbers(answer["n"]).astype(np.intp),
        differ=least < most,
        number=number,
        joint=joint,
    )


def _greatest(bins: Floats, scores: Floats) -> Floats:
    """Return the greatest score in each bin."""
    _, place = np.unique(bins, return_inverse=True)
    out = np.full(place.max() + 1, -np.inf)
    np.maximum.at(out, place, scores)
    return np.asarray(out[place])


def _scores(bins: Floats, binned: Binned | None) -> Floats:
    """Return a score for each joint bin: the greatest score in it, which increases with the bin number."""
    if binned is None:
        return np.where(bins > 0, 0.75, 0.25)  # one score for each half
    wide = np.floor(binned.bins / (binned.number // binned.joint))
    at, first = np.unique(wide, return_index=True)
    return np.asarray(_greatest(wide, binned.scores)[first][np.searchsorted(at, bins)])


def _predictions(
    cells: _CameBack,
    parts: Sequence[Part],
    names: dict[str, str],
    options: Options,
    binned: dict[str, Binned],
) -> Predictions:
    """Decide the kind of the predictions from the distinct ones, as for a table in memory."""
    n = len(cells.who.n)
    roles = {role: name for role, name in names.items() if role in ("unit", *cells.columns)}
    models = {p.model: p.model + " " * (p.model in roles.values()) for p in parts}
    columns = {roles[c]: x for c, x in cells.columns.items() if c in roles}
    columns |= {models[p.model]: cells.columns[f"x{i}"] for i, p in enumerate(parts)}
    columns[roles["unit"]] = numbered(n)
    table = table_of(columns, name="the distinct examples", stem="examples")
    block = Block(
        table=table,
        rows=np.arange(n),
        label=table.name,
        columns={model: (column,) for model, column in models.items()},
        keys={role: roles[role] for role in ("task", "unit") if role in roles},
        cluster=roles.get("cluster"),
        truth=roles["y"],
    )
    found = read_predictions([block], options, notes=[])
    counts = cells.who.n.astype(np.intp)
    bins = " by bins of their scores" if binned else ""
    note = f"aggregated in place: {n:,} distinct examples{bins}; {UNCHECKED}, and no examples are listed"
    return replace(
        found,
        counts=counts[found.units.astype(np.intp) - 1],
        binned=binned,
        audit=replace(found.audit.noted(note), paired=int(counts.sum())),
    )
