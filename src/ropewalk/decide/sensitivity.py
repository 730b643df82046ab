"""How the verdict depends on the ROPE, on the threshold and on the prior: what there is to say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ropewalk.decide.verdict import Name, by_threshold
from ropewalk.posterior import Probabilities

TIMES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)  # of the ROPE
THRESHOLDS = (0.8, 0.9, 0.95, 0.99)
_HALF = 0.5  # a threshold lies above it, so that only one region can reach it


@dataclass(frozen=True, slots=True, kw_only=True)
class AtRope:
    """The answer with a ROPE `times` as wide, from `low` to `high`; `verdict` is None without a threshold."""

    times: float
    low: float
    high: float
    p: Probabilities
    verdict: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThreshold:
    """The verdict at another threshold."""

    threshold: float
    verdict: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class AtPrior:
    """The answer under a prior: its short name, and in a sentence what it is and why."""

    name: str
    why: str
    p: Probabilities
    verdict: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is not in a sensitivity analysis, and why: the ROPE, the threshold, the prior, or all of it."""

    about: Literal["rope", "threshold", "prior", "all"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """The verdict against the width of the ROPE, the threshold and the prior.

    `decided_up_to` is the highest threshold at which there is a verdict, None where none above 1/2 has one;
    the first of the `priors` is the one that was used. `notes` say what is not here, and why.
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
