"""The sources of variation of a result: splits, training seeds, hyperparameter draws.

Every combination of the levels of all sources was run once. The result of one combination is a mean plus one
random effect for each source plus a rest, which contains their interactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.arithmetic import t_quantile
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.sums import Floats, numeric

REST = "rest"
_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of variation: its levels, its variance, and its share of the variance of one run.

    `variance` is the usual estimate from mean squares, (MS - MS of the rest) / (runs per level), or zero if
    that is negative. `of_mean` is its contribution to the variance of the mean. `gain` is the reduction of
    the variance of the mean by one more level, per run that the level costs.
    """

    name: str
    levels: int
    mean_square: float
    df: int
    variance: float
    share: float
    of_mean: float
    gain: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variation:
    """All runs of one model, or of a difference of two, and how their variance splits up.

    Parameters
    ----------
    runs : int
        Number of runs.
    mean, sd : float
        Mean and standard deviation of the runs.
    standard_error : float
        Standard error of the mean over all sources at once.
    naive_error : float
        Standard error if the runs were independent of each other.
    df : float
        Satterthwaite's degrees of freedom.
    quantiles : (float, float, float)
        5%, 50% and 95% of the runs.
    worst : float
        Lowest result.
    worst_at : tuple of int
        Level of each source at the lowest result.
    best : float
        Highest result.
    sources : tuple
        Sources that were varied, the rest last.

    Examples
    --------
    >>> from ropewalk.variation import variation
    >>> found = variation([[0.8, 0.82], [0.7, 0.73], [0.9, 0.88]], ["split", "seed"])
    >>> found.runs, found.sample_more.name
    (6, 'split')
    """

    runs: int
    mean: float
    sd: float
    standard_error: float
    naive_error: float
    df: float
    quantiles: tuple[float, float, float]
    worst: float
    worst_at: tuple[int, ...]
    best: float
    sources: tuple[Source, ...]

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Interval of the mean, with Satterthwaite's degrees of freedom.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        tuple of float
            Lower and upper end.

        Raises
        ------
        OptionError
            If `level` is not strictly between 0 and 1.
        """
        if not 0 < level < 1:
            raise OptionError(f"level is {level}", hint="Give a probability between 0 and 1, such as 0.95.")
        half = float(t_quantile(self.df, 0.5 + level / 2)) * self.standard_error
        return self.mean - half, self.mean + half

    @property
    def sample_more(self) -> Source | None:
        """Source whose next level reduces the variance of the mean most per additional run."""
        varied = [s for s in self.sources if s.name != REST and s.gain > 0]
        return max(varied, key=lambda s: s.gain, default=None)


def variation(z: ArrayLike, names: Sequence[str]) -> Variation:
    """Split the variance of results into the sources that were varied together.

    Parameters
    ----------
    z : array_like
        One axis for each source, and one result for each combination; higher is better.
    names : sequence of str
        What each axis is, such as ("split", "seed", "hyperparameters").

    Returns
    -------
    Variation
        Mean, its standard error over all sources, the variance of each source, the worst run, and which
        source to sample more.

    Notes
    -----
    With N runs, n_j levels of source j and MS_j its mean square, E MS_j = sigma² + (N/n_j) sigma_j², and the
    variance of the mean is Σ sigma_j²/n_j + sigma²/N, which is estimated by (Σ MS_j - (m - 1) MS_rest)/N with
    m sources. One more level of source j costs N/n_j runs.

    References
    ----------
    Bouthillier et al. 2021, Accounting for variance in machine learning benchmarks (MLSys); Satterthwaite
    1946, doi:10.2307/3002019.

    Examples
    --------
    >>> v = variation([[0.90, 0.92, 0.91], [0.84, 0.85, 0.86], [0.88, 0.90, 0.88]], ("split", "seed"))
    >>> [(s.name, round(s.share, 2)) for s in v.sources]
    [('split', 0.89), ('seed', 0.05), ('rest', 0.06)]
    >>> v.sample_more.name, v.worst, v.worst_at
    ('split', 0.84, (1, 0))
    """
    results = _checked(z, names)
    first = float(results.flat[0])
    x = results - first  # so that constant results have a variance of exactly zero
    total, shape = x.size, x.shape
    mean = float(x.mean())
    squares, dfs = [], []
    for axis, n in enumerate(shape):
        others = tuple(k for k in range(x.ndim) if k != axis)
        effects = x.mean(axis=others) - mean
        squares.append(float(total / n * (effects @ effects)))
        dfs.append(n - 1)
    rest_df = total - 1 - sum(dfs)
    rest = max(float(((x - mean) ** 2).sum()) - sum(squares), 0.0) / rest_df
    means = [s / df for s, df in zip(squares, dfs, strict=True)]
    variances = [max(ms - rest, 0.0) * n / total for ms, n in zip(means, shape, strict=True)]
    of_mean = max(sum(means) - (x.ndim - 1) * rest, rest) / total
    all_of_it = sum(variances) + rest
    sources = [
        Source(
            name=name,
            levels=n,
            mean_square=ms,
            df=df,
            variance=variance,
            share=variance / all_of_it if all_of_it > 0 else 0.0,
            of_mean=variance / n,
            gain=_gain(variance, rest, n, total),
        )
        for name, n, ms, df, variance in zip(names, shape, means, dfs, variances, strict=True)
    ]
    sources.append(
        Source(
            name=REST,
            levels=total,
            mean_square=rest,
            df=rest_df,
            variance=rest,
            share=rest / all_of_it if all_of_it > 0 else 0.0,
            of_mean=rest / total,
            gain=0.0,
        )
    )
    worst = np.unravel_index(int(x.argmin()), shape)
    low, middle, high = (float(q) for q in np.quantile(results, [0.05, 0.5, 0.95]))
    return Variation(
        runs=total,
        mean=first + mean,
        sd=float(x.std(ddof=1)),
        standard_error=float(np.sqrt(of_mean)),
        naive_error=float(x.std(ddof=1) / np.sqrt(total)),
        df=_satterthwaite(of_mean * total, means, dfs, rest, rest_df),
        quantiles=(low, middle, high),
        worst=float(results.min()),
        worst_at=tuple(int(k) for k in worst),
        best=float(results.max()),
        sources=tuple(sources),
    )


def _gain(variance: float, rest: float, n: int, total: int) -> float:
    """The reduction of the variance of the mean by one more level, per run of the N/n runs it costs."""
    before, after = variance / n + rest / total, variance / (n + 1) + rest / (total + total / n)
    return (before - after) / (total / n)


def _satterthwaite(total: float, means: list[float], dfs: list[int], rest: float, rest_df: int) -> float:
    """Degrees of freedom of a sum of mean squares: (Σ c MS)² / Σ (c MS)²/df."""
    parts = sum(ms**2 / df for ms, df in zip(means, dfs, strict=True))
    parts += ((len(means) - 1) * rest) ** 2 / rest_df
    return max(total**2 / parts, 1.0) if parts > 0 else float(sum(dfs) + rest_df)


def _checked(z: ArrayLike, names: Sequence[str]) -> Floats:
    x = numeric(
        z,
        "the results are not an array of numbers with one axis per source",
        "Run every combination of the levels once.",
    )
    if x.ndim != len(names) or x.ndim < 1:
        raise DataError(
            f"the results have {x.ndim} axes, and {len(names)} sources are named",
            hint="Give one axis for each source.",
        )
    if len(set(names)) != len(names) or REST in names:
        raise OptionError(
            f"the sources are named {', '.join(names)}", hint=f'Give different names, none of them "{REST}".'
        )
    few = [name for name, n in zip(names, x.shape, strict=True) if n < _FEWEST]
    if few:
        raise DataError(
            f"only one level of {', '.join(few)}",
            hint="A source needs at least two levels; leave it out if it was not varied.",
        )
    if x.ndim == 1:
        raise DataError(
            "a single source leaves nothing to split",
            hint="Vary at least two sources; for seeds alone use a seed column in `ropewalk compare`.",
        )
    bad = np.argwhere(~np.isfinite(x))
    if bad.size:
        raise CellError(
            f"{len(bad)} of {x.size} results are NaN or infinite",
            where=[", ".join(f"{n} {k}" for n, k in zip(names, at, strict=True)) for at in bad[:5]],
            hint="Run these combinations again, or leave out the level for all.",
        )
    return x
