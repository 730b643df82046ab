"""A study of one test: settings to draw data from, and sides that turn the same draws into p-values."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Sequence[Any]]

LEVELS = (0.05, 0.01)
_POWER = 0.3  # of the replications: half a point of a hundred is enough for a power
_FEWEST = 5  # replications of a peer


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Where data come from: `draw(rng, count)` gives so many data sets.

    `effect` is 0 under the hypothesis of the test; `holds` says whether its assumptions do, as its card has
    them. `peers` is the share of their replications that peers are asked, where they are slow.
    """

    name: str
    n: int
    draw: Draw
    effect: float = 0.0
    holds: bool = True
    peers: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Side:
    """Someone's p-values: data sets in, one p-value each out; `module` has to be installed.

    A side whose test says more than one thing gives its loss at each level in the place of p-values.
    `replications` are as many as can be afforded, `only` the settings that it is asked on (none: all),
    `beside` the side that it is held against, and `powers` says whether the power is measured too.
    """

    name: str
    p_values: Callable[[Sequence[Any]], Floats]
    replications: int
    module: str = "ropewalk"
    powers: bool = False
    only: tuple[str, ...] = ()
    beside: str = "ropewalk"

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.module) is not None


@dataclass(frozen=True, kw_only=True)
class Study:
    """A public test, what a p-value below the level claims, and all that is measured; our side is first."""

    test: str
    claim: str
    settings: Sequence[Setting]
    sides: Sequence[Side]
    note: str = ""


def each(test: Callable[[Any], Any]) -> Callable[[Sequence[Any]], Floats]:
    """One call for each data set; the test returns a p-value, or a result that has one."""

    def p_values(data: Sequence[Any]) -> Floats:
        found = [test(one) for one in data]
        return np.array([getattr(p, "p_value", p) for p in found], dtype=float)

    return p_values


def seeded(test: Callable[[Any, int], Any]) -> Callable[[Sequence[Any]], Floats]:
    """The same for a test that draws: a seed for every data set, since all would share the draws of one."""

    def p_values(data: Sequence[Any]) -> Floats:
        return np.array([test(one, i).p_value for i, one in enumerate(data)], dtype=float)

    return p_values


def run(study: Study, scale: float, *, least: int = 50, peers: bool = True) -> list[dict[str, Any]]:
    """A row for each setting and side: how often p <= 0.05 and 0.01, and how the side differs from ours."""
    rows = []
    for setting in study.settings:
        first, *others = study.sides
        sides = [first, *(s for s in others if peers and s.installed and _asked(s, setting))]
        share = scale * (_POWER if setting.effect else 1.0)
        counts = [min(max(int(first.replications * share), least), first.replications)]
        counts += [max(int(side.replications * share * setting.peers), _FEWEST) for side in sides[1:]]
        # A seed of its own for every setting: a new one moves no figure of the others.
        seed = zlib.crc32(f"{study.test} {setting.name} {setting.n} {setting.effect}".encode())
        data = setting.draw(np.random.default_rng(seed), max(counts))
        found: dict[str, Floats] = {}
        for side, count in zip(sides, counts, strict=True):
            with _quiet():
                p = side.p_values(data[:count])
            rows.append(_row(study, setting, side, p, found.get(side.beside)))
            found[side.name] = p
    return rows


def _asked(side: Side, setting: Setting) -> bool:
    return (side.powers or not setting.effect) and (not side.only or setting.name in side.only)


def _row(study: Study, setting: Setting, side: Side, p: Floats, ours: Floats | None) -> dict[str, Any]:
    said = _said(p)
    rates = {f"at_{level}": float(rate) for level, rate in zip(LEVELS, said.mean(axis=0), strict=True)}
    row: dict[str, Any] = {
        "test": study.test,
        "side": side.name,
        "peer": side.module != "ropewalk",
        "setting": setting.name,
        "n": setting.n,
        "effect": setting.effect,
        "holds": setting.holds,
        "replications": len(p),
        **rates,
        "error": float(np.sqrt(max(rates["at_0.05"] * (1 - rates["at_0.05"]), 1 / len(p)) / len(p))),
    }
    if np.isnan(p).any():
        row["refused"] = float(np.isnan(p).mean())
    if ours is not None:  # on the same draws
        both = min(len(p), len(ours))
        apart = np.abs(np.nan_to_num(p[:both], nan=2.0) - ours[:both])
        row |= {
            "ours_at_0.05": float(_said(ours[:both])[:, 0].mean()),
            "differs": float(np.mean(apart > 1e-6)),
            "disagrees": float(np.mean(said[:both, 0] != _said(ours[:both])[:, 0])),
        }
    # Six digits are more than any of these has.
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in row.items()}


def _said(p: Floats) -> Floats:
    """For each data set and level, whether something was claimed; nan claims nothing."""
    return p if p.ndim == 2 else (p[:, np.newaxis] <= np.array(LEVELS)).astype(float)


@contextlib.contextmanager
def _quiet() -> Any:
    """Peers print, warn and divide by zero; what counts here is what they answer."""
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield
