"""The result of every classical test."""

from __future__ import annotations

from dataclasses import dataclass, field

from ropewalk.arithmetic import t_quantile
from ropewalk.posterior.base import check_level


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """Name of a classical test, its statistic, and the two-sided p-value under "no difference".

    Parameters
    ----------
    name : str
        Name of the test, with its variant in brackets.
    statistic : float
        The test statistic.
    p_value : float
        Two-sided p-value.
    sources : tuple of str, default ()
        Keys of its references, as a report cites them.
    family : str, default ""
        Name without the variant; "" where it has none.
    exact : bool, default False
        Whether the p-value counts every case, in a test that also has an approximation.

    Examples
    --------
    >>> from ropewalk.nhst import TestResult
    >>> TestResult(name="Wilcoxon", statistic=7.0, p_value=0.34).family
    'Wilcoxon'
    """

    __test__ = False  # pytest collects every class named Test...

    name: str
    statistic: float
    p_value: float
    sources: tuple[str, ...] = field(default=(), repr=False)
    family: str = field(default="", repr=False)
    exact: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if not self.family:
            object.__setattr__(self, "family", self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalResult(TestResult):
    """Result of a test that also has a confidence interval."""

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the advantage of A over B.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level.

        Returns
        -------
        tuple of float
            Lower and upper end.

        Raises
        ------
        OptionError
            If `level` is not strictly between 0 and 1.
        """
        check_level(level)
        return self._interval(level)

    def _interval(self, level: float) -> tuple[float, float]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMeanResult(TestResult):
    """Result of a test of the mean of bounded differences, with bounds that hold in finite samples."""

    def lower_bound(self, level: float = 0.95) -> float:
        """Lower confidence bound of the mean.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level.

        Returns
        -------
        float
            The mean is at least this.

        Raises
        ------
        OptionError
            If `level` is not strictly between 0 and 1.
        """
        check_level(level)
        return self._lower(level)

    def upper_bound(self, level: float = 0.95) -> float:
        """Upper confidence bound of the mean.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level.

        Returns
        -------
        float
            The mean is at most this.

        Raises
        ------
        OptionError
            If `level` is not strictly between 0 and 1.
        """
        check_level(level)
        return self._upper(level)

    def _lower(self, level: float) -> float:
        raise NotImplementedError

    def _upper(self, level: float) -> float:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class TTestResult(IntervalResult):
    """Result of a t-test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is t.
    df : int
        Degrees of freedom.
    mean : float
        Mean advantage of A over B.
    standard_error : float
        Standard error of the mean.

    See Also
    --------
    ropewalk.nhst.paired_t : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.paired_t([0.1, 0.2, -0.1, 0.0, 0.3]).confidence_interval(0.95)
    (-0.096..., 0.296...)
    """

    df: int
    mean: float
    standard_error: float

    def _interval(self, level: float) -> tuple[float, float]:
        """Mean advantage plus and minus the t quantile times its standard error."""
        half = -self.standard_error * float(t_quantile(self.df, (1 - level) / 2))
        return self.mean - half, self.mean + half
