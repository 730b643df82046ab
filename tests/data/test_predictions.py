from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.errors import CellError, DataError, OptionError, RopewalkError


def labels(**changes: Any) -> Predictions:
    fields: dict[str, Any] = {
        "models": ("svm", "forest"),
        "units": strings("1234"),
        "truth": strings(["cat", "dog", "cat", "emu"]),
        "outputs": {
            "svm": strings(["cat", "cat", "cat", "emu"]),
            "forest": strings(["cat", "dog", "dog", "dog"]),
        },
        "kind": "labels",
        "classes": ("cat", "dog", "emu"),
        "audit": Audit(paired=4),
    }
    return Predictions(**(fields | changes))


def probabilities(p: np.ndarray, truth: list[str] | None = None, **changes: Any) -> Predictions:
    fields: dict[str, Any] = {
        "models": ("svm", "forest"),
        "units": strings(range(len(p))),
        "truth": strings(truth or ["cat", "dog"] * (len(p) // 2)),
        "outputs": {"svm": p, "forest": np.full_like(p, 1 / p.shape[1])},
        "kind": "probabilities",
        "classes": ("cat", "dog", "emu")[: p.shape[1]],
        "audit": Audit(paired=len(p)),
    }
    return Predictions(**(fields | changes))


def numbers() -> Predictions:
    return Predictions(
        models=("ridge", "knn"),
        units=strings("123"),
        truth=np.array([1.0, 2.0, 3.5]),
        outputs={"ridge": np.array([1.5, 2.0, 3.0]), "knn": np.array([0.0, 2.0, 4.5])},
        kind="numbers",
        audit=Audit(paired=3),
    )


def test_labels_give_accuracy() -> None:
    s = labels().scores()
    assert (s.metric, s.higher_is_better, s.design.unit) == ("accuracy", True, "example")
    np.testing.assert_array_equal(s.tasks[0].values, [[1, 1], [0, 1], [1, 0], [1, 0]])  # by hand


def test_costs_by_hand() -> None:
    table = {("dog", "cat"): 5.0, ("cat", "dog"): 1.0, ("emu", "dog"): 2.0, ("emu", "emu"): 0.25}
    s = labels().scores(table)
    assert (s.metric, s.higher_is_better) == ("cost", False)
    np.testing.assert_array_equal(s.tasks[0].values, [[0, 0], [5, 0], [0, 1], [0.25, 2]])
    assert s.differences("svm", "forest").tolist() == [0, -5, 1, 1.75]


def test_squared_and_absolute_error() -> None:
    squared = numbers().scores()
    assert (squared.metric, squared.higher_is_better) == ("squared error", False)
    np.testing.assert_array_equal(squared.tasks[0].values, [[0.25, 1], [0, 0], [0.25, 1]])
    np.testing.assert_array_equal(numbers().scores("absolute").tasks[0].values, [[0.5, 1], [0, 0], [0.5, 1]])


def test_squares_that_overflow_are_named() -> None:
    far = Predictions(
        models=("a", "b"),
        units=strings("12"),
        truth=np.array([1.5, 1.0]),
        outputs={"a": np.array([1e200, 1.0]), "b": np.array([1.0, 1.0])},
        kind="numbers",
        audit=Audit(paired=2),
    )
    with pytest.raises(CellError, match=r'1 of 4 scores are NaN or infinite\n\n  unit "1", model "a": inf'):
        far.scores()


def test_ratings_are_numbers_too() -> None:
    ratings = labels(
        truth=strings("1553"),
        outputs={"svm": strings("1353"), "forest": strings("3111")},
        classes=("1", "3", "5"),
    )
    np.testing.assert_array_equal(
        ratings.scores("absolute").tasks[0].values, [[0, 2], [2, 4], [0, 4], [0, 2]]
    )
    with pytest.raises(
        OptionError, match=r'"squared" does not fit predictions that are labels\n\n  Use "zero_one"'
    ):
        labels().scores("squared")


def test_probabilities_agree_with_scikit_learn() -> None:
    """Oracle: sklearn.metrics.log_loss, brier_score_loss; the two-class Brier score here is twice theirs."""
    from sklearn.metrics import brier_score_loss, log_loss

    rng = np.random.default_rng(0)
    p = rng.uniform(0.01, 0.99, size=50)
    y = rng.choice(["cat", "dog"], size=50).tolist()
    two = probabilities(np.column_stack([1 - p, p]), y)
    is_dog = np.array([t == "dog" for t in y])
    assert two.scores("brier").tasks[0].values[:, 0].mean() == pytest.approx(2 * brier_score_loss(is_dog, p))
    assert two.scores("log").tasks[0].values[:, 0].mean() == pytest.approx(log_loss(is_dog, p))
    three = rng.dirichlet([1, 1, 1], size=50)
    y = rng.choice(["cat", "dog", "emu"], size=50).tolist()
    s = probabilities(three, y).scores("log")
    assert s.tasks[0].values[:, 0].mean() == pytest.approx(log_loss(y, three))
    assert (s.metric, s.higher_is_better) == ("log loss", False)


def test_brier_of_three_classes_by_hand() -> None:
    p = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])
    s = probabilities(p, ["cat", "emu"]).scores()
    np.testing.assert_allclose(s.tasks[0].values[:, 0], [0.375, 2.0])
    assert s.metric == "Brier score"
    assert "Brier score, summed over the classes" in s.audit.notes[-1]


