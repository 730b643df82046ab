"""The picture of seeds: every one of them, the best mean on top."""

from __future__ import annotations

import pytest

from ropewalk.errors import MethodError
from ropewalk.plot.training_runs import seeds

SCORES = {"svm": [0.91, 0.92, 0.90], "net": [0.88, 0.95, 0.97, 0.93]}


@pytest.mark.parametrize(("higher", "first"), [(True, "net"), (False, "svm")])
def test_the_best_mean_is_on_top_and_every_seed_is_drawn(higher: bool, first: str) -> None:
    figure = seeds(SCORES, metric="score", higher_is_better=higher)
    (ax,) = figure.axes
    assert next(label.get_text() for label in ax.get_yticklabels()) == first
    assert sorted(len(c.get_offsets()) for c in ax.collections) == [3, 4]
    words = [t.get_text() for t in ax.texts]
    assert any("3 to 4 per model" in text for text in words)
    assert any("their runs overlap" in text for text in words)
    assert ("better →" in words) == higher


def test_seeds_apart_are_told_so() -> None:
    figure = seeds({"a": [0.1, 0.2], "b": [0.8, 0.9]}, metric="accuracy", style="screen")
    assert any("their runs do not overlap" in t.get_text() for t in figure.axes[0].texts)


def test_equal_scores_have_a_width_too() -> None:
    assert seeds({"a": [0.5, 0.5], "b": [0.5, 0.5]}, metric="accuracy", style="paper").axes


def test_one_model_is_no_comparison() -> None:
    with pytest.raises(MethodError, match="this plot compares models"):
        seeds({"a": [0.1, 0.2]}, metric="accuracy")
