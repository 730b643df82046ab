"""Each model's rows where the data are, and all of them side by side: a full join on task and unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats
from ropewalk.data.audit import Dropped
from ropewalk.errors import CellError, DataError, PairingError, short
from ropewalk.read.database import quoted
from ropewalk.read.frame import is_relation
from ropewalk.read.pairing import dropped
from ropewalk.read.table import FLOATED, NOT_A_NUMBER, array_column, as_text

_MOST_MODELS = 50  # the joins and the sums of all products form a single query
_AGREED = {"y": "truth", "cluster": "cluster"}  # columns that must agree wherever a unit occurs
UNCHECKED = "single values, columns other than the questions and the order of the rows were not checked"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """One model's rows: a lazy frame with the columns `task` (where there are tasks), `unit` and `x`.

    `x` is the score, or the prediction if a column `y` has the truth. There may be a column `cluster`. `head`
    has the numbers in the first rows. `binary` is whether they are all 0 or 1, or become so by comparison
    with a truth. If the table has a column for each model, no model has a frame of its own.
    """

    model: str
    label: str
    frame: Any
    head: Floats
    binary: bool

    @property
    def has_fractions(self) -> bool:
        """Whether the first rows contain numbers that are not all whole."""
        return bool(np.any(self.head != np.floor(self.head)))

    @property
    def is_share(self) -> bool:
        """Whether the numbers in the first rows lie between 0 and 1."""
        return bool(np.all((self.head >= 0) & (self.head <= 1)))

    @property
    def centre(self) -> float:
        """Return the center of the scores in the first rows, rounded for whole numbers to keep sums exact."""
        if self.binary or not self.head.size:
            return 0.0
        mean = float(self.head.mean())
        return mean if self.has_fractions else float(round(mean))

    @property
    def spread(self) -> float:
        return 1.0 if self.binary or not self.head.size else float(self.head.std())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joined:
    """All models' rows side by side: scores x0, x1, ... and p0, p1, ..., which are 1 if a model has the unit.

    `y` and `cluster` exist if some part has them. Each has a column `odd_y` or `odd_cluster`, which is 1
    where two parts disagree.
    """

    frame: Any
    rows: Floats  # number of rows of each model before the join
    tasks: Sequence[str]  # in order of first appearance; empty without a column of tasks

    @property
    def agreed(self) -> list[str]:
        """Return which of the columns `y` and `cluster` exist."""
        return [c for c in _AGREED if c in self.frame.columns]


def joined(parts: Sequence[Part], *, has_tasks: bool) -> Joined:
    """Join the parts on task and unit (full outer join)."""
    import narwhals as nw

    if len(parts) > _MOST_MODELS:
        raise DataError(
            f"there are {len(parts)} models with many rows each; at most {_MOST_MODELS} can be joined "
            "in place",
            hint="Compare fewer models at a time, or average the scores of each task first.",
        )
    keys = ["task", "unit"] if has_tasks else ["unit"]
    rows = [_rows(part.label, part.frame, keys) for part in parts]
    own = [_whole_ids(part.frame, keys) for part in parts]
    kinds = [{k: frame.collect_schema()[k] for k in keys} for frame in own]
    frames = []
    for i, frame in enumerate(own):
        own_columns = [c for c in frame.columns if c in ("x", *_AGREED) or c.startswith("q_")]
        frame = frame.rename({c: f"{c}{i}" for c in own_columns})
        # Ids are compared as text if one file has numbers and another words.
        alike = [k for k in keys if len({kind[k] for kind in kinds}) > 1]
        frame = frame.with_columns(*(nw.col(k).cast(nw.String) for k in alike)) if alike else frame
        frames.append(frame.with_columns(nw.lit(1).alias(f"p{i}")))

    def both(left: Any, right: Any) -> Any:
        out = left.join(right, on=keys, how="full", suffix="_right")
        out = out.with_columns(*(nw.coalesce(nw.col(k), nw.col(f"{k}_right")).alias(k) for k in keys))
        return out.drop([f"{k}_right" for k in keys])

    tasks = [t for (t,) in distinct(own[0], "task")] if has_tasks else []
    return Joined(frame=_agreed(reduce(both, frames), len(parts)), rows=np.array(rows), tasks=tasks)


def side_by_side(frame: Any, models: int) -> Joined:
    """Join a table with a column for each model: its rows are joined already, and no unit may occur twice."""
    import narwhals as nw

    keys = [k for k in ("task", "unit") if k in frame.columns]
    n = _rows("the table", frame, keys)
    units = float(collect(frame.select(keys).unique().select(n=nw.len()))["n"][0])
    if units < n:
        raise PairingError(
            f"the table has {n:,.0f} rows and {units:,.0f} units: some units have more than one row",
            hint="If that is on purpose, name the column that tells them apart: --unit COLUMN (unit=).",
        )
    tasks = [t for (t,) in distinct(frame, "task")] if "task" in keys else []
    return Joined(frame=_agreed(frame, models), rows=np.full(models, n), tasks=tasks)


def _whole_ids(frame: Any, keys: Sequence[str]) -> Any:
    """Convert ids that were all saved as 1.0, 2.0, ... to 1, 2, ...; leave others unchanged."""
    import narwhals as nw

    schema = frame.collect_schema()
    first = collect(frame.select(keys).head(1))
    whole: dict[str, Any] = {}
    for k in keys:
        cell = nw.col(k)
        if schema[k].is_float():
            is_whole = (cell == cell.floor()) & (cell.abs() <= 2**53)
            whole[k] = (is_whole, cell.cast(nw.Int64))
        elif len(first[k]) and FLOATED.fullmatch(str(first[k][0])) and schema[k] == nw.String:
            whole[k] = (cell.str.contains(f"^{FLOATED.pattern}$"), cell.str.replace_all(r"\.0+$", ""))
    if not whole:
        return frame
    rest = collect(frame.select(**{k: (~test).cast(nw.Int64).sum() for k, (test, _) in whole.items()}))
    found = {k: cell for k, (_, cell) in whole.items() if not rest[k][0]}
    return frame.with_columns(**found) if found else frame


def _rows(label: str, frame: Any, keys: Sequence[str]) -> float:
    """Count the rows; each must have its keys, and its cluster if there is such a column."""
    import narwhals as nw

    filled = [*keys, *(c for c in frame.columns if c in ("cluster", "cluster0"))]
    schema = frame.collect_schema()
    # Parquet metadata has the number of values of a column, so no rows are read. Empty text is missing.
    values = {k: nw.col(k).count() for k in filled}
    empty = {f"no {k}": (nw.col(k) == "").cast(nw.Int64).sum() for k in filled if schema[k] == nw.String}
    counted = collect(frame.select(n=nw.len(), **values, **empty))
    n = int(counted["n"][0])
    for k in filled:
        there = int(counted[k][0]) - (int(counted[f"no {k}"][0] or 0) if f"no {k}" in empty else 0)
        if there < n:
            raise CellError(
                f"{short(label)}: {n - there:,} rows have no {k.rstrip('0')}",
                hint="Fill these cells, or drop these rows.",
            )
    return float(n)


def _agreed(frame: Any, k: int) -> Any:
    """Return one truth and cluster per unit, if some part has them, and 1 where two parts disagree."""
    import narwhals as nw

    schema = frame.collect_schema()
    found: dict[str, Any] = {}
    for what in _AGREED:
        columns = [f"{what}{i}" for i in range(k) if f"{what}{i}" in frame.columns]
        if not columns:
            continue
        # Keep the values unchanged if all have one type; otherwise compare them as text.
        as_text = len({schema[c] for c in columns}) > 1
        each = [nw.col(c).cast(nw.String) if as_text else nw.col(c) for c in columns]
        one = nw.coalesce(*each) if len(each) > 1 else each[0]
        # In pandas a missing value differs from every other value.
        differs = [((e != one) & ~e.is_null()).fill_null(False) for e in each]
        found |= {what: one, f"odd_{what}": reduce(lambda a, b: a | b, differs).cast(nw.Int64)}
    return frame.with_columns(**found) if found else frame


@dataclass(frozen=True, kw_only=True, eq=False)
class Present:
    """The models that have each group of units (groups x models), and the number of units in the group."""

    models: NDArray[np.bool_]
    n: Floats

    @classmethod
    def of(cls, here: Any, n: Floats, k: int) -> Present:
        """Decode the models from the bits of a number."""
        bits = np.asarray(here).astype(np.int64)
        return cls(models=np.column_stack([(bits >> i) & 1 for i in range(k)]).astype(bool), n=n)

    @cached_property  # used for each of many tasks
    def whole(self) -> Any:
        """Return the groups of units that all models have."""
        return self.models.all(axis=1)

    def dropped(self, labels: Sequence[str]) -> tuple[Dropped, ...]:
        """Return the units that some model lacks, by who has them."""
        rows = ~self.whole
        patterns, group = np.unique(self.models[rows], axis=0, return_inverse=True)
        counts = np.bincount(group.ravel(), weights=self.n[rows], minlength=len(patterns))
        return dropped(labels, patterns.T, counts.astype(np.intp))

    def check(self, data: Joined, parts: Sequence[Part], bad: Floats, odd: dict[str, float]) -> None:
        """Check that every score is a number, the parts agree, and no model has two rows for a unit.

        In a full join, a unit with m_i rows of each model i has Π m_i rows. So model i has the same number of
        rows before and after the join only if its shared units have no second row in another model. Units
        that only one model has are counted separately.
        """
        for part, wrong in zip(parts, bad, strict=True):
            if wrong:
                raise CellError(
                    f"{short(part.label)}: {wrong:,.0f} scores are missing, NaN or infinite",
                    hint=NOT_A_NUMBER,
                )
        for what, units in odd.items():
            if units:
                raise PairingError(
                    f"{_names(parts)} differ in the {_AGREED[what]} of {units:,.0f} units",
                    hint="One unit must be one example: were both made from the same data?",
                )
        after = self.models.T.astype(np.float64) @ self.n
        if np.any(after != data.rows):
            more = [
                f"{short(p.label)}: {b:,.0f} rows, {a:,.0f} after they were joined with the others"
                for p, b, a in zip(parts, data.rows, after, strict=True)
                if a != b
            ]
            raise _repeated(more[:5])
        one = self.models.sum(axis=1) == 1
        alone = self.n[one] @ self.models[one]
        if np.any(alone > 1):
            _check_alone(data, parts, alone)
        if self.n[self.whole].sum() < 2:
            _nothing_shared(parts, self)


def _check_alone(data: Joined, parts: Sequence[Part], rows: Floats) -> None:
    """Check that units of a single model occur once; `rows` counts each model's rows that no other has."""
    import narwhals as nw

    keys = [c for c in ("task", "unit") if c in data.frame.columns]
    here = [nw.col(f"p{i}").fill_null(0) for i in range(len(parts))]
    count, which = (reduce(lambda a, b: a + b, e) for e in (here, [p * i for i, p in enumerate(here)]))
    alone = data.frame.with_columns(count=count, which=which).filter(nw.col("count") == 1)
    units = collect(alone.select("which", *keys).unique().group_by("which").agg(n=nw.len()))
    for i, n in zip(numbers(units["which"]).astype(int), numbers(units["n"]), strict=True):
        if n < rows[i]:
            label = short(parts[i].label)
            raise _repeated([f"{label}: {rows[i]:,.0f} rows of {n:,.0f} units that no other model has"])


