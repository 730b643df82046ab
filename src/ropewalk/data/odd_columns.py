"""Columns that are unlikely to be models, by name and values: properties, truths, totals."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ropewalk.data.arrays import Floats


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Last words of columns that describe an example and do not name a model.
_PROPERTY = _split(
    """
    age amount attributes batch chain characters chars classes count counts date day difficulty dollars draw
    duration epoch examples features frequency height hour hours idx income index instances iteration latency
    latitude len length line longitude minutes month number page position price quantity replicate row
    salary samples seconds seed size step temperature time timestamp token tokens usd version weight
    width words year zip
    """
)
# Names of the value to be predicted.
_TRUTH = _split(
    """
    answer category class churn churned correctanswer default diagnosis digit disease expected fraud gt
    groundtruths labels observed outcome positive reference response sentiment spam species survived
    targetvalue trueclass truevalue truths ytest
    """
)
# Last words of columns computed from the models' columns.
_DERIVED = _split(
    """
    average avg best delta diff difference gain gap improvement max maximum mean median min minimum oracle
    overall sum total winner worst
    """
)
# Last words for the spread of a model's score, and first words for a property of an example.
_SPREAD = _split("lower sd sem std stddev stdev stderr upper variance")
TRAINED, TESTED = _split("train training"), _split("dev holdout test testing val valid validation")
# Names of benchmarks: a table with these columns has one row per model.
_BENCHMARKS = _split(
    """
    aime arc bbh boolq cifar cifar10 cifar100 cola copa gpqa gsm8k hellaswag humaneval ifeval imagenet
    lambada livecodebench math500 mbpp mmlu mmlupro mnist mnli mrpc multirc musr naturalquestions openbookqa
    piqa qnli qqp rte siqa squad squadv2 sst sst2 stsb superglue swebench triviaqa truthfulqa wikitext
    winogrande wnli xsum
    """
)
_ASKING = _split("has is num")
_COUNTED = _split(
    "correct errors failed failures hits ncorrect numcorrect passed solved successes wins wrong"
)
_TOTALS = _split(
    "attempts count n nexamples ntotal num numexamples questions samples size support total trials"
)
_FLAGS = _split(
    "c correct error f fail failed failure false i incorrect n n/a na nan no none null ok pass passed right "
    "skipped solved success t timeout true unsolved w wrong y yes - ?"
)
_FAR = 20.0  # factor between sizes, in either direction
_MANY = 10  # number of different values
# Names used both for a model's output and for the quality of its answer.
OUTPUT_OR_SCORE = _split("score scores value")
_RISES = 0.5  # a correlation with the truth of at least this size suggests predictions
MAY_BE_TRUTH = "its name may be that of the truth"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """Facts about a column of numbers."""

    name: str
    low: float
    middle: float
    high: float
    fractions: float  # share of values that are not whole
    distinct: int

    @classmethod
    def of(cls, name: str, values: Floats) -> ColumnFacts | None:
        """Return the facts of a column; None if it has no numbers."""
        values = values[np.isfinite(values)]
        if not values.size:
            return None
        return cls(
            name=name,
            low=float(values.min()),
            middle=float(np.median(values)),
            high=float(values.max()),
            fractions=float(np.mean(values != np.floor(values))),
            distinct=len(np.unique(values)),
        )

    @property
    def binary(self) -> bool:
        return self.distinct <= 2 and {self.low, self.high} <= {0.0, 1.0}

    @property
    def size(self) -> float:
        return max(abs(self.low), abs(self.high))

    @property
    def span(self) -> str:
        return f"{self.low:g} to {self.high:g}"


def odd_ones(columns: Sequence[ColumnFacts]) -> dict[str, str]:
    """Return the columns that do not look like a model's scores, and why; none if all columns look alike."""
    reasons: dict[str, str] = {}
    for one in columns:
        others = [c for c in columns if c is not one]
        reason = _by_name(one, others) or _by_range(one, others) or _by_kind(one, others)
        if reason:
            reasons[one.name] = reason
    # In a table with two columns, each odd compared with the other, both get the reason.
    named = [c.name for c in columns if _by_name(c, [o for o in columns if o is not c])]
    if len(named) == len(columns):
        return {}
    return {name: reasons[name] for name in named} if named else reasons


