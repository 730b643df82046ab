"""Clustered rows: what a comparison claims if it ignores the clusters, and what it says if it does not.

usage: python examples/clusters.py [SIMULATIONS] [SEED]

The tables have the shape of Williams' mouse data (sec. 6.1): 20,343 one-second rows from only 176 clusters (one
mouse in one video snippet) of at most 120 rows each. Here the two models are equally good, and rows of one cluster
have a correlation of 0.5. Each simulation draws such a table, and each method says whether 0 lies outside its 95%
interval. A valid method is wrong in 5% of the simulations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.decide import cluster_means, cluster_summary, series_summary

ROWS, CLUSTERS, LONGEST, ICC = 20_343, 176, 120, 0.5
Floats = np.ndarray
Interval = tuple[float, float]

METHODS: dict[str, Callable[[Floats, Floats], Interval]] = {
    "naive: t over all rows": lambda d, c: bayes.t(d).interval(),
    "cluster means: t over them": lambda d, c: bayes.t(cluster_means(d, c)).interval(),
    "ess: t with n/design effect": lambda d, c: bayes.ess_t(d, n_eff=cluster_summary(d, c).n_eff).interval(),
    "ess: t, by autocorrelation": lambda d, c: bayes.ess_t(
        d, n_eff=series_summary(d, series=c).n_eff
    ).interval(),
    "classical: cluster-robust t": lambda d, c: nhst.cluster_t(d, c).confidence_interval(),
}


def cluster_sizes(rng: np.random.Generator) -> Floats:
    """176 sizes of at most 120 that add up to 20,343: some snippets have seconds without the mouse."""
    missing = CLUSTERS * LONGEST - ROWS
    return LONGEST - rng.multinomial(missing, rng.dirichlet(np.ones(CLUSTERS) * 0.5)).clip(0, LONGEST - 1)


def table(rng: np.random.Generator, sizes: Floats, icc: float = ICC) -> tuple[Floats, Floats]:
    """Differences of mean 0 and variance 1, and the cluster of each row."""
    cluster = np.repeat(np.arange(sizes.size), sizes)
    common, own = rng.normal(size=sizes.size)[cluster], rng.normal(size=cluster.size)
    return np.sqrt(icc) * common + np.sqrt(1 - icc) * own, cluster


def error_rates(simulations: int, seed: int, icc: float = ICC) -> dict[str, tuple[float, float]]:
    """For each method: how often 0 lies outside its 95% interval, and the mean width of that."""
    rng = np.random.default_rng(seed)
    sizes = cluster_sizes(rng)
    wrong, width = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
    for _ in range(simulations):
        d, cluster = table(rng, sizes, icc)
        for name, method in METHODS.items():
            low, high = method(d, cluster)
            wrong[name] += not low < 0 < high
            width[name] += high - low
    return {name: (wrong[name] / simulations, width[name] / simulations) for name in METHODS}


def main(simulations: int = 400, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    found = cluster_summary(*table(rng, cluster_sizes(rng)))
    print(
        f"{found.n:,} rows in {found.clusters} clusters: intra-cluster correlation {found.icc:.2f}, ", end=""
    )
    print(f"design effect {found.design_effect:.0f}, worth {found.n_eff:.0f} independent rows\n")
    error = np.sqrt(0.05 * 0.95 / simulations)
    print(f"{simulations} simulations of equal models; a valid 95% interval is wrong in 5% ± {error:.1%}\n")
    print(f"{'method':<30}{'wrong':>8}{'width':>9}")
    for name, (wrong, width) in error_rates(simulations, seed).items():
        print(f"{name:<30}{wrong:>8.1%}{width:>9.3f}")


if __name__ == "__main__":
    main(*(int(x) for x in sys.argv[1:]))
