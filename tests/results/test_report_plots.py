"""The plots of all models of a report, by name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import ropewalk as rw
from ropewalk.errors import OptionError


def test_a_report_draws_its_plots_by_name() -> None:
    rng = np.random.default_rng(3)
    folds = [
        (f"t{t}", m, k, 0.7 + 0.02 * i + 0.01 * rng.normal())
        for t in range(6)
        for i, m in enumerate("abc")
        for k in range(5)
    ]
    many = rw.compare(pd.DataFrame(folds, columns=["task", "model", "fold", "accuracy"]))
    for kind in (None, "leaderboard", "verdict_matrix", "ranks", "task_matrix", "critical_difference"):
        assert isinstance(many.plot(kind), Figure)
    with pytest.raises(OptionError, match="shows one pair, and this report has 3"):
        many.plot("posterior")
    with pytest.raises(OptionError, match="has no plot") as raised:
        many.plot("leaderbord")
    assert "leaderboard" in str(raised.value)
    two = rw.compare({"a": [1, 1, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1, 0]})
    assert isinstance(two.plot("hdi"), Figure)
    with pytest.raises(OptionError, match="has no plot"):
        two.plot("ranks")
