"""Oracles: arch 8.0.0 (printed output), the algorithm by loops, closed forms for two and three models."""

from __future__ import annotations

import tracemalloc
from importlib import import_module

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.nhst import paired_t
from ropewalk.nhst.model_confidence_set import model_confidence_set
from ropewalk.nhst.studentized_range import range_sf

MODULE = import_module("ropewalk.nhst.model_confidence_set")
BOTH = pytest.mark.parametrize("statistic", ["range", "max"])


def six_models() -> np.ndarray:
    """200 units with an effect of their own, six models, the best first."""
    rng = np.random.default_rng(7)
    unit = rng.normal(size=(200, 1))
    return unit + rng.normal(size=(200, 6)) + np.array([0.0, 0.05, 0.1, 0.2, 0.3, 0.5])


# --- arch 8.0.0, MCS(losses, size=0.1, reps=30, seed=5): its losses, what it drew, and its p-values ---

LOSSES = np.array(
    [
        [-0.01, 1.15, 1.24, 1.62], [1.62, -1.11, -0.13, -0.42], [-0.11, 1.1, 0.48, 1.4],
        [-1.91, 0.25, -0.41, 2.68], [0.89, 1.05, 0.44, 1.51], [0.66, -0.24, 0.0, 0.79],
        [-0.61, -0.49, 0.22, 0.17], [0.77, -1.5, 1.32, 0.27], [-0.55, -1.25, 0.36, 0.65],
        [0.19, -0.43, 0.59, 2.72], [0.41, -0.47, 1.45, 0.77], [0.59, 0.71, 0.11, -1.03],
    ]
)  # fmt: skip
# One word a draw, one digit a unit: how often it was drawn.
CIRCULAR_1 = """
200211111201 322010110101 011212010121 201110121021 111120101040 201111201201 031301101200 112200300201
110111000133 003210104001 021011032002 112120010211 111010023012 020032101111 110113021101 001210230003
211020001410 020201501001 201202001211 102023011011 101030111112 211010113200 114200110011 010132002201
201130002120 110111303001 301002210111 000013222110 102020121111 300211101102"""
STATIONARY_3 = """
211000112211 101111132100 110210111211 001211112210 000011123220 111121121001 111111111111 112110111111
111221002200 000013231110 112221001101 122112110001 121111011111 012222110001 111110112111 001111231110
012231000111 101001211122 210000022212 001132200111 000111221211 021112221000 212120111001 121210011111
221011200012 000212311110 122111110011 201000000333 000012222210 110110111221"""


@pytest.mark.parametrize(
    ("drawn", "statistic", "printed"),
    [
        (CIRCULAR_1, "range", [0.43333333333333335, 1.0, 0.03333333333333333, 0.0]),
        (CIRCULAR_1, "max", [0.43333333333333335, 1.0, 0.03333333333333333, 0.03333333333333333]),
        (STATIONARY_3, "range", [0.36666666666666664, 1.0, 0.23333333333333334, 0.0]),
        (STATIONARY_3, "max", [0.36666666666666664, 1.0, 0.13333333333333333, 0.0]),
    ],
)
def test_p_values_of_arch_on_its_own_draws(drawn, statistic, printed, monkeypatch):
    counts = (np.array(list(word), dtype=int) for word in drawn.split())
    monkeypatch.setattr(MODULE, "_counts", lambda size, *_: np.array([next(counts) for _ in range(size)]))
    result = model_confidence_set(LOSSES, statistic=statistic, draws=30)
    # arch counts T* > T among the 30; here T counts among them as well. The survivor has 1 with both.
    expected = [1.0 if p == 1 else (1 + 30 * p) / 31 for p in printed]
    assert result.p_values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("resampling", "block", "statistic", "printed"),
    [  # arch 8.0.0, MCS(six_models(), size=0.1, reps=20000, seed=1)
        ("circular", 1, "range", [0.12285, 1.0, 0.0171, 0.05705, 0.0, 5e-05]),
        ("circular", 1, "max", [0.12285, 1.0, 0.0776, 0.0946, 0.0001, 0.0001]),
        ("stationary", 5, "range", [0.1025, 1.0, 0.0408, 0.05225, 0.0, 5e-05]),
        ("stationary", 5, "max", [0.10455, 1.0, 0.0921, 0.10455, 0.0, 0.0]),
        ("circular", 5, "range", [0.10535, 1.0, 0.02635, 0.0514, 0.0, 0.0]),
        ("circular", 5, "max", [0.1077, 1.0, 0.0865, 0.1077, 0.0, 0.0]),
    ],
)
@pytest.mark.few(2)
def test_p_values_of_arch_on_draws_of_our_own(resampling, block, statistic, printed):
    result = model_confidence_set(
        six_models(), statistic=statistic, block=block, resampling=resampling, draws=8_000
    )
    p = np.array(printed)
    # A share of simulated statistics; over forty seeds its spread is up to 1.45 times the binomial one, since
    # the standard errors move with the draws as well. What never happened in arch's draws may in ours.
    error = 1.45 * np.sqrt(p * (1 - p) * (1 / 20_000 + 1 / 8_000)) + 1 / 8_000
    assert np.all(np.abs(result.p_values - p) <= 4 * error)


