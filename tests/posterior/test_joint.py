"""The summaries of joint draws against counting by loops, and against each other."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ropewalk.errors import OptionError
from ropewalk.posterior.joint import JointPosterior

# Small whole numbers: many ties.
tables = arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(0, 4))


def ranks_by_counting(draws: np.ndarray) -> np.ndarray:
    """Every order of the models that the draw allows, all equally likely."""
    k = draws.shape[1]
    total = np.zeros((k, k))
    for x in draws:
        allowed = [p for p in permutations(range(k)) if all(x[a] >= x[b] for a, b in pairwise(p))]
        for p in allowed:
            total[list(p), range(k)] += 1 / len(allowed)
    return total / len(draws)


@given(draws=tables)
@settings(max_examples=60)
def test_ranks_are_those_of_all_orders_with_ties_shared(draws: np.ndarray) -> None:
    joint = JointPosterior.of(draws)
    assert joint.ranks == pytest.approx(ranks_by_counting(draws), abs=1e-12)


@given(draws=tables, r=st.integers(0, 3), level=st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=60)
def test_nothing_contradicts_anything(draws: np.ndarray, r: int, level: float) -> None:
    joint = JointPosterior.of(draws)
    within, members = joint.p_within(r), joint.practically_best(r, level=level)
    best = draws.max(axis=1)
    assert joint.p_best.sum() == pytest.approx(1.0, abs=1e-14)
    assert joint.p_best == pytest.approx(joint.ranks[:, 0], abs=1e-12)
    assert joint.ranks.sum(axis=0) == pytest.approx(1.0)
    assert joint.ranks.sum(axis=1) == pytest.approx(1.0)
    assert within == pytest.approx([(x >= best - r).mean() for x in draws.T])
    assert np.all(within >= joint.p_best - 1e-12)
    # The set holds a practically best model at the level; without its last members (they tie) it would not,
    # unless these are practically best on their own.
    assert (draws[:, members].max(axis=1) >= best - r).mean() >= level - 1e-12
    assert np.all(np.diff(within[list(members)]) <= 0)
    assert set(np.flatnonzero(within >= level)) <= set(members)
    outside = set(range(joint.n_models)) - set(members)
    assert all(within[i] < within[list(members)].min() for i in outside)
    fewer = [i for i in members if within[i] > within[members[-1]] + 1e-12]
    if within[members[-1]] < level - 1e-12:
        assert not fewer or (draws[:, fewer].max(axis=1) >= best - r).mean() < level
    first, last = joint.rank_interval(level).T
    for i in range(joint.n_models):
        below = np.concatenate([[0.0], np.cumsum(joint.ranks[i])])
        assert below[first[i] - 1] <= (1 - level) / 2 + 1e-9 < below[first[i]] + 2e-9
        assert below[last[i] - 1] < (1 + level) / 2 <= below[last[i]] + 1e-9


def test_pairs_means_and_intervals_come_from_the_same_draws() -> None:
    draws = np.random.default_rng(0).normal([0.0, 1.0, 2.0], 1.0, size=(4000, 3))
    joint = JointPosterior.of(draws)
    assert joint.mean == pytest.approx(draws.mean(axis=0))
    assert joint.pair(2, 0).mean == pytest.approx(joint.mean[2] - joint.mean[0])
    assert float(joint.pair(-1, 0).sf(0.0)) == pytest.approx(np.mean(draws[:, 2] > draws[:, 0]), abs=1e-12)
    assert joint.interval(0.9)[1] == pytest.approx(np.quantile(draws[:, 1], [0.05, 0.95]))
    assert joint.error == pytest.approx(np.sqrt(max(q * (1 - q) for q in joint.p_best) / 4000))
    assert JointPosterior.of(draws, effective_size=40).error == pytest.approx(10 * joint.error)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = np.random.default_rng(0).integers(0, 5, size=(50, 4)).astype(float)
    whole = JointPosterior.of(draws)
    expected = whole.p_best, whole.ranks, whole.p_within(1), whole.practically_best(1)
    monkeypatch.setattr("ropewalk.posterior.joint._AT_ONCE", 12)
    parts = JointPosterior.of(draws)
    assert parts.p_best == pytest.approx(expected[0], abs=1e-14)
    assert parts.ranks == pytest.approx(expected[1], abs=1e-14)
    assert parts.p_within(1) == pytest.approx(expected[2], abs=1e-14)
    assert parts.practically_best(1) == expected[3]


def test_identical_models_are_practically_best_together() -> None:
    x = np.random.default_rng(0).normal(size=(1000, 2))
    joint = JointPosterior.of(x[:, [0, 1, 0]])
    assert joint.p_best[0] == joint.p_best[2]
    assert set(joint.practically_best(0.0)) == {0, 1, 2}


def test_an_edge_that_is_met_on_paper_is_met() -> None:
    assert JointPosterior.of([[0.9, 0.89]]).p_within(0.01) == pytest.approx([1.0, 1.0])
    assert JointPosterior.of([[0.9, 0.89]]).p_within((-0.01, 0.05)) == pytest.approx([1.0, 1.0])


def test_one_draw_is_not_certain() -> None:
    assert JointPosterior.of([[1.0, 0.0]] * 100).error == 0.01


def test_answers_cannot_be_changed() -> None:
    joint = JointPosterior.of([[1.0, 0.0]])
    with pytest.raises(ValueError, match="read-only"):
        joint.p_best[0] = 0.5


def test_an_interval_within_what_a_metric_can_be() -> None:
    # By hand: of 0, 0.01, ..., 1.5 those up to 1 are left; of the second model nothing is.
    x = np.column_stack([np.arange(151) / 100, np.full(151, 2.0)])
    joint = JointPosterior.of(x)
    assert joint.interval(0.5)[0].tolist() == pytest.approx([0.375, 1.125])
    assert joint.interval(0.5, within=(0.0, 1.0)).tolist() == [pytest.approx([0.25, 0.75]), [1.0, 1.0]]


def test_bad_questions() -> None:
    joint = JointPosterior.of([[1.0, 0.0]])
    with pytest.raises(OptionError, match="one row per draw and one column per model"):
        JointPosterior.of([1.0, 2.0])
    with pytest.raises(OptionError, match="must be finite numbers"):
        JointPosterior.of([[1.0, np.nan]])
    with pytest.raises(OptionError, match="3 means given for 2 models"):
        JointPosterior.of([[1.0, 2.0]], mean=[1.0, 2.0, 3.0])
    with pytest.raises(OptionError, match=r"there is no model 2\n\n  There are 2 models"):
        joint.pair(0, 2)
    for rope in (-0.1, np.nan, np.inf, (0.1, 0.2)):
        with pytest.raises(OptionError, match=r"the ROPE is .*\n\n  Give a half width >= 0"):
            joint.p_within(rope)
    for ask in (joint.interval, joint.rank_interval, lambda level: joint.practically_best(0.1, level=level)):
        with pytest.raises(OptionError, match="level is 1"):
            ask(1.0)
