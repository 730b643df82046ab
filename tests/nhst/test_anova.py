"""The mixed analysis of variance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f as f_distribution
from scipy.stats import f_oneway, ttest_rel

from ropewalk.errors import CellError, DataError, MethodError
from ropewalk.nhst import anova, paired_t

# Student's sleep data (Student 1908), the example of R's t.test: extra hours of sleep with two drugs.
SLEEP = """
    0.7 1.9  -1.6 0.8  -0.2 1.1  -1.2 0.1  -0.1 -0.1  3.4 4.4  3.7 5.5  0.8 1.6  0.0 4.6  2.0 3.4
"""

# Montgomery 2013, Table 13.1: 20 parts, each measured twice by each of three operators.
GAUGE = """
    21 20 20 20 19 21  24 23 24 24 23 24  20 21 19 21 20 22  27 27 28 26 27 28  19 18 19 18 18 21
    23 21 24 21 23 22  22 21 22 24 22 20  19 17 18 20 19 18  24 23 25 23 24 24  25 23 26 25 24 25
    21 20 20 20 21 20  18 19 17 19 18 19  23 25 25 25 25 25  24 24 23 25 24 25  29 30 30 28 31 30
    26 26 25 26 25 27  20 20 19 20 20 20  19 21 19 19 21 23  25 26 25 24 25 25  19 19 18 17 19 17
