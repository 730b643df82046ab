"""Futures of training runs crossed with examples: more seeds, more examples, or both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from scipy.special import gammaincinv, ndtr

from ropewalk.assurance.prior import FLAT, OVERSAMPLED, kept, log_normal
from ropewalk.assurance.rope_edges import Edges, three
from ropewalk.bayes import Crossed
from ropewalk.posterior.base import Floats

_NODES = 256  # nodes of the variances for one posterior
_TRIES = 50  # draws of the variances until all of them are above the residual's
_AT_ONCE = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunTable:
    """The mean and sums of squares of a table for `bayes.crossed`, for many futures at once.

    `seed` has one row for paired seeds and one for each model otherwise; `a` counts the seeds of A, `b` those
    of B.
    """

    a: int
    b: int
    examples: int
    mean: Floats
    seed: Floats
    example: Floats
    residual: Floats

    @property
    def paired(self) -> bool:
        return len(self.seed) == 1

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of seeds for each row of `seed`."""
        return (self.a,) if self.paired else (self.a, self.b)

    @property
    def h(self) -> float:
        """Share of the residual variance of one example's difference that remains in a mean over seeds."""
        return sum(1 / s for s in self.counts)

    @property
    def df(self) -> tuple[tuple[int, ...], int, int]:
        """Degrees of freedom of seeds, examples and residual."""
        seeds, j = tuple(s - 1 for s in self.counts), self.examples - 1
        return seeds, j, sum(seeds) * j


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variances:
    """The variances of each future: seeds (one row each), examples (of their differences) and residual."""

    seed: Floats
    example: Floats
    residual: Floats


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: `_now` is cached
class MoreRuns:
    """Seeds crossed with examples, to which seeds or examples are added, with `along` of the other kind.

    Formula
        The variances are drawn from the posterior of `bayes.crossed`: ε = SS_ε/χ², tau_k = SS_k/χ², and each
        tau_k is at least ε. Given them the sums of squares of the larger table are exact functions of the old
        ones and of a few normal and χ² variables: the deviations a of the old column means become
        b = k a + z in the new rows, with k the reliability of a column mean; the same holds for rows. The
        posterior of the mean given (tau, ε) is normal; it is averaged over nodes of the variances.
    Prior
        The true mean in a future is N(0, prior_sd²) before the data. This moves the noise of the old seeds,
        or of the old examples, away from 0, and weights the variances by N(mean | 0, V + prior_sd²), with V
        the variance of the mean. The verdict does not use this prior.
    Assumes
        the same as `bayes.crossed`; unpaired seeds are added in equal numbers to both models (if the models
        have different numbers of seeds, the weight of the new ones is the mean of both).
    """

    fitted: Crossed
    edges: Edges
    unit: Literal["seed", "example"]
    along: int = 0
    prior_sd: float = FLAT
    least: ClassVar[int] = 1
    # The examples stay a sample however many seeds there are, and vice versa
    limited: ClassVar[bool] = True

    @property
    def n(self) -> int:
        return min(self.fitted.seeds) if self.unit == "seed" else self.fitted.examples

    @cached_property
    def _now(self) -> RunTable:
        f = self.fitted
        *seeds, example = f.effects
        return RunTable(
            a=f.seeds[0],
            b=f.seeds[1],
            examples=f.examples,
            mean=np.array([f.posterior.mean]),
            seed=np.array([[e.ss] for e in seeds]),
            example=np.array([example.ss * (example.times if len(seeds) == 2 else 1 / f.seeds[0])]),
            residual=np.array([f.residual.ss]),
        )

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures."""
        seeds, examples = (more, self.along) if self.unit == "seed" else (self.along, more)
        found = self._now
        found = replace(
            found,
            mean=np.repeat(found.mean, draws),
            seed=np.repeat(found.seed, draws, axis=1),
            example=np.repeat(found.example, draws),
            residual=np.repeat(found.residual, draws),
        )
        v = self._drawn(found, rng)
        if seeds:
            found = with_seeds(found, v, seeds, rng, prior_sd=self.prior_sd)
        if examples:
            found = with_examples(found, v, examples, rng, prior_sd=self.prior_sd)
        return regions(found, self.edges)

    def _drawn(self, t: RunTable, rng: np.random.Generator) -> Variances:
        """Draw the variances of every future, weighted by how well they and the prior explain the mean."""
        if self.prior_sd == FLAT:
            return variances(t, rng)
        v = variances(
            replace(
                t,
                mean=np.tile(t.mean, OVERSAMPLED),
                seed=np.tile(t.seed, OVERSAMPLED),
                example=np.tile(t.example, OVERSAMPLED),
                residual=np.tile(t.residual, OVERSAMPLED),
            ),
            rng,
        )
        whole = v.example / t.examples + sum(
            (v.seed[k] + v.residual / t.examples) / s for k, s in enumerate(t.counts)
        )
        mean = np.tile(t.mean, OVERSAMPLED)
        chosen = kept(log_normal(mean, whole + self.prior_sd**2), t.mean.size, rng)
        return Variances(seed=v.seed[:, chosen], example=v.example[chosen], residual=v.residual[chosen])


def _noise(
    old: list[Floats], known: Floats, mean: Floats, prior_sd: float, rng: np.random.Generator
) -> list[Floats]:
    """The noise parts of the old mean with these variances, given the whole mean (Matheron's rule).

    `known` is the variance of the unchanged part, such as the mean effect of the same examples.
    """
    drawn = [np.sqrt(v) * rng.standard_normal(mean.size) for v in old]
    if prior_sd == FLAT:
        return drawn
    signal = prior_sd**2 + known
    total = signal + sum(old)
    left = mean - np.sqrt(signal) * rng.standard_normal(mean.size) - sum(drawn)
    return [e + v / total * left for e, v in zip(drawn, old, strict=True)]


def variances(t: RunTable, rng: np.random.Generator) -> Variances:
    """One draw per future: inverse χ² variables, redrawn if an effect is below the residual."""
    seeds, example, residual = t.df
    draws = t.mean.size
    tau = np.empty((len(seeds) + 1, draws))
    eps = np.empty(draws)
    left = np.arange(draws)
    for _ in range(_TRIES):
        eps[left] = t.residual[left] / rng.chisquare(residual, left.size)
        for k, df in enumerate(seeds):
            tau[k, left] = t.seed[k, left] / rng.chisquare(df, left.size)
        tau[-1, left] = t.example[left] / t.h / rng.chisquare(example, left.size)
        left = left[np.any(tau[:, left] < eps[left], axis=0)]
        if not left.size:
            break
    tau = np.maximum(tau, eps)  # still below after all tries: there is hardly any evidence of the effect
    return Variances(seed=(tau[:-1] - eps) / t.examples, example=(tau[-1] - eps) * t.h, residual=eps)


def with_seeds(
    t: RunTable, v: Variances, more: int, rng: np.random.Generator, *, prior_sd: float = FLAT
) -> RunTable:
    """The table with this number of further seeds (of each model)."""
    draws, j = t.mean.size, t.examples
    mean, seed = t.mean.copy(), t.seed.copy()
    rows = [v.seed[k] + v.residual / j for k in range(len(t.counts))]  # of row means, given the examples
    old = _noise([r / s for r, s in zip(rows, t.counts, strict=True)], v.example / j, t.mean, prior_sd, rng)
    for k, (s, sign) in enumerate(zip(t.counts, (1, -1), strict=False)):
        row = rows[k]
        gap = np.sqrt(row / more) * rng.standard_normal(draws) - sign * old[k]
        mean += sign * gap * more / (s + more)
        seed[k] += j * (row * _chi2(more - 1, draws, rng) + gap**2 * s * more / (s + more))
    noise = len(t.counts) / more * v.residual
    reliable = _reliability(v.example, t.h * v.residual)
    w = v.example * (1 - reliable) + noise
    share = float(np.mean([more / (s + more) for s in t.counts]))
    example, apart = carried(t.example, j - 1, reliable, w, share, rng)
    half = float(np.mean([s * more / (s + more) for s in t.counts])) / len(t.counts)
    residual = t.residual + half * apart
    residual += v.residual * _chi2(len(t.counts) * (more - 1) * (j - 1), draws, rng)
    if not t.paired:  # the sum of both models' contrasts; their difference is in `apart`
        residual += v.residual * _chi2(j - 1, draws, rng)
    return replace(t, a=t.a + more, b=t.b + more, mean=mean, seed=seed, example=example, residual=residual)


def with_examples(
    t: RunTable, v: Variances, more: int, rng: np.random.Generator, *, prior_sd: float = FLAT
) -> RunTable:
    """The table with this number of further examples."""
    draws, j = t.mean.size, t.examples
    share = more / (j + more)
    column = v.example + t.h * v.residual  # the variance of a column's mean difference, given the seeds
    seeds = sum(v.seed[k] / s for k, s in enumerate(t.counts))
    (old,) = _noise([column / j], seeds, t.mean, prior_sd, rng)
    gap = np.sqrt(column / more) * rng.standard_normal(draws) - old
    example = t.example + column * _chi2(more - 1, draws, rng) + gap**2 * j * share
    seed, residual = t.seed.copy(), t.residual.copy()
    for k, s in enumerate(t.counts):
        reliable = _reliability(v.seed[k], v.residual / j)
        w = v.seed[k] * (1 - reliable) + v.residual / more
        squares, apart = carried(t.seed[k] / j, s - 1, reliable, w, share, rng)
        seed[k] = (j + more) * squares
        residual += j * share * apart + v.residual * _chi2((s - 1) * (more - 1), draws, rng)
    return replace(
        t, examples=j + more, mean=t.mean + gap * share, seed=seed, example=example, residual=residual
    )


def regions(t: RunTable, edges: Edges) -> Floats:
    """The posterior probability of each region, averaged over the same nodes of χ² for every future."""
    seeds, example, residual = t.df
    u = _spread_out(len(seeds) + 2)
    x = [2 * gammaincinv(df / 2, u[:, i]) for i, df in enumerate((residual, example, *seeds))]
    better, worse = np.empty(t.mean.size), np.empty(t.mean.size)
    block = max(_AT_ONCE // _NODES, 1)
    for i in range(0, t.mean.size, block):
        part = slice(i, i + block)
        eps = t.residual[part, None] / x[0]
        tau = t.example[part, None] / t.h / x[1]
        allowed = tau >= eps
        variance = tau * t.h / t.examples  # s_w²/J + h s_e²/J
        for k, s in enumerate(t.counts):
            row = t.seed[k][part, None] / x[2 + k]
            allowed &= row >= eps
            variance = variance + (row - eps) / (t.examples * s)
        weight = np.where(allowed, 1.0, 1e-12)  # if no node is allowed, all count equally
        sd = np.sqrt(np.maximum(variance, 1e-300))
        total = weight.sum(axis=1)
        mean = t.mean[part, None]
        better[part] = np.sum(weight * ndtr((mean - edges.high) / sd), axis=1) / total
        worse[part] = np.sum(weight * ndtr((edges.low - mean) / sd), axis=1) / total
    return three(better, worse)


def carried(
    a2: Floats, dim: int, k: Floats, w: Floats, share: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """|(1 - share) a + share b|² and |a - b|² for b = k a + z, z ~ N(0, w) in that number of dimensions.

    Only the component of z along a and the length of the rest matter.
    """
    along = np.sqrt(w) * rng.standard_normal(a2.size)
    z2 = along**2 + w * _chi2(dim - 1, a2.size, rng)
    a = np.sqrt(a2)
    alpha = 1 - share + share * k
    both = alpha**2 * a2 + 2 * alpha * share * a * along + share**2 * z2
    apart = (1 - k) ** 2 * a2 - 2 * (1 - k) * a * along + z2
    return both, apart


def _reliability(signal: Floats, noise: Floats) -> Floats:
    return signal / np.maximum(signal + noise, 1e-300)


def _chi2(df: int, draws: int, rng: np.random.Generator) -> Floats:
    return rng.chisquare(df, draws) if df > 0 else np.zeros(draws)


def _spread_out(dim: int) -> Floats:
    """Points that fill the unit cube evenly, by the additive recurrence of Roberts (2018)."""
    g = 2.0
    for _ in range(50):
        g = (1 + g) ** (1 / (dim + 1))
    return np.asarray((0.5 + np.outer(np.arange(1, _NODES + 1), g ** -np.arange(1.0, dim + 1))) % 1.0)
