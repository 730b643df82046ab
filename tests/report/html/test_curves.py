"""Curves of the page against the posteriors."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.bayes.signed_rank import DRAWS
from ropewalk.methods import signed_rank
from ropewalk.posterior import Beta, Mixture, Student
from ropewalk.report.html import curves, data
from tests.report.html.posteriors import tasks

_OPTIONS: Any = {
    "text": data.Strings(),
    "head": lambda c, unit: {},
    "unit": 0.0,
    "brief": True,
    "room": 0,
}


@pytest.mark.parametrize(
    "posterior",
    [
        Student(df=3.0, loc=0.01, scale=0.02),
        Student(df=99.0, loc=-0.4, scale=1e-4),
        Beta(a=1.0, b=40.0),
        Beta(a=160.0, b=199.0),
        Mixture.of([1.0, 2.0], loc=[0.0, 0.2], scale=[0.5, 0.5], df=[np.inf, 1.5]),
        rw.bayes.accuracy_difference(54, 159, 198, 589),
    ],
)
@pytest.mark.few(3)
def test_a_smooth_posterior_from_its_table(posterior: object) -> None:
    """Between the quantiles the probability is good to 5e-4; the oracle is the posterior's own cdf."""
    packed = curves.floats(curves.quantiles(posterior))  # type: ignore[arg-type]
    x = packed["m"] + packed["u"] * np.frombuffer(b64decode(packed["x"]), dtype="<f4").astype(float)  # type: ignore[arg-type,operator]
    at = np.linspace(x[0], x[-1], 3001)
    at = np.unique(np.concatenate([at, np.interp(np.linspace(0, 28, 3001), np.arange(29), x)]))
    assert np.max(np.abs(curves.below(x, at) - posterior.cdf(at))) < 3e-4  # type: ignore[attr-defined]


def test_hierarchical_t_from_its_table() -> None:
    """Every position is computed; the oracle is the test itself at some of them."""
    (c,) = tasks(2, 8, question="likeliest").overall
    assert c.method == "hierarchical_t"
    (moving,) = curves.moving([c], [0.0], 0)
    assert moving is not None
    table = moving.table
    assert table is not None
    assert table[:, curves.ONE] == pytest.approx([c.verdict.better, c.verdict.worse], abs=1e-9)
    for k in (0, 1, 17, 52, 100):
        low, high = (float(x) for x in curves.edges(c.rope, k, 0.0))
        p = c.evidence.fitted.next_task((low, high)).most_probable  # type: ignore[union-attr]
        assert table[:, k] == pytest.approx([p.better, p.worse], abs=1e-9)


def test_signed_rank_from_its_table() -> None:
    """The draws are those of Python: the oracle is `signed_rank` itself, at some positions."""
    rng = np.random.default_rng(5)
    report = rw.compare(
        {"A": rng.normal(0.2, 1, 20).round(1), "B": np.zeros(20)}, method="signed_rank", rope=0.1
    )
    (c,) = report.comparisons
    (moving,) = curves.moving([c], [0.0], report.seed)
    assert moving is not None
    assert moving.error == 0
    table = moving.table
    assert table is not None
    assert table[:, curves.ONE].tolist() == pytest.approx([c.verdict.better, c.verdict.worse], abs=1e-12)
    for k in (0, 10, 55):
        p = rw.bayes.signed_rank(c.evidence.d, 0.1 * k / 20, rng=report.seed).most_probable  # type: ignore[union-attr]
        assert table[:, k] == pytest.approx([p.better, p.worse], abs=1e-12)


def test_without_the_time_there_are_fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pairs have all of theirs, the others say how far off they may be."""
    rng = np.random.default_rng(5)
    scores = {m: rng.normal(0.1 * i, 1, 12) for i, m in enumerate("abc")}
    report = rw.compare(scores, method="signed_rank", rope=0.2)
    (first, *_) = curves.moving(report.comparisons, [0.0] * 3, report.seed)
    assert first is not None
    monkeypatch.setattr(curves, "_BUDGET", 1.5 * first.nanoseconds)
    found = curves.moving(report.comparisons, [0.0] * 3, report.seed)
    errors = [m.error for m in found if m is not None]
    draws = 1.5 * first.nanoseconds / 20 / (first.nanoseconds / DRAWS)
    assert errors == pytest.approx([0.0, 0.5 / np.sqrt(int(draws)), 0.5 / np.sqrt(int(draws))])
    for c, m in zip(report.comparisons[1:], found[1:], strict=True):
        assert m is not None
        table = m.table
        assert table is not None
        assert table[0, curves.ONE] == pytest.approx(c.verdict.better, abs=5 * m.error)


@pytest.mark.parametrize("method", ["sign", "signed_rank"])
@pytest.mark.few(1)
def test_a_point_of_the_picture_has_its_successor(method: str) -> None:
    """Between two positions the page moves each point in a straight line: they must be the same points."""
    rng = np.random.default_rng(5)
    report = rw.compare({"A": rng.normal(0.2, 1, 40), "B": np.zeros(40)}, method=method, rope=0.1)
    (moving,) = curves.moving(report.comparisons, [0.0], 0)
    assert moving is not None
    one, next_one = moving.points(20, 100), moving.points(30, 100)
    assert one.sum(axis=1) == pytest.approx(np.ones(100))
    together = np.corrcoef(one[:, 0], next_one[:, 0])[0, 1]
    assert together > 0.8


def test_draws_are_tabled_as_they_are() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 80)
    frame = pd.DataFrame({"y": y, "A": np.clip(y * 0.3 + rng.random(80) * 0.7, 0, 1), "B": rng.random(80)})
    report = rw.compare(rw.read(frame, truth="y"), metric="auroc")
    (c,) = report.comparisons
    table = curves.by_posterior(c, 0.0)
    assert table[0, curves.ONE] == c.verdict.better
    assert table[1, curves.ONE] == c.verdict.worse


def test_several_peaks_get_a_table_of_their_own() -> None:
    """Quantiles alone would be 3e-3 off; which of the two is carried is decided by looking."""
    peaks = Mixture.of([1.0, 2.0, 0.3], loc=[-1.0, 0.2, 3.0], scale=[0.1, 0.2, 2.0], df=[np.inf, np.inf, 1.5])
    (c,) = rw.compare({"A": [1.0, 2.0, 4.0, 3.0], "B": [0.5, 2.5, 3.0, 2.0]}, rope=0.4).comparisons
    assert not curves.is_close(replace(c, posterior=peaks), curves.quantiles(peaks), 0.0)
    assert "table" in data._comparison(replace(c, posterior=peaks), **_OPTIONS)
    one = Mixture.of([1.0, 1.0], loc=[0.0, 0.2], scale=[0.5, 0.5])
    assert "table" not in data._comparison(replace(c, posterior=one), **_OPTIONS)


def test_too_many_units_to_sample_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    monkeypatch.setattr(signed_rank, "MOST_UNITS", 30)
    report = rw.compare({"A": rng.normal(0.1, 1, 31), "B": np.zeros(31)}, method="signed_rank")
    found = data.of(report)
    assert not found["moves"]
    assert "table" not in found["pairs"][0]
