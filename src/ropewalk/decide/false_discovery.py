"""The largest set of claims whose expected share of false ones is small."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.sums import ROUNDING, Floats, numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseDiscovery:
    """Claims that can be made together, and how many of them are expected to be false.

    Parameters
    ----------
    claims : tuple of int
        Positions of the claims made, in order.
    rate : float
        Expected share of false claims among those made, given the data: their mean posterior error; 0 without
        claims.
    q : float
        Rate that was allowed.

    See Also
    --------
    ropewalk.decide.false_discovery : Makes it.

    Examples
    --------
    >>> from ropewalk.decide import FalseDiscovery
    >>> FalseDiscovery(claims=(0, 2), rate=0.03, q=0.05).claims
    (0, 2)
    """

    claims: tuple[int, ...]
    rate: float
    q: float


def false_discovery(errors: ArrayLike, *, q: float = 0.05) -> FalseDiscovery:
    """The largest set of claims whose mean posterior error is at most q.

    Parameters
    ----------
    errors : array_like
        Probability that each claim is false.
    q : float, default 0.05
        Largest expected share of false claims.

    Returns
    -------
    FalseDiscovery
        The claims, and the expected share of false ones among them.

    Notes
    -----
    Formula::

        error_i = Pr(claim i is false | data), sorted: error_(1) <= error_(2) <= ...; the first m are claimed,
        with the largest m for which (error_(1) + ... + error_(m))/m <= q.

    Assumes
        posterior probabilities that are calibrated. Nothing is assumed about how the claims depend on each
        other, because the mean error is the expected share of false claims in any case.

    Not for
        p-values, which are not posterior errors (`nhst.adjust` with "benjamini-hochberg" is for those);
        claims that must each hold on their own, because a claim with an error above q can be included along
        with more certain ones.

    Claims with the same error keep their order.

    References
    ----------
    .. [1] Newton, Noueiry, Sarkar & Ahlquist 2004, doi:10.1093/biostatistics/5.2.155; asked for by
       Lacoste, Laviolette & Marchand 2012, sec. 8 (proceedings.mlr.press/v22/lacoste12.html).

    Examples
    --------
    >>> false_discovery([0.01, 0.30, 0.08, 0.02])
    FalseDiscovery(claims=(0, 2, 3), rate=0.0366..., q=0.05)
    """
    error = _probabilities(errors)
    if not 0 <= q <= 1:
        raise OptionError(f"q is {q}", hint="Give the proportion of false claims to allow, such as 0.05.")
    order = np.argsort(error, kind="stable")
    rates = np.cumsum(error[order]) / np.arange(1, error.size + 1)
    # The means rise with m. Three errors of 0.05 must pass at q = 0.05, though their rounded mean is above.
    m = int(np.sum(rates <= q * (1 + ROUNDING)))
    return FalseDiscovery(
        claims=tuple(sorted(int(i) for i in order[:m])),
        rate=float(rates[m - 1]) if m else 0.0,
        q=q,
    )


def _probabilities(errors: ArrayLike) -> Floats:
    error = numeric(errors, "the errors are not numbers", "Give a 1-D array of probabilities.")
    if error.ndim != 1:
        raise DataError(
            f"the errors have {error.ndim} dimension{'s' if error.ndim != 1 else ''}, 1 was expected",
            hint="Give one probability per claim.",
        )
    bad = np.flatnonzero(~((error >= 0) & (error <= 1)))
    if bad.size:
        raise CellError(
            f"{bad.size} of {error.size} errors are not probabilities",
            where=[f"position {i}: {error[i]}" for i in bad[:5]],
            hint="The error of a claim is the posterior probability that it is false.",
        )
    return error
