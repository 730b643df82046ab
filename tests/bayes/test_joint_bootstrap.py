"""The Bayesian bootstrap of many models: the same weights for all, so pairs are differences of columns."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from ropewalk import bayes, metrics
from ropewalk.errors import DataError, MethodError, PairingError


def data(n: int = 120, seed: int = 0) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, {m: k * y + rng.normal(0, 1, n).round(1) for m, k in (("a", 1.5), ("b", 1.3), ("c", 0.2))}


def weights(n: int, draws: int, rng: int) -> np.ndarray:
    """As documented: exponential variables over their mean, in batches with seeds of their own."""
    generators = np.random.default_rng(rng).spawn(1)
    w = generators[0].standard_exponential((draws, n))
    return w * n / w.sum(axis=1, keepdims=True)


def test_every_draw_is_the_auroc_of_scikit_learn_under_its_weights() -> None:
    y, said = data()
    fitted = bayes.joint_bootstrap("auroc", y, said, draws=60, rng=3)
    w = weights(y.size, 60, 3)
    expected = [[roc_auc_score(y, s, sample_weight=row) for s in said.values()] for row in w]
    np.testing.assert_allclose(fitted.draws, expected, rtol=1e-12)
    np.testing.assert_allclose(fitted.values, [roc_auc_score(y, s) for s in said.values()], rtol=1e-12)


@pytest.mark.parametrize("metric", ["auroc", "average_precision", "ece"])
def test_two_columns_are_the_bootstrap_of_the_pair(metric: str) -> None:
    y, said = data()
    if metric == "ece":
        said = {m: 1 / (1 + np.exp(-s)) for m, s in said.items()}
    fitted = bayes.joint_bootstrap(metric, y, said, draws=500, rng=1)
    alone = bayes.bootstrap(metric, y, said["a"], said["c"], draws=500, rng=1)
    np.testing.assert_allclose(fitted.pair(0, 2).x, alone.x, atol=1e-14)
    np.testing.assert_allclose(np.sort(fitted.draws[:, 0] - fitted.draws[:, 2]), alone.x, atol=1e-14)
    assert (fitted.pair(0, 2).value_a, fitted.pair(0, 2).value_b) == (alone.value_a, alone.value_b)


def test_lower_is_better() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=80)
    said = {"near": y + rng.normal(0, 0.3, 80), "far": y + rng.normal(0, 0.9, 80), "mean": np.zeros(80)}
    fitted = bayes.joint_bootstrap("rmse", y, said, draws=300)
    assert fitted.p_best[0] == 1.0
    np.testing.assert_allclose(fitted.mean, -fitted.values)
    assert fitted.pair(0, 1).mean > 0.3


def test_another_order_of_the_models_permutes_the_answer() -> None:
    y, said = data()
    one = bayes.joint_bootstrap("auroc", y, said, draws=400)
    other = bayes.joint_bootstrap("auroc", y, {m: said[m] for m in "cab"}, draws=400)
    np.testing.assert_array_equal(one.draws, other.draws[:, [1, 2, 0]])
    assert one.p_best.sum() == pytest.approx(1.0, abs=1e-12)
    fewer = bayes.joint_bootstrap("auroc", y, {m: said[m] for m in "ab"}, draws=400)
    np.testing.assert_array_equal(one.draws[:, :2], fewer.draws)


def test_models_that_answer_alike_tie() -> None:
    y, said = data()
    fitted = bayes.joint_bootstrap("auroc", y, {"a": said["a"], "b": said["a"], "c": said["c"]}, draws=200)
    assert fitted.p_best.tolist() == pytest.approx([0.5, 0.5, 0.0], abs=0.01)


def test_clusters_are_the_units() -> None:
    y, said = data(60)
    twice = {m: np.tile(s, 2) for m, s in said.items()}
    fitted = bayes.joint_bootstrap(
        "auroc", np.tile(y, 2), twice, clusters=np.tile(np.arange(60), 2), draws=50
    )
    plain = bayes.joint_bootstrap("auroc", y, said, draws=50)
    assert fitted.units == 60
    np.testing.assert_allclose(fitted.draws, plain.draws, rtol=1e-12)  # a weight goes to both copies


def test_the_sums_have_the_covariance_of_the_draws() -> None:
    # joint_tasks takes M2/(n (n - 1)) for the covariance of a task's means.
    y, said = data()
    fitted = bayes.joint_bootstrap("auroc", y, said)
    s = fitted.sums
    np.testing.assert_allclose(s.m2 / (s.n * (s.n - 1)), np.cov(fitted.draws.T), rtol=1e-12)
    np.testing.assert_allclose(s.mean, fitted.values)


def test_draws_without_a_value_are_counted_and_left_out() -> None:
    def shy(_: object, p: np.ndarray, w: np.ndarray) -> float:
        return float("nan") if p[0] == 7 and w[0] < 0.5 else float(np.average(p, weights=w))

    metric = metrics.custom(shy, name="shy")
    p = np.arange(30.0)
    fitted = bayes.joint_bootstrap(metric, p, {"a": p, "b": p + 1, "c": np.r_[7.0, p[1:]]}, draws=200)
    below = int(np.sum(weights(30, 200, 0)[:, 0] < 0.5))
    assert fitted.undefined == below > 0
    assert len(fitted.draws) == 200 - below
    assert (fitted.pair(0, 1).undefined, fitted.pair(0, 2).undefined) == (0, below)


def test_errors() -> None:
    y, said = data(20)
    with pytest.raises(DataError, match="predictions of at least 2 models"):
        bayes.joint_bootstrap("auroc", y, {"a": said["a"]})
    with pytest.raises(PairingError, match="model b has 19, model c has 20, y has 20"):
        bayes.joint_bootstrap("auroc", y, said | {"b": said["b"][1:]})
    with pytest.raises(MethodError, match="the truth has a single class, so AUROC is not defined"):
        bayes.joint_bootstrap("auroc", np.ones(20, dtype=int), said)

    def never(_: object, p: np.ndarray, w: np.ndarray) -> float:
        return float(p[0]) if np.isin(w, (0.0, 1.0)).all() else float("nan")

    with pytest.raises(MethodError, match="never is not defined for all 3 models in any of 50 draws"):
        bayes.joint_bootstrap(metrics.custom(never), y, said, draws=50)


def test_two_draws_are_enough_and_the_mean_is_the_metric_on_the_data() -> None:
    y = [0, 1] * 20
    said = {"a": list(range(40)), "b": [k % 7 for k in range(40)]}
    fitted = bayes.joint_bootstrap("auroc", y, said, draws=2)
    assert len(fitted.draws) == 2
    np.testing.assert_allclose(fitted.mean, [roc_auc_score(y, x) for x in said.values()], rtol=1e-12)
