"""Looking at data as they come in: the verdict after every batch, and the first one that decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ropewalk.assurance.curve import shares
from ropewalk.decide.rule import UNDECIDED, Rule
from ropewalk.posterior.base import Floats


class Growing(Protocol):
    """A design whose state can be carried from batch to batch."""

    def start(self, draws: int) -> Any: ...

    def grown(self, state: Any, truth: Any, more: int, rng: np.random.Generator) -> Any: ...

    def regions(self, state: Any) -> Floats: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SequentialLooks:
    """The posterior probabilities after every batch: looks x (better, equivalent, worse) x runs."""

    p: Floats
    size: int
    truth: NDArray[np.intp]  # the true region of each run

    def stopped(self, rule: Rule) -> Stopped:
        """End each run at its first decision, or undecided after the last look."""
        names = np.stack([rule(p) for p in self.p])
        decided = names < UNDECIDED
        first = np.where(decided.any(axis=0), np.argmax(decided, axis=0), len(names) - 1)
        last = names[first, np.arange(first.size)]
        ends = [_ended(names[: k + 1], self.truth) for k in range(len(names))]
        return Stopped(
            verdicts=shares(last),
            wrong=_wrong(last, self.truth),
            units=float(self.size * (1 + first).mean()),
            once=shares(names[-1]),
            wrong_once=_wrong(names[-1], self.truth),
            wrong_by_look=np.array(ends),
        )

    def keeping(self, rate: float) -> float:
        """The smallest threshold at which at most this share of the runs says "better" at some look."""
        highest = np.sort(self.p[:, 0].max(axis=0))
        allowed = int(rate * highest.size)
        return float(np.nextafter(highest[highest.size - allowed - 1], 1.0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stopped:
    """How runs end: shares of better, equivalent, worse and undecided, share of wrong verdicts, units used.

    `once` and `wrong_once` are for a single look at all units; `wrong_by_look` is the share of wrong verdicts
    after each number of looks.
    """

    verdicts: Floats
    wrong: float
    units: float
    once: Floats
    wrong_once: float
    wrong_by_look: Floats


def looks(
    design: Growing,
    truth: Any,
    region: NDArray[np.intp],
    *,
    batches: int,
    size: int,
    rng: np.random.Generator,
) -> SequentialLooks:
    """Simulate runs of this number of batches, each with its truth."""
    state, found = design.start(region.size), []
    for _ in range(batches):
        state = design.grown(state, truth, size, rng)
        found.append(design.regions(state))
    return SequentialLooks(p=np.stack(found), size=size, truth=region)


def _wrong(names: NDArray[np.intp], truth: NDArray[np.intp]) -> float:
    return float(np.mean((names < UNDECIDED) & (names != truth)))


def _ended(names: NDArray[np.intp], truth: NDArray[np.intp]) -> float:
    """The share of runs with a wrong first decision, up to the last of these looks."""
    decided = names < UNDECIDED
    first = names[np.argmax(decided, axis=0), np.arange(names.shape[1])]
    return _wrong(first, truth)
