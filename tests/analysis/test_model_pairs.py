"""Which pairs are compared, and that the rest of the board does not change them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.errors import OptionError
from ropewalk.posterior import Posterior
from tests.analysis.boards_of_models import many_tasks, one_task


def _pair_on(boards: list[int], tasks: int, right_or_wrong: bool) -> list[tuple[Any, Any]]:
    """What the report says of the first two models on boards of several sizes."""
    rng = np.random.default_rng(1)
    z = rng.normal(size=(tasks, 15, 1)) + rng.normal(size=(tasks, 15, max(boards)))
    z = (z > 0) * 1.0 if right_or_wrong else z
    found = []
    for k in boards:
        rows = [
            (f"m{m:02d}", f"t{t}", i, z[t, i, m]) for m in range(k) for t in range(tasks) for i in range(15)
        ]
        data = pd.DataFrame(rows, columns=["model", "task", "id", "correct" if right_or_wrong else "reward"])
        report = rw.compare(data, rope=0.1)
        c = report.overall[0]
        assert (c.a, c.b) == ("m00", "m01")
        if (board := report.board) is not None:
            assert board.better[0, 1] == c.verdict.better
        posterior = cast("Posterior", c.posterior)
        p, e = c.verdict, c.estimate
        numbers = [p.better, p.equivalent, p.worse, e.mean, e.low, e.high, float(posterior.cdf(0.0))]
        # Sums over columns of a wider table round in another order.
        found.append(((c.method, c.asks, c.rope, p.name, e.name), pytest.approx(numbers, rel=1e-9)))
    return found


@pytest.mark.parametrize("right_or_wrong", [True, False])
def test_a_pair_over_tasks_is_the_same_on_every_board(
    monkeypatch: pytest.MonkeyPatch, right_or_wrong: bool
) -> None:
    # The same method, estimand, ROPE and numbers, whether single tasks are shown (up to 2 pairs here) or not.
    monkeypatch.setattr("ropewalk.analysis.chosen_pairs._MOST_SHOWN", 2)
    two, three = _pair_on([2, 3], 5, right_or_wrong)
    assert two[0] == three[0]
    assert two[1] == three[1].expected
    assert two[0][:2] == ("hierarchical_accuracy" if right_or_wrong else "hierarchical_t", "average")


@pytest.mark.proof
@pytest.mark.parametrize("right_or_wrong", [True, False])
def test_a_pair_over_tasks_is_the_same_on_boards_of_12_and_14_models(right_or_wrong: bool) -> None:
    twelve, fourteen = _pair_on([12, 14], 12, right_or_wrong)
    assert twelve[0] == fourteen[0]
    assert twelve[1] == fourteen[1].expected


def test_pairs_over_tasks_beyond_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of many pairs single tasks are left out, of more the groups, and of still more all but those with the
    # best model; each is said, and the method stays.
    rng = np.random.default_rng(0)
    tasks = tuple(
        TaskScores(
            name=f"t{t}", group="xy"[t % 2], units=list("1234"), values=rng.normal([1, 0, 0], size=(4, 3))
        )
        for t in range(4)
    )
    data = replace(one_task(tasks[0].values, "abc"), tasks=tasks)
    at = "ropewalk.analysis.chosen_pairs."
    for shown, fits, counts, said in (
        (3, 9, (12, 3, 6), ""),
        (2, 9, (0, 3, 6), "3 pairs on 4 tasks: compared only over all tasks"),
        (2, 8, (0, 3, 0), "3 pairs in 2 groups of tasks: compared only over all tasks"),
        (3, 2, (8, 2, 0), "3 pairs are too many, so every model is compared only with the best, a"),
    ):
        monkeypatch.setattr(at + "_MOST_SHOWN", shown)
        monkeypatch.setattr(at + "_MOST_FITS", fits)
        report = rw.compare(data, rope=0.1)
        groups = sum(len(found) for found in report.groups.values())
        assert (len(report.comparisons), len(report.overall), groups) == counts
        assert {c.method for c in report.overall} == {"hierarchical_t"}
        assert said in " ".join(report.audit.notes)


@pytest.mark.proof
def test_hundreds_of_models_are_compared_with_the_best() -> None:
    z = np.random.default_rng(2).normal(size=(12, 150)) + np.linspace(0, 3, 150)
    report = rw.compare(
        Scores(
            models=tuple(f"m{i:03d}" for i in range(150)),
            tasks=(TaskScores(name=None, units=[str(i) for i in range(12)], values=z),),
            metric="reward",
            higher_is_better=True,
            design=Design(unit="example"),
            audit=Audit(paired=12),
        ),
        rope=0.1,
    )
    assert len(report.comparisons) == 149
    assert len({c.b for c in report.comparisons}) == 1
    assert any("11,175 pairs are too many" in n for n in report.audit.notes)
    assert "… 90 more" in report.to_text()


def test_a_reference_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match=r'there is no model "az"(.|\n)*[Dd]id you mean'):
        rw.compare(many_tasks([0.3, 0.2, 0.0]), reference="az")
