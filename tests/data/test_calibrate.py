"""Platt scaling and isotonic regression: the maps, and calibrated predictions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.data.calibrate import isotonic, log_odds, platt, within
from ropewalk.errors import CellError, DataError, OptionError, RopewalkError
from tests.data.scored_rows import noisy, predictions


@pytest.mark.parametrize(("n", "slope"), [(30, 1.0), (500, 0.2), (500, -1.0), (5_000, 3.0)])
def test_platt_agrees_with_scikit_learn(n: int, slope: float) -> None:
    """Oracle: scikit-learn's sigmoid calibration, an L-BFGS search of the same targets."""
    calibration = pytest.importorskip("sklearn.calibration")
    s, y = noisy(n, slope)
    theirs = calibration._SigmoidCalibration().fit(s, y.astype(float)).predict(s)
    np.testing.assert_allclose(platt(s, y).p(s), theirs, atol=1e-6)


def gradient(s: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Σ (t - p) and Σ (t - p) u at the fit, u the score in unit range, relative to n: 0 at the best."""
    n1, n0 = y.sum(), (~y).sum()
    t = np.where(y, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    r = t - platt(s, y).p(s)
    u = (s - s.min()) / (s.max() - s.min())
    return np.abs([r.sum(), r @ u]) / y.size


@pytest.mark.parametrize("scale", [1e-100, 1e-6, 1.0, 1e100])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_platt_is_at_the_optimum_at_every_scale(scale: float, shift: float) -> None:
    """Closed form: the loss is convex, so it is at its minimum where the gradient is 0."""
    s, y = noisy(300)
    assert gradient((s + shift) * scale, y).max() < 1e-12


@pytest.mark.parametrize("n", [4, 200, 20_000])
def test_separable_scores_stay_finite(n: int) -> None:
    s = np.linspace(-1, 1, n)
    fitted = platt(s, s > 0)
    assert 0 < fitted.slope < np.inf
    assert gradient(s, s > 0).max() < 1e-12


def test_two_separable_scores_in_closed_form() -> None:
    """A line through two points can meet both targets: p = t, 1/(3 + 2) and (2 + 1)/(2 + 2)."""
    fitted = platt([-4.0, -4.0, -4.0, 7.0, 7.0], [0, 0, 0, 1, 1])
    np.testing.assert_allclose(fitted.p([-4, 7]), [0.2, 0.75], rtol=1e-13)
    np.testing.assert_allclose(fitted.q([-4, 7]), [0.8, 0.25], rtol=1e-13)
    line = (np.log(3) - np.log(0.25)) / 11
    assert fitted.slope == pytest.approx(line, rel=1e-13)
    assert fitted.intercept == pytest.approx(np.log(0.25) + 4 * line, rel=1e-12)


@pytest.mark.parametrize("at", [0.0, 0.1, -1e100, 5e-324])
def test_constant_scores_give_the_mean_target(at: float) -> None:
    """By hand: targets 2/3, 1/5, 1/5, 1/5, of which the mean is 19/60."""
    fitted = platt([at] * 4, [1, 0, 0, 0])
    np.testing.assert_allclose(fitted.p([at, at + 1]), 19 / 60, rtol=1e-14)


def test_close_scores_keep_their_digits() -> None:
    """The same fit as for 0 and 1: 2^-40 apart around a million."""
    y = np.array([0, 1, 0, 1, 1, 0, 1])
    s = np.array([0, 1, 1, 1, 0, 0, 1.0])
    np.testing.assert_allclose(
        platt(1e6 + s * 2.0**-30, y).p(1e6 + s * 2.0**-30), platt(s, y).p(s), rtol=1e-9
    )


def test_one_far_score_flattens_the_line_and_is_still_at_the_optimum() -> None:
    """Platt's targets are below 1: a line that is steep for the others would make the far one too sure."""
    s, y = noisy(300)
    s, y = np.append(s, 1e9), np.append(y, True)
    assert gradient(s, y).max() < 1e-12
    assert 0 < platt(s, y).slope < 1e-6


def test_the_other_class_keeps_its_digits() -> None:
    fitted = platt([0.0, 0.0, 0.0, 1.0, 1.0], [0, 0, 0, 1, 1])
    assert fitted.q(30.0) == pytest.approx(np.exp(-(30 * fitted.slope + fitted.intercept)), rel=1e-9)


@pytest.mark.parametrize("n", [2, 50, 3_000])
def test_isotonic_agrees_with_scikit_learn(n: int) -> None:
    """Oracle: scikit-learn's IsotonicRegression, on scores with ties, at and between and beyond them."""
    isotonic_regression = pytest.importorskip("sklearn.isotonic")
    s, y = noisy(n)
    s = np.round(s, 1)
    y[:2] = [True, False]
    new = np.linspace(s.min() - 1, s.max() + 1, 777)
    theirs = isotonic_regression.IsotonicRegression(out_of_bounds="clip").fit(s, y.astype(float))
    fitted = isotonic(s, y)
    np.testing.assert_allclose(fitted.p(s), theirs.predict(s), atol=1e-12)
    np.testing.assert_allclose(fitted.p(new), theirs.predict(new), atol=1e-12)
    np.testing.assert_allclose(fitted.q(new), 1 - theirs.predict(new), atol=1e-12)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=12))
