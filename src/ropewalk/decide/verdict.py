"""From a posterior and a ROPE to three probabilities, and from those to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ropewalk.decide.rope import Rope
from ropewalk.errors import OptionError, short
from ropewalk.posterior import Posterior, Probabilities

if TYPE_CHECKING:
    from ropewalk.decide.rule import Rule

Name = Literal["better", "equivalent", "worse", "undecided"]
NAMES: tuple[Name, ...] = ("better", "equivalent", "worse", "undecided")

# A wrong claim costs 20, no claim costs 1: a claim is made from 0.95 on (Benavoli et al. 2017).
TWENTY_TO_ONE = ((0.0, 20.0, 20.0), (20.0, 0.0, 20.0), (20.0, 20.0, 0.0), (1.0, 1.0, 1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer, its three probabilities, and the rule that decided.

    Parameters
    ----------
    name : {"better", "equivalent", "worse", "undecided"}
        The verdict, seen from A.
    better, equivalent, worse : float
        The probabilities.
    decided_by : Rule
        The rule.
    sentence : str
        The verdict in a sentence that names the models.

    Examples
    --------
    >>> import ropewalk as rw
    >>> verdict = rw.compare({"a": [1, 1, 0, 1], "b": [0, 1, 0, 1]}, rope=0.1).comparisons[0].verdict
    >>> verdict.name, verdict.rule
    ('undecided', 'threshold 0.95')
    """

    name: Name
    better: float
    equivalent: float
    worse: float
    decided_by: Rule
    sentence: str

    @property
    def rule(self) -> str:
        """The rule in words."""
        return str(self.decided_by)

    @property
    def probabilities(self) -> Probabilities:
        """The three probabilities as one value."""
        return Probabilities(better=self.better, equivalent=self.equivalent, worse=self.worse)


def probabilities(posterior: Posterior, rope: Rope) -> Probabilities:
    """How much of the posterior lies above, in and below the ROPE; on phi, below means that A is better.

    Parameters
    ----------
    posterior : Posterior
        Posterior of the advantage, or of phi.
    rope : Rope
        Region of practical equivalence.

    Returns
    -------
    Probabilities
        Probabilities of better, equivalent and worse.

    Notes
    -----
    The ROPE is closed: a value on its edge is equivalent.

    Examples
    --------
    >>> from ropewalk.decide import in_scores
    >>> from ropewalk.posterior import Student
    >>> p = probabilities(Student(df=99, loc=0.02, scale=0.006), in_scores(-0.01, 0.01, "given"))
    >>> round(p.better, 2), round(p.equivalent, 2)
    (0.95, 0.05)
    """
    above = float(posterior.sf(rope.high))
    below = float(posterior.cdf(np.nextafter(rope.low, -np.inf)))
    between = max(1.0 - above - below, 0.0)
    if between < 1e-3:  # a difference of small tails is precise, one of values near 1 is not
        upper = above > 0.5
        between = float(
            posterior.cdf(rope.high) - below
            if upper
            else posterior.sf(np.nextafter(rope.low, -np.inf)) - above
        )
        between = max(between, 0.0)
    if rope.scale == "phi":
        above, below = below, above
    return Probabilities(better=above, equivalent=between, worse=below)


def by_threshold(p: Probabilities, threshold: float = 0.95) -> Name:
    """The region whose probability reaches the threshold, otherwise undecided.

    Parameters
    ----------
    p : Probabilities
        Probabilities of better, equivalent and worse.
    threshold : float, default 0.95
        Probability that a verdict needs.

    Returns
    -------
    Name
        Name of the region, or "undecided".

    Examples
    --------
    >>> by_threshold(Probabilities(better=0.96, equivalent=0.04, worse=0.0))
    'better'
    """
    if not 0.5 < threshold <= 1:
        raise OptionError(
            f"the threshold is {short(threshold)}",
            hint="Give a probability above 0.5 and at most 1, such as 0.95.",
        )
    for name in ("better", "equivalent", "worse"):
        if getattr(p, name) >= threshold:
            return name
    return "undecided"


def by_loss(p: Probabilities, loss: Sequence[Sequence[float]] = TWENTY_TO_ONE) -> Name:
    """The decision with the lowest expected loss (Benavoli et al. 2017).

    Parameters
    ----------
    p : Probabilities
        Probabilities of better, equivalent and worse.
    loss : 4 x 3 sequence, optional
        Loss of each decision (better, equivalent, worse, undecided) under each truth (better, equivalent,
        worse).

    Returns
    -------
    Name
        Name of the decision.

    Notes
    -----
    Rows are the decisions better, equivalent, worse, undecided; columns the truths better, equivalent,
    worse. If losses are equal, a claim is preferred to "undecided".

    Examples
    --------
    >>> by_loss(Probabilities(better=0.96, equivalent=0.04, worse=0.0))
    'better'
    """
    try:
        matrix = np.asarray(loss, dtype=np.float64)
    except (TypeError, ValueError):  # text, or rows of different lengths
        matrix = np.empty(0)
    if matrix.shape != (4, 3) or not np.all(np.isfinite(matrix)):
        raise OptionError(
            f"the loss matrix has shape {matrix.shape}",
            hint="Give 4 rows (better, equivalent, worse, undecided) of 3 finite losses, one per truth.",
        )
    expected = matrix @ [p.better, p.equivalent, p.worse]
    return NAMES[int(np.argmin(np.round(expected, 12)))]
