"""From fits to a report: pairing, the correction, what is missing, seeds, predictions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import ropewalk as rw
from ropewalk.errors import DataError, OptionError
from ropewalk.experiment import Experiment, cross_validate
from tests.experiment.small_runs import MODELS, WINE, Never


@pytest.mark.parametrize(
    ("design", "rho", "classical"),
    [
        ("3x5cv", 1 / 5, ["corrected resampled t"]),
        ("8x0.75", 44 / 178, ["corrected resampled t"]),
        ("5x2cv", 1 / 2, ["corrected resampled t", "5x2cv t", "5x2cv F"]),
        ("6sets", 0.0, ["paired t", "Wilcoxon"]),
    ],
)
def test_the_design_decides_the_correction(design: str, rho: float, classical: list[str]) -> None:
    """Oracle: the posterior of the correlated t-test with the correlation given by hand."""
    exp = cross_validate({"bayes": GaussianNB(), "svm": SVC()}, WINE, design=design)
    (found,) = exp.compare(rope=0.01).comparisons
    d = exp.scores().differences("bayes", "svm")
    by_hand = rw.bayes.t(d, rho=rho)
    assert found.posterior.mean == pytest.approx(by_hand.mean)
    assert found.posterior.sd == pytest.approx(by_hand.sd)
    assert [t.name.lower() for t in found.classical] == [name.lower() for name in classical]


def test_metrics_are_found_by_any_of_their_names() -> None:
    exp = cross_validate(MODELS, WINE, design="3cv", metrics=["accuracy", "roc_auc"])
    assert exp.scores("auroc").metric == "AUROC"
    assert exp.scores().metric == "accuracy"
    with pytest.raises(OptionError, match='"log_loss" was not measured') as caught:
        exp.compare(metric="log_loss")
    assert "predictions were kept" in caught.value.hint
    with pytest.raises(OptionError, match="there is no metric"):
        exp.compare(metric="accurracy")


def test_losses_keep_their_direction() -> None:
    data = {"diabetes": load_diabetes(return_X_y=True)}
    exp = cross_validate({"ols": LinearRegression(), "ridge": Ridge()}, data, design="2x5cv", metrics="rmse")
    scores = exp.scores()
    assert not scores.higher_is_better
    mean = scores.tasks[0].values.mean(axis=0)
    assert scores.differences("ols", "ridge").mean() == pytest.approx(mean[1] - mean[0])


@pytest.fixture(scope="module")
def over_seeds() -> Experiment:
    models = {
        "stump": DecisionTreeClassifier(max_features=1, max_depth=2),
        "tree": DecisionTreeClassifier(max_features=1),
    }
    return cross_validate(models, WINE, design="10seeds", keep_predictions=True)


def test_the_seeds_report_has_mean_spread_interval_worst_and_best(over_seeds: Experiment) -> None:
    """Oracle: NumPy, and the t quantile 2.262 with nine degrees of freedom from any table."""
    scores = over_seeds.seed_scores()["tree"]
    found = over_seeds.seeds()["tree"]
    assert found.seeds == 10
    assert found.mean == pytest.approx(np.mean(scores))
    assert found.sd == pytest.approx(np.std(scores, ddof=1))
    half = 2.262157 * np.std(scores, ddof=1) / np.sqrt(10)
    assert found.interval(0.95) == pytest.approx((np.mean(scores) - half, np.mean(scores) + half), abs=1e-6)
    assert (found.worst, found.best) == (min(scores), max(scores))


def test_the_report_shows_the_table_of_seeds_with_the_test(over_seeds: Experiment) -> None:
    report = over_seeds.compare(rope=0.01, reference="stump")
    assert set(report.seeds) == {"stump", "tree"}
    text = report.to_markdown()
    assert "| training runs | seeds | mean accuracy | sd |" in text
    assert "test against stump" in text
    assert "baseline" in text
    assert "worst" in text


def test_every_seed_is_a_point_of_the_picture(over_seeds: Experiment) -> None:
    figure = over_seeds.plot_seeds()
    points = [len(c.get_offsets()) for c in figure.axes[0].collections]
    assert points == [10, 10]
    drawn = sorted(x for c in figure.axes[0].collections for x in c.get_offsets()[:, 0])
    assert drawn == pytest.approx(sorted(np.concatenate(list(over_seeds.seed_scores().values()))))


def test_predictions_of_seeds_are_runs_on_the_same_rows(over_seeds: Experiment) -> None:
    predictions = over_seeds.predictions(kind="labels")
    report = rw.compare(predictions)
    assert report.comparisons[0].method == "crossed"
    assert set(report.seeds) == {"stump", "tree"}


def test_algorithms_without_a_seed_are_noted() -> None:
    exp = cross_validate(MODELS, WINE, design="3seeds")
    assert 'no random_state, so every seed gives the same result: "bayes"' in exp.scores().audit.notes


def test_folds_are_no_seeds() -> None:
    exp = cross_validate(MODELS, WINE, design="3cv")
    with pytest.raises(OptionError, match="the design does not vary the seed"):
        exp.seeds()


@pytest.mark.parametrize("on_disk", [True, False])
def test_kept_predictions_give_the_same_accuracy_and_any_other_metric(tmp_path: Path, on_disk: bool) -> None:
    """Oracle: the mean of right answers over all rows, by the folds' own accuracies and sizes."""
    exp = cross_validate(
        MODELS, WINE, design="2x5cv", keep_predictions=True, store=tmp_path if on_disk else None
    )
    if on_disk:
        exp = Experiment.load(tmp_path)
    for repeat in (0, 1):
        scores = exp.predictions(repeat=repeat, kind="labels").scores()
        assert len(scores.tasks[0].units) == 178
        for j, model in enumerate(exp.models):
            folds = [f for f in exp.fits if f.model == model and f.repeat == repeat]
            right = sum(f.values["accuracy"] * f.n_test for f in folds)
            assert scores.tasks[0].values[:, j].sum() == pytest.approx(right)
    report = rw.compare(exp.predictions(), metric="brier", rope=0.01)
    assert report.comparisons[0].n == 178


def test_two_classes_have_scores_to_rank_by() -> None:
    models = {"svm": SVC(), "bayes": GaussianNB()}
    exp = cross_validate(
        models, {"cancer": load_breast_cancer(return_X_y=True)}, design="3cv", keep_predictions=True
    )
    found = rw.compare(exp.predictions(kind="scores"), metric="auroc")
    assert found.metric == "AUROC"
    with pytest.raises(OptionError, match='predictions of the kind "probabilities"'):
        exp.predictions(kind="probabilities")


def test_predictions_have_to_be_asked_for() -> None:
    exp = cross_validate(MODELS, {**WINE, "iris": load_iris(return_X_y=True)}, design="3cv")
    with pytest.raises(OptionError, match="there are 2 data sets and none was named"):
        exp.predictions()
    with pytest.raises(OptionError, match='there is no data set "wein"'):
        exp.predictions("wein")
    with pytest.raises(OptionError, match="the predictions were not kept"):
        exp.predictions("wine")
    with pytest.raises(OptionError, match="repeat is 7"):
        exp.predictions("wine", repeat=7)


def test_a_failed_fit_left_no_predictions() -> None:
    exp = cross_validate({"bayes": GaussianNB(), "never": Never()}, WINE, design="3cv", keep_predictions=True)
    with pytest.raises((OptionError, DataError), match="predictions"):
        exp.predictions("wine")
