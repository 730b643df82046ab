"""What every classical test returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from scipy.special import stdtrit

from ropewalk.posterior.base import check_level


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """The name of the test, its statistic, and the two-sided p-value under "no difference".

    `sources` are the keys of its references, as a report cites them.

    >>> TestResult(name="sign", statistic=7.0, p_value=0.34)
    TestResult(name='sign', statistic=7.0, p_value=0.34)
    """

    __test__ = False  # pytest takes every class named Test... for a test

    name: str
    statistic: float
    p_value: float
    sources: tuple[str, ...] = field(default=(), repr=False)

    @property
    def family(self) -> str:
        """The name without the variant, which stands in brackets.

        >>> TestResult(name="McNemar (exact)", statistic=2.0, p_value=0.07).family
        'McNemar'
        """
        return self.name.split(" (")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TTestResult(TestResult):
    """A t test: also the mean advantage of A over B, its standard error and the degrees of freedom."""

    df: int
    mean: float
    standard_error: float

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """The mean advantage, plus and minus the t quantile times its standard error."""
        check_level(level)
        half = -self.standard_error * float(stdtrit(self.df, (1 - level) / 2))
        return self.mean - half, self.mean + half
