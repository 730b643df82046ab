"""Columns of a wide table that are hardly models: properties of the examples, or a truth by another name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ropewalk.errors import ColumnError, listed, short
from ropewalk.read.roles import written
from ropewalk.read.table import Sample, Table, parsed


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


# The last word of a column that describes an example, and is not the name of a model.
_PROPERTY = _split(
    """
    age amount characters chars count counts date day difficulty dollars duration frequency height hour
    hours idx income index latency latitude len length line longitude minutes month number page position
    price quantity row salary seconds size temperature time timestamp token tokens usd weight width
    words year zip
    """
)
# Names of what is to be predicted.
_TRUTH = _split(
    """
    answer category class churn churned correctanswer default diagnosis digit disease expected fraud gt
    groundtruths labels observed outcome positive reference response sentiment spam species survived
    targetvalue trueclass truevalue truths ytest
    """
)
# The last word of a column that is computed from the models' columns.
_DERIVED = _split(
    """
    average avg best delta diff difference gain gap improvement max maximum mean median min minimum overall
    sum total winner worst
    """
)
# The last word of a column that says how a model's score varies, and the first of a property of an example.
_SPREAD = _split("lower sd sem std stddev stdev stderr upper variance")
_TRAINED, _TESTED = _split("train training"), _split("dev holdout test testing val valid validation")
_ASKING = _split("has is num")
_COUNTED = _split(
    "correct errors failed failures hits ncorrect numcorrect passed solved successes wins wrong"
)
_TOTALS = _split(
    "attempts count n nexamples ntotal num numexamples questions samples size support total trials"
)
_FAR = 20.0  # times larger, or smaller
_MANY = 10  # different values
_MAY_BE_TRUTH = "its name may be that of the truth"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """What is known of a column of numbers."""

    name: str
    low: float
    middle: float
    high: float
    fractions: float  # share of values that are not whole
    distinct: int

    @property
    def binary(self) -> bool:
        return self.distinct <= 2 and {self.low, self.high} <= {0.0, 1.0}

    @property
    def size(self) -> float:
        return max(abs(self.low), abs(self.high))

    @property
    def span(self) -> str:
        return f"{self.low:g} to {self.high:g}"


def facts_of(table: Table, column: str) -> ColumnFacts | None:
    """The facts of a column; None where it has no number."""
    values = parsed(table.columns[column])
    values = values[np.isfinite(values)]
    if not values.size:
        return None
    return ColumnFacts(
        name=column,
        low=float(values.min()),
        middle=float(np.median(values)),
        high=float(values.max()),
        fractions=float(np.mean(values != np.floor(values))),
        distinct=len(np.unique(values)),
    )


def odd_ones(columns: Sequence[ColumnFacts]) -> dict[str, str]:
    """Which columns do not look like scores of a model, and why; none where all of them look alike."""
    reasons: dict[str, str] = {}
    for one in columns:
        others = [c for c in columns if c is not one]
        reason = _by_name(one, others) or _by_range(one, others) or _by_kind(one, others)
        if reason:
            reasons[one.name] = reason
    # In a table of two columns of which each is odd beside the other, the reason is theirs together.
    named = [c.name for c in columns if _by_name(c, [o for o in columns if o is not c])]
    if len(named) == len(columns):
        return {}
    return {name: reasons[name] for name in named} if named else reasons


def refuse_transposed(table: Table, columns: Sequence[str], *, keyed: bool) -> None:
    """A table without a column of ids and with more columns than rows hardly has a column for each model."""
    if not keyed and len(columns) > table.height:
        raise ColumnError(
            f"{short(table.name)} was understood as {len(columns):,} models and {table.height:,} units: is "
            "it the other way round?",
            where=[f"models: {listed(columns, most=6)}"],
            hint="Give one row per unit and one column per model: turn the table round. If the columns are\n"
            "the models, list them: --model A --model B (model=[...]), or add a column `id`.",
        )


def refuse_row_per_model(table: Table, model: str | None, columns: Sequence[str], *, keyed: bool) -> None:
    """A table in which every model has one row, and several columns of numbers, lies on its side."""
    if keyed or (table.height > 1 if model is None else table.comes_back(model)):
        return
    models = [] if model is None else [f"`{short(model)}`: {listed(table.columns[model].tolist())}"]
    raise ColumnError(
        f"{short(table.name)} has one row per model and one column per unit: it lies on its side",
        where=[*models, f"units: {listed(columns)}"],
        hint="Turn the table round: one row per unit and one column per model. If the columns are metrics,\n"
        "there is one number per model, which cannot be compared: give the scores per example, fold or task.",
    )


def refuse_training_rows(table: Sample, given: Collection[str]) -> None:
    """An error where a column says that some rows are of the training data and others are not."""
    for column, cells in table.columns.items():
        first = str(cells[0]).strip().lower() if len(cells) and cells.dtype == object else ""
        if column in given or first not in _TRAINED | _TESTED:
            continue
        words = {value.strip().lower() for (value,) in table.distinct(column)}
        if words <= _TRAINED | _TESTED and words & _TRAINED and words & _TESTED:
            raise ColumnError(
                f"{short(table.name)} holds rows of the training data: `{short(column)}` is "
                f"{listed(sorted(words))}",
                hint="Keep the rows that the models were not trained on.",
            )


def refuse_counts(table: Table, score: str) -> None:
    """An error where a column counts right answers and another one says out of how many."""
    if "".join(_words(score)) not in _COUNTED:
        return
    values = parsed(table.columns[score])
    if not np.all(np.isfinite(values)) or values.max(initial=0.0) <= 1 or np.any(values != np.floor(values)):
        return
    for column in table.columns:
        if "".join(_words(column)) in _TOTALS:
            totals = parsed(table.columns[column])
            if np.all(totals >= values):
                raise ColumnError(
                    f"{short(table.name)}: `{short(score)}` is a count out of `{short(column)}`",
                    hint=f"Divide it by `{short(column)}` and call the column `accuracy`.\n"
                    "One row per example would be better still.",
                )


def refuse_odd(table: Table, columns: Sequence[str], *, of: str = "the scores") -> None:
    """An error that lists the columns that would be compared, and asks which are the models."""
    if len(columns) < 2:
        return
    found = [f for c in columns if (f := facts_of(table, c)) is not None]
    odd = odd_ones(found) if len(found) > 1 else {}
    if not odd:
        return
    rest = [c for c in columns if c not in odd]
    rest = rest if len(rest) > 1 else list(columns)
    listing = " ".join(f"--model {short(c)}" for c in rest[:4])
    names = ", ".join(f'"{short(c)}"' for c in rest[:4])
    truth = next((c for c, reason in odd.items() if reason == _MAY_BE_TRUTH), None)
    settle = [
        f"List the models: {listing} (model=[{names}]).",
        f"If {'one of the columns' if truth is None else f'`{short(truth)}`'} is the truth, name it: "
        f"{'--truth COLUMN (truth=COLUMN)' if truth is None else written('truth', truth)}.",
    ]
    raise ColumnError(
        f"{short(table.name)}: {', '.join(f'`{short(c)}`' for c in list(odd)[:4])} "
        f"{'does' if len(odd) == 1 else 'do'} not look like {of} of a model",
        where=[
            *(f"`{short(c)}`: {reason}" for c, reason in list(odd.items())[:4]),
            f"columns that would be compared: {listed(columns, most=12)}",
        ],
        hint="\n".join(settle if truth is None else settle[::-1]),
    )


def likely_truth(table: Table, models: Collection[str]) -> str | None:
    """A column that was not requested, with the name of a truth and the values of the models' columns."""
    own = [f for m in models if (f := facts_of(table, m)) is not None]
    if len(own) < len(models) or any(f.fractions for f in own):
        return None
    low, high = min(f.low for f in own), max(f.high for f in own)
    for column in table.columns:
        if column in models or "".join(_words(column)) not in _TRUTH:
            continue
        facts = facts_of(table, column)
        if facts is not None and not facts.fractions and facts.distinct > 1 and facts.low >= low:
            return column if facts.high <= high else None
    return None


