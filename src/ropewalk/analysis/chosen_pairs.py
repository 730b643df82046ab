"""Which pairs of models are compared, and on which tasks."""

from __future__ import annotations

from collections.abc import Sequence

from ropewalk.data import Audit
from ropewalk.errors import DataError, OptionError, did_you_mean, listed, short
from ropewalk.methods.pair import Pair, TaskPairs
from ropewalk.results.all_models import Leaderboard

_MOST_PAIRS = 5_000  # with more pairs than this, models are compared with the best one only
_MOST_FITS = 1_300  # the same limit over tasks, with a hierarchical model per pair: all pairs of 51 models
_MOST_SHOWN = 80  # with more pairs than this, pairs are compared over all tasks but not on each one
_ONLY_ALL = "compared only over all tasks; for more, name a reference (reference=, --reference) or the pairs"


def pairs_among(
    models: Sequence[str], reference: str | None, pairs: Sequence[tuple[str, str]] | None
) -> list[tuple[str, str]]:
    """Return the named pairs, the pairs with the reference, or all pairs."""
    if reference is not None and pairs is not None:
        raise OptionError("both reference and pairs are given", hint="Give only one of them.")
    named = [reference] if reference is not None else [m for pair in pairs or () for m in pair]
    for name in named:
        if name not in models:
            raise OptionError(f'there is no model "{short(name)}"', hint=did_you_mean(name, models))
    if pairs is not None:
        if any(len(pair) != 2 or pair[0] == pair[1] for pair in pairs) or not pairs:
            raise OptionError("pairs must be pairs of two different models", hint='Give [("A", "B")].')
        return [(a, b) for a, b in pairs]
    if reference is not None:
        return [(m, reference) for m in models if m != reference]
    return [(a, b) for i, a in enumerate(models) for b in models[i + 1 :]]


def few_enough(
    chosen: list[tuple[str, str]], board: Leaderboard | None, many: bool
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the pairs, or if there are too many, those with the best model and a note that says so."""
    if board is None or len(chosen) <= (_MOST_FITS if many else _MOST_PAIRS):
        return chosen, []
    best = board.names[board.order[0]]
    note = f"{len(chosen):,} pairs are too many, so every model is compared only with the best, {short(best)}"
    return pairs_among(board.names, best, None), [note]


def shown_on_tasks(pairs: int, tasks: int) -> tuple[bool, list[str]]:
    """Whether this number of pairs is also compared on each task; if not, a note that says so."""
    shown = tasks < 2 or pairs <= _MOST_SHOWN
    return shown, [] if shown else [f"{pairs:,} pairs on {tasks:,} tasks: {_ONLY_ALL}"]


def within_groups(pairs: int, groups: int) -> tuple[bool, list[str]]:
    """Whether this number of pairs is compared in each group of tasks; if not, a note that says so."""
    few = pairs * (1 + groups) <= _MOST_FITS
    return few, [] if few or not groups else [f"{pairs:,} pairs in {groups} groups of tasks: {_ONLY_ALL}"]


def pairs_over_tasks(
    work: Sequence[Pair], chosen: Sequence[tuple[str, str]]
) -> tuple[list[TaskPairs], list[str]]:
    """Return the tasks of each pair, and the pairs with fewer than two shared tasks."""
    by_pair: dict[tuple[str, str], list[Pair]] = {pair: [] for pair in chosen}
    for p in work:
        by_pair[p.a, p.b].append(p)
    apart = [f"{short(a)} - {short(b)}" for (a, b), found in by_pair.items() if len(found) < 2]
    return [TaskPairs(pairs=found) for found in by_pair.values() if len(found) > 1], apart


def some(work: Sequence[Pair]) -> None:
    """Raise an error if no pair shares a task."""
    if not work:
        raise DataError(
            "the models to be compared have no task in common",
            hint="Compare each of them with a model that was run on the same tasks.",
        )


def with_apart(audit: Audit, apart: list[str]) -> Audit:
    """The audit with a warning about pairs that share fewer than two tasks."""
    if not apart:
        return audit
    text = f"pairs that share fewer than two tasks have no comparison over tasks: {listed(apart)}"
    return audit.warned(text)
