"""A posterior under a flat prior of the advantage, times a normal prior around no difference."""

from __future__ import annotations

import numpy as np

from ropewalk.posterior import Draws, Grid, HardlyVaried, Posterior
from ropewalk.posterior.base import Floats

_REACH = np.sinh(np.linspace(-6.0, 6.0, 241)) / np.sinh(1.0)  # dense in the middle, with far tails
_LEAST = 60.0  # a tail is negligible this far below the mode in log density
_QUARTILES = 1.3489795003921634  # distance between the quartiles of a standard normal distribution


def tilted(posterior: Posterior, prior_sd: float) -> Posterior:
    """The posterior with the prior N(0, prior_sd²) of its parameter.

    A prior only multiplies a density: draws are weighted, any other posterior is multiplied on a grid that
    is dense around the posterior, around zero, and around the expected location of the product.
    """
    if isinstance(posterior, Draws):
        return Draws.of(posterior.x, posterior.weights * np.exp(-0.5 * (posterior.x / prior_sd) ** 2))
    low, centre, high = (float(q) for q in posterior.quantile([0.25, 0.5, 0.75]))
    unit = (high - low) / _QUARTILES
    between = centre * prior_sd**2 / (prior_sd**2 + unit**2)
    spread = 1 / np.hypot(1 / unit, 1 / prior_sd)
    at = np.concatenate([centre + unit * _REACH, prior_sd * _REACH, between + spread * _REACH])
    if isinstance(posterior, HardlyVaried):  # a narrow part and a wide one, dense from the scale of the first
        spread = float(np.diff(posterior.varied.quantile([0.25, 0.75]))[0])
        out = spread * np.geomspace(0.01, (posterior.high - posterior.low) / spread, 2 * _REACH.size)
        at = posterior.at + np.concatenate([-out, [0.0], out])
        at = np.concatenate([at, prior_sd * _REACH])
        at = at[(at > posterior.low) & (at < posterior.high)]
    x = _apart(np.sort(at), 1e-3 * spread)
    with np.errstate(divide="ignore"):
        log_density = np.log(posterior.pdf(x)) - 0.5 * (x / prior_sd) ** 2
    near = log_density > log_density.max() - _LEAST
    return Grid(x[near], log_density[near])


def _apart(x: Floats, least: float) -> Floats:
    """Remove points that are closer to each other than this."""
    kept = [x[0]]
    for value in x[1:]:
        if value - kept[-1] >= least:
            kept.append(value)
    return np.array(kept)
