"""Results of an audit of published accuracies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ropewalk.decide.verdict import Name
from ropewalk.posterior import Probabilities

Holds = Literal["every", "some", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One row of a published table: an accuracy on n examples as a number of right answers.

    Parameters
    ----------
    model : str
        The model.
    accuracy : float
        Published accuracy.
    n : int
        Number of test examples.
    right : int
        Nearest number of right answers.
    least_right, most_right : int
        Range that the printed digits allow: 0.86 of 1,000 examples can mean 855 to 865 right answers, 0.860
        only 860.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.claim({"ours": "0.86", "theirs": "0.84"}, n=1000)
    >>> found.models[0].least_right, found.models[0].most_right
    (855, 865)
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

    Parameters
    ----------
    both_right : float or None
        Share of examples on which both are right; None where the models were tested on different examples.
    agreement : float or None
        Share of examples on which both are right or both are wrong.
    probabilities : Probabilities
        Better, equivalent and worse.

    Examples
    --------
    >>> import ropewalk as rw
    >>> bounds = rw.claim({"ours": "0.86", "theirs": "0.84"}, n=1000).pairs[0].bounds
    >>> bounds[0].agreement < bounds[-1].agreement
    True
    """

    both_right: float | None
    agreement: float | None
    probabilities: Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Is A, which has the higher published accuracy, better than B?

    Parameters
    ----------
    a, b : Published
        The two models.
    same_examples : bool
        Whether both were tested on the same examples.
    bounds : tuple of Bound
        From the least to the most agreement that is possible. There is a single one if the agreement was
        given, or if the sizes of the test sets differ.
    holds : {"every", "some", "none"}
        For which of the possible agreements the probability that A is better reaches the threshold.
    holds_rounded : {"every", "some", "none"}
        The same over all roundings that the printed digits of both accuracies allow.
    verdict : {"better", "equivalent", "worse", "undecided"}
        Verdict under all possible agreements.
    enough_both_right : float or None
        Smallest share of examples on which both have to be right for the claim to hold, where it holds for
        some agreements.
    smallest_n : int or None
        Smallest test set on which these accuracies make the claim hold for every agreement that is possible
        (or for the one that was given); None where there is none.

    Examples
    --------
    >>> import ropewalk as rw
    >>> pair = rw.claim({"ours": "0.86", "theirs": "0.84"}, n=1000).pairs[0]
    >>> pair.a.model, pair.holds
    ('ours', 'some')
    """

    a: Published
    b: Published
    same_examples: bool
    bounds: tuple[Bound, ...]
    holds: Holds
    holds_rounded: Holds
    verdict: Name
    enough_both_right: float | None
    smallest_n: int | None

    def range_of(self, region: str) -> tuple[float, float]:
        """Lowest and highest probability of a region over the agreements.

        Parameters
        ----------
        region : {"better", "equivalent", "worse"}
            The region.

        Returns
        -------
        tuple of float
            Lowest and highest probability.
        """
        values = [float(getattr(bound.probabilities, region)) for bound in self.bounds]
        return min(values), max(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """All claimed orderings of a published table, in the order of the accuracies.

    Parameters
    ----------
    models : tuple of Published
        The models.
    pairs : tuple of Claim
        One for each pair with different accuracies.
    tied : tuple of (str, str)
        Pairs with equal accuracies: no order is claimed.
    rope : (float, float)
        Edges of the ROPE.
    threshold : float
        Probability that a claim needs.
    agreement_given : bool
        Whether the agreement of the models was given.

    See Also
    --------
    ropewalk.claim : Makes them.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.claim({"ours": "0.86", "theirs": "0.84"}, n=1000)
    >>> len(found.holding("some"))
    1
    """

    models: tuple[Published, ...]
    pairs: tuple[Claim, ...]
    tied: tuple[tuple[str, str], ...]
    rope: tuple[float, float]
    threshold: float
    agreement_given: bool

    def holding(self, holds: Holds) -> tuple[Claim, ...]:
        """Claims that hold for every possible agreement, for some or for none.

        Parameters
        ----------
        holds : {"every", "some", "none"}
            For which agreements.

        Returns
        -------
        tuple of Claim
            The claims.
        """
        return tuple(pair for pair in self.pairs if pair.holds == holds)

    def to_text(self) -> str:
        """Render the answer as text.

        Returns
        -------
        str
            What the command prints.
        """
        from ropewalk.claims.render import text

        return text(self)

    def to_json(self) -> str:
        """Render the answer as a JSON document.

        Returns
        -------
        str
            The document.
        """
        from ropewalk.claims.render import document

        return document(self)
