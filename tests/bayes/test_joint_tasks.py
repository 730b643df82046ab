"""The joint posterior over tasks against `t`, a grid over a missing cell, `joint` and `hierarchical_t`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ropewalk import bayes
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.errors import CellError, DataError, OptionError, RopewalkError
from ropewalk.posterior import Draws, JointPosterior, Posterior
from tests.bayes.tasks_of_models import world


def distance(draws: Draws, exact: Posterior) -> float:
    """Kolmogorov's distance times sqrt(n): above 1.95 for one in a thousand draws of the exact one."""
    above = np.arange(1, draws.x.size + 1) / draws.x.size
    at = exact.cdf(draws.x)
    return float(np.sqrt(draws.x.size) * max(np.max(above - at), np.max(at - above + 1 / draws.x.size)))


@pytest.mark.parametrize(("n_tasks", "k"), [(54, 5), (7, 5), (4, 6), (2, 3)])
def test_a_pair_on_its_own_is_the_t_test_of_the_task_means(n_tasks: int, k: int) -> None:
    tasks = world(n_tasks, 12, np.linspace(0, 0.3, k), seed=4)
    joint = bayes.joint_tasks(tasks, rho=0.1, draws=200)
    means = np.array([t.mean(axis=0) for t in tasks])
    for i, j in ((1, 0), (2, 0), (0, k - 1)):
        exact = bayes.t(means[:, i] - means[:, j])
        assert joint.alone(i, j).interval(0.9) == pytest.approx(exact.interval(0.9), rel=1e-9)
        assert joint.alone(i, j).mean == pytest.approx(exact.mean, rel=1e-9, abs=1e-12)


@pytest.mark.proof
def test_adding_and_removing_models_leaves_a_pair_alone() -> None:
    tasks = world(12, 20, np.array([0.0, 0.1, 0.2, 0.0, 0.3]), seed=3)
    for t in tasks[3:5]:
        t[:, 1] = np.nan
    whole = bayes.joint_tasks(tasks, draws=200).alone(1, 2)
    for others in ([], [0], [0, 3, 4], [3, 3, 3, 3]):
        part = bayes.joint_tasks([t[:, [1, 2, *others]] for t in tasks], draws=200).alone(0, 1)
        assert part.interval(0.95) == pytest.approx(whole.interval(0.95), rel=1e-9)
    both = [t for t in tasks if not np.isnan(t[0, 1])]
    exact = bayes.t([float((t[:, 1] - t[:, 2]).mean()) for t in both])
    assert whole.interval(0.95) == pytest.approx(exact.interval(0.95), rel=1e-9)


def test_two_models_with_one_number_a_task_are_the_t_over_tasks() -> None:
    # Without any error within the tasks the prior of omega is 1/omega: the t-test of the task differences.
    z = np.random.default_rng(0).normal([0.0, 0.3], 1.0, size=(9, 2))
    joint = bayes.joint_tasks([row[None] for row in z])
    assert distance(joint.pair(1, 0), bayes.t(z[:, 1] - z[:, 0])) < 1.95
    two = bayes.joint_tasks([row[None] for row in z[:2]])
    assert distance(two.pair(1, 0), bayes.t(z[:2, 1] - z[:2, 0])) < 1.95


def test_pooled_with_one_number_a_task_is_joint_over_tasks() -> None:
    z = np.random.default_rng(0).normal([0.0, 0.3, 0.5, 0.8], 1.0, size=(9, 4))
    tasks = bayes.joint_tasks([row[None] for row in z], draws=40_000)
    once = bayes.joint(z, draws=40_000)
    assert once.model == "pooled"
    assert tasks.model == "tasks, pooled"
    assert tasks.p_best == pytest.approx(once.p_best, abs=5 * np.sqrt(2) * once.error)
    assert tasks.mean == pytest.approx(once.mean, abs=0.01)
    q = [0.025, 0.25, 0.5, 0.75, 0.975]
    assert tasks.pair(3, 0).quantile(q) == pytest.approx(once.pair(3, 0).quantile(q), abs=0.03)
    assert tasks.interval(0.9) == pytest.approx(once.interval(0.9), abs=0.03)


