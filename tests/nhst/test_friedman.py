"""The Friedman test, and the checks that it shares with Nemenyi's."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.stats import f as f_distribution
from scipy.stats import friedmanchisquare, rankdata

from reproduce import published
from ropewalk.errors import CellError, DataError
from ropewalk.nhst import friedman, nemenyi

BOTH = pytest.mark.parametrize("test", [friedman, nemenyi])
SHAPES = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8)
TABLES = arrays(np.int64, SHAPES, elements=st.integers(0, 5))

# Demšar 2006, Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets. The two 0.975 of the data set
# "voting" are printed with ranks 2 and 3, so they are no tie: 0.9749 stands for the second.
AUC = """
    0.763 0.768 0.771 0.798  0.599 0.591 0.590 0.569  0.954 0.971 0.968 0.967  0.628 0.661 0.654 0.657
    0.882 0.888 0.886 0.898  0.936 0.931 0.916 0.931  0.661 0.668 0.609 0.685  0.583 0.583 0.563 0.625
    0.775 0.838 0.866 0.875  1.000 1.000 1.000 1.000  0.940 0.962 0.965 0.962  0.619 0.666 0.614 0.669
    0.972 0.981 0.975 0.9749 0.957 0.978 0.946 0.970
"""

# Hollander & Wolfe 1973, p. 140, the example of R's friedman.test: 22 players round first base in three ways.
TIMES = """
    5.40 5.50 5.55  5.85 5.70 5.75  5.20 5.60 5.50  5.55 5.50 5.40  5.90 5.85 5.70  5.45 5.55 5.60
    5.40 5.40 5.35  5.45 5.50 5.35  5.25 5.15 5.00  5.85 5.80 5.70  5.25 5.20 5.10  5.65 5.55 5.45
    5.60 5.35 5.45  5.05 5.00 4.95  5.50 5.50 5.40  5.45 5.55 5.50  5.55 5.55 5.35  5.45 5.50 5.55
    5.50 5.45 5.25  5.65 5.60 5.40  5.70 5.65 5.55  6.30 6.30 6.25
