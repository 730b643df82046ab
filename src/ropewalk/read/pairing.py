"""Which rows of different models are about the same unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Ints, Strings, first_codes, strings
from ropewalk.data.audit import Dropped, Pairing
from ropewalk.data.runs import Run
from ropewalk.errors import PairingError, listed, short
from ropewalk.read.block import Block, KeyColumn, naming_column, same_keys
from ropewalk.read.keys import Key, choose, combined_keys, positions
from ropewalk.read.roles import UNNAMED, Options, compact
from ropewalk.read.table import Column, as_text

_FEW = 100  # folds rarely have more rows than this
_REASONS = 8  # most reasons for dropping units that are listed
_NOUN = {"example": "ids", "fold": "folds", "seed": "seeds", "task": "tasks"}


class RepeatedUnitsError(PairingError):
    """A model has more than one row for a unit; `model` names the model."""

    def __init__(self, what: str, *, where: Iterable[str] = (), hint: str = "", model: str = "") -> None:
        self.model = model
        super().__init__(what, where=where, hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paired:
    """The units that every model has, in order of first appearance.

    `places` has for each row of each block the number of its unit, or -1 if the unit was dropped. `parts` has
    the key columns of the units; whole numbers stay numbers.
    """

    blocks: list[Block]
    places: list[Ints]
    key: Key
    names: Column
    parts: dict[str, Column]
    dropped: tuple[Dropped, ...]
    note: str
    warnings: tuple[str, ...]
    lacking: dict[str, NDArray[np.bool_]]  # units that a model lacks, which count as wrong
    how: Pairing
    not_run: dict[str, tuple[str, ...]]  # tasks that a model was not run on

    def gather(self, columns: dict[int, Column]) -> Column:
        """Return one value per unit from the columns of the blocks, which are given by block number.

        Numbers are NaN on tasks that no block has.
        """
        first = next(iter(columns.values()))
        out = np.empty((len(self.names), *first.shape[1:]), dtype=first.dtype)
        if out.dtype.kind == "f":
            out.fill(np.nan)
        for i, cells in columns.items():
            kept = self.places[i] >= 0
            out[self.places[i][kept]] = cells[kept]
        return out

    def by_model(self, columns: Callable[[Block], Iterable[str]]) -> Iterator[tuple[str, dict[str, Column]]]:
        """Yield columns as text: the name, and each model's cells, where models have rows of their own."""
        parts: dict[str, dict[str, dict[int, Column]]] = {}
        for i, block in enumerate(self.blocks):
            for column in columns(block) if len(block.columns) == 1 else ():
                cells = as_text(block.table.columns[column][block.rows])
                parts.setdefault(column, {}).setdefault(next(iter(block.columns)), {})[i] = cells
        for column, of_models in parts.items():
            yield column, {model: self.gather(cells) for model, cells in of_models.items()}

    def agreed(self, what: str, columns: dict[int, Column]) -> Column:
        """Return the values that must agree wherever a unit occurs: its truth, its cluster."""
        out = self.gather(dict(reversed(columns.items())))  # the first block is written last and wins
        for i, cells in columns.items():
            kept = np.flatnonzero(self.places[i] >= 0)
            other = kept[_differ(cells[kept], out[self.places[i][kept]])]
            if other.size:
                first = self.blocks[next(iter(columns))]
                lines = [(self.names[u], out[u], cells[k]) for k in other[:5] for u in [self.places[i][k]]]
                raise PairingError(
                    f"{short(first.label)} and {short(self.blocks[i].label)} differ in the {what} "
                    f"of {other.size:,} unit{'s' if other.size > 1 else ''}",
                    where=[f'"{short(name)}": "{short(x)}" and "{short(y)}"' for name, x, y in lines],
                    hint="One unit must be one example: were both made from the same data?",
                )
        return out


def _differ(a: Column, b: Column) -> NDArray[np.bool_]:
    if a.dtype == object:
        return np.asarray(a != b, dtype=bool)
    return ~np.isclose(a, b, rtol=1e-6, atol=0.0)  # fewer digits, or 32-bit floats


