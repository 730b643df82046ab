"""Answers to the other questions over tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ropewalk.posterior import Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Answer to one question over tasks.

    Parameters
    ----------
    p : Probabilities
        Better, equivalent and worse.
    by : str
        Method that answers.
    mean, low, high : float, optional
        Posterior mean and 95% interval, where the answer is about one number.
    error : float, default 0.0
        Monte Carlo error of a probability; 0 where nothing was sampled.

    Examples
    --------
    >>> from ropewalk.posterior import Probabilities
    >>> from ropewalk.results import Reading
    >>> Reading(p=Probabilities(better=0.9, equivalent=0.1, worse=0.0), by="t", mean=0.02).mean
    0.02
    """

    p: Probabilities
    by: str
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    error: float = 0.0
