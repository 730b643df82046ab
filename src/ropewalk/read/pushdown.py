"""Pairing, audit and sums where the data lie: one set of narwhals expressions for every engine.

The rows never come here. Each model's part is joined to the others' on task and unit, in full, so that what
does not pair is counted; groups of (who is there, task, bin of the difference) come back with their sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ropewalk.data import Audit, Input, Summed, Tally, TaskSums
from ropewalk.data.arrays import Floats
from ropewalk.errors import CellError, DataError, PairingError, short
from ropewalk.read.frame import is_relation
from ropewalk.read.pairing import dropped

_MOST_MODELS = 50  # their joins and the sums of all their products are one query
_FINE = 1000.0  # bins a thousandth of (scale + |d|) wide
_GROUPS = 1_000_000  # so many groups at most come back
_FAR = 1e4  # a centre this many standard deviations off has cost eight digits of the variance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """One model's rows: a lazy frame with the columns `task` (where there are tasks), `unit` and `x`.

    `x` is the score, or the prediction where there is a column `y` with the truth. `centre` and `spread` are
    those of the scores in the first rows, `binary` is whether these are 0 and 1.
    """

    model: str
    label: str
    frame: Any
    centre: float
    spread: float
    binary: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joined:
    """All models' rows side by side: x0, x1, ... and p0, p1, ..., 1 where a model has the unit.

    Its column `clash` is 1 where two parts name different truths for a unit.
    """

    frame: Any
    rows: Floats  # of each model before they were joined
    tasks: int  # how many there are; 0: there is no column of tasks


def joined(parts: Sequence[Part], *, has_tasks: bool) -> Joined:
    """Join the parts in full on task and unit."""
    import narwhals as nw

    if len(parts) > _MOST_MODELS:
        raise DataError(
            f"there are {len(parts)} models with many rows each; {_MOST_MODELS} at most are joined in place",
            hint="Compare fewer models at a time, or average the scores of each task first.",
        )
    keys = ["task", "unit"] if has_tasks else ["unit"]
    kinds = [{k: part.frame.collect_schema()[k] for k in keys} for part in parts]
    frames, rows = [], []
    for i, part in enumerate(parts):
        rows.append(_rows(part, keys))
        frame = part.frame.rename({c: f"{c}{i}" for c in part.frame.columns if c in ("x", "y")})
        # Ids are compared as text where one file has numbers and another words.
        alike = [k for k in keys if len({kind[k] for kind in kinds}) > 1]
        frame = frame.with_columns(*(nw.col(k).cast(nw.String) for k in alike)) if alike else frame
        frames.append(frame.with_columns(nw.lit(1).alias(f"p{i}")))

    def both(left: Any, right: Any) -> Any:
        out = left.join(right, on=keys, how="full", suffix="_right")
        out = out.with_columns(*(nw.coalesce(nw.col(k), nw.col(f"{k}_right")).alias(k) for k in keys))
        return out.drop([f"{k}_right" for k in keys])

    tasks = int(collect(parts[0].frame.select(n=nw.col("task").n_unique()))["n"][0]) if has_tasks else 0
    return Joined(frame=_against_truth(reduce(both, frames), len(parts)), rows=np.array(rows), tasks=tasks)


def side_by_side(frame: Any, parts: Sequence[Part]) -> Joined:
    """One table with a column for each model: its rows are joined already, and no unit may come twice."""
    import narwhals as nw

    keys = [k for k in ("task", "unit") if k in frame.columns]
    n = _rows(Part(model="", label="the table", frame=frame, centre=0, spread=1, binary=True), keys)
    units = float(collect(frame.select(keys).unique().select(n=nw.len()))["n"][0])
    if units < n:
        raise PairingError(
            f"the table has {n:,.0f} rows and {units:,.0f} units: some units have more than one row",
            hint="If that is on purpose, name the column that tells them apart: --unit COLUMN (unit=).",
        )
    tasks = int(collect(frame.select(n=nw.col("task").n_unique()))["n"][0]) if "task" in keys else 0
    return Joined(frame=_against_truth(frame, len(parts)), rows=np.full(len(parts), n), tasks=tasks)


def _rows(part: Part, keys: Sequence[str]) -> float:
    """How many rows there are, each with its keys."""
    import narwhals as nw

    counted = collect(part.frame.select(n=nw.len(), **{k: nw.col(k).null_count() for k in keys}))
    empty = [k for k in keys if counted[k][0]]
    if empty:
        raise CellError(
            f"{short(part.label)}: {int(counted[empty[0]][0]):,} rows have no {empty[0]}",
            hint="Fill these cells, or drop these rows.",
        )
    return float(counted["n"][0])


def _against_truth(frame: Any, k: int) -> Any:
    """Predictions as right (1) and wrong (0), where there is a truth; `clash` where two truths differ."""
    import narwhals as nw

    truths = [c for c in frame.columns if c in {f"y{i}" for i in range(k)}]
    if not truths:
        return frame.with_columns(clash=nw.lit(0))
    schema = frame.collect_schema()
    names = [*truths, *(f"x{i}" for i in range(k))]
    # As whole numbers where all of them are, as text otherwise.
    kind = nw.Int64 if all(schema[c].is_integer() for c in names) else nw.String
    y = nw.coalesce(*(nw.col(c).cast(kind) for c in truths))
    differs = [(nw.col(c).cast(kind) != y).fill_null(False) for c in truths]
    right = [(nw.col(f"x{i}").cast(kind) == y).cast(nw.Float64).alias(f"x{i}") for i in range(k)]
    clash = reduce(lambda a, b: a | b, differs).cast(nw.Int64)
    return frame.with_columns(*right, clash.alias("clash"))


def summed(
    data: Joined,
    parts: Sequence[Part],
    *,
    metric: str,
    higher_is_better: bool,
    notes: Sequence[str],
    inputs: Sequence[Input] = (),
) -> Summed:
    """The sums of every pair on every task, and how many rows paired."""
    models = tuple(p.model for p in parts)
    centre = np.array([p.centre for p in parts])
    binary = all(p.binary for p in parts)
    spread = float(np.sqrt(sum(p.spread**2 for p in parts))) or 1.0
    found = _groups(data, centre, spread, None if binary or len(parts) > 2 else _FINE)
    if binary and found.odd:
        binary = False
        found = _groups(data, centre, spread, None if len(parts) > 2 else _FINE)
    _check(found, data, parts)
    if found.n[found.whole].sum() < 2:
        _nothing_shared(parts, found)
    tasks = tuple(found.task(name, spread) for name in found.names())
    tasks = tuple(_again(data, t, spread) if _is_far(t, centre) else t for t in tasks)
    return Summed(
        models=models,
        tasks=tasks,
        metric=metric,
        higher_is_better=higher_is_better,
        is_binary=binary,
        audit=Audit(
            paired=sum(t.n for t in tasks),
            dropped=dropped([p.label for p in parts], *found.unpaired()),
            notes=(*notes, *_said(tasks, models)),
            inputs=tuple(inputs),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Groups:
    """What came back: for each group who is there, its task and bin, n, the sums and those of products.

    Of v = (x0 - c0, x1 - x0 - (c1 - c0), x2 - x0 - (c2 - c0), ...): what all models have in common drops out
    of the differences, so these keep their digits. The groups are in the order of task, who is there and bin,
    whatever order the engine gave them in.
    """

    centre: Floats
    present: NDArray[np.bool_]  # groups x models
    tasks: Any
    bins: Floats | None
    n: Floats
    sums: Floats  # groups x models
    products: Floats  # groups x models x models
    bad: Floats  # rows of each model that have no finite number
    odd: float  # scores that are neither 0 nor 1
    clash: float  # units with two truths
    fine: float

    @property
    def whole(self) -> Any:
        return self.present.all(axis=1)

    def names(self) -> list[str | None]:
        """The tasks with units that all models have, in the order of their names."""
        return [None] if self.tasks is None else sorted(set(self.tasks[self.whole].tolist()))

    def unpaired(self) -> tuple[Any, Any]:
        """Who is there (models x patterns), and how many units are so."""
        rest = ~self.whole
        patterns, group = np.unique(self.present[rest], axis=0, return_inverse=True)
        counts = np.bincount(group.ravel(), weights=self.n[rest], minlength=len(patterns))
        return patterns.T.astype(bool), counts.astype(np.intp)

    def task(self, name: str | None, scale: float) -> TaskSums:
        """The sums of one task: first those of v, from these the models' own."""
        first, end = 0, len(self.n)
        if self.tasks is not None and name is not None:
            first, end = (int(np.searchsorted(self.tasks, name, side=s)) for s in ("left", "right"))
        here = first + np.flatnonzero(self.present[first:end].all(axis=1))
        counts = self.n[here]
        n = int(counts.sum())
        mean = self.sums[here].sum(axis=0) / n
        # Groups are narrow where there are bins: the spread between them is taken around the mean.
        own = self.sums[here] / counts[:, None]
        within = self.products[here] - counts[:, None, None] * own[:, :, None] * own[:, None, :]
        r = own - mean
        s = within.sum(axis=0) + (r * counts[:, None]).T @ r
        k = len(mean)
        e = s[1:, 1:]
        m2 = np.zeros((k, k))
        m2[0, 1:] = m2[1:, 0] = np.diag(e)
        m2[1:, 1:] = np.diag(e)[:, None] + np.diag(e) - 2 * e
        back = np.eye(k)  # x_i = v_0 + v_i
        back[1:, 0] = 1.0
        shift = self.centre.copy()
        shift[1:] = self.centre[1:] - self.centre[0]
        tally = None
        if self.bins is not None:
            bins, group = np.unique(self.bins[here].astype(np.int64), return_inverse=True)
            total = np.bincount(group.ravel(), weights=counts).astype(np.intp)
            # The bins are those of x1 - x0; the tally is of the first model over the second.
            tally = Tally.of(-bins, total, scale=scale, fine=self.fine)
        return TaskSums(
            name=name,
            n=n,
            means=back @ (mean + shift),
            ahead=np.concatenate([[0.0], (mean + shift)[1:]]),
            m2=np.maximum(m2, 0.0),
            covariance=back @ s @ back.T,
            tally=tally,
        )


