"""The hierarchical McNemar test against Williams 2026, who proposes it, a dense grid, and its prior."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, betaincc, betaln, expit

from ropewalk.bayes.hierarchical_mcnemar import HierarchicalMcNemar, hierarchical_mcnemar
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from tests.bayes.hierarchies import three

Table1 = dict[str, tuple[int, int, int, int]]


@pytest.fixture(scope="module")
def fitted(table_1: Table1) -> HierarchicalMcNemar:
    return hierarchical_mcnemar([row[1] for row in table_1.values()], [row[2] for row in table_1.values()])


def test_williams_table_1(fitted: HierarchicalMcNemar) -> None:
    # Williams 2026: mean of phi_next 0.521; 0.053 / 0.737 / 0.210 by sampling. By quadrature: as below.
    assert fitted.phi_next.mean == pytest.approx(0.521, abs=5e-4)
    regions = fitted.next_task()
    assert three(regions.mean) == pytest.approx((0.0525, 0.7355, 0.2119), abs=1e-3)
    assert max(regions.error, fitted.error) < 1e-4
    assert fitted.n_tasks == 11
    # Williams 2026: log(a + b) varies between 3 and 8 around 5.28, which is its median.
    in_y = np.exp(fitted.log_posterior - fitted.log_posterior.max()).sum(axis=1)
    below = np.cumsum(in_y) / in_y.sum() - 0.5 * in_y / in_y.sum()
    assert np.interp(0.5, below, fitted.log_size) == pytest.approx(5.28, abs=0.05)
    assert np.diff(np.interp([3.0, 8.0], fitted.log_size, below))[0] > 0.9


def dense(n01: list[int], n10: list[int], x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """Weights, a and b on a dense lattice of (y, x), with SciPy's betaln alone."""
    k = np.exp(y)[:, None]
    a, b = k * expit(x), k * expit(-x)
    f = -0.5 * y[:, None] + np.log(expit(x) * expit(-x))
    for i, j in zip(n01, n10, strict=True):
        f = f + betaln(a + i, b + j) - betaln(a, b)
    w = np.exp(f - f.max())
    return w / w.sum(), a, b


@pytest.mark.parametrize(
    ("n01", "n10", "reach"),
    [
        ([63, 159, 175, 44], [66, 198, 149, 46], (2.5, -3.0, 24.0)),
        ([0, 5, 2, 9], [4, 0, 3, 1], (9.0, -16.0, 22.0)),
    ],
)
@pytest.mark.few(1)
def test_a_dense_grid_agrees(n01: list[int], n10: list[int], reach: tuple[float, float, float]) -> None:
    half, bottom, top = reach
    x = np.linspace(-half, half, 1000)
    w, a, b = dense(n01, n10, x, np.linspace(bottom, top, 200))
    capped = np.minimum(1.0, 1e5 / (a + b))  # a narrower Beta makes no difference, and takes long
    a, b = a * capped, b * capped
    m = float(np.sum(w * a / (a + b)))
    fitted = hierarchical_mcnemar(n01, n10)
    assert fitted.phi_next.mean == pytest.approx(m, abs=2e-5)
    for low, high in ((0.45, 0.55), (0.3, 0.6)):
        better, worse = betainc(a, b, low), betaincc(a, b, high)
        theta = np.stack([better, 1 - better - worse, worse])
        regions = fitted.next_task((low, high))
        assert three(regions.mean) == pytest.approx(np.sum(w * theta, axis=(1, 2)), abs=2e-4)
        largest = [float(np.sum(w[theta.argmax(axis=0) == k])) for k in range(3)]
        # The dense grid cuts the regions along its own cells.
        assert three(regions.most_probable) == pytest.approx(largest, abs=0.004)
        assert regions.weights @ regions.points == pytest.approx(three(regions.mean), abs=0.002)
    # Task 1, given (a, b), is Beta(a + n01, b + n10).
    posterior = fitted.task(1)
    exact = [float(np.sum(w * betainc(a + n01[1], b + n10[1], x))) for x in (0.3, 0.5, 0.7)]
    assert posterior.cdf([0.3, 0.5, 0.7]) == pytest.approx(exact, abs=2e-4)
    pull = [float(np.sum(w * (a + b) / (a + b + n01[i] + n10[i]))) for i in range(4)]
    assert fitted.shrinkage == pytest.approx(pull, abs=5e-4)


