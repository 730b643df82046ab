"""The hierarchical t-test against Benavoli et al. 2017, closed forms, brute force and Gibbs sampling."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, stdtr

from reproduce import published
from ropewalk.bayes.hierarchical_t import HierarchicalT, hierarchical_t
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.sums import Sums
from tests.bayes.hierarchies import three

# Reading "most probable" with alpha in (1, 2), beta in (0.01, 0.1): a dense grid, good to 0.003; then the
# table as printed, from 4,000 draws.
TABLE_12 = {
    ("nbc", "aode"): ((0.000, 0.277, 0.723), (0, 0.28, 0.72)),
    ("nbc", "hnb"): ((0.000, 0.003, 0.997), (0, 0, 1)),
    ("nbc", "j48"): ((0.192, 0.014, 0.795), (0.2, 0.01, 0.79)),
    ("nbc", "j48gr"): ((0.153, 0.010, 0.837), (0.15, 0.01, 0.84)),
    ("aode", "hnb"): ((0.000, 1.000, 0.000), (0, 1, 0)),
    ("aode", "j48"): ((0.455, 0.518, 0.028), (0.46, 0.51, 0.03)),
    ("aode", "j48gr"): ((0.418, 0.549, 0.033), (0.41, 0.56, 0.03)),
    ("hnb", "j48"): ((0.908, 0.064, 0.029), (0.91, 0.07, 0.02)),
    ("hnb", "j48gr"): ((0.919, 0.050, 0.031), (0.92, 0.05, 0.03)),
    ("j48", "j48gr"): ((0.000, 1.000, 0.000), (0, 1, 0)),
}


MEAN_READING = {
    ("nbc", "aode"): (0.125, 0.389, 0.486),
    ("nbc", "j48"): (0.334, 0.224, 0.442),
    ("aode", "j48"): (0.370, 0.395, 0.235),
    ("hnb", "j48gr"): (0.488, 0.247, 0.266),
}


@pytest.mark.parametrize("pair", TABLE_12, ids="-".join)
@pytest.mark.few(5)
def test_benavoli_table_12(pair: tuple[str, str]) -> None:
    tasks = list(published.differences(*pair).values())
    fitted = hierarchical_t(tasks, rho=0.1, constant="benavoli2017", rope=0.01, prior="benavoli2017-code")
    regions = fitted.next_task(0.01)
    grid, printed = TABLE_12[pair]
    found = np.array(three(regions.most_probable))
    assert found == pytest.approx(grid, abs=0.003)
    # What 4,000 draws and two printed digits allow.
    assert np.all(np.abs(found - printed) <= 0.005 + 2 * np.sqrt(found * (1 - found) / 4000) + 1e-4)
    if pair in MEAN_READING:
        assert three(regions.mean) == pytest.approx(MEAN_READING[pair], abs=0.0015)
    assert max(fitted.error, regions.error) < 2e-4
    assert fitted.n_tasks == 54


def test_benavoli_table_12_in_percent_and_with_the_printed_bounds() -> None:
    # With the bounds printed in the text of the paper nbc-aode is about 0.00 0.37 0.63 (a dense grid).
    found = published.differences("nbc", "aode").values()
    tasks = [Sums(n=d.n, mean=100 * d.mean, m2=1e4 * d.m2) for d in found]
    regions = hierarchical_t(tasks, rho=0.1, constant="benavoli2017", rope=1.0, scale=100.0).next_task(1.0)
    assert three(regions.most_probable) == pytest.approx((0.0, 0.37, 0.63), abs=0.01)


def gibbs(
    x: np.ndarray, bound: float, alpha: tuple[float, float], beta: tuple[float, float], chains: int = 1500
) -> tuple[np.ndarray, ...]:
    """Draws of (mu0, sigma0, nu, mu_i) of the whole model, sigma_i and mu_i included; rho = 0."""
    rng = np.random.default_rng(7)
    q, n = x.shape
    m, s2 = x.mean(axis=1), ((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    mu, lam = np.tile(m, (chains, 1)), np.ones((chains, q))
    mu0, sigma0, nu = np.full(chains, m.mean()), np.full(chains, m.std()), np.full(chains, 5.0)
    a, b = rng.uniform(*alpha, chains), rng.uniform(*beta, chains)

    def log_nu(nu: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        h = nu / 2
        of_lambda = q * (h * np.log(h) - gammaln(h)) + h * (np.log(lam) - lam).sum(axis=1)
        return of_lambda + (a - 1) * np.log(nu - 1) - b * (nu - 1) + a * np.log(b) - gammaln(a)

    kept = []
    for step in range(550):
        tau = rng.gamma((n - 1) / 2, 1, (chains, q)) / ((s2 + n * (m - mu) ** 2) / 2)
        prior = lam / sigma0[:, None] ** 2
        precision = n * tau + prior
        mu = (n * tau * m + prior * mu0[:, None]) / precision + rng.normal(size=(chains, q)) / np.sqrt(
            precision
        )
        z2 = ((mu - mu0[:, None]) / sigma0[:, None]) ** 2
        lam = rng.gamma((nu[:, None] + 1) / 2, 1, (chains, q)) / ((nu[:, None] + z2) / 2)
        centre = (lam * mu).sum(axis=1) / lam.sum(axis=1)
        new = centre + sigma0 / np.sqrt(lam.sum(axis=1)) * rng.normal(size=chains)
        mu0 = np.where(np.abs(new) < bound, new, mu0)
        rest = (lam * (mu - mu0[:, None]) ** 2).sum(axis=1)
        sigma0 = np.sqrt(rest / 2 / rng.gamma((q - 1) / 2, 1, chains))
        for _ in range(2):
            y = np.log(nu - 1) + rng.normal(size=chains)
            gain = log_nu(1 + np.exp(y), a, b) + y - log_nu(nu, a, b) - np.log(nu - 1)
            nu = np.where(np.log(rng.random(chains)) < gain, 1 + np.exp(y), nu)
            a2, b2 = a + rng.normal(size=chains), b + 0.03 * rng.normal(size=chains)
            ok = (a2 > alpha[0]) & (a2 < alpha[1]) & (b2 > beta[0]) & (b2 < beta[1])
            a2, b2 = np.where(ok, a2, a), np.where(ok, b2, b)
            ok &= np.log(rng.random(chains)) < log_nu(nu, a2, b2) - log_nu(nu, a, b)
            a, b = np.where(ok, a2, a), np.where(ok, b2, b)
        if step >= 250:
            kept.append((mu0, sigma0, nu, mu))
    return tuple(np.array(each) for each in zip(*kept, strict=True))


@pytest.mark.proof
def test_a_sampler_of_the_whole_model_agrees() -> None:
    # Nothing integrated out. The chains are independent, so their means give the Monte Carlo error.
    rng = np.random.default_rng(4)
    x = rng.normal(0.01, 0.02, (6, 1)) + rng.normal(0, 0.03, (6, 5))
    bounds = (1.0, 2.0), (0.01, 0.1)
    mu0, sigma0, nu, mu = gibbs(x, 1.0, *bounds)
    better, worse = stdtr(nu, (mu0 - 0.01) / sigma0), stdtr(nu, (-0.01 - mu0) / sigma0)
    theta = np.stack([better, 1 - better - worse, worse])
    largest = np.stack([theta.argmax(axis=0) == k for k in range(3)])

    fitted = hierarchical_t(x, scale=1.0, alpha=bounds[0], beta=bounds[1])
    regions = fitted.next_task(0.01)
    for draws, exact in ((theta, regions.mean), (largest, regions.most_probable)):
        of_chain = draws.mean(axis=1)
        error = of_chain.std(axis=1) / np.sqrt(of_chain.shape[1])
        assert np.all(np.abs(of_chain.mean(axis=1) - three(exact)) < 4 * error)
    for i in (0, 4):
        of_chain = mu[:, :, i].mean(axis=0)
        error = of_chain.std() / np.sqrt(of_chain.size)
        posterior = fitted.task(i)
        assert abs(of_chain.mean() - posterior.mean) < 4 * error
        assert mu[:, :, i].std() == pytest.approx(posterior.sd, rel=0.02)
        at = posterior.quantile([0.1, 0.5, 0.9])
        assert [np.mean(mu[:, :, i] < x) for x in at] == pytest.approx([0.1, 0.5, 0.9], abs=0.01)
    at = fitted.mean_advantage.quantile([0.1, 0.5, 0.9])
    assert [np.mean(mu0 < x) for x in at] == pytest.approx([0.1, 0.5, 0.9], abs=0.01)


def test_the_posteriors_agree_with_the_readings(twelve_tasks: HierarchicalT) -> None:
    # Two ways to the same number: panels of mu0 that shrink towards the edge, and normals side by side.
    regions = twelve_tasks.next_task((-0.02, 0.01))
    assert regions.mean.better == pytest.approx(float(twelve_tasks.next.sf(0.01)), abs=1e-5)
    assert regions.mean.worse == pytest.approx(float(twelve_tasks.next.cdf(-0.02)), abs=1e-5)
    average = regions.weights @ regions.points
    assert average == pytest.approx(three(regions.mean), abs=0.002)
    often = [regions.weights @ (regions.points.argmax(axis=1) == k) for k in range(3)]
    assert often == pytest.approx(three(regions.most_probable), abs=0.01)
    assert regions.sample(5, rng=1).sum(axis=1) == pytest.approx(np.ones(5))
    assert twelve_tasks.next.sd == np.inf  # nu may be below 2
    assert twelve_tasks.next.mean == pytest.approx(twelve_tasks.mean_advantage.mean, abs=1e-5)
    assert 0 < twelve_tasks.mean_advantage.sd < 0.02


def test_shrinkage_is_how_far_the_tasks_are_pulled(twelve_tasks: HierarchicalT) -> None:
    pull = twelve_tasks.shrinkage
    assert pull.shape == (12,)
    assert np.all((pull > 0) & (pull < 1))
    centre = twelve_tasks.mean_advantage.mean
    m = twelve_tasks.tasks.loc * twelve_tasks.unit
    i = int(np.argmax(np.abs(m - centre)))
    posterior = twelve_tasks.task(i)
    # For one normal it would be exactly the ratio; over the posterior the weights and mu0 vary together.
    assert 1 - (posterior.mean - centre) / (m[i] - centre) == pytest.approx(pull[i], abs=0.1)
    assert twelve_tasks.task(-1).mean == twelve_tasks.task(11).mean


def test_an_asymmetric_rope_is_a_shifted_one() -> None:
    x = np.random.default_rng(2).normal(0.0, 0.02, (10, 6))
    shifted = hierarchical_t(x + 0.03, scale=5.0).next_task((0.02, 0.04))
    centred = hierarchical_t(x, scale=5.0).next_task(0.01)
    assert three(shifted.mean) == pytest.approx(three(centred.mean), abs=2e-4)
    assert three(shifted.most_probable) == pytest.approx(three(centred.most_probable), abs=4e-4)


def test_a_rope_without_width_leaves_no_equivalence(twelve_tasks: HierarchicalT) -> None:
    regions = twelve_tasks.next_task(0.0)
    assert regions.mean.equivalent == pytest.approx(0.0, abs=1e-9)
    assert regions.most_probable.equivalent == pytest.approx(0.0, abs=1e-9)
    assert regions.most_probable.better == pytest.approx(float(twelve_tasks.mean_advantage.sf(0.0)), abs=1e-3)


def test_two_tasks_give_a_wide_answer() -> None:
    rng = np.random.default_rng(0)
    two = hierarchical_t(rng.normal(0.03, 0.01, (2, 10)), tolerance=0.002)
    ten = hierarchical_t(rng.normal(0.03, 0.01, (10, 10)))
    wide, narrow = (np.diff(f.next.interval(0.9))[0] for f in (two, ten))
    assert wide > 3 * narrow
    assert 0.5 < two.next_task(0.01).mean.better < ten.next_task(0.01).mean.better


def test_identical_tasks() -> None:
    d = np.array([0.021, 0.035, 0.028, 0.024, 0.032])
    regions = hierarchical_t([d] * 8).next_task(0.01)
    assert regions.mean.better > 0.97
    assert regions.most_probable.better > 0.999


def test_the_authors_way_keeps_the_mean_of_constant_tasks_and_gives_them_the_width_of_the_rope() -> None:
    # baycomp overwrites such a task with noise inside the ROPE, however large the constant is.
    n, r, rho = 10, 0.01, 0.1
    rng = np.random.default_rng(5)
    others = [rng.normal(0.2, 0.02, n) for _ in range(4)]
    fitted = hierarchical_t(
        [np.full(n, 0.2), *others, np.full(n, 0.25)], rho=rho, constant="benavoli2017", rope=r
    )
    s = n * r**2 / 3
    scale = np.sqrt(s * (1 + (n - 1) * rho) / (n * (1 - rho) * (n - 2)))
    assert fitted.tasks.loc[[0, 5]] * fitted.unit == pytest.approx([0.2, 0.25], rel=1e-12)
    assert fitted.tasks.scale[[0, 5]] * fitted.unit == pytest.approx([scale, scale], rel=1e-12)
    assert fitted.task(5).mean > 0.22
    assert len(fitted.notes) == 1
    assert fitted.notes[0].startswith("The scores of tasks 0, 5 never vary; they are treated as spread over")


def test_constant_tasks_lean_on_the_others() -> None:
    # Oracle: the formula. One unit at the median variance of the others: S = s², n degrees of freedom.
    n, rho = 10, 0.1
    rng = np.random.default_rng(5)
    others = [rng.normal(0.2, 0.02, n) for _ in range(5)]
    fitted = hierarchical_t([np.full(n, 0.2), *others, np.full(n, 0.25)], rho=rho)
    typical = np.median([np.var(x, ddof=1) / (1 - rho) for x in others])
    scale = np.sqrt(typical / n * (1 + (n - 1) * rho) / n)
    assert fitted.tasks.loc[[0, 6]] * fitted.unit == pytest.approx([0.2, 0.25], rel=1e-12)
    assert fitted.tasks.scale[[0, 6]] * fitted.unit == pytest.approx([scale, scale], rel=1e-12)
    assert fitted.tasks.df[[0, 6]].tolist() == [n, n]
    (note,) = fitted.notes
    assert note == "The scores of tasks 0, 6 never vary; their spread is estimated from the other tasks."


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"rope": 0.01}, "a ROPE is given, but not used"),
        ({"constant": "benavoli2017"}, "the width of the ROPE is not given"),
        ({"constant": "benavoli2017", "rope": (0.01, 0.01)}, "the ROPE has no width"),
        ({"constant": "corani2017"}, 'constant is "corani2017"'),
    ],
)
def test_the_rope_enters_the_likelihood_only_under_the_authors_name(
    options: dict[str, Any], what: str
) -> None:
    with pytest.raises(OptionError, match=what):
        hierarchical_t([[0.1, 0.1, 0.1], [0.2, 0.1, 0.3]], **options)


def test_where_no_task_varies_their_spread_leans_on_the_means() -> None:
    fitted = hierarchical_t([np.full(10, m) for m in (0.01, 0.02, 0.03, 0.02)])
    scale = np.sqrt(np.mean(np.square([0.01, 0.02, 0.03, 0.02]))) / 10
    assert fitted.tasks.scale * fitted.unit == pytest.approx([scale] * 4, rel=1e-12)
    assert fitted.notes == (
        "The scores do not vary on any task; their spread is estimated from the task means.",
    )


def test_models_that_always_answer_alike_are_equivalent_the_authors_way() -> None:
    regions = hierarchical_t([np.zeros(10)] * 6, constant="benavoli2017", rope=0.01).next_task(0.01)
    assert regions.most_probable.equivalent > 0.999
    assert regions.mean.equivalent > 0.98


def test_tasks_with_one_or_two_units_lean_on_the_others() -> None:
    rng = np.random.default_rng(6)
    full = [rng.normal(0.02, 0.03, 20) for _ in range(6)]
    typical = np.median([np.var(d, ddof=1) for d in full] + [0.02**2 / 2])
    fitted = hierarchical_t([*full, [0.05], [0.01, 0.03]])
    # A prior worth one unit: df 1 and 2, and variances (0 + v)/1 and (S + v)/2 over 1 and 2 units.
    assert fitted.tasks.df[-2:].tolist() == [1.0, 2.0]
    assert (fitted.tasks.scale[-2:] * fitted.unit) ** 2 == pytest.approx(
        [typical, (0.02**2 / 2 + typical) / 2 / 2], rel=1e-12
    )
    assert fitted.notes == (
        "The spread of tasks 6, 7, with one or two units, is estimated from the other tasks.",
    )
    named = hierarchical_t([*full, [0.05], [0.01, 0.03]], names=[*"abcdef", "wine", "zoo"])
    assert named.notes[0].startswith(
        "The spread of tasks wine, zoo, with one or two units, is estimated from"
    )
    pull = fitted.shrinkage
    assert pull[6] > pull[7] > pull[:6].max()
    assert 0.02 < fitted.task(6).mean < 0.05


def test_an_outlying_task_is_hardly_pulled() -> None:
    rng = np.random.default_rng(8)
    tasks = [rng.normal(0.0, 0.01, 10) for _ in range(9)] + [rng.normal(0.5, 0.01, 10)]
    fitted = hierarchical_t(tasks)
    own = np.mean(tasks[9])
    assert fitted.task(9).mean == pytest.approx(own, abs=0.002)
    assert fitted.shrinkage[9] < 0.05
    # The Student population stays where the others are.
    assert fitted.mean_advantage.quantile(0.5) == pytest.approx(0.0, abs=0.01)


def test_arrays_and_sums_may_be_mixed(twelve_tasks: HierarchicalT) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(0.012, 0.02, (12, 1)) + rng.normal(0, 0.03, (12, 10))
    mixed = hierarchical_t([Sums.of(d) if i % 2 else d.tolist() for i, d in enumerate(x)])
    assert three(mixed.next_task(0.01).mean) == three(twelve_tasks.next_task(0.01).mean)


def test_many_tasks_need_little_memory() -> None:
    rng = np.random.default_rng(9)
    n = rng.integers(3, 200, 1500)
    mean = 0.004 + 0.01 * rng.standard_t(5, 1500)
    tasks = [Sums(n=int(k), mean=float(m), m2=float(k) * 4e-4) for k, m in zip(n, mean, strict=True)]
    tracemalloc.start()
    fitted = hierarchical_t(tasks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300e6
    assert fitted.mean_advantage.mean == pytest.approx(0.004, abs=0.002)
    assert fitted.next_task(0.01).most_probable.equivalent > 0.999


some_tasks = st.integers(0, 10_000).map(
    lambda seed: (
        np.random.default_rng(seed).normal(0.005, 0.02, (9, 1))
        + np.random.default_rng(seed + 1).normal(0, 0.02, (9, 6))
    )
)


@settings(max_examples=3)
@given(some_tasks)
def test_laws(x: np.ndarray) -> None:
    regions = hierarchical_t(x).next_task(0.01)
    mirrored = hierarchical_t(-x).next_task(0.01)
    other_order = hierarchical_t(x[::-1, ::-1]).next_task(0.01)
    in_percent = hierarchical_t(100 * x).next_task(1.0)
    for reading in ("mean", "most_probable"):
        p = three(getattr(regions, reading))
        assert np.isfinite(p).all()
        assert sum(p) == pytest.approx(1.0, abs=1e-9)
        assert three(getattr(mirrored, reading).mirrored) == pytest.approx(p, abs=3e-4)
        assert three(getattr(other_order, reading)) == pytest.approx(p, abs=1e-9)
        assert three(getattr(in_percent, reading)) == pytest.approx(p, abs=1e-6)


@settings(max_examples=4)
@given(
    st.lists(
        st.lists(st.sampled_from([-0.1, 0.0, 0.05, 0.3]), min_size=1, max_size=4), min_size=2, max_size=5
    )
)
def test_never_nan(tasks: list[list[float]]) -> None:
    try:
        fitted = hierarchical_t(tasks, tolerance=0.002)
    except MethodError:
        assert all(len(task) == 1 for task in tasks)
        return
    regions = fitted.next_task(0.01)
    values = [*three(regions.mean), *three(regions.most_probable), regions.error, *fitted.shrinkage]
    assert np.isfinite(values).all()
    assert np.isfinite([fitted.task(0).mean, fitted.mean_advantage.mean, *fitted.next.interval()]).all()


def test_more_tasks_that_say_the_same_make_it_surer() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(0.02, 0.005, (24, 1)) + rng.normal(0, 0.02, (24, 10))
    better = [hierarchical_t(x[:q]).next_task(0.01).most_probable.better for q in (4, 10, 24)]
    assert all(few < more for few, more in pairwise(better))


GOOD = [[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.0, 0.1, 0.1]]


@pytest.mark.parametrize(
    ("tasks", "options", "error", "text"),
    [
        ([[0.1, 0.2]], {}, DataError, "1 task given, at least 2 needed"),
        ([], {}, DataError, "0 tasks given, at least 2 needed"),
        ([[0.1, np.nan], [0.1, 0.2]], {}, CellError, "task 0: 1 of 2 differences are NaN"),
        ([[0.1, 0.2], ["a", "b"]], {}, DataError, "task 1: the differences are not numbers"),
        ([[0.1, 0.2], []], {}, DataError, "task 1: 0 differences given, at least 1 needed"),
        ([Sums(n=3, mean=0.1, m2=-1.0), [0.1]], {}, CellError, "task 0: the sums are not those of finite"),
        (GOOD, {"names": ["a", "b"]}, OptionError, "there are 2 names for 3 tasks"),
        ([[0.1, 0.2], ["a", "b"]], {"names": ["iris", "wine"]}, DataError, "task wine: the differences are"),
        (GOOD, {"rho": 1.0}, OptionError, "rho is 1.0"),
        (GOOD, {"rho": [0.1, 0.1]}, OptionError, "rho has 2 values for 3 tasks"),
        (GOOD, {"alpha": (0.0, 1.0)}, OptionError, r"alpha is \(0.0, 1.0\)\n\n  Give two positive numbers"),
        (GOOD, {"beta": (0.2, 0.1)}, OptionError, r"beta is \(0.2, 0.1\)"),
        (GOOD, {"tolerance": 0.0}, OptionError, "tolerance is 0.0"),
        (GOOD, {"scale": 0.1}, OptionError, "scale is 0.1, but a task has the mean 0.233"),
        (GOOD, {"constant": "benavoli2017", "rope": -0.1}, OptionError, "the ROPE is -0.1"),
        ([[0.1], [0.2], [0.3]], {}, MethodError, "every task has a single unit"),
        ([[0.0] * 3] * 7, {}, MethodError, r"of tasks 0, 1, 2, 3, 4, … \(7 in all\) never vary"),
    ],
)
def test_errors(tasks: list, options: dict, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        hierarchical_t(tasks, **options)


def test_there_is_no_such_task(twelve_tasks: HierarchicalT) -> None:
    with pytest.raises(OptionError, match="there is no task 12"):
        twelve_tasks.task(12)


@pytest.mark.parametrize(
    ("units", "i"),
    [
        (5, 0),
        (100, 1),
        *(pytest.param(*p, marks=pytest.mark.proof) for p in ((5, 1), (5, 2), (100, 0), (100, 2))),
    ],
)
@pytest.mark.few(1)
def test_a_task_is_its_own_likelihood_times_what_the_others_say_about_the_next(units: int, i: int) -> None:
    # Bayes' theorem, by another way: fit the other tasks alone, take their next task as the prior of this
    # one, and multiply by the task's Student likelihood on a dense grid. The bound of mu0 is given, because
    # by default it comes from the data.
    rng = np.random.default_rng(units)
    means, sds = (0.03, -0.02, 0.04), (0.1, 0.02, 0.05)
    tasks = [m + s * rng.normal(size=units) for m, s in zip(means, sds, strict=True)]
    whole = hierarchical_t(tasks, scale=1.0)
    others = hierarchical_t([t for k, t in enumerate(tasks) if k != i], scale=1.0)
    d = tasks[i]
    df, loc = units - 2, d.mean()
    scale = np.sqrt(np.sum((d - loc) ** 2) / (units * df))
    around = [(loc, scale), *((t.mean(), t.std() / np.sqrt(units)) for t in tasks)]
    x = np.unique(np.concatenate([c + w * np.sinh(np.linspace(-8, 8, 601)) for c, w in around]))
    f = others.next.pdf(x) * (1 + ((x - loc) / scale) ** 2 / df) ** (-(df + 1) / 2)
    below = np.concatenate([[0.0], np.cumsum(0.5 * (f[1:] + f[:-1]) * np.diff(x))])
    at = np.interp([0.02, 0.25, 0.5, 0.75, 0.98], below / below[-1], x)
    expected = np.interp(at, x, below / below[-1])
    assert whole.task(i).cdf(at) == pytest.approx(expected, abs=5e-4)


def test_what_is_certain_is_not_more_than_certain() -> None:
    # Rounding left -2e-16 and 1 + 2e-16 here, and what adds up errors refused them.
    tasks = [1e-4 * np.random.default_rng(i).normal(size=20) for i in range(30)]
    regions = hierarchical_t(tasks).next_task(0.01)
    for p in (regions.mean, regions.most_probable):
        assert all(0 <= q <= 1 for q in (p.better, p.equivalent, p.worse))
    assert regions.most_probable.equivalent == 1.0
