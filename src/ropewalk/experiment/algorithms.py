"""Learning algorithms: anything with fit and predict, identified by class and parameters."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ropewalk.errors import OptionError, did_you_mean, short

_DEEPEST = 12  # most levels of estimators inside estimators


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Algorithm:
    """A named learning algorithm; `grid` has the values from which each training set chooses."""

    name: str
    estimator: Any
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        called = f'algorithm "{short(self.name)}"'
        if isinstance(self.estimator, type):
            raise OptionError(
                f"{called} is a class", hint=f"Give an instance of it: {self.estimator.__name__}()."
            )
        for needed in ("fit", "predict"):
            if not callable(getattr(self.estimator, needed, None)):
                raise OptionError(
                    f"{called} is a {type(self.estimator).__name__} without {needed}",
                    hint="Give a scikit-learn estimator or pipeline, or anything with fit and predict.",
                )
        for key, values in self.grid.items():
            known = self._parameters()
            if key not in known:
                raise OptionError(
                    f'{called} has no parameter "{short(key)}" to choose', hint=did_you_mean(key, known)
                )
            if isinstance(values, (str, bytes)) or not isinstance(values, Sequence) or not len(values):
                raise OptionError(
                    f'{called}: the values of "{short(key)}" to choose from are {short(values)}',
                    hint="Give a list of values, such as [0.1, 1, 10].",
                )

    def _parameters(self) -> list[str]:
        own = getattr(self.estimator, "get_params", None)
        return sorted(own(deep=True)) if own else []

    @property
    def digest(self) -> str:
        """Return a hash of its class and all its parameters."""
        return hashlib.sha256(self.described.encode()).hexdigest()[:16]

    @property
    def described(self) -> str:
        """Describe its class and all its parameters as text."""
        made = {"estimator": _plain(self.estimator), **({"grid": _plain(self.grid)} if self.grid else {})}
        return json.dumps(made, sort_keys=True)

    @property
    def is_random(self) -> bool:
        """Whether it takes a random seed."""
        return any(_is(p, "random_state") for p in self._parameters())

    def fresh(self, seed: int, choice: Mapping[str, Any]) -> Any:
        """Return an unfitted copy with this seed, these parameters, and one thread."""
        if not hasattr(self.estimator, "get_params"):
            return deepcopy(self.estimator)
        from sklearn.base import clone

        copy = clone(self.estimator)
        own = {}
        for name, value in copy.get_params(deep=True).items():
            if _is(name, "random_state"):
                own[name] = seed
            elif _is(name, "n_jobs") and value is not None:  # None already means one
                own[name] = 1
        return copy.set_params(**own, **choice)


def _is(parameter: str, name: str) -> bool:
    return parameter == name or parameter.endswith(f"__{name}")


def _plain(value: Any, depth: int = 0) -> Any:
    """Convert any parameter to a JSON value that is the same in every process."""
    if depth > _DEEPEST:
        return "..."
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, np.floating)):
        return repr(float(value))  # also NaN, which is not JSON
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        inside = repr(value.tolist()) if value.dtype == object else value.tobytes().hex()
        return ["array", value.dtype.str, list(value.shape), inside]
    if isinstance(value, Mapping):
        return {str(k): _plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v, depth + 1) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if hasattr(value, "__qualname__"):  # a function or a class
        return f"{value.__module__}.{value.__qualname__}"
    called = f"{type(value).__module__}.{type(value).__qualname__}"
    own = value.get_params(deep=False) if hasattr(value, "get_params") else getattr(value, "__dict__", {})
    return [called, _plain(own, depth + 1)]
