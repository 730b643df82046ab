"""The table of pairs: one row for each, with its own probabilities."""

from __future__ import annotations

import numpy as np

import ropewalk as rw


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
