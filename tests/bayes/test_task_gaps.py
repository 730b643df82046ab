"""Models that were not run on every task."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ropewalk import bayes
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.bayes.model_population import Population
from ropewalk.bayes.task_gaps import _filled, own_pairs_with_gaps
from ropewalk.errors import DataError, MethodError
from tests.bayes.tasks_of_models import world


def test_a_missing_cell_by_weighted_draws() -> None:
    # Given the missing mean x the posterior is that of complete tasks. x has the density |S|^(-(n - p)/2), S
    # the cross-products of p contrasts: that is left of the likelihood under the prior |Omega|^-1 and a flat
    # mu. That is what turns of filling and drawing come to; here x is on a grid instead.
    rng = np.random.default_rng(5)
    z = rng.normal([0.0, 0.5, 1.0], [1.0, 1.0, 1.5], size=(16, 3)) + rng.normal(size=(16, 1))
    z[2, 1] = np.nan
    contrasts = np.linalg.qr(np.eye(3)[:, 1:] - 1 / 3)[0]
    grid = np.linspace(-9, 10, 77) + np.nanmean(z[2])
    log_p, draws = [], []
    for x in grid:
        full = np.where(np.isnan(z), x, z)
        found = Population.of(CrossSums.of(full), 1 / 16, unstructured=True, pooled=False)
        log_p.append(-0.5 * (16 - 2) * np.linalg.slogdet(np.cov((full @ contrasts).T))[1])
        draws.append(found.sample(4000, np.random.default_rng(1)).draws)
    w = np.exp(np.array(log_p) - max(log_p))
    w /= w.sum()
    joint = bayes.joint_tasks([row[None] for row in z], pooling=False, draws=40_000)
    for i, j in ((1, 0), (2, 1), (2, 0)):
        for at in (0.0, 0.3, 0.6, 1.0):
            p = float(w @ [np.mean(d[:, i] - d[:, j] > at) for d in draws])
            assert float(joint.pair(i, j).sf(at)) == pytest.approx(p, abs=0.03)


def test_a_missing_mean_is_predicted_as_by_regression() -> None:
    # Oracle: the prediction of least squares, Student with n - 1 - 2 degrees of freedom, of the missing model
    # on the others, in differences from the first one. Seven complete tasks, so that every degree counts.
    rng = np.random.default_rng(8)
    z = rng.normal([0.0, 0.5, 1.0], [1.0, 1.0, 1.5], size=(8, 3)) + rng.normal(size=(8, 1))
    z[2, 1] = np.nan
    missing = np.isnan(z)
    full = np.where(missing, np.nanmean(z[2]), z)
    drawn = []
    for _ in range(2000):
        found = Population.of(CrossSums.of(full), 1 / 8, unstructured=True, pooled=False)
        full = _filled(z, missing, *found.one(rng), rng)
        drawn.append(full[2, 1] - full[2, 0])
    y, x = (np.delete(z[:, k] - z[:, 0], 2) for k in (1, 2))
    design, at = np.column_stack([np.ones(7), x]), np.array([1.0, z[2, 2] - z[2, 0]])
    line, (rest,), *_ = np.linalg.lstsq(design, y, rcond=None)
    scale = np.sqrt(rest / 5 * (1 + at @ np.linalg.solve(design.T @ design, at)))
    place = stats.t(5, at @ line, scale).cdf(drawn[50:])
    # 1,950 draws that hardly depend on each other: four standard errors.
    for q in (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975):
        assert np.mean(place <= q) == pytest.approx(q, abs=4 * np.sqrt(q * (1 - q) / 1950))


def test_a_model_on_easy_tasks_only_gains_nothing() -> None:
    tasks = world(30, 100, np.array([0.0, 0.3, 0.3]), omega=0.05)
    for i, task in enumerate(tasks):
        if i >= 15:
            task[:, 0] = np.nan  # the weakest model sees the easy half
        else:
            task += 10
    joint = bayes.joint_tasks(tasks)
    assert joint.p_best[0] < 0.001
    assert joint.pair(1, 0).mean == pytest.approx(0.3, abs=0.05)
    assert joint.why.startswith(
        "25 tasks are enough for a full covariance of 3 models; differences are shrunk"
    )
    assert joint.why.endswith("; 15 of 90 cells are missing")


def only(task: np.ndarray, *models: int) -> np.ndarray:
    out = np.full(task.shape, np.nan)
    out[:, models] = task[:, models]
    return out


def test_models_that_nothing_links() -> None:
    good = world(4, 5, np.zeros(4))
    apart = [only(good[0], 0, 1), only(good[1], 0, 1), only(good[2], 2, 3), only(good[3], 2, 3)]
    with pytest.raises(DataError, match='no task links the models "2", "3" with the others'):
        bayes.joint_tasks(apart)
    with pytest.raises(DataError, match='no task links the models "3" with the others'):
        bayes.joint_tasks([only(t, 0, 1, 2) for t in good])
    with pytest.raises(DataError, match='no task links the models "0" with the others'):
        bayes.joint_tasks([only(t, 1, 2, 3) for t in good])
    with pytest.raises(DataError, match='no task links the models "svm", "knn" with the others'):
        bayes.joint_tasks(apart, names=["tree", "forest", "svm", "knn"])
    chain = [only(good[0], 0, 1), only(good[1], 1, 2), only(good[2], 2, 3)]
    with pytest.raises(MethodError, match="no two models share more than one task"):
        bayes.joint_tasks(chain)
    linked = bayes.joint_tasks([*chain, good[3]])
    assert np.isfinite(linked.draws).all()


def test_a_pair_goes_by_the_tasks_that_both_were_run_on() -> None:
    # Oracle: the t-test of their differences there.
    rng = np.random.default_rng(12)
    z = rng.normal([0.0, 0.5, 1.0, 0.2], [1.0, 2.0, 1.5, 0.3], size=(9, 4)) + 3 * rng.normal(size=(9, 1))
    z[[0, 1, 3, 5, 6], [0, 1, 2, 3, 0]] = np.nan
    pairs = own_pairs_with_gaps(z, np.nanmean(z, axis=0), np.ones(4))
    gaps = []
    for i, j in ((0, 1), (1, 0), (0, 2), (1, 3), (2, 3)):
        d = (z[:, i] - z[:, j])[~np.isnan(z[:, i] - z[:, j])]
        alone = bayes.t(d)
        gaps.append(len(z) - d.size)
        assert (pairs.advantage[i, j], pairs.scale[i, j], pairs.df[i, j]) == pytest.approx(
            (alone.mean, np.std(d, ddof=1) / np.sqrt(d.size), d.size - 1)
        )
    assert min(gaps) > 0