def read_as_scores(column: str, models: Collection[str]) -> str:
    """What is said where models' columns are read as scores next to what may be the truth."""
    own = ", ".join(f"`{short(m)}`" for m in list(models)[:4])
    return (
        f"the values of {own} are read as scores, and the column `{short(column)}` next to them may "
        f"be the truth: if it is, name it: {written('truth', column)}; if it is not, leave it out."
    )


def _by_name(one: ColumnFacts, others: Sequence[ColumnFacts]) -> str:
    words = _words(one.name)
    if not words:
        return ""
    first, last = words[0], words[-1]
    if last in _PROPERTY or (first in _ASKING and len(words) > 1):
        return "its name is that of a property of the example"
    if "".join(words) in _TRUTH:
        return _MAY_BE_TRUTH
    if last in _SPREAD:
        return "its name is that of a standard deviation or an interval"
    if len(words) == 1 and last in _DERIVED and len(others) > 1:
        return "its name is that of a value computed from the others"
    if _TRAINED & set(words) and any(_TESTED & set(_words(c.name)) for c in others):
        return "its name says that it was measured on the training data"
    return ""


def _words(name: str) -> list[str]:
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return [w for w in re.split(r"[^a-z0-9]+", apart) if w]


def _by_range(one: ColumnFacts, others: Sequence[ColumnFacts]) -> str:
    low, high = min(c.low for c in others), max(c.high for c in others)
    size = max(c.size for c in others)
    apart = one.low > high or one.high < low or not low <= one.middle <= high
    far = size > 0 and one.size > 0 and not 1 / _FAR <= one.size / size <= _FAR
    if apart and far and not _percent(one, others):
        return f"its values are {one.span}, those of the others {low:g} to {high:g}"
    return ""


def _percent(one: ColumnFacts, others: Sequence[ColumnFacts]) -> bool:
    """Whether it may be the same in percent, or in fractions: there is another error for that."""
    sizes = [one.size, *(c.size for c in others)]
    return min(c.low for c in (one, *others)) >= 0 and max(sizes) <= 100 and min(sizes) <= 1


def _by_kind(one: ColumnFacts, others: Sequence[ColumnFacts]) -> str:
    graded = all(c.fractions > 0.5 and c.distinct > _MANY for c in others)
    if graded and one.fractions == 0:
        return "its values are whole numbers, those of the others are not"
    if len(others) > 1 and all(c.binary for c in others) and one.distinct > _MANY:
        return "it is not 0 and 1, as the others are"
    return ""
