"""AutoGluon and TabArena: a table of errors by data set, fold and framework."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import PairingError
from ropewalk.read import read


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def by_unit(s: Scores) -> dict[str, list[float]]:
    return dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))


def write(
    path: Path, rows: list[str], header: str = "dataset,fold,framework,metric_error,metric,imputed"
) -> Path:
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def rows(metric: dict[str, str], imputed: str = "") -> list[str]:
    return [
        f"{data},{fold},{model},{(2 * fold + 2 + (model == 'gbm')) / 20},{name},{model == imputed}"
        for data, name in metric.items()
        for fold in range(3)
        for model in ("gbm", "mlp", "knn")
    ]


def test_errors_are_better_when_lower(tmp_path: Path) -> None:
    s = scores(write(tmp_path / "x.csv", rows({"adult": "roc_auc", "bank": "roc_auc"})))
    assert s.models == ("gbm", "mlp", "knn")
    assert s.metric == "roc_auc_error"
    assert not s.higher_is_better
    assert s.design.folds == 3
    assert s.tasks[0].values[:, 0] == pytest.approx([0.15, 0.25, 0.35])


def test_metrics_by_data_set_point_upward(tmp_path: Path) -> None:
    s = scores(write(tmp_path / "x.csv", rows({"adult": "roc_auc", "house": "rmse"})))
    assert s.metric == "several metrics"
    assert s.tasks[1].values[:, 0] == pytest.approx([-0.15, -0.25, -0.35])


def test_imputed_rows_are_left_out(tmp_path: Path) -> None:
    s = scores(write(tmp_path / "x.csv", rows({"adult": "roc_auc"}, imputed="knn")))
    assert s.models == ("gbm", "mlp")
    assert any('3 imputed rows do not come from a run and are left out: "knn"' in w for w in s.audit.warnings)


def test_a_row_twice_and_a_fold_missing(tmp_path: Path) -> None:
    all_rows = rows({"adult": "roc_auc"})
    with pytest.raises(PairingError, match="more than one row"):
        read(write(tmp_path / "x.csv", [*all_rows, all_rows[0]]))
    s = scores(write(tmp_path / "x.csv", all_rows[1:]))
    assert "adult: 2 of 3 paired" in s.audit.warnings


def test_without_the_name_of_the_metric(tmp_path: Path) -> None:
    short = [f"d,{f},{m},0.{f}" for f in (1, 2) for m in ("a", "b")]
    s = scores(write(tmp_path / "x.csv", short, "dataset,fold,method,metric_error"))
    assert s.metric == "metric_error"
    assert not s.higher_is_better
