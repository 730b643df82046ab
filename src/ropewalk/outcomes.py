"""Right and wrong answers of two models, counted: the one table that everything with 0/1 scores goes by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.sums import Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """How often A and B were right (1) and wrong (0); the first digit is A."""

    n00: int
    n01: int
    n10: int
    n11: int

    @property
    def n(self) -> int:
        return self.n00 + self.n01 + self.n10 + self.n11

    @property
    def mirrored(self) -> Outcomes:
        """The same with A and B swapped."""
        return Outcomes(n00=self.n00, n01=self.n10, n10=self.n01, n11=self.n11)

    @property
    def mean_a(self) -> float:
        return (self.n10 + self.n11) / self.n

    @property
    def mean_b(self) -> float:
        return (self.n01 + self.n11) / self.n

    @property
    def advantage(self) -> float:
        return self.mean_a - self.mean_b

    @property
    def values(self) -> NDArray[np.float64]:
        """The advantages that there can be; `counts` says how often each was."""
        return np.array([-1.0, 0.0, 1.0])

    @property
    def counts(self) -> NDArray[np.intp]:
        return np.array([self.n01, self.n00 + self.n11, self.n10])

    @property
    def sums(self) -> Sums:
        """n, mean and M2 of the advantages."""
        m2 = self.n01 + self.n10 - self.n * self.advantage**2
        return Sums(n=self.n, mean=self.advantage, m2=max(m2, 0.0))
