"""What a report answers: what is compared, and over many tasks one of four questions, with their wording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Asks: TypeAlias = Literal["average", "these", "next", "likeliest"]
Setting: TypeAlias = Literal["Q1", "Q2", "Q3"]

SETTINGS: dict[Setting, str] = {
    "Q1": "which of these trained models predicts better on this task",
    "Q2": "which learning algorithm is better on this task",
    "Q3": "which model is better over tasks of this kind",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The wording of a question: the question, the meaning of its probabilities, and three short forms.

    `short` is used in column headers and plot titles, `about` before "A is better than B",
    and `option` in the command-line help. A question about a mean (`of_mean`) has a leaderboard.
    """

    asks: str
    of: str
    short: str
    about: str
    option: str
    of_mean: bool


ASKS: dict[Asks, Wording] = {
    "average": Wording(
        asks="which model is better on average over tasks like these",
        of="the mean advantage over tasks like these",
        short="on average over tasks",
        about="on average over tasks ",
        option="average over tasks like these",
        of_mean=True,
    ),
    "these": Wording(
        asks="which model is better on average over exactly these tasks",
        of="the mean advantage over exactly these tasks",
        short="on average over these tasks",
        about="on average over these tasks ",
        option="average over exactly these",
        of_mean=True,
    ),
    "next": Wording(
        asks="which model is better on a new task",
        of="the advantage on one new task",
        short="on a new task",
        about="on a new task ",
        option="advantage on the next task",
        of_mean=False,
    ),
    "likeliest": Wording(
        asks="which outcome is the likeliest on a new task",
        of="which outcome is the likeliest on a new task",
        short="likeliest on a new task",
        about="the likeliest outcome on a new task is that ",
        option="likeliest outcome on it",
        of_mean=False,
    ),
}
