"""The policy of a gate: margins, the required probability, the tasks that must not regress."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.read.content import toml

_TABLE = "[tool.ropewalk.gate]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Conditions under which a candidate passes.

    Parameters
    ----------
    margin : float
        How much worse the candidate may be, in score units.
    probability : float, default 0.95
        Probability that a claim needs.
    on_undecided : {"pass", "fail"}, optional
        What an undecided gate becomes. By default it stays undecided.
    margins : dict, optional
        Margins of single tasks.
    must_not_regress : tuple of str or "all", default ()
        Tasks on each of which the candidate has to be shown to be not worse by more than the margin.
    bounds : (float, float), optional
        Lowest and highest score that a unit can have, such as (1, 5): with them the gate's bounds hold for
        any number of units.
    question : {"these", "average"}, optional
        Which mean over several tasks counts: that over exactly these tasks, or the average over tasks like
        these. By default a claim must hold for both.

    Raises
    ------
    OptionError
        If a value makes no sense.

    Examples
    --------
    >>> from ropewalk.gate import Policy
    >>> Policy(margin=0.01, margins={"safety": 0.0}).margin_of("safety")
    0.0
    """

    margin: float
    probability: float = 0.95
    on_undecided: Literal["pass", "fail"] | None = None
    margins: Mapping[str, float] = field(default_factory=dict)
    must_not_regress: tuple[str, ...] | Literal["all"] = ()
    bounds: tuple[float, float] | None = None
    question: Literal["these", "average"] | None = None

    def __post_init__(self) -> None:
        _check_margin(self.margin, "the margin")
        if not isinstance(self.margins, Mapping):
            raise OptionError(
                "margins is not a table of tasks", hint='Write it as margins = { "safety" = 0.0 }.'
            )
        for task, margin in self.margins.items():
            _check_margin(margin, f'the margin of task "{short(task)}"')
        p = self.probability
        if not _is_number(p) or not 0.5 < p < 1:
            raise OptionError(
                f"the probability is {short(p)}",
                hint="Give a probability above 0.5 and below 1, such as 0.95.",
            )
        if self.on_undecided not in (None, "pass", "fail"):
            raise OptionError(
                f"on_undecided is {short(self.on_undecided)}", hint='Use "pass" or "fail", or omit it.'
            )
        if self.question not in (None, "these", "average"):
            raise OptionError(
                f"the question is {short(self.question)}",
                hint='Use "these" (exactly these tasks) or "average" (tasks like these), or omit it: then '
                "the candidate has to pass for both.",
            )
        tasks = self.must_not_regress
        if tasks != "all" and (isinstance(tasks, str) or not all(isinstance(t, str) for t in _items(tasks))):
            raise OptionError(
                f"must_not_regress is {short(tasks)}",
                hint='Give a list of task names, such as ["safety"], or "all".',
            )
        if tasks != "all":
            object.__setattr__(self, "must_not_regress", tuple(tasks))  # lists are accepted too
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _checked_bounds(self.bounds))

    @classmethod
    def read(
        cls,
        path: str | Path | None = None,
        *,
        margin: float | None = None,
        probability: float | None = None,
        on_undecided: Literal["pass", "fail"] | None = None,
        margins: Mapping[str, float] | None = None,
        must_not_regress: tuple[str, ...] | Literal["all"] | None = None,
        bounds: tuple[float, float] | None = None,
        question: Literal["these", "average"] | None = None,
    ) -> Policy:
        """Read a policy from a TOML file; arguments given here override the file.

        Parameters
        ----------
        path : str or Path, optional
            The file. By default the table [tool.ropewalk.gate] of pyproject.toml in the working directory, if
            there is one.
        margin, probability, on_undecided, margins, must_not_regress, bounds, question : optional
            As for `Policy`.

        Returns
        -------
        Policy
            The policy.

        Raises
        ------
        OptionError
            If the file cannot be read, has an unknown key, or no margin is given anywhere.
        """
        given = dict(locals())
        file = Path("pyproject.toml") if path is None else Path(path)
        found = {} if path is None and not file.is_file() else _table(file, required=path is not None)
        known = [f.name for f in fields(cls)]
        for key in found:
            if key not in known:
                raise OptionError(
                    f'{file}: {_TABLE} has no key "{short(key)}"', hint=did_you_mean(key, known)
                )
        merged = {**found, **{name: given[name] for name in known if given[name] is not None}}
        if "margin" not in merged:
            raise OptionError(
                "no margin was given: how much worse may the candidate be?",
                hint=f"Give it in score units: --margin 0.01, or margin = 0.01 under {_TABLE}.",
            )
        try:
            return cls(**merged)
        except OptionError as error:
            inside = [k for k in found if given.get(k) is None]
            if not inside:
                raise
            raise OptionError(error.what, where=[f"policy: {file}"], hint=error.hint) from None

    def margin_of(self, task: str | None) -> float:
        """How much worse the candidate may be on a task.

        Parameters
        ----------
        task : str or None
            The task; None for all of them.

        Returns
        -------
        float
            The margin.
        """
        return self.margin if task is None else self.margins.get(task, self.margin)

    def requires(self, task: str) -> bool:
        """Whether a pass needs a task to be decided.

        Parameters
        ----------
        task : str
            The task.

        Returns
        -------
        bool
            True where the candidate must not regress on it.
        """
        return self.must_not_regress == "all" or task in self.must_not_regress

    @property
    def named(self) -> list[str]:
        """Tasks that the policy names."""
        return [*self.margins, *(() if self.must_not_regress == "all" else self.must_not_regress)]


def _table(file: Path, *, required: bool) -> dict[str, Any]:
    """Return the table of the gate; a file other than pyproject.toml may only hold its keys."""
    try:
        found: Any = toml(file)
    except OSError as error:
        raise OptionError(f"the policy {file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # also for numbers with thousands of digits
        raise OptionError(f"{file} is not TOML: {short(error, 200)}") from None
    whole = found
    for key in ("tool", "ropewalk", "gate"):
        found = found.get(key) if isinstance(found, dict) else None
    if found is None and required and "tool" not in whole and file.name != "pyproject.toml":
        found = whole
    if found is None and required:
        raise OptionError(f"{file} has no table {_TABLE}", hint=f"Write the policy under {_TABLE}.")
    if found is not None and not isinstance(found, dict):
        raise OptionError(f"{file}: {_TABLE} is not a table", hint=f"Write {_TABLE} and its keys below it.")
    return found or {}


def _check_margin(margin: object, what: str) -> None:
    if not _is_number(margin) or not 0 <= margin <= sys.float_info.max:  # type: ignore[operator]  # a number
        raise OptionError(
            f"{what} is {short(margin)}",
            hint="Give how much worse the candidate may be, in score units: 0.01, or 0.",
        )


def _checked_bounds(bounds: object) -> tuple[float, float]:
    both = list(bounds) if isinstance(bounds, (list, tuple)) else []
    finite = all(_is_number(b) and abs(b) <= sys.float_info.max for b in both)
    if len(both) == 2 and finite and both[0] < both[1]:
        return float(both[0]), float(both[1])
    raise OptionError(
        f"the bounds are {short(bounds)}",
        hint="Give the lowest and highest possible score, such as [0, 1] or [1, 5].",
    )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [None]