"""


def test_two_models_are_a_paired_t_test():
    # R: t.test(extra ~ group, data = sleep, paired = TRUE): t = -4.0621, df = 9, p-value = 0.002833.
    z = np.array(SLEEP.split(), dtype=float).reshape(10, 2)
    result = anova(z)
    assert result.name == "ANOVA"
    assert result.statistic == pytest.approx(4.0621**2, rel=2e-5)
    assert result.p_value == pytest.approx(0.002833, abs=5e-7)
    assert result.df == (1, 9)
    assert result.p_value == pytest.approx(paired_t(z[:, 0] - z[:, 1]).p_value)
    assert result.p_value == pytest.approx(ttest_rel(z[:, 0], z[:, 1]).pvalue)
    assert result.epsilon == pytest.approx(1.0)


def test_the_gauge_study_of_montgomery():
    # Montgomery 2013, Table 13.3: SS of parts 1185.425, operators 2.617, interaction 27.05, error 59.5; with
    # operators fixed, F = MS_operators/MS_interaction = 1.308/0.712 = 1.84, p = 0.173. Variances by the
    # expected mean squares of the unrestricted model: interaction (0.71184 - 0.99167)/2 < 0, hence 0; parts
    # (62.391 - 0.712)/6 = 10.280.
    result = anova(np.array(GAUGE.split(), dtype=float).reshape(20, 3, 2))
    assert [(row.source, row.df) for row in result.table] == [
        ("models", 2),
        ("units", 19),
        ("models x units", 38),
        ("within", 60),
    ]
    assert [row.ss for row in result.table] == pytest.approx([2.617, 1185.425, 27.050, 59.500], abs=5e-4)
    assert result.statistic == pytest.approx(1.84, abs=5e-3)
    assert result.p_value == pytest.approx(0.173, abs=5e-4)
    assert result.components.unit == pytest.approx(10.280, abs=5e-4)
    assert result.components.interaction == 0.0
    assert result.components.residual == pytest.approx(0.99167, abs=5e-6)
    assert result.table[0].expected == "s_e² + 2 s_ab² + 40 Σalpha²/2"
    assert result.table[1].expected == "s_e² + 2 s_ab² + 6 s_b²"


def test_one_way_on_centred_units():
    # Oracle: SciPy. On rows with their means taken out, one-way ANOVA has the same sums of squares but counts
    # k(n - 1) degrees of freedom for the residual, of which (k - 1)(n - 1) are real.
    z = np.random.default_rng(0).normal(size=(12, 4)) + np.arange(4) * 0.4
    result = anova(z)
    one_way = f_oneway(*(z - z.mean(axis=1, keepdims=True)).T)
    assert result.statistic == pytest.approx(one_way.statistic * 3 / 4)
    assert result.p_value == pytest.approx(f_distribution.sf(result.statistic, 3, 33))


def test_the_decomposition_of_williams():
    # Williams 2026, app. B, eq. 21-24: SS_T = SS_A + SS_B + SS_E; estimates of mu, alpha_i and s_b². With
    # squared errors the noise of an example is common to all models and cancels in alpha_i.
    rng = np.random.default_rng(1)
    delta2, noise = rng.gamma(2.0, 0.3, (50, 3)), rng.gamma(2.0, 1.0, (50, 1))
    result = anova(delta2 + noise)
    z = delta2 + noise
    assert sum(row.ss for row in result.table) == pytest.approx(np.sum((z - z.mean()) ** 2))
    assert result.effects == pytest.approx(delta2.mean(axis=0) - delta2.mean())
    ms = {row.source: row.ms for row in result.table}
    assert result.components.unit == pytest.approx((ms["units"] - ms["residual"]) / 3)


def test_expected_mean_squares():
    # Oracle: simulation with known variances, 300 tables of 8 x 3 x 2; within four standard errors.
    rng = np.random.default_rng(2)
    n, k, r, sb, sab, se = 8, 3, 2, 2.0, 1.0, 0.7
    alpha = np.array([-0.5, 0.0, 0.5])
    found = np.array(
        [
            [row.ms for row in anova(alpha[:, None] + x).table]
            for x in rng.normal(0, sb, (300, n, 1, 1))
            + rng.normal(0, sab, (300, n, k, 1))
            + rng.normal(0, se, (300, n, k, r))
        ]
    )
    noise = se**2 + r * sab**2
    expected = [noise + n * r * (alpha @ alpha) / (k - 1), noise + k * r * sb**2, noise, se**2]
    error = found.std(axis=0) / np.sqrt(300)
    assert np.all(np.abs(found.mean(axis=0) - expected) < 4 * error)


def test_epsilon_by_the_eigenvalues_of_contrasts():
    # Oracle: the definition, over the eigenvalues of the covariance of orthonormal contrasts.
    rng = np.random.default_rng(3)
    z = rng.normal(size=(30, 4)) * [0.1, 1.0, 2.0, 4.0]
    contrasts = np.linalg.svd(np.eye(4) - 0.25)[0][:, :3]
    values = np.linalg.eigvalsh(np.cov(z @ contrasts, rowvar=False))
    result = anova(z)
    assert result.epsilon == pytest.approx(values.sum() ** 2 / (3 * (values**2).sum()))
    assert 1 / 3 <= result.epsilon <= 1
    e = result.epsilon
    assert result.p_value_epsilon == pytest.approx(f_distribution.sf(result.statistic, 3 * e, 87 * e))


def test_type_one_error_with_unequal_variances():
    # Oracle: 5 % of tests reject a true hypothesis. Models whose differences vary unequally break the plain
    # F; the epsilon mends it. 1,500 simulations: standard error 0.56 %.
    rng = np.random.default_rng(4)
    tests = [anova(rng.normal(size=(10, 4)) * [0.1, 0.1, 0.1, 4.0]) for _ in range(1500)]
    assert np.mean([t.p_value < 0.05 for t in tests]) > 0.067
    assert 0.03 < np.mean([t.p_value_epsilon < 0.05 for t in tests]) < 0.067


def test_replicates_of_one_are_none():
    z = np.random.default_rng(5).normal(size=(6, 3))
    assert anova(z[:, :, None]).table == anova(z).table


def test_models_that_agree():
    result = anova([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    assert (result.statistic, result.p_value, result.epsilon) == (0.0, 1.0, 1.0)


def test_errors():
    with pytest.raises(MethodError, match="every unit has the same differences between the models"):
        anova([[0.1, 0.2], [0.5, 0.6], [0.7, 0.8]])
    with pytest.raises(DataError, match="the table has 1 dimension, 2 or 3 were expected"):
        anova([1.0, 2.0])
    with pytest.raises(DataError, match="1 units and 2 models, at least 2 of each"):
        anova([[1.0, 2.0]])
    with pytest.raises(DataError, match="2 units and 0 models, at least 2 of each"):
        anova([[], []])
    with pytest.raises(DataError, match="not a table of numbers, one row per unit"):
        anova([[1.0, 2.0], [3.0]])
    with pytest.raises(CellError, match="1 of 4 cells are NaN or infinite\n\n  unit 1, model 0: nan"):
        anova([[1.0, 2.0], [np.nan, 3.0]])


def test_small_differences_beside_large_scores_are_no_rounding() -> None:
    """F has no unit: 1 + 1e-7 y has the F of y."""
    y = np.array([[9.0, 8, 7], [8, 7, 7], [6, 6, 4], [9, 6, 5]])
    assert anova(1 + 1e-7 * y).statistic == pytest.approx(anova(y).statistic, rel=1e-6)


def test_the_interaction_is_solved_from_its_expected_mean_square() -> None:
    """E MS_models x units = s_e² + r s_ab², E MS_within = s_e²."""
    z = np.random.default_rng(0).normal(size=(5, 3, 2)) + np.random.default_rng(1).normal(0, 3, (5, 3, 1))
    found = anova(z)
    both, within = found.table[2].ms, found.table[3].ms
    assert found.components.interaction == pytest.approx((both - within) / 2, rel=1e-12)
    assert found.components.interaction > 0


def test_scores_whose_squares_are_no_numbers() -> None:
    with pytest.raises(CellError, match="its square overflows"):
        anova([[1e300, 0.1], [0.2, 0.3]])
