"""Units that one model lacks: left out silently, with a warning, or refused, depending on their number."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ropewalk.data.audit import Audit
from ropewalk.errors import DataError, OptionError, listed, short

Missing: TypeAlias = Literal["drop", "worst"]
MISSING: tuple[Missing, ...] = ("drop", "worst")

WARN_ABOVE, REFUSE_ABOVE = 0.01, 0.20  # shares of the units that at least one model has

_BOTH = (
    'Leave them out: --missing drop (missing="drop"). If a model failed on them, count them as wrong:\n'
    '--missing worst (missing="worst").'
)


def check_missing(missing: object) -> None:
    """Raise an error for an option that is neither "drop" nor "worst"."""
    if missing is not None and missing not in MISSING:
        raise OptionError(
            f"missing is {missing!r}",
            hint='Use "drop" to leave out units that a model lacks, or "worst" to count them as wrong.',
        )


def covered(audit: Audit, missing: Missing | None) -> Audit:
    """Check the units that were left out: a caution above 1%, an error above 20%.

    >>> from ropewalk.data import Dropped
    >>> covered(Audit(paired=95, dropped=(Dropped(reason="only in a.csv", units=5),)), None).cautions
    ('5 of 100 units (5%) were left out because a model lacks them: 5 only in a.csv. If ...
    """
    lost = audit.unpaired
    if not lost:
        return audit
    total = audit.paired + lost
    share = lost / total
    if share > REFUSE_ABOVE and missing is None:
        raise DataError(
            f"{lost:,} of {total:,} units ({share:.0%}) lack a result from at least one model",
            where=_reasons(audit),
            hint=f"A model that fails on hard inputs looks better without them.\n{_BOTH}",
        )
    if share <= WARN_ABOVE:
        return audit
    advice = (
        " If it failed on them, it looks better than it is: "
        '--missing worst (missing="worst") counts them as wrong.'
    )
    return audit.cautioned(
        f"{lost:,} of {total:,} units ({share:.0%}) were left out because a model lacks them: "
        f"{'; '.join(_reasons(audit))}.{'' if missing == 'worst' else advice}"
    )


def refuse_uncovered(audit: Audit, missing: Missing | None) -> None:
    """Refuse a gate that would leave units out without being told to."""
    lost = audit.unpaired
    if lost and missing is None:
        total = audit.paired + lost
        not_run = [f"{short(m)} was not run on {listed(tasks)}" for m, tasks in audit.not_run.items()]
        raise OptionError(
            f"{lost:,} of {total:,} units ({_percent(lost / total)}) lack a result from one of the models",
            where=[*_reasons(audit), *not_run],
            hint=f"A candidate that fails on hard inputs would pass without them.\n{_BOTH}",
        )


def _percent(share: float) -> str:
    """Format a share above zero in percent.

    >>> _percent(0.5), _percent(0.005), _percent(0.0001)
    ('50%', '0.5%', 'less than 0.1%')
    """
    if share < 0.001:
        return "less than 0.1%"
    return f"{share:.0%}" if share >= 0.01 else f"{100 * share:.1g}%"


def _reasons(audit: Audit) -> list[str]:
    return [f"{d.units:,} {short(d.reason, 120)}" for d in audit.dropped if d.unpaired]
