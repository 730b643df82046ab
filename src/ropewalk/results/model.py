"""One model of a report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model: its mean score with a 95% interval, and its chances among all models, where known.

    Parameters
    ----------
    name : str
        The model.
    mean, low, high : float
        Mean score and its 95% interval.
    p_best, p_within_rope : float or None
        Probability that it is the best, and that it is within the ROPE of the best.
    rank : (int, int) or None
        Ends of the 95% interval of its rank; 1 is best.
    practically_best : bool or None
        Whether it is in the set that contains a model within the ROPE of the best with the probability of the
        threshold.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> [m.name for m in report.models]
    ['forest', 'svm']
    """

    name: str
    mean: float
    low: float
    high: float
    p_best: float | None = None
    p_within_rope: float | None = None
    rank: tuple[int, int] | None = None
    practically_best: bool | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the 95% interval of the mean score."""
        return self.low, self.high
