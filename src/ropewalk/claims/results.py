"""What an audit of published accuracies says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ropewalk.posterior import Probabilities

Holds = Literal["every", "some", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One row of a published table: an accuracy of n examples as a number of right answers.

    `right` is the nearest one. `least_right` and `most_right` are all that the printed digits allow: 0.86 of
    1,000 examples may stand for 855 to 865 right answers, 0.860 for 860 only.
    """

    model: str
    accuracy: float
    n: int
    right: int
    least_right: int
    most_right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The three probabilities for one agreement of the models.

    `both_right` is the share of examples on which both are right, `agreement` the share on which both are
    right or both are wrong. Both are None where the models were tested on different examples.
    """

    both_right: float | None
    agreement: float | None
    probabilities: Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Is A, which has the higher published accuracy, better than B?

    `bounds` run from the least to the most agreement that is possible. There is one where the agreement was
    given, or where the sizes of the test sets differ (`same_examples` is false). `holds` says for which of
    them the probability that A is better reaches the threshold, and `holds_rounded` the same where the
    rounding of both accuracies may be anything that their digits allow. `enough_both_right` is the smallest
    share of examples on which both have to be right for the claim to hold, where it holds for some
    agreements. `smallest_n` is the smallest test set on which these accuracies make the claim hold for every
    agreement that is possible (or for the one that was given); None: on none.
    """

    a: Published
    b: Published
    same_examples: bool
    bounds: tuple[Bound, ...]
    holds: Holds
    holds_rounded: Holds
    verdict: str  # "better", "equivalent", "worse" or "undecided": what all possible agreements say
    enough_both_right: float | None
    smallest_n: int | None

    def range_of(self, region: str) -> tuple[float, float]:
        """The lowest and highest probability of "better", "equivalent" or "worse" over the agreements."""
        values = [float(getattr(bound.probabilities, region)) for bound in self.bounds]
        return min(values), max(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """All claimed orderings of a published table, in the order of the accuracies."""

    models: tuple[Published, ...]
    pairs: tuple[Claim, ...]
    tied: tuple[tuple[str, str], ...]  # equal accuracies: no order is claimed
    rope: tuple[float, float]
    threshold: float
    agreement_given: bool

    def holding(self, holds: Holds) -> tuple[Claim, ...]:
        """The claims that hold for "every" possible agreement, for "some" or for "none"."""
        return tuple(pair for pair in self.pairs if pair.holds == holds)

    def to_text(self) -> str:
        """The answer for a terminal."""
        from ropewalk.claims.render import text

        return text(self)

    def to_json(self) -> str:
        """The answer as a JSON document."""
        from ropewalk.claims.render import document

        return document(self)
