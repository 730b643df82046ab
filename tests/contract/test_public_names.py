"""The names that scripts rely on, and the card of every method."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import ropewalk as rw
from ropewalk import bayes, nhst
from tests.contract.public import ROOMS


def test_everything_promised_is_importable() -> None:
    for name in rw.__all__:
        assert getattr(rw, name) is not None
    assert set(rw.__all__) <= set(dir(rw))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        rw.nonsense  # noqa: B018


def test_what_read_can_return_is_exported() -> None:
    import typing

    returned = typing.get_args(typing.get_type_hints(rw.read)["return"])
    assert len(returned) == 4
    for kind in returned:
        assert getattr(rw, kind.__name__) is kind
    assert rw.Sums.of([0.1, 0.2, 0.3]).n == 3


def test_listings_show_public_names_only() -> None:
    assert dir(rw) == sorted([*rw.__all__, "__version__"])
    for room in ROOMS:
        assert dir(room) == sorted(room.__all__), room.__name__


def test_the_package_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ropewalk", "--version"], check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith("ropewalk, version ")
    bad = subprocess.run([sys.executable, "-m", "ropewalk", "nonsense"], check=False, capture_output=True)
    assert bad.returncode == 3


@pytest.mark.parametrize(
    "order", ["import ropewalk.compare, ropewalk.read", "import ropewalk.cli, ropewalk.methods.pair"]
)
def test_functions_are_not_hidden_by_the_rooms_of_the_same_name(order: str) -> None:
    code = f"{order}\nimport ropewalk as rw\nassert callable(rw.compare) and callable(rw.read)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_comparison_imports_nothing_that_takes_longer_than_it() -> None:
    """scipy.stats alone takes as long as the rest of a command."""
    slow = ("scipy.stats", "matplotlib", "duckdb", "pandas", "rich")
    code = "import sys, ropewalk as rw\nrw.compare({'A': [1, 0, 1, 1], 'B': [0, 0, 1, 1]})\n"
    code += f"assert not [name for name in {slow!r} if name in sys.modules]"
    subprocess.run([sys.executable, "-c", code], check=True)


CARDS = [
    (room, name) for room in (bayes, nhst) for name in room.__all__ if inspect.isfunction(getattr(room, name))
]


@pytest.mark.parametrize(("room", "name"), CARDS, ids=lambda x: getattr(x, "__name__", x))
def test_every_method_has_a_whole_card(room: object, name: str) -> None:
    doc = inspect.getdoc(getattr(room, name)) or ""
    for part in ("Formula::\n", "Assumes\n", "Not for\n", "\nReferences\n", ">>> "):
        assert part in doc, f"{name} has no {part.strip()}"
    assert len(doc.splitlines()[0]) < 100


@pytest.mark.parametrize(("room", "name"), CARDS, ids=lambda x: getattr(x, "__name__", x))
def test_data_come_first_and_options_by_keyword(room: object, name: str) -> None:
    parameters = list(inspect.signature(getattr(room, name)).parameters.values())
    for p in parameters:
        has_default = p.default is not inspect.Parameter.empty
        assert not has_default or p.kind is inspect.Parameter.KEYWORD_ONLY, (
            f"{name}({p.name}=...) is positional"
        )
    if any(p.name == "rng" for p in parameters):
        assert parameters[-1].name == "rng"
