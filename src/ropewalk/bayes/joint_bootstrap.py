"""The Bayesian bootstrap of many models at once: a joint posterior for any metric of a set of predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.bootstrap import BootstrapPosterior, advantage, weighted
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.errors import DataError, MethodError
from ropewalk.metrics.metric import Metric
from ropewalk.metrics.resample import Resampled
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import JointPosterior


@dataclass(frozen=True, kw_only=True, eq=False)
class JointBootstrap(JointPosterior):
    """Joint draws of the models' metric; higher is better.

    `joint_bootstrap` makes it.

    Parameters
    ----------
    draws, mean, model, why, effective_size, pulled, own, order, checks : see JointPosterior
        As for every joint posterior.
    values : ndarray
        Metric of each model on the data as they are.
    units : int
        Number of rows or clusters that had weights.
    undefined : int
        Number of draws that were left out, because the metric of some model was not defined.
    models : object
        Models, prepared for the metric.
    every : ndarray
        Draws x models in the direction of the metric, NaN where it is not defined.

    See Also
    --------
    ropewalk.bayes.joint_bootstrap : Makes it.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> said = {"svm": [1.1, 2.1, 3.0], "tree": [1.5, 2.2, 3.9], "mean": [2.0, 2.0, 2.0]}
    >>> fitted = bayes.joint_bootstrap("mae", [1.0, 2.0, 3.0], said, draws=500)
    >>> fitted.values.round(3)
    array([0.067, 0.533, 0.667])
    """

    values: Floats
    units: int
    undefined: int
    models: Resampled = field(repr=False)
    every: Floats = field(repr=False)

    def pair(self, i: int, j: int) -> BootstrapPosterior:
        """Posterior of the advantage of model i over model j, as `bootstrap` has it, draw by draw.

        Parameters
        ----------
        i, j : int
            Numbers of the two models.

        Returns
        -------
        BootstrapPosterior
            It leaves out only the draws that are not defined for these two.
        """
        return advantage(self.models, self.every, self._column(i), self._column(j))

    @property
    def sums(self) -> CrossSums:
        """Sums of independent units whose means are the metric and that vary together as the draws do.

        They carry the uncertainty within a task to `joint_tasks`.
        """
        n = self.units
        sign = 1.0 if self.models.metric.higher_is_better else -1.0
        return CrossSums(n=n, mean=sign * self.values, m2=np.cov(self.draws, rowvar=False) * n * (n - 1))


def joint_bootstrap(
    metric: str | Metric | Callable[[Any, Any, Any], float],
    y: Any,
    predictions: Mapping[str, Any],
    *,
    clusters: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    values: Sequence[float] | None = None,
    draws: int = 4000,
    rng: int | np.random.Generator = 0,
) -> JointBootstrap:
    """Joint posterior of many models by a metric of the whole set, such as AUROC or F1.

    Parameters
    ----------
    metric : str, Metric or callable
        Name of a metric (`ropewalk metrics` lists them), or a function (y, prediction, weights) -> float
        that returns a higher value for a better model.
    y : array_like
        Truth of each row. With two classes, the second in sorted order is the positive one.
    predictions : mapping
        Predictions of each model by its name, on the same rows.
    clusters : array_like, optional
        Cluster of each row, if rows belong together. Each cluster then counts as one unit.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.
    values : sequence of float, optional
        More exact values of the metric for each model, if the rows are bins of scores.
    draws : int, default 4000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    JointBootstrap
        Joint draws of the metric of all models.

    Notes
    -----
    Formula::

        w ~ Dirichlet(1, ..., 1) over the n units, mu_j = metric(y, prediction_j, w), or minus that where
        lower is better, with the same w for all models. The difference of two columns of the draws is what
        `bootstrap` draws for these two models, with the same seed.

    Assumes
        independent units, such as examples, or `clusters` of rows that belong together; all models on the
        same rows.

    Not for
        fewer than about 20 units, or fewer than 20 of one class; the mean of a score per example, for which
        `joint` needs no sampling of weights; many tasks (pass the `sums` of each task to `joint_tasks`).

    The draws of a model depend only on its own predictions and on the seed: adding a model, or reordering the
    models, does not change those of the others. This is not so with `counts`, because which rows are
    identical depends on all models.

    References
    ----------
    .. [1] Rubin 1981, doi:10.1214/aos/1176345338.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> said = {"svm": [1, 2, 3, 4, 3, 5, 6, 7] * 10, "tree": [1, 2, 3, 4, 2, 1, 5, 6] * 10, "coin": [0] * 80}
    >>> fitted = joint_bootstrap("auroc", y, said)
    >>> fitted.values, fitted.p_best.round(2)
    (array([0.90625, 0.625  , 0.5    ]), array([1., 0., 0.]))
    """
    if len(predictions) < 2:
        raise DataError("predictions of at least 2 models are needed", hint="Give {name: predictions, ...}.")
    named = {f"model {name}": said for name, said in predictions.items()}
    models = Resampled.of(metric, y, named, clusters, counts, values)
    every = weighted(models, draws, rng)
    defined = np.isfinite(every).all(axis=1)
    if defined.sum() < 2:
        raise MethodError(
            f"{models.metric.name} is not defined for all {len(predictions)} models in any of {draws:,} "
            "draws",
            hint="Compare them pair by pair, or remove the model for which it is not defined.",
        )
    upward = every[defined] if models.metric.higher_is_better else -every[defined]
    known = np.array(models.values)
    return JointBootstrap(
        draws=upward,
        mean=known if models.metric.higher_is_better else -known,
        model="bootstrap",
        why=f"{models.metric.name} is computed on the whole set, with the same weights for all models",
        effective_size=float(len(upward)),
        values=known,
        units=models.units,
        undefined=int(np.sum(~defined)),
        models=models,
        every=every,
    )
