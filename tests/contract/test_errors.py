"""Every error message is in a test: nobody meets a message that its authors have not seen.

Mechanical, and with no list to keep: every error of errors.py that is made anywhere in the package is found
by its syntax tree, and so is every string in the tests. Of the longest fixed part of each message twelve
characters in a row (or all of it, where it is shorter) must stand in a string of a test: in the `match=` of
a `pytest.raises`, or in what is looked for in the output. A message without a fixed part to speak of
("{name} is {value}") is known by its hint instead. Messages that only hand on another one have no text.

This does not see whether a test fails for want of the error; pytest does. That each is really raised, and
not only mentioned, was checked once by noting the line of every error made in a run of all tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ropewalk import errors

ROOT = Path(__file__).parents[2]
SOURCE, TESTS = ROOT / "src" / "ropewalk", ROOT / "tests"
OURS = {
    name for name, x in vars(errors).items() if isinstance(x, type) and issubclass(x, errors.RopewalkError)
}
ENOUGH = 12
TOO_SHORT = 5


def fixed(node: ast.expr | None) -> list[str]:
    """The parts of a message that are always the same."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        return [part.value if isinstance(part, ast.Constant) else "\0" for part in node.values]  # type: ignore[misc]
    if isinstance(node, ast.BinOp):
        return [*fixed(node.left), *fixed(node.right)]
    if isinstance(node, ast.IfExp):
        return [*fixed(node.body), "\0", *fixed(node.orelse)]
    return ["\0"]


def longest(node: ast.expr | None) -> str:
    return max((part.strip() for part in "".join(fixed(node)).split("\0")), key=len)


def made(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line of each error, and the text that it is known by."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", None)
        if name in OURS or name == "numeric":  # which raises what it is given
            text = longest(node.args[name == "numeric"])
            if len(text) < TOO_SHORT:
                text = longest(next((k.value for k in node.keywords if k.arg == "hint"), None))
            if len(text) >= TOO_SHORT:
                yield node.lineno, text


@cache
def said_in_tests() -> str:
    """All strings of all tests but this one, with the escapes of regular expressions taken out."""
    said = []
    for file in TESTS.rglob("*.py"):
        hidden = any(part.startswith(".") for part in file.relative_to(TESTS).parts)  # an environment
        if file != Path(__file__) and not hidden:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    said.append(re.sub(r"\\(.)", r"\1", node.value))
    return "\0".join(said)


def in_a_test(text: str) -> bool:
    n = min(len(text), ENOUGH)
    return any(text[i : i + n] in said_in_tests() for i in range(len(text) - n + 1))


def test_errors_are_found() -> None:
    tree = ast.parse('raise DataError(f"{n} of {m} cells are NaN", hint="Drop them.")')
    assert list(made(tree)) == [(1, "cells are NaN")]
    tree = ast.parse('OptionError(f"{a} is {b}", hint="Give a number.")')
    assert list(made(tree)) == [(1, "Give a number.")]
    assert in_a_test("not a table of numbers")
    assert not in_a_test("colourless green ideas sleep furiously"[::-1])


def test_every_message_is_in_a_test() -> None:
    missing = [
        f"{file.relative_to(ROOT)}:{line} {text}"
        for file in sorted(SOURCE.rglob("*.py"))
        for line, text in made(ast.parse(file.read_text(encoding="utf-8")))
        if not in_a_test(text)
    ]
    assert not missing, "no test matches these messages:\n" + "\n".join(missing)
