"""The loss of every prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.errors import CellError, OptionError
from tests.data.some_predictions import labels, numbers, probabilities


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
        (lambda: numbers().scores({("a", "b"): 1.0}), '"cost" does not fit predictions that are numbers'),
    ],
)
def test_bad_losses(call: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        call()