def test_probabilities_as_labels() -> None:
    p = probabilities(np.array([[0.5, 0.5], [0.4, 0.6]]))
    assert p.labels("svm").tolist() == ["cat", "dog"]  # one half is no positive answer
    assert p.scores("zero_one").tasks[0].values[:, 0].tolist() == [1, 1]
    assert p.scores({("cat", "dog"): 1, ("dog", "cat"): 7}).tasks[0].values[:, 1].tolist() == [0, 7]


def test_log_loss_of_zero_names_model_and_rows() -> None:
    p = probabilities(np.array([[0.0, 1.0], [0.5, 0.5], [0.0, 1.0], [1.0, 0.0]]))
    with pytest.raises(CellError) as caught:
        p.scores("log")
    assert "svm gives the true class a probability of 0 on 3 of 4 examples" in str(caught.value)
    assert 'unit "0"\n  unit "2"\n  unit "3"' in str(caught.value)
    assert "brier" in caught.value.hint
    assert "clip the probabilities yourself" in caught.value.hint


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: labels().scores("brier"),
            r'"brier" does not fit predictions that are labels\n\n  Use "zero_one"',
        ),
        (
            lambda: numbers().scores("log"),
            r'does not fit predictions that are numbers\n\n  Use "squared", "abs',
        ),
        (lambda: labels().scores("zeroone"), r'no loss "zeroone"\n\n  Did you mean "zero_one"'),
        (lambda: labels().scores("cost"), 'the loss "cost" needs a table of costs'),
        (
            lambda: labels().scores({("cat", "dog"): 1.0}),
            r'do not cover an error that occurs\n\n  truth "dog", predicted "cat"',
        ),
        (
            lambda: labels().scores({("cat", "dgo"): 1.0}),
            r'the costs name a label "dgo" that does not occur\n\n  Did you mean "dog"',
        ),
        (lambda: labels().scores({"cat": 1.0}), "cat is not a pair of labels"),
        (lambda: labels().scores({("cat", "dog"): np.nan}), "is nan"),
        (lambda: labels().labels("sv"), 'no model "sv"'),
        (lambda: numbers().labels("knn"), "have no labels"),
        (lambda: numbers().scores({("a", "b"): 1.0}), '"cost" does not fit predictions that are numbers'),
    ],
)
def test_bad_losses(call: Any, message: str) -> None:
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


