"""The Bayesian signed-rank test against Tables 9 to 11 of Benavoli et al. 2017 and brute force."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from reproduce import published
from ropewalk import bayes
from ropewalk.bayes.signed_rank import sample
from ropewalk.errors import CellError, OptionError
from ropewalk.posterior import Probabilities

# (better, equivalent, worse) for the first classifier.
TABLE_9 = {  # z0 = 0
    ("nbc", "aode"): (0.000, 0.103, 0.897),
    ("nbc", "hnb"): (0.000, 0.001, 0.999),
    ("nbc", "j48"): (0.228, 0.004, 0.768),
    ("nbc", "j48gr"): (0.182, 0.002, 0.815),
    ("aode", "hnb"): (0.001, 0.956, 0.042),
    ("aode", "j48"): (0.911, 0.026, 0.063),
    ("aode", "j48gr"): (0.892, 0.035, 0.073),
    ("hnb", "j48"): (0.966, 0.015, 0.019),
    ("hnb", "j48gr"): (0.955, 0.020, 0.025),
    ("j48", "j48gr"): (0.000, 1.000, 0.000),
}
TABLE_10 = {  # z0 = +infinity
    ("nbc", "aode"): (0.000, 0.112, 0.888),
    ("nbc", "hnb"): (0.000, 0.001, 0.999),
    ("nbc", "j48"): (0.262, 0.004, 0.734),
    ("nbc", "j48gr"): (0.213, 0.003, 0.784),
    ("aode", "hnb"): (0.002, 0.961, 0.037),
    ("aode", "j48"): (0.922, 0.024, 0.053),
    ("aode", "j48gr"): (0.906, 0.033, 0.061),
    ("hnb", "j48"): (0.971, 0.014, 0.016),
    ("hnb", "j48gr"): (0.961, 0.018, 0.021),
    ("j48", "j48gr"): (0.000, 1.000, 0.000),
}
TABLE_11 = {  # z0 = -infinity
    ("nbc", "aode"): (0.000, 0.096, 0.904),
    ("nbc", "hnb"): (0.000, 0.001, 0.999),
    ("nbc", "j48"): (0.201, 0.004, 0.795),
    ("nbc", "j48gr"): (0.159, 0.002, 0.839),
    ("aode", "hnb"): (0.001, 0.950, 0.049),
    ("aode", "j48"): (0.892, 0.028, 0.080),
    ("aode", "j48gr"): (0.872, 0.037, 0.091),
    ("hnb", "j48"): (0.957, 0.017, 0.027),
    ("hnb", "j48gr"): (0.944, 0.022, 0.034),
    ("j48", "j48gr"): (0.000, 1.000, 0.000),
}


def triple(p: Probabilities) -> tuple[float, float, float]:
    return p.better, p.equivalent, p.worse


@pytest.mark.parametrize("pair", TABLE_9, ids="-".join)
@pytest.mark.few(4)
def test_benavoli_tables_9_10_11(pair: tuple[str, str]) -> None:
    z = published.mean_differences(*pair)
    both = bayes.signed_rank_range(z, 0.01)
    # The printed tables differ from the formula by up to 0.025 (nbc-aode with z0 = 0 is 0.124 / 0.876).
    assert triple(both.at(0.0)) == pytest.approx(TABLE_9[pair], abs=0.025)
    assert triple(both.at(np.inf)) == pytest.approx(TABLE_10[pair], abs=0.025)
    assert triple(both.at(-np.inf)) == pytest.approx(TABLE_11[pair], abs=0.025)


def test_exact_value_of_nbc_aode() -> None:
    z = published.mean_differences("nbc", "aode")
    r = bayes.signed_rank(z, 0.01)
    assert triple(r.most_probable) == pytest.approx((0.000, 0.124, 0.876), abs=4 * r.error + 5e-4)


def brute_force(d: np.ndarray, low: float, high: float, draws: int, z0: float, s: float) -> np.ndarray:
    """Eq. 11 as it is printed, by numpy's Dirichlet; sums on an edge count half."""
    z = np.append(d, z0)
    w = np.random.default_rng(99).dirichlet([1.0] * len(d) + [s], size=draws)
    total = z[:, None] + z[None, :]
    better = (total > 2 * high) + 0.5 * (total == 2 * high)
    worse = (total < 2 * low) + 0.5 * (total == 2 * low)
    b, e = np.einsum("di,ij,dj->d", w, better, w), np.einsum("di,ij,dj->d", w, worse, w)
    return np.stack([b, 1 - b - e, e], axis=1)


