"""Further tasks: the lattice against real fits of simulated collections."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance import Edges, Rule
from ropewalk.assurance.lattice import softmax, spread_over
from ropewalk.assurance.more_task_answers import MoreTaskAnswers
from ropewalk.assurance.more_task_counts import MoreTaskCounts
from ropewalk.assurance.more_tasks import MoreTasks
from ropewalk.assurance.resampled_tasks import ResampledTasks
from ropewalk.decide import in_scores, probabilities
from ropewalk.posterior import Probabilities
from ropewalk.sums import Sums

RHO, N, R = 0.1, 100, 0.01


@pytest.fixture(scope="module")
def tasks() -> list[Sums]:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(12):
        mu, sigma = 0.006 + 0.012 * rng.standard_t(5), rng.uniform(0.01, 0.03)
        common = np.sqrt(RHO) * sigma * rng.standard_normal()
        found.append(Sums.of(mu + common + np.sqrt(1 - RHO) * sigma * rng.standard_normal(N)))
    return found


@pytest.fixture(scope="module")
def fitted(tasks: list[Sums]) -> bayes.HierarchicalT:
    return bayes.hierarchical_t(tasks, rho=RHO, scale=1.0)


@pytest.fixture(scope="module", params=["average", "next", "likeliest"])
def design(fitted: bayes.HierarchicalT, request: pytest.FixtureRequest) -> MoreTasks:
    return MoreTasks(fitted=fitted, low=-R, high=R, asks=request.param)


def read(fitted: bayes.HierarchicalT, asks: str) -> Probabilities:
    """The answer to a question by the quadrature, good to 1e-4."""
    if asks == "average":
        return probabilities(fitted.mean_advantage, in_scores(-R, R, "given"))
    regions = fitted.next_task(R)
    return regions.mean if asks == "next" else regions.most_probable


def test_without_further_tasks_the_lattice_says_what_the_quadrature_says(design: MoreTasks) -> None:
    p = softmax(design._lattice.log_p[:, None].copy())
    exact = read(design.fitted, design.asks)
    assert (design._lattice.better @ p)[0] == pytest.approx(exact.better, abs=0.004)
    assert (design._lattice.worse @ p)[0] == pytest.approx(exact.worse, abs=0.004)


def test_with_further_tasks_the_lattice_says_what_real_fits_say(design: MoreTasks, tasks: list[Sums]) -> None:
    # Oracle: bayes.hierarchical_t on the old and the simulated tasks together, as sums with the same mean and
    # the S that gives the task's scale: scale² = S (1 + (n-1) rho)/(n (1-rho)(n-2)).
    rng = np.random.default_rng(7)
    k, t, own = design._lattice, design._table, design.fitted.tasks
    unit = design.fitted.unit
    p = np.exp(k.log_p)
    for node in rng.choice(p.size, size=5, p=p / p.sum()):
        like = rng.integers(own.loc.size, size=24)
        df = own.df[like] + 1
        seen = own.scale[like] * np.sqrt(rng.chisquare(df) / df)
        means = k.node_mu[node] + k.node_sigma[node] * rng.standard_t(k.node_nu[node], 24)
        means = means + own.scale[like] * rng.standard_normal(24)
        m2 = (seen * unit) ** 2 * N * (1 - RHO) * (N - 2) / (1 + (N - 1) * RHO)
        new = [Sums(n=N, mean=float(m * unit), m2=float(s)) for m, s in zip(means, m2, strict=True)]
        fit = read(bayes.hierarchical_t([*tasks, *new], rho=RHO, scale=1.0), design.asks)
        after = softmax(k.log_p[:, None] + t.added(means[None], t.kind_of(seen[None])))
        assert (k.better @ after)[0] == pytest.approx(fit.better, abs=0.02)
        assert (k.worse @ after)[0] == pytest.approx(fit.worse, abs=0.02)


def test_more_tasks_decide_more_often(design: MoreTasks) -> None:
    few, many = (np.mean(Rule()(design.future(m, 400, np.random.default_rng(0))) < 3) for m in (6, 100))
    # A single next task stays uncertain, whatever is known of the population.
    assert few + 0.1 < many or (design.limited and many < 0.2)


# --- counts --------------------------------------------------------------------------------------------


# Williams 2026 Table 1.
N01 = np.array([63, 159, 175, 180, 202, 185, 195, 156, 64, 113, 44])
N10 = np.array([66, 198, 149, 167, 167, 193, 176, 133, 30, 103, 46])
SAME = np.array([201, 643, 536, 653, 631, 622, 629, 471, 122, 337, 111])


@pytest.fixture(scope="module")
def counts() -> MoreTaskCounts:
    fitted = bayes.hierarchical_mcnemar(N01, N10)
    sizes = tuple(int(n) for n in N01 + N10 + SAME)
    return MoreTaskCounts(fitted=fitted, sizes=sizes, edges=Edges(low=-0.1, high=0.1, relative=True))


def test_counts_without_further_tasks_are_those_of_the_paper(counts: MoreTaskCounts) -> None:
    # Oracle: Williams 2026: 0.053 / 0.737 / 0.210 by sampling; 0.0525 / 0.7355 / 0.2119 by quadrature.
    p = softmax(counts._lattice.log_p[:, None].copy())
    np.testing.assert_allclose(counts._regions(p)[:, 0], [0.0525, 0.7355, 0.2119], atol=0.003)


def test_counts_of_the_mean_over_tasks(counts: MoreTaskCounts) -> None:
    # Oracle: the posterior of a/(a+b) by quadrature, with the ROPE of the next task.
    design = replace(counts, of_mean=True)
    p = softmax(design._lattice.log_p[:, None].copy())
    m = counts.fitted.phi_next.mean
    half = 0.1 * np.sqrt(m * (1 - m))
    mean = counts.fitted.mean_phi
    better, worse = float(mean.cdf(0.5 - half)), float(mean.sf(0.5 + half))
    np.testing.assert_allclose(design._regions(p)[:, 0], [better, 1 - better - worse, worse], atol=0.006)
    assert not design.limited


def test_counts_of_further_tasks_give_what_real_fits_give(counts: MoreTaskCounts) -> None:
    # Oracle: bayes.hierarchical_mcnemar on the old and the simulated counts together, its own ROPE.
    rng = np.random.default_rng(4)
    lattice = counts._lattice
    for node in lattice.drawn(6, rng):
        n01, n10 = counts._drawn(lattice.a[[node]], lattice.b[[node]], 30, rng)
        fit = bayes.hierarchical_mcnemar(np.append(N01, n01[0]), np.append(N10, n10[0])).next_task().mean
        found = counts._regions(lattice.after(n01, n10))[:, 0]
        np.testing.assert_allclose(found, [fit.better, fit.equivalent, fit.worse], atol=0.006)


def test_a_known_population_is_the_limit_of_many_tasks(counts: MoreTaskCounts) -> None:
    # Oracle: the posterior of (a, b) closes in on the truth, so that 3,000 further tasks say nearly the same.
    many, all_of_them = (
        np.mean(Rule()(counts.future(m, 300, np.random.default_rng(1))) < 3) for m in (3_000, 10**9)
    )
    assert many == pytest.approx(all_of_them, abs=0.06)


# --- right and wrong answers, on the accuracy scale ----------------------------------------------------


@pytest.fixture(scope="module")
def answers() -> MoreTaskAnswers:
    return MoreTaskAnswers(fitted=bayes.hierarchical_accuracy(N10, N01, SAME), low=-0.01, high=0.02)


def test_answers_without_further_tasks_are_those_of_the_test(answers: MoreTaskAnswers) -> None:
    # Oracle: the quadrature of bayes.hierarchical_accuracy itself, with edges that are not alike.
    none = np.zeros((1, 0))
    rate, share = answers._halves
    mean = answers.fitted.mean_advantage
    p, q = rate.of_mean(rate.after(none, none)), share.of_mean(share.after(none, none))
    found = [np.sum(p * (side @ q)) for side in answers._sides]
    assert found == pytest.approx([float(mean.sf(0.02)), float(mean.cdf(-0.01))], abs=0.004)


def test_answers_of_further_tasks_give_what_real_fits_give(answers: MoreTaskAnswers) -> None:
    # Oracle: bayes.hierarchical_accuracy on the old and the simulated counts together.
    rng = np.random.default_rng(5)
    rate, share = answers._halves
    for i, j in zip(rate.drawn(4, rng), share.drawn(4, rng), strict=True):  # futures that may come
        differ = rng.binomial(700, rng.beta(rate.a[i], rate.b[i], 30)).astype(float)[None]
        n01 = rng.binomial(differ.astype(int), rng.beta(share.a[j], share.b[j], 30)).astype(float)
        p, q = rate.of_mean(rate.after(differ, 700 - differ)), share.of_mean(share.after(n01, differ - n01))
        found = [np.sum(p * (side @ q)) for side in answers._sides]
        fit = bayes.hierarchical_accuracy(
            np.append(N10, differ - n01), np.append(N01, n01), np.append(SAME, 700 - differ)
        ).mean_advantage
        assert found == pytest.approx([float(fit.sf(0.02)), float(fit.cdf(-0.01))], abs=0.02)


def test_futures_of_answers_are_drawn_from_the_posterior(answers: MoreTaskAnswers) -> None:
    # Oracle: the probability that the known population lies in each region is the posterior probability now.
    mean = answers.fitted.mean_advantage
    known = answers.future(10**9, 4_000, np.random.default_rng(1))
    assert known.shape == (3, 4_000)
    now = np.array([float(mean.sf(0.02)), 0.0, float(mean.cdf(-0.01))])
    now[1] = 1 - now.sum()
    assert known.mean(axis=1) == pytest.approx(now, abs=0.03)
    # and with a few further tasks the expected probabilities stay what they are now: a martingale
    assert answers.future(6, 2_000, np.random.default_rng(2)).mean(axis=1) == pytest.approx(now, abs=0.03)


def test_truths_of_answers_follow_the_prior(answers: MoreTaskAnswers) -> None:
    # Oracle: the posterior density of the mean times the prior, on a grid.
    x = np.linspace(-0.15, 0.15, 3001)
    w = answers.fitted.mean_advantage.pdf(x) * np.exp(-0.5 * (x / 0.01) ** 2)
    now = [float(w[x > 0.02].sum() / w.sum()), float(w[x < -0.01].sum() / w.sum())]
    known = replace(answers, prior_sd=0.01).future(10**9, 4_000, np.random.default_rng(1)).mean(axis=1)
    assert [known[0], known[2]] == pytest.approx(now, abs=0.03)


# --- one number per task -------------------------------------------------------------------------------


def test_further_numbers_are_drawn_by_the_bayesian_bootstrap() -> None:
    # Oracle: the mean of m further values has mean d̄ and, given w, variance: E over w of Σw(d - d̄_w)²/m plus
    # the variance of d̄_w, which is s²/(q + 1) with s² = Σ(d - d̄)²/q (Rubin 1981).
    d = np.array([0.01, 0.03, -0.02, 0.05, 0.0, 0.02])
    seen = []

    def test(x: np.ndarray) -> Probabilities:
        seen.append(x[d.size :].mean())
        return Probabilities(better=1.0, equivalent=0.0, worse=0.0)

    ResampledTasks(values=d, test=test).future(40, 3_000, np.random.default_rng(0))
    s2 = d.var()
    expected = s2 / (d.size + 1) + s2 * (1 - 1 / (d.size + 1)) / 40
    assert np.mean(seen) == pytest.approx(d.mean(), abs=4 * np.sqrt(expected / 3_000))
    assert np.var(seen) == pytest.approx(expected, rel=0.15)


def test_a_lattice_holds_the_mass_and_its_cells_touch() -> None:
    x = np.linspace(-8, 8, 2_001)
    found = spread_over(x, np.exp(-0.5 * x**2), 40)
    np.testing.assert_allclose(found.low[1:], found.high[:-1])
    density = np.exp(-0.5 * found.at**2) / np.sqrt(2 * np.pi)
    assert density @ found.width == pytest.approx(1.0, abs=0.005)


def test_shared_values_keep_their_place() -> None:
    found = spread_over(np.linspace(0, 1, 500), np.ones(500), 20)
    values = np.array([[0.111, 0.5, 0.87], [0.2, 0.2, 0.9]])
    counts = found.counted(values, np.zeros(values.shape, dtype=np.intp), 1)
    np.testing.assert_allclose(counts.sum(axis=0), 3)
    np.testing.assert_allclose(found.at @ counts, values.sum(axis=1))
