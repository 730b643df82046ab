"""The joint posterior of many models, each trained several times and scored on one common test set.

Mean squares that share the residual variance ε: every effect k has SS_k/τ_k ~ χ²(ν_k) with τ_k >= ε, and the
prior 1/(ε·Π τ_k). Given ε they are independent, so ε is left with one integral, and all draws are exact:
    p(ε | data) ∝ ε^(-ν_ε/2 - 1) exp(-SS_ε/2ε) · Π_k ∫_ε^∞ τ^(-ν_k/2 - 1) exp(-SS_k/2τ) dτ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, gammaincinv, gammaln, hyp1f1

from ropewalk.bayes.cross_sums import CrossSums, distinct
from ropewalk.bayes.joint import joint
from ropewalk.bayes.prior import check_draws
from ropewalk.errors import DataError, OptionError, PairingError
from ropewalk.grouped import CrossedSums, table
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import JointPosterior

_SMALLEST = 1e-10  # a residual this small relative to the other mean squares does not change a mean
_NODES = 2001  # nodes of log ε
_DROP = 35.0  # the density is negligible where its log has fallen by this much
_UNDERFLOW = 1e-290


def joint_runs(
    runs: Sequence[ArrayLike],
    *,
    paired: bool = False,
    draws: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> JointPosterior:
    """Joint posterior of the means of many models over other training runs and other examples.

    Parameters
    ----------
    runs : sequence of array_like, seeds x examples
        Scores of each model.
    paired : bool, default False
        Whether seed k is the same seed for every model.
    draws : int, default 10000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    JointPosterior
        Joint draws of the models' means over other seeds and other examples.

    Notes
    -----
    Formula::

        z_msj = mu_m + u_ms + w_mj + e_msj for seed s of model m on example j: u_ms ~ N(0, s_m²), e_msj ~
        N(0, ε), w_.j ~ N(0, W) with an unstructured covariance over the models. The means have the covariance
        diag(s_m²/S_m) + (W + ε D)/J, D = diag(1/S_m). With τ_m = ε + J s_m², and τ_J the mean of W + ε D
        over contrasts of models: prior flat in mu, 1/(ε τ_J Π τ_m) where all τ are at least ε. W + ε D has
        the shape of the cross-products of the models' means on each example, in no direction less than ε D.
        Paired seeds: u_s and e_sj have unstructured covariances over the models too.

    Assumes
        every run scored on the same examples, higher is better; seeds and examples independent draws; normal
        effects; for unpaired seeds the same residual variance for all models.

    Not for
        one trained model each (use `joint`), folds of cross-validation (use `joint` with rho), seeds with
        different test sets, many tasks.

    With two models, the difference has the posterior of `crossed`. A model with one seed says nothing about
    other seeds; `why` states this. With three to five runs, the intervals are too wide rather than too
    narrow: if the variance between runs is a quarter of the residual variance, 99% of the 95% intervals
    contain the true difference (simulated).

    References
    ----------
    .. [1] Box & Tiao 1973, Bayesian Inference in Statistical Analysis, ch. 5 to 8,
       doi:10.1002/9781118033197.
    .. [2] Geisser & Cornfield 1963, JRSS B 25, 368-376, for one common scale of many means.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> easy = rng.normal(size=50)
    >>> runs = [m + easy + rng.normal(0, 0.1, (4, 1)) + rng.normal(0, 0.5, (4, 50)) for m in (0.0, 0.1, 0.8)]
    >>> fitted = joint_runs(runs)
    >>> fitted.p_best.round(2), fitted.model
    (array([0., 0., 1.]), 'runs')
    """
    tables = _checked(runs, paired)
    check_draws(draws)
    seeds = np.array([len(x) for x in tables])
    examples = CrossSums.of(np.column_stack([x.mean(axis=0) for x in tables]))
    if seeds.max() == 1:
        return replace(
            joint(examples, draws=draws, rng=rng), why="a single seed of every model" + _AS_TRAINED
        )
    order, place = distinct([examples])
    apart = [tables[i] for i in order]
    random = np.random.default_rng(rng)
    noise = (_paired if paired else _unpaired)(apart, draws, random)
    mean = examples.mean
    return JointPosterior.of(
        (examples.mean[order] + noise)[:, place], mean=mean, model="runs", why=_why(seeds, paired)
    )


_AS_TRAINED = ", so the answer does not generalize to other seeds of it"


def _why(seeds: Floats, paired: bool) -> str:
    low, high = int(seeds.min()), int(seeds.max())
    count = f"{low}" if low == high else f"{low} to {high}"
    how = "the same for all models" if paired else "not paired"
    alone = int(np.sum(seeds == 1))
    rest = f"; {alone} model{'s have' if alone > 1 else ' has'} a single seed{_AS_TRAINED}" if alone else ""
    return f"{count} training runs of each model, {how}, over other runs and other examples{rest}"


def _checked(runs: Sequence[ArrayLike], paired: bool) -> list[Floats]:
    tables = [table(x) for x in runs]
    if len(tables) < 2:
        raise DataError(
            f"runs of {len(tables)} model given, at least 2 needed",
            hint="Give a table of seeds x examples for each.",
        )
    sizes = [x.shape[1] for x in tables]
    if len(set(sizes)) > 1:
        odd = next(i for i, size in enumerate(sizes) if size != sizes[0])
        raise PairingError(
            f"model 0 was scored on {sizes[0]} examples and model {odd} on {sizes[odd]}",
            hint="Score every seed of all models on the same examples, in the same order.",
        )
    seeds = [len(x) for x in tables]
    if paired and len(set(seeds)) > 1:
        raise OptionError(
            f"paired seeds, but the models have {min(seeds)} to {max(seeds)} of them",
            hint="Give the same seeds for all models, or paired=False.",
        )
    return tables


# --- the covariance of the means --------------------------------------------------------------------------


def _unpaired(tables: list[Floats], draws: int, random: np.random.Generator) -> Floats:
    """Seeds of each model separately; examples from the cross-products of the means over seeds."""
    own = [CrossedSums.of(x) for x in tables]
    k, j = len(own), own[0].examples
    seeds = np.array([o.seeds for o in own])
    residual = _Square(ss=sum(o.residual for o in own), df=sum(o.df[2] for o in own))
    m2 = CrossSums.of(np.column_stack([x.mean(axis=0) for x in tables])).m2
    shape = _Shape.of(m2, np.diag(1.0 / seeds), measured=False)
    several = np.flatnonzero(seeds > 1)
    squares = [_Square(ss=own[i].seed, df=own[i].seeds - 1) for i in several]
    epsilon, tau = _mean_squares([_Square(ss=shape.size, df=j - 1), *squares], residual, draws, random)
    noise = shape.noise(tau[:, 0], epsilon, 1 / j, random)
    z = random.standard_normal((draws, k))[:, several]
    noise[:, several] += z * np.sqrt(np.maximum(tau[:, 1:] - epsilon[:, None], 0.0) / (j * seeds[several]))
    return noise


def _paired(tables: list[Floats], draws: int, random: np.random.Generator) -> Floats:
    """Cross-products over the models for seeds, examples and residual, each with one unknown scale."""
    z = np.stack(tables, axis=2)
    s, j, _ = z.shape
    r = z - z.mean(axis=(0, 1))
    row, column = r.mean(axis=1), r.mean(axis=0)
    rest = (r - row[:, None] - column).reshape(s * j, -1)
    of_residual = rest.T @ rest / ((s - 1) * (j - 1))
    by_seed = _Shape.of(j * row.T @ row, of_residual)
    by_example = _Shape.of(s * column.T @ column, of_residual)
    # In units of the residual's mean square, its sum of squares equals its degrees of freedom.
    df = (s - 1) * (j - 1)
    squares = [_Square(ss=by_seed.size, df=s - 1), _Square(ss=by_example.size, df=j - 1)]
    epsilon, tau = _mean_squares(squares, _Square(ss=float(df), df=df), draws, random)
    return by_example.noise(tau[:, 1], epsilon, 1 / (s * j), random) + by_seed.noise(
        tau[:, 0], epsilon, 1 / (s * j), random, beyond=True
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Shape:
    """The cross-products M of an effect over the models, relative to the cross-products R of the residual.

    On the contrasts of models: R = root², M = root (vectors diag(values) vectors') root. `size` is the mean
    of M over contrasts in units of R, from which the scalar τ of the effect is estimated. The direction that
    all models share has `level` in place of `values`.
    """

    contrasts: Floats  # models x (models - 1)
    root: Floats
    vectors: Floats
    values: Floats
    size: float
    shared: float  # R and M in the direction that all models share
    level: float

    @classmethod
    def of(cls, m: Floats, r: Floats, *, measured: bool = True) -> _Shape:
        """Shape of M relative to R. A `measured` R may be negligible; the weights 1/S_m have no unit."""
        k = len(m)
        b, _ = np.linalg.qr(np.eye(k)[:, 1:] - 1 / k)
        inner = b.T @ r @ b
        beside = float(np.trace(b.T @ m @ b)) if measured else 0.0
        least = _SMALLEST * max(float(np.trace(inner)), beside) / max(k - 1, 1)
        value, vector = np.linalg.eigh(inner)
        value = np.maximum(value, max(least, np.finfo(float).tiny))
        root = (vector * np.sqrt(value)) @ vector.T
        inverse = (vector / np.sqrt(value)) @ vector.T
        values, vectors = np.linalg.eigh(inverse @ (b.T @ m @ b) @ inverse)
        shared, level = float(r.sum()) / k, max(float(m.sum()) / k, 0.0)
        return cls(
            contrasts=b,
            root=root,
            vectors=vectors,
            values=np.maximum(values, 0.0),
            size=float(np.trace(b.T @ m @ b) / value.sum()) if k > 1 else 0.0,
            shared=shared,
            level=level / shared if shared > 0 else 0.0,
        )

    def noise(
        self, tau: Floats, epsilon: Floats, times: float, random: np.random.Generator, *, beyond: bool = False
    ) -> Floats:
        """Draws of N(0, times·max(T, ε R)), T = M τ/size; with `beyond`, of N(0, times·(T - ε R)_+)."""
        k = len(self.contrasts)
        scale = tau / self.size if self.size > 0 else np.zeros(tau.size)

        def sd(values: Floats) -> Floats:
            v = np.maximum(scale[:, None] * values - epsilon[:, None], 0.0)
            return np.asarray(np.sqrt(times * (v if beyond else v + epsilon[:, None])))

        z = random.standard_normal((tau.size, k))
        # The symmetric root does not change if rounding flips the sign of an eigenvector.
        x = ((z @ self.contrasts @ self.vectors) * sd(self.values)) @ self.vectors.T @ self.root
        level = z.mean(axis=1, keepdims=True) * np.sqrt(k * self.shared) * sd(np.array([self.level]))
        return np.asarray(x @ self.contrasts.T + level / np.sqrt(k))


# --- the mean squares ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Square:
    """A sum of squares and its degrees of freedom."""

    ss: float
    df: int


def _mean_squares(
    effects: Sequence[_Square], residual: _Square, draws: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draws of ε, and of the τ of each effect, draws x effects."""
    sizes = [e.ss / e.df for e in effects if e.ss > 0]
    if residual.ss == 0:
        if not sizes:  # nothing varies
            return np.zeros(draws), np.zeros((draws, len(effects)))
        residual = replace(residual, ss=_SMALLEST * min(sizes) * residual.df)
    a = np.array([e.df / 2 for e in effects])
    s = np.array([e.ss / 2 for e in effects])

    def log_density(x: Floats) -> Floats:
        epsilon = np.exp(x)
        each = [_log_above(epsilon, ai, si) for ai, si in zip(a, s, strict=True)]
        return np.asarray(np.sum(each, axis=0) - residual.df / 2 * x - residual.ss / 2 / epsilon)

    # Log-concave in log ε, which lies between the smallest mean square and that of the residual alone.
    ends = np.log(residual.ss / residual.df) + np.array([-40.0, 40.0])
    for _ in range(60):
        x = np.linspace(ends[0], ends[1], _NODES)
        f = log_density(x)
        kept = np.flatnonzero(f > f.max() - _DROP)
        low, high = max(kept[0] - 1, 0), min(kept[-1] + 1, _NODES - 1)
        if high - low > _NODES // 3:
            break
        ends = x[[low, high]]
    p = np.exp(f - f.max())
    below = np.concatenate([[0.0], np.cumsum(0.5 * (p[1:] + p[:-1]))])
    epsilon = np.exp(np.interp(random.random(draws) * below[-1], below, x))
    u = random.random((draws, len(effects)))
    tau = [_truncated(epsilon, ai, si, ui) for ai, si, ui in zip(a, s, u.T, strict=True)]
    return epsilon, np.stack(tau, axis=1)


def _log_above(epsilon: Floats, a: float, s: float) -> Floats:
    """log ∫_ε^∞ τ^(-a-1) exp(-s/τ) dτ = log γ(a, x) - a log s, x = s/ε; by its series for small x."""
    x = s / epsilon
    small = x < a + 1
    # γ(a, x) = x^a exp(-x)/a · 1F1(1; a + 1; x) keeps its digits however small it is.
    near = np.where(small, x, 0.0)
    by_series = -a * np.log(epsilon) - np.log(a) - near + np.log(hyp1f1(1.0, a + 1, near))
    if small.all():
        return np.asarray(by_series)
    far = np.where(small, a + 1, x)
    return np.asarray(np.where(small, by_series, gammaln(a) - a * np.log(s) + np.log(gammainc(a, far))))


def _truncated(epsilon: Floats, a: float, s: float, u: Floats) -> Floats:
    """τ above ε at the quantiles u: s/τ is Gamma(a), below s/ε."""
    x = s / epsilon
    whole = gammainc(a, x)
    tiny = whole < _UNDERFLOW  # far in the tail the density is a power of τ
    y = gammaincinv(a, u * np.where(tiny, 1.0, whole))
    with np.errstate(divide="ignore"):
        inside = s / y
    tail = epsilon * u ** (-1 / np.where(tiny, a - x, 1.0))
    return np.asarray(np.where(tiny, tail, np.maximum(inside, epsilon)))