@pytest.mark.parametrize("z0", [0.0, np.inf, -np.inf, 0.5])
@pytest.mark.parametrize("rope", [0.25, (-0.5, 0.25), 0.0])
@pytest.mark.few(4)
def test_agrees_with_the_printed_formula(z0: float, rope: float | tuple[float, float]) -> None:
    d = np.array([0.5, -0.25, 1.0, 0.75, -1.5, 0.25, 0.0])  # sums that meet the edges exactly
    low, high = (-rope, rope) if isinstance(rope, float) else rope
    points = brute_force(d, low, high, 100_000, z0, 0.5)
    ours = bayes.signed_rank(d, rope, z0=z0, draws=100_000)
    error = 4 * np.sqrt(2) * 0.5 / np.sqrt(100_000)
    assert triple(ours.mean) == pytest.approx(tuple(points.mean(axis=0)), abs=error)
    top = points >= points.max(axis=1, keepdims=True) - 1e-12
    shares = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    assert triple(ours.most_probable) == pytest.approx(tuple(shares), abs=error)


@pytest.mark.parametrize("decimals", [2, 12])
def test_many_ropes_from_the_same_draws(decimals: int) -> None:
    """Oracle: `signed_rank` for one ROPE, with sums that meet edges (two decimals) and without."""
    d = np.random.default_rng(8).normal(0.01, 0.03, 23).round(decimals)
    ropes = [(0.0, 0.0), (-0.005, 0.005), (-0.01, 0.02), (0.0, 0.01), (-0.08, 0.1)]
    found = sample(d, ropes, places=(0.0, np.inf), draws=20_000, rng=7)
    for rope, at_rope in zip(ropes, found, strict=True):
        for z0, regions in zip((0.0, np.inf), at_rope, strict=True):
            alone = bayes.signed_rank(d, rope, z0=z0, draws=20_000, rng=7)
            assert triple(regions.most_probable) == pytest.approx(triple(alone.most_probable), abs=1e-12)
            assert triple(regions.mean) == pytest.approx(triple(alone.mean), abs=1e-12)
            assert regions.points == pytest.approx(alone.points, abs=1e-12)
            assert regions.error == pytest.approx(alone.error)


def test_the_mean_of_theta_has_a_closed_form() -> None:
    # E[w_i w_j] = 1 / (a (a + 1)) and E[w_i²] = 2 / (a (a + 1)) for weights of 1, a = n + s.
    d = np.random.default_rng(3).normal(0.1, 1, 400)
    s, a = 0.5, 400.5
    z, prior = np.append(d, 0.0), np.append(np.ones(400), s)
    second = (np.outer(prior, prior) + np.diag(prior)) / (a * (a + 1))
    total = z[:, None] + z[None, :]
    exact = [(second * (total > 0.2)).sum(), 0.0, (second * (total < -0.2)).sum()]
    r = bayes.signed_rank(d, 0.1, draws=20_000)
    assert r.mean.better == pytest.approx(exact[0], abs=0.001)
    assert r.mean.worse == pytest.approx(exact[2], abs=0.001)


def test_the_same_seed_gives_the_same_answer() -> None:
    d = np.random.default_rng(0).normal(size=30)
    first, again = (bayes.signed_rank(d, 0.1, draws=30_000, rng=5) for _ in range(2))
    assert first.most_probable == again.most_probable
    np.testing.assert_array_equal(first.points, again.points)
    assert bayes.signed_rank(d, 0.1, draws=30_000, rng=6).most_probable != first.most_probable


