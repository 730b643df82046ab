"""Weights of joint draws for claims about which model is ahead."""

from __future__ import annotations

from dataclasses import dataclass

from ropewalk.posterior.base import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Order:
    """Weights of joint draws for claims about which model is ahead.

    Parameters
    ----------
    weights : ndarray
        One weight per draw.
    even : float
        Models that differ by at most this count as equal, and their order is random.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.posterior import JointPosterior, Order
    >>> order = Order(weights=np.array([3.0, 1.0]), even=0.0)
    >>> JointPosterior.of([[0.9, 0.8], [0.7, 0.8]], order=order).p_best
    array([0.75, 0.25])
    """

    weights: Floats
    even: float