def test_isotonic_is_the_max_min_of_block_means(rows: list[tuple[int, bool]]) -> None:
    """Closed form (Barlow et al. 1972): max over a <= i of min over b >= i of mean(y[a..b]) at i."""
    s, y = np.array([r[0] for r in rows], dtype=float), np.array([r[1] for r in rows])
    if y.all() or not y.any():
        return
    for at in np.unique(s):
        best = max(
            min(y[(s >= a) & (s <= b)].mean() for b in np.unique(s[s >= at])) for a in np.unique(s[s <= at])
        )
        assert isotonic(s, y).p(at) == pytest.approx(best, abs=1e-14)


@pytest.mark.parametrize("fit", [platt, isotonic])
@pytest.mark.parametrize(
    ("score", "y", "error", "message"),
    [
        ([1.0, 2.0], [1, 1], DataError, "all 2 examples are positive"),
        ([1.0, 2.0], [0, 0], DataError, r"all 2 examples are negative\n\n  Both classes must occur"),
        ([], [], DataError, "there are no examples"),
        ([1.0, 2.0], [0, 1, 1], DataError, r"the scores have the shape \(2,\), the classes \(3,\)"),
        ([1.0, np.nan, np.inf], [0, 1, 1], CellError, r"2 of 3 scores are NaN, .*\n\n  position 1: nan\n"),
        ([1.0, 1e150], [0, 1], CellError, r"1 of 2 scores are NaN, infinite or beyond 1e\+140"),
        ([1.0, 2.0], [1, 2], CellError, "the classes are not all 0 and 1"),
    ],
)
def test_bad_scores(fit: Any, score: Any, y: Any, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        fit(score, y)


def test_log_odds_by_hand() -> None:
    np.testing.assert_allclose(log_odds(np.array([[0.25, 0.75]])), [[np.log(3)]])
    assert log_odds(np.array([[1e-300, 1.0]]))[0, 0] == pytest.approx(300 * np.log(10))
    assert log_odds(np.array([[0.0, 1.0], [1.0, 0.0]])).tolist() == [[np.inf], [-np.inf]]
    three = log_odds(np.array([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]))
    np.testing.assert_allclose(three, [[0, -np.log(3), -np.log(3)], [np.inf, -np.inf, -np.inf]])


def test_infinite_odds_are_twice_the_most_extreme() -> None:
    seen, new = np.array([[-3.0], [-np.inf], [1.0], [np.inf]]), np.array([[-9.0], [0.5], [np.inf]])
    old, now = within(seen, new)
    far = np.log(2)
    np.testing.assert_allclose(old[:, 0], [-3, -3 - far, 1, 1 + far])
    np.testing.assert_allclose(now[:, 0], [-3 - far, 0.5, 1 + far])
    only, _ = within(np.array([[-np.inf], [np.inf]]), new)
    np.testing.assert_allclose(only[:, 0], [-far, far])


def test_each_task_has_its_own_map() -> None:
    p = predictions(120, tasks=strings(np.repeat(["x", "y"], 60)))
    mask = np.arange(120) % 2 == 0
    after = p.calibrated(rows=mask).positive_score("svm")
    s, y = p.positive_score("svm"), p.truth == "yes"
    for rows in (np.arange(60), np.arange(60, 120)):
        learn, use = rows[rows % 2 == 0], rows[rows % 2 == 1]
        np.testing.assert_allclose(after[use // 2], platt(s[learn], y[learn]).p(s[use]))


def three_classes(n: int = 90) -> Predictions:
    random = np.random.default_rng(4)
    codes = np.arange(n) % 3
    odds = random.normal(0, 1, (n, 3)) + 2 * np.eye(3)[codes]
    p = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
    return Predictions(
        models=("svm", "forest"),
        units=strings(range(n)),
        truth=strings(np.array(["cat", "dog", "emu"])[codes]),
        outputs={"svm": p, "forest": np.full((n, 3), 1 / 3)},
        kind="probabilities",
        classes=("cat", "dog", "emu"),
        audit=Audit(paired=n),
    )


def test_three_classes_one_against_the_rest() -> None:
    p = three_classes()
    mask = np.arange(90) < 60
    after = p.calibrated(rows=mask).outputs["svm"]
    by_hand = []
    for c, name in enumerate(p.classes):
        s = np.log(p.outputs["svm"][:, c] / (1 - p.outputs["svm"][:, c]))
        old, new = within(s[:60, None], s[60:, None])
        by_hand.append(platt(old[:, 0], p.truth[:60] == name).p(new[:, 0]))
    np.testing.assert_allclose(after, np.stack(by_hand, 1) / np.sum(by_hand, axis=0)[:, None], rtol=1e-9)


def test_no_class_left_is_all_the_same_and_said() -> None:
    """By hand: a class with 0.58 is always true and one with up to 0.4 never, so none of three thirds is."""
    p = three_classes(7)
    answers = [(0.58, 0.4, 0.02), (0.4, 0.58, 0.02), (0.4, 0.02, 0.58)]
    answers += [(0.58, 0.02, 0.4), (0.02, 0.58, 0.4), (0.02, 0.4, 0.58)]
    unsure, sure = np.array([*answers, (1 / 3, 1 / 3, 1 / 3)]), np.array([*answers, (0.58, 0.4, 0.02)])
    p = replace(p, outputs={"svm": unsure, "forest": sure})
    after = p.calibrated("isotonic", rows=np.arange(7) < 6)
    np.testing.assert_allclose(after.outputs["svm"], [[1 / 3] * 3])
    np.testing.assert_allclose(after.outputs["forest"], [[1, 0, 0]])
    assert after.audit.warnings == (
        "svm: after calibration no class has a positive probability on 1 example; all classes get the same "
        "probability there",
    )


def test_scores_the_wrong_way_round_are_said() -> None:
    p = predictions(200)
    turned = replace(p, outputs={"svm": -p.outputs["svm"], "forest": p.outputs["forest"]})
    assert p.calibrated().audit.warnings == ()
    assert turned.calibrated().audit.warnings == (
        "higher scores of svm make its class less likely. Is the positive class set correctly?",
    )


def test_probabilities_of_exactly_0_and_1_are_calibrated() -> None:
    p = predictions(kind="probabilities")
    hard = np.round(p.outputs["svm"])
    after = replace(p, outputs={"svm": hard, "forest": hard}).calibrated("platt")
    assert np.isfinite(after.scores("log").tasks[0].values).all()


def test_calibration_repairs_the_log_loss_of_an_overconfident_model() -> None:
    """The story of Williams, sec. 6.1: the same ranking, with odds to the fourth power."""
    p = predictions(2_000, kind="probabilities")
    q = p.outputs["svm"] ** 4
    p = replace(p, outputs={"svm": p.outputs["svm"], "forest": q / q.sum(axis=1, keepdims=True)})
    before, after = (x.scores("log").tasks[0].values.mean(axis=0) for x in (p, p.calibrated("platt")))
    assert before[1] > 1.2 * before[0]
    assert after[1] == pytest.approx(after[0], rel=1e-6)  # logits that differ by a factor: the same fit


SPLIT = {"split": strings(["a"] * 30 + ["b"] * 30)}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda p: p.calibrated("plat"), OptionError, r'no calibration "plat"\n\n  Did you mean "platt"'),
        (lambda p: p.calibrated(folds=1), OptionError, "folds is 1"),
        (
            lambda p: p.calibrated(folds=61),
            OptionError,
            "folds is 61, but there are only 60 units to split",
        ),
        (
            lambda p: p.calibrated(rows="a"),
            OptionError,
            'the rows for fitting are "a", but no column identifies them',
        ),
        (
            lambda p: replace(p, **SPLIT).calibrated(rows="c"),
            OptionError,
            r'no row is "c"\n\n  Known: "a", "b"',
        ),
        (
            lambda p: p.calibrated(rows=np.arange(60)),
            OptionError,
            "are not a mask of 60 true and false values",
        ),
        (lambda p: p.calibrated(rows=np.array([True])), OptionError, "are not a mask of 60 true and false"),
        (lambda p: p.calibrated(rows=np.ones(60, bool)), DataError, "all rows are used for fitting"),
        (lambda p: p.calibrated(rows=np.zeros(60, bool)), DataError, "no rows are used for fitting"),
        (
            lambda p: p.calibrated(rows=p.truth == "yes"),
            DataError,
            r'the fitting rows have no "no"\n\n  Use fitting rows that contain every class',
        ),
        (
            lambda p: p.calibrated(rows=predictions(40, seed=9)),
            DataError,
            r'units to be compared are among the rows used for fitting: 40\n\n  unit "0"\n',
        ),
        (
            lambda p: replace(p, units=strings(np.arange(60) // 2)).calibrated(rows=np.arange(60) % 2 == 0),
            DataError,
            "units to be compared are among the rows used for fitting: 30",
        ),
        (
            lambda p: replace(p, tasks=strings(["x"] * 60)).calibrated(
                rows=replace(p, tasks=strings(["x"] * 60))
            ),
            DataError,
            'unit "0", task "x"',
        ),
        (
            lambda p: p.calibrated(
                rows=replace(
                    p, models=("svm", "tree"), outputs={"svm": p.outputs["svm"], "tree": p.outputs["svm"]}
                )
            ),
            DataError,
            'the fitting rows have no predictions of "forest"',
        ),
        (
            lambda p: p.calibrated(rows=replace(p, classes=("yes", "no"))),
            DataError,
            "do not have the same classes",
        ),
        (
            lambda p: p.calibrated(rows=predictions(kind="probabilities")),
            DataError,
            "do not have the same kind of prediction",
        ),
        (
            lambda p: p.calibrated(rows=replace(p, tasks=strings(["x"] * 60))),
            DataError,
            "do not have the same tasks",
        ),
        (
            lambda p: replace(p, tasks=strings(["x"] * 30 + ["y"] * 30)).calibrated(rows=np.arange(60) < 30),
            DataError,
            'the fitting rows of task "y" have no "no", "yes"',
        ),
        (
            lambda p: replace(p, truth=strings(["yes"] + ["no"] * 59)).calibrated(),
            DataError,
            r'have no "yes"\n\n  Cross-fitting needs every class in at least two units',
        ),
        (
            lambda p: replace(p, tasks=strings(["x"] * 57 + ["y"] * 3)).calibrated(),
            OptionError,
            'only 3 units to split in task "y"',
        ),
        (
            lambda p: replace(p, kind="labels", outputs=dict.fromkeys(p.models, p.truth)).calibrated(),
            OptionError,
            "the predictions are labels: there is nothing to calibrate",
        ),
        (lambda p: p.scores(), OptionError, r"decision scores have no loss per example\n\n  Rank by"),
        (lambda p: p.labels("svm"), OptionError, "the predictions are scores and have no labels"),
        (lambda p: p.positive_score("sv"), OptionError, 'no model "sv"'),
        (lambda _: three_classes().positive_score("svm"), OptionError, "without a score of one positive"),
        (
            lambda p: replace(p, classes=("no", "yes", "?")),
            DataError,
            "decision scores need two classes, but there are 3",
        ),
        (lambda p: replace(p, split=strings("ab")), DataError, "2 splits for 60 examples"),
        (
            lambda p: replace(p, outputs=dict.fromkeys(p.models, np.full(60, np.inf))),
            CellError,
            'model "svm" has 60 values that are NaN or infinite',
        ),
    ],
)
def test_bad_use(call: Any, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        call(predictions())
