"""Probabilities that are known to lie between two bounds, because a part of the data is not known."""

from __future__ import annotations

from dataclasses import dataclass

from ropewalk.posterior.regions import Probabilities

REGIONS = ("better", "equivalent", "worse")


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionRanges:
    """Lowest and highest probability of each region over everything that the unknown data may be.

    Parameters
    ----------
    better, equivalent, worse : (float, float)
        Lowest and highest probability of the region.
    units : int
        Number of units that were compared.
    unknown : int
        Number of units whose difference is known only to lie in an interval that reaches into more than one
        region.
    attained : bool
        Whether each bound belongs to some completion of the data; otherwise the true range may be narrower.
    error : float
        Monte Carlo standard error of a bound.

    Examples
    --------
    >>> from ropewalk.posterior import RegionRanges
    >>> r = RegionRanges(better=(0.96, 0.99), equivalent=(0.0, 0.03), worse=(0.0, 0.01), units=20, unknown=2,
    ...                  attained=True, error=0.0)
    >>> r.decided(0.95), r.decided(0.98)
    ('better', None)
    """

    better: tuple[float, float]
    equivalent: tuple[float, float]
    worse: tuple[float, float]
    units: int
    unknown: int
    attained: bool
    error: float

    def __post_init__(self) -> None:
        for low, high in (self.better, self.equivalent, self.worse):  # our own invariant
            assert 0 <= low <= high <= 1, f"a range from {low} to {high}"

    def of(self, region: str) -> tuple[float, float]:
        """Range of one region.

        Parameters
        ----------
        region : {"better", "equivalent", "worse"}
            The region.

        Returns
        -------
        tuple of float
            Lowest and highest probability.
        """
        return {"better": self.better, "equivalent": self.equivalent, "worse": self.worse}[region]

    def decided(self, threshold: float) -> str | None:
        """Region that reaches the threshold whatever the unknown part is.

        Parameters
        ----------
        threshold : float
            Probability that a verdict needs.

        Returns
        -------
        str or None
            "better", "equivalent" or "worse"; None where no region does.
        """
        return next((region for region in REGIONS if self.of(region)[0] >= threshold), None)

    @property
    def middle(self) -> Probabilities:
        """Middles of the three ranges, scaled to add up to one: for plots only, never for a verdict."""
        middles = [sum(self.of(region)) / 2 for region in REGIONS]
        better, equivalent, worse = (m / sum(middles) for m in middles)
        return Probabilities(better=better, equivalent=equivalent, worse=worse)

    @property
    def mirrored(self) -> RegionRanges:
        """The same answer with A and B swapped."""
        return RegionRanges(
            better=self.worse,
            equivalent=self.equivalent,
            worse=self.better,
            units=self.units,
            unknown=self.unknown,
            attained=self.attained,
            error=self.error,
        )
