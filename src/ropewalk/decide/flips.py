"""How wide the ROPE would have to be for another verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Literal, overload

from ropewalk.arithmetic import root
from ropewalk.decide.rope import Rope
from ropewalk.decide.verdict import probabilities
from ropewalk.posterior import Posterior, Probabilities
from ropewalk.posterior.base import Floats

_WIDEST = 2.0**40  # times the ROPE: the posterior of a score does not reach further


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """Verdict at every width of the ROPE: better or worse, then undecided, then equivalent.

    Parameters
    ----------
    side : {"better", "worse"} or None
        Verdict for narrow ROPEs; None where no ROPE is narrow enough for one.
    narrow : float
        Width up to which the verdict is `side`, as a multiple of the ROPE.
    wide : float or None
        Width from which on the verdict is equivalent; None if no realistic ROPE is wide enough.

    Examples
    --------
    >>> from ropewalk.decide import Flips
    >>> Flips(side="better", narrow=0.7, wide=3.1).side
    'better'
    """

    side: Literal["better", "worse"] | None
    narrow: float
    wide: float | None


@overload
def scaled(rope: Rope, times: float) -> tuple[float, float]: ...
@overload
def scaled(rope: Rope, times: Floats) -> tuple[Floats, Floats]: ...
def scaled(rope: Rope, times: float | Floats) -> tuple[float | Floats, float | Floats]:
    """The edges of a ROPE that is wider by a factor, around no difference.

    Parameters
    ----------
    rope : Rope
        Region of practical equivalence.
    times : float or ndarray
        How many times as wide.

    Returns
    -------
    tuple[float | Floats, float | Floats]
        Lower and upper edges.

    Examples
    --------
    >>> from ropewalk.decide import in_scores
    >>> scaled(in_scores(-0.01, 0.01, "given"), 2.0)
    (-0.02, 0.02)
    """
    centre = rope.centre
    return centre + times * (rope.low - centre), centre + times * (rope.high - centre)


def flips(posterior: Posterior, rope: Rope, threshold: float = 0.95) -> Flips:
    """The widths of the ROPE at which the verdict of the threshold rule changes.

    Parameters
    ----------
    posterior : Posterior
        Posterior of the advantage.
    rope : Rope
        Region of practical equivalence.
    threshold : float, default 0.95
        Probability that a verdict needs.

    Returns
    -------
    Flips
        The widths at which the verdict changes, as multiples of that of the ROPE.

    Notes
    -----
    As the ROPE grows Pr(equivalent) rises and the other two fall, so each reaches the threshold at one width;
    and since the threshold is above 1/2, undecided lies between. `rope` has a width.

    Examples
    --------
    >>> from ropewalk.decide import in_scores
    >>> from ropewalk.posterior import Student
    >>> found = flips(Student(df=99, loc=0.02, scale=0.006), in_scores(-0.01, 0.01, "given"))
    >>> found.side, round(found.narrow, 2), round(found.wide, 2)
    ('better', 1.0, 3.0)
    """

    def at(times: float) -> Probabilities:
        low, high = scaled(rope, times)
        return probabilities(posterior, replace(rope, low=low, high=high))

    none = at(0.0)
    side: Literal["better", "worse"] | None = None
    if none.better >= threshold:
        side = "better"
    elif none.worse >= threshold:
        side = "worse"
    top = 1.0
    while at(top).equivalent < threshold and top < _WIDEST:
        top *= 2
    narrow, wide = 0.0, None
    if side is not None:  # a ROPE that ends at zero never takes mass from the other side
        stays = getattr(at(top), side) >= threshold
        narrow = inf if stays else root(lambda k: getattr(at(k), side) - threshold, 0.0, top, xtol=1e-12)
    if at(top).equivalent >= threshold:
        wide = root(lambda k: at(k).equivalent - threshold, 0.0, top, xtol=1e-12)
    return Flips(side=side, narrow=narrow, wide=wide)