def test_tasks_that_are_known_exactly_where_models_do_not_vary_between_tasks() -> None:
    # omega is bounded by the data: many tasks with the same differences, so the answer is that of all units
    # together, with their number of tasks.
    mu = np.array([0.0, 0.1])
    tasks = world(60, 40, mu, omega=0.0, noise=0.3)
    joint = bayes.joint_tasks(tasks)
    d = np.concatenate([t[:, 1] - t[:, 0] for t in tasks])
    assert joint.pair(1, 0).mean == pytest.approx(d.mean(), abs=0.005)
    assert joint.pair(1, 0).sd == pytest.approx(d.std() / np.sqrt(d.size), rel=0.2)


def test_two_models_beside_the_hierarchical_t() -> None:
    # There the task effects are Student and sigma0 is flat; here they are normal and omega has 1/omega beyond
    # the error. A flat prior is worth one degree of freedom less, 1/78 of the sd with 40 tasks; Student ones
    # weigh outlying tasks less, which moves the mean by a fraction of its standard error. Of four such worlds
    # the means were 0.11 sd apart at most, the sds 2 %, the probabilities 0.016.
    tasks = world(40, 50, np.array([0.0, 0.05]), omega=0.1, noise=0.2, seed=2)
    joint = bayes.joint_tasks(tasks).pair(1, 0)
    exact = bayes.hierarchical_t([t[:, 1] - t[:, 0] for t in tasks]).mean_advantage
    assert abs(joint.mean - exact.mean) < 0.2 * exact.sd
    assert joint.sd == pytest.approx(exact.sd, rel=0.05)
    assert float(joint.sf(0.0)) == pytest.approx(float(exact.sf(0.0)), abs=0.03)


def test_sums_are_enough() -> None:
    tasks = world(5, 20, np.array([0.0, 0.1, 0.2]))
    tasks[2][:, 1] = np.nan
    sums = [CrossSums.of(t, missing=True) for t in tasks]
    assert np.array_equal(bayes.joint_tasks(sums).draws, bayes.joint_tasks(tasks).draws)


@pytest.mark.parametrize("n_tasks", [6, 40])
@pytest.mark.few(1)
def test_permuting_models_and_tasks(n_tasks: int) -> None:
    tasks = world(n_tasks, 20, np.linspace(0, 0.5, 5))
    tasks[1][:, 3] = np.nan
    one = bayes.joint_tasks(tasks, draws=500)
    order = [3, 1, 4, 0, 2]
    other = bayes.joint_tasks([t[:, order] for t in tasks], draws=500)
    assert other.draws == pytest.approx(one.draws[:, order], abs=1e-6)
    assert bayes.joint_tasks(tasks[::-1], draws=500).draws == pytest.approx(one.draws, abs=1e-6)
    assert bayes.joint_tasks([100 * t + 7 for t in tasks], draws=500).draws == pytest.approx(
        100 * one.draws + 7, abs=1e-4
    )


@pytest.mark.parametrize("n_tasks", [6, 40])
def test_identical_models_tie(n_tasks: int) -> None:
    tasks = world(n_tasks, 20, np.linspace(0, 0.2, 3))
    twice = bayes.joint_tasks([t[:, [0, 2, 1, 2]] for t in tasks])
    assert np.array_equal(twice.draws[:, 1], twice.draws[:, 3])
    assert 2 * twice.p_best[1] == pytest.approx(bayes.joint_tasks(tasks).p_best[2])
    same = bayes.joint_tasks([t[:, [0, 0, 0]] for t in tasks])
    assert same.p_best == pytest.approx(1 / 3)


def test_models_that_answer_alike_on_some_tasks() -> None:
    # Differences of zero without any spread on several tasks must not make omega zero.
    tasks = world(8, 30, np.array([0.0, 0.1, 0.2]), omega=0.2)
    for t in tasks[:4]:
        t[:, 1] = t[:, 0]
    for t in tasks[4:6]:
        t[:, 1] = t[:, 2] = t[:, 0]
    joint = bayes.joint_tasks(tasks)
    assert np.isfinite(joint.draws).all()
    # The mean over 8 tasks whose effects vary by 0.2: 0.2 sqrt(2/8) = 0.1 for one pair; half of it at least.
    assert bayes.joint_tasks(tasks, pooling=False).alone(2, 0).sd > 0.05


