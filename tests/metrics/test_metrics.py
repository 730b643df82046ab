"""Every metric under random weights against scikit-learn; what it lacks against brute force and by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError, MethodError, OptionError, PairingError
from ropewalk.metrics import (
    ALIASES,
    METRICS,
    additive,
    bleu_statistics,
    custom,
    metric_for,
    ndcg_at,
    registry,
)

N, DRAWS = 257, 6


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    """Dirichlet-like weights, whole numbers with zeros, and ones."""
    rng = np.random.default_rng(5)
    w = rng.standard_exponential((DRAWS, N))
    w[-2] = rng.multinomial(N, np.full(N, 1 / N))
    w[-1] = 1.0
    return w


def data(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Truth and prediction with many ties."""
    rng = np.random.default_rng(11)
    if kind == "numbers":
        y = rng.normal(3.0, 2.0, N)
        return y, y + rng.normal(0.2, 1.0, N)
    if kind == "three labels":
        y = rng.integers(0, 3, N)
        return y, np.where(rng.random(N) < 0.6, y, rng.integers(0, 3, N))
    y = (rng.random(N) < 0.3).astype(int)
    if kind == "labels":
        return y, np.where(rng.random(N) < 0.7, y, 1 - y)
    p = np.clip(np.round(0.3 * y + rng.random(N) * 0.7, 1), 0.05, 0.95)
    return y, p


def sklearn_metric(name: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray], float]:
    m = pytest.importorskip("sklearn.metrics")
    named: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]] = {
        "auroc": lambda y, p, w: m.roc_auc_score(y, p, sample_weight=w),
        "average_precision": lambda y, p, w: m.average_precision_score(y, p, sample_weight=w),
        "accuracy": lambda y, p, w: m.accuracy_score(y, p, sample_weight=w),
        "balanced_accuracy": lambda y, p, w: m.balanced_accuracy_score(y, p, sample_weight=w),
        "f1": lambda y, p, w: m.f1_score(y, p, sample_weight=w),
        "f1_macro": lambda y, p, w: m.f1_score(y, p, average="macro", sample_weight=w),
        "f1_micro": lambda y, p, w: m.f1_score(y, p, average="micro", sample_weight=w),
        "mcc": lambda y, p, w: m.matthews_corrcoef(y, p, sample_weight=w),
        "log_loss": lambda y, p, w: m.log_loss(y, p, sample_weight=w),
        # The one-column form; ours adds up over both classes.
        "brier": lambda y, p, w: 2 * m.brier_score_loss(y, p, sample_weight=w),
        "rmse": lambda y, p, w: math.sqrt(m.mean_squared_error(y, p, sample_weight=w)),
        "mae": lambda y, p, w: m.mean_absolute_error(y, p, sample_weight=w),
        "r2": lambda y, p, w: m.r2_score(y, p, sample_weight=w),
        "precision": lambda y, p, w: m.precision_score(y, p, sample_weight=w),
        "recall": lambda y, p, w: m.recall_score(y, p, sample_weight=w),
        "specificity": lambda y, p, w: m.recall_score(y, p, pos_label=0, sample_weight=w),
        "f2": lambda y, p, w: m.fbeta_score(y, p, beta=2, sample_weight=w),
        "f0.5": lambda y, p, w: m.fbeta_score(y, p, beta=0.5, sample_weight=w),
        "dice": lambda y, p, w: m.f1_score(y, p, sample_weight=w),
        "iou": lambda y, p, w: m.jaccard_score(y, p, sample_weight=w),
        "iou_macro": lambda y, p, w: m.jaccard_score(y, p, average="macro", sample_weight=w),
        "precision_macro": lambda y, p, w: m.precision_score(y, p, average="macro", sample_weight=w),
        "recall_macro": lambda y, p, w: m.recall_score(y, p, average="macro", sample_weight=w),
        "kappa": lambda y, p, w: m.cohen_kappa_score(y, p, sample_weight=w),
        "kappa_linear": lambda y, p, w: m.cohen_kappa_score(y, p, weights="linear", sample_weight=w),
        "kappa_quadratic": lambda y, p, w: m.cohen_kappa_score(y, p, weights="quadratic", sample_weight=w),
        "mape": lambda y, p, w: m.mean_absolute_percentage_error(y, p, sample_weight=w),
        "pinball": lambda y, p, w: m.mean_pinball_loss(y, p, sample_weight=w),
        "pinball@0.9": lambda y, p, w: m.mean_pinball_loss(y, p, alpha=0.9, sample_weight=w),
        "pearson": lambda y, p, w: (
            np.cov(y, p, aweights=w)[0, 1] / math.sqrt(np.prod(np.diag(np.cov(y, p, aweights=w))))
        ),
    }
    return named[name]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("auroc", "scores"),
        ("average_precision", "scores"),
        ("log_loss", "scores"),
        ("brier", "scores"),
        ("rmse", "numbers"),
        ("mae", "numbers"),
        ("r2", "numbers"),
        ("f1", "labels"),
        *[(name, "numbers") for name in ("mape", "pinball", "pinball@0.9", "pearson")],
        *[(name, "labels") for name in ("precision", "recall", "specificity", "f2", "f0.5", "dice", "iou")],
        *[
            (name, kind)
            for name in (
                "accuracy",
                "balanced_accuracy",
                "f1_macro",
                "f1_micro",
                "mcc",
                "precision_macro",
                "recall_macro",
                "iou_macro",
                "kappa",
                "kappa_linear",
                "kappa_quadratic",
            )
            for kind in ("labels", "three labels")
        ],
    ],
)
def test_as_scikit_learn(name: str, kind: str, weights: np.ndarray) -> None:
    y, prediction = data(kind)
    oracle = sklearn_metric(name)
    ours = metric_for(name).prepare(y, prediction)(weights)
    np.testing.assert_allclose(ours, [oracle(y, prediction, w) for w in weights], rtol=0, atol=1e-12)
    assert metric_for(name).value(y, prediction) == pytest.approx(
        oracle(y, prediction, np.ones(N)), abs=1e-12
    )


