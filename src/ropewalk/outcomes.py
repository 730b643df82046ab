"""Right and wrong answers of two models, counted: the one table behind every method for 0/1 scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.sums import Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """How often A and B were right (1) and wrong (0); the first digit is A.

    Parameters
    ----------
    n00, n01, n10, n11 : int
        Numbers of examples.

    Examples
    --------
    >>> from ropewalk.results import Outcomes
    >>> found = Outcomes(n00=10, n01=4, n10=6, n11=80)
    >>> found.n, found.mean_a, found.mean_b
    (100, 0.86, 0.84)
    """

    n00: int
    n01: int
    n10: int
    n11: int

    @property
    def n(self) -> int:
        """Number of examples."""
        return self.n00 + self.n01 + self.n10 + self.n11

    @property
    def mirrored(self) -> Outcomes:
        """The same with A and B swapped."""
        return Outcomes(n00=self.n00, n01=self.n10, n10=self.n01, n11=self.n11)

    @property
    def mean_a(self) -> float:
        """Accuracy of A."""
        return (self.n10 + self.n11) / self.n

    @property
    def mean_b(self) -> float:
        """Accuracy of B."""
        return (self.n01 + self.n11) / self.n

    @property
    def advantage(self) -> float:
        """Accuracy of A minus that of B."""
        return self.mean_a - self.mean_b

    @property
    def values(self) -> NDArray[np.float64]:
        """Advantages that a unit can have: -1, 0 and 1; `counts` says how often each occurred."""
        return np.array([-1.0, 0.0, 1.0])

    @property
    def counts(self) -> NDArray[np.intp]:
        """How often each of `values` occurred."""
        return np.array([self.n01, self.n00 + self.n11, self.n10])

    @property
    def sums(self) -> Sums:
        """Number, mean and M2 of the advantages."""
        m2 = self.n01 + self.n10 - self.n * self.advantage**2
        return Sums(n=self.n, mean=self.advantage, m2=max(m2, 0.0))
