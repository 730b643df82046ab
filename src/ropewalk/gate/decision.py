"""Posteriors -> rows -> one decision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ropewalk.assurance import rounded
from ropewalk.errors import short
from ropewalk.gate.more import MOST, Levels, how_many_more
from ropewalk.results.formatting import on_its_side

if TYPE_CHECKING:
    from ropewalk.data import Audit
    from ropewalk.gate.claims import GateClaims
    from ropewalk.gate.ledger import Looks
    from ropewalk.gate.policy import Policy

_NAMED = 3  # number of tasks named in the sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a gate: is the candidate worse than the baseline by more than the margin?

    Parameters
    ----------
    task : str or None
        The task; None for all of them.
    name : {"not worse", "worse", "undecided"}
        What was decided.
    required : bool
        Whether a pass needs this row to be decided.
    n, unit : int, str
        Number of units, and what a unit is.
    advantage : float
        Observed advantage of the candidate.
    low, high : float
        Bounds of the advantage; `low` lies above -margin exactly where the row is decided as not worse.
    margin : float
        How much worse the candidate may be.
    p_worse, p_not_worse : float
        Probabilities that it is worse by more than the margin, and that it is not.
    passes_from, fails_from : float
        Probabilities from which the row is called not worse, and worse.
    more : int or None
        Number of further units that would decide an undecided row; None where none would.
    what : str
        What these units are.
    exact : bool, default False
        Whether `more` is the exact number of further units on which both sides agree, as they did so far.
    refused : str, default ""
        Why nothing is claimed, where there are too few data for the method that they need.

    Examples
    --------
    >>> import ropewalk as rw
    >>> decision = rw.gate([1.0] * 300, [1.0] * 200 + [0.0] * 100, margin=0.01)
    >>> decision.overall.name
    'worse'
    """

    task: str | None
    name: Literal["not worse", "worse", "undecided"]
    required: bool
    n: int
    unit: str
    advantage: float
    low: float
    high: float
    margin: float
    p_worse: float
    p_not_worse: float
    passes_from: float
    fails_from: float
    more: int | None
    what: str
    exact: bool = False
    refused: str = ""

    @classmethod
    def of(
        cls,
        task: str | None,
        claims: GateClaims,
        *,
        advantage: float,
        margin: float,
        passes_from: float,
        fails_from: float,
        required: bool,
        n: int,
        unit: str,
    ) -> Row:
        """Decide a row by the one-sided ROPE from -margin up; worse by exactly the margin is not worse.

        Parameters
        ----------
        task : str or None
            The task; None for all of them.
        claims : object
            What can be claimed of the advantage.
        advantage : float
            Observed advantage of the candidate.
        margin : float
            How much worse the candidate may be.
        passes_from, fails_from : float
            Probabilities from which the row is called not worse, and worse.
        required : bool
            Whether a pass needs this row to be decided.
        n, unit : int, str
            Number of units, and what a unit is.

        Returns
        -------
        Row
            The row.
        """
        levels = Levels(margin=margin, passes_from=passes_from, fails_from=fails_from)
        fine, worse = levels.probabilities(claims.not_worse, claims.worse)
        name = levels.name(fine, worse)
        return cls(
            task=task,
            name=name,
            required=required,
            n=n,
            unit=unit,
            advantage=advantage,
            low=float(claims.not_worse.quantile(1 - passes_from)),
            high=float(claims.worse.quantile(passes_from)),
            margin=margin,
            p_worse=worse,
            p_not_worse=fine,
            passes_from=passes_from,
            fails_from=fails_from,
            more=how_many_more(claims, levels, n) if name == "undecided" else None,
            what=claims.what,
            exact=claims.alike and claims.grown is not None,
            refused=claims.refused,
        )

    @property
    def how_many_more(self) -> str:
        """Number of further units that would decide, in words."""
        if self.more is None:
            return "more data alone are unlikely to decide it"
        if self.refused:
            return f"at least {self.more:,} more {self.unit}s that vary are needed"
        if self.exact:
            return f"{self.more:,} more {self.unit}s without a difference would decide it"
        return f"about {rounded(self.more):,} more {self.unit}s would decide it"

    def worse_text(self, digits: int = 3) -> str:
        """Probability that the candidate is worse as text, never rounded up to `fails_from`.

        Parameters
        ----------
        digits : int, default 3
            Digits after the decimal point.

        Returns
        -------
        str
            The probability.
        """
        return _cut(self.p_worse, self.fails_from, digits)

    def not_worse_text(self, digits: int = 3) -> str:
        """Probability that it is not worse as text, never rounded up to `passes_from`.

        Parameters
        ----------
        digits : int, default 3
            Digits after the decimal point.

        Returns
        -------
        str
            The probability.
        """
        return _cut(self.p_not_worse, self.passes_from, digits)

    @property
    def called(self) -> str:
        """Name of the row: its task, or "overall"."""
        return "overall" if self.task is None else f"on `{short(self.task)}`"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decision:
    """Decision of a gate: pass, fail or undecided, with the reason.

    Parameters
    ----------
    name : {"pass", "fail", "undecided"}
        The decision.
    reason : str
        The reason in one line.
    decided_by : tuple of Row
        Rows that decided.
    overall : Row or None
        Row over all tasks; None where the tasks have different metrics, over which there is no mean.
    tasks : tuple of Row
        One row for each task.
    missing : tuple of str
        Tasks of the baseline that the candidate was not run on, and that count: as wrong, or because the
        policy requires them.
    policy : Policy
        What the gate accepts.
    looks : Looks or None
        How often the test set was used.
    metric : str
        What was measured.
    audit : Audit
        What happened while the data were read.
    warnings : tuple of str
        What to look at before believing the decision.
    seed : int
        Random seed.
    asks : {"these", "average", "these and average"}, optional
        What the row over several tasks is about.

    See Also
    --------
    ropewalk.gate : Makes decisions.

    Examples
    --------
    >>> import ropewalk as rw
    >>> decision = rw.gate([1, 0, 1] * 100, [1, 0, 1] * 100, margin=0.01)
    >>> decision.name, decision.exit_code
    ('pass', 0)
    """

    name: Literal["pass", "fail", "undecided"]
    reason: str
    decided_by: tuple[Row, ...]
    overall: Row | None
    tasks: tuple[Row, ...]
    missing: tuple[str, ...]
    policy: Policy
    looks: Looks | None
    metric: str
    audit: Audit
    warnings: tuple[str, ...]
    seed: int
    asks: str | None = None

    def __repr__(self) -> str:
        return f"<ropewalk gate: {self.name}: {self.reason}>"

    @property
    def exit_code(self) -> int:
        """0 for pass, 1 for fail, 2 for undecided, which the policy may turn into one of the others.

        A task that the candidate was not run on is never counted as a pass.
        """
        settled = self.policy.on_undecided if self.name == "undecided" else self.name
        if settled == "pass" and self.missing:
            settled = None
        return {"pass": 0, "fail": 1, None: 2}[settled]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows: overall first, then the tasks."""
        return (*(() if self.overall is None else (self.overall,)), *self.tasks)

    @property
    def more(self) -> Row | None:
        """Row whose decision takes the most further units, of those that the gate waits for."""
        waiting = [r for r in self.decided_by if r.more is not None] if self.name == "undecided" else []
        return max(waiting, key=lambda r: r.more or 0, default=None)


def decide(
    overall: Row | None, tasks: tuple[Row, ...], missing: tuple[str, ...]
) -> tuple[Literal["pass", "fail", "undecided"], tuple[Row, ...], str]:
    """Return the decision, the rows that made it, and the reason.

    Fail: a row is worse. Pass: every required row is not worse, and no task is missing.
    """
    rows = (*(() if overall is None else (overall,)), *tasks)
    worse = tuple(r for r in rows if r.name == "worse")
    if worse:
        return "fail", worse, _fail(worse, tasks)
    waiting = tuple(r for r in rows if r.required and r.name == "undecided")
    if waiting or missing:
        return "undecided", waiting, _undecided(waiting, missing)
    required = tuple(r for r in rows if r.required)
    return "pass", required, _pass(required, tasks)


def _fail(worse: tuple[Row, ...], tasks: tuple[Row, ...]) -> str:
    on_tasks = [r for r in worse if r.task is not None] or list(worse)
    # Name a task first if there is one: it is more specific than the mean over all.
    said = ", ".join(
        f"{r.called if tasks else ''} by {-r.advantage:.3g} (probability {r.worse_text()})"
        for r in sorted(on_tasks, key=lambda r: r.advantage + r.margin)[:_NAMED]
    )
    if len(on_tasks) > _NAMED:
        said += f" and {len(on_tasks) - _NAMED} more tasks"
    if len(on_tasks) < len(worse) and len(tasks) > 1:
        said += ", and overall"
    others = len(tasks) - len([r for r in worse if r.task is not None])
    fine = sum(r.name == "not worse" for r in tasks)
    left = others - fine
    tail = f"; {fine} of {others} other task{'' if others == 1 else 's'} not worse" if others else ""
    if left:
        tail += f", {left} undecided"
    if others and not fine:
        tail = "; the other task is undecided" if others == 1 else f"; the other {others} tasks are undecided"
    return f"candidate is worse {said.strip()}{tail}"


def _pass(required: tuple[Row, ...], tasks: tuple[Row, ...]) -> str:
    least = min(required, key=lambda r: r.p_not_worse)
    where = "" if len(tasks) <= 1 else f" {least.called}"
    said = (
        f"candidate is not worse{where} by more than {least.margin:g} (probability {least.not_worse_text()})"
    )
    if len(tasks) > 1:
        said += f"; {sum(r.name == 'not worse' for r in tasks)} of {len(tasks)} tasks not worse"
        left = sum(r.name == "undecided" for r in tasks)
        said += f", {left} undecided" if left else ""
    return said


def _undecided(waiting: tuple[Row, ...], missing: tuple[str, ...]) -> str:
    if missing:
        named = ", ".join(f"`{short(t)}`" for t in missing[:_NAMED])
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        return f"candidate was not run on {named}{more}, which never passes"
    least = min(waiting, key=lambda r: r.p_not_worse)
    where = "" if len(waiting) == 1 and least.task is None else f" {least.called}"
    said = f"the data do not show whether the candidate is worse{where} by more than {least.margin:g}"
    if least.refused:
        return f"{said}; {least.refused}"
    # Show both, because those from bounds do not add up to 1: 0.000 for worse does not imply not worse.
    said += f" (probability {least.worse_text()} that it is, {least.not_worse_text()} that it is not)"
    longest = max(waiting, key=lambda r: r.more or MOST)
    return f"{said}; {longest.how_many_more}"


def _cut(p: float, least: float, digits: int) -> str:
    """Write this number of digits, truncated instead of rounded, or more if `least` has more.

    >>> _cut(0.9497, 0.95, 3), _cut(0.98338, 1 - 0.05 / 3, 3)
    ('0.949', '0.98338')
    """
    return on_its_side(p, least, lambda d: f"{math.floor(p * 10**d) / 10**d:.{d}f}", digits)