def pair(
    blocks: list[Block], options: Options, *, examples: bool, runs: Mapping[str, Run] | None = None
) -> Paired:
    """Pair the units that all models share (and the truth, if rows are `examples`).

    With three or more models, some may lack a task if at least two have it; its units are those that these
    share. `runs` maps training runs, which stand in for models here, to their models. If missing units count
    as wrong, all units stay that some model has and that the model `options.complete` has.
    """
    by_position = options.by_position
    if by_position:
        _same_order(blocks)
    columns = {
        role: KeyColumn.of(blocks, role)
        for role in same_keys([(b.label, b.keys) for b in blocks], by_position)
    }
    codes = {role: column.codes for role, column in columns.items()}
    sizes = [len(b.rows) for b in blocks]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    groups = _groups(blocks, examples)
    rows = [np.concatenate([np.arange(starts[i], starts[i + 1]) for i in g]) for g in groups.values()]
    models = [r for r, name in zip(rows, groups, strict=True) if name is not None]
    alone = len({b.label for b in blocks}) == 1
    key = choose(
        columns,
        models,
        examples=examples,
        by_position=by_position,
        one_block=alone,
        naming=lambda: naming_column(
            [[blocks[i] for i in g] for name, g in groups.items() if name is not None]
        ),
    )
    if "row" in key.roles:
        codes["row"] = positions(codes.get("task"), sizes)
        number, begins = first_codes(codes["row"])
        columns["row"] = KeyColumn(codes=number, cells=codes["row"] + 1, first=begins)
    unit, first = combined_keys([columns[role] for role in key.roles])

    def full(units: Ints) -> Strings:
        return as_text(_joined([columns[role].cells[first[units]] for role in key.roles]))

    present = np.zeros((len(groups), len(first)), dtype=bool)
    for g, (name, r) in enumerate(zip(groups, rows, strict=True)):
        times = np.bincount(unit[r], minlength=len(first))
        if name is not None and times.max() > 1:
            _duplicates(name, blocks, starts, r, unit, times, full)
        present[g] = times > 0
    common = np.asarray(present.all(axis=0))
    if "task" in columns and len(models) > 2:
        common = _among_those_who_ran(present, codes["task"][first], list(groups), runs or {})
    lacking = np.zeros_like(present)
    if options.missing == "worst":
        common, lacking = _with_lacking(present, list(groups), options.complete)
    labels = [_label(blocks, name, members) for name, members in groups.items()]
    # If every unit has its truth, only a model can lack a unit.
    told = [g for g, name in enumerate(groups) if name is not None or not present[g].all()]
    if "row" in key.roles and not common.all():
        _uneven(labels, present)
    if not common.any():
        _nothing_shared(labels, present, full, key, blocks)
    place = np.where(common, np.cumsum(common) - 1, -1)
    tasks = columns["task"].text(first) if "task" in columns else None
    parts = {role: column.cells[first[common]] for role, column in columns.items()}
    return Paired(
        blocks=blocks,
        places=[place[unit[starts[i] : starts[i + 1]]] for i in range(len(blocks))],
        key=key,
        names=_joined([parts[role] for role in _own(key)]),
        parts=parts,
        dropped=dropped(
            [labels[g] for g in told],
            *np.unique(present[told][:, ~common], axis=1, return_counts=True),
        ),
        note=_note(key, blocks[0], [r for r, c in codes.items() if c.max() > 0]),
        warnings=lost_tasks(tasks, common),
        how=_how(key, blocks[0], alone=alone),
        lacking={
            name: rows[common]
            for name, rows in zip(groups, lacking, strict=True)
            if name is not None and rows[common].any()
        },
        not_run={} if tasks is None else _not_run(codes["task"][first], tasks, groups, present, runs or {}),
    )


def _among_those_who_ran(
    present: NDArray[np.bool_], task: Ints, groups: Sequence[str | None], runs: Mapping[str, Run]
) -> NDArray[np.bool_]:
    """Return the units shared by all models that have the task, if at least two models have it.

    The truth (None) is needed everywhere. Several runs count as one model.
    """
    ran = np.zeros((len(present), task.max() + 1), dtype=bool)
    for g, units in enumerate(present):
        ran[g, task[units]] = True
    of_model: dict[str, NDArray[np.bool_]] = {}
    for name, tasks in zip(groups, ran, strict=True):
        if name is None:
            tasks[:] = True
        else:
            model = runs[name].model if name in runs else name
            of_model[model] = of_model.get(model, False) | tasks
    enough = np.sum(list(of_model.values()), axis=0) >= 2
    return np.asarray((present | ~ran[:, task]).all(axis=0) & enough[task])


def _same_order(blocks: Sequence[Block]) -> None:
    """Refuse to pair files by position if they have the same ids in a different order."""
    having = [b for b in blocks if "unit" in b.keys]
    for block in having[1:]:
        first, ids = having[0].key("unit"), block.key("unit")
        if len(first) == len(ids) and (first != ids).any() and set(first) == set(ids):
            k = int(np.argmax(first != ids))
            raise PairingError(
                f"{short(having[0].label)} and {short(block.label)} have the same ids in different orders",
                where=[f'row {k + 1:,}: "{short(first[k])}" and "{short(ids[k])}"'],
                hint="Leave out --by-position (by_position=True): the rows can be paired by their ids.",
            )


