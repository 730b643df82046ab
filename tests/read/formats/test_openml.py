"""Predictions of OpenML runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ropewalk.errors import PairingError
from ropewalk.read import read
from tests.read.formats.arff_files import ROWS, TRUTH, openml, scores, sure


def right(model: str, i: int) -> float:
    return float((sure(model, i) > 0.5) == (TRUTH[i] == "yes"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for model in ("svm", "tree"):
        (tmp_path / f"{model}.arff").write_text(openml(model))
    return tmp_path


def test_openml(folder: Path) -> None:
    s = scores(folder)
    assert s.models == ("svm", "tree")
    assert s.metric == "accuracy"
    assert s.tasks[0].name == "59"
    found = dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))
    assert found == {str(i): [right("svm", i), right("tree", i)] for i in range(ROWS)}
    assert s.audit.warnings == ()


def test_openml_brier_score(folder: Path) -> None:
    s = scores(folder, score="brier score")
    assert not s.higher_is_better
    # Two classes: (p - y)^2 + ((1 - p) - (1 - y))^2 = 2 (p - y)^2.
    expected = [2 * (sure("svm", i) - (TRUTH[i] == "yes")) ** 2 for i in range(ROWS)]
    np.testing.assert_allclose(s.tasks[0].values[:, 0], expected, atol=1e-9)


def test_openml_repeats_are_repeats_of_a_row(folder: Path) -> None:
    for model in ("svm", "tree"):
        (folder / f"{model}.arff").write_text(openml(model, repeats=3))
    s = scores(folder)
    assert s.audit.paired == 3 * ROWS
    assert s.tasks[0].clusters is not None
    assert len(set(s.tasks[0].clusters)) == ROWS


def test_openml_regression(tmp_path: Path) -> None:
    for k, model in enumerate(("svm", "tree")):
        head = "@relation openml_task_3\n" + "".join(
            f"@attribute {n} numeric\n" for n in ("repeat", "fold", "row_id", "prediction", "correct")
        )
        rows = "".join(f"0,0,{i},{i + 0.5 + k},{i + 0.25}\n" for i in range(5))
        (tmp_path / f"{model}.arff").write_text(head + "@data\n" + rows)
    s = scores(tmp_path)
    assert s.metric == "absolute error"
    assert not s.higher_is_better
    assert s.tasks[0].values.tolist() == [[0.25, 1.25]] * 5


def test_openml_misalignments(folder: Path) -> None:
    tree = folder / "tree.arff"
    tree.write_text(openml("tree", truth=["yes", *TRUTH[1:]]))
    with pytest.raises(PairingError, match="differ in the truth of 1 unit"):
        read(folder)
    tree.write_text(openml("tree", rows=range(6)))
    s = scores(folder)
    assert s.audit.paired == 6
    assert f"59: 6 of {ROWS} paired" in s.audit.warnings
    tree.write_text(openml("tree", rows=[*range(ROWS), 3]))
    with pytest.raises(PairingError, match="more than one row"):
        read(folder)
    tree.write_text(openml("tree").replace("0,1,1,", "0,0,1,"))
    assert f'59: {ROWS} of {ROWS} paired; fold differs for "tree"' in scores(folder).audit.warnings
