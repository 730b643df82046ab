"""What the other tasks say about one task of the hierarchical t-test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ropewalk.bayes.student_hierarchy import Tasks, convolved
from ropewalk.posterior.base import Floats
from ropewalk.posterior.mixture import Mixture

_DROPPED = 1e-5  # share of a task's posterior in normals that are left out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """A part of the population, as normals N(mu, s²).

    A row is a pair of sigma0 and nu: `scales` has p(s | row) for all `s`, of which those in `mine` belong to
    this level, and `weights` has Pr(row, mu0) at the nodes `mu`, whose distance is `spacing`.
    """

    s: Floats
    mine: slice
    scales: Floats
    mu: Floats
    spacing: Floats
    weights: Floats


def others(levels: Sequence[Level], own: Tasks) -> Mixture:
    """The posterior of a next task given all tasks except this one, in the range relevant to this one.

    Each node is divided by the task's own likelihood there, f = Σ_s p(s) g(s). All terms are positive and f
    is taken at the node itself, so no normal gets more of the posterior than the node has: where f is tiny,
    rounding in the weight of a node must not be amplified.
    """
    parts = []
    for level in levels:
        (g,) = convolved(own, level.mu, np.log(level.s))
        g = g[..., 0]
        f = level.scales @ g
        seen = f > 1e-200  # below this the weight of the node itself comes from a floor
        quotient = np.divide(level.weights, f, out=np.zeros(f.shape), where=seen)
        normals = level.scales[:, level.mine].T @ quotient
        scale = np.maximum(level.s[level.mine, None], 0.8 * level.spacing)
        at = np.broadcast_to(level.mu, normals.shape)
        # Times the task's likelihood, a normal has its share of the posterior.
        parts.append(np.stack([normals, at, scale, normals * g[level.mine]]).reshape(4, -1))
    weight, at, scale, share = np.concatenate(parts, axis=1)
    order = np.argsort(share)
    kept = order[np.cumsum(share[order]) > _DROPPED * share.sum()]
    return Mixture.of(weight[kept], loc=at[kept], scale=scale[kept])
