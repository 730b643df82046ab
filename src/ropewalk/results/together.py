"""Claims about all pairs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.comparison import Comparison

_FALSE = 0.05  # accepted share of false claims


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """Claims about all pairs together.

    Parameters
    ----------
    settled : int
        Number of verdicts that can be claimed together with at most `rate` of them expected to be false.
    pooled : bool
        Whether that treats the models as drawn from one population.
    tests : int
        Number of classical tests.
    held : int
        Number of p-values that stay significant at that level after Holm's correction.
    rate : float, default 0.05
        Rate of false claims.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = {"a": [1, 1, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1, 0], "c": [0, 0, 0, 1, 1, 0]}
    >>> rw.compare(scores, rope=0.1).together.settled
    0
    """

    settled: int
    pooled: bool
    tests: int
    held: int
    rate: float = _FALSE

    @classmethod
    def of(cls, answers: Sequence[Comparison], board: Leaderboard | None) -> Together:
        """From the answers of a report and its leaderboard.

        Parameters
        ----------
        answers : sequence of Comparison
            One for each pair.
        board : Leaderboard or None
            The joint posterior of all models, where there is one.

        Returns
        -------
        Together
            What can be claimed.
        """
        from ropewalk.decide import false_discovery
        from ropewalk.nhst import adjust

        decided = [c for c in answers if c.verdict.name != "undecided"]
        pooled = board is not None and board.posterior.pulled > 0
        if board is not None and pooled:
            at = {name: i for i, name in enumerate(board.names)}
            three = {"better": board.together[0], "equivalent": board.together[1], "worse": board.together[2]}
            errors = [1 - float(three[c.verdict.name][at[c.a], at[c.b]]) for c in decided]
        else:
            errors = [1 - max(c.verdict.better, c.verdict.equivalent, c.verdict.worse) for c in decided]
        tests = [c.classical[0].p_value for c in answers if c.classical]
        return cls(
            settled=len(false_discovery(errors, q=_FALSE).claims),
            pooled=pooled,
            tests=len(tests),
            held=int(sum(p <= _FALSE for p in adjust(tests, method="holm"))) if tests else 0,
        )
