"""The hierarchical t-test as a method: four questions to `bayes.hierarchical_t`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.methods import method_of


def folds(tasks: int = 6, k: int = 10) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for t in range(tasks):
        base = rng.normal(0.8, 0.02, k)
        a = base + rng.normal(0.01, 0.01, k)
        rows += [(m, f"t{t}", i, x) for m, xs in (("A", a), ("B", base)) for i, x in enumerate(xs)]
    return pd.DataFrame(rows, columns=["model", "task", "fold", "accuracy"])


@pytest.mark.parametrize("question", ["average", "these", "next", "likeliest"])
@pytest.mark.few(2)
def test_the_verdict_answers_the_question(question: str) -> None:
    frame = folds()
    (c,) = rw.compare(frame, question=question).overall
    table = frame.pivot_table(index=["task", "fold"], columns="model", values="accuracy")
    d = [list((g["A"] - g["B"]).to_numpy()) for _, g in table.groupby("task")]
    fitted = rw.bayes.hierarchical_t(d, rho=0.1, scale=1.0)
    assert c.method == "hierarchical_t"
    expected = {
        "average": float(fitted.mean_advantage.sf(0.01)),
        "these": float(fitted.these().sf(0.01)),
        "next": fitted.next_task(0.01).mean.better,
        "likeliest": fitted.next_task(0.01).most_probable.better,
    }
    assert len({round(p, 3) for p in expected.values()}) == 4
    assert (c.asks, c.verdict.better) == (question, pytest.approx(expected.pop(question), abs=1e-6))
    assert {asks: reading.p.better for asks, reading in c.readings.items()} == pytest.approx(
        expected, abs=1e-6
    )
    assert c.correlation is not None
    assert c.correlation.text == "correlation 0.1 between any two folds"
    at = method_of(c).at(c, np.array([c.rope.low]), np.array([c.rope.high]))
    assert at is not None
    assert at[:, 0] == pytest.approx([c.verdict.better, c.verdict.worse], abs=1e-4)
