"""Metrics against figures of ranx, jiwer, sacrebleu and lifelines, and by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ropewalk.data.metrics import bounded, direction, may_be_negative
from ropewalk.errors import CellError, MethodError, OptionError
from ropewalk.metrics import all_metrics, chrf_statistics, edit_statistics, metric_for
from tests.metrics.references import FIGURES, MADE


@pytest.mark.parametrize(("name", "cut"), [("wer", str.split), ("cer", str)])
def test_as_jiwer(name: str, cut: Callable[[str], list[str]]) -> None:
    hypotheses, references = MADE.texts()
    statistics = edit_statistics(map(cut, hypotheses), map(cut, references))
    assert metric_for(name).value(None, statistics) == pytest.approx(FIGURES[name], abs=1e-12)


def test_as_lifelines() -> None:
    time, observed, said = MADE.survival()
    y = np.where(observed, time, -time)
    assert metric_for("concordance").value(y, said) == pytest.approx(FIGURES["concordance"], abs=1e-12)


def test_concordance_pair_by_pair() -> None:
    """Every pair by the definition, under weights."""
    time, observed, said = MADE.survival()
    w = np.random.default_rng(1).standard_exponential(time.size)
    above = below = 0.0
    for i in np.flatnonzero(observed):
        later = (time > time[i]) | ((time == time[i]) & ~observed)
        pairs = w[i] * w[later]
        below += pairs.sum()
        above += pairs @ ((said[later] > said[i]) + 0.5 * (said[later] == said[i]))
    y = np.where(observed, time, -time)
    assert metric_for("concordance").value(y, said, weights=w) == pytest.approx(above / below, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_accuracy(k: int) -> None:
    """As scikit-learn without ties; a tie at the last place counts as the share of the tied classes in it."""
    m = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(4)
    y, p, w = rng.integers(0, 5, 200), rng.dirichlet(np.ones(5), 200), rng.standard_exponential(200)
    metric = metric_for(f"top-{k} accuracy")
    theirs = m.top_k_accuracy_score(y, p, k=k, sample_weight=w, labels=range(5))
    assert metric.value(y, p, weights=w) == pytest.approx(theirs, abs=1e-12)
    assert metric.value([0, 1, 2, 3], np.full((4, 4), 0.25)) == k / 4
    with pytest.raises(OptionError, match="always contain the true one"):
        metric_for("top5").value([0, 1, 2], np.eye(3))


COPIES = [n for n, m in all_metrics().items() if not m.grouped]


@pytest.mark.parametrize("name", COPIES)
def test_a_weight_is_a_number_of_copies(name: str) -> None:
    """Whole numbers as weights give what the rows repeated so often give."""
    rng = np.random.default_rng(6)
    metric = metric_for(name)
    y, said = _rows(metric.takes, name, rng)
    copies = rng.integers(0, 4, len(said))
    repeated = None if y is None else np.repeat(y, copies)
    again = metric.value(repeated, np.repeat(said, copies, axis=0))
    assert metric.value(y, said, weights=copies) == pytest.approx(again, abs=1e-12)
    low, high = metric.range
    assert low <= again <= high


def _rows(takes: str, name: str, rng: np.random.Generator) -> tuple[np.ndarray | None, np.ndarray]:
    n = 80
    if takes == "statistics":
        columns = len(metric_for(name).columns)
        if name == "chrf":
            return None, chrf_statistics(*MADE.texts())
        wide = rng.integers(20, 40, (n, columns))
        wide[:, 0 if columns < 4 else slice(0, 4)] -= 19
        return None, wide
    if takes == "labels":
        y = rng.integers(0, 2, n)
        return y, np.where(rng.random(n) < 0.7, y, 1 - y)
    if takes == "scores":
        y = rng.integers(0, 2, n)
        return y, np.round(y + rng.normal(0, 1, n), 1)
    if takes == "probabilities":
        return rng.integers(0, 6, n), rng.dirichlet(np.ones(6), n)
    y = np.round(rng.normal(5, 2, n), 1) + 0.05
    return y, np.round(y + rng.normal(0, 1, n), 1)


@pytest.mark.parametrize("name", all_metrics())
def test_the_name_of_a_metric_says_what_the_registry_says(name: str) -> None:
    """A table of scores under this name is read the same way as the metric computed here."""
    metric = metric_for(name)
    for called in (name, metric.name):
        assert direction(called) is metric.higher_is_better, called
    low, high = metric.range
    if name not in ("r2", "brier"):  # R² has no lower end, and the Brier score of one column ends at 1
        assert bounded(name) is math.isfinite(high)
        assert may_be_negative(name) is (low < 0)


def test_weighted_kappa_measures_numbers_and_places_of_text() -> None:
    """As scikit-learn with every class between the lowest and the highest; 1, 2 and 4 are not equally far."""
    m = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(7)
    y, said, w = rng.choice([1, 2, 4], 150), rng.choice([1, 2, 4], 150), rng.standard_exponential(150)
    for name, weights in (("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        theirs = m.cohen_kappa_score(y, said, weights=weights, labels=range(1, 5), sample_weight=w)
        assert metric_for(name).value(y, said, weights=w) == pytest.approx(theirs, abs=1e-12)
        text = np.array(["", "a", "b", "", "c"])
        theirs = m.cohen_kappa_score(y, said, weights=weights, sample_weight=w)
        assert metric_for(name).value(text[y], text[said], weights=w) == pytest.approx(theirs, abs=1e-12)


def test_perplexity_by_hand() -> None:
    assert metric_for("perplexity").value(None, [[2.0, 4], [4.0, 8]]) == pytest.approx(math.exp(0.5))


def test_pixels_by_hand() -> None:
    """Intersections 3 + 1, predicted 4 + 5, true 6 + 5: Dice 8/20, IoU 4/16."""
    statistics = [[3, 4, 6], [1, 5, 5]]
    assert metric_for("dice_pixels").value(None, statistics) == 8 / 20
    assert metric_for("iou_pixels").value(None, statistics) == 4 / 16


@pytest.mark.parametrize(
    ("name", "y", "prediction", "error", "message"),
    [
        ("mape", [0.0, 1.0], [1.0, 1.0], CellError, "the truth is 0 on 1 of 2 rows"),
        ("pearson", [1.0, 1.0], [1.0, 2.0], MethodError, "the truth is the same number on every row"),
        ("kendall", [1.0, 2.0], [1.0, 1.0], MethodError, "the prediction is the same number on every row"),
        ("concordance", [0.0, 1.0], [1.0, 2.0], MethodError, "a time of 0 is ambiguous"),
        ("concordance", [-1.0, -2.0], [1.0, 2.0], MethodError, "no two rows are comparable"),
        ("mrr", [0, 1], [1.0, 2.0], MethodError, "the query of each row is not known"),
        ("precision", [0, 1, 2], [0, 1, 2], MethodError, 'Use "precision_macro"'),
    ],
)
def test_what_is_refused(
    name: str, y: list[float], prediction: list[float], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        metric_for(name).value(y, prediction)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndcg@0", "the cutoff of the metric is 0"),
        ("hit@2.5", "the cutoff of the metric is 2.5"),
        ("pinball@2", "the quantile is 2"),
        ("f0", "beta is 0"),
        ("top_0_accuracy", "the cutoff of the metric is 0"),
        ("recal", 'Did you mean "recall"'),
    ],
)
def test_names_that_are_refused(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        metric_for(name)
