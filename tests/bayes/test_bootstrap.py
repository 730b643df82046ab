"""The Bayesian bootstrap against the closed forms of Dirichlet weights, and its laws."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.special import betainc

from ropewalk import bayes, nhst
from ropewalk.errors import CellError, DataError, MethodError, OptionError, PairingError
from ropewalk.metrics import custom, resample

DRAWS = 4000


def right_or_wrong(n01: int, n10: int, same: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    y = np.ones(n01 + n10 + same, dtype=int)
    a, b = y.copy(), y.copy()
    a[:n01], b[n01 : n01 + n10] = 0, 0
    return y, a, b


def test_accuracy_in_closed_form() -> None:
    """(w+, w0, w-) is Dirichlet(n10, n0, n01): Pr(advantage > 0) = Pr(Beta(n10, n01) > 1/2), and the variance
    of Σ w d is the population variance of d over n + 1."""
    y, a, b = right_or_wrong(12, 20, 60)
    p = bayes.bootstrap("accuracy", y, a, b, draws=20_000)
    exact = float(betainc(12, 20, 0.5))
    assert float(p.sf(0.0)) == pytest.approx(exact, abs=5 * p.error(exact))
    d = (a == y).astype(float) - (b == y)
    assert p.mean == pytest.approx(d.mean(), abs=5 * np.std(d) / np.sqrt(93 * 20_000))
    assert p.sd == pytest.approx(np.std(d) / np.sqrt(93), rel=5 / np.sqrt(2 * 20_000))
    assert p.value_a - p.value_b == pytest.approx(8 / 92)


def regression(n: int = 80, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y, y + rng.normal(0, 1.0, n), y + rng.normal(0, 1.2, n)


def test_lower_is_better_turns_the_sign_once() -> None:
    """The mean absolute error: Σ w d with d = |b - y| - |a - y|."""
    y, a, b = regression()
    d = np.abs(b - y) - np.abs(a - y)
    p = bayes.bootstrap("mae", y, a, b)
    se = np.std(d) / np.sqrt(81)
    assert p.mean == pytest.approx(d.mean(), abs=5 * se / np.sqrt(DRAWS))
    assert p.sd == pytest.approx(se, rel=5 / np.sqrt(2 * DRAWS))


def test_clusters_are_the_units() -> None:
    """With clusters of equal size the advantage is Σ W_c (mean of cluster c)."""
    y, a, b = regression(120)
    clusters = np.repeat([f"patient {i}" for i in range(30)], 4)
    d = (np.abs(b - y) - np.abs(a - y)).reshape(30, 4).mean(axis=1)
    shuffled = np.random.default_rng(1).permutation(120)
    p = bayes.bootstrap("mae", y[shuffled], a[shuffled], b[shuffled], clusters=clusters[shuffled])
    assert p.units == 30
    assert p.sd == pytest.approx(np.std(d) / np.sqrt(31), rel=5 / np.sqrt(2 * DRAWS))


def test_a_cluster_for_each_row_changes_nothing() -> None:
    y, a, b = regression()
    plain, clustered = (bayes.bootstrap("r2", y, a, b, clusters=c) for c in (None, np.arange(80)))
    np.testing.assert_array_equal(plain.x, clustered.x)


def test_queries_are_the_units_of_ndcg() -> None:
    """The mean over queries: its variance is that of the queries' differences over Q + 1."""
    rng = np.random.default_rng(4)
    query = np.repeat(np.arange(40), 7)
    gain = rng.integers(0, 3, query.size)
    a, b = gain + rng.normal(0, 1, query.size), gain + rng.normal(0, 2, query.size)
    p = bayes.bootstrap("ndcg@5", gain, a, b, clusters=query)
    each = [
        np.subtract(*(resample.metric_for("ndcg@5").value(gain[query == q], s[query == q]) for s in (a, b)))
        for q in range(40)
    ]
    assert p.value_a - p.value_b == pytest.approx(np.mean(each))
    assert p.sd == pytest.approx(np.std(each) / np.sqrt(41), rel=5 / np.sqrt(2 * DRAWS))


