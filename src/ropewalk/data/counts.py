"""Two models' right and wrong answers, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ropewalk.data.audit import Audit
from ropewalk.data.design import Design
from ropewalk.errors import CellError, DataError, listed, short
from ropewalk.outcomes import Outcomes

MOST_COUNT = 2**53  # a float holds no larger odd number


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCounts(Outcomes):
    """How often two models were right and wrong on one task; every count is checked.

    Parameters
    ----------
    n00, n01, n10, n11 : int
        Number of examples; the first digit is A, the second is B, and 1 means right.
    name : str, optional
        Name of the task.

    Raises
    ------
    CellError
        If a count is negative or not a whole number.

    Examples
    --------
    >>> from ropewalk.data import TaskCounts
    >>> TaskCounts(n00=10, n01=4, n10=6, n11=80).n
    100
    """

    name: str | None = None

    def __post_init__(self) -> None:
        for cell in ("n00", "n01", "n10", "n11"):
            value = getattr(self, cell)
            number = not isinstance(value, bool) and isinstance(value, (int, float, np.integer, np.floating))
            if not number or not 0 <= value <= MOST_COUNT or value != int(value):
                raise CellError(
                    f"{cell} is {short(value)}" + (f' in task "{short(self.name)}"' if self.name else ""),
                    hint="Counts must be whole numbers, 0 or more.",
                )
            object.__setattr__(self, cell, int(value))  # 12.0 and NumPy's integers become int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Right and wrong answers of two models, counted on each task.

    Parameters
    ----------
    a, b : str
        Names of the two models.
    tasks : tuple of TaskCounts
        Counts of each task; n01 are the examples that A got wrong and B right.
    audit : Audit
        What happened while the data were read.

    See Also
    --------
    Scores : One score per example and model.

    Examples
    --------
    >>> import ropewalk as rw
    >>> from ropewalk.data import TaskCounts
    >>> table = TaskCounts(n00=10, n01=4, n10=6, n11=80)
    >>> counts = rw.Counts(a="svm", b="forest", tasks=(table,), audit=rw.Audit(paired=100))
    >>> rw.compare(counts, rope=0.05).comparisons[0].n
    100
    """

    a: str
    b: str
    tasks: tuple[TaskCounts, ...]
    audit: Audit

    def __post_init__(self) -> None:
        if self.a == self.b:
            raise DataError(f'both models are called "{short(self.a)}"', hint="Give them different names.")
        if not self.tasks or sum(t.n for t in self.tasks) == 0:
            raise DataError("there are no counts", hint="Give n00, n01, n10 and n11 of at least one task.")
        empty = [t.name for t in self.tasks if t.n == 0]
        if empty:
            raise DataError(f"nothing was counted on {listed(empty)}", hint="Remove these tasks.")
        names = [t.name for t in self.tasks]
        if len(set(names)) < len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise DataError(
                f'task "{short(twice)}" has more than one row of counts',
                hint="Sum the counts of each task, or give the rows different task names.",
            )

    @property
    def models(self) -> tuple[str, str]:
        """Names of both models."""
        return self.a, self.b

    # Properties that every kind of data has.

    @property
    def metric(self) -> str:
        """What is measured: accuracy."""
        return "accuracy"

    @property
    def higher_is_better(self) -> bool:
        """True: the more right answers, the better."""
        return True

    @property
    def design(self) -> Design:
        """What one unit is: a test example."""
        return Design(unit="example")

    def describe_design(self) -> str:
        """Describe the design in words.

        Returns
        -------
        str
            Such as "test examples".
        """
        return "counts"