@pytest.mark.parametrize("name", ["auroc", "average_precision"])
def test_scores_without_ties_as_scikit_learn(name: str, weights: np.ndarray) -> None:
    y, _ = data("scores")
    score = np.random.default_rng(3).normal(size=N) + y
    ours = METRICS[name].prepare(y, score)(weights)
    oracle = sklearn_metric(name)
    np.testing.assert_allclose(ours, [oracle(y, score, w) for w in weights], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "function"), [("pearson", "pearsonr"), ("spearman", "spearmanr"), ("kendall", "kendalltau")]
)
@pytest.mark.parametrize("digits", [0, 6])
def test_correlations_as_scipy(name: str, function: str, digits: int, weights: np.ndarray) -> None:
    """With and without ties; the plain value, and whole-number weights as copies."""
    from scipy import stats

    y, said = (np.round(x, digits) for x in data("numbers"))
    whole = weights[-2].astype(int)
    ours = METRICS[name].prepare(y, said)(weights[-2:])
    theirs = [
        getattr(stats, function)(np.repeat(y, c), np.repeat(said, c)).statistic
        for c in (whole, np.ones(N, int))
    ]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_kendall_counted_pair_by_pair(weights: np.ndarray) -> None:
    y, said = (np.round(x) for x in data("numbers"))
    dy, ds = np.sign(y[:, None] - y), np.sign(said[:, None] - said)
    for w, ours in zip(weights, METRICS["kendall"].prepare(y, said)(weights), strict=True):
        both = np.outer(w, w)
        below = math.sqrt((both * dy**2).sum() * (both * ds**2).sum())
        assert ours == pytest.approx((both * dy * ds).sum() / below, abs=1e-12)


