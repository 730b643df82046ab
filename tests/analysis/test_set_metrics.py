"""Metrics of the whole set from sums give the answer of the rows."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError
from ropewalk.report import Report
from tests.analysis.numbers import numbers_of


def _labels(tasks: int, models: str = "ab") -> pd.DataFrame:
    rng = np.random.default_rng(30 + tasks)
    n = 400 * tasks
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame({"id": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)], "label": y})
    for k, m in enumerate(models):
        frame[m] = np.where(rng.random(n) < 0.7 + 0.05 * k, y, rng.integers(0, 3, n))
    return frame if tasks > 1 else frame.drop(columns="task")


def _scores(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(40)
    y = rng.integers(0, 2, n)
    common = rng.normal(size=n)
    frame = pd.DataFrame({"id": np.arange(n), "doc": np.arange(n) // 8, "label": np.where(y, "yes", "no")})
    for model, lift in (("a", 1.6), ("b", 1.3)):
        frame[model] = 1 / (1 + np.exp(-(lift * y + common + 0.5 * rng.normal(size=n))))
    return frame


def _near(sums: Report, rows: Report, error: float = 0.0) -> None:
    """The metric itself as in memory, to `error`; what is drawn to four Monte Carlo standard errors."""
    for a, b in zip(sums.models, rows.models, strict=True):
        assert (a.name, a.mean) == (b.name, pytest.approx(b.mean, abs=max(error, 1e-12)))
    for mine, theirs in zip(sums.comparisons, rows.comparisons, strict=True):
        assert (mine.task, mine.n, mine.unit) == (theirs.task, theirs.n, theirs.unit)
        # An sd of 4,000 draws has a standard error of 1/sqrt(8,000) of itself, in each of the two.
        assert mine.posterior.sd == pytest.approx(theirs.posterior.sd, rel=4 * np.sqrt(2 / 8_000))
        assert mine.posterior.mean == pytest.approx(
            theirs.posterior.mean, abs=error + 4 * theirs.posterior.sd * np.sqrt(2 / 4_000)
        )
        for a, b in zip(mine.classical, theirs.classical, strict=True):
            assert a.name == b.name
            assert a.p_value == pytest.approx(b.p_value, abs=4 * np.sqrt(2 * 0.25 / 2_000))


@pytest.mark.parametrize(
    ("metric", "tasks", "models"),
    [("f1_macro", 1, "ab"), ("mcc", 4, "ab"), ("balanced_accuracy", 1, "abc"), ("kappa", 1, "ab")],
)
@pytest.mark.few(2)
def test_metrics_of_labels_answer_as_in_memory(metric: str, tasks: int, models: str) -> None:
    """Three models, many tasks, and a function of the user's own: all of them from the same counts."""
    frame = _labels(tasks, models)
    by = rw.metrics.custom(_kappa, name="kappa") if metric == "kappa" else metric
    rows, sums = (rw.compare(frame, metric=by, in_place=in_place) for in_place in (False, True))
    _near(sums, rows)
    assert any("aggregated in place" in note for note in sums.audit.notes)
    for render in (sums.to_text, sums.to_markdown, sums.to_latex, sums.to_json):
        assert not re.search(r"\bnan\b", render(), flags=re.IGNORECASE)


def _kappa(y: np.ndarray, said: np.ndarray, w: np.ndarray) -> float:
    w = w / w.sum()
    chance = sum(w[y == c].sum() * w[said == c].sum() for c in np.unique(y))
    return float((w[y == said].sum() - chance) / (1 - chance))


@pytest.mark.parametrize("metric", ["auroc", "average_precision"])
@pytest.mark.parametrize("bins", [False, True])
@pytest.mark.few(2)
def test_metrics_of_scores_answer_as_in_memory(
    metric: str, bins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few rows are counted one by one; of many the bins state how far off the metric can be."""
    from ropewalk.read import cells

    if bins:
        monkeypatch.setattr(cells, "_EVERY", 0)
        monkeypatch.setattr(cells, "_FINE", 1024)
        monkeypatch.setattr(cells, "_JOINT", 2**13)
    frame = _scores().drop(columns="doc")
    rows, sums = (rw.compare(frame, metric=metric, in_place=in_place) for in_place in (False, True))
    told = [c for c in sums.comparisons[0].checks if c.name == "bins of scores"]
    assert len(told) == bins
    error = told[0].numbers["error"] if told else 0.0
    assert (0 < error < 0.01) if bins else error == 0
    if told:
        assert f"is known to ±{error:.2g}, from 1,024 bins of each model's scores" in told[0].text
        assert "its uncertainty is computed from 64 bins of each" in told[0].text
    _near(sums, rows, error)
    if metric == "auroc":
        mine, theirs = (r.comparisons[0].classical[0] for r in (sums, rows))
        assert mine.standard_error == pytest.approx(theirs.standard_error, rel=0.01 if bins else 1e-12)


@pytest.mark.parametrize("metric", ["f1", "auroc"])
def test_clusters_of_a_metric_of_the_whole_set(metric: str) -> None:
    """A cluster is a unit, whose weight goes to all examples that were counted in it."""
    rows, sums = (
        rw.compare(_scores(), metric=metric, cluster="doc", in_place=in_place) for in_place in (False, True)
    )
    _near(sums, rows)
    mine = sums.comparisons[0]
    assert (mine.n, mine.unit) == (50, "cluster")
    assert any(c.name == "ignoring the clusters" for c in mine.checks)


def test_accuracy_was_summed_and_may_be_asked_for() -> None:
    plain = rw.compare(_labels(1), in_place=True)
    for asked in ({"metric": "accuracy"}, {"loss": "zero_one"}):
        assert numbers_of(rw.compare(_labels(1), in_place=True, **asked)) == numbers_of(plain)


def test_metrics_that_need_every_row_say_so() -> None:
    with pytest.raises(OptionError, match="ECE needs every row: its error on binned") as caught:
        rw.compare(_scores().drop(columns="doc"), metric="ece", in_place=True)
    assert "--in-memory" in caught.value.hint
