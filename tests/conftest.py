"""What several test files share."""

from __future__ import annotations

import atexit
import gc
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import fastjsonschema
import numpy as np
import pytest
from hypothesis import settings

from reproduce import published
from ropewalk.cli import main
from ropewalk.data import Audit, Counts, TaskCounts

Call = Callable[..., tuple[int, str, str]]
Write = Callable[[str, str, Iterable[Iterable[object]]], str]
Sides = Callable[..., tuple[str, str]]

# Machines are shared and noisy: no deadlines. `make calibrate` tries more examples.
settings.register_profile("thorough", deadline=None, print_blob=True)
settings.register_profile("ropewalk", settings.get_profile("thorough"), max_examples=20)
settings.load_profile("ropewalk")

# A process of pytest-xdist has told its results: it ends without taking all apart, which would take seconds.
if "PYTEST_XDIST_WORKER" in os.environ:
    atexit.register(os._exit, 0)  # what is registered later is called earlier

# Williams, Table 1: n00, n01, n10, n11 for eleven language pairs; A is the GNN, B the LLM.
TABLE_1 = {
    "de-en": (18, 63, 66, 183),
    "da-en": (54, 159, 198, 589),
    "es-en": (58, 175, 149, 478),
    "fr-en": (79, 180, 167, 574),
    "it-en": (36, 202, 167, 595),
    "id-en": (52, 185, 193, 570),
    "nl-en": (68, 195, 176, 561),
    "sv-en": (48, 156, 133, 423),
    "tr-en": (19, 64, 30, 103),
    "tr-de": (39, 113, 103, 298),
    "zh-en": (19, 44, 46, 92),
}


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no doctests: their files are not imported once more to look for some."""
    found = yield
    return [c for c in found if type(c) is pytest.Module]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked `few(k)`, all but k of its cases, evenly spread, are proofs."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for those in cases.values():
        k = those[0].get_closest_marker("few").args[0]
        kept = {round((i + 0.5) * len(those) / k - 0.5) for i in range(k)} if k < len(those) else ()
        for i, item in enumerate(those):
            if kept and i not in kept:
                item.add_marker("proof")


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: it is not searched for garbage time and again.

    What comes later is searched less often than by default: a plot is thousands of objects.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def pytest_unconfigure() -> None:
    gc.unfreeze()  # DuckDB looks for what is left over when Python ends


@pytest.fixture(scope="session")
def table_1() -> dict[str, tuple[int, int, int, int]]:
    return TABLE_1


@pytest.fixture(scope="session")
def languages(table_1: dict[str, tuple[int, int, int, int]]) -> Counts:
    """The same as data."""
    rows = [TaskCounts(name=k, n00=v[0], n01=v[1], n10=v[2], n11=v[3]) for k, v in table_1.items()]
    return Counts(a="GNN", b="LLM", tasks=tuple(rows), audit=Audit(paired=sum(r.n for r in rows)))


@pytest.fixture(scope="session")
def folds_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folds with the sums of those of Benavoli et al. 2017: five classifiers, 54 data sets, 10 x 10 folds."""
    return published.write_stand_in(tmp_path_factory.mktemp("published") / "five_classifiers.csv")


@pytest.fixture(scope="session")
def follows_schema() -> Callable[[dict[str, Any]], None]:
    """Hold a document against the published JSON Schema, with fields that it does not name as errors."""

    def strict(part: Any) -> Any:
        if isinstance(part, list):
            return [strict(value) for value in part]
        if not isinstance(part, dict):
            return part
        closed = {"additionalProperties": False} if "properties" in part else {}
        return {key: strict(value) for key, value in part.items()} | closed

    text = (files("ropewalk.report") / "ropewalk-1.schema.json").read_text(encoding="utf-8")
    schema = strict(json.loads(text))
    del schema["$id"]  # it names the format, and is no address to fetch from
    return fastjsonschema.compile(schema)


@pytest.fixture(scope="session", autouse=True)
def _documents_follow_the_schema(follows_schema: Callable[[dict[str, Any]], None]) -> Iterator[None]:
    """Every JSON document of the suite follows the schema."""
    from ropewalk.report import json as writer

    def checked(report: Any) -> str:
        text = render(report)
        follows_schema(json.loads(text))
        return text

    render = writer.render
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "render", checked)
        yield


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command line in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return call


@pytest.fixture
def write(command: Call) -> Write:
    """Write a CSV file."""

    def to(path: str, header: str, rows: Iterable[Iterable[object]]) -> str:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
        return path

    return to


@pytest.fixture
def sides(write: Write) -> Sides:
    """A baseline and a candidate whose `column` is higher by `up` on average."""

    def make(column: str, *, up: float = 0.3, n: int = 200, lacks: range = range(0)) -> tuple[str, str]:
        rng = np.random.default_rng(0)
        old = rng.uniform(0.1, 0.5, n)
        new = old + up + rng.normal(0, 0.02, n)
        rows = [(i, f"{x:.4f}") for i, x in enumerate(new) if i not in lacks]
        return (
            write("old.csv", f"id,{column}", [(i, f"{x:.4f}") for i, x in enumerate(old)]),
            write("new.csv", f"id,{column}", rows),
        )

    return make