def test_auroc_counted_pair_by_pair(weights: np.ndarray) -> None:
    y, score = data("scores")
    above = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    pairs = np.outer(y == 1, y == 0)
    for w, ours in zip(weights, METRICS["auroc"].prepare(y, score)(weights), strict=True):
        both = np.outer(w, w) * pairs
        assert ours == pytest.approx((both * above).sum() / both.sum(), abs=1e-12)


def test_tied_scores_have_an_auroc_of_exactly_one_half(weights: np.ndarray) -> None:
    y, _ = data("scores")
    assert METRICS["auroc"].prepare(y, np.full(N, 0.3))(weights).tolist() == [0.5] * DRAWS


@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_a_matrix_of_probabilities(name: str, weights: np.ndarray) -> None:
    """Three classes by the definition; two columns as one."""
    rng = np.random.default_rng(2)
    y, p = rng.integers(0, 3, N), rng.dirichlet([2, 2, 2], N)
    onehot = np.eye(3)[y]
    each = -np.log((p * onehot).sum(axis=1)) if name == "log_loss" else ((p - onehot) ** 2).sum(axis=1)
    np.testing.assert_allclose(METRICS[name].prepare(y, p)(weights), weights @ each / weights.sum(axis=1))
    y, q = data("scores")
    assert METRICS[name].value(y, q) == METRICS[name].value(y, np.column_stack([1 - q, q]))
    # A class that never occurs keeps its column when y holds the numbers of the columns.
    assert METRICS["brier"].value([0, 2], [[1, 0, 0], [0, 0, 1]]) == 0.0


def test_ece_bin_by_bin(weights: np.ndarray) -> None:
    """A loop over the bins of the definition, for two and for three classes."""
    y, p = data("scores")
    rng = np.random.default_rng(2)
    z, q = rng.integers(0, 3, N), rng.dirichlet([2, 2, 2], N)
    for truth, matrix, given in ((y, np.column_stack([1 - p, p]), p), (z, q, q)):
        confidence, right = matrix.max(axis=1), matrix.argmax(axis=1) == truth
        for w, ours in zip(weights, METRICS["ece"].prepare(truth, given)(weights), strict=True):
            total = 0.0
            for b in range(15):
                rows = (confidence > b / 15) & (confidence <= (b + 1) / 15)
                if w[rows].sum() > 0:
                    gap = np.average(right[rows], weights=w[rows]) - np.average(
                        confidence[rows], weights=w[rows]
                    )
                    total += w[rows].sum() / w.sum() * abs(gap)
            assert ours == pytest.approx(total, abs=1e-12)


def test_ece_by_hand() -> None:
    """Two rows said with 0.8, one right: |1/2 - 0.8|; one row said with 0.6 and right: |1 - 0.6|."""
    assert METRICS["ece"].value([1, 0, 1], [0.8, 0.8, 0.6]) == pytest.approx((2 * 0.3 + 0.4) / 3)


def brute_ndcg(gain: np.ndarray, score: np.ndarray, k: int | None) -> float:
    """DCG place by place, the gains of tied documents replaced by their mean."""
    mean = np.array([gain[score == s].mean() for s in score])
    k = k or gain.size
    discount = 1 / np.log2(np.arange(2, gain.size + 2)) * (np.arange(gain.size) < k)
    return float(mean[np.argsort(-score)] @ discount / (np.sort(gain)[::-1] @ discount))


