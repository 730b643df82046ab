"""Comparing sums that were taken where the data lie gives the answer of the rows."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import MethodError
from ropewalk.report import Report


def _real(tasks: int, models: str = "ab") -> pd.DataFrame:
    rng = np.random.default_rng(tasks)
    n = 600
    common = rng.normal(size=n)
    frame = pd.DataFrame({"id": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)]})
    for k, m in enumerate(models):
        frame[m] = common + 0.3 * rng.standard_t(3, n) + 0.05 * k
    return frame if tasks > 1 else frame.drop(columns="task")


def _binary(tasks: int) -> pd.DataFrame:
    rng = np.random.default_rng(10 + tasks)
    n = 600
    frame = pd.DataFrame({"id": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)]})
    for k, m in enumerate("ab"):
        frame[m] = (rng.random(n) < 0.7 + 0.05 * k).astype(int)
    return frame if tasks > 1 else frame.drop(columns="task")


def _numbers(report: Report) -> list[tuple[float, ...]]:
    return [
        (c.verdict.better, c.verdict.equivalent, c.verdict.worse, c.estimate.mean, c.effect.value)
        for c in sorted([*report.overall, *report.comparisons], key=lambda c: (c.task or "", c.a, c.b))
    ]


@pytest.mark.parametrize("tasks", [1, 6])
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("rope", [0.05, "auto"])
@pytest.mark.parametrize("kind", ["real", "binary"])
def test_the_answer_is_that_of_the_rows(kind: str, tasks: int, higher: bool, rope: float | str) -> None:
    frame = (_real if kind == "real" else _binary)(tasks)
    rows, sums = (
        rw.compare(frame, rope=rope, higher_is_better=higher, in_place=in_place) for in_place in (False, True)
    )
    np.testing.assert_allclose(_numbers(sums), _numbers(rows), rtol=1e-9, atol=1e-9)
    assert [m.name for m in sums.models] == [m.name for m in rows.models]
    for mine, theirs in zip(sums.models, rows.models, strict=True):
        assert (mine.mean, mine.low, mine.high) == pytest.approx((theirs.mean, theirs.low, theirs.high))
    for render in (sums.to_text, sums.to_markdown, sums.to_latex, sums.to_json):
        assert not re.search(r"\bnan\b", render(), flags=re.IGNORECASE)
    assert "<html" in sums.to_html()


@pytest.mark.parametrize("method", ["robust_t", "sign", "signed_rank", "mcnemar", "t"])
def test_other_methods_use_the_tally(method: str) -> None:
    frame = _binary(1) if method == "mcnemar" else _real(1)
    rows, sums = (
        rw.compare(frame, rope=0.05, method=method, in_place=in_place) for in_place in (False, True)
    )
    close = 1e-9 if method in ("mcnemar", "t") else 0.02  # bins of 0.1 %, and some differences near the edge
    mine, theirs = (np.array(_numbers(r))[:, :3] for r in (sums, rows))
    np.testing.assert_allclose(mine, theirs, atol=close)


def test_methods_that_need_the_rows_say_so() -> None:
    for method in ("ess", "bootstrap"):
        with pytest.raises(MethodError, match=f"{method} needs every row, and only sums and counts"):
            rw.compare(_real(1), method=method, in_place=True)


def test_signed_ranks_of_too_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    from ropewalk.answer import scores

    monkeypatch.setattr(scores, "_SIGNED_RANKS", 100)
    with pytest.raises(MethodError, match="draws a weight for each of 600 examples, 100 at most"):
        rw.compare(_real(1), method="signed_rank", in_place=True)


def test_the_same_model_twice() -> None:
    frame = _real(1).assign(b=lambda f: f["a"])
    report = rw.compare(frame, in_place=True)
    assert report.comparisons[0].verdict.name == "equivalent"
    assert report.comparisons[0].verdict.equivalent == 1.0


@pytest.mark.parametrize("tasks", [1, 12])
def test_a_leaderboard_of_many_models(tasks: int) -> None:
    """The same joint posterior from the same sums, so the same draws."""
    frame = _real(tasks, "abcd")
    rows, sums = (rw.compare(frame, rope=0.05, in_place=in_place) for in_place in (False, True))
    assert [m.name for m in sums.models] == [m.name for m in rows.models]
    for mine, theirs in zip(sums.models, rows.models, strict=True):
        assert mine.p_best == pytest.approx(theirs.p_best, abs=0.002)
        assert mine.p_within_rope == pytest.approx(theirs.p_within_rope, abs=0.002)
        assert mine.rank == theirs.rank
    np.testing.assert_allclose(_numbers(sums), _numbers(rows), rtol=1e-7, atol=1e-7)
