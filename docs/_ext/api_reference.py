"""api/: the reference of every public name, one page for each function and class."""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterator
from functools import cached_property
from importlib import import_module
from types import FunctionType
from typing import Any

from pages import HERE, write

ROOMS = {
    "ropewalk": "Top level",
    "ropewalk.results": "Results",
    "ropewalk.decide": "ROPEs, rules and verdicts",
    "ropewalk.bayes": "Bayesian methods",
    "ropewalk.nhst": "Classical tests",
    "ropewalk.posterior": "Posteriors",
    "ropewalk.metrics": "Metrics",
    "ropewalk.plot": "Plots",
    "ropewalk.gate": "Gate",
    "ropewalk.plan": "Plans",
    "ropewalk.experiment": "Experiments",
    "ropewalk.claims": "Published claims",
    "ropewalk.data": "Data",
    "ropewalk.errors": "Errors and warnings",
}
CARDED = ("ropewalk.bayes", "ropewalk.nhst")  # their functions are described on the method cards
CALLED = ("ropewalk.gate", "ropewalk.plan")  # a module and an object that are called like functions
# Public names that are neither function nor class, and what each is.
VALUES = {
    "ropewalk.data.LOSSES": "The losses of single examples, by name.",
    "ropewalk.data.SEVERAL": "Name of the metric if it differs from task to task.",
    "ropewalk.decide.RopeLike": "Everything that states a ROPE: a number, a range, text or a `RopeRequest`.",
    "ropewalk.decide.SHARE": "Half width of the default ROPE of unbounded scores, in standard deviations.",
    "ropewalk.decide.TWENTY_TO_ONE": "Loss matrix in which a wrong verdict costs 20 and none costs 1.",
    "ropewalk.decide.UNDECIDED": "Index of “undecided”, after better, equivalent and worse.",
    "ropewalk.metrics.ALIASES": "Other names of metrics, and the name of each.",
    "ropewalk.metrics.Kind": "What a metric takes: labels, scores, probabilities, numbers or statistics.",
    "ropewalk.metrics.METRICS": "The metrics, by name.",
    "ropewalk.plot.KINDS": "The plots of a pair, by name.",
}


def listed() -> dict[str, list[str]]:
    """The names on each page. A name that several packages export is on the first of these pages."""
    seen: set[int] = set()
    pages = {}
    for room in ROOMS:
        module = import_module(room)
        pages[room] = [
            name for name in module.__all__ if _described(f"{room}.{name}", getattr(module, name), seen)
        ]
    return pages


def _described(full: str, thing: Any, seen: set[int]) -> bool:
    if id(thing) in seen or (inspect.ismodule(thing) and full not in CALLED):
        return False
    seen.add(id(thing))
    if full == "ropewalk.gate":
        seen.add(id(thing.gate))
    return inspect.isfunction(thing) or inspect.isclass(thing) or full in (*CALLED, *VALUES)


def reference() -> None:
    """Write the pages."""
    for room, names in listed().items():
        head = f"{ROOMS[room]} (``{room}``)"
        write(
            HERE / "api" / f"{room}.rst",
            f"{head}\n{'=' * len(head)}\n\n.. currentmodule:: {room}\n" + "\n".join(_parts(room, names)),
        )
    toc = "\n".join(f"   {room}" for room in ROOMS)
    write(
        HERE / "api" / "index.rst",
        "API reference\n=============\n\nEvery public name, with its parameters, what it returns and an example. What is not "
        f"listed here may change without notice.\n\n.. toctree::\n   :maxdepth: 1\n\n{toc}\n   json-document\n",
    )


def _parts(room: str, names: list[str]) -> Iterator[str]:
    module = import_module(room)
    carded = [n for n in names if room in CARDED and inspect.isfunction(getattr(module, n))]
    values = [n for n in names if f"{room}.{n}" in VALUES]
    rows = [n for n in names if n not in (*carded, *values)]
    if rows:
        yield "\n.. autosummary::\n   :toctree: generated\n   :nosignatures:\n"
        yield from (f"   {n}" for n in rows)
        yield ""
    if values:
        yield "\nValues\n------\n"
        yield from (f"- ``{n}``: {VALUES[f'{room}.{n}']}" for n in values)
        yield ""
    if carded:
        yield "\nEach function has a page among the method cards:\n"
        yield from (f"- :doc:`{n} </methods/{room.removeprefix('ropewalk.')}.{n}>`" for n in carded)
        yield ""


def members(kind: type) -> Iterator[str]:
    """The public methods and properties of a class that are written in ropewalk."""
    for name in dir(kind):
        owner = next((c for c in kind.__mro__ if name in vars(c)), object)
        member = vars(owner).get(name)
        described = isinstance(member, (FunctionType, property, cached_property, classmethod, staticmethod))
        if described and not name.startswith("_") and owner.__module__.startswith("ropewalk"):
            yield name


def undocumented(entries: Container[str]) -> list[str]:
    """The public names and members that the site, with these entries, does not describe."""
    wanted = []
    for room, names in listed().items():
        for name in names:
            thing = getattr(import_module(room), name)
            full = f"{room}.{name}"
            wanted += [] if full in VALUES else [full]
            wanted += [f"{full}.{member}" for member in members(thing)] if inspect.isclass(thing) else []
    return [name for name in wanted if name not in entries]


def complete(app: Any, environment: Any) -> None:
    """Stop the build if the reference is not complete."""
    missing = undocumented(environment.get_domain("py").objects)
    if missing:
        from sphinx.errors import SphinxError

        raise SphinxError(f"the API reference lacks {', '.join(missing)}")


def words_of_calls(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Describe objects that are called like functions as functions."""
    if name in CALLED:
        lines[:] = inspect.cleandoc(type(thing).__call__.__doc__ or "").splitlines()
