"""Audit and sums where the data are: one set of narwhals expressions for every engine.

No row is fetched. The models' parts are joined in full, so that units without a partner are counted; what is
fetched are the sums of groups (models present, task, cluster or bin of the difference).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from ropewalk.data import Audit, Input, Summed, Tally, TaskClusters, TaskSums
from ropewalk.data.arrays import Floats, Strings
from ropewalk.data.known_direction import Way, way_of
from ropewalk.data.metrics import is_resource
from ropewalk.read.joined import UNCHECKED, Joined, Part, Present, collect, numbers, texts
from ropewalk.read.pairing import lost_tasks
from ropewalk.read.scores import maybe_a_truth
from ropewalk.read.worst import fill_joined

_FINE = 1000.0  # bins are 1/1000 of the scale wide, and 1/1000 of |d| if that is larger
_GROUPS = 1_000_000  # largest number of groups fetched
_NUMBER = (
    r"^[ \t]*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?[ \t]*$"  # like float(), but without 1_000
)
_FAR = 1e4  # an offset of this many standard deviations costs eight digits of the variance


def summed(
    data: Joined,
    parts: Sequence[Part],
    *,
    metric: str,
    way: Way | None,
    notes: Sequence[str],
    inputs: Sequence[Input] = (),
    could_be_truth: bool = False,
    worst: str | None = None,
) -> Summed | None:
    """Sum every pair on every task, and count the rows that paired.

    None if a model was not run on a task that others share: such gaps need every row. `could_be_truth` says
    that whole numbers in all columns may be labels, one of them the truth. `way` is the direction of the
    scores; None for right and wrong answers. With `worst`, the name of the scores ("" for right and wrong
    answers), units that a model lacks count as wrong.
    """
    models = tuple(p.model for p in parts)
    centre = np.array([p.centre for p in parts])
    binary = all(p.binary for p in parts) and not is_resource(metric)
    spread = float(np.sqrt(sum(p.spread**2 for p in parts))) or 1.0
    # Bins only for two models of real-valued scores without clusters; clusters return their means.
    fine = None if len(parts) > 2 or "cluster" in data.agreed else _FINE
    data = _as_numbers(data, len(parts))
    if worst is not None:
        data, filled = fill_joined(data, parts, worst, higher=way is None or way.higher)
        notes = (*notes, *filled)
    found = _groups(data, centre, spread, None if binary else fine, odd=binary, fractions=could_be_truth)
    if binary and found.odd:
        binary = False
        found = _groups(data, centre, spread, fine, fractions=could_be_truth)
    found.who.check(data, parts, found.bad, found.differ)
    if found.has_gaps:
        return None
    tasks = tuple(found.task(name, spread) for name in found.names(data.tasks))
    tasks = tuple(_again(data, t, spread) if _is_far(t, centre) else t for t in tasks)
    maybe = [maybe_a_truth(models)] if could_be_truth and not found.fractions else []
    few = len(models) == 2 and binary
    if way is not None and way.source == "right or wrong" and not binary:  # the first rows were all 0 or 1
        way = way_of("")
    return Summed(
        models=models,
        tasks=tasks,
        metric=metric,
        higher_is_better=way is None or way.higher,
        way=way,
        is_binary=binary,
        audit=Audit(
            paired=sum(t.n for t in tasks),
            dropped=found.who.dropped([p.label for p in parts]),
            notes=(*notes, *_said(tasks, models)),
            warnings=(*lost_tasks(found.tasks, found.who.whole), *(maybe if few else ())),
            inputs=tuple(inputs),
            cautions=(*(() if way is None else way.caution), *(() if few else maybe)),
        ),
    )


def _as_numbers(data: Joined, k: int) -> Joined:
    """Convert scores that are text to numbers; text that is not a number becomes null, an error later."""
    import narwhals as nw

    schema = data.frame.collect_schema()
    spelled = {c: nw.col(c) for c in (f"x{i}" for i in range(k)) if schema[c] == nw.String}
    if not spelled:
        return data
    cells = {}
    for c, cell in spelled.items():
        word = cell.str.to_lowercase()
        cell = (
            nw.when(word == "true").then(nw.lit("1")).when(word == "false").then(nw.lit("0")).otherwise(cell)
        )
        cells[c] = nw.when(cell.str.contains(_NUMBER)).then(cell).cast(nw.Float64)
    return replace(data, frame=data.frame.with_columns(**cells))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Groups:
    """The result of the query: for each group its models, task, cluster and bin, with sums and products.

    The sums are of v = (x0 - c0, x1 - x0 - (c1 - c0), x2 - x0 - (c2 - c0), ...). Variation that all models
    share cancels in the differences, which therefore keep their digits. The groups are sorted by task,
    models, cluster and bin, regardless of the engine's order.
    """

    centre: Floats
    who: Present
    tasks: Strings | None
    clusters: Strings | None
    bins: Floats | None
    sums: Floats  # groups x models
    products: Floats  # groups x models x models
    bad: Floats  # rows of each model without a finite number
    odd: float  # number of scores that are neither 0 nor 1, if that was checked
    fractions: float  # number of scores that are not whole, if that was checked
    differ: dict[str, float]  # number of units with two truths or two clusters
    fine: float

    @property
    def has_gaps(self) -> bool:
        """Whether at least two models, but not all, were run on some task."""
        if self.tasks is None or self.sums.shape[1] < 3:
            return False
        _, group = np.unique(self.tasks, return_inverse=True)
        ran = np.zeros((group.max() + 1, self.sums.shape[1]), dtype=bool)
        np.logical_or.at(ran, group.ravel(), self.who.models)
        return bool(np.any((ran.sum(axis=1) >= 2) & ~ran.all(axis=1)))

    def names(self, order: Sequence[str]) -> list[str | None]:
        """Return the tasks with units that all models have, in order of the groups."""
        if self.tasks is None:
            return [None]
        place = {name: k for k, name in enumerate(order)}
        return sorted(set(self.tasks[self.who.whole].tolist()), key=lambda t: (place.get(t, len(place)), t))

    def task(self, name: str | None, scale: float) -> TaskSums:
        """Sum one task: first the sums of v, from these the models' own."""
        first, end = 0, len(self.who.n)
        if self.tasks is not None and name is not None:
            first, end = (int(np.searchsorted(self.tasks, name, side=s)) for s in ("left", "right"))
        here = first + np.flatnonzero(self.who.whole[first:end])
        counts = self.who.n[here]
        n = int(counts.sum())
        total = self.sums[here].sum(axis=0)
        mean = total / n
        # Binned groups are narrow, so the spread between them is computed around the mean.
        own = self.sums[here] / counts[:, None]
        within = (self.products[here] - counts[:, None, None] * own[:, :, None] * own[:, None, :]).sum(axis=0)
        r = own - mean
        s = within + (r * counts[:, None]).T @ r
        back = np.eye(len(mean))  # x_i = v_0 + v_i
        back[1:, 0] = 1.0
        covariance = back @ s @ back.T
        # If a model's scores are all equal, rounding leaves a small value on either side of 0.
        np.fill_diagonal(covariance, np.maximum(covariance.diagonal(), 0.0))
        shift = np.concatenate([self.centre[:1], self.centre[1:] - self.centre[0]])
        return TaskSums(
            name=name,
            n=n,
            means=back @ ((total + n * shift) / n),  # rounded once, so that whole numbers have exact sums
            ahead=np.concatenate([[0.0], ((total + n * shift) / n)[1:]]),
            m2=_of_pairs(s),
            covariance=covariance,
            tally=None if self.bins is None else self._tally(self.bins[here], counts, scale),
            clusters=None
            if self.clusters is None
            else TaskClusters(
                names=self.clusters[here],
                sizes=counts,
                means=(own + shift) @ back.T,
                ahead=np.column_stack([np.zeros(len(own)), (own + shift)[:, 1:]]),
                m2=_of_pairs(within),
            ),
        )

    def _tally(self, found: Floats, counts: Floats, scale: float) -> Tally:
        # Among units that both models have, each bin is one group. The bins are those of x1 - x0, but the
        # tally is of the first model minus the second.
        return Tally.of(-found.astype(np.int64), counts.astype(np.intp), scale=scale, fine=self.fine)