def test_the_default_rope_is_that_of_p1(fitted: HierarchicalMcNemar) -> None:
    m = fitted.phi_next.mean
    half = 0.1 * np.sqrt(m * (1 - m))
    given_pair = fitted.next_task((0.5 - half, 0.5 + half))
    assert three(given_pair.mean) == three(fitted.next_task().mean)
    assert given_pair.mean.better == pytest.approx(float(fitted.phi_next.cdf(0.5 - half)), abs=1e-6)


def test_tasks_are_pulled_together(fitted: HierarchicalMcNemar, table_1: Table1) -> None:
    i = list(table_1).index("tr-en")
    _, n01, n10, _ = table_1["tr-en"]
    assert 0.55 < fitted.task(i).mean < n01 / (n01 + n10)
    assert fitted.task(i).sd < fitted.phi_next.sd
    assert np.all((fitted.shrinkage > 0) & (fitted.shrinkage < 1))


def test_tasks_without_disagreement_carry_no_information() -> None:
    some = hierarchical_mcnemar([5, 12, 7], [8, 9, 7])
    more = hierarchical_mcnemar([0, 5, 12, 0, 7], [0, 8, 9, 0, 7])
    assert three(more.next_task().mean) == pytest.approx(three(some.next_task().mean), abs=1e-12)
    # Such a task is a next task.
    assert more.task(0).mean == pytest.approx(some.phi_next.mean, abs=1e-12)
    assert more.shrinkage[0] == pytest.approx(1.0)


def test_one_task_is_enough_if_both_models_make_mistakes() -> None:
    # Proper, because the likelihood goes to zero as a + b: see the derivation in the docstring.
    fitted = hierarchical_mcnemar([30], [20])
    x = np.linspace(-12, 12, 1200)
    w, a, b = dense([30], [20], x, np.linspace(-30, 27, 400))
    assert fitted.phi_next.mean == pytest.approx(float(np.sum(w * a / (a + b))), abs=5e-4)
    assert sum(three(fitted.next_task().most_probable)) == pytest.approx(1.0)


counts = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=6).filter(
    lambda pairs: any(i > 0 and j > 0 for i, j in pairs)
)


@settings(max_examples=3)
@given(counts)
def test_laws(pairs: list[tuple[int, int]]) -> None:
    n01, n10 = np.array(pairs).T
    fitted = hierarchical_mcnemar(n01, n10)
    regions = fitted.next_task((0.4, 0.6))
    mirrored = hierarchical_mcnemar(n10, n01).next_task((0.4, 0.6))
    other_order = hierarchical_mcnemar(n01[::-1], n10[::-1]).next_task((0.4, 0.6))
    for reading in ("mean", "most_probable"):
        p = three(getattr(regions, reading))
        assert np.isfinite(p).all()
        assert sum(p) == pytest.approx(1.0, abs=1e-9)
        assert three(getattr(mirrored, reading).mirrored) == pytest.approx(p, abs=3e-4)
        assert three(getattr(other_order, reading)) == pytest.approx(p, abs=1e-9)
    assert np.isfinite([*fitted.phi_next.hdi(), *fitted.task(0).interval(), regions.error]).all()


@pytest.mark.parametrize(
    ("n01", "n10", "error", "text"),
    [
        ([0, 0], [0, 0], MethodError, "the two models agree on every example of every task"),
        ([5, 0], [0, 3], MethodError, "on every task only one of the two models makes mistakes"),
        ([7], [0], MethodError, "on every task only one of the two models makes mistakes"),
        ([1, 2], [1], DataError, "n01 has 2 tasks and n10 has 1"),
        ([1, -2], [1, 2], CellError, "1 of 2 values of n01 are not counts"),
        ([1, 2], [1.5, np.nan], CellError, "2 of 2 values of n10 are not counts"),
        ([[1, 2]], [1, 2], DataError, "n01 has 2 dimensions, 1 was expected"),
        (["a"], [1], DataError, "n01 is not a list of numbers"),
    ],
)
def test_errors(n01: list, n10: list, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        hierarchical_mcnemar(n01, n10)


def test_errors_of_options(fitted: HierarchicalMcNemar) -> None:
    with pytest.raises(OptionError, match="tolerance is 0"):
        hierarchical_mcnemar([1], [1], tolerance=0)
    for rope in (0.05, (0.4, 1.2), (0.6, 0.4), (0.5,)):
        with pytest.raises(OptionError, match="the ROPE is"):
            fitted.next_task(rope)  # type: ignore[arg-type]  # a half width has no meaning on phi
    with pytest.raises(OptionError, match="there is no task 11"):
        fitted.task(11)
