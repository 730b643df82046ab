"""The table of pairs: one row for each, with its own probabilities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.methods import known, varied


def test_each_pair_has_its_row_with_its_own_probabilities() -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(size=40)
    scores = {name: base + shift + 0.3 * rng.normal(size=40) for name, shift in
              (("alpha", 0.5), ("beta", 0.1), ("gamma", 0.0))}  # fmt: skip
    report = rw.compare(scores, rope=0.05, higher_is_better=True)
    lines = report.to_text().splitlines()
    for c in report.comparisons:
        rows = [line for line in lines if line.split()[:1] and c.a in line and c.b in line and "0." in line]
        assert rows, (c.a, c.b)
        middle = f"{c.verdict.equivalent:.2f}"
        assert any(middle in row or "<0.01" in row for row in rows), (c.a, c.b, middle, rows)


def folds(models: str = "abc") -> pd.DataFrame:
    rng = np.random.default_rng(4)
    rows = [(m, t, f, 0.8 + 0.02 * rng.normal()) for m in models for t in "wxyz" for f in range(5)]
    return pd.DataFrame(rows, columns=["model", "task", "fold", "accuracy"])


def test_other_questions_are_answered_where_another_method_does_and_not_in_vain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten pairs on 54 tasks took five seconds for answers that no table shows."""
    asked: list[str] = []
    answer = varied.readings

    def counted(c: rw.Comparison) -> object:
        asked.append(c.method)
        return answer(c)

    monkeypatch.setattr(varied, "readings", counted)
    assert "verdict there" not in rw.compare(folds()).to_text()
    assert asked == []
    numbers = folds().groupby(["model", "task"])["accuracy"].mean().reset_index()
    assert "verdict there" in rw.compare(numbers).to_text()
    assert asked == ["t"] * 3


def test_a_method_says_whether_another_one_answers_other_questions() -> None:
    numbers = folds().groupby(["model", "task"])["accuracy"].mean().reset_index()
    found = {}
    for frame, methods in (
        (folds("ab"), ("hierarchical_t", "poisson_binomial")),
        (numbers, ("t", "signed_rank")),
    ):
        two = frame[frame["model"] != "c"]
        for method in methods:
            (c,) = rw.compare(two, method=method).overall or rw.compare(two, method=method).comparisons
            found[method] = any(r.by != c.method for r in c.readings.values())
    assert found == {name: known()[name].read_by_another for name in found}