# --- the algorithm by loops ---


def by_loops(losses, statistic, draws, seed):
    """Hansen et al. 2011 word by word, one number at a time, for independent units."""
    n, k = losses.shape
    rng = np.random.default_rng(seed)
    mean = [sum(losses[:, i]) / n for i in range(k)]
    star = [
        [sum(losses[rows, i]) / n for i in range(k)]
        for rows in (rng.integers(n, size=n) for _ in range(draws))
    ]
    inside, p, largest = list(range(k)), [1.0] * k, 0.0
    while len(inside) > 1:

        def contrast(values, i, j, members=tuple(inside)):
            return values[i] - (
                values[j] if j is not None else sum(values[m] for m in members) / len(members)
            )

        pairs = [(i, j) for i in inside for j in (inside if statistic == "range" else [None]) if i != j]
        se = {
            (i, j): (sum((contrast(s, i, j) - contrast(mean, i, j)) ** 2 for s in star) / draws) ** 0.5
            for i, j in pairs
        }
        t = {(i, j): contrast(mean, i, j) / se[i, j] for i, j in pairs}
        observed = max(t.values())
        simulated = [
            max((contrast(s, i, j) - contrast(mean, i, j)) / se[i, j] for i, j in pairs) for s in star
        ]
        largest = max(largest, (1 + sum(x >= observed for x in simulated)) / (1 + draws))
        worst = max(t, key=t.get)[0]
        p[worst] = largest
        inside.remove(worst)
    return p


@BOTH
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_algorithm_by_loops(statistic, seed):
    losses = np.random.default_rng(seed).normal([0.0, 0.2, 0.3, 0.8, 0.9], 1.0, (25, 5))
    result = model_confidence_set(losses, statistic=statistic, draws=60, rng=seed)
    assert result.p_values == pytest.approx(by_loops(losses, statistic, 60, seed), abs=1e-12)
    assert result.included == tuple(np.flatnonzero(result.p_values >= 0.1))


# --- closed forms ---


@BOTH
def test_two_models_agree_with_the_paired_t(statistic):
    d = np.random.default_rng(4).normal(0.05, 1.0, 2_000)
    losses = np.column_stack([d, np.zeros(2_000)])
    result = model_confidence_set(losses, statistic=statistic, draws=10_000)
    t = paired_t(-d)
    # The bootstrap standard error is known to 1/sqrt(2·10,000).
    assert result.statistic == pytest.approx(abs(t.statistic), rel=4 / np.sqrt(20_000))
    # It cancels in T* >= T, so the p-value has the binomial error alone.
    assert result.p_value == pytest.approx(t.p_value, abs=4 * np.sqrt(t.p_value * (1 - t.p_value) / 10_000))
    assert result.included == ((1,) if t.p_value < 0.1 else (0, 1))


@pytest.mark.parametrize("best_to_worst", [1.5, 2.9, 4.0])  # in standard errors of a mean
def test_the_range_statistic_of_three_models_is_a_studentized_range(best_to_worst):
    n = 2_000
    x = np.random.default_rng(6).normal(size=(n, 3))
    x -= x.mean(axis=0)
    x = x @ np.linalg.inv(np.linalg.cholesky(x.T @ x / n)).T  # variances of one and no correlation, exactly
    losses = x + np.array([0.0, 0.6, 1.0]) * best_to_worst / np.sqrt(n)
    result = model_confidence_set(losses, draws=10_000)
    p = float(range_sf(np.array([best_to_worst]), 3)[0])
    # t has the standard error of a difference, sqrt(2/n), which the draws know to 1/sqrt(2·10,000).
    assert result.statistic == pytest.approx(best_to_worst / np.sqrt(2), rel=4 / np.sqrt(20_000))
    assert result.p_value == pytest.approx(p, abs=4 * 1.45 * np.sqrt(p * (1 - p) / 10_000))


