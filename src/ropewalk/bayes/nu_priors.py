"""Priors of the degrees of freedom with which means vary between tasks, by name."""

from __future__ import annotations

from typing import TypeAlias

from ropewalk.errors import OptionError, did_you_mean

Bounds: TypeAlias = tuple[tuple[float, float], tuple[float, float]]

# nu - 1 ~ Gamma(a, b), with a uniform between the first two numbers and b between the last two.
NU_PRIORS: dict[str, Bounds] = {
    "benavoli2017-text": ((0.5, 5.0), (0.05, 0.15)),  # as printed, sec. 4.3.1
    "benavoli2017-code": ((1.0, 2.0), (0.01, 0.1)),  # as in the authors' code, which produced their Table 12
    "kruschke2013": ((1.0, 1.0), (0.0345, 0.0345)),  # Gamma(1, 0.0345), as cited there
    "juarez2010": ((2.0, 2.0), (0.1, 0.1)),  # Gamma(2, 0.1), as cited there
}
DEFAULT = "benavoli2017-text"


def bounds_of(prior: str, alpha: tuple[float, float] | None, beta: tuple[float, float] | None) -> Bounds:
    """The bounds of a named prior; `alpha` and `beta` override them.

    >>> bounds_of("benavoli2017-code", None, (0.5, 1.0))
    ((1.0, 2.0), (0.5, 1.0))
    """
    if prior not in NU_PRIORS:
        raise OptionError(f'the prior is "{prior}"', hint=did_you_mean(prior, list(NU_PRIORS)))
    named_alpha, named_beta = NU_PRIORS[prior]
    return alpha or named_alpha, beta or named_beta
