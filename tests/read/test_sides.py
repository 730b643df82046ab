"""A baseline and a candidate from files, arrays and dicts, and sides that look swapped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ropewalk.errors import DataError, OptionError
from ropewalk.read.sides import read_sides

OLD, NEW = np.random.default_rng(0).normal(0.5, 0.1, (2, 61))


def test_arrays_are_paired_by_their_order() -> None:
    found = read_sides(OLD, NEW, higher_is_better=True)
    assert found.data.models == ("baseline", "candidate")
    assert found.data.differences("candidate", "baseline") == pytest.approx(NEW - OLD)
    assert (found.same, found.digests) == (False, None)
    assert read_sides(OLD, OLD, higher_is_better=True).same


def test_tasks_that_one_side_lacks_are_named() -> None:
    baseline, candidate = {"s": OLD, "t": OLD}, {"s": NEW, "u": NEW}
    found = read_sides(baseline, candidate, higher_is_better=True, missing="drop")
    assert found.not_run == ("t",)
    assert dict(found.data.audit.not_run) == {"baseline": ("u",), "candidate": ("t",)}
    assert [t.name for t in found.data.tasks] == ["s"]
    with pytest.raises(DataError, match="no data set occurs for more than one model"):
        read_sides({"s": OLD}, {"u": NEW}, higher_is_better=True)


def test_files_whose_names_say_the_opposite_are_refused(write) -> None:
    rows = [(i, x) for i, x in enumerate(OLD)]
    old, new = (write(f"{name}.csv", "id,accuracy", rows) for name in ("main", "pr"))
    assert read_sides(old, new).digests is not None
    with pytest.raises(OptionError, match="the files' names say the opposite"):
        read_sides(new, old)


def test_a_file_and_an_array_are_no_pair(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="one side is a file and the other is not"):
        read_sides(tmp_path / "a.csv", NEW)
    with pytest.raises(OptionError, match="picked from files only"):
        read_sides(OLD, NEW, models=("a", None), higher_is_better=True)