def _of_pairs(s: Floats) -> Floats:
    """Return M2 of the differences of every pair, from the cross-products of v."""
    e = s[1:, 1:]
    own = e.diagonal()
    m2 = np.zeros(s.shape)
    m2[0, 1:] = m2[1:, 0] = own
    m2[1:, 1:] = own[:, None] + own - 2 * e
    return np.maximum(m2, 0.0)


def _groups(
    data: Joined,
    centre: Floats,
    scale: float,
    finest: float | None,
    *,
    odd: bool = False,
    fractions: bool = False,
) -> _Groups:
    """Run one query: n, sums and sums of products by models, task and bin (if its width is given).

    A missing score counts as absent. A sum that is not finite reveals bad scores, which are counted only
    then.
    """
    import narwhals as nw

    k = centre.size
    x = [nw.col(f"x{i}").cast(nw.Float64) for i in range(k)]
    p = [nw.col(f"p{i}").fill_null(0) for i in range(k)]
    first = x[0].fill_null(0.0)  # if the first model is missing, the sums are only checked for being finite
    v = [x[0] - float(centre[0]), *(x[i] - first - float(centre[i] - centre[0]) for i in range(1, k))]
    looked_for = {f"odd_{what}": nw.col(f"odd_{what}") for what in data.agreed}
    if odd:
        right = [((xi == 0.0) | (xi == 1.0)).fill_null(True) for xi in x]
        looked_for["odd"] = reduce(lambda a, b: a | b, (~r for r in right)).cast(nw.Int64)
    if fractions:
        broken = [(xi != xi.floor()).fill_null(False) for xi in x]
        looked_for["fractions"] = reduce(lambda a, b: a | b, broken).cast(nw.Int64)
    columns = {
        "here": sum((2**i * p[i] for i in range(1, k)), start=p[0]),
        **{f"x{i}": x[i] for i in range(k)},
        **{f"v{i}": v[i] for i in range(k)},
        **looked_for,
    }
    by = ["here"]
    fine = 0.0
    for key in ("task", "cluster"):
        if key in data.frame.columns:
            by.append(key)
            columns[key] = nw.col(key)
    if finest is not None:
        d = x[1] - x[0]
        fine = max(min(finest, _GROUPS / (10 * max(len(data.tasks), 1))), 8.0)
        size = d.abs() / scale
        # Most differences are below the scale; computing logarithms for all would dominate the time.
        size = nw.when(size <= 1.0).then(size).otherwise(1.0 + size.clip(lower_bound=1.0).log())
        number = (fine * size).ceil()
        columns["bin"] = nw.when(d < 0).then(-number).otherwise(number).fill_null(0.0)
        by.append("bin")
    wanted = data.frame.select(**columns)
    pairs = [(i, j) for i in range(k) for j in range(i, k)]
    wanted = wanted.with_columns(**{f"v{i}_{j}": nw.col(f"v{i}") * nw.col(f"v{j}") for i, j in pairs})
    units = {f"v{i}": scale for i in range(k)} | {f"v{i}_{j}": scale**2 for i, j in pairs}
    # A sum of floats depends on their order, and so on the threads. Each value is therefore split into
    # multiples of two units, so large that their sums over all rows are exact: within 2^53 of the first unit
    # for values of 2^8 on average, within 2^53 of the second unit for the remainders.
    rows = float(data.rows.max())
    coarse = {f"{c}_coarse": _rounded(nw.col(c), unit * rows * 2.0**-45) for c, unit in units.items()}
    wanted = wanted.with_columns(**coarse)
    rest = {
        f"{c}_rest": _rounded(nw.col(c) - nw.col(f"{c}_coarse"), unit * rows**2 * 2.0**-98)
        for c, unit in units.items()
    }
    added = {c: nw.col(c).sum() for c in (*looked_for, *coarse, *rest)}
    counted = {f"n{i}": nw.col(f"x{i}").count() for i in range(k)}
    answer = collect(wanted.with_columns(**rest).group_by(by).agg(n=nw.len(), **counted, **added))
    here = numbers(answer["here"]).astype(np.int64)
    tasks, clusters = (texts(answer[key]) if key in by else None for key in ("task", "cluster"))
    bins = numbers(answer["bin"]) if "bin" in by else None
    named = [
        None if names is None else np.unique(names, return_inverse=True)[1] for names in (clusters, tasks)
    ]
    order = np.lexsort([key for key in (bins, named[0], here, named[1]) if key is not None])

    def total(column: str) -> Floats:
        return numbers(answer[column])[order]

    def both(column: str) -> Floats:
        return total(f"{column}_coarse") + total(f"{column}_rest")

    def seen(column: str) -> float:
        return float(total(column).sum()) if column in looked_for else 0.0

    products = np.empty((here.size, k, k))
    for i, j in pairs:
        products[:, i, j] = products[:, j, i] = both(f"v{i}_{j}")
    who = Present.of(here[order], total("n"), k)
    given = np.column_stack([total(f"n{i}") for i in range(k)])
    finite = [np.isfinite(np.ma.asarray(answer[f"v{i}_coarse"], dtype=np.float64)).all() for i in range(k)]
    whole = all(finite) and np.array_equal(given, who.models * who.n[:, None])
    return _Groups(
        centre=centre,
        who=who,
        tasks=None if tasks is None else tasks[order],
        clusters=None if clusters is None else clusters[order],
        bins=None if bins is None else bins[order],
        sums=np.column_stack([both(f"v{i}") for i in range(k)]),
        products=products,
        bad=np.zeros(k) if whole else _bad(data.frame, x, p),
        odd=seen("odd"),
        fractions=seen("fractions"),
        differ={what: seen(f"odd_{what}") for what in data.agreed},
        fine=fine,
    )