def ranked(n: int = 2000, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    a = y + rng.normal(size=n)
    return y, np.round(a, 1), np.round(0.8 * a + 0.6 * rng.normal(size=n), 1)


def test_auroc_has_the_spread_of_delong() -> None:
    """Both are right to first order in 1/n, here 1/2000; the rest is the Monte Carlo error of a spread."""
    y, a, b = ranked()
    p, classical = bayes.bootstrap("auroc", y, a, b), nhst.delong(y, a, b)
    assert p.mean == pytest.approx(classical.difference, abs=5 * p.sd / np.sqrt(DRAWS))
    assert p.sd == pytest.approx(classical.standard_error, rel=5 / np.sqrt(2 * DRAWS) + 3 / 2000)


@pytest.mark.parametrize("metric", ["auroc", "average_precision", "brier", "ece", "log_loss"])
def test_swapping_the_models_turns_every_draw(metric: str) -> None:
    y, a, b = ranked(300)
    a, b = (np.clip(0.5 + s / 10, 0.01, 0.99) for s in (a, b))
    one, other = bayes.bootstrap(metric, y, a, b, draws=200), bayes.bootstrap(metric, y, b, a, draws=200)
    np.testing.assert_array_equal(one.x, -other.x[::-1])


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_bytes_with_any_number_of_threads(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    y, a, b = ranked(1000)
    monkeypatch.setattr(resample, "THREADS", 2)
    two = bayes.bootstrap("auroc", y, a, b, draws=1000, rng=7)
    monkeypatch.setattr(resample, "THREADS", threads)
    assert bayes.bootstrap("auroc", y, a, b, draws=1000, rng=7).x.tobytes() == two.x.tobytes()
    assert bayes.bootstrap("auroc", y, a, b, draws=1000, rng=8).x.tobytes() != two.x.tobytes()


def test_memory_does_not_grow_with_the_draws() -> None:
    y, a, b = ranked(20_000)
    tracemalloc.start()
    try:
        bayes.bootstrap("auroc", y, a, b, draws=1000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < resample.THREADS * 20 * 8 * resample.BLOCK  # all weights at once would be 160 MB


def test_identical_models_are_equal_in_every_draw() -> None:
    y, a, _ = ranked(200)
    p = bayes.bootstrap("auroc", y, a, a, draws=100)
    assert (p.mean, p.sd, float(p.cdf(0.0)), float(p.sf(0.0))) == (0.0, 0.0, 1.0, 0.0)


def test_a_function_of_the_users() -> None:
    """The same draws as the metric that the function computes, with weights of mean 1."""
    y, a, b = regression()
    seen = []

    def negative_mae(truth: np.ndarray, said: np.ndarray, w: np.ndarray) -> float:
        seen.append(w.mean())
        return -float(np.average(np.abs(truth - said), weights=w))

    ours, theirs = (bayes.bootstrap(m, y, a, b, draws=50) for m in ("mae", negative_mae))
    np.testing.assert_allclose(ours.x, theirs.x, atol=1e-12)
    # Once for each model the rows are given twice, with weight 0 the second time: is it the same number?
    assert sorted(np.round(seen, 7))[:3] == [0.5, 0.5, 1.0]
    np.testing.assert_allclose(sorted(seen)[2:], 1.0)
    assert theirs.metric == "negative_mae"


def test_undefined_draws_are_counted() -> None:
    """Half of the draws, by symmetry, have more weight on the first half of the rows."""
    y, a, b = regression()

    def fussy(truth: np.ndarray, said: np.ndarray, w: np.ndarray) -> float:
        return float("nan") if w[:40].sum() > w[40:].sum() else float(np.average(said, weights=w))

    p = bayes.bootstrap(fussy, y, a, b, draws=400)
    assert p.undefined + p.x.size == 400
    assert p.undefined == pytest.approx(200, abs=5 * np.sqrt(100))


def test_errors() -> None:
    y, a, b = regression()
    with pytest.raises(OptionError, match='no metric "rsme"'):
        bayes.bootstrap("rsme", y, a, b)
    with pytest.raises(OptionError, match="draws is 0"):
        bayes.bootstrap("rmse", y, a, b, draws=0)
    with pytest.raises(PairingError, match="A has 79, B has 80, y has 80"):
        bayes.bootstrap("rmse", y, a[1:], b)
    with pytest.raises(PairingError, match="clusters has 3"):
        bayes.bootstrap("rmse", y, a, b, clusters=[1, 2, 3])
    with pytest.raises(DataError, match="there is 1 cluster"):
        bayes.bootstrap("rmse", y, a, b, clusters=np.zeros(80))
    with pytest.raises(DataError, match="there is 1 row"):
        bayes.bootstrap("rmse", [1.0], [1.0], [2.0])
    with pytest.raises(DataError, match="A is not a column"):
        bayes.bootstrap("rmse", y, 3.0, b)
    with pytest.raises(DataError, match="y is not a column"):
        bayes.bootstrap("rmse", np.float64(1), a, b)
    with pytest.raises(MethodError, match="a single class"):
        bayes.bootstrap("auroc", np.ones(80), a, b)
    nowhere = custom(lambda y, p, w: float("nan"), name="nothing")
    with pytest.raises(MethodError, match="nothing is not defined on these data: A has nan"):
        bayes.bootstrap(nowhere, y, a, b)
    only_plain = custom(lambda y, p, w: 0.0 if np.ptp(w) == 0 else float("nan"), name="plain")
    with pytest.raises(MethodError, match="plain is not defined in any of 10 draws"):
        bayes.bootstrap(only_plain, y, a, b, draws=10)


def test_examples_that_were_counted_in_closed_form() -> None:
    """Three kinds of examples, as in `test_accuracy_in_closed_form`: the same Beta and the same variance."""
    p = bayes.bootstrap("accuracy", [1, 1, 1], [0, 1, 1], [1, 0, 1], counts=[12, 20, 60], draws=20_000)
    exact = float(betainc(12, 20, 0.5))
    assert p.units == 92
    assert float(p.sf(0.0)) == pytest.approx(exact, abs=5 * p.error(exact))
    d = np.repeat([-1.0, 1.0, 0.0], [12, 20, 60])
    assert p.sd == pytest.approx(np.std(d) / np.sqrt(93), rel=5 / np.sqrt(2 * 20_000))
    assert p.value_a - p.value_b == pytest.approx(8 / 92)


@pytest.mark.parametrize("clusters", [None, ["p", "q", "p", "r", "r"]])
def test_counts_are_copies_of_rows(clusters: list[str] | None) -> None:
    """Under the same weights of the copies, with the copies one by one: every metric is the same number."""
    y, a, b = np.array([0, 1, 1, 0, 1]), np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.7, 0.7, 0.2, 0.4])
    counts = np.array([3, 1, 4, 2, 5])
    which = np.repeat(np.arange(5), counts)
    for metric, said in (("mcc", a), ("auroc", b)):
        one = resample.Resampled.of(metric, y, {"A": said}, clusters, counts)
        names = None if clusters is None else np.array(clusters)[which]
        each = resample.Resampled.of(metric, y[which], {"A": said[which]}, names)
        assert one.units == each.units == (15 if clusters is None else 3)
        assert one.values == pytest.approx(each.values)
        w = np.random.default_rng(1).exponential(size=(7, each.units))
        alike = w if clusters is not None else np.array([np.bincount(which, row) for row in w])
        np.testing.assert_allclose(one.under(alike), each.under(w))


def test_values_that_are_known_better_move_the_draws() -> None:
    y, a, b = [0, 1, 0, 1] * 10, [0.2, 0.6, 0.4, 0.5] * 10, [0.3, 0.2, 0.1, 0.6] * 10
    plain = bayes.bootstrap("auroc", y, a, b)
    known = bayes.bootstrap("auroc", y, a, b, values=(plain.value_a + 0.02, plain.value_b))
    np.testing.assert_allclose(known.x, plain.x + 0.02)
    assert known.value_a == plain.value_a + 0.02


def test_counts_that_are_none() -> None:
    with pytest.raises(CellError, match="2 of 3 counts are not whole numbers from 1"):
        bayes.bootstrap("accuracy", [1, 0, 1], [0, 1, 1], [1, 0, 1], counts=[1, 0, 1.5])
    with pytest.raises(PairingError, match="counts has 2"):
        bayes.bootstrap("accuracy", [1, 0, 1], [0, 1, 1], [1, 0, 1], counts=[1, 2])


def test_draws_of_a_biased_metric_are_moved_onto_its_value() -> None:
    """ECE is larger on a resample than on the data; the mean of the draws is its value on the data."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    a, b = rng.random(200), np.where(y == 1, 0.7, 0.4)
    found = bayes.bootstrap("ece", y, a, b, draws=300)
    assert found.value_a != found.value_b
    assert found.mean == pytest.approx(found.value_b - found.value_a, abs=1e-12)  # lower is better
    assert found.sd > 0.01
