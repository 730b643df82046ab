"""The four questions over many tasks, and what another question than the report's own would answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ropewalk.posterior import Probabilities

Asks: TypeAlias = Literal["average", "these", "next", "likeliest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How a question is written: what it asks, what its probabilities are of, and two short forms of that.

    `short` stands in the head of a column and in the title of a plot, `about` before "A is better than B".
    """

    asks: str
    of: str
    short: str
    about: str


ASKS: dict[Asks, Wording] = {
    "average": Wording(
        asks="which model is better on average over tasks like these",
        of="the mean advantage over tasks like these",
        short="on average over tasks",
        about="on average over tasks ",
    ),
    "these": Wording(
        asks="which model is better on average over exactly these tasks",
        of="the mean advantage over exactly these tasks",
        short="on average over these tasks",
        about="on average over these tasks ",
    ),
    "next": Wording(
        asks="which model is better on a new task",
        of="the advantage on one new task",
        short="on a new task",
        about="on a new task ",
    ),
    "likeliest": Wording(
        asks="which outcome is the likeliest on a new task",
        of="which outcome is the likeliest on a new task",
        short="likeliest on a new task",
        about="the likeliest outcome on a new task is that ",
    ),
}


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
    error: float = 0.0  # the Monte Carlo error of a probability, 0 where nothing was sampled