def test_tasks_that_all_say_the_same_are_certain() -> None:
    joint = bayes.joint_tasks([np.tile([0.1, 0.2, 0.4], (5, 1)) + t for t in range(3)])
    assert joint.p_best == pytest.approx([0, 0, 1])
    assert joint.pair(2, 0).interval(0.99) == pytest.approx((0.3, 0.3))


@given(
    seed=st.integers(0, 10_000),
    shape=st.tuples(st.integers(2, 5), st.integers(2, 4)),
    values=st.sampled_from([(0.0, 1.0), (0.5,), (-1e-9, 1e9, 3.0)]),
    rho=st.sampled_from([0.0, 0.5]),
    pooling=st.sampled_from(["auto", True, False]),
)
@example(seed=6733, shape=(2, 3), values=(-1e-9, 1e9, 3.0), rho=0.0, pooling="auto")  # ends without variance
def test_any_tables_get_an_answer_or_an_error_of_ours(
    seed: int, shape: tuple[int, int], values: tuple[float, ...], rho: float, pooling: bool
) -> None:
    rng = np.random.default_rng(seed)
    tasks = [rng.choice(values, size=(rng.integers(1, 5), shape[1])) for _ in range(shape[0])]
    for task in tasks:
        task[:, rng.random(shape[1]) < 0.2] = np.nan
    try:
        joint = bayes.joint_tasks(tasks, rho=rho, pooling=pooling, draws=50)
    except RopewalkError:
        return
    assert np.isfinite(joint.draws).all()
    assert np.isfinite(joint.mean).all()
    assert joint.p_best.sum() == pytest.approx(1.0)


@pytest.mark.proof
def test_the_practically_best_set_holds_one_at_the_stated_rate() -> None:
    # 80 worlds drawn from the model, two cells missing. If the rate were 0.95, 70 hits or fewer would come
    # once in 153 times.
    rng = np.random.default_rng(0)
    hits, sizes, r, k = 0, [], 0.02, 6
    for seed in range(80):
        mu = rng.normal(0, 0.1, k)
        tasks = world(8, 30, mu, omega=0.1, noise=0.3, seed=1000 + seed)
        tasks[0][:, rng.integers(k)] = np.nan
        tasks[1][:, rng.integers(k)] = np.nan
        members = bayes.joint_tasks(tasks, draws=500, rng=seed).practically_best(r)
        hits += mu[list(members)].max() >= mu.max() - r
        sizes.append(len(members))
    assert hits >= 71
    assert np.mean(sizes) < 0.9 * k


def test_bad_tasks() -> None:
    good = world(3, 5, np.zeros(3))
    with pytest.raises(DataError, match=r"1 task given, at least 2 needed\n\n  For a single task use joint"):
        bayes.joint_tasks(good[:1])
    with pytest.raises(DataError, match="task 0 has 3 models and task 1 has 2"):
        bayes.joint_tasks([good[0], good[1][:, :2]])
    hole = good[1].copy()
    hole[2, 1] = np.nan
    with pytest.raises(
        CellError, match=r"task 1: 1 of 15 cells are NaN or infinite\n\n  unit 2, model 1: nan"
    ):
        bayes.joint_tasks([good[0], hole])
    with pytest.raises(OptionError, match="rho has 2 values for 3 tasks"):
        bayes.joint_tasks(good, rho=[0.1, 0.1])
    with pytest.raises(OptionError, match=r"rho is \[0.1, 0.1, 1.0\]"):
        bayes.joint_tasks(good, rho=[0.1, 0.1, 1.0])
    with pytest.raises(DataError, match="fewer than 2 tasks have any score"):
        bayes.joint_tasks([good[0], np.full((5, 3), np.nan)])


def test_it_scales() -> None:
    # 100 models, 50 tasks: a second or so; the limit allows for slow and busy machines.
    import time

    k = 100
    tasks = [CrossSums.of(t) for t in world(50, 1000, np.zeros(k))]
    start = time.process_time()
    joint = bayes.joint_tasks(tasks)
    assert isinstance(joint, JointPosterior)
    assert time.process_time() - start < 30
