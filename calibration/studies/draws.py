"""Where the data of two models come from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studies.study import Draw, Floats


def normal(n: int, effect: float = 0.0) -> Draw:
    return lambda rng, count: rng.normal(effect, 1, (count, n))


def two_samples(one: Draw, other: Draw) -> Draw:
    """A sample of each model, not paired."""
    return lambda rng, count: list(zip(one(rng, count), other(rng, count), strict=True))


def wide(n: int, times: float) -> Draw:
    return lambda rng, count: rng.normal(0, times, (count, n))


def heavy(n: int, effect: float = 0.0) -> Draw:
    """Student with two degrees of freedom: symmetric, and of infinite variance."""
    return lambda rng, count: effect + rng.standard_t(2, (count, n))


def skewed(n: int, *, around: float = 1.0) -> Draw:
    """Exponential, less its mean of 1 (or its median of log 2)."""
    return lambda rng, count: rng.standard_exponential((count, n)) - around


def tied(n: int) -> Draw:
    """Normal, rounded to whole standard deviations: four in ten are zero, and most others are ±1."""
    return lambda rng, count: np.round(rng.normal(size=(count, n))) + 0.0


def graded(n: int, effect: float = 0.0) -> Draw:
    """Differences of two grades between 0 and 1, each uniform before A's is moved by `effect`."""
    return lambda rng, count: np.clip(rng.random((count, n)) + effect, 0, 1) - rng.random((count, n))


def rarely_lost(n: int, chance: float = 0.04) -> Draw:
    """A gains a little on most units and loses everything on a few; the mean is 0."""
    return lambda rng, count: np.where(rng.random((count, n)) < chance, -1.0, chance / (1 - chance))


def graded_in_clusters(n: int, size: int) -> Draw:
    """Bounded differences that are the same on all units of a cluster."""
    return lambda rng, count: np.repeat(rng.uniform(-1, 1, (count, n // size)), size, axis=1)


def correlated(n: int, rho: float, effect: float = 0.0, noise: str = "normal") -> Draw:
    """Any two of the n have the correlation rho, as the folds of one cross-validation."""

    def draw(rng: np.random.Generator, count: int) -> Floats:
        shape = (count, n)
        own = {
            "normal": lambda: rng.normal(size=shape),
            "heavy": lambda: rng.standard_t(3, shape) / np.sqrt(3),
            "skewed": lambda: rng.standard_exponential(shape) - 1,
        }[noise]()
        return effect + np.sqrt(rho) * rng.normal(size=(count, 1)) + np.sqrt(1 - rho) * own

    return draw


def clustered(n: int, size: int, share: float = 0.3) -> Draw:
    """Clusters of `size` units, which have `share` of the variance in common."""

    def draw(rng: np.random.Generator, count: int) -> Floats:
        common = np.repeat(rng.normal(size=(count, n // size)), size, axis=1)
        return np.sqrt(share) * common + np.sqrt(1 - share) * rng.normal(size=(count, n))

    return draw


def in_clusters(sizes: Sequence[int], effect: float = 0.0, noise: str = "normal") -> Draw:
    """Data sets (differences, cluster of each); the clusters' means vary as much as the units in them."""
    of = np.repeat(np.arange(len(sizes)), sizes)

    def draw(rng: np.random.Generator, count: int) -> list[tuple[Floats, Floats]]:
        shape = (count, len(sizes))
        own = rng.normal(size=shape) if noise == "normal" else rng.standard_t(3, shape) / np.sqrt(3)
        d = effect + own[:, of] + rng.normal(size=(count, of.size))
        return [(row, of) for row in d]

    return draw


def cluster_means(given: tuple[Floats, Floats]) -> Floats:
    d, of = given
    return np.asarray(np.bincount(of, weights=d) / np.bincount(of))


def crossed(seeds: int, seed_sd: float, effect: float = 0.0) -> Draw:
    """Seeds x 50 examples: the seeds' effects beside those of the examples (0.3) and the rest (0.3)."""

    def draw(rng: np.random.Generator, count: int) -> Floats:
        rest = rng.normal(0, 0.3, (count, 1, 50)) + rng.normal(0, 0.3, (count, seeds, 50))
        return effect + rng.normal(0, seed_sd, (count, seeds, 1)) + rest

    return draw


def replications(rho: float, effect: float = 0.0, noise: str = "normal") -> Draw:
    """The ten differences of 5x2cv, any two with the correlation rho."""
    flat = correlated(10, rho, effect, noise)
    return lambda rng, count: np.asarray(flat(rng, count)).reshape(count, 5, 2)


def counts(n: int, disagree: float, effect: float = 0.0, cluster: int = 1) -> Draw:
    """(n01, n10) on n examples; in a cluster all examples turn out alike."""
    shares = [(disagree - effect) / 2, (disagree + effect) / 2, 1 - disagree]
    return lambda rng, count: cluster * rng.multinomial(n // cluster, shares, count)[:, :2]
