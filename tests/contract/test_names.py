"""Names in the house: files, classes, and generators of tests."""

from __future__ import annotations

import ast
import importlib.util
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from ropewalk.methods import known

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "ropewalk"
METHODS = frozenset(known())
NOT_NAMES = {"over", "whole", "beside", "each", "many", "words", "board"}


def test_a_file_name_occurs_at_most_twice() -> None:
    count = Counter(p.name for p in SOURCE.rglob("*.py") if p.name != "__init__.py")
    assert {name for name, times in count.items() if times > 2} == set()
    assert not {p.stem for p in SOURCE.rglob("*.py")} & NOT_NAMES


def test_a_class_name_means_one_thing() -> None:
    count: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        count.update(n.name.lstrip("_") for n in ast.walk(tree) if isinstance(n, ast.ClassDef))
    assert {name for name, times in count.items() if times > 1} == set()
    assert not {name.lower() for name in count} & NOT_NAMES


def test_no_room_but_methods_names_a_method() -> None:
    # The functions of bayes/ and nhst/ have names of their own; "t" is also an answer that means true.
    others = {"nhst", "bayes", "methods", "read"}
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in others:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [
            (path.name, n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value in METHODS
        ]
    assert found == []


def test_no_generator_is_shared_between_tests() -> None:
    # A generator at the top of a file makes a test depend on those that ran before it.
    shared = []
    for path in _ours(TESTS):
        if any(part.startswith(".") for part in path.relative_to(TESTS).parts):  # an environment
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        made = [n.value for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
        shared += [(path, ast.unparse(c)) for c in made if ast.unparse(c.func).endswith("default_rng")]
    assert not shared


def test_what_is_imported_of_ropewalk_is_there() -> None:
    # Benchmarks, studies and examples are not run with the tests, and would break unseen.
    lost = []
    for folder in ("benchmarks", "calibration", "docs", "examples", "reproduce"):
        for path in _ours(TESTS.parent / folder):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ropewalk":
                    room = importlib.import_module(node.module or "")
                    lost += [(path.name, a.name) for a in node.names if not _has(room, a.name)]
    assert lost == []


def _ours(folder: Path) -> Iterator[Path]:
    """The modules of a folder, without those of an environment that a target of make put into it."""
    yield from folder.glob("*.py")
    for inner in folder.iterdir():
        if inner.is_dir() and not inner.name.startswith("."):
            yield from _ours(inner)


def test_environments_are_not_searched(tmp_path: Path) -> None:
    for name in ("a.py", ".venv/lib/b.py", "c/d.py", "c/.venv/e.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"\xff")
    assert [p.name for p in _ours(tmp_path)] == ["a.py", "d.py"]


def _has(room: ModuleType, name: str) -> bool:
    return hasattr(room, name) or importlib.util.find_spec(f"{room.__name__}.{name}") is not None
