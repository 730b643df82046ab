"""The effective number of dependent units: clusters, time series, and the means of clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.grouped import ClusterSums, as_cluster_sums, codes
from ropewalk.sums import Floats, Sums, differences


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSummary:
    """How much the units of one cluster resemble each other, and what that costs.

    Parameters
    ----------
    n : int
        Number of units.
    clusters : int
        Number of clusters.
    icc : float
        Correlation of two units of one cluster.
    design_effect : float
        Variance of the mean, in multiples of that of independent units.
    n_eff : float
        Number of units divided by the design effect.

    Examples
    --------
    >>> from ropewalk.decide import ClusterSummary
    >>> ClusterSummary(n=100, clusters=10, icc=0.1, design_effect=1.9, n_eff=52.6).clusters
    10
    """

    n: int
    clusters: int
    icc: float
    design_effect: float
    n_eff: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSummary:
    """How much neighbors in time resemble each other, and what that costs.

    Parameters
    ----------
    n : int
        Number of units.
    series : int
        Number of series.
    lag1 : float
        Correlation of neighbors.
    lags : int
        Number of lags that count.
    design_effect : float
        Variance of the mean, in multiples of that of independent units.
    n_eff : float
        Number of units divided by the design effect.

    Examples
    --------
    >>> from ropewalk.decide import SeriesSummary
    >>> SeriesSummary(n=100, series=1, lag1=0.3, lags=4, design_effect=1.8, n_eff=55.6).lags
    4
    """

    n: int
    series: int
    lag1: float
    lags: int
    design_effect: float
    n_eff: float


def cluster_summary(d: ArrayLike | ClusterSums, clusters: ArrayLike | None) -> ClusterSummary:
    """The intra-cluster correlation of the differences, and how many independent units they are worth.

    Parameters
    ----------
    d : array_like or ClusterSums
        Advantage of A over B on each unit.
    clusters : array_like or None
        Cluster of each unit; None with sums.

    Returns
    -------
    ClusterSummary
        Number of units and clusters, intra-cluster correlation, design effect and effective size.

    Notes
    -----
    From the mean squares between and within clusters of sizes n_g: n0 = (n - Σn_g²/n)/(G - 1),
    icc = (MSB - MSW)/(MSB + (n0 - 1) MSW), design effect 1 + (Σn_g²/n - 1)·icc, not below 1. Donner 1986,
    doi:10.2307/1403259; Kish 1965. If every cluster has one unit, icc is 0.
    `d` may also be `ClusterSums`, with None for the clusters.

    Examples
    --------
    >>> cluster_summary([0.1, 0.2, 0.2, 0.4, 0.0, 0.1], ["p", "p", "q", "q", "r", "r"])
    ClusterSummary(n=6, clusters=3, icc=0.52, design_effect=1.52, n_eff=3.94...)
    """
    sums = as_cluster_sums(d, clusters)
    n, g = sums.n, sums.sizes.size
    weighted = float(sums.sizes @ sums.sizes) / n  # mean size of the cluster that contains a unit
    icc = 0.0
    if n > g:
        between = float(sums.sizes @ (sums.means - sums.mean) ** 2) / (g - 1)
        within = sums.within / (n - g)
        n0 = (n - weighted) / (g - 1)
        total = between + (n0 - 1) * within
        icc = (between - within) / total if total > 0 else 0.0
    effect = max(1 + (weighted - 1) * icc, 1.0)
    return ClusterSummary(n=n, clusters=g, icc=icc, design_effect=effect, n_eff=n / effect)


def series_summary(d: ArrayLike, *, series: ArrayLike | None = None) -> SeriesSummary:
    """The autocorrelation of differences in time order, and how many independent units they are worth.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit.
    series : array_like, optional
        Series that each unit belongs to; one series by default.

    Returns
    -------
    SeriesSummary
        Autocorrelation, design effect and effective size.

    Notes
    -----
    With c_k the sum of r_t·r_(t+k) within each series, added over all of them, and r the differences less the
    mean of all, the design effect is 1 + 2·Σ c_k/c_0. Lags are taken in pairs as long as their sum is
    positive, and kept from rising (Geyer 1992, doi:10.1214/ss/1177011137). Series that differ in level count
    as dependent at every lag. Units of one series need not be neighbors, but must be in time order.

    Examples
    --------
    >>> found = series_summary([1.0, 1.1, 0.9, 0.2, 0.1, 0.2, 0.8, 0.9, 1.0, 0.3, 0.2, 0.1])
    >>> round(found.lag1, 2), round(found.n_eff, 1)
    (0.5, 6.0)
    """
    x = differences(d, at_least=2)
    away = x - x.mean()
    away -= away.mean()  # remove rounding errors of numbers far from zero
    parts = [away] if series is None else _split(away, codes(series, x.size, at_least=1))
    if Sums.of(x).m2 == 0:
        return SeriesSummary(
            n=x.size, series=len(parts), lag1=0.0, lags=0, design_effect=1.0, n_eff=float(x.size)
        )
    c = np.zeros(max(p.size for p in parts))
    for p in parts:
        c[: p.size] += _products(p)
    rho = np.append(c, 0.0)[: c.size + c.size % 2] / c[0]
    pairs = rho.reshape(-1, 2).sum(axis=1)
    pairs = np.minimum.accumulate(pairs) * np.cumprod(pairs > 0)
    effect = max(2 * float(pairs.sum()) - 1, 1.0)
    return SeriesSummary(
        n=x.size,
        series=len(parts),
        lag1=float(rho[1]),
        lags=max(2 * int(np.count_nonzero(pairs)) - 1, 0),
        design_effect=effect,
        n_eff=x.size / effect,
    )


def cluster_means(d: ArrayLike, clusters: ArrayLike) -> Floats:
    """One number for each cluster, in the order of their names: the mean of its units.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit.
    clusters : array_like
        Cluster of each unit.

    Returns
    -------
    Floats
        The mean of each cluster.

    Examples
    --------
    >>> cluster_means([0.1, 0.2, 0.4], ["q", "q", "p"])
    array([0.4 , 0.15])
    """
    return ClusterSums.of(d, clusters).means


def _split(x: Floats, code: NDArray[np.intp]) -> list[Floats]:
    """The units of each series, in their original order."""
    order = np.argsort(code, kind="stable")
    return np.split(x[order], np.cumsum(np.bincount(code))[:-1])


def _products(r: Floats) -> Floats:
    """Σ_t r_t r_(t+k) for every lag k, by Fourier transform of the zero-padded series."""
    size = 2 * r.size
    return np.asarray(np.fft.irfft(np.abs(np.fft.rfft(r, size)) ** 2, size)[: r.size])
