"""Seeds crossed with examples: sums of squares of larger tables, against tables simulated cell by cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance import Edges, Rule, assurance
from ropewalk.assurance.more_runs import MoreRuns, Variances, regions, variances, with_examples, with_seeds
from ropewalk.decide import in_scores, probabilities
from ropewalk.grouped import CrossedSums

ROPE = Edges(low=-0.01, high=0.01)


def differences(seeds: int, examples: int, rng: np.random.Generator) -> np.ndarray:
    u, v = 0.03 * rng.standard_normal((seeds, 1)), 0.2 * rng.standard_normal(examples)
    return 0.02 + u + v + 0.15 * rng.standard_normal((seeds, examples))


def two_models(
    seeds: tuple[int, int], examples: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    v = rng.standard_normal(examples)
    a, b = (
        m
        + 0.03 * rng.standard_normal((s, 1))
        + v
        + 0.1 * rng.standard_normal(examples)
        + 0.15 * rng.standard_normal((s, examples))
        for s, m in zip(seeds, (0.03, 0.0), strict=True)
    )
    return a, b


@pytest.mark.parametrize("shape", [(3, 40), (5, 200), (10, 1_000)])
def test_the_regions_are_those_of_the_crossed_posterior(shape: tuple[int, int]) -> None:
    # Oracle: bayes.crossed, by quadrature; the nodes here are 256 points that fill the cube evenly.
    rng = np.random.default_rng(shape[0])
    for _ in range(4):
        fitted = bayes.crossed(differences(*shape, rng))
        p = probabilities(fitted.posterior, in_scores(-0.01, 0.01, "given"))
        found = regions(MoreRuns(fitted=fitted, edges=ROPE, unit="seed")._now, ROPE)[:, 0]
        np.testing.assert_allclose(found, [p.better, p.equivalent, p.worse], atol=0.008)


def test_the_regions_of_unpaired_seeds_are_those_of_the_crossed_posterior() -> None:
    rng = np.random.default_rng(8)
    for seeds in ((3, 4), (5, 5), (8, 4)):
        a, b = two_models(seeds, 100, rng)
        fitted = bayes.crossed(a, b=b)
        p = probabilities(fitted.posterior, in_scores(-0.01, 0.01, "given"))
        found = regions(MoreRuns(fitted=fitted, edges=ROPE, unit="seed")._now, ROPE)[:, 0]
        np.testing.assert_allclose(found, [p.better, p.equivalent, p.worse], atol=0.012)


def test_the_variances_are_those_of_the_posterior() -> None:
    # Oracle: the shares of bayes.crossed are posterior means over the same variances, by quadrature.
    fitted = bayes.crossed(differences(6, 50, np.random.default_rng(2)))
    now = MoreRuns(fitted=fitted, edges=ROPE, unit="seed")._now
    many = replace(
        now,
        **{k: np.repeat(getattr(now, k), 40_000, axis=-1) for k in ("mean", "seed", "example", "residual")},
    )
    v = variances(many, np.random.default_rng(0))
    total = v.seed[0] + v.example + v.residual
    share = fitted.shares.of_one
    assert np.mean(v.seed[0] / total) == pytest.approx(share.seed, abs=0.003)
    assert np.mean(v.example / total) == pytest.approx(share.example, abs=0.003)


@pytest.mark.parametrize(("seeds", "examples"), [(4, 0), (0, 25), (3, 18)])
def test_sums_of_squares_of_the_larger_table(seeds: int, examples: int) -> None:
    # Oracle: brute force for given variances. The effects of the old table have a joint normal posterior
    # (flat in Delta); from it the effects, the new cells, and CrossedSums of the whole table.
    rng = np.random.default_rng(11)
    d = differences(4, 12, rng)
    s2 = (0.05**2, 0.2**2, 0.15**2)
    S, J = d.shape
    X = np.zeros((S, J, 1 + S + J))
    X[..., 0] = 1
    X[np.arange(S), :, 1 + np.arange(S)] = 1
    X[:, np.arange(J), 1 + S + np.arange(J)] = 1
    X = X.reshape(S * J, -1)
    precision = X.T @ X / s2[2] + np.diag([1e-12, *[1 / s2[0]] * S, *[1 / s2[1]] * J])
    cov = np.linalg.inv(precision)
    centre, root = cov @ X.T @ d.ravel() / s2[2], np.linalg.cholesky(cov)
    runs, found = 3_000, []
    for _ in range(runs):
        effects = centre + root @ rng.standard_normal(centre.size)
        u = np.append(effects[1 : 1 + S], np.sqrt(s2[0]) * rng.standard_normal(seeds))
        v = np.append(effects[1 + S :], np.sqrt(s2[1]) * rng.standard_normal(examples))
        table = effects[0] + u[:, None] + v + np.sqrt(s2[2]) * rng.standard_normal((u.size, v.size))
        table[:S, :J] = d
        t = CrossedSums.of(table)
        found.append((t.mean, t.seed, t.example, t.residual))
    now = MoreRuns(fitted=bayes.crossed(d), edges=ROPE, unit="seed")._now
    many = replace(
        now,
        **{k: np.repeat(getattr(now, k), 30_000, axis=-1) for k in ("mean", "seed", "example", "residual")},
    )
    each = np.full(30_000, 1.0)
    fixed = Variances(seed=s2[0] * each[None], example=s2[1] * each, residual=s2[2] * each)
    generator = np.random.default_rng(12)
    after = with_seeds(many, fixed, seeds, generator) if seeds else many
    after = with_examples(after, fixed, examples, generator) if examples else after
    quick = np.stack([after.mean, after.seed[0], after.example * after.a, after.residual])
    brute = np.array(found).T
    for a, b in zip(quick, brute, strict=True):
        error = np.sqrt(a.var() / a.size + b.var() / b.size)
        assert abs(a.mean() - b.mean()) < 4 * error + 1e-9
        if b.std() > 1e-12:
            assert a.std() / b.std() == pytest.approx(1.0, abs=4 * np.sqrt(1 / runs))
    np.testing.assert_allclose(np.corrcoef(quick[1:]), np.corrcoef(brute[1:]), atol=5 / np.sqrt(runs))


def test_more_seeds_leave_the_examples_a_sample() -> None:
    fitted = bayes.crossed(differences(4, 30, np.random.default_rng(1)))
    seeds = assurance(MoreRuns(fitted=fitted, edges=ROPE, unit="seed"), Rule(), draws=500)
    both = MoreRuns(fitted=fitted, edges=ROPE, unit="seed", along=3_000).future(
        30, 500, np.random.default_rng(0)
    )
    assert seeds.limit < np.mean(Rule()(both) < 3)


@pytest.mark.parametrize(("seeds", "examples"), [(4, 0), (0, 15), (3, 10)])
@pytest.mark.few(1)
def test_sums_of_squares_of_unpaired_seeds(seeds: int, examples: int) -> None:
    # Oracle: brute force for given variances, as above: z_msj = mu_m + u_ms + v_j + w_mj + e_msj, flat in mu
    # and (nearly) in v, the joint normal posterior of all effects given the old tables, then the new cells.
    rng = np.random.default_rng(21)
    S, J, s2_u, s2_w, s2_e = 3, 8, 0.05**2, 0.2**2, 0.15**2
    a, b = two_models((S, S), J, rng)
    old = np.stack([a, b])
    m, s, j = (k.ravel() for k in np.indices(old.shape))
    size = 2 + 2 * S + J + 2 * J
    X = np.zeros((old.size, size))
    row = np.arange(old.size)
    for column in (m, 2 + m * S + s, 2 + 2 * S + j, 2 + 2 * S + J + m * J + j):
        X[row, column] = 1
    prior = [1e-9] * 2 + [1 / s2_u] * (2 * S) + [1e-2] * J + [2 / s2_w] * (2 * J)
    cov = np.linalg.inv(X.T @ X / s2_e + np.diag(prior))
    centre, root = cov @ X.T @ old.ravel() / s2_e, np.linalg.cholesky(cov)
    runs, found = 2_500, []
    for _ in range(runs):
        effects = centre + root @ rng.standard_normal(size)
        mu = effects[:2]
        u = effects[2 : 2 + 2 * S].reshape(2, S)
        w = effects[2 + 2 * S + J :].reshape(2, J) + effects[2 + 2 * S : 2 + 2 * S + J]
        u = np.concatenate([u, np.sqrt(s2_u) * rng.standard_normal((2, seeds))], axis=1)
        w = np.concatenate([w, np.sqrt(s2_w / 2) * rng.standard_normal((2, examples))], axis=1)
        z = mu[:, None, None] + u[:, :, None] + w[:, None, :]
        z = z + np.sqrt(s2_e) * rng.standard_normal(z.shape)
        z[:, :S, :J] = old
        own = [CrossedSums.of(k) for k in z]
        d = z[0].mean(axis=0) - z[1].mean(axis=0)
        squares = float(((d - d.mean()) ** 2).sum())
        found.append((d.mean(), own[0].seed, own[1].seed, squares, own[0].residual + own[1].residual))
    now = MoreRuns(fitted=bayes.crossed(a, b=b), edges=ROPE, unit="seed")._now
    many = replace(
        now,
        **{k: np.repeat(getattr(now, k), 30_000, axis=-1) for k in ("mean", "seed", "example", "residual")},
    )
    each = np.full(30_000, 1.0)
    fixed = Variances(seed=s2_u * np.stack([each, each]), example=s2_w * each, residual=s2_e * each)
    generator = np.random.default_rng(22)
    after = with_seeds(many, fixed, seeds, generator) if seeds else many
    after = with_examples(after, fixed, examples, generator) if examples else after
    quick = np.stack([after.mean, *after.seed, after.example, after.residual])
    for x, y in zip(quick, np.array(found).T, strict=True):
        assert abs(x.mean() - y.mean()) < 4 * np.sqrt(x.var() / x.size + y.var() / y.size) + 1e-6
        assert x.std() / y.std() == pytest.approx(1.0, abs=4 / np.sqrt(runs))
