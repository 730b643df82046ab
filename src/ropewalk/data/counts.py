"""Two models' right and wrong answers, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ropewalk.data.audit import Audit
from ropewalk.data.design import Design
from ropewalk.errors import CellError, DataError, listed, short
from ropewalk.outcomes import Outcomes

MOST_COUNT = 2**53  # a float counts no further


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCounts(Outcomes):
    """One task's table, as it was read: every count is checked.

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
                    hint="Counts are whole numbers from 0 up.",
                )
            object.__setattr__(self, cell, int(value))  # 12.0 and NumPy's integers become int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """For each task n00, n01, n10, n11 of models `a` and `b` (n01: A wrong and B right).

    >>> table = TaskCounts(n00=10, n01=4, n10=6, n11=80)
    >>> Counts(a="svm", b="forest", tasks=(table,), audit=Audit(paired=100)).models
    ('svm', 'forest')
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
            raise DataError(f"nothing was counted on {listed(empty)}", hint="Leave these tasks out.")
        names = [t.name for t in self.tasks]
        if len(set(names)) < len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise DataError(
                f'task "{short(twice)}" has more than one row of counts',
                hint="Add the counts of one task up, or give the rows different task names.",
            )

    @property
    def models(self) -> tuple[str, str]:
        """Both models' names."""
        return self.a, self.b

    # What every kind of data says of itself.

    @property
    def metric(self) -> str:
        return "accuracy"

    @property
    def higher_is_better(self) -> bool:
        return True

    @property
    def design(self) -> Design:
        return Design(unit="example")

    def describe_design(self) -> str:
        """The design in words."""
        return "counts"
