"""What is public: the names of `ropewalk` and of its rooms, and the public members of its classes."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import ropewalk as rw
from ropewalk import data, results

# `rw.plan` is the planner, and its room holds what it returns.
ROOMS = (
    *(o for n in rw.__all__ if inspect.ismodule(o := getattr(rw, n))),
    data,
    results,
    import_module("ropewalk.plan"),
)


def names() -> dict[str, Any]:
    """What stands in `__all__`, without modules, by the name of its own module and itself."""
    found = [getattr(room, name) for room in (rw, *ROOMS) for name in room.__all__]
    found.append(type(rw.plan))
    return {
        f"{thing.__module__}.{thing.__qualname__}": thing
        for thing in found
        if inspect.isfunction(thing) or inspect.isclass(thing)
    }


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Methods and properties that a class defines itself, and its call."""
    for name, member in vars(kind).items():
        if name.startswith("_") and not (name == "__call__" and kind is type(rw.plan)):
            continue
        if isinstance(member, (types.FunctionType, property, cached_property, classmethod, staticmethod)):
            yield name, member


def everything() -> dict[str, Any]:
    """Functions, classes and their members, by full name."""
    found = names()
    for name, kind in list(found.items()):
        if inspect.isclass(kind):
            found |= {f"{name}.{member}": getattr(kind, member) for member, _ in members(kind)}
    return found
