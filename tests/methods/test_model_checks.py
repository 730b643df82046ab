"""Posterior predictive checks that fail stand in the report, whatever the hierarchical model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Audit, Counts, TaskCounts
from ropewalk.results import Report

TASKS, EXAMPLES = 30, 200


def answers(pi: np.ndarray, phi: np.ndarray) -> Counts:
    """The models disagree on a share pi of each task; A is wrong in a share phi of these."""
    tasks = []
    for i, (p, q) in enumerate(zip(pi, phi, strict=True)):
        differ = round(EXAMPLES * p)
        n01 = round(differ * q)
        agree = EXAMPLES - differ
        tasks.append(
            TaskCounts(name=f"t{i}", n00=agree // 3, n01=n01, n10=differ - n01, n11=agree - agree // 3)
        )
    return Counts(a="A", b="B", tasks=tuple(tasks), audit=Audit(paired=TASKS * EXAMPLES))


def graded(means: np.ndarray, models: tuple[str, ...] = ("A", "B")) -> pd.DataFrame:
    """Eight units on each task; the first model's mean advantage on a task is given."""
    rng = np.random.default_rng(0)
    rows = []
    for t, mean in enumerate(means):
        for m, name in enumerate(models):
            shift = mean if m == 0 else 0.0
            rows += [(f"t{t}", u, name, x) for u, x in enumerate(0.5 + shift + rng.normal(0, 0.02, 8))]
    return pd.DataFrame(rows, columns=["task", "unit", "model", "score"])


def said(report: Report) -> list[str]:
    """The model checks that failed; each of them is in the text, in Markdown and on the page."""
    found = [c.text for c in report.overall[0].checks if c.name == "model check" and not c.ok]
    for text in found:
        start = " ".join(text.split()[:6])
        for output in (report.to_text(), report.to_markdown()):
            assert start in " ".join(output.split())
        assert start in report.to_html()
    return found


RATES = np.linspace(0.05, 0.3, TASKS)


def test_a_rate_of_disagreement_that_tells_who_wins() -> None:
    (text,) = said(rw.compare(answers(RATES, 0.8 - 2 * RATES)))
    assert text.startswith("tasks with more disagreement favor A (correlation +")
    assert text.endswith("(posterior predictive p < 0.01)")  # not 0: of 2,000 data sets none went as far
    assert said(rw.compare(answers(RATES, np.tile([0.45, 0.55], TASKS // 2)))) == []


@pytest.mark.parametrize("rope", [0.01, "0.1sd"], ids=["hierarchical_accuracy", "hierarchical_mcnemar"])
@pytest.mark.few(1)
def test_one_odd_task(rope: float | str) -> None:
    phi = np.tile([0.45, 0.55], TASKS // 2)
    phi[7] = 0.0
    found = said(rw.compare(answers(np.full(TASKS, 0.3), phi), rope=rope))
    assert any(
        text.startswith("one task is ") and "strongly influences the mean over tasks" in text
        for text in found
    )


def test_skewed_advantages_of_tasks() -> None:
    means = np.random.default_rng(3).exponential(0.1, 40)
    (text,) = said(rw.compare(graded(means), higher_is_better=True))
    assert text.startswith("the tasks' mean advantages are skewed (mean minus median is +")


def test_a_leaderboard_with_one_task_that_outweighs_the_others() -> None:
    means = np.zeros(20)
    means[4] = 0.4
    report = rw.compare(graded(means, ("A", "B", "C")), higher_is_better=True)
    assert "one of 20 tasks (number 5) has" in " ".join(report.to_text().split())
    calm = rw.compare(graded(np.zeros(20), ("A", "B", "C")), higher_is_better=True)
    assert "of the variation between models" not in " ".join(calm.to_text().split())