def _bad(frame: Any, x: Sequence[Any], p: Sequence[Any]) -> Floats:
    """Count the rows of each model without a finite number."""
    import narwhals as nw

    number = [xi.is_finite().fill_null(False) for xi in x]
    wrong = {f"bad{i}": ((p[i] == 1) & ~ok).cast(nw.Int64).sum() for i, ok in enumerate(number)}
    found = collect(frame.select(**wrong))
    return np.array([numbers(found[c])[0] for c in wrong])


def _rounded(x: Any, unit: float) -> Any:
    """Round x to a multiple of (the power of two above) `unit`: beyond 2^52 units, floats are multiples."""
    shift = 1.5 * 2.0 ** (52 + int(np.ceil(np.log2(unit))))
    return (x + shift) - shift


def _is_far(task: TaskSums, centre: Floats) -> bool:
    """Whether the differences are so far from their center that the spread has lost its digits."""
    off = np.abs(task.ahead - (centre - centre[0]))
    sd = np.sqrt(task.m2[0] / task.n)
    return bool(np.any(off > _FAR * sd))


def _again(data: Joined, task: TaskSums, scale: float) -> TaskSums:
    """Compute one task again with its own center."""
    import narwhals as nw

    frame = data.frame if task.name is None else data.frame.filter(nw.col("task") == task.name)
    fine = None if task.tally is None else task.tally.fine
    found = _groups(replace(data, frame=frame), task.means, scale, fine)
    return found.task(task.name, scale)


def _said(tasks: Sequence[TaskSums], models: Sequence[str]) -> list[str]:
    note = f"aggregated in place: {UNCHECKED}, and no examples are listed"
    tally = next((t.tally for t in tasks if t.tally is not None), None)
    if tally is not None:
        note += f"; ranks and the robust test use bins {100 / tally.fine:.2g}% wide"
    elif len(models) > 2 and tasks[0].clusters is None:
        note += "; ranks and the robust test need two models at a time"
    return [note]