NAN = np.array([1.0, np.nan, 3.0])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: labels(models=("svm",)), DataError, "only one model"),
        (lambda: labels(models=("svm", "tree")), DataError, 'outputs of "svm", "forest" given for models'),
        (lambda: labels(units=strings([])), DataError, "there are no predictions"),
        (lambda: labels(truth=strings("ab")), DataError, r"the truth has the shape \(2,\), \(4,\) was"),
        (lambda: labels(clusters=strings("ab")), DataError, "2 clusters for 4 examples"),
        (lambda: labels(tasks=strings("ab")), DataError, "2 tasks for 4 examples"),
        (
            lambda: labels(classes=("cat", "dog")),
            CellError,
            'the truth has labels that are not classes: "emu"',
        ),
        (
            lambda: labels(outputs={"svm": strings("abcd"), "forest": strings("abcd")}),
            CellError,
            'model "svm" has labels that are not classes: "a", "b", "c", "d"',
        ),
        (
            lambda: labels(outputs={"svm": strings("abc"), "forest": strings("abcd")}),
            DataError,
            r'the outputs of "svm" have the shape \(3,\)',
        ),
        (lambda: probabilities(np.array([[-0.5, 1.5], [0, 1]])), CellError, "probabilities outside 0 to 1"),
        (
            lambda: Predictions(
                models=("a", "b"),
                units=strings("123"),
                truth=NAN,
                outputs={"a": NAN, "b": NAN},
                kind="numbers",
                audit=Audit(paired=3),
            ),
            CellError,
            r'the truth has 1 values that are NaN or infinite\n\n  unit "2"',
        ),
    ],
)
def test_bad_predictions(make: Any, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


# --- models that were not run on some task ---


def gappy(kind: str = "labels", **changes: Any) -> Predictions:
    """Two tasks of three rows; "c" was not run on the second."""
    outputs: dict[str, Any] = {
        "labels": {
            "a": strings(["x", "y", "x", "x", "y", "y"]),
            "b": strings(["x", "x", "x", "x", "x", "y"]),
            "c": np.array(["y", "y", "x", None, None, None], dtype=object),
        },
        "numbers": {"a": np.arange(6.0), "b": np.ones(6), "c": np.r_[1.0, 2.0, 4.0, [np.nan] * 3]},
    }[kind]
    fields: dict[str, Any] = {
        "models": ("a", "b", "c"),
        "units": strings("123123"),
        "truth": strings(["x", "y", "x", "y", "y", "x"]) if kind == "labels" else np.arange(6.0),
        "outputs": outputs,
        "kind": kind,
        "classes": ("x", "y") if kind == "labels" else (),
        "tasks": strings(["t"] * 3 + ["u"] * 3),
        "audit": Audit(paired=6),
    }
    return Predictions(**(fields | changes))


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


def test_half_a_task_is_no_gap() -> None:
    half = gappy("numbers").outputs | {"c": np.r_[np.arange(5.0), np.nan]}
    with pytest.raises(CellError, match=r'model "c" has 1 values that are NaN or infinite\n\n  unit "3"'):
        gappy("numbers", outputs=half)
    words = gappy().outputs | {"c": np.array(["x", None, "x", None, None, None], dtype=object)}
    with pytest.raises(CellError, match='model "c" has labels that are not classes: "None"'):
        gappy(outputs=words)
    with pytest.raises(CellError, match='model "c" has 3 values that are NaN'):  # without tasks, no gaps
        gappy("numbers", tasks=None)


def test_one_model_alone_on_a_task() -> None:
    lonely = gappy("numbers").outputs | {"b": gappy("numbers").outputs["c"]}
    with pytest.raises(DataError, match='fewer than two models were run on task "u"'):
        gappy("numbers", outputs=lonely)


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
    with pytest.raises(DataError, match='the rows to learn from have no predictions of c on task "u"'):
        use.calibrated("platt", rows=p)
