"""Predictions: their labels, tasks, clusters and gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.errors import DataError, OptionError
from tests.data.some_predictions import gappy, labels, numbers, probabilities


def test_probabilities_as_labels() -> None:
    p = probabilities(np.array([[0.5, 0.5], [0.4, 0.6]]))
    assert p.labels("svm").tolist() == ["cat", "dog"]  # one half is no positive answer
    assert p.scores("zero_one").tasks[0].values[:, 0].tolist() == [1, 1]
    assert p.scores({("cat", "dog"): 1, ("dog", "cat"): 7}).tasks[0].values[:, 1].tolist() == [0, 7]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: labels().labels("sv"), 'no model "sv"'),
        (lambda: numbers().labels("knn"), "have no labels"),
    ],
)
def test_labels_of_nobody_and_of_numbers(call: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        call()


def test_tasks_and_clusters() -> None:
    p = labels(tasks=strings(["x", "y", "x", "y"]), clusters=strings("ppqq"))
    s = p.scores()
    assert [t.name for t in s.tasks] == ["x", "y"]
    assert s.tasks[0].units.tolist() == ["1", "3"]
    assert s.tasks[1].clusters is not None
    assert s.tasks[1].clusters.tolist() == ["p", "q"]
    assert s.differences("svm", "forest", "y").tolist() == [-1, 1]


# --- models that were not run on some task ---


@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_a_gap_becomes_nan_in_the_scores(kind: str) -> None:
    p = gappy(kind)
    assert p.has_gaps
    scores = p.scores()
    assert scores.has_gaps
    there = [np.isfinite(t.values).all(axis=0).tolist() for t in scores.tasks]
    assert there == [[True, True, True], [True, True, False]]
    expected = [[1, 1, 0], [1, 0, 1], [1, 1, 1]] if kind == "labels" else [[0, 1, 1], [0, 0, 1], [0, 1, 4]]
    np.testing.assert_array_equal(scores.tasks[0].values, expected)  # by hand


def test_each_task_has_the_models_that_were_run_on_it() -> None:
    t, u = gappy().by_task()
    assert (t.models, u.models) == (("a", "b", "c"), ("a", "b"))
    assert not u.has_gaps
    assert u.label_codes("b").tolist() == [0, 0, 1]
    assert gappy().of_model("c").units.tolist() == list("123")
    assert gappy().of_model("a").units.tolist() == list("123123")
    with pytest.raises(OptionError, match='there is no model "z"'):
        gappy().of_model("z")


def many(n: int = 60) -> Predictions:
    """Probabilities of three models on two tasks, "c" only on the first."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    said = {}
    for m in "abc":
        p = 1 / (1 + np.exp(-(y - 0.5 + rng.normal(size=n))))
        said[m] = np.column_stack([1 - p, p])
    tasks = strings(np.where(np.arange(n) < n // 2, "t", "u"))
    said["c"][n // 2 :] = np.nan
    return Predictions(
        models=tuple("abc"), units=strings(range(n)), truth=strings(y), outputs=said, kind="probabilities",
        classes=("0", "1"), tasks=tasks, audit=Audit(paired=n),
    )  # fmt: skip


def test_calibration_keeps_a_gap() -> None:
    p = many()
    done = p.calibrated("platt")
    assert np.isnan(done.outputs["c"]).all(axis=1).tolist() == [False] * 30 + [True] * 30
    t, _ = p.by_task()
    alone = t.calibrated("platt")  # each task is calibrated by itself: the other one changes nothing
    np.testing.assert_allclose(done.outputs["a"][:30], alone.outputs["a"], rtol=1e-12)
    np.testing.assert_allclose(done.outputs["c"][:30], alone.outputs["c"], rtol=1e-12)


def test_a_threshold_keeps_a_gap() -> None:
    cut = many().at_threshold(fpr=0.2)
    assert [x is None for x in cut.outputs["c"]] == [False] * 30 + [True] * 30
    assert cut.scores().has_gaps
    assert "c " in cut.audit.notes[-1]


def test_rows_to_learn_from_must_have_the_tasks_of_a_model() -> None:
    p = many()
    whole = p.outputs | {"c": p.outputs["a"]}
    use = Predictions(
        models=p.models, units=strings(range(100, 160)), truth=p.truth, outputs=whole, kind=p.kind,
        classes=p.classes, tasks=p.tasks, audit=p.audit,
    )  # fmt: skip
    with pytest.raises(DataError, match='the fitting rows have no predictions of c on task "u"'):
        use.calibrated("platt", rows=p)
