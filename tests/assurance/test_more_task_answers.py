"""Further tasks of right and wrong answers, on the accuracy scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance.more_task_answers import MoreTaskAnswers
from tests.assurance.pilots import N01, N10, SAME


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