def are_splits(names: Sequence[str]) -> bool:
    """Whether every column is named after a part of the data, and none after a model.

    >>> are_splits(["val_accuracy", "test_accuracy"]), are_splits(["val", "test"])
    (False, True)
    """
    return all((words := _words(n)) and set(words) <= TRAINED | TESTED for n in names)


def benchmarks(names: Sequence[str]) -> list[str]:
    """Return the columns named after benchmarks, if there are two and the others are unlikely to be models.

    >>> benchmarks(["MMLU (5-shot)", "gsm8k", "average"]), benchmarks(["svm", "arc", "forest"])
    (['MMLU (5-shot)', 'gsm8k'], [])
    """
    found = []
    for name in names:
        words = _words(name)
        if any("".join(words[:k]) in _BENCHMARKS for k in (1, 2, 3)):
            found.append(name)
    return found if len(found) > 1 and 2 * len(found) > len(names) else []


def are_flags(words: Collection[str]) -> bool:
    """Whether words say right or wrong, or that there was no result.

    >>> are_flags(["pass", "FAIL"]), are_flags(["A", "B"])
    (True, False)
    """
    return _FLAGS.issuperset(w.strip().lower() for w in words)


def correlated(said: Floats, truth: Floats) -> bool:
    """Whether numbers rise or fall with the truth, as predictions do and scores rarely do.

    >>> correlated(np.array([3.1, 4.2, 0.7]), np.array([3.0, 4.0, 1.0]))
    True
    """
    varied = len(said) > 2 and np.ptp(said) > 0 and np.ptp(truth) > 0
    return bool(varied and abs(np.corrcoef(said, truth)[0, 1]) >= _RISES)


def is_called_truth(name: str) -> bool:
    """Whether a column is named like the value to be predicted.

    >>> is_called_truth("True class"), is_called_truth("svm")
    (True, False)
    """
    return "".join(_words(name)) in _TRUTH


def is_called_count(name: str) -> bool:
    """Whether a column is named like a count of right or wrong answers.

    >>> is_called_count("n_correct"), is_called_count("accuracy")
    (True, False)
    """
    return "".join(_words(name)) in _COUNTED


def is_called_total(name: str) -> bool:
    """Whether a column is named like the number of answers.

    >>> is_called_total("n_total"), is_called_total("svm")
    (True, False)
    """
    return "".join(_words(name)) in _TOTALS


def _by_name(one: ColumnFacts, others: Sequence[ColumnFacts]) -> str:
    words = _words(one.name)
    if not words:
        return ""
    first, last = words[0], words[-1]
    if last in _PROPERTY or (first in _ASKING and len(words) > 1):
        return "its name is that of a property of the example"
    if is_called_truth(one.name):
        return MAY_BE_TRUTH
    if last in _SPREAD:
        return "its name is that of a standard deviation or an interval"
    if len(words) == 1 and last in _DERIVED and len(others) > 1:
        return "its name is that of a value computed from the others"
    if TRAINED & set(words) and any(TESTED & set(_words(c.name)) for c in others):
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
    """Whether it may be the same in percent or in fractions, for which there is another error."""
    sizes = [one.size, *(c.size for c in others)]
    return min(c.low for c in (one, *others)) >= 0 and max(sizes) <= 100 and min(sizes) <= 1


def _by_kind(one: ColumnFacts, others: Sequence[ColumnFacts]) -> str:
    graded = all(c.fractions > 0.5 and c.distinct > _MANY for c in others)
    if graded and one.fractions == 0:
        return "its values are whole numbers, those of the others are not"
    if len(others) > 1 and all(c.binary for c in others) and one.distinct > _MANY:
        return "it is not 0 and 1, as the others are"
    return ""