def test_the_range_holds_the_default_and_is_monotone() -> None:
    d = np.array([0.03, 0.02, -0.01, 0.01, 0.04, -0.02])
    both = bayes.signed_rank_range(d, 0.01, draws=40_000)
    for region in ("better", "equivalent", "worse"):
        low, high = both.most_probable(region)
        assert low <= getattr(both.at(0.0), region) <= high
    # theta itself is monotone in z0, draw by draw, and so is its mean; the largest entry need not be.
    means = [r.mean for r in both.regions]
    assert all(a.better <= b.better + 1e-12 for a, b in pairwise(means))
    assert all(a.worse >= b.worse - 1e-12 for a, b in pairwise(means))


def test_the_range_finds_what_a_fine_search_finds() -> None:
    # Oracle: one call of signed_rank for each of two hundred places, with the same seed.
    d = np.array([0.03, 0.02, -0.01, 0.01, 0.04, -0.02])
    both = bayes.signed_rank_range(d, 0.01, draws=5_000, rng=1)
    fine = [bayes.signed_rank(d, 0.01, z0=z, draws=5_000, rng=1) for z in np.linspace(-0.0797, 0.0803, 200)]
    for region in ("better", "equivalent", "worse"):
        values = [getattr(r.most_probable, region) for r in fine]
        low, high = both.most_probable(region)
        assert low <= min(values)
        assert high >= max(values)


def test_memory_does_not_grow_with_the_draws() -> None:
    import tracemalloc

    d = np.random.default_rng(0).normal(size=2_000)
    tracemalloc.start()
    bayes.signed_rank(d, 0.1, draws=4_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100e6  # 4,000 x 2,000 weights alone would be 64 MB, the pairs 32 GB


def test_bad_input() -> None:
    with pytest.raises(CellError, match="NaN"):
        bayes.signed_rank([0.1, np.nan], 0.01)
    with pytest.raises(OptionError, match="z0 is NaN"):
        bayes.signed_rank([0.1], 0.01, z0=np.nan)
    with pytest.raises(OptionError, match="draws is 0"):
        bayes.signed_rank([0.1], 0.01, draws=0)
    with pytest.raises(OptionError, match="strength is -1"):
        bayes.signed_rank([0.1], 0.01, strength=-1)


def test_counts_have_the_mean_of_the_dirichlet() -> None:
    # Oracle: E w_i w_j = (a_i a_j + [i = j] a_i)/(A (A + 1)) for w ~ Dirichlet(a), A their sum.
    z, a = np.array([0.0, -0.4, 0.1, 0.3, 0.9]), np.array([0.5, 30, 200, 7, 3])
    pairs = (np.outer(a, a) + np.diag(a)) / (a.sum() * (a.sum() + 1))
    better = float(pairs[z[:, None] + z > 0.3].sum())
    found = bayes.signed_rank(z[1:], rope=0.15, counts=a[1:].astype(int), draws=40_000)
    theta = found.points[:, 0]
    assert found.mean.better == pytest.approx(better, abs=4 * theta.std() / np.sqrt(40_000))
    one_by_one = bayes.signed_rank(np.repeat(z[1:], a[1:].astype(int)), rope=0.15, draws=40_000)
    assert found.mean.better == pytest.approx(one_by_one.mean.better, abs=6 * theta.std() / np.sqrt(40_000))


def test_a_million_units_in_bins_cost_as_many_weights_as_bins() -> None:
    # Oracle: so many units leave no doubt; the mean of two is above 0.05 in half of their pairs and more.
    found = bayes.signed_rank(
        [-0.1, 0.0, 0.1, 0.2], rope=0.05, counts=[100_000, 300_000, 400_000, 200_000], draws=2_000
    )
    assert found.most_probable.better == 1.0
