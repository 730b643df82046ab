"""Each task of a hierarchical model, as the pictures show it."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import MethodError
from ropewalk.plot import task_estimates
from ropewalk.plot.regions import left_to_right


@pytest.mark.parametrize("name", ["tasks", "tasks on phi"])
def test_the_interval_and_the_regions_are_those_of_the_posterior(case, name):
    """Oracle: the posterior itself, which inverts its distribution function."""
    comparison = case(name)
    fitted, rope = comparison.evidence.fitted, comparison.rope
    for i in (0, 3, 5):
        exact, drawn = fitted.task(i), task_estimates.task(fitted, i)
        low, high = exact.interval(0.95)
        assert (drawn.low, drawn.high) == pytest.approx((low, high), abs=1e-3 * (high - low))
        assert drawn.mean == exact.mean
        left, middle, right = drawn.probabilities(left_to_right(comparison))
        assert left == pytest.approx(float(exact.cdf(rope.low)), abs=1e-3)
        assert right == pytest.approx(float(exact.sf(rope.high)), abs=1e-3)
        assert left + middle + right == pytest.approx(1.0)
        peak = drawn.x[np.argmax(drawn.density)]
        assert exact.pdf(peak) == pytest.approx(np.max(exact.pdf(np.linspace(low, high, 400))), rel=1e-3)


def test_a_task_by_itself_is_a_student(case):
    """Closed form: n - 2 degrees of freedom, scale² = S (1 + (n-1) rho) / (n (1-rho) (n-2)), with n = 10,
    rho = 1/10 and samples that have exactly these means and standard deviations; t(8) at 97.5 % is 2.306."""
    fitted = case("tasks").evidence.fitted
    for i, (mean, sd) in enumerate([(2.1, 1.0), (0.2, 1.3), (-0.4, 1.6)]):
        half = 2.306004 * np.sqrt(9 * sd**2 * 1.9 / (10 * 0.9 * 8))
        assert task_estimates.task(fitted, i).own == pytest.approx((mean, mean - half, mean + half), abs=1e-5)


def test_a_task_of_counts_by_itself_is_the_test_of_mcnemar(case):
    fitted = case("tasks on phi").evidence.fitted
    for i, (n01, n10) in enumerate([(63, 66), (159, 198), (175, 149)]):
        alone = rw.bayes.mcnemar(n01, n10)
        mean, *interval = task_estimates.task(fitted, i).own
        assert mean == pytest.approx(alone.mean)
        assert interval == pytest.approx(alone.interval(0.95))


@pytest.mark.parametrize(
    ("name", "best"), [("tasks", ["yeast", "wine", "sonar"]), ("tasks on phi", ["da-en", "de-en", "zh-en"])]
)
def test_the_best_for_a_comes_first(case, name, best):
    """On phi, the share of A's mistakes, that is the smallest."""
    evidence = case(name).evidence
    found = task_estimates.tasks(evidence, range(6))
    assert [task for task, _ in found][:3] == best
    assert sorted(task_estimates.ranked(evidence)) == list(range(6))
    assert evidence.names[task_estimates.ranked(evidence)[0]] == best[0]


def test_a_density_without_a_highest_point():
    """All disagreements of a task are one model's mistakes, on a population that lies near 0 (or near 1)."""
    n01, n10 = [0, 0, 0, 1, 0], [30, 50, 40, 60, 3]
    for fitted in (rw.bayes.hierarchical_mcnemar(n01, n10), rw.bayes.hierarchical_mcnemar(n10, n01)):
        one, exact = task_estimates.task(fitted, 4), fitted.task(4)
        assert np.all(np.isfinite(one.density))
        assert one.density.max() == 1
        assert 0 < one.low < one.high < 1
        inner = one.high if exact.mean < 0.5 else one.low  # the other end is 0 or 1 to many digits
        assert float(exact.cdf(inner)) == pytest.approx(0.975 if exact.mean < 0.5 else 0.025, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("better", "on one task"),
        ("tasks by sign", "over tasks by the Bayesian sign test"),
        ("phi", "on one task"),
    ],
)
@pytest.mark.parametrize("kind", ["forest", "tasks", "next_task"])
def test_other_comparisons_have_no_such_picture(drawn, name, where, kind):
    with pytest.raises(MethodError) as error:
        drawn(name, kind)
    assert error.value.what == (
        f'the plot "{kind}" needs a hierarchical model of many tasks, and this comparison is {where}'
    )
    assert error.value.hint == 'Draw "posterior" or "differences".'


@pytest.mark.parametrize(("name", "own"), [("tasks", "next"), ("tasks on phi", "phi_next")])
def test_the_next_task_is_on_the_scale_of_the_method(case, name, own):
    comparison = case(name)
    expected = getattr(comparison.evidence.fitted, own)
    assert task_estimates.next_posterior(comparison).interval(0.95) == expected.interval(0.95)
