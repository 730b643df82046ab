"""The McNemar test on the scale people think in: the difference of two accuracies."""

from __future__ import annotations

from ropewalk.bayes.prior import positive
from ropewalk.posterior import ProportionDifference
from ropewalk.sums import whole


def accuracy_difference(
    n00: int,
    n01: int,
    n10: int,
    n11: int,
    *,
    prior: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0),
) -> ProportionDifference:
    """Posterior of accuracy(A) - accuracy(B) on the same examples.

    Parameters
    ----------
    n00 : int
        Number of examples that both got wrong.
    n01 : int
        Number of examples that A got wrong and B right.
    n10 : int
        Number of examples that A got right and B wrong.
    n11 : int
        Number of examples that both got right.
    prior : tuple of four floats, optional
        Prior counts of the four outcomes, in the order n00, n01, n10, n11.

    Returns
    -------
    ProportionDifference
        Posterior of the difference of two proportions.

    Notes
    -----
    Formula::

        (theta00, theta01, theta10, theta11) ~ Dirichlet(prior + n), advantage = theta10 - theta01
        = T (1 - 2 phi), with T = theta01 + theta10 and phi as in `mcnemar`, independent of each other.
        The first digit is A, the second B; 0 = wrong, 1 = right.

    Assumes
        independent examples, each right or wrong; the two models are fixed.

    Not for
        the same cases as `mcnemar`.

    References
    ----------
    .. [1] Lacoste, Laviolette & Marchand 2012, sec. 4, for the Dirichlet over the table of outcomes.

    Examples
    --------
    >>> accuracy_difference(54, 159, 198, 589).mean
    0.0388...
    """
    whole(n00=n00, n01=n01, n10=n10, n11=n11)
    positive(n00=prior[0], n01=prior[1], n10=prior[2], n11=prior[3])
    return ProportionDifference(a01=prior[1] + n01, a10=prior[2] + n10, same=prior[0] + n00 + prior[3] + n11)
