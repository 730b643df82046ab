"""Metrics of the whole test set, from predictions to verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.cli import main
from ropewalk.errors import MethodError, OptionError
from tests.methods.ranked import predictions


def test_auroc_is_the_bootstrap_with_delong_beside_it() -> None:
    data = predictions()
    c = rw.compare(data, metric="auroc", rope=0.02).comparisons[0]
    y, a, b = data["truth"], data["svm"], data["tree"]
    posterior = rw.bayes.bootstrap("auroc", y, a, b, rng=0)
    assert (c.method, c.metric, c.n) == ("bootstrap", "AUROC", 400)
    assert c.verdict.better == pytest.approx(float(posterior.sf(0.02)), abs=1e-12)
    assert c.advantage == pytest.approx(posterior.value_a - posterior.value_b)
    assert [t.name for t in c.classical] == ["DeLong", "paired bootstrap", "permutation"]
    assert c.classical[0].p_value == rw.nhst.delong(y, a, b).p_value
    assert any("Monte Carlo error" in k.name for k in c.checks)


def test_the_positive_class_need_not_be_the_last_in_the_alphabet() -> None:
    data = predictions()
    named = data.assign(truth=np.where(data["truth"] == 1, "malign", "zz benign"))
    report = rw.compare(named, metric="auroc", positive="malign")
    assert report.comparisons[0].advantage == pytest.approx(
        rw.compare(data, metric="auroc").comparisons[0].advantage
    )


@pytest.mark.parametrize(
    ("metric", "name"),
    [("f1", "F1"), ("mcc", "MCC"), ("balanced_accuracy", "balanced accuracy"), ("ap", "average precision"),
     ("ece", "ECE"), ("f1_macro", "macro F1")],
)  # fmt: skip
def test_metrics_by_name(metric: str, name: str) -> None:
    c = rw.compare(predictions(200), metric=metric).comparisons[0]
    assert c.metric == name
    assert c.verdict.better + c.verdict.equivalent + c.verdict.worse == pytest.approx(1.0)


@pytest.mark.parametrize("metric", ["rmse", "r2"])
def test_metrics_of_numbers(metric: str) -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=200)
    data = pd.DataFrame({"truth": y, "near": y + rng.normal(0, 0.3, 200), "far": y + rng.normal(0, 0.9, 200)})
    c = rw.compare(data, metric=metric).comparisons[0]
    assert c.verdict.name == "better"  # near is better, whichever way the metric runs
    if metric == "rmse":
        rmse = [float(np.sqrt(np.mean((data[m] - y) ** 2))) for m in ("near", "far")]
        assert (c.evidence.mean_a, c.evidence.mean_b) == pytest.approx(rmse)
        # One row moves RMSE by (e² - RMSE²)/(2 RMSE): the bootstrap varies as a mean of these does.
        moves = [((data[m] - y) ** 2 - r**2) / (2 * r) for m, r in zip(("near", "far"), rmse, strict=True)]
        assert c.rope.high == pytest.approx(0.1 * np.std(moves[0] - moves[1]), rel=0.03)
        assert c.rope.source == "0.1 sd"


def test_a_mean_of_losses_keeps_its_exact_method_unless_the_bootstrap_is_asked_for() -> None:
    data = predictions()
    assert rw.compare(data, metric="accuracy").comparisons[0].method == "mcnemar"
    assert rw.compare(data, metric="log_loss").comparisons[0].method == "t"
    exact = rw.compare(data, metric="brier", rope=0.05).comparisons[0]
    drawn = rw.compare(data, metric="brier", rope=0.05, method="bootstrap").comparisons[0]
    assert (exact.method, drawn.method) == ("t", "bootstrap")
    assert drawn.advantage == pytest.approx(exact.advantage)
    assert drawn.verdict.better == pytest.approx(exact.verdict.better, abs=0.02)


def test_a_function_of_the_users() -> None:
    def recall(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float(np.sum(w * (y == 1) * (p > 0.5)) / np.sum(w * (y == 1)))

    c = rw.compare(predictions(200), metric=recall).comparisons[0]
    assert c.metric == "recall"
    assert c.advantage > 0


def test_clusters_are_the_units_that_are_weighted() -> None:
    data = predictions(400)
    doubled = pd.concat([data, data.assign(id=data["id"] + 1000)]).assign(patient=lambda f: f["id"] % 1000)
    once = rw.compare(data, metric="auroc").comparisons[0]
    twice = rw.compare(doubled, metric="auroc", cluster="patient").comparisons[0]
    assert (twice.unit, twice.n) == ("cluster", 400)
    assert twice.posterior.sd == pytest.approx(once.posterior.sd, rel=0.05)  # no wiser for the copies
    check = next(k for k in twice.checks if k.name == "ignoring the clusters")
    assert check.numbers["design_effect"] == pytest.approx(2.0, rel=0.15)
    assert "DeLong" not in [t.name for t in twice.classical]


def test_many_tasks() -> None:
    frames = [predictions(150, seed=s).assign(task=f"t{s}") for s in range(4)]
    report = rw.compare(pd.concat(frames), metric="auroc", truth="truth")
    assert [c.task for c in report.comparisons] == ["t0", "t1", "t2", "t3"]
    over = report.overall[0]
    assert over.method == "hierarchical_t"
    assert over.advantage == pytest.approx(np.mean([c.advantage for c in report.comparisons]))
    # The likelihood of a task: as many units as it has, whose mean varies as the bootstrap says.
    for c in report.comparisons:
        sums = rw.sums.Sums(n=c.n, mean=c.advantage, m2=c.posterior.sd**2 * c.n * (c.n - 1))
        assert rw.bayes.t(sums).sd == pytest.approx(c.posterior.sd, rel=0.02)


def test_undefined_draws_are_counted() -> None:
    y = [0] * 40 + [1]
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"truth": y, "a": rng.uniform(size=41), "b": rng.uniform(size=41)})

    def odd(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float("nan") if w[-1] > 1.5 else float(p @ w)

    c = rw.compare(data, metric=odd).comparisons[0]
    check = next(k for k in c.checks if k.name == "undefined draws")
    assert not check.ok
    assert 0 < check.numbers["undefined"] < 4000


def test_the_same_answers_twice() -> None:
    data = predictions(60)
    c = rw.compare(data.assign(tree=data["svm"]), metric="auroc").comparisons[0]
    # Nothing is certain because it does not vary: 60 examples leave room for either model.
    assert c.verdict.name == "undecided"
    assert c.verdict.better == pytest.approx(c.verdict.worse)
    assert "do not differ on any example" in c.verdict.sentence


def test_bad_use() -> None:
    data = predictions(60)
    with pytest.raises(OptionError, match="both a loss and a metric"):
        rw.compare(data, metric="auroc", loss="brier")
    with pytest.raises(OptionError, match='there is no metric "aurok"'):
        rw.compare(data, metric="aurok")
    with pytest.raises(OptionError, match="RMSE needs numbers, but the predictions are probabilities"):
        rw.compare(data, metric="rmse")
    with pytest.raises(
        MethodError, match="t needs a score for each example, but AUROC is computed on the whole"
    ):
        rw.compare(data, metric="auroc", method="t")
    with pytest.raises(MethodError, match="a single class"):
        rw.compare(data.assign(truth=1), metric="auroc", positive="1", labels=["0"])


def test_all_scores_tied_is_a_coin() -> None:
    data = predictions(60).assign(tree=0.5)
    c = rw.compare(data, metric="auroc").comparisons[0]
    assert c.evidence.mean_b == 0.5


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    predictions(200).to_csv(tmp_path / "p.csv", index=False)
    with pytest.raises(SystemExit) as done:
        main(["compare", str(tmp_path / "p.csv"), "--metric", "auroc", "--verbose"])
    assert done.value.code in (0, None)
    printed = capsys.readouterr().out
    assert "DeLong p = " in printed
    assert "Monte Carlo error" in printed


def test_bleu_from_statistics_of_segments(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = []
    for model, p in (("A", 0.6), ("B", 0.4)):
        for i in range(60):
            totals = [20, 19, 18, 17]
            rows.append((model, i, *rng.binomial(totals, [p, p * 0.8, p * 0.7, p * 0.6]), *totals, 20, 21))
    names = ["m1", "m2", "m3", "m4", "t1", "t2", "t3", "t4", "hyp", "ref"]
    frame = pd.DataFrame(rows, columns=["model", "id", *names])
    c = rw.compare(frame, metric="bleu", statistics=names).comparisons[0]
    total = frame[frame["model"] == "A"][names].sum().to_numpy(dtype=float)
    by_hand = np.exp(1 - 21 / 20) * np.exp(np.mean(np.log(total[:4] / total[4:8])))
    assert c.evidence.mean_a == pytest.approx(by_hand, rel=1e-12)
    assert c.verdict.name == "better"


def test_ece_is_centred_on_the_data_and_says_that_it_is_biased() -> None:
    c = rw.compare(predictions(200), metric="ece").comparisons[0]
    assert c.posterior.mean == pytest.approx(c.advantage, abs=1e-9)
    assert any(w.startswith("biased metric: ECE is biased upwards") for w in c.warnings)


def test_a_perfect_model_has_no_delong_test_and_an_answer_all_the_same() -> None:
    data = pd.DataFrame({"truth": [0, 1] * 30, "perfect": [0.1, 0.9] * 30, "constant": [0.5] * 60})
    c = rw.compare(data, metric="auroc").comparisons[0]
    assert c.verdict.name == "better"
    assert "DeLong" not in [t.name for t in c.classical]


def test_graded_relevance() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    data = pd.DataFrame(
        {
            "truth": y,
            "good": y + rng.normal(0, 0.3, 120),
            "bad": rng.normal(size=120),
            "query": np.arange(120) // 6,
        }
    )
    c = rw.compare(data, metric="ndcg@3", cluster="query").comparisons[0]
    assert (c.metric, c.n, c.verdict.name) == ("NDCG@3", 20, "better")
