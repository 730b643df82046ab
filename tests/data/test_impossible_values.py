"""Values that a metric cannot have; and values that look odd and are not refused."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.data.impossible_values import against_the_name, refuse_impossible, sign_doubts
from ropewalk.errors import DataError


def scores(metric: str, *columns: object, higher: bool | None = None) -> rw.Scores:
    values = np.array(columns, dtype=float).T
    rows = [(m, i, x) for j, m in enumerate("ab") for i, x in enumerate(values[:, j])]
    import pandas as pd

    frame = pd.DataFrame(rows, columns=["model", "id", metric])
    found = rw.read(frame, higher_is_better=higher)
    assert isinstance(found, rw.Scores)
    return found


FRACTIONS = np.linspace(0.31, 0.89, 40)


@pytest.mark.parametrize(
    ("metric", "mark", "says"),
    [
        ("accuracy", -1, "is -1 in 5 cells, and it cannot be below 0"),
        ("latency", -1, "is -1 in 5 cells, and it cannot be below 0"),
        ("rmse", -999, "is -999 in 5 cells, and it cannot be below 0"),
        ("judgement", -1, "is -1 in 5 cells, and it is between 0 and 1 in all others"),
        ("accuracy", 9, "is 9 in 5 cells and at most 0.89 in all others"),
        ("seconds", 999, "is 999 in 5 cells and at most 0.89 in all others"),
    ],
)
def test_marks(metric: str, mark: float, says: str) -> None:
    marked = np.where(np.arange(40) % 8, FRACTIONS, mark)
    with pytest.raises(DataError) as problem:
        refuse_impossible(scores(metric, FRACTIONS, marked))
    assert problem.value.what == f"`{metric}` {says}"


@pytest.mark.parametrize(
    ("metric", "b"),
    [
        ("reward", np.where(np.arange(40) % 2, -1.0, 1.0)),  # won and lost
        ("mcc", FRACTIONS - 1),
        ("accuracy_delta", np.where(np.arange(40) % 8, FRACTIONS, -1)),
        ("neg_rmse", -FRACTIONS),
        ("latency", 99 * FRACTIONS),
        ("hits", np.arange(40) % 10),
        ("quality", 1 + np.arange(40) % 5),
    ],
)
def test_values_that_may_be(metric: str, b: object) -> None:
    refuse_impossible(scores(metric, np.asarray(b, dtype=float)[::-1], b))


def test_an_error_below_zero_asks_for_the_direction() -> None:
    with pytest.raises(DataError, match="`mae` is below 0 in 40 of 80 cells"):
        refuse_impossible(scores("mae", FRACTIONS, -FRACTIONS))
    refuse_impossible(scores("mae", FRACTIONS, -FRACTIONS, higher=True))


def test_codes_and_points_in_time() -> None:
    with pytest.raises(DataError, match="which of the two means right"):
        refuse_impossible(scores("passed", 1 + np.arange(40) % 2, 1 + np.arange(40) % 2))
    with pytest.raises(DataError, match=r"points in time \(1700000000 to 1700000039\)"):
        refuse_impossible(scores("time", 1.7e9 + np.arange(40), 1.7e9 + np.arange(40)))


@pytest.mark.parametrize(
    ("metric", "sign", "doubted"),
    [("loss", -1, True), ("loss", 1, False), ("neg_log_loss", 1, True), ("neg_log_loss", -1, False)],
)
def test_the_sign_and_the_name(metric: str, sign: int, doubted: bool) -> None:
    assert bool(sign_doubts(scores(metric, sign * FRACTIONS, sign * FRACTIONS[::-1]))) is doubted
    given = scores(metric, sign * FRACTIONS, sign * FRACTIONS[::-1], higher=True)
    assert sign_doubts(given) == ()


def shares(metric: str, *values: float, higher: bool | None = None) -> rw.Scores:
    a = np.resize(np.array(values), 40)
    return scores(metric, a, a, higher=higher)


@pytest.mark.parametrize(
    ("metric", "values", "said"),
    [
        ("accuracy", (-0.2, 0.5), "`accuracy` is below 0 in 40 of 80 cells"),
        ("f1", (70.0, 120.5), "`f1` is above 100 in 40 of 80 cells"),
    ],
)
def test_what_a_share_cannot_be(metric: str, values: tuple[float, ...], said: str) -> None:
    with pytest.raises(DataError, match=said):
        refuse_impossible(shares(metric, *values))
    refuse_impossible(shares(metric, *values, higher=True))


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("mcc", (-0.2, 0.5)),
        ("r2", (-3.5, 0.5)),
        ("accuracy_delta", (-0.2, 0.5)),
        ("normalized_accuracy", (-0.2, 0.5)),
        ("num_correct", (70.0, 120.5)),
        ("accuracy", (70.0, 100.0)),
    ],
)
def test_what_other_numbers_can_be(metric: str, values: tuple[float, ...]) -> None:
    refuse_impossible(shares(metric, *values))


def test_a_direction_against_the_name() -> None:
    (said,) = against_the_name(shares("wer", 0.2, 0.5, higher=True))
    assert said.startswith(
        "higher is better, as you set it (--higher-is-better, higher_is_better=), but the name"
    )
    assert against_the_name(shares("wer", 0.2, 0.5, higher=False)) == ()
    assert against_the_name(shares("wer", 0.2, 0.5)) == ()
    assert against_the_name(shares("quux", 0.2, 0.5, higher=True)) == ()
    assert against_the_name(shares("mse", -0.2, -0.5, higher=True)) == ()  # scikit-learn flips signs


def test_a_loss_that_is_negative_for_one_model_only() -> None:
    (said,) = sign_doubts(scores("loss", -FRACTIONS, FRACTIONS, higher=False))
    assert said == (
        "`loss` is negative in every row of a and positive in every row of b: was the sign flipped in one of "
        "them?"
    )
