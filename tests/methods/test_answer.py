"""Beside each default method the answer of a second one, and why the two may differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Audit
from ropewalk.data.counts import Counts, TaskCounts
from ropewalk.decide import in_scores, on_advantage, on_phi, probabilities
from ropewalk.posterior import Probabilities
from ropewalk.results.comparison import Check, Comparison
from ropewalk.sums import Sums

TABLES = {
    "de": (18, 63, 66, 183),
    "da": (54, 159, 198, 589),
    "fr": (79, 180, 167, 574),
    "tr": (19, 64, 30, 103),
}


def counts(**tables: tuple[int, int, int, int]) -> Counts:
    rows = tuple(
        TaskCounts(name=name, **dict(zip(("n00", "n01", "n10", "n11"), n, strict=True)))
        for name, n in tables.items()
    )
    return Counts(a="A", b="B", tasks=rows, audit=Audit(paired=sum(map(sum, tables.values()))))


def said(c: Comparison, name: str) -> Check:
    (found,) = [k for k in c.checks if k.name == name]
    assert found.ok  # another answer of a rougher method is no alarm
    return found


def same(check: Check, p: Probabilities) -> None:
    assert check.numbers == pytest.approx(
        {"better": p.better, "equivalent": p.equivalent, "worse": p.worse}, abs=1e-12
    )


@pytest.mark.parametrize("rope", ["auto", "0.1sd", 0.02])
def test_mcnemar_has_a_t_test_beside_it(rope: Any) -> None:
    """Oracle: the t posterior of the differences -1, 0 and 1, with the ROPE in accuracy."""
    (c,) = rw.compare(counts(da=TABLES["da"]), rope=rope).comparisons
    n00, n01, n10, n11 = TABLES["da"]
    d = np.repeat([0.0, -1.0, 1.0], [n00 + n11, n01, n10])
    half = 0.01 if rope == "auto" else 0.02
    if rope == "0.1sd":  # Williams 2026 sec. 5.4, and an advantage of 2 x T for phi = 1/2 - x
        phi = (n01 + 1) / (n01 + n10 + 2)
        half = 2 * 0.1 * float(np.sqrt(phi * (1 - phi))) * (n01 + n10) / d.size
    expected = probabilities(rw.bayes.t(d), in_scores(-half, half, "given"))
    same(said(c, "t-test for comparison"), expected)


def test_the_edges_on_phi_change_sides_on_the_advantage() -> None:
    rope = on_phi(0.4, 0.3, -0.1, 0.2)
    low, high = on_advantage(rope, 0.3)
    assert (low, high) == pytest.approx((2 * -0.1 * np.sqrt(0.24) * 0.3, 2 * 0.2 * np.sqrt(0.24) * 0.3))
    assert on_advantage(in_scores(-0.1, 0.2, "given"), 0.3) == (-0.1, 0.2)


def test_the_signed_rank_test_has_the_sign_test() -> None:
    rng = np.random.default_rng(0)
    rows = [(f"t{i}", m, float(rng.normal(0.8, 0.02))) for i in range(12) for m in "ab"]
    report = rw.compare(pd.DataFrame(rows, columns=["task", "model", "accuracy"]), method="signed_rank")
    (c,) = report.overall
    assert (c.method, c.asks) == ("signed_rank", "likeliest")
    same(said(c, "sign test for comparison"), rw.bayes.sign(c.evidence.d, 0.01).most_probable)  # type: ignore[union-attr]


def test_several_runs_have_the_t_test_that_takes_them_for_the_only_ones() -> None:
    rng = np.random.default_rng(4)
    rows = [
        (m, s, u, float(rng.normal(0.3 * (m == "a") + 0.3 * rng.normal(), 0.2)))
        for m in "ab"
        for s in range(4)
        for u in range(30)
    ]
    (c,) = rw.compare(pd.DataFrame(rows, columns=["model", "seed", "unit", "score"]), rope=0.1).comparisons
    assert c.method == "crossed"
    expected = probabilities(rw.bayes.t(Sums.of(c.evidence.d)), c.rope)  # type: ignore[union-attr]
    same(said(c, "t-test with the seeds fixed"), expected)


def test_counts_on_many_tasks_have_the_sign_test_in_the_same_reading() -> None:
    """Oracle: on how many tasks the difference in accuracy is beyond ±0.0364, with one prior task inside."""
    (c,) = rw.compare(counts(**TABLES), rope="0.1sd", question="next").overall
    assert c.method == "hierarchical_mcnemar"
    # de +0.009, da +0.039, fr -0.013, tr -0.157
    same(said(c, "sign test over task means"), Probabilities(better=0.2, equivalent=0.6, worse=0.2))


def test_the_poisson_binomial_test_has_it_too_and_says_why_they_differ() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (t, m, f, 0.8 + 0.015 * (m == "b") + float(rng.normal(0, 0.02)))
        for t in range(6)
        for m in "ab"
        for f in range(10)
    ]
    data = pd.DataFrame(rows, columns=["task", "model", "fold", "accuracy"])
    (c,) = rw.compare(data, method="poisson_binomial").overall
    check = said(c, "sign test over task means")
    same(check, rw.bayes.sign(c.evidence.d, 0.0).most_probable)  # type: ignore[union-attr]
    if "instead of" in check.text:
        assert "it treats the better model on each task as certain" in check.text
