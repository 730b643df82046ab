"""Docstrings of public names are in NumPy style: numpydoc's validation, run in `make check`.

Left out are checks of what we do otherwise: where the summary starts and the docstring ends (GL01, GL02),
that the summary ends with a period and starts with a verb (SS02, SS03, SS05: a test is named by its
question), that every docstring has an extended summary and "See Also" (ES01, SA01), and that descriptions
start with a capital letter and end with a period (PR08, PR09, RT04, RT05: some start with a name). Methods
and properties are shown in the examples of their class, and need none of their own.
"""

from __future__ import annotations

import inspect
import re
import sys
from itertools import pairwise
from typing import Any

import pytest

import ropewalk as rw
from tests.contract.public import ROOMS, everything, members, names

CHECKED = (
    "GL03 GL05 GL06 GL07 GL08 GL09 GL10 SS01 SS04 SS06 PR01 PR02 "
    "PR03 PR04 PR05 PR06 PR07 PR10 RT01 RT02 RT03 YD01 SA02 SA03 "
    "SA04 EX01"
)
PUBLIC = names()
_TYPED = ("Parameters", "Returns", "Yields", "Raises")


def _found(name: str, without: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    validate = pytest.importorskip("numpydoc.validate")
    errors = validate.validate(name)["errors"]
    return [(code, text) for code, text in errors if code in CHECKED.split() and code not in without]


@pytest.mark.parametrize("name", [n for n in PUBLIC if not inspect.isclass(PUBLIC[n])])
def test_functions(name: str) -> None:
    # By its own module: `ropewalk.bayes.t` would be taken for the module of that name.
    assert not _found(name)


@pytest.mark.parametrize("name", [n for n in PUBLIC if inspect.isclass(PUBLIC[n])])
def test_classes(name: str) -> None:
    kind = PUBLIC[name]
    # Nobody makes a protocol or a warning, and all errors are made like their base class.
    error = issubclass(kind, rw.RopewalkError) and kind is not rw.RopewalkError
    made = not (error or issubclass(kind, Warning) or getattr(kind, "_is_protocol", False))
    without = () if made else ("PR01",)
    problems = {name: _found(name, without)}
    for member, value in members(kind):
        if _own_docstring(value) or not _inherited(kind, member):
            problems[f"{name}.{member}"] = _found(f"{name}.{member}", ("EX01",))
    assert not {where: found for where, found in problems.items() if found}


def _own_docstring(member: Any) -> str | None:
    if isinstance(member, (classmethod, staticmethod)):
        return member.__func__.__doc__
    text: str | None = member.__doc__
    return text


def _inherited(kind: type, member: str) -> bool:
    """Whether a public base class says what the member is."""
    return any(_own_docstring(vars(base)[member]) for base in kind.__mro__[1:] if member in vars(base))


def test_what_docstrings_name_exists() -> None:
    """Dotted names such as `rw.plan.sequential`, in text, examples and "See Also"."""
    absent = set()
    for where, thing in everything().items():
        for name in re.findall(r"\b(?:rw|ropewalk)\.[A-Za-z_][\w.]*\w", inspect.getdoc(thing) or ""):
            found: Any = rw
            for part in name.split(".")[1:]:
                found = getattr(found, part, None)
            if found is None:
                absent.add(f"{name} in {where}")
    assert not absent


def test_types_that_docstrings_name_are_exported() -> None:
    """Classes of ours that are parameters, return values or errors: a reader may want to look them up."""
    exported = {name for room in (rw, *ROOMS) for name in room.__all__}
    ours = {
        name
        for module in map(sys.modules.get, [m for m in sys.modules if m.startswith("ropewalk")])
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and kind.__module__.startswith("ropewalk.")
    }
    hidden = set()
    for where, thing in everything().items():
        for line in _types(inspect.getdoc(thing) or ""):
            hidden |= {
                f"{w} in {where}" for w in re.findall(r"(?<![.\w])[A-Z]\w+", line) if w in ours - exported
            }
    assert not hidden


def _types(doc: str) -> list[str]:
    """What stands after the colon of a parameter, and the first line of a return value or an error."""
    lines, section = [], ""
    for line, below in pairwise([*doc.splitlines(), ""]):
        if below and set(below) == {"-"}:
            section = line
        elif line and not line.startswith((" ", "-")) and section in _TYPED:
            lines.append(line.partition(" : ")[2] if section == "Parameters" else line)
    return lines


def test_the_parameters_are_looked_at() -> None:
    """The check fails for a docstring that leaves one out."""
    validate = pytest.importorskip("numpydoc.validate")
    codes = {code for code, _ in validate.validate("ropewalk.metrics.check.same_length")["errors"]}
    assert {"PR01", "RT01"} <= codes