@pytest.mark.parametrize("resampling", ["stationary", "circular"])
@pytest.mark.parametrize("block", [2, 7])
@pytest.mark.few(2)
def test_the_standard_error_of_a_series_in_closed_form(resampling, block):
    n = 60
    noise = np.random.default_rng(8).normal(size=n + 1)
    d = 0.3 + noise[1:] + 0.8 * noise[:-1]
    result = model_confidence_set(
        np.column_stack([d, np.zeros(n)]), block=block, resampling=resampling, draws=20_000
    )
    # Two places of a draw lie in one block with a known probability, and are then neighbours in the data
    # (around the circle) at their distance; otherwise they are independent.
    r = d - d.mean()
    at = np.arange(n)
    lag = np.abs(at[:, None] - at)
    together = (1 - 1 / block) ** lag if resampling == "stationary" else at[:, None] // block == at // block
    circular = np.array([r @ np.roll(r, i) / n for i in range(n)])
    se = np.sqrt((together * circular[lag]).sum()) / n
    assert result.statistic == pytest.approx(abs(d.mean()) / se, rel=5 / np.sqrt(2 * 20_000))


@pytest.mark.parametrize("resampling", ["stationary", "circular"])
@pytest.mark.parametrize(("n", "block"), [(10, 1), (10, 3), (10, 10), (2, 2)])
def test_every_draw_has_n_units(resampling, n, block):
    rng = np.random.default_rng(0)
    counts = MODULE._counts(3_000, n, block, resampling, rng)
    assert counts.shape == (3_000, n)
    assert np.all(counts.sum(axis=1) == n)
    assert counts.min() >= 0
    # Each unit is drawn once on average; the variance of a count is at most that of one block, `n`.
    assert counts.mean(axis=0) == pytest.approx(np.ones(n), abs=5 * np.sqrt(n / 3_000))


def test_the_level_by_simulation():
    # All four models are best, and the set must hold them all at the stated rate.
    rng = np.random.default_rng(10)
    held = [
        len(model_confidence_set(rng.normal(size=(80, 4)), draws=199, rng=rng).included) == 4
        for _ in range(300)
    ]
    assert abs(np.mean(held) - 0.9) <= 4 * np.sqrt(0.09 / 300)


# --- copies, ties, constants: arch 8.0.0 raises IndexError or runs for ever ---


@BOTH
def test_all_models_the_same(statistic):
    loss = six_models()[:, :1]
    result = model_confidence_set(np.repeat(loss, 3, axis=1), statistic=statistic)
    assert result.included == (0, 1, 2)
    assert result.p_values.tolist() == [1.0, 1.0, 1.0]
    assert (result.statistic, result.p_value) == (0.0, 1.0)


@BOTH
@pytest.mark.parametrize("value", [0.0, 0.3, -1e300])
def test_losses_that_never_vary(statistic, value):
    result = model_confidence_set(np.full((5, 3), value), statistic=statistic)
    assert result.included == (0, 1, 2)


@BOTH
def test_copies_share_their_p_value(statistic):
    z = six_models()[:, [0, 1, 2, 2, 5, 5]]
    p = model_confidence_set(z, statistic=statistic).p_values
    assert p[2] == p[3]
    assert p[4] == p[5]
    assert 0 < p[4] < p[2] < p[0]


def test_a_copy_does_not_move_the_range_statistic():
    z = six_models()
    one = model_confidence_set(z)
    two = model_confidence_set(z[:, [0, 1, 2, 3, 4, 5, 3, 0]])
    assert two.p_values[:6] == pytest.approx(one.p_values, abs=1e-12)
    assert two.p_values[6:] == pytest.approx(one.p_values[[3, 0]], abs=1e-12)


@BOTH
def test_copies_up_to_rounding(statistic):
    x = six_models()[:, 0]
    result = model_confidence_set(np.column_stack([x, (x + 0.1) - 0.1, x]), statistic=statistic)
    assert result.p_values.tolist() == [1.0, 1.0, 1.0]


@BOTH
def test_models_that_nearly_agree_keep_their_digits(statistic):
    x = six_models()
    near = x[:, 0] + 1e-8 * (np.random.default_rng(2).normal(size=200) + 0.1)
    pair = model_confidence_set(np.column_stack([x[:, 0], near]), statistic=statistic)
    three = model_confidence_set(np.column_stack([x[:, 0], near, x[:, 5] + 1]), statistic=statistic)
    assert 0.01 < pair.p_value < 0.9
    assert three.p_values[:2] == pytest.approx(pair.p_values, abs=1e-12)


@BOTH
def test_worse_by_the_same_amount_everywhere(statistic):
    x = six_models()[:, 0]
    result = model_confidence_set(np.column_stack([x + 0.1, x]), statistic=statistic, draws=999)
    assert result.statistic == np.inf
    assert result.p_values.tolist() == [0.001, 1.0]
    assert result.included == (1,)


