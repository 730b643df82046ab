"""From fits to a report: pairing, the correction, what is missing, seeds, predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import ropewalk as rw
from ropewalk.errors import CellError, DataError, MissingExtraError, OptionError, PairingError
from ropewalk.experiment import Experiment, cross_validate

MODELS: dict[str, Any] = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
WINE = {"wine": load_wine(return_X_y=True)}


class Brittle(BaseEstimator):
    """Fails where some row is in the test set, that is: not in the training set."""

    def __init__(self, row: float = 14.23) -> None:
        self.row = row

    def fit(self, X: Any, y: Any) -> Brittle:
        if not (X[:, 0] == self.row).any():
            raise ValueError("the first row is missing")
        self.inner = GaussianNB().fit(X, y)
        return self

    def predict(self, X: Any) -> Any:
        return self.inner.predict(X)


class Never(Brittle):
    def fit(self, X: Any, y: Any) -> Never:
        raise MemoryError("too small")


# --- the same splits -----------------------------------------------------------------------------------


def test_every_algorithm_sees_the_same_rows_and_the_hash_proves_it() -> None:
    exp = cross_validate(MODELS, {**WINE, "iris": load_iris(return_X_y=True)}, design="3x4cv")
    by_split: dict[tuple[str, int, int], set[str]] = {}
    for f in exp.fits:
        by_split.setdefault((f.task, f.repeat, f.fold), set()).add(f.split_hash)
    assert len(by_split) == 24
    assert all(len(hashes) == 1 for hashes in by_split.values())
    assert "24 split hashes" in exp.scores().audit.notes[0]


def test_the_scores_are_those_of_cross_val_score() -> None:
    """Oracle: scikit-learn's own loop over the same splits."""
    from ropewalk.experiment.cross_validate import dataset
    from ropewalk.experiment.splits import SplitPlan

    X, y = WINE["wine"]
    exp = cross_validate({"bayes": GaussianNB(), "knn": KNeighborsClassifier()}, WINE, design="2x5cv", seed=4)
    data = dataset("wine", (X, y))
    splits = SplitPlan.parse("2x5cv").splits(data.n, classes=data.codes, groups=None, seed=4)
    theirs = cross_val_score(KNeighborsClassifier(), X, y, cv=[(s.train, s.test) for s in splits])
    assert np.array_equal(exp.scores().tasks[0].values[:, 1], theirs)


def test_results_of_two_experiments_cannot_be_compared() -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    mixed = [replace(f, split_hash="other") if f.model == "tree" else f for f in exp.fits]
    with pytest.raises(PairingError, match="were not trained on the same rows"):
        replace(exp, fits=mixed).scores()


# --- the correction ------------------------------------------------------------------------------------


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


def test_the_sizes_of_each_data_set_count_for_random_splits() -> None:
    data = {"a": WINE["wine"], "b": load_iris(return_X_y=True)}
    scores = cross_validate(MODELS, data, design="4x0.7").scores()
    rhos = [scores.design_of(t).rho for t in scores.tasks]
    assert rhos == pytest.approx([53 / 178, 45 / 150])


# --- what is missing -----------------------------------------------------------------------------------


def test_a_failed_fold_is_left_out_for_all_and_named() -> None:
    exp = cross_validate({**MODELS, "brittle": Brittle()}, WINE, design="2x5cv")
    gaps = exp.missing()
    assert len(gaps) == 2
    assert {(g.model, g.task) for g in gaps} == {("brittle", "wine")}
    assert "brittle on wine, repeat 0, fold" in str(gaps[0])
    assert str(gaps[0]).endswith("ValueError: the first row is missing")
    report = exp.compare(rope=0.01)
    assert report.comparisons[0].n == 8
    assert report.audit.dropped[0].units == 2
    (warning,) = report.audit.warnings
    assert warning.startswith("missing: brittle on wine, 2 splits (repeat.fold ")
    assert "missing: brittle on wine" in report.to_text().replace("\n    ", " ")


def test_an_algorithm_that_fails_throughout_was_not_run_there() -> None:
    data = {**WINE, "iris": load_iris(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True)}
    exp = cross_validate({**MODELS, "brittle": Brittle()}, data, design="4cv")
    scores = exp.scores()
    assert np.isnan(scores.tasks[1].values[:, 2]).all()
    assert not np.isnan(scores.tasks[1].values[:, :2]).any()
    assert any("brittle on iris, 4 splits" in w for w in scores.audit.warnings)


def test_with_two_algorithms_such_a_data_set_is_left_out() -> None:
    data = {**WINE, "iris": load_iris(return_X_y=True)}
    exp = cross_validate({"bayes": GaussianNB(), "brittle": Brittle()}, data, design="4cv")
    scores = exp.scores()
    assert [t.name for t in scores.tasks] == ["wine"]
    assert "fewer than two algorithms ran on iris" in scores.audit.dropped[-1].reason


def test_when_nothing_worked_the_messages_are_shown() -> None:
    exp = cross_validate({"bayes": GaussianNB(), "never": Never()}, WINE, design="3cv")
    with pytest.raises(DataError, match="there is nothing to compare") as caught:
        exp.compare()
    assert "MemoryError: too small" in str(caught.value)


