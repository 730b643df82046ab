"""The quasi-F test."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from scipy.stats import f as f_distribution

from ropewalk.errors import CellError, DataError, MethodError, PairingError
from ropewalk.grouped import CrossedSums
from ropewalk.nhst import quasi_f


def test_by_hand():
    # [[1, 2], [3, 6]]: mean 3, so MS_mean = 4·9 = 36; MS of seeds 9, of examples 4, residual 1, one degree of
    # freedom each. F = 37/13, df 37²/(36² + 1) and 13²/(9² + 4²).
    result = quasi_f([[1.0, 2.0], [3.0, 6.0]])
    assert result.name == "quasi F"
    assert result.statistic == pytest.approx(37 / 13)
    assert result.df == pytest.approx((1369 / 1297, 169 / 97))
    assert result.p_value == pytest.approx(f_distribution.sf(37 / 13, 1369 / 1297, 169 / 97))
    assert result.mean == 3.0


def test_mean_squares_by_least_squares():
    # Oracle: regressions on dummy variables, with the mean itself as a regressor like any other.
    d = np.random.default_rng(0).normal(0.3, 1, (4, 7)) + np.arange(4)[:, None]
    y, one = d.ravel(), np.ones((28, 1))
    seed, example = np.repeat(np.eye(4), 7, axis=0), np.tile(np.eye(7), (4, 1))

    def left(*columns):
        x = np.column_stack(columns)
        return np.sum((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2)

    mean = y @ y - left(one)
    seeds, examples = (left(one) - left(one, seed)) / 3, (left(one) - left(one, example)) / 6
    rest = left(one, seed, example) / 18
    df = (
        (mean + rest) ** 2 / (mean**2 + rest**2 / 18),
        (seeds + examples) ** 2 / (seeds**2 / 3 + examples**2 / 6),
    )
    result = quasi_f(d)
    assert result.statistic == pytest.approx((mean + rest) / (seeds + examples))
    assert result.df == pytest.approx(df)
    assert result.p_value == pytest.approx(f_distribution.sf(result.statistic, *df))


@pytest.mark.parametrize(("seed", "example"), [(0.5, 0.5), (1.0, 0.2), (0.1, 1.0)])
def test_type_one_error(seed, example):
    # Oracle: 5 % of tests reject a true hypothesis; 1,500 simulations have a standard error of 0.56 %. The
    # approximation itself may be off a little, to the safe side where a variance is near zero.
    rng = np.random.default_rng(1)
    n, s, j = 1500, 6, 15
    d = rng.normal(0, seed, (n, s, 1)) + rng.normal(0, example, (n, 1, j)) + rng.normal(0, 1, (n, s, j))
    assert 0.02 < np.mean([quasi_f(x).p_value < 0.05 for x in d]) < 0.067


def test_sums_are_enough_and_signs_do_not_matter():
    d = np.random.default_rng(2).normal(0.2, 1, (3, 8))
    assert quasi_f(CrossedSums.of(d)) == quasi_f(d)
    assert quasi_f(-d).p_value == pytest.approx(quasi_f(d).p_value)
    assert quasi_f(d.T).p_value == pytest.approx(quasi_f(d).p_value)


def test_a_mean_of_zero_is_no_evidence():
    assert quasi_f(np.zeros((3, 4))).p_value == 1.0
    assert quasi_f([[1.0, -1.0], [-1.0, 1.0]]).p_value == 1.0
    assert quasi_f([[0.1, -0.3], [-0.1, 0.3]]).p_value == 1.0


def test_errors():
    with pytest.raises(
        DataError, match=r"there is only one seed or one example, but at least 2 of each(.|\n)*paired_t"
    ):
        quasi_f([[1.0, 2.0, 3.0]])
    with pytest.raises(MethodError, match="so the F statistic is infinite"):
        quasi_f(np.full((3, 4), 0.1))
    with pytest.raises(CellError, match="1 of 4 cells are NaN or infinite\n\n  seed 0, example 1: inf"):
        quasi_f([[1.0, np.inf], [2.0, 3.0]])


def test_unpaired_seeds_on_examples_that_do_not_matter_are_welchs_test() -> None:
    # Every example moves with its seed: F is Welch's t squared, with Welch's degrees of freedom (SciPy).
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.3, 1.0, size=6), rng.normal(0.0, 2.0, size=4)
    ours = quasi_f(np.tile(a[:, None], 5), b=np.tile(b[:, None], 5))
    theirs = scipy.stats.ttest_ind(a, b, equal_var=False)
    assert ours.statistic == pytest.approx(theirs.statistic**2, rel=1e-10)
    assert ours.df == pytest.approx((1.0, theirs.df), rel=1e-10)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-10)


def test_unpaired_seeds_that_do_not_matter_are_the_paired_test_over_examples() -> None:
    # All seeds of a model answer alike: only the examples vary, and F is the paired t squared.
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.2, 1.0, size=12), rng.normal(size=12)
    ours = quasi_f(np.tile(a, (3, 1)), b=np.tile(b, (2, 1)))
    theirs = scipy.stats.ttest_rel(a, b)
    assert ours.statistic == pytest.approx(theirs.statistic**2, rel=1e-10)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-10)


def test_unpaired_seeds_hold_their_error_rate() -> None:
    # Under "no difference", with effects of seeds, examples and both, 5 % of the tests say p < 0.05; four
    # standard errors of 1,000 draws are 0.028.
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(1000):
        example, own = rng.normal(size=20), rng.normal(0, 0.5, size=(2, 20))
        a = example + own[0] + rng.normal(0, 0.4, size=(5, 1)) + rng.normal(size=(5, 20))
        b = example + own[1] + rng.normal(0, 0.4, size=(4, 1)) + rng.normal(size=(4, 20))
        hits += quasi_f(a, b=b).p_value < 0.05
    assert 0.022 < hits / 1000 < 0.078


def test_errors_of_unpaired_seeds() -> None:
    with pytest.raises(PairingError, match="A was scored on 3 examples and B on 4"):
        quasi_f(np.ones((2, 3)), b=np.ones((2, 4)))
    with pytest.raises(DataError, match="sums of A cannot be combined"):
        quasi_f(CrossedSums.of([[1.0, 2.0], [3.0, 6.0]]), b=[[1.0, 2.0]])


def test_unpaired_seeds_by_hand() -> None:
    """The formula of its card with S_A = 2 and S_B = 3, every mean square by its definition."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.5, 1, (2, 4)), rng.normal(0, 1, (3, 4))
    h, j, m = 1 / 2 + 1 / 3, 4, a.mean() - b.mean()

    def squares(x: np.ndarray) -> tuple[float, float]:
        row, column = x.mean(axis=1, keepdims=True), x.mean(axis=0)
        seed = j * float(((row - x.mean()) ** 2).sum()) / (len(x) - 1)
        return seed, float(((x - row - column + x.mean()) ** 2).sum())

    (ms_a, rest_a), (ms_b, rest_b) = squares(a), squares(b)
    ms_e = (rest_a + rest_b) / (1 * 3 + 2 * 3)
    w = a.mean(axis=0) - b.mean(axis=0)
    ms_w = float(((w - m) ** 2).sum()) / (j - 1) / h
    below = ms_a / (2 * h) + ms_b / (3 * h) + ms_w
    found = quasi_f(a, b=b)
    assert found.statistic == pytest.approx((j * m**2 / h + ms_e) / below, rel=1e-9)


def test_a_mean_of_zero_has_nothing_to_show() -> None:
    found = quasi_f([[1.0, -1.0, 0.5], [-1.0, 1.0, -0.5]])
    assert (found.statistic, found.p_value, found.df, found.mean) == (0.0, 1.0, (1.0, 1.0), 0.0)
