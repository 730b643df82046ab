"""Oracles: the Beta posterior of two models, a lattice over the worths of three, all orders of four."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy.special import betainc

from ropewalk.bayes.plackett_luce import plackett_luce
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.posterior.joint import JointPosterior

NAN = float("nan")


def likelihood(ranks, share):
    """Of each row of `share` (draws x models): products over tasks of the sum over all orders that fit."""
    total = np.ones(len(share))
    for row in ranks:
        run = [j for j, r in enumerate(row) if r == r]
        fits = np.zeros(len(share))
        for order in permutations(run):
            if all(row[a] <= row[b] for a, b in pairwise(order)):
                chance = np.ones(len(share))
                for place in range(len(order)):
                    chance *= share[:, order[place]] / share[:, list(order[place:])].sum(axis=1)
                fits += chance
        total *= fits
    return total


def draws_agree(joint, values, of_draws, expected):
    """A mean over the draws against an exact one, within five Monte Carlo errors.

    What never happens in n draws may still have a probability of about 1/n.
    """
    assert values.shape == (len(joint.draws),), of_draws
    error = max(np.std(values) / np.sqrt(joint.effective_size), 1 / joint.effective_size)
    assert np.mean(values) == pytest.approx(expected, abs=5 * error), of_draws


def shares(joint):
    w = np.exp(joint.draws)
    return w / w.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("prior", [0.5, 1.0, 4.0])
@pytest.mark.parametrize(("wins", "losses", "ties"), [(7, 3, 0), (7, 3, 5), (12, 0, 0), (0, 0, 2)])
@pytest.mark.few(4)
def test_two_models_have_a_beta_posterior(prior, wins, losses, ties):
    ranks = [[1, 2]] * wins + [[2, 1]] * losses + [[1.5, 1.5]] * ties
    joint = plackett_luce(ranks, prior=prior, draws=8_000, rng=3)
    share = shares(joint)[:, 0]
    a, b = prior + wins, prior + losses  # ties tell nothing: both orders together are certain
    draws_agree(joint, share, "mean", a / (a + b))
    for at in (0.3, 0.5, 0.7, 0.9):
        draws_agree(joint, (share <= at) * 1.0, f"cdf({at})", betainc(a, b, at))
    assert joint.p_beats(0, 1) == pytest.approx(share.mean(), rel=1e-12)
    assert joint.p_beats(1, 0) == pytest.approx(1 - share.mean(), rel=1e-12)


THREE = {
    "whole": [[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3], [3, 1, 2]],
    "first known": [[1, 2, 2], [1, 2, 2], [2, 1, 2]],
    "tie for the first": [[1, 1, 3], [1.5, 1.5, 3], [1, 3, 1], [2, 1, 3]],
    "not run": [[1, 2, NAN], [NAN, 1, 2], [2, NAN, 1], [1, 2, 3], [NAN, NAN, 1]],
    "tie and not run": [[1, 1, 3], [1, 1, NAN], [2, NAN, 1]],
    "nothing": [[1, 1, 1], [2, 2, 2]],
}


@pytest.mark.parametrize("prior", [1.0, 2.5])
@pytest.mark.parametrize("name", THREE)
@pytest.mark.few(4)
def test_three_models_on_a_lattice(name, prior):
    # Gamma(a, 1) worths: the shares are Dirichlet(a, a, a), whatever their sum is.
    n = 400
    i, j = (x.ravel() for x in np.meshgrid(*2 * [np.arange(n)], indexing="ij"))
    inside = i + j <= n - 1
    share = np.column_stack([(i + 1 / 3) / n, (j + 1 / 3) / n])[inside]  # one point a triangle: its centre
    share = np.column_stack([share, 1 - share.sum(axis=1)])
    w = likelihood(THREE[name], share) * np.prod(share ** (prior - 1), axis=1)
    w /= w.sum()
    joint = plackett_luce(THREE[name], prior=prior, draws=8_000, rng=5)
    found = shares(joint)
    for m in range(3):
        draws_agree(joint, found[:, m], f"share of {m}", w @ share[:, m])
        best = share == share.max(axis=1, keepdims=True)  # on the lattice two may tie
        p_best = w @ (best[:, m] / best.sum(axis=1))
        draws_agree(joint, (found[:, m] == found.max(axis=1)) * 1.0, f"model {m} is best", p_best)
        k = (m + 1) % 3
        ahead = found[:, m] / (found[:, m] + found[:, k])
        draws_agree(joint, ahead, f"{m} above {k}", w @ (share[:, m] / (share[:, m] + share[:, k])))
    assert joint.r_hat < 1.01


def test_shared_places_in_the_middle_of_five_models():
    ranks = [
        [1, 1, 1, 4, 5],
        [2, 2, 1, 4, 4],
        [3, 1, 3, 3, 5],
        [1, 1, 3, 3, 5],
        [NAN, 1, 3, 3, 1],
        [1, 2, 4, 2, 2],
    ]
    # Importance sampling from the prior; six tasks leave the draws worth about a thirtieth of their number.
    share = np.random.default_rng(1).dirichlet(np.ones(5), 200_000)
    w = likelihood(ranks, share)
    w /= w.sum()
    size = 1 / np.sum(w**2)
    assert size > 5_000
    joint = plackett_luce(ranks, draws=16_000, rng=2)
    found = shares(joint)
    for m in range(5):
        expected = w @ share[:, m]
        spread = np.std(found[:, m])
        error = spread * np.sqrt(1 / size + 1 / joint.effective_size)
        assert found[:, m].mean() == pytest.approx(expected, abs=5 * error)
        p = float(w @ (share[:, m] == share.max(axis=1)))
        error = np.sqrt(p * (1 - p) * (1 / size + 1 / joint.effective_size))
        assert joint.p_best[m] == pytest.approx(p, abs=5 * error)


def test_many_models_that_share_the_first_place():
    # Only which six of twelve were ahead is known. With w the worth of those behind together,
    # Pr(all of G ahead) = integral over u in (0, 1) of the product over G of (1 - u^(w_i/w)): one number a
    # draw, in the place of 6! orders.
    ahead = [[0, 1, 2, 3, 4, 5], [0, 1, 2, 6, 7, 8], [0, 3, 6, 9, 10, 11], [0, 1, 3, 6, 7, 9]]
    ranks = np.full((4, 12), 7)
    for row, models in zip(ranks, ahead, strict=True):
        row[models] = 1
    node, weight = np.polynomial.legendre.leggauss(100)
    v, weight = (node + 1) / 2, weight / 2
    log_u, weight = 5 * np.log(v), 5 * v**4 * weight  # u = v^5: smooth at zero as well
    share = np.random.default_rng(1).dirichlet(np.full(12, 4.0), 40_000)  # near enough to the posterior
    w = np.ones(len(share))
    for models in ahead:
        behind = 1 - share[:, models].sum(axis=1)
        product = np.ones((len(share), len(v)))
        for m in models:
            product *= -np.expm1((share[:, m] / behind)[:, None] * log_u)
        w *= product @ weight
    w /= w.sum()
    size = 1 / np.sum(w**2)
    assert size > 2_000
    joint = plackett_luce(ranks, prior=4.0, draws=8_000, rng=3)
    found = shares(joint)
    for m in range(12):
        error = np.std(found[:, m]) * np.sqrt(1 / size + 1 / joint.effective_size)
        assert found[:, m].mean() == pytest.approx(w @ share[:, m], abs=5 * error)


def test_a_large_group_does_not_freeze_in_the_order_of_the_columns():
    s = np.random.default_rng(0).normal(size=(20, 60)) + np.linspace(0, 3, 60)
    place = np.argsort(np.argsort(-s))
    ranks = np.where(place < 30, 1, 31)
    one, other = plackett_luce(ranks), plackett_luce(ranks[:, ::-1], rng=1)
    assert max(one.r_hat, other.r_hat) < 1.05
    error = one.draws.std(axis=0) * np.sqrt(1 / one.effective_size + 1 / other.effective_size)
    assert np.all(np.abs(one.mean - other.mean[::-1]) < 5 * error)


def test_what_is_returned_answers_as_every_joint_posterior():
    ranks = np.argsort(np.argsort(-np.random.default_rng(0).normal([2, 1, 0, 0], 1.0, (20, 4)))) + 1
    joint = plackett_luce(ranks)
    assert isinstance(joint, JointPosterior)
    assert joint.draws.shape == (4_000, 4)
    assert joint.draws.sum(axis=1) == pytest.approx(np.zeros(4_000), abs=1e-9)
    assert joint.mean == pytest.approx(joint.draws.mean(axis=0), abs=1e-12)
    assert joint.p_best.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.argmax(joint.p_best) == 0
    assert joint.ranks.sum(axis=1) == pytest.approx(np.ones(4))
    assert joint.model == "Plackett-Luce"
    assert 400 < joint.effective_size <= 8_000
    assert 0 < joint.error < 0.02


def test_the_order_of_models_and_tasks_does_not_matter():
    ranks = np.argsort(np.argsort(-np.random.default_rng(4).normal([1, 0.5, 0, 0], 1.0, (15, 4)))) + 1
    joint = plackett_luce(ranks, draws=16_000)
    order = [2, 0, 3, 1]
    other = plackett_luce(ranks[::-1, order], draws=16_000, rng=1)
    error = np.sqrt(0.25 * (1 / joint.effective_size + 1 / other.effective_size))
    assert other.p_best == pytest.approx(joint.p_best[order], abs=5 * error)


def test_only_the_order_of_the_ranks_counts():
    one = plackett_luce([[1, 2, 3, 4], [1, 1, 3, 3]], draws=400)
    dense = plackett_luce([[1, 2, 3, 4], [1.5, 1.5, 3.5, 3.5]], draws=400)
    assert one.draws.tobytes() == dense.draws.tobytes()


def test_the_seed_decides():
    ranks = [[1, 2, 2], [1, 1, 3], [2, 1, 3]]
    one, two, other = (plackett_luce(ranks, draws=400, rng=seed).draws for seed in (0, 0, 1))
    assert one.tobytes() == two.tobytes()
    assert one.tobytes() != other.tobytes()


def test_a_model_that_always_wins_is_probably_the_best_and_the_prior_holds_it():
    joint = plackett_luce([[1, 2, 3]] * 30)
    assert joint.p_best[0] > 0.999
    assert np.all(np.isfinite(joint.draws))
    weak = plackett_luce([[1, 2, 3]] * 30, prior=0.1)
    assert np.all(np.isfinite(weak.draws))
    assert weak.mean[0] > joint.mean[0]


# --- errors ---


def test_what_is_no_table_of_ranks():
    with pytest.raises(DataError, match="not a table of ranks, one row per task and one column per model"):
        plackett_luce([["a", "b"]])
    for shape in ((3,), (0, 2), (3, 1)):
        with pytest.raises(DataError, match=rf"the ranks have the shape \({shape[0]},"):
            plackett_luce(np.ones(shape))


@pytest.mark.parametrize("bad", [0.0, 0.9, 3.0, np.inf])
def test_scores_are_no_ranks(bad):
    message = (
        rf"1 of 5 ranks are not between 1 and the number of models on their task\s+task 1, model 0: {bad:g}"
    )
    with pytest.raises(CellError, match=message):
        plackett_luce([[1, 2, 3], [bad, 1, NAN]])


def test_a_model_without_ranks():
    with pytest.raises(DataError, match=r"1 of 3 models have no rank on any task\s+model 1"):
        plackett_luce([[1, NAN, 2], [2, NAN, 1]])


@pytest.mark.parametrize("prior", [0.0, 0.05, -1.0, np.inf, NAN])
def test_the_prior_is_a_shape(prior):
    with pytest.raises(OptionError, match=f"the prior is {prior}"):
        plackett_luce([[1, 2]], prior=prior)


def test_too_few_draws():
    with pytest.raises(OptionError, match="draws is 99"):
        plackett_luce([[1, 2]], draws=99)