def _groups(data: Joined, centre: Floats, scale: float, finest: float | None) -> _Groups:
    """One query: who is there, task and bin (where it is told how fine) -> n, sums and sums of products."""
    import narwhals as nw

    k = centre.size
    x = [nw.col(f"x{i}").cast(nw.Float64) for i in range(k)]
    p = [nw.col(f"p{i}").fill_null(0) for i in range(k)]
    v = [x[0] - float(centre[0]), *(x[i] - x[0] - float(centre[i] - centre[0]) for i in range(1, k))]
    number = [xi.is_finite().fill_null(False) for xi in x]
    right = [((xi == 0.0) | (xi == 1.0)).fill_null(True) for xi in x]
    columns = {
        "here": sum((2**i * p[i] for i in range(1, k)), start=p[0]),
        **{f"v{i}": v[i] for i in range(k)},
        **{f"bad{i}": ((p[i] == 1) & ~number[i]).cast(nw.Int64) for i in range(k)},
        "odd": reduce(lambda a, b: a | b, (~r for r in right)).cast(nw.Int64),
        "clash": nw.col("clash"),
    }
    by = ["here"]
    fine = 0.0
    if data.tasks:
        by.append("task")
        columns["task"] = nw.col("task")
    if finest is not None:
        d = x[1] - x[0]
        fine = max(min(finest, _GROUPS / (10 * max(data.tasks, 1))), 8.0)
        size = (fine * (1.0 + d.abs() / scale).log()).ceil()
        columns["bin"] = nw.when(d < 0).then(-size).otherwise(size).fill_null(0.0)
        by.append("bin")
    wanted = data.frame.select(**columns)
    pairs = [(i, j) for i in range(k) for j in range(i, k)]
    wanted = wanted.with_columns(**{f"v{i}_{j}": nw.col(f"v{i}") * nw.col(f"v{j}") for i, j in pairs})
    units = {f"v{i}": scale for i in range(k)} | {f"v{i}_{j}": scale**2 for i, j in pairs}
    # A sum of floats depends on their order, and that on the threads. So each value is split into multiples
    # of two units that are so large that sums of as many as there are rows are exact: within 2^53 of the
    # first for values of 2^8 on average, within 2^53 of the second for what the first leaves over.
    rows = float(data.rows.max())
    coarse = {f"{c}_coarse": _rounded(nw.col(c), unit * rows * 2.0**-45) for c, unit in units.items()}
    wanted = wanted.with_columns(**coarse)
    rest = {
        f"{c}_rest": _rounded(nw.col(c) - nw.col(f"{c}_coarse"), unit * rows**2 * 2.0**-98)
        for c, unit in units.items()
    }
    added = ["odd", "clash", *(f"bad{i}" for i in range(k)), *coarse, *rest]
    answer = collect(
        wanted.with_columns(**rest).group_by(by).agg(n=nw.len(), **{c: nw.col(c).sum() for c in added})
    )
    here = _numbers(answer["here"]).astype(np.int64)
    tasks = np.array([str(t) for t in answer["task"]], dtype=object) if data.tasks else None
    bins = None if finest is None else _numbers(answer["bin"])
    keys = [here] if bins is None else [bins, here]
    order = np.lexsort(keys if tasks is None else [*keys, np.unique(tasks, return_inverse=True)[1]])

    def total(column: str) -> Floats:
        return _numbers(answer[column])[order]

    def both(column: str) -> Floats:
        return total(f"{column}_coarse") + total(f"{column}_rest")

    products = np.empty((here.size, k, k))
    for i, j in pairs:
        products[:, i, j] = products[:, j, i] = both(f"v{i}_{j}")
    return _Groups(
        centre=centre,
        present=np.column_stack([(here[order] >> i) & 1 for i in range(k)]).astype(bool),
        tasks=None if tasks is None else tasks[order],
        bins=None if bins is None else bins[order],
        n=total("n"),
        sums=np.column_stack([both(f"v{i}") for i in range(k)]),
        products=products,
        bad=np.array([total(f"bad{i}").sum() for i in range(k)]),
        odd=float(total("odd").sum()),
        clash=float(total("clash").sum()),
        fine=fine,
    )


