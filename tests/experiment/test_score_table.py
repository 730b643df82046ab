"""Fits of an experiment -> scores, paired by split."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from ropewalk.errors import PairingError
from ropewalk.experiment import cross_validate
from ropewalk.experiment.score_table import score_table
from tests.experiment.small_runs import MODELS, WINE


def test_results_of_two_experiments_cannot_be_compared() -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    mixed = [replace(f, split_hash="other") if f.model == "tree" else f for f in exp.fits]
    with pytest.raises(PairingError, match="were not trained on the same rows"):
        replace(exp, fits=mixed).scores()


def test_the_sizes_of_each_data_set_count_for_random_splits() -> None:
    data = {"a": WINE["wine"], "b": load_iris(return_X_y=True)}
    scores = cross_validate(MODELS, data, design="4x0.7").scores()
    rhos = [scores.design_of(t).rho for t in scores.tasks]
    assert rhos == pytest.approx([53 / 178, 45 / 150])


def test_one_task_on_which_two_models_never_meet() -> None:
    """Gaps that leave no common split: the algorithm with most gaps counts as not run."""
    exp = cross_validate({**MODELS, "knn": KNeighborsClassifier()}, WINE, design="4cv")
    gone = [
        f
        for f in exp.fits
        if not (f.model == "bayes" and f.fold == 0) and not (f.model == "knn" and f.fold in (1, 2, 3))
    ]
    scores = replace(exp, fits=gone).scores()
    assert scores.models == ("bayes", "tree", "knn")
    assert scores.tasks[0].values.shape == (3, 3)
    assert np.isnan(scores.tasks[0].values[:, 2]).all()


def test_the_table_has_a_row_for_each_split_and_nan_where_a_fit_is_missing() -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    first, *others = exp.fits
    table = score_table(replace(exp, fits=others), "accuracy")["wine"]
    assert table.shape == (6, len(exp.models))
    row, column = 3 * first.repeat + first.fold, exp.models.index(first.model)
    assert np.argwhere(np.isnan(table)).tolist() == [[row, column]]
    for f in others:
        assert table[3 * f.repeat + f.fold, exp.models.index(f.model)] == f.values["accuracy"]
