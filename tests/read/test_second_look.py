"""Rows that are at fault are found in files that do not fit into memory."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import CellError, PairingError
from ropewalk.read import sources


def _large(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: pd.DataFrame) -> list[str]:
    """Files that are too large for a second look in memory."""
    monkeypatch.setattr(sources, "_LOOK_AGAIN", 10**15)
    for name, frame in files.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return [str(folder / f"{name}.csv") for name in files]


def test_rows_are_found_in_files_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked up by another pass over the files: the same rows that the reader in memory names."""
    score = [str(x / 8) for x in range(30)]
    good = pd.DataFrame({"id": range(30), "score": score})
    bad = good.assign(score=[*score[:6], "n/a", *score[7:28], "", "inf"])
    files = _large(tmp_path, monkeypatch, a=good, b=bad)
    with pytest.raises(CellError) as there:
        rw.read(files, in_place=True)
    with pytest.raises(CellError) as here:
        rw.read(files, in_place=False)
    for row, cell in ((7, '"n/a"'), (29, "empty"), (30, '"inf"')):
        assert f"row {row}, `score`: {cell}" in str(there.value)
        assert f"row {row} (line {row + 1}): {cell}" in str(here.value)
    assert "a.csv row" not in str(there.value)


def test_units_that_come_twice_are_found_in_files_that_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = pd.DataFrame({"id": range(30), "score": range(30)})
    files = _large(tmp_path, monkeypatch, a=good, b=good.assign(id=[0, 1, 2, 3, 3, *range(5, 29), 28]))
    with pytest.raises(PairingError, match=r'b\.csv rows 4, 5: "3"') as error:
        rw.read(files, in_place=True)
    assert 'rows 29, 30: "28"' in str(error.value)


def test_unknown_labels_are_found_in_files_that_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = ["cat", "dog"] * 15
    table = pd.DataFrame(
        {"id": range(30), "label": truth, "svm": truth, "knn": [*truth[:8], "owl", *truth[9:]]}
    )
    (file,) = _large(tmp_path, monkeypatch, t=table)
    with pytest.raises(CellError, match=r't\.csv row 9, `knn`: "owl"'):
        rw.read(file, in_place=True)


def test_unknown_labels_where_another_file_has_the_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = ["cat", "dog"] * 15
    svm = pd.DataFrame({"id": range(30), "label": truth, "prediction": truth})
    knn = pd.DataFrame({"id": range(30), "prediction": [*truth[:8], "owl", *truth[9:]]})
    files = _large(tmp_path, monkeypatch, svm=svm, knn=knn)
    with pytest.raises(CellError, match=r'knn\.csv row 9, `prediction`: "owl"'):
        rw.read(files, in_place=True)
