"""What the other tasks say about one task."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from ropewalk.bayes.other_tasks import Level, others
from ropewalk.bayes.student_hierarchy import Tasks

OWN = Tasks(loc=np.array([0.3]), scale=np.array([0.2]), df=np.array([7.0]))


def likelihood(mu: float, s: float) -> float:
    """The task's own likelihood of a population N(mu, s²), by quadrature."""
    student = stats.t(7, 0.3, 0.2)
    return float(quad(lambda x: stats.norm.pdf(x, mu, s) * student.pdf(x), -np.inf, np.inf, epsabs=1e-13)[0])


def level(weights: list[list[float]], s: list[float], mine: slice, scales: list[list[float]]) -> Level:
    return Level(
        s=np.array(s),
        mine=mine,
        scales=np.array(scales),
        mu=np.array([0.0, 0.5]),
        spacing=np.full(2, 0.01),
        weights=np.array(weights),
    )


def test_the_task_itself_is_taken_out_of_each_node() -> None:
    """With one scale, the weight of a node is divided by the likelihood of the task there."""
    left = others([level([[0.4, 0.6]], [0.5], slice(0, 1), [[1.0]])], OWN)
    at = [0.4 / likelihood(0.0, 0.5), 0.6 / likelihood(0.5, 0.5)]
    weight, loc = np.array(at) / sum(at), np.array([0.0, 0.5])
    assert left.cdf(0.2) == pytest.approx(float(weight @ stats.norm.cdf(0.2, loc, 0.5)), abs=1e-9)
    assert left.mean == pytest.approx(float(weight @ loc), abs=1e-9)


def test_a_node_is_divided_once_for_all_its_scales() -> None:
    """With two scales in two levels, a node's likelihood is their average, and each level keeps its share."""
    scales = [[0.25, 0.75]]
    wide = level([[0.4, 0.6]], [0.1, 0.5], slice(1, 2), scales)
    narrow = level([[0.4, 0.6]], [0.1, 0.5], slice(0, 1), scales)
    left = others([wide, narrow], OWN)
    f = [0.25 * likelihood(mu, 0.1) + 0.75 * likelihood(mu, 0.5) for mu in (0.0, 0.5)]
    node = np.array([0.4, 0.6]) / f
    cdf = sum(
        node[k] * share * stats.norm.cdf(0.2, mu, s)
        for k, mu in enumerate((0.0, 0.5))
        for share, s in ((0.25, 0.1), (0.75, 0.5))
    )
    assert left.cdf(0.2) == pytest.approx(float(cdf / node.sum()), abs=1e-9)


def test_normals_are_no_narrower_than_the_distance_of_nodes_allows() -> None:
    coarse = Level(
        s=np.array([1e-6]),
        mine=slice(0, 1),
        scales=np.array([[1.0]]),
        mu=np.array([0.3]),
        spacing=np.array([0.1]),
        weights=np.array([[1.0]]),
    )
    assert others([coarse], OWN).sd == pytest.approx(0.08)


def test_nodes_where_the_task_cannot_be_are_left_out() -> None:
    """A likelihood that vanishes divides nothing."""
    sure = Tasks(loc=np.array([0.5]), scale=np.array([1e-3]), df=np.array([1e9]))
    left = others([level([[0.5, 0.5]], [1e-3], slice(0, 1), [[1.0]])], sure)
    assert left.mean == pytest.approx(0.5)
    assert left.sd == pytest.approx(0.008)
