"""Whether a higher score is better, and how that is known, for every reader and command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ropewalk.data.metrics import direction
from ropewalk.errors import OptionError, short
from ropewalk.metrics import Metric

Source: TypeAlias = Literal["given", "log", "name", "columns", "score", "right or wrong", "unknown"]

# Names that mean just "score". By scikit-learn's convention a higher score is better.
_SCORE = frozenset(["score", "scores", "testscore", "meanscore", "meantestscore", "finalscore"])
_SAY = "--higher-is-better or --lower-is-better (higher_is_better=)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Whether higher is better, and how that is known.

    Parameters
    ----------
    higher : bool
        Whether a higher score is better.
    source : str
        Where that comes from.
    name : str, default ""
        Name of the scores; "" if they have none.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.read({"a": [0.5, 0.7], "b": [0.4, 0.9]}, higher_is_better=False).way.higher
    False
    """

    higher: bool
    source: Source
    name: str = ""

    @property
    def is_known(self) -> bool:
        """Whether something says so; otherwise it is an assumption that could reverse the answer."""
        return self.source != "unknown"

    @property
    def note(self) -> str:
        """One line for the audit."""
        why = {
            "given": "set by you",
            "log": f"as the log says of `{short(self.name)}`",
            "name": f"from the name `{short(self.name)}`",
            "columns": f"from names such as `{short(self.name)}`",
            "score": f"from the name `{short(self.name)}`, by convention",
            "right or wrong": "1 is read as right, 0 as wrong",
            "unknown": f"assumed; the name `{short(self.name)}` does not say" if self.name else "assumed",
        }  # fmt: skip
        return f"{'higher' if self.higher else 'lower'} is better ({why[self.source]})"

    @property
    def caution(self) -> tuple[str, ...]:
        """The caution before the result."""
        if self.source == "unknown":
            return (f"it is not clear whether {self._called} is better; assuming it is. Set {_SAY}.",)
        if self.source == "columns" and not self.higher:
            return (
                f"lower is assumed to be better because of names such as `{short(self.name)}`; if these are "
                f"names of models, set {_SAY}.",
            )
        return ()

    @property
    def _called(self) -> str:
        return f"a higher `{short(self.name)}`" if self.name else "a higher score"

    def refuse(self) -> None:
        """Raise an error unless the direction is known: a gate does not guess.

        Raises
        ------
        OptionError
            If nothing says whether higher is better.
        """
        if not self.is_known:
            raise OptionError(
                f"it is not clear whether {self._called} is better",
                hint="Set --lower-is-better or --higher-is-better (higher_is_better=False or True). A "
                "gate does not guess.",
            )


def way_of_metric(metric: Metric, given: bool | None = None) -> tuple[Metric, Way | None]:
    """Return a metric with its direction and the source of it; None if its author stated the direction."""
    if metric.direction_known:
        return metric, None
    way = way_of(metric.name, given=given)
    return replace(metric, higher_is_better=way.higher, direction_known=way.is_known), way


def way_of(
    metric: str,
    *,
    models: Sequence[str] = (),
    given: bool | None = None,
    told: bool | None = None,
    right_or_wrong: bool = False,
) -> Way:
    """The direction of a metric.

    Parameters
    ----------
    metric : str
        Name of the scores; "" if they have none, as in a dict or a table with one column per model.
    models : sequence of str
        The names of the columns that hold the models: `svm_loss` and `forest_loss` say it themselves.
    given, told : bool, optional
        Whether higher is better as the user gave it, and as a log says of its metric.
    right_or_wrong : bool
        Whether every score is 0 or 1. Without a name, 1 is right.
    """
    if given is not None:
        return Way(higher=given, source="given", name=metric)
    if told is not None:
        return Way(higher=told, source="log", name=metric)
    known = direction(metric)
    if known is not None:
        return Way(higher=known, source="name", name=metric)
    ways = {direction(m) for m in models}
    if ways in ({True}, {False}):
        return Way(higher=True in ways, source="columns", name=models[0])
    if "".join(c for c in metric.lower() if c.isalnum()) in _SCORE:
        return Way(higher=True, source="score", name=metric)
    if right_or_wrong and not metric:
        return Way(higher=True, source="right or wrong")
    return Way(higher=True, source="unknown", name=metric)
