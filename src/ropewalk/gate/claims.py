"""What each claim of a gate is read from: the posterior of the candidate's advantage, on the safe side."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ropewalk.errors import DataError
from ropewalk.posterior import DirichletRegions, Posterior, ProportionDifference, WeightedRegions
from ropewalk.results.comparison import Outcomes

if TYPE_CHECKING:
    from ropewalk.results import Comparison

_NONE = 1e-9  # counts of a Dirichlet distribution are positive; so few are none


def claims(c: Comparison, *, share: float = 1.0, same: bool = False) -> tuple[Posterior, Posterior]:
    """The posterior for the claim that the candidate is not worse, and the one for the claim that it is.

    Formula
        right and wrong answers: (lost, won, alike) ~ Dirichlet(n01 + share, n10, n00 + n11) for "not worse",
        and Dirichlet(n01, n10 + share, n00 + n11) for "worse"; advantage = won - lost. The first digit is the
        candidate. Anything else: the posterior of the comparison, for both claims.
    Assumes
        independent examples. As if one more example had spoken against the claim, which is Clopper and
        Pearson's bound where one of the counts is 0: with a flat prior a candidate that is worse by exactly
        the margin passes in up to 9 % of cases at 0.95 (4 losses expected, no wins), with this in no more
        than 5 %. A mean over T tasks shares that one example: share = 1/T.
    Not for
        a comparison, which has one posterior for all three of its answers.
    Reference
        Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.

    `same` says that both sides are the same files: then what is identical is known to be the same model.
    """
    if isinstance(c.posterior, (DirichletRegions, WeightedRegions)):
        raise DataError(
            "every task has one unit only, which says nothing about the spread within a task",
            hint="Give more examples of each task.",
        )
    if same or not isinstance(c.evidence, Outcomes):
        posterior = cast("Posterior", c.posterior)  # methods over one task have no other kind
        return posterior, posterior
    return on_counts(c.evidence.n01, c.evidence.n10, c.evidence.n00 + c.evidence.n11, share=share)


def on_counts(lost: int, won: int, alike: int, *, share: float = 1.0) -> tuple[Posterior, Posterior]:
    """The same of right and wrong answers that were counted.

    >>> lower, upper = on_counts(0, 0, 299)  # the rule of three: not worse by more than 1 %
    >>> round(float(lower.sf(-0.01)), 3)
    0.95
    """
    same = max(alike, 1)
    return (
        ProportionDifference(a01=lost + share, a10=max(won, _NONE), same=same),
        ProportionDifference(a01=max(lost, _NONE), a10=won + share, same=same),
    )
