"""Predictions that are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine

from ropewalk.errors import ReadError
from ropewalk.experiment import Experiment
from ropewalk.experiment.kept import OUTPUTS, is_whole, outputs_path, read_outputs, save_outputs
from ropewalk.experiment.work import Fit
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


def test_flipped_bits_anywhere_are_no_crash(tmp_path: Path) -> None:
    """Also in the bytes that say how the arrays are packed.

    Oracle: where the whole file is called whole, its arrays are those that were written.
    """
    fit = Fit(model="m", task="t", repeat=0, fold=0, random_state=0, split_hash="s", model_hash="h",
              data_hash="d", n_train=2, n_test=1, values={})  # fmt: skip
    (tmp_path / OUTPUTS).mkdir()
    path = outputs_path(tmp_path, fit)
    save_outputs(path, {"labels": np.arange(5)})
    written, damaged = path.read_bytes(), 0
    for at in range(len(written)):
        for bit in (0, 5):
            flipped = bytearray(written)
            flipped[at] ^= 1 << bit
            path.write_bytes(flipped)
            if is_whole(tmp_path, fit, thoroughly=True):
                assert read_outputs(tmp_path, fit)["labels"].tolist() == [0, 1, 2, 3, 4]
            else:
                damaged += 1
    assert damaged > len(written)
