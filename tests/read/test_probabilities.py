"""Probabilities of two classes or of several, and which class they are of."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import CellError, ColumnError, OptionError
from ropewalk.read.probabilities import known_pair, positive_last, positive_of
from ropewalk.read.roles import Options


@pytest.mark.parametrize(
    ("classes", "pair"),
    [
        (["0", "1"], ("0", "1")),
        (["Yes", "No"], ("No", "Yes")),
        (["NEG"], ("NEG", "pos")),
        (["cat", "dog"], None),
        ([], None),
    ],
)
def test_well_known_pairs_in_the_spelling_of_the_data(
    classes: list[str], pair: tuple[str, str] | None
) -> None:
    assert known_pair(classes) == pair


def test_the_positive_class_is_the_one_given_or_the_second_of_a_pair() -> None:
    assert positive_of(["0", "1"], Options()) == "1"
    assert positive_of(["0", "1"], Options(positive=0)) == "0"
    assert positive_last(["no", "yes"], Options(positive="no")) == ("yes", "no")
    assert positive_last(["a", "b", "c"], Options()) == ("a", "b", "c")
    with pytest.raises(OptionError, match='the positive class "x" does not occur'):
        positive_of(["0", "1"], Options(positive="x"))


def frames(**columns: list[object]) -> dict[str, pd.DataFrame]:
    base = pd.DataFrame({"id": range(4), "truth": ["ham", "spam", "ham", "spam"]})
    return {m: base.assign(**columns) for m in ("a", "b")}


def test_one_column_is_the_second_class_and_the_rest_the_first() -> None:
    data = rw.read(frames(p_spam=[0.1, 0.8, 0.3, 0.9]))
    assert isinstance(data, rw.Predictions)
    assert (data.kind, data.classes) == ("probabilities", ("ham", "spam"))
    assert data.outputs["a"] == pytest.approx(np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.1, 0.9]]))
    with pytest.raises(ColumnError, match="of which class of `truth`"):
        rw.read(frames(probability=[0.1, 0.8, 0.3, 0.9]))


def test_a_column_for_each_class_adds_up_to_one() -> None:
    data = rw.read(frames(p_ham=[0.9, 0.2, 0.7, 0.1], p_spam=[0.1, 0.8, 0.3, 0.9]), positive="ham")
    assert isinstance(data, rw.Predictions)
    assert data.classes == ("spam", "ham")
    assert data.outputs["a"][0].tolist() == [0.1, 0.9]
    with pytest.raises(CellError, match="probabilities of 1 row do not add up to 1"):
        rw.read(frames(p_ham=[0.9, 0.2, 0.7, 0.5], p_spam=[0.1, 0.8, 0.3, 0.9]))


def test_scores_beyond_0_and_1_are_decision_scores() -> None:
    data = rw.read(frames(p_spam=[-2.1, 3.8, -0.3, 0.9]))
    assert isinstance(data, rw.Predictions)
    assert (data.kind, data.classes) == ("scores", ("ham", "spam"))