def test_a_metric_that_one_algorithm_lacks_does_not_spoil_the_others() -> None:
    exp = cross_validate({**MODELS, "svm": SVC()}, WINE, design="3cv", metrics=["accuracy", "log_loss"],
                         calibrate="none")  # fmt: skip
    assert not exp.missing("accuracy")
    assert {g.model for g in exp.missing("log_loss")} >= {"svm"}
    assert "SVC has no predict_proba" in exp.missing("log_loss")[-1].why


def test_fits_that_were_not_made_are_missing_too(tmp_path: Path) -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    some = replace(exp, fits=exp.fits[:7])
    assert [g.why for g in some.missing()] == ["not run"] * 5
    assert some.scores().tasks[0].values.shape == (3, 2)
    assert "7 of 12 fits" in repr(some)


def test_warnings_of_fits_are_counted() -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    warned = [replace(f, warning="UserWarning: slow") if f.model == "tree" else f for f in exp.fits]
    notes = replace(exp, fits=warned).scores().audit.notes
    assert "tree: 6 of 6 fits warned: UserWarning: slow" in notes


# --- which metric --------------------------------------------------------------------------------------


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


# --- seeds ---------------------------------------------------------------------------------------------


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
    assert 'no random_state, so every seed gives the same: "bayes"' in exp.scores().audit.notes


def test_folds_are_no_seeds() -> None:
    exp = cross_validate(MODELS, WINE, design="3cv")
    with pytest.raises(OptionError, match="the design has no seeds of its own"):
        exp.seeds()


# --- predictions ---------------------------------------------------------------------------------------


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


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"models": {}}, "there is no algorithm"),
        ({"models": [GaussianNB()]}, "models is a list"),
        ({"models": {"a": GaussianNB}}, 'algorithm "a" is a class'),
        ({"models": {"a": 3}}, 'algorithm "a" is a int without fit'),
        ({"models": {"": GaussianNB()}}, "are not all text"),
        ({"datasets": {}}, "there is no data set"),
        ({"metrics": []}, "there is no metric"),
        ({"metrics": ["accuracy", "acc"]}, 'the metric "acc" is given twice'),
        ({"metrics": ["accuracy", "rmse"]}, "metrics of classes and metrics of numbers"),
        ({"metrics": ["bleu"]}, "needs more than a prediction for each row"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": True}, "seed is True"),
        ({"calibrate": "isotonic"}, "calibrate is isotonic"),
        ({"timeout": -1}, "timeout is -1"),
        ({"select": {"svm": {"C": [1]}}}, 'select names "svm", which is no model'),
        ({"select": {"tree": {"max_deph": [1]}}}, 'no parameter "max_deph" to choose'),
        ({"select": {"tree": {"max_depth": 3}}}, 'what "max_depth" is chosen from is 3'),
    ],
)
def test_bad_options_say_what_is_wrong(changed: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"models": MODELS, "datasets": WINE, "design": "2cv"} | changed
    with pytest.raises(OptionError, match=message):
        cross_validate(options.pop("models"), options.pop("datasets"), **options)


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (3, DataError, 'data set "d" is a int'),
        (([[1.0], [2.0]], [0, 1, 1]), DataError, "has 2 rows and 3 targets"),
        (([[1.0], [2.0]], [[0, 1], [1, 0]]), DataError, "has 2 dimensions, 1 was expected"),
        (([[1.0]], [0]), DataError, "has 1 rows\n\n  Give two at least"),
        (([[1.0], [2.0]], [0.0, np.nan]), CellError, "is missing in 1 of 2 rows"),
        (([[1.0], [2.0]], [0, 1], [1]), DataError, "has 2 rows and 1 groups"),
        (load_diabetes(return_X_y=True), DataError, "has 214 different values in 442 rows"),
        (([[1.0], [2.0]], [1, 1]), DataError, "has 1 different values in 2 rows"),
    ],
)
def test_bad_data_say_what_is_wrong(data: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cross_validate(MODELS, {"d": data}, design="2cv")


def test_words_are_no_numbers() -> None:
    with pytest.raises(DataError, match='the target of data set "d" is no number'):
        cross_validate({"a": Ridge()}, {"d": ([[1.0], [2.0]], ["x", "y"])}, design="2cv", metrics=["rmse"])


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with pytest.raises(MissingExtraError, match="experiments need scikit-learn") as caught:
        cross_validate(MODELS, WINE)
    assert caught.value.hint == "pip install 'ropewalk[sklearn]'"


def test_an_algorithm_without_any_score_is_left_out_and_named() -> None:
    data = {**WINE, "iris": load_iris(return_X_y=True)}
    exp = cross_validate({**MODELS, "never": Never()}, data, design="3cv")
    report = exp.compare(rope=0.01)
    assert [m.name for m in report.models].count("never") == 0
    assert [w.split(" (")[0] for w in report.audit.warnings] == [
        "missing: never on wine, 3 splits",
        "missing: never on iris, 3 splits",
    ]


def test_one_task_on_which_two_models_never_meet() -> None:
    """Gaps that leave no common split: the algorithm with most gaps counts as not run."""
    exp = cross_validate({**MODELS, "knn": KNeighborsClassifier()}, WINE, design="4cv")
    gone = [
        f
        for f in exp.fits
        if not (f.model == "bayes" and f.fold == 0) and not (f.model == "knn" and f.fold in (1, 2, 3))
    ]
    scores = replace(exp, fits=gone).scores()
    assert scores.models == ("bayes", "tree", "knn")
    assert scores.tasks[0].values.shape == (3, 3)
    assert np.isnan(scores.tasks[0].values[:, 2]).all()
