"""Convergence of Markov chains. An array of draws has one row for each chain."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from ropewalk.posterior.base import Floats


def normal_scores(x: Floats) -> Floats:
    """Normal quantiles of the ranks over all chains, so that R-hat also works without a finite variance.

    Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, doi:10.1214/20-BA1221.

    >>> normal_scores(np.array([[1.0, 1e9, 2.0]])).round(2).tolist()
    [[-0.87, 0.87, 0.0]]
    """
    rank = np.argsort(np.argsort(x, axis=None, kind="stable"), kind="stable").reshape(x.shape) + 1.0
    return np.asarray(ndtri((rank - 0.375) / (x.size + 0.25)))


def r_hat(x: Floats) -> float:
    """Split R-hat, which is near 1 if the halves of all chains (rows) agree (Vehtari et al. 2021).

    >>> r_hat(np.array([[0.0, 2.0, 0.0, 2.0], [0.0, 2.0, 0.0, 2.0]]))
    0.707...
    """
    within, total = _variances(_halves(x))
    return float(np.sqrt(total / within)) if within > 0 else float("inf" if total > 0 else 1.0)


def effective_size(x: Floats) -> float:
    """The number of independent draws that would estimate the mean of x equally well (Vehtari et al. 2021).

    The chains are split. Their autocorrelations are summed in pairs while the pairs are positive, and the
    pairs are made non-increasing (Geyer 1992). Draws that are all the same count in full.
    """
    halves = _halves(x)
    n = halves.shape[1]
    within, total = _variances(halves)
    if total == 0:
        return float(x.size)
    power = np.abs(np.fft.rfft(halves - halves.mean(axis=1, keepdims=True), 2 * n)) ** 2
    covariance = np.fft.irfft(power)[:, :n].mean(axis=0) / n  # as in Stan and NumPyro
    correlation = 1 - (within - covariance) / total
    correlation[0] = 1.0
    pairs = correlation[: n - n % 2].reshape(-1, 2).sum(axis=1)
    pairs = np.minimum.accumulate(pairs) * np.cumprod(pairs > 0)
    time = max(2 * pairs.sum() - 1, 1 / np.log10(halves.size))
    return float(halves.size / time)


def _halves(x: Floats) -> Floats:
    n = x.shape[1] // 2
    return np.concatenate([x[:, :n], x[:, -n:]])


def _variances(chains: Floats) -> tuple[float, float]:
    """The mean variance within the chains, and the total variance, which includes that between chains."""
    n = chains.shape[1]
    within = float(np.mean(np.var(chains, axis=1, ddof=1)))
    return within, (n - 1) / n * within + float(np.var(np.mean(chains, axis=1), ddof=1))
