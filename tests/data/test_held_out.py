"""Rows that a map is learned from are never those that it is judged by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.data.calibrate import isotonic, platt, within
from tests.data.scored_rows import predictions


@pytest.mark.parametrize("kind", ["scores", "probabilities"])
@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_rows_that_are_fitted_are_not_tested(method: str, kind: str) -> None:
    """Oracle: the map fitted by hand to the first 40 rows, used on the other 20."""
    p = predictions(kind=kind)
    mask = np.arange(60) < 40
    after = p.calibrated(method, rows=mask)
    assert after.kind == "probabilities"
    assert after.units.tolist() == p.units[40:].tolist()
    assert after.truth.tolist() == p.truth[40:].tolist()
    assert after.audit.paired == 20
    assert (after.audit.dropped[-1].reason, after.audit.dropped[-1].units) == ("used for calibration", 40)
    called = {"platt": "Platt scaling", "isotonic": "isotonic regression"}[method]
    assert after.audit.notes[-1] == f"probabilities: {called}, fitted on 40 other rows"
    for model in p.models:
        s = p.positive_score(model)
        if kind == "probabilities":
            old, new = within(np.log(s / (1 - s))[:40, None], np.log(s / (1 - s))[40:, None])
            s = np.append(old, new)
        fit = {"platt": platt, "isotonic": isotonic}[method](s[:40], p.truth[:40] == "yes")
        np.testing.assert_allclose(after.positive_score(model), fit.p(s[40:]), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(after.outputs[model].sum(axis=1), 1, rtol=1e-12)


def test_a_value_of_the_split_or_other_predictions_do_the_same() -> None:
    mask = np.arange(60) % 3 == 0
    p = predictions(split=strings(np.where(mask, "calibration", "test")))
    by_mask = p.calibrated(rows=mask)
    learn = Predictions(
        models=("forest", "svm"),
        units=p.units[mask],
        truth=p.truth[mask],
        outputs={m: o[mask] for m, o in p.outputs.items()},
        kind="scores",
        classes=p.classes,
        audit=Audit(paired=20),
    )
    rest = replace(
        p,
        units=p.units[~mask],
        truth=p.truth[~mask],
        outputs={m: o[~mask] for m, o in p.outputs.items()},
        split=None,
    )
    for same in (
        p.calibrated(rows="calibration"),
        p.calibrated(rows=mask.tolist()),
        rest.calibrated(rows=learn),
    ):
        assert same.units.tolist() == by_mask.units.tolist()
        np.testing.assert_array_equal(same.outputs["svm"], by_mask.outputs["svm"])


def changed_truth(p: Predictions, row: int) -> Predictions:
    truth = p.truth.copy()
    truth[row] = "no" if truth[row] == "yes" else "yes"
    return replace(p, truth=truth)


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_cross_fitting_never_sees_the_row_itself(method: str) -> None:
    """A law: with the folds kept, a row's own truth does not move its own probability; but that of others."""
    from ropewalk.data import held_out

    p = predictions()
    folds = held_out.dealt(p.units, p.truth_codes, 5, np.random.default_rng(0))
    before = p.calibrated(method).positive_score("svm")
    moved = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "dealt", lambda *_: folds)
        np.testing.assert_array_equal(p.calibrated(method).positive_score("svm"), before)
        for row in range(0, 60, 7):
            after = changed_truth(p, row).calibrated(method).positive_score("svm")
            same = folds == folds[row]
            np.testing.assert_array_equal(after[same], before[same])
            moved += int((after[~same] != before[~same]).any())
    assert moved == 9


def test_cross_fitting_by_hand() -> None:
    from ropewalk.data.held_out import dealt

    p = predictions()
    fold = dealt(p.units, p.truth_codes, 3, np.random.default_rng(7))
    after = p.calibrated("platt", folds=3, rng=7).positive_score("forest")
    s, y = p.positive_score("forest"), p.truth == "yes"
    for k in range(3):
        np.testing.assert_allclose(after[fold == k], platt(s[fold != k], y[fold != k]).p(s[fold == k]))
    sizes = [(np.sum(y[fold == k]), np.sum(~y[fold == k])) for k in range(3)]
    assert np.ptp(sizes, axis=0).max() <= 1  # every fold has its share of both classes


def test_the_order_of_the_rows_does_not_matter() -> None:
    p = predictions()
    order = np.random.default_rng(3).permutation(60)
    turned = replace(
        p, units=p.units[order], truth=p.truth[order], outputs={m: o[order] for m, o in p.outputs.items()}
    )
    np.testing.assert_allclose(
        turned.calibrated().positive_score("svm"), p.calibrated().positive_score("svm")[order], rtol=1e-9
    )


def test_a_cluster_is_never_in_two_folds() -> None:
    """A law: flipping the truth of a row moves nothing in its whole cluster when the folds are kept."""
    from ropewalk.data import held_out

    p = predictions(clusters=strings(np.arange(60) // 4))
    fold = held_out.dealt(p.clusters, p.truth_codes, 5, np.random.default_rng(0))
    for c in set(p.clusters):
        assert len(set(fold[p.clusters == c])) == 1
    before = p.calibrated()
    assert before.audit.notes[-1] == "probabilities: Platt scaling, 5-fold cross-fitted, clusters kept whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "dealt", lambda *_: fold)
        after = changed_truth(p, 9).calibrated().positive_score("svm")
    np.testing.assert_array_equal(after[8:12], before.positive_score("svm")[8:12])
    assert (after != before.positive_score("svm")).any()


def test_torn_clusters_are_said() -> None:
    p = predictions(clusters=strings(np.arange(60) // 7))
    after = p.calibrated(rows=np.arange(60) < 30)
    assert after.audit.warnings == ('clusters with both fitting rows and test rows: "4"',)
    assert p.calibrated(rows=np.arange(60) < 28).audit.warnings == ()
