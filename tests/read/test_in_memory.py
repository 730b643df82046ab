"""Every layout, form and design of these tests once more, through both executors.

The tests of the modules below are run again with a `read` that reads in memory and in place, and holds one
against the other: the same answer, to the last bit where sums are exact, or an error from both. Designs for
which every row is needed say so in place.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Counts, Predictions, Scores, Summed
from ropewalk.errors import RopewalkError
from ropewalk.read import sources
from tests.refuse import test_careless, test_every_door

HERE = Path(__file__).parent
MODULES = ("test_layout", "test_roles", "test_pairing", "test_kinds", "test_counts", "test_frame")
NEEDS_ROWS = ("cannot be aggregated in place", "needs every row")


def _loaded(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


LOADED = {name: _loaded(HERE / f"{name}.py", f"twice_{name}") for name in MODULES}
CARELESS = {c.what: c for c in reversed(test_careless.CASES)}  # most are in there twice, for two commands
for _name, _module in LOADED.items():
    for _function, _found in list(vars(_module).items()):
        if _function.startswith("test_"):
            globals()[f"test_{_name[5:]}__{_function[5:]}"] = pytest.mark.few(2)(_found)
        elif type(_found).__name__ == "FixtureFunctionDefinition":
            globals()[_function] = _found


def _outcome(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except RopewalkError as error:
        return error


def _can_be_read_again(source: Any) -> bool:
    if isinstance(source, (str, os.PathLike)):
        return not Path(source).is_fifo()
    if isinstance(source, (list, tuple)):
        return all(isinstance(s, (str, os.PathLike)) and not Path(s).is_fifo() for s in source)
    frames = list(source.values()) if isinstance(source, dict) else [source]
    return all(hasattr(type(f), "columns") for f in frames)


def hold_against_each_other(source: Any, **options: Any) -> Any:
    """What is read in memory, or its error, if in place gives the same."""
    found = here = _outcome(lambda: rw.read(source, in_place=False, **options))
    there = _outcome(lambda: rw.read(source, in_place=True, **options))
    if isinstance(there, RopewalkError) and any(said in str(there) for said in NEEDS_ROWS):
        return found
    if isinstance(here, RopewalkError) or isinstance(there, RopewalkError):
        assert type(here) is type(there), (here, there)
        return found
    if not isinstance(there, Summed):
        assert type(here) is type(there)  # a second look: it was read into memory
        return found
    assert isinstance(here, (Scores, Predictions))
    if isinstance(here, Predictions):
        here = here.scores().as_accuracy()
    assert (here.models, here.metric, here.higher_is_better) == (
        there.models,
        there.metric,
        there.higher_is_better,
    )
    assert (here.audit.paired, here.audit.dropped) == (there.audit.paired, there.audit.dropped)
    assert [t.name for t in here.tasks] == [t.name for t in there.tasks]
    for task in here.tasks:
        values = task.values
        other = next(t for t in there.tasks if t.name == task.name)
        assert other.n == len(values)
        largest = max(float(np.abs(values).max()), 1e-300)
        exact = np.array_equal(values, values.round())
        for i, a in enumerate(here.models):
            for b in here.models[i + 1 :]:
                x, y = here.sums(a, b, task.name), there.sums(a, b, other)
                largest = float(np.abs(values).max())
                # Sums are of the first model with every other; the rest are differences of two means.
                apart = 0 if exact and i == 0 else 1e-12 * largest
                assert y.mean == pytest.approx(x.mean, rel=0, abs=apart)
                assert y.m2 == pytest.approx(x.m2, rel=1e-12, abs=1e-12 * largest**2 * len(values))
    return found


@pytest.fixture(autouse=True)
def _read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    original = sys.modules["ropewalk.read.read"].read

    def read(source: Any, *query: Any, **options: Any) -> Scores | Predictions | Counts | Summed:
        if not query and not {"in_place", "dask"} & set(options) and _can_be_read_again(source):
            found = hold_against_each_other(source, **options)
            if isinstance(found, RopewalkError):
                raise found
            return found
        return original(source, *query, **options)

    for module in LOADED.values():
        if hasattr(module, "read"):
            monkeypatch.setattr(module, "read", read)


ROLES = ("task", "unit", "score", "truth", "cluster", "repeat", "fold", "seed", "missing", "positive")
WAYS = {"--higher-is-better": True, "--lower-is-better": False}


def _as_keywords(case: Any) -> dict[str, Any]:
    """The options of a command that decide how its files are read."""
    typed = list(case.options)
    found = {role: typed[typed.index(f"--{role}") + 1] for role in ROLES if f"--{role}" in typed}
    models = [value for name, value in itertools.pairwise(typed) if name == "--model"]
    if models and case.command == "compare":  # for a gate, they are names of models
        found["model"] = models if len(models) > 1 else models[0]
    if "--labels" in typed:
        found["labels"] = typed[typed.index("--labels") + 1].split(",")
    found |= next(({"higher_is_better": way} for name, way in WAYS.items() if name in typed), {})
    return found | ({"by_position": True} if "--by-position" in typed else {})


@pytest.mark.parametrize("case", CARELESS.values(), ids=CARELESS)
@pytest.mark.few(14)
def test_careless_inputs(case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also without a second look, which would be the reader in memory."""
    files, options = list(case.files(tmp_path)), _as_keywords(case)
    hold_against_each_other(files, **options)
    monkeypatch.setattr(sources, "_LOOK_AGAIN", 10**15)
    there = _outcome(lambda: rw.read(files, in_place=True, **options))
    if not isinstance(there, RopewalkError):
        hold_against_each_other(files, **options)


@pytest.mark.parametrize("hazard", test_every_door.HAZARDS.values(), ids=test_every_door.HAZARDS)
@pytest.mark.parametrize("opened", ["frames", "relations"])
@pytest.mark.few(6)
def test_careless_frames(hazard: Any, opened: str) -> None:
    frames: dict[str, pd.DataFrame] = hazard.make()
    options = test_every_door.in_python(hazard.options)
    if opened == "frames":
        hold_against_each_other(frames, **options)
        return
    with duckdb.connect() as connection:
        relations = {name: connection.from_df(frame) for name, frame in frames.items()}
        hold_against_each_other(relations, **options)