def _rounded(x: Any, unit: float) -> Any:
    """x to the nearest multiple of (the power of two above) `unit`: from 2^52 units on floats are such."""
    shift = 1.5 * 2.0 ** (52 + int(np.ceil(np.log2(unit))))
    return (x + shift) - shift


def collect(frame: Any) -> dict[str, Any]:
    """The columns of a lazy frame; DuckDB needs neither pyarrow nor pandas to give rows."""
    import narwhals as nw

    native = nw.to_native(frame)
    if is_relation(native):
        rows = native.fetchall()
        return dict(zip(native.columns, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    return {c: eager[c].to_numpy() for c in eager.columns}


def _numbers(column: Any) -> Floats:
    """A column of sums; a sum of nothing may be null, and counts for nothing."""
    return np.nan_to_num(np.asarray(column, dtype=np.float64), nan=0.0)


def _check(found: _Groups, data: Joined, parts: Sequence[Part]) -> None:
    """Every score is a number, and no unit has two rows of a model.

    Joined in full, a unit with rows m_i of each model i has as many rows as the product of these. So model i
    has as many rows after the joining as before it only if no unit that it shares has two rows elsewhere.
    """
    for part, bad in zip(parts, found.bad, strict=True):
        if bad:
            raise CellError(
                f"{short(part.label)}: {bad:,.0f} scores are missing, NaN or infinite",
                hint="Every model needs a number on every unit: fill these cells, or drop the units.",
            )
    if found.clash:
        raise PairingError(
            f"{_names(parts)} differ in the truth of {found.clash:,.0f} units",
            hint="One unit must be one example: were both made from the same data?",
        )
    after = found.present.T.astype(np.float64) @ found.n
    if np.any(after != data.rows):
        more = [
            f"{short(p.label)}: {b:,.0f} rows, {a:,.0f} after they were joined with the others"
            for p, b, a in zip(parts, data.rows, after, strict=True)
            if a != b
        ]
        raise PairingError(
            "some units have more than one row of a model",
            where=more[:5],
            hint="Each model needs one row per unit. If that is on purpose, name the column that tells them\n"
            "apart: unit= or task=COLUMN (--unit, --task).",
        )


def _names(parts: Sequence[Part]) -> str:
    return " and ".join(short(p.label) for p in parts[:3])


def _nothing_shared(parts: Sequence[Part], found: _Groups) -> NoReturn:
    raise PairingError(
        f"{_names(parts)} share {'one unit only' if found.whole.any() else 'no unit'}",
        hint="Check how the units are named, or name another column: --unit COLUMN (unit=COLUMN).",
    )


def _is_far(task: TaskSums, centre: Floats) -> bool:
    """Whether the differences are so far from where they were centred that their spread lost its digits."""
    off = np.abs(task.ahead - (centre - centre[0]))
    sd = np.sqrt(task.m2[0] / task.n)
    return bool(np.any(off > _FAR * sd))


def _again(data: Joined, task: TaskSums, scale: float) -> TaskSums:
    """One task with its own centre."""
    import narwhals as nw

    frame = data.frame if task.name is None else data.frame.filter(nw.col("task") == task.name)
    fine = None if task.tally is None else task.tally.fine
    found = _groups(Joined(frame=frame, rows=data.rows, tasks=data.tasks), task.means, scale, fine)
    return found.task(task.name, scale)


def _said(tasks: Sequence[TaskSums], models: Sequence[str]) -> list[str]:
    note = "summed where the data lie: the order of the rows was not looked at, no examples are listed"
    tally = next((t.tally for t in tasks if t.tally is not None), None)
    if tally is not None:
        note += f"; ranks and the robust test use bins {100 / tally.fine:.2g} % wide"
    elif len(models) > 2:
        note += "; ranks and the robust test need two models at a time"
    return [note]
