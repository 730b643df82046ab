"""The rule that turns three probabilities into a verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.decide.verdict import Name, by_loss, by_threshold
from ropewalk.posterior import Probabilities
from ropewalk.posterior.base import Floats

UNDECIDED = 3  # after better, equivalent, worse


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Rule of decision: a probability that reaches the threshold, or the lowest expected loss.

    Called with an array of probabilities (3 x n) it gives the number of each verdict: 0 better, 1 equivalent,
    2 worse, 3 undecided.

    Parameters
    ----------
    threshold : float, default 0.95
        Probability that a verdict needs.
    loss : 4 x 3 table, optional
        Losses of the decisions better, equivalent, worse and undecided (rows) under each truth (columns),
        which then decide in place of the threshold.

    Raises
    ------
    OptionError
        If the threshold is not above 1/2 and at most 1, or the table does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.decide import Rule
    >>> from ropewalk.posterior import Probabilities
    >>> rule = Rule(threshold=0.95)
    >>> rule.verdict(Probabilities(better=0.96, equivalent=0.04, worse=0.0)), str(rule)
    ('better', 'threshold 0.95')
    >>> rule(np.array([[0.96, 0.5], [0.04, 0.5], [0.0, 0.0]]))
    array([0, 3])
    """

    threshold: float = 0.95
    loss: tuple[tuple[float, ...], ...] | None = None

    def __post_init__(self) -> None:
        nothing = Probabilities(better=1.0, equivalent=0.0, worse=0.0)
        by_threshold(nothing, self.threshold)  # an invalid threshold or matrix fails here, with our message
        if self.loss is not None:
            by_loss(nothing, self.loss)

    @property
    def least(self) -> float | None:
        """Probability that a verdict needs; None where a loss matrix decides."""
        return self.threshold if self.loss is None else None

    def verdict(self, p: Probabilities) -> Name:
        """Verdict on three probabilities.

        Parameters
        ----------
        p : Probabilities
            Better, equivalent and worse.

        Returns
        -------
        {"better", "equivalent", "worse", "undecided"}
            The verdict.
        """
        return by_threshold(p, self.threshold) if self.loss is None else by_loss(p, self.loss)

    def __call__(self, p: Floats) -> NDArray[np.intp]:
        """Decide 0 better, 1 equivalent, 2 worse or 3 undecided, from rows better, equivalent, worse."""
        if self.loss is not None:
            expected = np.tensordot(np.asarray(self.loss), p, axes=1)
            return np.asarray(np.argmin(np.round(expected, 12), axis=0))
        decided = p >= self.threshold  # the threshold exceeds 1/2, so at most one row
        return np.asarray(np.where(decided.any(axis=0), np.argmax(decided, axis=0), UNDECIDED))

    def __str__(self) -> str:
        return f"threshold {self.threshold:.15g}" if self.loss is None else "lowest expected loss"
