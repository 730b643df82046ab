"""A model's scores over its training seeds, as a table should show them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.arithmetic import t_quantile
from ropewalk.errors import DataError
from ropewalk.posterior.base import check_level
from ropewalk.sums import Sums, differences


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSummary:
    """Summary of all training runs of one model, not only the best.

    Parameters
    ----------
    seeds : int
        Number of seeds.
    mean, sd : float
        Mean and standard deviation over the seeds.
    worst, best : float
        Worst and best run.

    See Also
    --------
    ropewalk.decide.seed_summary : Makes it.

    Examples
    --------
    >>> from ropewalk.decide import seed_summary
    >>> seed_summary([0.8, 0.82, 0.78]).worst
    0.78
    """

    seeds: int
    mean: float
    sd: float
    worst: float
    best: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Interval of the mean over seeds: mean ± t·sd/sqrt(seeds) with seeds - 1 degrees of freedom.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        tuple of float
            Lower and upper end.
        """
        check_level(level)
        half = -self.sd / float(np.sqrt(self.seeds)) * float(t_quantile(self.seeds - 1, (1 - level) / 2))
        return self.mean - half, self.mean + half


def seed_summary(scores: ArrayLike, *, higher_is_better: bool = True) -> SeedSummary:
    """Describe one model's score at each of its seeds (on one test set, or the mean of a seed's row).

    Parameters
    ----------
    scores : array_like
        Score of each training run.
    higher_is_better : bool, default True
        Whether a higher score is better.

    Returns
    -------
    SeedSummary
        Number of seeds, mean, standard deviation, worst and best run.

    Notes
    -----
    The interval is about other seeds on these examples; `bayes.crossed` also generalizes over examples.
    Bouthillier et al. 2021 (arxiv.org/abs/2103.03098).

    Examples
    --------
    >>> found = seed_summary([0.91, 0.90, 0.93, 0.92])
    >>> found
    SeedSummary(seeds=4, mean=0.915, sd=0.0129..., worst=0.9, best=0.93)
    >>> found.interval(0.95)
    (0.894..., 0.935...)
    """
    x = differences(scores)
    if x.size < 2:
        raise DataError(
            f"{x.size} seed{'s' if x.size != 1 else ''} given, at least 2 needed",
            hint="One seed says nothing about how runs vary: train at least two, preferably ten.",
        )
    sums = Sums.of(x)
    low, high = float(x.min()), float(x.max())
    worst, best = (low, high) if higher_is_better else (high, low)
    return SeedSummary(seeds=sums.n, mean=sums.mean, sd=sums.sd, worst=worst, best=best)
