"""The Poisson-binomial test: many tasks, each of which says how probably A is better."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from ropewalk.bayes.prior import positive
from ropewalk.errors import CellError, DataError
from ropewalk.posterior.base import Floats
from ropewalk.sums import numeric

_FEW = 200  # up to this number of tasks the recursion is as fast as the transforms


def poisson_binomial(p: ArrayLike, *, prior: tuple[float, float] = (1.0, 1.0)) -> float:
    """Probability that A beats B on more than half of all tasks of a context, from Pr(A better) on some.

    Parameters
    ----------
    p : array_like
        Probability on each task that A is better.
    prior : pair of float, optional
        Parameters of the Beta prior of the share of tasks on which A is better.

    Returns
    -------
    float
        Probability that A is better on more than half of the tasks of this kind.

    Notes
    -----
    Formula::

        r is the share of tasks on which A is better, r ~ Beta(prior_A, prior_B). With k wins in N tasks
        Pr(A better) = Σ_k Pr(k | p) Pr(r > 1/2 | k), r | k ~ Beta(prior_A + k, prior_B + N - k), and
        Pr(k | p) is the Poisson-binomial distribution of the number of wins (`wins`).

    Assumes
        tasks drawn independently from the context, p_i = Pr(A better than B on task i) from any posterior.
        Nothing about the scale of the scores: the tasks may be incommensurate.

    Not for
        scores on the same scale, where the size of the advantages says more (use `hierarchical_t` or
        `hierarchical_mcnemar`); ranking several models without checking for cycles (use
        `poisson_binomial_matrix`).

    No task borrows information from the others, and an undecided task counts as about half a win. If all
    tasks are undecided, A is hardly ever called better. If A's wins are clear but its losses are not, A is
    called better too often: when A is in truth better on half of the tasks, in 12% of cases with 10 tasks and
    in 39% with 30, at a threshold of 0.95 (simulated).

    References
    ----------
    .. [1] Lacoste, Laviolette & Marchand 2012, Bayesian Comparison of Machine Learning Algorithms on
       Single and Multiple Datasets, sec. 5 (proceedings.mlr.press/v22/lacoste12.html).

    Examples
    --------
    >>> round(poisson_binomial([0.9, 0.8, 0.6, 0.95]), 3)
    0.827
    """
    positive(A=prior[0], B=prior[1])
    return _more_than_half(_probabilities(p, dimensions=1), prior)


def wins(p: ArrayLike) -> Floats:
    """Pr(A wins on k of the N tasks) for k = 0 ... N, when it wins on task i with probability p_i.

    For few tasks, by the recursion q_i(k) = p_i q_{i-1}(k-1) + (1 - p_i) q_{i-1}(k); for many, by multiplying
    the polynomials (1 - p_i) + p_i z in pairs with fast Fourier transforms, to an absolute error of 1e-15.

    >>> wins([0.5, 0.5])
    array([0.25, 0.5 , 0.25])
    """
    probabilities = _probabilities(p, dimensions=1)
    return _by_recursion(probabilities) if probabilities.size <= _FEW else _by_transforms(probabilities)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoissonBinomialMatrix:
    """Probability that one model is better than another in the context, for all pairs.

    `poisson_binomial_matrix` makes it.

    Parameters
    ----------
    matrix : ndarray
        Pr(row better than column), 1/2 on the diagonal. The relation need not be transitive.
    cycles : tuple of tuple of int
        For every model that is on one, a shortest cycle of models each of which probably beats the next, and
        the last one the first. With any the matrix gives no order of the models.

    See Also
    --------
    ropewalk.bayes.poisson_binomial_matrix : Makes it.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk import bayes
    >>> better = np.array([[[0.5, 0.9], [0.1, 0.5]], [[0.5, 0.8], [0.2, 0.5]]])
    >>> bayes.poisson_binomial_matrix(better).cycles
    ()
    """

    matrix: Floats
    cycles: tuple[tuple[int, ...], ...]


def poisson_binomial_matrix(p: ArrayLike, *, prior: float = 1.0) -> PoissonBinomialMatrix:
    """The Poisson-binomial test for every pair of models, p[i, a, b] = Pr(a better than b on task i).

    Parameters
    ----------
    p : array_like, tasks x models x models
        Probability that the first model is better than the second on the task.
    prior : float, default 1.0
        Both parameters of the Beta prior of the share of tasks.

    Returns
    -------
    PoissonBinomialMatrix
        The probability for every pair, and the cycles among them.

    Notes
    -----
    Formula::

        `poisson_binomial` of p[:, a, b] with the prior Beta(prior, prior); p[i, a, b] + p[i, b, a] = 1.

    Assumes
        what `poisson_binomial` does, for every pair.

    Not for
        an order of the models while there are cycles.

    References
    ----------
    .. [1] Lacoste, Laviolette & Marchand 2012, sec. 5.1 (proceedings.mlr.press/v22/lacoste12.html).

    Examples
    --------
    >>> import numpy as np
    >>> risk = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]])  # tasks x models
    >>> better = (risk[:, :, None] < risk[:, None, :]) + 0.5 * np.eye(3)
    >>> poisson_binomial_matrix(better).cycles  # each beats the next, and the last the first
    ((0, 1, 2),)
    """
    positive(prior=prior)
    each = _probabilities(p, dimensions=3)
    models = each.shape[1]
    if each.shape[2] != models:
        raise DataError(
            f"p has {models} rows and {each.shape[2]} columns of models",
            hint="Give p[task, a, b], models x models.",
        )
    off = ~np.eye(models, dtype=np.bool_)
    odd = np.argwhere((np.abs(each + each.transpose(0, 2, 1) - 1) > 1e-6) & off)
    if odd.size:
        raise CellError(
            "p[task, a, b] and p[task, b, a] do not add up to one",
            where=[
                f"task {i}, models {a} and {b}: {each[i, a, b]:g} + {each[i, b, a]:g}"
                for i, a, b in odd[:5]
                if a < b
            ],
            hint="Split the probability of a tie between the two models.",
        )
    matrix = np.full((models, models), 0.5)
    for a in range(models):
        for b in range(a + 1, models):
            matrix[a, b] = _more_than_half(each[:, a, b], (prior, prior))
            matrix[b, a] = 1 - matrix[a, b]
    return PoissonBinomialMatrix(matrix=matrix, cycles=_cycles(matrix > 0.5))


def _probabilities(p: ArrayLike, *, dimensions: int) -> Floats:
    values = numeric(p, "p is not made of numbers", "Give the probability that A is better on each task.")
    if values.ndim != dimensions or values.size == 0:
        raise DataError(
            f"p has the shape {values.shape}",
            hint="Give one probability per task." if dimensions == 1 else "Give p[task, a, b].",
        )
    bad = np.argwhere(~((values >= 0) & (values <= 1)))
    if bad.size:
        raise CellError(
            f"{len(bad)} of {values.size} values of p are not probabilities",
            where=[f"position {', '.join(map(str, at))}: {values[tuple(at)]:g}" for at in bad[:5]],
            hint="A probability must be between 0 and 1.",
        )
    return values


def _more_than_half(p: Floats, prior: tuple[float, float]) -> float:
    """Σ_k Pr(k) Pr(r > 1/2 | k); Pr(Beta(a, b) > 1/2) = Pr(Beta(b, a) < 1/2)."""
    k = np.arange(p.size + 1)
    above = betainc(prior[1] + p.size - k, prior[0] + k, 0.5)
    return float(min(wins(p) @ above, 1.0))


def _by_recursion(p: Floats) -> Floats:
    q = np.ones(1)
    for each in p:
        q = np.append(q * (1 - each), 0.0) + np.append(0.0, q * each)
    return q


def _by_transforms(p: Floats) -> Floats:
    """Multiply polynomials (rows) pair by pair, padded to a power of two with tasks that are never won."""
    n = p.size
    p = np.pad(p, (0, (1 << (n - 1).bit_length()) - n))
    rows = np.stack([1 - p, p], axis=1)
    while len(rows) > 1:
        length = 2 * rows.shape[1]  # one more than the product needs
        product = np.fft.rfft(rows[0::2], length) * np.fft.rfft(rows[1::2], length)
        rows = np.fft.irfft(product, length)[:, : length - 1]
    q = np.maximum(rows[0, : n + 1], 0.0)  # rounding leaves -1e-17 in place of 0
    return np.asarray(q / q.sum())


def _cycles(beats: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[tuple[int, ...], ...]:
    """A shortest cycle through each model that is on one, without repeats, starting at its smallest index."""
    found = set()
    for start in range(len(beats)):
        came_from = {start: start}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            if beats[at, start]:
                path = [at]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                path.reverse()
                first = path.index(min(path))
                found.add(tuple(path[first:] + path[:first]))
                break
            for to in np.flatnonzero(beats[at]).tolist():
                if to not in came_from:
                    came_from[to] = at
                    queue.append(to)
    return tuple(sorted(found))
