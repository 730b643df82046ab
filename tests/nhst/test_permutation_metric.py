"""Swapping predictions at random against every swap, each metric computed anew."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ropewalk.errors import MethodError, OptionError, PairingError
from ropewalk.metrics import metric_for
from ropewalk.nhst import permutation, permutation_metric

DRAWS = 6000


def every_swap(metric: str, y: np.ndarray, a: np.ndarray, b: np.ndarray, unit: np.ndarray) -> float:
    """p over all swaps of units."""
    of = metric_for(metric)
    groups = unit if of.grouped else None
    sizes = []
    for swap in product([False, True], repeat=int(unit.max()) + 1):
        turned = np.array(swap)[unit].reshape(-1, *[1] * (a.ndim - 1))
        one, other = np.where(turned, b, a), np.where(turned, a, b)
        sizes.append(abs(of.value(y, one, groups=groups) - of.value(y, other, groups=groups)))
    return float(np.mean(np.array(sizes) >= sizes[0] - 1e-12))


def data(metric: str, n: int = 10) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    y = np.array([0, 1] * (n // 2))
    a, b = np.round(y + rng.normal(0, 0.8, n), 1), np.round(y + rng.normal(0, 1.5, n), 1)
    if metric in ("f1", "mcc", "accuracy"):
        wrong_a, wrong_b = np.isin(np.arange(n), [0]), np.isin(np.arange(n), [1, 2, 3, 5, 6, 8])
        return y, np.where(wrong_a, 1 - y, y), np.where(wrong_b, 1 - y, y)
    if metric in ("brier", "log_loss"):
        return y, *(np.stack([1 - p, p], axis=1) for p in (1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))))
    return y, a, b


@pytest.mark.parametrize("metric", ["auroc", "average_precision", "f1", "mcc", "brier", "log_loss", "rmse"])
def test_every_swap_of_rows(metric: str) -> None:
    y, a, b = data(metric)
    exact = every_swap(metric, y, a, b, np.arange(10))
    r = permutation_metric(metric, y, a, b, draws=DRAWS)
    assert 0.01 < exact < 1
    assert r.p_value == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / DRAWS) + 1 / DRAWS)
    of = metric_for(metric)
    advantage = (1 if of.higher_is_better else -1) * (of.value(y, a) - of.value(y, b))
    assert r.statistic == pytest.approx(advantage, abs=1e-12)


@pytest.mark.parametrize("metric", ["auroc", "ndcg@3"])
def test_every_swap_of_clusters(metric: str) -> None:
    y, a, b = data(metric, 24)
    clusters = np.arange(24) % 6
    exact = every_swap(metric, y, a, b, clusters)
    r = permutation_metric(metric, y, a, b, clusters=clusters, draws=DRAWS)
    assert r.p_value == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / DRAWS) + 1 / DRAWS)


def test_a_mean_is_the_sign_flip_test() -> None:
    y, a, b = data("mae", 16)
    exact = permutation(np.abs(b - y) - np.abs(a - y))
    r = permutation_metric("mae", y, a, b, draws=DRAWS)
    assert exact.exact
    assert r.p_value == pytest.approx(exact.p_value, abs=5 * np.sqrt(exact.p_value / DRAWS))
    assert r.statistic == pytest.approx(exact.statistic, abs=1e-12)


def test_identical_models_have_p_1() -> None:
    y, a, _ = data("auroc")
    assert permutation_metric("auroc", y, a, a, draws=50).p_value == 1.0


def test_never_zero() -> None:
    y = np.array([0, 1] * 30)
    assert permutation_metric("accuracy", y, y, 1 - y, draws=99).p_value == 0.01


def test_labels_as_text_and_statistics_without_truth() -> None:
    y, a, b = data("f1")
    names = np.array(["no", "yes"])
    plain = permutation_metric("f1", y, a, b, draws=200)
    assert permutation_metric("f1", list(names[y]), names[a], list(names[b]), draws=200) == plain
    rouge = permutation_metric("rouge", None, [[2, 3, 4], [1, 3, 4]], [[1, 3, 4], [2, 3, 4]], draws=20)
    assert rouge.p_value == 1.0


def test_errors() -> None:
    y, a, b = data("auroc")
    with pytest.raises(OptionError, match="draws is 0"):
        permutation_metric("auroc", y, a, b, draws=0)
    with pytest.raises(PairingError, match="A has 9, B has 10"):
        permutation_metric("auroc", y, a[1:], b)
    with pytest.raises(MethodError, match="a single class"):
        permutation_metric("auroc", np.ones(10), a, b)


def test_examples_that_were_counted() -> None:
    """Of 30 + 50 disagreements Binomial(80, 1/2) fall to A: the exact p is that of McNemar's test."""
    from ropewalk.nhst import mcnemar

    r = permutation_metric("accuracy", [1, 1, 1], [0, 1, 1], [1, 0, 1], counts=[30, 50, 200], draws=20_000)
    exact = mcnemar(30, 50).p_value
    assert r.statistic == pytest.approx(20 / 280)
    assert r.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_queries_stay_lists_of_their_own() -> None:
    """The statistic is the difference of both models' own NDCG; three queries have eight swaps."""
    rng = np.random.default_rng(0)
    y, query = rng.integers(0, 3, 12), np.repeat([0, 1, 2], 4)
    a, b = rng.random(12), rng.random(12)
    whole = np.ones((1, 12))
    of_a, of_b = (float(metric_for("ndcg@3").prepared(y, x, query)(whole)[0]) for x in (a, b))
    found = permutation_metric("ndcg@3", y, a, b, clusters=query, draws=200)
    assert found.statistic == pytest.approx(of_a - of_b, rel=1e-12)
    assert (found.exact, found.undefined, found.patterns) == (False, 0, 200)
