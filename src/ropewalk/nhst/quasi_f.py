"""The quasi-F test: seeds and examples both random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from numpy.typing import ArrayLike
from scipy.special import fdtrc

from ropewalk.errors import DataError, MethodError
from ropewalk.grouped import CrossedSums, same_examples
from ropewalk.nhst.result import TestResult
from ropewalk.sums import ROUNDING, Sums

Squares: TypeAlias = tuple[tuple[float, int], ...]  # mean squares, each with its degrees of freedom


@dataclass(frozen=True, slots=True, kw_only=True)
class QuasiFResult(TestResult):
    """Result of a quasi-F test.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is the quasi-F.
    df : (float, float)
        Approximate degrees of freedom.
    mean : float
        Mean advantage of A over B.

    See Also
    --------
    ropewalk.nhst.quasi_f : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> found = nhst.quasi_f([[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.3, 0.6], [0.0, 0.1, 0.2, 0.3]])
    >>> round(found.mean, 2)
    0.25
    """

    df: tuple[float, float]
    mean: float


_SOURCES = ("satterthwaite1946",)


def quasi_f(d: ArrayLike | CrossedSums, *, b: ArrayLike | None = None) -> QuasiFResult:
    """Is the mean difference zero, over other seeds and over other examples?

    Parameters
    ----------
    d : array_like or CrossedSums, seeds x examples
        Differences between A and B, or the scores of A if `b` is given.
    b : array_like, seeds x examples, optional
        Scores of B.

    Returns
    -------
    QuasiFResult
        F, its degrees of freedom and the p-value.

    Notes
    -----
    Formula::

        d_sj = Delta + u_s + v_j + e_sj on S seeds x J examples. MS_mean = SJ·m² has one degree of freedom and
        expectation SJ·Delta² + s_e² + J s_u² + S s_v²; no single mean square has its last three terms, but
        sums do: F = (MS_mean + MS_e) / (MS_seed + MS_example), which is never negative.
        Degrees of freedom (Satterthwaite): (sum of MS)² / sum of MS²/df, above and below.
        Unpaired seeds (`d` and `b` are the scores of A and B, S_A and S_B seeds): with h = 1/S_A + 1/S_B,
        MS_A, MS_B and MS_e from each model's own table and MS_w = the mean square of the examples' mean
        differences over h, F = (J m²/h + MS_e) / (MS_A/(S_A h) + MS_B/(S_B h) + MS_w).

    Assumes
        every seed scored on the same examples; seeds and examples independent draws; normal effects.

    Not for
        one seed (use `paired_t` over the examples); two or three paired seeds, whose degrees of freedom are
        badly estimated: in simulations, a test at 5% rejected in up to 13% and 8% of cases (use
        `bayes.crossed`); folds of cross-validation (use `corrected_t`).

    A mean of exactly zero has p = 1.

    References
    ----------
    .. [1] Satterthwaite 1946, doi:10.2307/3002019.
    .. [2] Clark 1973, doi:10.1016/S0022-5371(73)80014-3.
    .. [3] Rasmussen 1996, Evaluation of Gaussian Processes and Other Methods for Non-linear Regression,
       sec. 2.5.

    Examples
    --------
    >>> result = quasi_f([[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.3, 0.6], [0.0, 0.1, 0.2, 0.3]])
    >>> result.statistic, result.df, result.p_value
    (7.79..., (1.008..., 4.996...), 0.038...)
    """
    above, below, mean = _paired(d) if b is None else _unpaired(d, b)
    least = min(df for _, df in (*above, *below))
    if least < 1:
        raise DataError(
            "there is only one seed or one example, but at least 2 of each are needed",
            hint="With one seed use paired_t over the examples; it says nothing about other seeds.",
        )
    variance = sum(ms for ms, _ in below)
    if above[0][0] <= ROUNDING**2 * variance:
        return QuasiFResult(
            name="quasi F", sources=_SOURCES, statistic=0.0, p_value=1.0, df=(1.0, float(least)), mean=0.0
        )
    if variance == 0:
        raise MethodError(
            "neither the means of the seeds nor those of the examples vary, so the F statistic is infinite",
            hint="Find out why the two models always differ by the same amount.",
        )
    f = sum(ms for ms, _ in above) / variance
    df = _satterthwaite(above), _satterthwaite(below)
    return QuasiFResult(
        name="quasi F", sources=_SOURCES, statistic=f, p_value=float(fdtrc(*df, f)), df=df, mean=mean
    )


def _paired(d: ArrayLike | CrossedSums) -> tuple[Squares, Squares, float]:
    """The mean squares of numerator and denominator with their degrees of freedom, and the mean."""
    sums = d if isinstance(d, CrossedSums) else CrossedSums.of(d)
    seed, example, residual = (
        (q / max(df, 1), df) for q, df in zip((sums.seed, sums.example, sums.residual), sums.df, strict=True)
    )
    return ((sums.seeds * sums.examples * sums.mean**2, 1), residual), (seed, example), sums.mean


def _unpaired(a: ArrayLike | CrossedSums, b: ArrayLike) -> tuple[Squares, Squares, float]:
    """The same as `_paired`, for seeds of A and B that are not paired."""
    x, y = same_examples(a, b)
    own = CrossedSums.of(x), CrossedSums.of(y)
    advantage = Sums.of(x.mean(axis=0) - y.mean(axis=0))
    j, h = advantage.n, 1 / own[0].seeds + 1 / own[1].seeds
    df = sum(o.df[2] for o in own)
    residual = (sum(o.residual for o in own) / max(df, 1), df)
    seeds = tuple((o.seed / max(o.df[0], 1) / (o.seeds * h), o.df[0]) for o in own)
    example = (advantage.m2 / h / (j - 1), j - 1)
    return ((j * advantage.mean**2 / h, 1), residual), (*seeds, example), advantage.mean


def _satterthwaite(squares: Squares) -> float:
    """The degrees of freedom of a sum of mean squares, from its mean and variance."""
    return sum(ms for ms, _ in squares) ** 2 / sum(ms**2 / df for ms, df in squares)
