"""Docstrings of public names are in NumPy style: numpydoc's validation, run in `make check`.

Left out are checks of what we do otherwise: where the summary starts and the docstring ends (GL01, GL02),
that the summary ends with a period and starts with a verb (SS02, SS03, SS05: a test is named by its
question), that every docstring has an extended summary and "See Also" (ES01, SA01), and that descriptions
start with a capital letter and end with a period (PR08, PR09, RT04, RT05: some start with a name).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import ropewalk as rw
from ropewalk import bayes, decide, metrics, nhst

CHECKED = (
    "GL03 GL05 GL06 GL07 GL08 GL09 GL10 SS01 SS04 SS06 PR01 PR02 "
    "PR03 PR04 PR05 PR06 PR07 PR10 RT01 RT02 RT03 YD01 SA02 SA03 "
    "SA04 EX01"
)


def _public() -> list[Callable[..., Any]]:
    """Functions: of the rooms with methods and metrics, and of the package itself."""
    rooms = [(room, room.__all__) for room in (bayes, nhst, decide, metrics)]
    rooms.append((rw, ["check", "claim", "compare", "read"]))
    return [f for room, names in rooms for n in names if inspect.isfunction(f := getattr(room, n))]


@pytest.mark.parametrize("function", _public(), ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_numpydoc(function: Callable[..., Any]) -> None:
    validate = pytest.importorskip("numpydoc.validate")
    # By its own module: `ropewalk.bayes.t` would be taken for the module of that name.
    name = f"{function.__module__}.{function.__name__}"
    found = {code: text for code, text in validate.validate(name)["errors"] if code in CHECKED.split()}
    assert not found


def test_the_parameters_are_looked_at() -> None:
    """The check fails for a docstring that leaves one out."""
    validate = pytest.importorskip("numpydoc.validate")
    codes = {code for code, _ in validate.validate("ropewalk.metrics.check.same_length")["errors"]}
    assert {"PR01", "RT01"} <= codes
