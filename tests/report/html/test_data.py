"""What the page is told."""

from __future__ import annotations

import ropewalk as rw
from ropewalk.analysis.model_pairs import score_pairs
from tests.report.html.posteriors import tasks


def test_examples_are_those_that_differ_most() -> None:
    scores = rw.read({"A": [1.0, 5.0, 2.0, 0.0], "B": [0.0, 1.0, 2.0, 3.0]})
    (found,) = score_pairs(scores, [("A", "B")], None)
    assert found.examples is not None
    assert found.examples.for_a == (("2", 4.0), ("1", 1.0))
    assert found.examples.for_b == (("4", 3.0),)
    assert (found.examples.n_a, found.examples.n_b) == (2, 1)


def test_folds_are_no_examples() -> None:
    report = tasks(2, 2, n=10)
    assert report.overall[0].examples is None
    assert report.comparisons[0].examples is not None
