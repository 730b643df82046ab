"""Contrasts of many models over many tasks, with two unknown variances: the integral behind `joint_tasks`.

For task t let C_t = E_t + omega² I over the models that were run on it. The flat effect of the task takes one
direction out of the precision: with q_t = C_t⁻¹1,
    P_t = C_t⁻¹ - q_t q_t'/(1'q_t),   Lambda = Σ_t P_t,   h = Σ_t P_t m_t,
    log p(m | mu, omega) = const + h'mu - mu'Lambda mu/2 - Σ_t [log|C_t| + log(1'q_t) + m_t'P_t m_t]/2.
Lambda 1 = 0: only contrasts of mu are known. On them, with eigenvalues l_i of Lambda and h_i = v_i'h,
    mu flat:           p(omega | m) ∝ ... Π l_i^(-1/2) exp(Σ h_i²/(2 l_i)),
    mu_j ~ N(0, tau²): p(omega, tau | m) ∝ ... Π (1 + tau² l_i)^(-1/2) exp(Σ h_i²/(2 (l_i + tau⁻²))),
    mu | omega, tau, m normal, with mean h_i/(l_i + tau⁻²) and variance 1/(l_i + tau⁻²) on the i-th of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats

_NODES = 49  # of log omega
_TAU_STEP = 0.25  # of log tau², over sqrt(k): its posterior has a width of sqrt(2/(k - 1)) or more
_DROP = 14.0  # log density below the peak at which the nodes end
_REACH = (
    1e-3,
    1e4,
)  # first and last omega and tau beside what they are measured with: beyond, 1e-4 of the mass
_CERTAIN = 1e-24  # a share of the squares that is rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Block:
    """Tasks on which the same models were run, with E_t = vectors diag(values) vectors'."""

    models: NDArray[np.intp]
    means: Floats  # tasks x models, centred
    vectors: Floats  # models x (tasks x models)
    values: Floats  # tasks x models
    ones: Floats  # vectors'1 and vectors'm, tasks x models
    rotated: Floats

    @classmethod
    def of(cls, models: NDArray[np.intp], means: Floats, errors: Floats) -> _Block:
        centred = means - means.mean(axis=1, keepdims=True)
        values, vectors = np.linalg.eigh(errors)
        return cls(
            models=models,
            means=centred,
            vectors=vectors.transpose(1, 0, 2).reshape(models.size, -1),
            values=np.maximum(values, 0.0),
            ones=vectors.sum(axis=1),
            rotated=np.einsum("tji,tj->ti", vectors, centred),
        )

    def add(self, omega2: float, precision: Floats, h: Floats) -> float:
        """Add this block's Lambda and h; its part of the log likelihood."""
        w = 1 / (self.values + omega2)
        tasks, k = w.shape
        root = self.vectors * np.sqrt(w).ravel()
        stacked = self.vectors.reshape(k, tasks, k)
        q = np.einsum("jti,ti->tj", stacked, w * self.ones)
        across = np.einsum("jti,ti->j", stacked, w * self.rotated)
        total = np.sum(w * self.ones**2, axis=1)  # 1'C⁻¹1
        with_m = np.sum(w * self.ones * self.rotated, axis=1)  # 1'C⁻¹m
        at = self.models
        precision[np.ix_(at, at)] += root @ root.T - (q / total[:, None]).T @ q
        h[at] += across - q.T @ (with_m / total)
        square = np.sum(w * self.rotated**2) - np.sum(with_m**2 / total)
        return float(0.5 * (np.sum(np.log(w)) - np.sum(np.log(total)) - square))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Given:
    """Given omega: eigenvalues of Lambda, its eigenvectors (models x contrasts), h in them, and the rest."""

    omega2: float
    value: Floats
    vector: Floats
    h: Floats
    log_tasks: float

    @property
    def log_flat(self) -> float:
        """log p(m | omega) with mu flat."""
        return self.log_tasks + float(0.5 * np.sum(self.h**2 / self.value - np.log(self.value)))

    def log_pooled(self, tau2: Floats) -> Floats:
        """log p(m | omega, tau), for each tau²."""
        t = tau2[:, None]
        each = t * self.h**2 / (1 + t * self.value) - np.log1p(t * self.value)
        return np.asarray(self.log_tasks + 0.5 * each.sum(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blocks:
    """All tasks, those with the same models together."""

    blocks: tuple[_Block, ...]
    n_models: int
    df: int  # contrasts seen beyond those that mu needs
    error: float  # the median error variance of a contrast
    tasks: float  # how many tasks a model was run on, on average
    contrasts: Floats  # an orthonormal basis of them, models x (models - 1)

    @classmethod
    def of(cls, means: Sequence[Floats], errors: Sequence[Floats]) -> Blocks:
        """From the means on each task, NaN where a model was not run, and E_t of those that were."""
        k = means[0].size
        run = [np.flatnonzero(~np.isnan(m)) for m in means]
        alike: dict[bytes, list[int]] = {}
        for t, models in enumerate(run):
            if models.size > 1:  # one model alone says nothing about differences
                alike.setdefault(models.tobytes(), []).append(t)
        blocks = tuple(
            _Block.of(
                run[ts[0]],
                np.array([means[t][run[t]] for t in ts]),
                np.array([errors[t] for t in ts]),
            )
            for ts in alike.values()
        )
        used = [t for ts in alike.values() for t in ts]
        basis, _ = np.linalg.qr(np.eye(k)[:, 1:] - 1 / k)
        return cls(
            blocks=blocks,
            n_models=k,
            df=sum(run[t].size - 1 for t in used) - (k - 1),
            error=float(np.median([_of_a_contrast(errors[t]) for t in used])),
            tasks=sum(run[t].size for t in used) / k,
            contrasts=basis,
        )

    def given(self, omega2: float) -> _Given:
        precision, h = np.zeros((self.n_models, self.n_models)), np.zeros(self.n_models)
        log_tasks = sum(block.add(omega2, precision, h) for block in self.blocks)
        value, vector = np.linalg.eigh(self.contrasts.T @ precision @ self.contrasts)
        vector = self.contrasts @ vector
        return _Given(omega2=omega2, value=value, vector=vector, h=vector.T @ h, log_tasks=log_tasks)


def _of_a_contrast(error: Floats) -> float:
    """The mean variance of a contrast of length one: what all models share is left out."""
    k = len(error)
    return float(np.trace(error) - error.sum() / k) / (k - 1)


def sampled(blocks: Blocks, pooled: bool, draws: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Draws of the contrasts of mu, draws x models with rows that add up to zero, and their mean."""
    alone = blocks.given(blocks.error or 1.0)  # without any error omega does not change the fit
    fitted = alone.vector @ (alone.h / alone.value)
    left, all_squares = _residual(blocks, fitted), _residual(blocks, 0 * fitted)
    if blocks.error == 0 and left <= _CERTAIN * all_squares:
        return np.tile(fitted, (draws, 1)), fitted  # every task says the same, without any error
    nodes, weight = _nodes(blocks, np.sqrt(left / blocks.df), pooled)
    # Evenly spread over the nodes, as far as chance allows.
    u = (np.arange(draws) + random.random(draws)) / draws
    node = np.minimum(np.searchsorted(np.cumsum(weight), u), len(nodes) - 1)
    within = random.random(draws)
    x = random.standard_normal((draws, blocks.n_models))
    mean = np.zeros(blocks.n_models)
    for i in np.unique(node):
        at, here = node == i, nodes[i]
        shrunk = 1 / _tau2(blocks, here, within[at])[:, None] if pooled else 0.0
        precision = here.value + shrunk
        centre = here.h / precision * np.ones((int(at.sum()), 1))
        mean += here.vector @ centre.sum(axis=0) / draws
        # The symmetric root: rounding that turns an eigenvector around does not change it.
        x[at] = (centre + (x[at] @ here.vector) / np.sqrt(precision)) @ here.vector.T
    return x, mean


def _residual(blocks: Blocks, mu: Floats) -> float:
    """Σ (m_tj - mu_j - b_t)² with the best b_t."""
    total = 0.0
    for block in blocks.blocks:
        r = block.means - mu[block.models]
        total += float(np.sum((r - r.mean(axis=1, keepdims=True)) ** 2))
    return total


def _nodes(blocks: Blocks, spread: float, pooled: bool) -> tuple[list[_Given], Floats]:
    """Nodes of log omega over its whole posterior, evenly spaced, and their probabilities."""
    measure = np.sqrt(blocks.error), spread
    low = min(v for v in measure if v > 0)
    ends = np.log([_REACH[0] * low, _REACH[1] * max(measure)])
    for _ in range(30):
        x = np.linspace(ends[0], ends[1], _NODES)
        nodes = [blocks.given(float(v)) for v in np.exp(2 * x)]
        f = np.array([_log_marginal(blocks, node, pooled) for node in nodes])
        kept = np.flatnonzero(f > f.max() - _DROP)
        first, last = max(kept[0] - 1, 0), min(kept[-1] + 1, _NODES - 1)
        if last - first > _NODES // 3:
            break
        ends = x[[first, last]]
    p = np.exp(f - f.max())
    return nodes, p / p.sum()


def _log_marginal(blocks: Blocks, node: _Given, pooled: bool) -> float:
    """log p(omega | m) in log omega, with the prior d omega²/(error + omega²)."""
    prior = np.log(node.omega2) - np.log(blocks.error + node.omega2)
    if not pooled:
        return float(prior + node.log_flat)
    _, f = _tau_nodes(blocks, node)
    return float(prior + f.max() + np.log(np.sum(np.exp(f - f.max()))))


def _tau_nodes(blocks: Blocks, node: _Given) -> tuple[Floats, Floats]:
    """Nodes of tau² with a fixed step of its logarithm, and the log density there.

    The prior of tau² given omega, d tau²/(v + tau²), v the variance of a model's mean, is that of `joint`.
    """
    v = (blocks.error + node.omega2) / blocks.tasks
    largest = max(v, float(np.max((node.h / node.value) ** 2)))
    step = _TAU_STEP / np.sqrt(blocks.n_models)  # at every omega, so that sums over tau can be compared
    first = np.log(v) + 2 * np.log(_REACH[0])
    last = np.log(largest) + 2 * np.log(_REACH[1])
    tau2 = np.exp(first + step * np.arange(int((last - first) / step) + 2))
    return tau2, node.log_pooled(tau2) + np.log(tau2) - np.log(v + tau2)


def _tau2(blocks: Blocks, node: _Given, u: Floats) -> Floats:
    """tau² given omega at the quantiles u."""
    tau2, f = _tau_nodes(blocks, node)
    p = np.exp(f - f.max())
    below = np.concatenate([[0.0], np.cumsum(0.5 * (p[1:] + p[:-1]))])
    return np.asarray(np.exp(np.interp(u * below[-1], below, np.log(tau2))))
