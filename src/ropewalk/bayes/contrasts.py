"""The differences among models, on contrasts in which nothing is left of what all of them share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.posterior.base import Floats

ROUNDING = 1e-13  # eigenvalues and sums of squares this small relative to the largest are rounding
_LEANS = 4.0  # weight of the models' mean variance in the variance of one model, as a number of units
_COPIES = 9  # power to which correlations are raised among equal models; an odd power keeps their signs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contrasts:
    """Contrasts of models: S = back diag(values) back', S⁻¹ = onto diag(1/values) onto', y = back means.

    `even` has the same directions with length one and turns independent normals into contrasts. `ties` turns
    them into an order of equal models.
    """

    n: int
    c: float
    even: Floats  # models x directions each
    back: Floats
    onto: Floats
    values: Floats
    means: Floats
    ties: Floats

    @classmethod
    def of(cls, s: CrossSums, c: float) -> Contrasts:
        """Make contrasts, without the directions in which neither the units nor the means differ."""
        k = s.mean.size
        basis, _ = np.linalg.qr(np.eye(k)[:, 1:] - 1 / k)
        # In units of the variance that the models' own variances give each contrast.
        value, vector = np.linalg.eigh(basis.T @ (own_variances(s)[:, None] * basis))
        from_unit = basis @ (vector * np.sqrt(value)) @ vector.T
        to_unit = basis @ (vector / np.sqrt(value)) @ vector.T
        values, vectors = np.linalg.eigh(to_unit.T @ s.m2 @ to_unit)
        values = np.where(values > ROUNDING * values.sum(), values, 0.0)
        means = vectors.T @ to_unit.T @ (s.mean - s.mean.mean())
        scale = float(np.sum(means**2)) + c * float(values.sum())
        kept = (values > 0) | (means**2 > ROUNDING * scale)
        vectors, values, means = vectors[:, kept], values[kept], means[kept]
        back = from_unit @ vectors
        return cls(
            n=s.n,
            c=c,
            even=basis @ vectors,
            back=back,
            onto=to_unit @ vectors,
            values=values,
            means=means,
            ties=_ties((back * values) @ back.T),
        )

    @property
    def centre(self) -> Floats:
        return np.asarray(self.back @ self.means)

    def noise(self, x: Floats, added: Floats) -> Floats:
        """Turn x, standard normal, into draws x models with covariance back diag(values + added) back'."""
        # The symmetric root does not change if rounding flips the sign of an eigenvector.
        if not added.any():
            return np.asarray(x @ ((self.even * np.sqrt(self.values)) @ self.back.T))
        return np.asarray(((x @ self.even) * np.sqrt(added[:, None] + self.values)) @ self.back.T)


def _ties(covariance: Floats) -> Floats:
    """A root of the ninth powers of correlations; it orders equal models at random and near copies alike.

    Element-wise powers of a correlation matrix are correlation matrices (Schur's product theorem).
    """
    own = np.diag(covariance)
    typical = float(own.mean())
    if typical == 0:
        return np.zeros_like(covariance)
    sd = np.sqrt(np.where(own > ROUNDING * typical, own, typical))
    alike = (covariance / np.outer(sd, sd)) ** _COPIES
    np.fill_diagonal(alike, 1.0)
    value, vector = np.linalg.eigh(alike)
    return np.asarray(np.sqrt(typical) * (vector * np.sqrt(np.maximum(value, 0.0))) @ vector.T)


def own_variances(s: CrossSums) -> Floats:
    """The variance of each model's scores beyond what all models share, shrunk toward the models' mean."""
    k, m = s.mean.size, s.n - 1
    centred = s.m2 - s.m2.mean(axis=0)
    own = np.diag(centred - centred.mean(axis=1, keepdims=True)) / m
    typical = float(own.sum()) / (k - 1)
    if typical <= 0 or k == 2:
        return np.ones(k)
    # With independent effects of variance d_j, the residual of model j has d_j (1 - 2/k) + mean(d)/k.
    each = (own - typical / k) / (1 - 2 / k)
    return np.asarray(np.maximum((m * each + _LEANS * typical) / (m + _LEANS), 0.05 * typical)) / typical