def _with_lacking(
    present: NDArray[np.bool_], groups: Sequence[str | None], complete: str | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the units that some model has, and which of them each model lacks, including whole tasks."""
    models = np.array([name is not None for name in groups])
    kept = present[models].any(axis=0)
    for name, units in zip(groups, present, strict=True):
        if name is None or name == complete:
            kept &= units
    lacking = ~present & kept
    lacking[~models] = False
    return kept, lacking


def _groups(blocks: list[Block], examples: bool) -> dict[str | None, list[int]]:
    """Return the blocks of each model, and under None the blocks that have the truth."""
    groups: dict[str | None, list[int]] = {}
    for i, b in enumerate(blocks):
        for m in b.columns:
            groups.setdefault(m, []).append(i)
    if examples:
        groups[None] = [i for i, b in enumerate(blocks) if b.truth is not None]
    return groups


def _label(blocks: list[Block], model: str | None, members: list[int]) -> str:
    """Name a single block by its label, several blocks by their model."""
    if len(members) == 1 or model is None:
        return blocks[members[0]].label
    return model


def _own(key: Key) -> list[str]:
    """Return the roles that identify a unit within its task."""
    return [r for r in key.roles if r != "task" or key.kind == "task"]


def _joined(parts: Sequence[Column]) -> Column:
    if len(parts) == 1:
        return parts[0]
    return strings(map("/".join, zip(*map(as_text, parts), strict=True)))


def _how(key: Key, block: Block, *, alone: bool) -> Pairing:
    """Return how units were matched; a saved row number without a name is a position, not an id."""
    if key.roles == ("unit",) and compact(block.keys["unit"]) == "index" and _counts_rows(block):
        return "row"
    if "row" not in key.roles and not (key.roles == ("unit",) and compact(block.keys["unit"]) in UNNAMED):
        return "id"
    return "row" if alone else "position"


def _counts_rows(block: Block) -> bool:
    """Whether the ids of a few rows are 0, 1, 2, ...: the index of a frame, which identifies no example."""
    n = len(block.rows)
    return n <= _FEW and block.key("unit").tolist() == [str(k) for k in range(n)]


def _note(key: Key, block: Block, varying: Sequence[str]) -> str:
    idle = block.named(r for r in ("repeat", "fold", "seed") if r in varying and r not in key.roles)
    without = (
        f"; not used: {', '.join(f'`{short(c)}`' for c in idle)}, because the rows are unique without "
        f"{'it' if len(idle) == 1 else 'them'}"
        if idle
        else ""
    )
    if "row" in key.roles:
        return "paired by row" + without
    names = [f"`{short(c)}`" if c else "the column without a name" for c in block.named(_own(key))]
    return f"paired on {' and '.join(names)}{without}"


def dropped(labels: Sequence[str], patterns: NDArray[np.bool_], counts: Ints) -> tuple[Dropped, ...]:
    """Count dropped units by who has or lacks them (labels x patterns), most frequent first."""
    reasons: dict[str, int] = {}
    for k in np.argsort(-counts, kind="stable"):
        there = dict.fromkeys(label for label, p in zip(labels, patterns[:, k], strict=True) if p)
        absent = dict.fromkeys(label for label, p in zip(labels, patterns[:, k], strict=True) if not p)
        one = f"only in {short(next(iter(there)))}" if len(there) == 1 else f"not in {_listed(absent)}"
        reason = one if len(reasons) < _REASONS else "not in some other models"
        reasons[reason] = reasons.get(reason, 0) + int(counts[k])
    return tuple(Dropped(reason=reason, units=units) for reason, units in reasons.items())


def _not_run(
    task: Ints,
    names: Strings,
    groups: Iterable[str | None],
    present: NDArray[np.bool_],
    runs: Mapping[str, Run],
) -> dict[str, tuple[str, ...]]:
    """Return the tasks that each model lacks entirely, if any; several runs count as one model."""
    ran: dict[str, NDArray[np.bool_]] = {}
    for name, units in zip(groups, present, strict=True):
        if name is not None:
            model = runs[name].model if name in runs else name
            ran[model] = ran.get(model, False) | (np.bincount(task[units], minlength=task.max() + 1) > 0)
    lacking = {model: np.flatnonzero(~tasks) for model, tasks in ran.items() if not tasks.all()}
    return {model: tuple(str(names[np.argmax(task == k)]) for k in tasks) for model, tasks in lacking.items()}


def lost_tasks(tasks: Strings | None, common: NDArray[np.bool_]) -> tuple[str, ...]:
    """Name the tasks of which no unit is left, instead of only counting their units."""
    if tasks is None:
        return ()
    kept = set(tasks[common])
    lost = [t for t in dict.fromkeys(tasks) if t not in kept]
    if not lost:
        return ()
    what = "task is" if len(lost) == 1 else "tasks are"
    return (
        f"{len(lost):,} {what} left out entirely, because no unit has a score from every model: "
        f"{listed(lost)}",
    )


def _listed(names: dict[str, None]) -> str:
    shown = ", ".join(short(n) for n in list(names)[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _duplicates(
    model: str,
    blocks: list[Block],
    starts: Ints,
    rows: Ints,
    unit: Ints,
    times: Ints,
    names: Callable[[Ints], Strings],
) -> NoReturn:
    """Raise an error for two rows of a model about the same unit."""
    twice = np.flatnonzero(times > 1)
    where = []
    for u, name in zip(twice[:5], names(twice[:5]), strict=True):
        at = rows[unit[rows] == u]
        block_of = np.searchsorted(starts, at, side="right") - 1
        for i in dict.fromkeys(block_of.tolist()):
            inside = blocks[i].rows[at[block_of == i] - starts[i]]
            where.append(f'"{short(name)}": {short(blocks[i].table.name)} {blocks[i].table.places(inside)}')
    first = blocks[int(np.searchsorted(starts, rows[0], side="right") - 1)]
    raise RepeatedUnitsError(
        f"{short(first.label)}: {len(twice):,} unit{'s' if len(twice) > 1 else ''} with more than one row",
        where=where,
        hint="Each model needs one row per unit. If the rows are different on purpose, name the column that\n"
        "tells them apart: unit=, task=, repeat=, fold= or seed=COLUMN (--unit COLUMN and so on).\n"
        "Several attempts at an item are averaged, if a column `attempt` numbers them.",
        model=model,
    )


def _uneven(labels: list[str], present: NDArray[np.bool_]) -> NoReturn:
    lengths = present.sum(axis=1)
    a, b = 0, int(np.argmax(lengths != lengths[0]))
    if a == b:  # the same number of rows overall, but not in every task
        raise PairingError(
            "the models have different numbers of rows in the same task",
            hint="Rows can be paired by position only if every model has the same number of rows.",
        )
    raise PairingError(
        f"{short(labels[a])} has {lengths[a]:,} rows, {short(labels[b])} has {lengths[b]:,}",
        hint="Rows can be paired by position only if every model has the same number of rows.",
    )


def _nothing_shared(
    labels: list[str],
    present: NDArray[np.bool_],
    names: Callable[[Ints], Strings],
    key: Key,
    blocks: list[Block],
) -> NoReturn:
    noun = _NOUN[key.kind]
    distinct = list(dict.fromkeys(labels))
    what = f"no {noun[:-1]} occurs for all {len(distinct)} models"
    if len(distinct) == 2:
        what = f"{short(distinct[0])} and {short(distinct[1])} share no {noun}"
    alike = _spelled_alike([names(np.flatnonzero(present[labels.index(x)])) for x in distinct])
    where = []
    wide = max(len(short(label)) for label in distinct[:5])
    for label in distinct[:5]:
        own = np.flatnonzero(present[labels.index(label)])
        shown = ", ".join(f'"{short(n)}"' for n in names(own[:2])) + (", …" if len(own) > 2 else "")
        block = next((b for b in blocks if b.label == label), blocks[0])
        columns = " / ".join(short(c) for c in block.named(key.roles))
        values = f"{len(own):,} value{'s' if len(own) > 1 else ''}"
        where.append(f"{short(label):<{wide}}  {columns}: {shown} ({values})")
    by_hand = "The rows cannot be paired. If row k of both files is the same example, say so with\n"
    by_hand += "--by-position (by_position=True); if another column names the examples, give it with\n"
    by_hand += "--unit COLUMN (unit=COLUMN)."
    if alike:
        by_hand = f"{alike:,} {noun if alike > 1 else noun[:-1]} would pair without their blanks, capitals, "
        by_hand += f'leading zeros and\nfinal ".0". Write the {noun} in the same way everywhere.'
    if key.kind != "example" and not alike:
        by_hand = f"The rows cannot be paired. Check how the {noun} are named."
    if key.kind == "seed" and not alike:
        by_hand += "\nRuns with different seeds can be compared if every run has a score for each example\n"
        by_hand += "(column `id`). For one score per run, ropewalk.bayes.rank_sum(a, b) needs no pairs."
    raise PairingError(what, where=where, hint=by_hand)


def _spelled_alike(names: Sequence[Strings]) -> int:
    """Count the names that would occur in all lists if they were spelled alike."""
    return len(set.intersection(*({_plain(str(n)) for n in own} for own in names)))


def _plain(name: str) -> str:
    """Normalize case, spaces, leading zeros and a trailing ".0" of a name.

    >>> _plain(" Q7 "), _plain("007"), _plain("7.0"), _plain("0")
    ('q7', '7', '7', '0')
    """
    plain = name.strip().casefold().removesuffix(".0")
    return plain.lstrip("0") or plain
