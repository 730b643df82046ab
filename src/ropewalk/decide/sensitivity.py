"""How the verdict depends on the ROPE, the threshold and the prior, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ropewalk.decide.verdict import Name, by_threshold
from ropewalk.posterior import Probabilities

TIMES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)  # multiples of the ROPE
THRESHOLDS = (0.8, 0.9, 0.95, 0.99)
_HALF = 0.5  # thresholds are above this, so that only one region can reach them


@dataclass(frozen=True, slots=True, kw_only=True)
class AtRope:
    """Answer with a wider or a narrower ROPE.

    Parameters
    ----------
    times : float
        Factor by which the ROPE is widened.
    low, high : float
        Its edges.
    p : Probabilities
        Better, equivalent and worse.
    verdict : str or None
        The verdict; None without a threshold.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> [row.times for row in report.comparisons[0].sensitivity.ropes]
    [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]
    """

    times: float
    low: float
    high: float
    p: Probabilities
    verdict: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThreshold:
    """Verdict at another threshold.

    Parameters
    ----------
    threshold : float
        Probability that a verdict needs.
    verdict : str
        The verdict.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> report.comparisons[0].sensitivity.thresholds[0].verdict
    'undecided'
    """

    threshold: float
    verdict: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class AtPrior:
    """Answer under another prior.

    Parameters
    ----------
    name : str
        Short name of the prior.
    why : str
        What it is and why it is looked at, in a sentence.
    p : Probabilities
        Better, equivalent and worse.
    verdict : str or None
        The verdict; None without a threshold.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> all(row.p.better > 0.5 for row in report.comparisons[0].sensitivity.priors)
    True
    """

    name: str
    why: str
    p: Probabilities
    verdict: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Part of a sensitivity analysis that is missing, and why.

    Parameters
    ----------
    about : {"rope", "threshold", "prior", "all"}
        Which part is missing.
    text : str
        Why.

    Examples
    --------
    >>> from ropewalk.decide import Note
    >>> Note(about="prior", text="the test has no prior").about
    'prior'
    """

    about: Literal["rope", "threshold", "prior", "all"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """Verdict with other ROPEs, thresholds and priors.

    Parameters
    ----------
    ropes : tuple of AtRope
        Answers by the width of the ROPE.
    thresholds : tuple of AtThreshold
        Verdicts by the threshold.
    decided_up_to : float or None
        Highest threshold at which there is a verdict; None where no threshold above 1/2 has one.
    priors : tuple of AtPrior
        Answers by the prior; the first is the one that was used.
    notes : tuple of Note
        What is missing, and why.

    See Also
    --------
    ropewalk.Comparison.sensitivity : Where it is found.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> round(report.comparisons[0].sensitivity.decided_up_to, 3)
    0.716
    """

    ropes: tuple[AtRope, ...]
    thresholds: tuple[AtThreshold, ...]
    decided_up_to: float | None
    priors: tuple[AtPrior, ...]
    notes: tuple[Note, ...]


def at_thresholds(p: Probabilities) -> tuple[AtThreshold, ...]:
    """The verdict at the usual thresholds.

    Parameters
    ----------
    p : Probabilities
        Probabilities of better, equivalent and worse.

    Returns
    -------
    tuple[AtThreshold, ...]
        The verdict at each threshold.

    Examples
    --------
    >>> [t.verdict for t in at_thresholds(Probabilities(better=0.93, equivalent=0.07, worse=0.0))]
    ['better', 'better', 'undecided', 'undecided']
    """
    return tuple(AtThreshold(threshold=t, verdict=by_threshold(p, t)) for t in THRESHOLDS)


def decided_up_to(p: Probabilities) -> float | None:
    """The highest threshold that some region reaches: the largest probability, if it is above 1/2.

    Parameters
    ----------
    p : Probabilities
        Probabilities of better, equivalent and worse.

    Returns
    -------
    float | None
        The threshold; None where no region is more probable than all others together.

    Examples
    --------
    >>> decided_up_to(Probabilities(better=0.93, equivalent=0.07, worse=0.0))
    0.93
    >>> decided_up_to(Probabilities(better=0.5, equivalent=0.3, worse=0.2)) is None
    True
    """
    largest = max(p.better, p.equivalent, p.worse)
    return largest if largest > _HALF else None
