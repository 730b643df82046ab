"""The models by their mean rank, as a table and in a row."""

from __future__ import annotations

import numpy as np

from ropewalk import nhst
from ropewalk.analysis.classical_tests import ranked_models
from ropewalk.report.rank_table import rank_table, rank_text
from ropewalk.results.formatting import MANY


def test_one_row_a_model_best_first() -> None:
    z = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.9], [0.6, 0.5, 0.4], [0.9, 0.6, 0.5]])
    ranked = ranked_models(["a", "b", "c"], z, nhst.friedman(z), rng=0)
    table = rank_table(ranked)
    # The critical-difference diagram of the same report has the observed ones.
    assert table.columns[:2] == ("over 4 tasks", "posterior mean rank")
    # Oracle: average ranks 1.25, 2.25 and 2.5, pulled towards 2 by one task's weight.
    assert [row[:2] for row in table.rows] == [("a", "1.40"), ("b", "2.20"), ("c", "2.40")]
    assert "a has the best mean rank with probability" in rank_text(ranked)
    assert "±0.1 ranks" in rank_text(ranked)


def test_many_models_are_cut() -> None:
    z = np.random.default_rng(0).normal(size=(5, MANY + 3))
    ranked = ranked_models([f"m{i}" for i in range(MANY + 3)], z, nhst.friedman(z), rng=0)
    table = rank_table(ranked)
    assert len(table.rows) == MANY + 1
    assert table.rows[-1][0] == "… 3 more"
