"""Further tasks of right and wrong answers, on phi."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance import Edges, Rule
from ropewalk.assurance.lattice import softmax
from ropewalk.assurance.more_task_counts import MoreTaskCounts
from tests.assurance.pilots import N01, N10, SAME


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
