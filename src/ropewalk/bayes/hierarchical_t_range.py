"""How far the answer of the hierarchical t-test depends on the prior of its degrees of freedom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from ropewalk.bayes.hierarchical_t import HierarchicalT, hierarchical_t
from ropewalk.bayes.nu_priors import NU_PRIORS, Bounds
from ropewalk.bayes.student_hierarchy import log_gap_prior
from ropewalk.errors import OptionError
from ropewalk.posterior import WeightedRegions
from ropewalk.sums import Sums

# Bounds of alpha and beta: the named priors (default first), nearly normal tasks, heavy tails.
USUAL: tuple[Bounds, ...] = (
    *NU_PRIORS.values(),
    ((2.0, 3.0), (0.01, 0.02)),
    ((1.0, 2.0), (0.5, 1.0)),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NuPriorRange:
    """Answer of the hierarchical t-test for several priors of the degrees of freedom.

    `hierarchical_t_range` makes it.

    Parameters
    ----------
    bounds : tuple
        Bounds on alpha and beta, the parameters of the prior.
    regions : tuple of WeightedRegions
        Answer for each of them.

    See Also
    --------
    ropewalk.bayes.hierarchical_t_range : Makes it.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> tasks = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03], [0.03, 0.02, 0.04]]
    >>> found = bayes.hierarchical_t_range(tasks, 0.01, bounds=[((1.0, 2.0), (0.5, 1.0))])
    >>> low, high = found.most_probable("better")
    >>> low == high > 0.5
    True
    """

    bounds: tuple[Bounds, ...]
    regions: tuple[WeightedRegions, ...]

    def most_probable(self, region: str) -> tuple[float, float]:
        """Lowest and highest probability that a region is the most probable one.

        Parameters
        ----------
        region : {"better", "equivalent", "worse"}
            The region.

        Returns
        -------
        tuple of float
            Lowest and highest probability over the priors.
        """
        values = [float(getattr(r.most_probable, region)) for r in self.regions]
        return min(values), max(values)


def hierarchical_t_range(
    tasks: Sequence[ArrayLike | Sums],
    rope: float | Sequence[float],
    *,
    rho: float | Sequence[float] = 0.0,
    constant: str = "lean",
    bounds: Sequence[Bounds] = USUAL,
) -> NuPriorRange:
    """The hierarchical t-test over several priors of nu.

    Parameters
    ----------
    tasks : sequence of array_like or Sums
        Differences on each task, or their sums.
    rope : float or (low, high)
        Differences that do not matter: half the width of the region, or its edges.
    rho : float or sequence of float, default 0.0
        Correlation between any two units of a task: one for all tasks or one for each.
    constant : {"lean", "benavoli2017"}, default "lean"
        As for `hierarchical_t`.
    bounds : sequence of pairs, optional
        Bounds of alpha and of beta to try.

    Returns
    -------
    NuPriorRange
        The answer under each prior of nu, and its lowest and highest probabilities.

    Notes
    -----
    Formula::

        `hierarchical_t` with nu - 1 ~ Gamma(a, b), a ~ U(alpha), b ~ U(beta), for each pair (alpha, beta) of
        `bounds`.

    Assumes
        what `hierarchical_t` assumes.

    Not for
        the effect of the bounds on mu0 and sigma0, which are too wide to matter.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon 2017, sec. 4.3.1 (jmlr.org/papers/v18/16-305.html).

    Examples
    --------
    >>> tasks = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03], [0.03, 0.02, 0.04]]
    >>> low, high = hierarchical_t_range(tasks, 0.01).most_probable("better")
    >>> 0.8 < low < high < 1
    True
    """
    if not bounds:
        raise OptionError("no bounds are given", hint="Give pairs such as ((0.5, 5.0), (0.05, 0.15)).")
    width = rope if constant == "benavoli2017" else None
    fitted = [
        hierarchical_t(tasks, rho=rho, constant=constant, rope=width, alpha=a, beta=b) for a, b in bounds
    ]
    return NuPriorRange(bounds=tuple(bounds), regions=tuple(f.next_task(rope) for f in fitted))


def reweighted(fitted: HierarchicalT, bounds: Bounds) -> HierarchicalT:
    """Reweight a fitted model for another prior of nu, which only multiplies the density in nu.

    The model was fitted with the usual bounds. Its nodes stay the same: degrees of freedom that the first
    prior excludes (beyond its quantiles 1e-7 and 1 - 1e-9) stay excluded.
    """
    surface = fitted.surface
    y = surface.nodes.y
    change = log_gap_prior(y, *bounds) - log_gap_prior(y, *USUAL[0])
    density = surface.log_density + change[:, None, None]
    return replace(fitted, surface=replace(surface, log_density=density - density.max()))