"""


def test_language_pairs_of_the_paper(language_pairs):
    # Williams 2026 sec. 6.2: Friedman on the 11 pairs of counts, chi² = 0.818, df = 1, p = 0.366.
    result = friedman(list(language_pairs.values()))
    assert result.name == "Friedman"
    assert result.statistic == pytest.approx(0.818, abs=5e-4)
    assert result.p_value == pytest.approx(0.366, abs=5e-4)
    assert result.df == 1


def test_rounding_first_base():
    # R: Friedman chi-squared = 11.143, df = 2, p-value = 0.003805 (with ties).
    result = friedman(np.array(TIMES.split(), dtype=float).reshape(22, 3))
    assert result.statistic == pytest.approx(11.143, abs=5e-4)
    assert result.p_value == pytest.approx(0.003805, abs=5e-7)


def test_the_example_of_demsar():
    # Demšar 2006, sec. 3.2.2: average ranks 3.143, 2.000, 2.893, 1.964; chi² = 9.28 and F = 3.69 with 3 and
    # 39 degrees of freedom, without a correction for ties, which divides chi² by
    # 1 - sum(t³ - t)/(N(k³ - k)): three ties of two and one of four.
    result = friedman(np.array(AUC.split(), dtype=float).reshape(14, 4))
    assert result.average_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    uncorrected = result.statistic * (1 - (3 * 6 + 60) / (14 * 60))
    assert uncorrected == pytest.approx(9.28, abs=0.005)
    assert 13 * uncorrected / (14 * 3 - uncorrected) == pytest.approx(3.69, abs=0.005)
    assert (result.df, result.f_df) == (3, (3, 39))


def test_five_classifiers_on_54_data_sets_against_scipy():
    z = published.means()
    theirs = friedmanchisquare(*z.T)
    assert z.shape == (54, 5)
    assert friedman(z).statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert friedman(z).p_value == pytest.approx(theirs.pvalue, rel=1e-10)


@given(TABLES.filter(lambda z: z.shape[1] > 2 and np.any(z != z[:, :1])))
def test_with_ties_against_scipy(z):
    theirs = friedmanchisquare(*z.T)
    assert friedman(z).statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
    assert friedman(z).p_value == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("high", [4, 1000])
def test_iman_davenport_is_the_two_way_anova_of_the_ranks(high):
    # The identity behind their F: mean square of the models over mean square of the rest, on the ranks.
    z = np.random.default_rng(high).integers(0, high, size=(12, 5))
    ranks = rankdata(-z, axis=1)
    models = 12 * np.sum((ranks.mean(axis=0) - 3) ** 2)
    rest = np.sum((ranks - 3) ** 2) - models  # no variation between tasks: each row adds up to the same
    expected = (models / 4) / (rest / 44)
    result = friedman(z)
    assert result.f_df == (4, 44)
    assert result.f_statistic == pytest.approx(expected, rel=1e-12)
    assert result.f_p_value == pytest.approx(f_distribution.sf(expected, 4, 44), rel=1e-10)


def test_higher_is_better():
    assert friedman([[0.9, 0.1, 0.5], [0.8, 0.2, 0.2]]).average_ranks.tolist() == [1.0, 2.75, 2.25]


def test_identical_models():
    result = friedman(np.ones((6, 4)))
    assert (result.statistic, result.p_value, result.f_statistic, result.f_p_value) == (0.0, 1.0, 0.0, 1.0)
    assert result.average_ranks.tolist() == [2.5] * 4


@pytest.mark.parametrize("row", [[1.0, 2.0, 3.0], [1.5, 1.5, 3.0]])
def test_all_tasks_agree(row):
    # F is infinite; by counting, the chance that three rows, each laid out at random, give as large a chi².
    result = friedman([row] * 3)
    layouts = sorted(set(permutations(row)))
    chi2 = [friedman(rows).statistic for rows in product(layouts, repeat=3)]
    assert result.statistic == 6.0  # N(k - 1), the largest there is
    assert result.f_statistic == float("inf")
    assert result.f_p_value == pytest.approx(np.mean(np.array(chi2) >= 6.0 - 1e-9), rel=1e-12)


@given(TABLES, st.randoms(use_true_random=False))
def test_order_of_tasks_and_models_does_not_matter(z, random):
    rows = random.sample(range(len(z)), len(z))
    columns = random.sample(range(z.shape[1]), z.shape[1])
    ours, other = friedman(z), friedman(z[rows][:, columns])
    assert other.statistic == pytest.approx(ours.statistic, rel=1e-12)
    assert other.f_p_value == pytest.approx(ours.f_p_value, rel=1e-9)
    assert other.average_ranks == pytest.approx(ours.average_ranks[columns], rel=1e-14)


@given(TABLES)
def test_ranks_do_not_change_with_the_scale_and_mirror_with_the_sign(z):
    k = z.shape[1]
    assert friedman(np.exp(z)).statistic == friedman(z).statistic
    assert friedman(-z).statistic == pytest.approx(friedman(z).statistic, rel=1e-12)
    assert friedman(-z).average_ranks == pytest.approx(k + 1 - friedman(z).average_ranks, rel=1e-14)


@given(TABLES)
def test_never_nan(z):
    result = friedman(z)
    assert 0 <= result.p_value <= 1
    assert 0 <= result.f_p_value <= 1
    assert result.statistic >= 0


@BOTH
def test_nan_is_refused_by_place(test):
    with pytest.raises(
        CellError, match=r"1 of 4 cells are NaN or infinite\s+task 1, model 0: nan\s+Drop the task"
    ):
        test([[0.1, 0.2], [float("nan"), 0.3]])


@BOTH
@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (0, 3)])
def test_too_small(test, shape):
    with pytest.raises(
        DataError, match=f"{shape[0]} tasks and {shape[1]} models, at least 2 of each are needed"
    ):
        test(np.ones(shape))


@BOTH
def test_not_a_table(test):
    with pytest.raises(DataError, match="the table has 1 dimension, 2 were expected"):
        test([0.1, 0.2, 0.3])
    with pytest.raises(DataError, match="the table has 3 dimensions, 2 were expected"):
        test(np.ones((2, 2, 2)))
    with pytest.raises(DataError, match="not a table of numbers, one row per task and one column per model"):
        test([[0.1, 0.2], [0.3]])


def test_one_task_that_tells_two_models_apart() -> None:
    """Ranks 1, 2 and 1.5, 1.5: chi² = (k - 1)·N²·Σ(R - 1.5)²/Σ(r - 1.5)² = 4·(2·0.25²)/0.5 = 1."""
    assert friedman([[1.0, 2.0], [1.0, 1.0]]).statistic == pytest.approx(1.0, rel=1e-12)