@BOTH
def test_different_mistakes_but_as_many(statistic):
    losses = np.zeros((30, 2))
    losses[:3, 0] = losses[3:6, 1] = 1
    result = model_confidence_set(losses, statistic=statistic)
    assert (result.statistic, result.p_value) == (0.0, 1.0)


def test_a_bootstrap_statistic_equal_to_the_observed_one_counts():
    # 0/1 losses of two models that differ on two of 100 units, by 1 each: T = 2/sd, and T* takes the values
    # |m - 2|/sd, m ~ Binomial(100, 0.02); so T* >= T where m = 0 or m >= 4.
    losses = np.zeros((100, 2))
    losses[:2, 0] = 1
    chance = (
        0.98**100 + 1 - sum(c * 0.02**m * 0.98 ** (100 - m) for m, c in enumerate([1, 100, 4950, 161_700]))
    )
    p = model_confidence_set(losses, draws=20_000).p_value
    assert p == pytest.approx(chance, abs=5 * np.sqrt(chance * (1 - chance) / 20_000))


# --- laws ---


@BOTH
def test_the_order_of_the_models_does_not_matter(statistic):
    z = six_models()
    order = [3, 5, 0, 2, 1, 4]
    one, other = (model_confidence_set(x, statistic=statistic) for x in (z, z[:, order]))
    assert other.p_values == pytest.approx(one.p_values[order], abs=1e-12)
    assert other.statistic == pytest.approx(one.statistic, rel=1e-9)


@BOTH
@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e6, 1e300])
def test_the_unit_of_the_losses_and_how_hard_a_row_is_do_not_matter(statistic, scale):
    z = six_models()
    one = model_confidence_set(z, statistic=statistic)
    other = model_confidence_set(scale * (z + np.arange(200.0)[:, None]), statistic=statistic)
    assert other.p_values == pytest.approx(one.p_values, abs=1e-12)


@BOTH
def test_p_values_rise_in_the_order_of_leaving_and_the_best_has_one(statistic):
    result = model_confidence_set(six_models(), statistic=statistic)
    assert result.p_values.max() == 1
    assert result.p_values.min() == result.p_value
    for alpha in (0.01, 0.05, 0.2):
        at = model_confidence_set(six_models(), alpha=alpha, statistic=statistic)
        assert at.included == tuple(np.flatnonzero(result.p_values >= alpha))


def test_the_name_says_the_statistic_and_the_seed_decides():
    z = six_models()
    assert model_confidence_set(z).name == "model confidence set (T_R)"
    assert model_confidence_set(z, statistic="max").name == "model confidence set (T_max)"
    one, two, other = (model_confidence_set(z, rng=seed).p_values for seed in (0, 0, 1))
    assert one.tobytes() == two.tobytes()
    assert not np.array_equal(one, other)


def test_the_losses_are_not_changed():
    z = six_models()
    before = z.copy()
    model_confidence_set(z, draws=50)
    assert np.array_equal(z, before)


def test_memory_does_not_grow_with_draws_times_rows():
    losses = np.random.default_rng(0).normal(size=(100_000, 2))
    peaks = []
    for draws in (40, 400):
        tracemalloc.start()
        model_confidence_set(losses, draws=draws)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # 400 draws of 100,000 indices would be 320 MB; the weights are held for 40 draws at a time.
    assert peaks[1] < 1.1 * peaks[0] < 50e6


# --- errors ---


def test_what_is_no_table():
    with pytest.raises(DataError, match="not a table of numbers, one row per unit and one column per model"):
        model_confidence_set([["a", "b"]])
    with pytest.raises(DataError, match="the table has 1 dimension, 2 were expected"):
        model_confidence_set([1.0, 2.0])
    with pytest.raises(DataError, match="3 units and 1 models, at least 2 of each are needed"):
        model_confidence_set([[1.0], [2.0], [3.0]])
    with pytest.raises(CellError, match=r"1 of 4 cells are NaN or infinite\s+unit 1, model 0: nan"):
        model_confidence_set([[1.0, 2.0], [np.nan, 1.0]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha is 0.0"),
        ({"alpha": 1.0}, "alpha is 1.0"),
        ({"statistic": "rang"}, 'statistic is "rang"\n\n  Did you mean "range"'),
        ({"resampling": "circulr"}, 'resampling is "circulr"\n\n  Did you mean "circular"'),
        ({"block": 0}, "block is 0, of 200 units"),
        ({"block": 201}, "block is 201, of 200 units"),
        ({"block": 1.5}, "block is 1.5, of 200 units"),
        ({"draws": 9}, "draws is 9: no model could leave the set at alpha = 0.1"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(OptionError, match=message):
        model_confidence_set(six_models(), **options)
