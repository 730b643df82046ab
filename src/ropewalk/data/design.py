"""What a unit is, and how the units were drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ropewalk.errors import OptionError

UnitKind: TypeAlias = Literal["example", "fold", "seed", "task"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What one unit is, and how the units were drawn.

    Parameters
    ----------
    unit : {"example", "fold", "seed", "task"}
        Test example, fold of a cross-validation, run with its own seed, or whole task.
    folds : int, default 0
        Number k of folds; 0 where units are not folds.
    repeats : int, default 1
        How often the cross-validation was repeated.
    n_test, n_train : int, default 0
        Sizes of a test set and of a training set; 0 where unknown.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.Design(unit="fold", folds=10, repeats=10).describe()
    '10 x 10-fold cross-validation'
    >>> rw.Design(unit="fold", folds=10, repeats=10).rho
    0.1
    """

    unit: UnitKind
    folds: int = 0
    repeats: int = 1
    n_test: int = 0
    n_train: int = 0

    def __post_init__(self) -> None:
        if self.unit not in ("example", "fold", "seed", "task"):
            raise OptionError(f'unit is "{self.unit}"', hint='Give "example", "fold", "seed" or "task".')
        if self.folds < 0 or self.folds == 1:
            raise OptionError(f"folds is {self.folds}", hint="Give 0 (no folds), or 2 and more.")
        if self.repeats < 1:
            raise OptionError(f"repeats is {self.repeats}", hint="Give 1 or more.")
        if self.n_test < 0 or self.n_train < 0 or (self.n_test == 0) != (self.n_train == 0):
            raise OptionError(
                f"n_test is {self.n_test} and n_train is {self.n_train}",
                hint="Give the sizes of the test and the training set, or neither.",
            )

    @property
    def rho(self) -> float:
        """Correlation of two units' scores that overlapping training sets bring about.

        n_test/(n_test + n_train) (Nadeau & Bengio 2003), which is 1/k for k folds; 0 for units that
        share no training data on account of the design.
        """
        if self.unit in ("example", "task"):
            return 0.0
        if self.n_test and self.n_train:
            return self.n_test / (self.n_test + self.n_train)
        return 1.0 / self.folds if self.folds else 0.0

    @property
    def is_five_by_two(self) -> bool:
        """Whether it is five repeats of two folds, for which the 5x2cv tests were made."""
        return self.folds == 2 and self.repeats == 5

    def describe(self) -> str:
        """Describe the design in words.

        Returns
        -------
        str
            Such as "10 x 10-fold cross-validation".
        """
        if self.folds:
            once = f"{self.folds}-fold cross-validation"
            return once if self.repeats == 1 else f"{self.repeats} x {once}"
        if self.unit == "fold" and self.n_test and self.repeats > 1:
            return f"{self.repeats} random splits"
        return {"example": "test examples", "fold": "folds", "seed": "runs", "task": "tasks"}[self.unit]
