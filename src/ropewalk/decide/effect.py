"""Effect sizes, with the labels that Cohen gave them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import asin, sqrt
from numbers import Real
from typing import Literal

from numpy.typing import ArrayLike

from ropewalk.errors import CellError, short
from ropewalk.sums import Sums, as_sums, whole

Label = Literal["negligible", "small", "medium", "large"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Size of a difference, without the sample size in it.

    Parameters
    ----------
    name : str
        Name of the effect size.
    value : float
        Its value.
    label : str
        How large that is called: negligible, small, medium or large.
    of_mistakes : bool, default False
        Whether it is negative where A is better, because it counts A's mistakes.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"a": [0.5, 0.7, 0.6, 0.9], "b": [0.4, 0.65, 0.6, 0.8]})
    >>> report.comparisons[0].effect.label
    'large'
    """

    name: str
    value: float
    label: Label
    of_mistakes: bool = field(default=False, repr=False)

    @property
    def favors_a(self) -> bool | None:
        """Whether A is ahead by this effect size; None where neither is."""
        return None if self.value == 0 else (self.value < 0) == self.of_mistakes


def cohens_d(d: ArrayLike | Sums) -> Effect:
    """Cohen's d = m/s; 0.2 is small, 0.5 medium, 0.8 large (Cohen 1988, p. 40).

    Parameters
    ----------
    d : array_like or Sums
        Advantage of A over B on each unit.

    Returns
    -------
    Effect
        The effect size and its label.

    Examples
    --------
    >>> cohens_d([1.0, 2.0, 3.0])
    Effect(name="Cohen's d", value=2.0, label='large')
    """
    sums = as_sums(d, at_least=2)
    if sums.m2 == 0:
        value = 0.0 if sums.mean == 0 else float("inf") * (1 if sums.mean > 0 else -1)
    else:
        value = sums.mean / sums.sd
    return Effect(name="Cohen's d", value=value, label=_label(value, 0.2, 0.5, 0.8))


def cohens_g(n01: int, n10: int) -> Effect:
    """Cohen's g = n01/(n01 + n10) - 1/2; 0.05 is small, 0.15 medium, 0.25 large (Cohen 1988, p. 147).

    Parameters
    ----------
    n01 : int
        Number of examples that A got wrong and B right.
    n10 : int
        Number of examples that A got right and B wrong.

    Returns
    -------
    Effect
        The effect size and its label.

    Notes
    -----
    Negative when A, which is wrong in the n01 cases, is better.

    Examples
    --------
    >>> cohens_g(159, 198).label
    'small'
    """
    lost, won = whole(n01=n01, n10=n10)
    value = lost / (lost + won) - 0.5 if lost + won else 0.0
    label = _label(value, 0.05, 0.15, 0.25)
    return Effect(name="Cohen's g", value=value, label=label, of_mistakes=True)


def cohens_h(a: float, b: float) -> Effect:
    """Cohen's h = 2 asin √a - 2 asin √b of two proportions; 0.2, 0.5 and 0.8 (Cohen 1988, p. 184).

    Parameters
    ----------
    a : float
        Proportion of A.
    b : float
        Proportion of B.

    Returns
    -------
    Effect
        The effect size and its label.

    Notes
    -----
    For other metrics between 0 and 1 it is the same yardstick: a step near 0 or 1 counts for more.

    Examples
    --------
    >>> cohens_h(0.75, 0.5).label
    'medium'
    """
    for name, x in (("a", a), ("b", b)):
        if not isinstance(x, Real) or not 0 <= x <= 1:
            raise CellError(f"{name} is {short(x)}", hint="Cohen's h needs proportions between 0 and 1.")
    value = 2 * (asin(sqrt(a)) - asin(sqrt(b)))
    return Effect(name="Cohen's h", value=value, label=_label(value, 0.2, 0.5, 0.8))


def _label(value: float, small: float, medium: float, large: float) -> Label:
    size = abs(value) * (1 + 1e-12)  # 0.5 up to rounding is medium, in any order of the units
    if size < small:
        return "negligible"
    if size < medium:
        return "small"
    return "medium" if size < large else "large"
