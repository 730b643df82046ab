"""Thresholds at a false-positive rate and for costs, and labels from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.data.threshold import threshold_at_fpr, threshold_for_costs
from ropewalk.errors import DataError, OptionError, RopewalkError

ROWS = st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=2, max_size=20)


def both(rows: list[tuple[int, bool]]) -> tuple[np.ndarray, np.ndarray] | None:
    s, y = np.array([r[0] for r in rows], dtype=float), np.array([r[1] for r in rows])
    return None if y.all() or not y.any() else (s, y)


@given(ROWS, st.floats(0.001, 0.999))
def test_at_fpr_by_brute_force(rows: list[tuple[int, bool]], fpr: float) -> None:
    """Oracle: of all thresholds at and between scores, the lowest that does not exceed the rate."""
    data = both(rows)
    if data is None:
        return
    s, y = data
    every = np.unique(np.r_[s, s - 0.5, s + 0.5])
    expected = min(t for t in every if np.mean(s[~y] > t) <= fpr)
    assert threshold_at_fpr(s, y, fpr) == expected


@pytest.mark.parametrize("n", [100, 1_000])
def test_at_fpr_takes_the_whole_rate(n: int) -> None:
    """k false positives of n are allowed at a rate of k/n, whatever k/n · n is in floating point."""
    s = np.arange(n + 1.0)
    y = s == n
    for k in range(1, n):
        assert int(np.sum(s[~y] > threshold_at_fpr(s, y, k / n))) == k


@given(ROWS, st.integers(1, 5), st.integers(1, 5))
def test_for_costs_by_brute_force(rows: list[tuple[int, bool]], fp: int, fn: int) -> None:
    """Oracle: the cost of every threshold, halfway between neighbours and beyond the ends."""
    data = both(rows)
    if data is None:
        return
    s, y = data
    at = np.unique(s)
    every = [-np.inf, *(at[:-1] + at[1:]) / 2, np.inf]
    cost = [fp * np.sum(~y & (s > t)) + fn * np.sum(y & (s <= t)) for t in every]
    assert threshold_for_costs(s, y, fp, fn) == max(
        t for t, c in zip(every, cost, strict=True) if c == min(cost)
    )


def test_neighbouring_floats_are_parted() -> None:
    low, high = 1.0, np.nextafter(1.0, 2.0)
    t = threshold_for_costs([low, high], [0, 1], 1.0, 1.0)
    assert low <= t < high


def predictions(n: int = 100, **changes: Any) -> Predictions:
    random = np.random.default_rng(0)
    y = random.random(n) < 0.4
    outputs = {m: np.round(random.normal(0, 1, n) + 1.5 * y, 1) for m in ("svm", "forest")}
    fields: dict[str, Any] = {
        "models": ("svm", "forest"),
        "units": strings(range(n)),
        "truth": strings(np.where(y, "yes", "no")),
        "outputs": outputs,
        "kind": "scores",
        "classes": ("no", "yes"),
        "audit": Audit(paired=n),
    }
    return Predictions(**(fields | changes))


def test_labels_from_a_threshold_chosen_on_other_rows() -> None:
    p = predictions()
    mask = np.arange(100) < 60
    after = p.at_threshold(fpr=0.08, rows=mask)
    assert (after.kind, len(after.units), after.audit.paired) == ("labels", 40, 40)
    assert after.audit.dropped[-1].reason == "used to choose the threshold"
    s, y = p.positive_score("svm"), p.truth == "yes"
    t = threshold_at_fpr(s[:60], y[:60], 0.08)
    assert after.labels("svm").tolist() == np.where(s[60:] > t, "yes", "no").tolist()
    note = after.audit.notes[-1]
    assert note.startswith(
        "labels: threshold for a false-positive rate of 0.08, fitted on 60 other rows: svm "
    )
    assert f"svm {t:.4g}, forest " in note
    assert after.scores().metric == "accuracy"


def test_cross_fitted_thresholds_by_hand() -> None:
    from ropewalk.data.held_out import dealt

    p = predictions()
    p = replace(
        p,
        kind="probabilities",
        outputs={
            m: np.column_stack([1 - v, v]) for m, s in p.outputs.items() for v in [1 / (1 + np.exp(-s))]
        },
    )
    after = p.at_threshold(cost_fp=1, cost_fn=3, folds=4, rng=2)
    assert len(after.units) == 100
    fold = dealt(p.units, p.truth_codes, 4, np.random.default_rng(2))
    s, y = p.positive_score("forest"), p.truth == "yes"
    for k in range(4):
        t = threshold_for_costs(s[fold != k], y[fold != k], 1, 3)
        assert after.labels("forest")[fold == k].tolist() == np.where(s[fold == k] > t, "yes", "no").tolist()
    assert (
        "a false positive costing 1 and a false negative 3, 4-fold cross-fitted: svm 0."
        in after.audit.notes[-1]
    )
    assert after.scores({("no", "yes"): 1, ("yes", "no"): 3}).metric == "cost"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: threshold_at_fpr([1, 2], [0, 1], 0.0), OptionError, "the false-positive rate is 0.0"),
        (
            lambda: threshold_at_fpr([1, 2], [0, 1], 1.0),
            OptionError,
            r"rate is 1.0\n\n  Give a rate between",
        ),
        (lambda: threshold_at_fpr([1, 2], [0, 1], np.nan), OptionError, "the false-positive rate is nan"),
        (lambda: threshold_at_fpr([1, 2], [0, 0], 0.1), DataError, "all 2 examples are negative"),
        (lambda: threshold_for_costs([1, 2], [1, 1], 1, 1), DataError, "all 2 examples are positive"),
        (lambda: threshold_for_costs([1, 2], [0, 1], 0, 1), OptionError, "cost_fp is 0"),
        (lambda: threshold_for_costs([1, 2], [0, 1], 1, np.inf), OptionError, "cost_fn is inf"),
        (lambda: predictions().at_threshold(), OptionError, "either a false-positive rate or the costs"),
        (lambda: predictions().at_threshold(fpr=0.1, cost_fp=1), OptionError, "either a false-positive rate"),
        (lambda: predictions().at_threshold(cost_fn=1), OptionError, "Give fpr=0.08, or cost_fp=1"),
        (lambda: predictions().at_threshold(fpr=2), OptionError, "the false-positive rate is 2"),
        (lambda: predictions().at_threshold(cost_fp=-1, cost_fn=1), OptionError, "cost_fp is -1"),
        (
            lambda: predictions().at_threshold(fpr=0.1, rows=predictions().truth == "no"),
            DataError,
            'the fitting rows have no "yes"',
        ),
        (
            lambda: predictions(
                kind="labels", outputs=dict.fromkeys(("svm", "forest"), predictions().truth)
            ).at_threshold(fpr=0.1),
            OptionError,
            "the predictions are labels of 2 classes, so there is no threshold to choose",
        ),
        (
            lambda: Predictions(
                models=("a", "b"),
                units=strings("12"),
                truth=np.array([0.5, 1.0]),
                outputs={"a": np.zeros(2), "b": np.zeros(2)},
                kind="numbers",
                audit=Audit(paired=2),
            ).at_threshold(fpr=0.1),
            OptionError,
            "the predictions are numbers, so there is no threshold",
        ),
    ],
)
def test_bad_use(call: Any, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