@pytest.mark.parametrize("k", [None, 1, 5, 40])
def test_ndcg_of_one_list(k: int | None) -> None:
    """Whole-number weights are copies of a document; scikit-learn agrees on the plain list."""
    rng = np.random.default_rng(8)
    gain, score = rng.integers(0, 4, 30).astype(float), np.round(rng.random(30), 1)
    metric = ndcg_at(k)
    assert metric.value(gain, score) == pytest.approx(brute_ndcg(gain, score, k), abs=1e-12)
    m = pytest.importorskip("sklearn.metrics")
    assert metric.value(gain, score) == pytest.approx(m.ndcg_score([gain], [score], k=k), abs=1e-12)
    copies = rng.multinomial(30, np.full(30, 1 / 30), size=5)
    ours = metric.prepare(gain, score)(copies.astype(float))
    again = [brute_ndcg(np.repeat(gain, c), np.repeat(score, c), k) for c in copies]
    np.testing.assert_allclose(ours, again, rtol=0, atol=1e-12)


def test_ndcg_over_queries() -> None:
    """The mean over queries, weighted by query; a query without relevant documents counts 0."""
    rng = np.random.default_rng(9)
    query = rng.integers(0, 6, 60)
    gain, score = np.where(query == 3, 0.0, rng.integers(0, 3, 60)), np.round(rng.random(60), 1)
    each = [brute_ndcg(gain[query == q], score[query == q], 3) if q != 3 else 0.0 for q in range(6)]
    names = np.array(list("abcdef"))[query]
    assert ndcg_at(3).value(gain, score, groups=names) == pytest.approx(np.mean(each), abs=1e-12)
    w = rng.standard_exponential(6)
    weighted = ndcg_at(3).value(gain, score, groups=names, weights=w[query])
    assert weighted == pytest.approx(np.average(each, weights=w), abs=1e-12)


def words(*segments: str) -> list[list[str]]:
    return [segment.split() for segment in segments]


def test_bleu_by_hand() -> None:
    """Papineni et al. 2002, example 2: "the" seven times has a modified unigram precision of 2/7."""
    the = bleu_statistics([["the"] * 7], words("the cat is on the mat"))
    assert the[0, 0] == 2
    assert the[0, 4] == 7
    hyp = words("the cat sat on the mat", "a dog barks at me")
    ref = words("the cat sat on a mat", "a dog barks at me again")
    # matches 5+5, 3+4, 2+3, 1+2 of 11, 9, 7, 5 n-grams; 11 words against 12
    expected = math.exp(1 - 12 / 11) * (10 / 11 * 7 / 9 * 5 / 7 * 3 / 5) ** 0.25
    assert METRICS["bleu"].value(None, bleu_statistics(hyp, ref)) == pytest.approx(expected, abs=1e-15)
    assert METRICS["bleu"].value(None, bleu_statistics(ref, ref)) == 1.0
    assert METRICS["bleu"].value(None, the) == 0.0  # no match of two words: no smoothing


def test_weights_of_segments_are_copies() -> None:
    rng = np.random.default_rng(1)
    totals = rng.integers(5, 30, (20, 1)) - np.arange(4)
    statistics = np.hstack([rng.integers(1, totals + 1), totals, totals[:, :1], totals[:, :1] + 1])
    copies = rng.integers(0, 4, 20)
    again = METRICS["bleu"].value(None, np.repeat(statistics, copies, axis=0))
    assert METRICS["bleu"].value(None, statistics, weights=copies) == pytest.approx(again, abs=1e-14)


def test_rouge_is_f1_of_the_corpus() -> None:
    """3 + 1 matches, 4 + 5 units against 6 + 5: 8/20."""
    assert METRICS["rouge"].value(None, [[3, 4, 6], [1, 5, 5]]) == 8 / 20


def test_labels_in_every_form() -> None:
    y, said = data("labels")
    expected = METRICS["f1"].value(y, said)
    names = np.array(["no", "yes"])
    for truth, answer in (
        (y == 1, said == 1),
        (names[y], names[said]),
        (names[y].astype(object), list(names[said])),
        (2 * y - 1, 2.0 * said - 1),
    ):
        assert METRICS["f1"].value(truth, answer) == expected
    assert METRICS["auroc"].value(names[y], said) == METRICS["auroc"].value(y, said)


