"""Predictions that are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine

from ropewalk.errors import ReadError
from ropewalk.experiment import Experiment
from tests.experiment.stored import made


def test_names_are_no_part_of_a_path(tmp_path: Path) -> None:
    name = "../../etc/passwd\0x"
    exp = made(tmp_path / "r", datasets={name: load_wine(return_X_y=True)}, keep_predictions=True)
    assert exp.predictions(name, kind="labels").scores().tasks[0].values.shape == (178, 2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r"]


def test_outputs_with_pickled_objects_are_not_loaded(tmp_path: Path) -> None:
    exp = made(tmp_path, keep_predictions=True)
    for path in (tmp_path / "outputs").glob("*.npz"):
        np.savez(path, rows=np.array([{"an": "object"}], dtype=object))
    with pytest.raises(ReadError, match=r"the outputs .* cannot be read"):
        Experiment.load(tmp_path).predictions()
    assert exp.folder == tmp_path
