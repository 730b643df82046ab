"""Plans of pairs: which can grow by what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from tests.plan.pilots_of_plans import plan


def test_seeds_and_examples_with_prices() -> None:
    rng = np.random.default_rng(0)
    rows = ["model,seed,id,score"]
    v = 0.2 * rng.standard_normal(60)
    for s in range(4):
        base, u, e = rng.standard_normal(60), 0.02 * rng.standard_normal(), 0.1 * rng.standard_normal(60)
        rows += [f"old,{s},{j},{base[j]}" for j in range(60)]
        rows += [f"new,{s},{j},{base[j] + 0.03 + u + v[j] + e[j]}" for j in range(60)]
    path = Path("runs.csv")
    path.write_text("\n".join(rows))
    found = rw.plan(path, unit="id", seed="seed", rope=0.02, draws=200, costs={"seed": 10.0, "example": 0.05})
    (pair,) = found.pairs
    assert [d.unit for d in pair.directions] == ["seed", "example"]
    prices = [w.price for w in pair.ways]
    assert prices == sorted(prices, key=lambda p: p or 0.0)
    first = pair.ways[0]
    assert first.price == pytest.approx(
        10.0 * first.adds.get("seed", 0) + 0.05 * first.adds.get("example", 0)
    )
    assert "options, cheapest first" in found.to_text()


def test_clusters_can_grow_in_number_or_in_rows() -> None:
    rng = np.random.default_rng(5)
    doc = np.repeat(np.arange(40), 6)
    effect = 0.05 * rng.standard_normal(40)
    old = rng.standard_normal(240)

    frame = pd.DataFrame(
        {
            "id": np.arange(240),
            "doc": [f"d{i}" for i in doc],
            "new": old + 0.02 + effect[doc] + 0.1 * rng.standard_normal(240),
            "old": old,
        }
    )
    found = rw.plan(frame, cluster="doc", rope=0.01, draws=300, costs={"cluster": 3.0, "example": 0.1})
    clusters, more_rows = found.pairs[0].directions
    assert (clusters.unit, clusters.n, more_rows.unit, more_rows.n) == ("cluster", 40, "row", 6)
    assert more_rows.curve.limit < 1
    assert more_rows.cost == pytest.approx(40 * 0.1)  # a row in each of the clusters
    if clusters.needed is not None:
        assert clusters.price == pytest.approx(3.0 * clusters.needed)


@pytest.mark.parametrize(
    "method", ["signed_rank", "sign", "hierarchical_t", "hierarchical_mcnemar", "hierarchical_accuracy"]
)
@pytest.mark.few(2)
def test_over_tasks_tasks_are_added(method: str) -> None:
    rng = np.random.default_rng(3)

    rows = []
    for t in range(8):
        shift = 0.1 * rng.standard_normal()
        for i in range(60):
            u = rng.random()
            rows.append((f"t{t}", i, int(u < 0.75 + shift * (rng.random() < 0.3)), int(rng.random() < 0.75)))
    frame = pd.DataFrame(rows, columns=["task", "id", "new", "old"])
    rope = "auto" if method == "hierarchical_mcnemar" else 0.03
    found = rw.plan(frame, task="task", unit="id", method=method, rope=rope, draws=40, more=[4, 16])
    (pair,) = found.pairs
    assert pair.method == method
    if pair.now is not None and pair.now.name == "undecided":
        (d,) = pair.directions
        assert (d.unit, d.n) == ("task", 8)
        assert d.curve.more.tolist() == [4, 16]


def test_of_many_pairs_the_undecided_ones_are_planned() -> None:
    rng = np.random.default_rng(0)
    base = rng.standard_normal(200)
    models = {f"m{i}": base + 0.3 * rng.standard_normal(200) for i in range(6)}
    found = plan(models, rope=0.001)
    verdicts = [c.verdict.name for c in rw.compare(models, rope=0.001).comparisons]
    assert len(found.pairs) == 10
    assert found.left_out == verdicts.count("undecided") - 10 > 0
    assert f"{found.left_out} more undecided pairs" in found.to_text()
    one = plan(models, rope=0.001, pairs=[("m0", "m3")])
    assert [(p.a, p.b) for p in one.pairs] == [("m0", "m3")]