# What is undefined in a draw: weights of 0 where it hurts. (y, prediction, weights)
UNDEFINED = {
    "auroc": ([0, 1, 1], [0.1, 0.2, 0.3], [0, 1, 1]),
    "average_precision": ([0, 1, 0], [0.1, 0.2, 0.3], [1, 0, 1]),
    "f1": ([0, 1, 0], [0, 0, 0], [1, 0, 1]),
    "balanced_accuracy": ([0, 1, 0], [0, 0, 1], [1, 0, 1]),
    "mcc": ([0, 1, 0], [0, 1, 1], [0.3, 0, 0.1]),
    "r2": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "ndcg": ([0, 1, 0], [0.1, 0.2, 0.3], [1, 0, 1]),
    "recall": ([0, 1, 0], [0, 1, 1], [1, 0, 1]),
    "specificity": ([0, 1, 1], [0, 1, 1], [0, 1, 1]),
    "iou": ([0, 1, 0], [0, 0, 0], [1, 0, 1]),
    "kappa": ([0, 1, 0], [0, 1, 1], [0.3, 0, 0]),
    "pearson": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "spearman": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "kendall": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "concordance": ([1.0, 2.0, -3.0], [1.0, 2.0, 3.0], [0, 0, 1]),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_in_a_draw_is_nan_and_an_error_for_the_user(name: str) -> None:
    y, prediction, w = UNDEFINED[name]
    both = METRICS[name].prepare(y, prediction)(np.array([np.ones(3), w]))
    assert np.isfinite(both[0])
    assert np.isnan(both[1])
    with pytest.raises(MethodError, match="is not defined on these data"):
        METRICS[name].value(y, prediction, weights=w)


def test_conventions() -> None:
    """No positive predicted: F1 = 0. One class predicted: MCC = 0. A class without weight is no class."""
    assert METRICS["f1"].value([0, 1, 1], [0, 0, 0]) == 0.0
    assert METRICS["mcc"].value([0, 1, 1], [0, 0, 0]) == 0.0
    y, said = np.array([0, 1, 2, 2, 1]), np.array([0, 1, 2, 1, 0])
    for name in ("f1_macro", "balanced_accuracy"):
        without = METRICS[name].value(y[1:], np.where(said == 0, 1, said)[1:])
        dropped = METRICS[name].value(y, np.where(said == 0, y.clip(0, 1), said), weights=[0, 1, 1, 1, 1])
        assert dropped == pytest.approx(without, abs=1e-15)


@pytest.mark.parametrize("name", ["auroc", "average_precision", "f1", "balanced_accuracy", "mcc"])
def test_one_class_only_is_an_error(name: str) -> None:
    with pytest.raises(MethodError, match="the truth has one class only"):
        METRICS[name].value([1, 1, 1], [1, 0, 1])


@pytest.mark.parametrize(
    ("name", "y", "prediction", "error", "message"),
    [
        ("r2", [2.0, 2.0], [1.0, 2.0], MethodError, "the same number on every row"),
        ("ndcg", [0, 0], [1.0, 2.0], MethodError, "no document is relevant"),
        ("ndcg", [-1, 1], [1.0, 2.0], CellError, "1 of 2 relevances are negative"),
        ("auroc", [0, 1, 2], [1.0, 2.0, 3.0], MethodError, "the truth has 3 classes, AUROC takes 2"),
        ("f1", [0, 1, 2], [0, 1, 1], MethodError, "there are 3 classes, and F1 takes 2"),
        ("auroc", [0, 1], [1.0, np.nan], CellError, "prediction is NaN or infinite on 1 of 2 rows"),
        ("auroc", [0, np.nan], [1.0, 2.0], CellError, "y is NaN or infinite on 1 of 2 rows"),
        ("accuracy", ["a", None], ["a", "b"], CellError, "y is missing on 1 of 2 rows"),
        ("accuracy", [[0], [1]], [0, 1], DataError, "y is not one label a row"),
        ("accuracy", ["a", "b"], [0, 1], DataError, "one is text and the other is numbers"),
        ("auroc", [0, 1], ["x", "y"], DataError, "prediction is not numbers"),
        ("auroc", [0, 1], [[1.0], [2.0]], DataError, "prediction has 2 dimensions"),
        ("auroc", [0, 1, 1], [1.0, 2.0], PairingError, "y has 3, prediction has 2"),
        ("accuracy", [], [], DataError, "there are no rows"),
        ("rmse", [0.0, 1.0], [1e200, 2.0], CellError, "its square overflows"),
        ("log_loss", [0, 1], [0.5, 0.0], CellError, "probability of 0 on 1 of 2 rows"),
        ("brier", [0, 1], [0.5, 1.5], CellError, "1 of 2 rows have probabilities outside 0 to 1"),
        ("brier", [0, 1], [[0.5, 0.5], [0.5, 0.2]], CellError, "1 of 2 rows do not add up to 1"),
        ("brier", ["a", "b"], [[0.5, 0.5, 0.0]] * 2, DataError, "2 classes and the prediction 3 columns"),
        ("bleu", None, [[1.0, 2.0]], DataError, r"\(rows, 10\) was expected"),
        ("bleu", None, [["a"]], DataError, "not a table of numbers"),
    ],
)
def test_bad_data_are_refused(
    name: str, y: list, prediction: list, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        METRICS[name].value(y, prediction)


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1.0, -1.0], CellError, "1 of 2 weights are negative"),
        ([1.0, np.nan], CellError, "weights is NaN or infinite on 1 of 2 rows"),
        ([0.0, 0.0], CellError, "all weights are zero"),
        ([1.0], PairingError, "prediction has 2, weights has 1"),
        (["a", "b"], DataError, "weights is not numbers"),
    ],
)
def test_bad_weights_are_refused(weights: list, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        METRICS["mae"].value([1.0, 2.0], [1.0, 3.0], weights=weights)


def test_names() -> None:
    assert metric_for("ROC AUC") is metric_for("auc") is METRICS["auroc"]
    assert metric_for(METRICS["f1"]) is METRICS["f1"]
    assert set(ALIASES.values()) <= set(METRICS)
    assert not set(ALIASES) & set(METRICS)
    with pytest.raises(OptionError, match='no metric "aurok"') as caught:
        metric_for("aurok")
    assert 'Did you mean "auroc"?' in str(caught.value)
    with pytest.raises(OptionError, match="the metric is 3"):
        metric_for(3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="first 0 places"):
        metric_for("ndcg@0")


def test_what_is_known_of_a_metric() -> None:
    bounded = {name for name, metric in METRICS.items() if metric.bounded}
    signed = {"kappa", "kappa_linear", "kappa_quadratic", "kendall", "mcc", "pearson", "r2", "spearman"}
    open_ended = {"brier", "cer", "log_loss", "mae", "mape", "perplexity", "pinball", "rmse", "wer"}
    assert set(METRICS) - bounded == signed | open_ended
    lower = {name for name, metric in METRICS.items() if not metric.higher_is_better}
    assert lower == open_ended | {"ece"}


def test_a_metric_of_the_users() -> None:
    def bias(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float(np.average(p - y, weights=w))

    metric = custom(bias, higher_is_better=False)
    assert metric.name == "bias"
    assert metric.value([1.0, 2.0], [1.5, 3.0], weights=[3, 1]) == 0.625
    with pytest.raises(MethodError, match="the metric bias answers str"):
        custom(lambda y, p, w: "good", name="bias").value([1.0], [1.0])
    with pytest.raises(MethodError, match="comes out as nan"):
        custom(lambda y, p, w: float("nan"), name="bias").value([1.0], [1.0])


def test_an_additive_metric_of_the_users() -> None:
    rate = additive("error rate", 2, lambda s: s[:, 0] / s[:, 1], higher_is_better=False)
    assert rate.value(None, [[1, 4], [2, 6]], weights=[1, 2]) == 5 / 16


def test_a_function_that_forgets_its_weights_is_refused() -> None:
    def top(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float(np.average(y[p >= np.quantile(p, 0.95)]))

    with pytest.raises(MethodError, match="the metric top does not follow its weights"):
        custom(top).value([0, 1, 0, 1, 1, 0], [0.1, 0.2, 0.9, 0.4, 0.5, 0.3])


@pytest.mark.parametrize("name", ["auroc", "average_precision"])
def test_bounds_of_bins_hold_for_every_order_within_them(name: str) -> None:
    """All orders of the examples of two bins, one by one; the third block is of scores that really tie."""
    metric = METRICS[name]
    assert metric.bounds is not None
    y = np.array([1, 0, 1, 0, 1, 0, 0, 1])
    bins = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    values = []
    for first in permutations(range(3)):
        for second in permutations(range(3)):
            score = bins + np.array([*first, *second, 0, 0]) / 10
            values.append(metric.value(y, score))
    low, high = metric.bounds(y, bins.astype(float), np.ones(8), bins < 2)
    assert low <= min(values)
    assert max(values) <= high
    if name == "auroc":  # there they are reached
        assert (low, high) == pytest.approx((min(values), max(values)))
    assert metric.bounds(y, bins.astype(float), np.ones(8), bins < 0) == pytest.approx(
        (metric.value(y, bins), metric.value(y, bins))
    )
    # Counts are copies of rows.
    once = [np.concatenate([x, x]) for x in (y, bins.astype(float), np.ones(8), bins < 2)]
    twice = metric.bounds(y, bins.astype(float), np.full(8, 2.0), bins < 2)
    assert twice == pytest.approx(metric.bounds(*once))


def test_functions_of_scikit_learn_are_metrics_as_they_are() -> None:
    m = pytest.importorskip("sklearn.metrics")
    assert metric_for(m.roc_auc_score) is METRICS["auroc"]
    y, said = data("labels")
    w = np.random.default_rng(4).standard_exponential(N)
    text = np.array(["0", "1"])
    ours = metric_for(m.hamming_loss)  # not one of ours: called with sample_weight
    assert ours.value(y, said, weights=w) == pytest.approx(m.hamming_loss(y, said, sample_weight=w))
    by_text = custom(m.f1_score).value(text[y], text[said], weights=w)  # pos_label=1 is a number
    assert by_text == pytest.approx(m.f1_score(y, said, sample_weight=w))
    names = np.array(["no", "yes"])
    assert custom(m.accuracy_score).value(names[y], names[said]) == np.mean(y == said)


@pytest.mark.parametrize("name", registry._FUNCTIONS)
def test_the_functions_that_are_replaced_give_the_same_number(name: str) -> None:
    m = pytest.importorskip("sklearn.metrics")
    if not hasattr(m, name):
        pytest.skip("this scikit-learn does not have it yet")
    ours = registry.metric_for(getattr(m, name))
    kind = {"scores": "scores", "probabilities": "scores", "labels": "labels", "numbers": "numbers"}[
        ours.takes
    ]
    y, said = data(kind)
    w = np.random.default_rng(4).standard_exponential(N)
    theirs = getattr(m, name)(y, said, sample_weight=w)
    assert ours.value(y, said, weights=w) == pytest.approx(theirs, abs=1e-12)


def test_a_function_without_weights_is_told_how_to_get_them() -> None:
    def agreement(y: np.ndarray, p: np.ndarray) -> float:
        return float(np.mean(y == p))

    with pytest.raises(OptionError, match="the metric agreement takes no weights") as caught:
        metric_for(agreement)  # type: ignore[arg-type]
    assert "def agreement(y, prediction, weights): ..." in str(caught.value)