def _repeated(where: list[str]) -> PairingError:
    return PairingError(
        "some units have more than one row of a model",
        where=where,
        hint="Each model needs one row per unit. If that is on purpose, name the column that tells\n"
        "them apart: unit= or task=COLUMN (--unit, --task).",
    )


def _names(parts: Sequence[Part]) -> str:
    return " and ".join(short(p.label) for p in parts[:3])


def _nothing_shared(parts: Sequence[Part], found: Present) -> NoReturn:
    raise PairingError(
        f"{_names(parts)} share {'one unit only' if found.whole.any() else 'no unit'}",
        hint="Check how the units are named, or name another column: --unit COLUMN (unit=COLUMN).",
    )


def distinct(frame: Any, *columns: str) -> list[tuple[str, ...]]:
    """Return the distinct values of these columns together, in order of first appearance.

    If the rows have no order, the values are sorted. An empty cell is the empty text in every engine.
    """
    import narwhals as nw

    native = nw.to_native(frame)
    ordered = is_relation(native)
    if ordered:
        names, row = ", ".join(map(quoted, columns)), quoted("row of the file")
        numbered = native.project(f"{names}, row_number() over () as {row}")
        found = numbered.aggregate(f"{names}, min({row}) as {row}").order(row).fetchnumpy()
    else:
        found = collect(frame.select(columns).unique())
    cells = [array_column(found[c]) for c in columns]
    rows = list(zip(*(as_text(c).tolist() for c in cells if c is not None), strict=True))
    return rows if ordered else sorted(rows)


def collect(frame: Any) -> dict[str, Any]:
    """Return the columns of a lazy frame; fetching from DuckDB needs neither pyarrow nor pandas."""
    import narwhals as nw

    native = nw.to_native(frame)
    if is_relation(native):
        return dict(native.fetchnumpy())
    eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    return {c: _plain(eager[c]) for c in eager.columns}


def _plain(column: Any) -> Any:
    """Return a column as an array; missing objects become None in every engine."""
    cells = column.to_numpy()
    if cells.dtype == object:
        cells = cells.copy()
        cells[column.is_null().to_numpy().astype(bool)] = None
    return cells


def numbers(column: Any) -> Floats:
    """Return a column of sums; the sum of no rows may be null, and becomes 0."""
    return np.nan_to_num(np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan), nan=0.0)


def texts(column: Any) -> Any:
    """Return a column of names."""
    return np.array([str(t) for t in column], dtype=object)
