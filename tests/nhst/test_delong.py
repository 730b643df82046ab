"""DeLong's test against its definition pair by pair, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from ropewalk.errors import CellError, MethodError, OptionError, PairingError
from ropewalk.nhst import delong


def brute(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[float, float, float]:
    """AUROCs and the variance of their difference from the full matrix of pairs."""
    v, u = [], []
    for score in (a, b):
        pos, neg = score[y == 1][:, None], score[y == 0][None, :]
        psi = (pos > neg) + 0.5 * (pos == neg)
        v.append(psi.mean(axis=1))
        u.append(psi.mean(axis=0))
    s10, s01 = np.cov(v), np.cov(u)
    contrast = np.array([1.0, -1.0])
    s = s10 / (y == 1).sum() + s01 / (y == 0).sum()
    return float(v[0].mean()), float(v[1].mean()), float(contrast @ s @ contrast)


@pytest.mark.parametrize("digits", [0, 1, 8], ids=["many ties", "some ties", "no ties"])
@pytest.mark.parametrize("n", [7, 60, 300])
def test_pair_by_pair(n: int, digits: int) -> None:
    rng = np.random.default_rng(n + digits)
    y = np.concatenate([[0, 0, 1, 1], rng.integers(0, 2, n - 4)])
    a = np.round(y + rng.normal(size=n), digits)
    b = np.round(0.5 * a + rng.normal(size=n), digits)
    auc_a, auc_b, variance = brute(y, a, b)
    r = delong(y, a, b)
    assert (r.auc_a, r.auc_b) == pytest.approx((auc_a, auc_b), abs=1e-12)
    assert r.difference == pytest.approx(auc_a - auc_b, abs=1e-12)
    assert r.standard_error == pytest.approx(np.sqrt(variance), abs=1e-12)
    assert r.statistic == pytest.approx((auc_a - auc_b) / np.sqrt(variance), abs=1e-10)
    assert r.p_value == pytest.approx(2 * ndtr(-abs(r.statistic)), rel=1e-12)


def test_by_hand() -> None:
    """dV = (2/3, 0, 0), dU = (1/3, 1/3, 0): difference 2/9, variance 4/81 + 1/81."""
    r = delong([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.6, 0.9], [0.2, 0.6, 0.5, 0.1, 0.7, 0.8])
    assert r.difference == pytest.approx(2 / 9, abs=1e-15)
    assert r.standard_error == pytest.approx(np.sqrt(5) / 9, abs=1e-15)
    low, high = r.confidence_interval(0.95)
    assert (low, high) == pytest.approx(
        (2 / 9 - 1.959964 * np.sqrt(5) / 9, 2 / 9 + 1.959964 * np.sqrt(5) / 9)
    )
    assert r.confidence_interval(0.9999999)[1] == 1.0


def test_swapping_labels_and_models() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 50)
    a, b = rng.normal(size=50), rng.normal(size=50)
    r = delong(y, a, b)
    assert delong(y, b, a).statistic == pytest.approx(-r.statistic, abs=1e-12)
    for truth in (y == 1, np.array(["no", "yes"])[y], 2 * y - 1):
        assert delong(truth, a, b) == r
    assert delong(y, np.exp(a), 3 * b).statistic == pytest.approx(r.statistic, abs=1e-12)  # ranks only


@pytest.mark.parametrize("turn", [lambda a: a, lambda a: 3 * a - 1], ids=["same", "same order"])
def test_identical_rankings_have_p_1(turn) -> None:
    """MLstatkit answers p = 0 here."""
    y, a = np.array([0, 1] * 20), np.random.default_rng(0).normal(size=40)
    r = delong(y, a, turn(a))
    assert (r.statistic, r.p_value, r.standard_error, r.difference) == (0.0, 1.0, 0.0, 0.0)
    assert r.confidence_interval() == (0.0, 0.0)


def test_errors() -> None:
    with pytest.raises(MethodError, match="1 positives and 3 negatives"):
        delong([0, 0, 0, 1], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0, 3.0])
    with pytest.raises(MethodError, match="the truth has a single class"):
        delong([1, 1], [1.0, 2.0], [1.0, 2.0])
    with pytest.raises(MethodError, match="differ by 1 and have no variance"):
        delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    with pytest.raises(PairingError, match="y has 4, a has 4, b has 3"):
        delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2])
    with pytest.raises(CellError, match="b is NaN or infinite on 1 of 4 rows"):
        delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, np.nan])
    with pytest.raises(OptionError, match="level is 95"):
        delong([0, 0, 1, 1], [1, 3, 2, 4], [4, 3, 2, 1]).confidence_interval(95)


@pytest.mark.parametrize("digits", [1, 8], ids=["ties", "no ties"])
def test_examples_that_were_counted(digits: int) -> None:
    """The same as with each of them as often as it was."""
    rng = np.random.default_rng(digits)
    y, counts = rng.integers(0, 2, 40), rng.integers(1, 9, 40)
    a, b = (np.round(y + rng.normal(size=40), digits) for _ in range(2))
    found = delong(y, a, b, counts=counts)
    each = delong(*(np.repeat(x, counts) for x in (y, a, b)))
    for name in ("statistic", "p_value", "auc_a", "auc_b", "difference", "standard_error"):
        assert getattr(found, name) == pytest.approx(getattr(each, name), rel=1e-12), name


def test_values_that_are_known_better() -> None:
    y, a, b = [0, 0, 0, 1, 1, 1], [1, 3, 5, 4, 6, 9], [2, 6, 5, 1, 7, 8]
    plain = delong(y, a, b)
    known = delong(y, a, b, values=(0.9, 0.6))
    assert (known.auc_a, known.auc_b, known.standard_error) == (0.9, 0.6, plain.standard_error)
    assert known.statistic == pytest.approx(0.3 / plain.standard_error)


def test_an_interval_ends_where_differences_of_two_aurocs_do() -> None:
    y = [0, 0, 0, 1, 1, 1]
    good, bad = [1, 2, 4, 3, 5, 6], [6, 5, 3, 4, 2, 1]
    assert delong(y, good, bad).confidence_interval(0.9999)[1] == 1.0
    assert delong(y, bad, good).confidence_interval(0.9999)[0] == -1.0


def test_aurocs_without_variance_that_differ() -> None:
    with pytest.raises(MethodError, match="the AUROCs differ by 1 and have no variance"):
        delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
