"""What all hierarchical methods do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Design, Scores, TaskScores
from tests.analysis.tasks_of_papers import tasks


def test_two_tasks_are_enough_but_wide() -> None:
    (two,) = tasks([0.05, 0.06]).overall
    (ten,) = tasks([0.05, 0.06] * 5).overall
    assert two.estimate.high - two.estimate.low > ten.estimate.high - ten.estimate.low
    assert two.verdict.name == "undecided"


def test_tasks_that_never_vary_keep_their_mean() -> None:
    # baycomp overwrites a constant difference with noise inside the ROPE, however large it is.
    report = tasks([0.0, 0.3, 0.0, 0.3, 0.3, 0.3], spread=0.0, rope=0.01)
    (c,) = report.overall
    assert list(c.evidence.d) == pytest.approx([0.0, 0.3, 0.0, 0.3, 0.3, 0.3])
    assert any("The scores do not vary on any task" in k.text for k in c.checks)
    assert c.estimate.mean > 0.1


def test_no_likelihood_depends_on_the_rope() -> None:
    # The same data, one task of which never varies, at two ROPEs: the same posterior of the mean.
    narrow, wide = (
        tasks([0.0, 0.03, 0.02, 0.04, 0.01], units=[20] * 5, rope=rope).overall[0] for rope in (0.001, 0.1)
    )
    assert narrow.estimate.mean == wide.estimate.mean
    assert narrow.evidence.fitted.tasks.scale.tolist() == wide.evidence.fitted.tasks.scale.tolist()
    constant = [tasks([0.0, 0.3, 0.1], spread=0.0, rope=r).overall[0].estimate for r in (0.001, 0.1)]
    assert constant[0] == constant[1]


def test_scales_that_differ_wildly_are_noticed() -> None:
    rng = np.random.default_rng(0)

    def losses(k: float) -> np.ndarray:
        return k * (1 + rng.normal(size=(30, 2)) * 0.1)

    parts = tuple(
        TaskScores(name=f"t{i}", units=[str(j) for j in range(30)], values=losses(10.0**i)) for i in range(6)
    )
    data = Scores(
        models=("A", "B"), tasks=parts, metric="rmse", higher_is_better=False,
        design=Design(unit="example"), audit=Audit(paired=180),
    )  # fmt: skip
    (c,) = rw.compare(data).overall
    assert any("use --method poisson_binomial" in w for w in c.warnings)


def test_each_task_keeps_its_own_correlation(tmp_path: Path) -> None:
    # 5 folds have rho 1/5, 10 folds 1/10: the whole is bayes.hierarchical_t with one rho per task.
    rng = np.random.default_rng(3)
    sizes = {"wine": 5, "iris": 10, "digits": 10}
    rows, tasks = ["model,task,fold,accuracy"], []
    for task, k in sizes.items():
        x = np.round(rng.uniform(0.6, 0.9, size=(k, 2)), 3)
        tasks.append(x[:, 0] - x[:, 1])
        rows += [f"{m},{task},{j},{x[j, i]}" for j in range(k) for i, m in enumerate("ab")]
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(rows))
    over = rw.compare(path, question="likeliest").overall[0]
    assert "correlation 0.1 to 0.2" in over.why
    expected = rw.bayes.hierarchical_t(tasks, rho=[0.2, 0.1, 0.1], scale=1.0).next_task(0.01)
    wrong = rw.bayes.hierarchical_t(tasks, rho=0.1, scale=1.0).next_task(0.01)
    assert over.verdict.better == pytest.approx(expected.most_probable.better, abs=expected.error)
    assert over.verdict.better != pytest.approx(wrong.most_probable.better, abs=10 * expected.error)
