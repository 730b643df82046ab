"""The surface that the hierarchical t is integrated over, against a dense grid."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.special import stdtr
from scipy.stats import gamma as gamma_distribution

from ropewalk.bayes.hierarchical_t import HierarchicalT, hierarchical_t
from tests.bayes.hierarchies import three


def test_many_ropes_at_once_are_what_each_is_by_itself(twelve_tasks: HierarchicalT) -> None:
    """Oracle: `next_task`, one ROPE at a time; also none, one-sided ones, and some with kinks everywhere."""
    low = -np.array([0.0, 0.0, 1e-4, 0.003, 0.01, 0.01, 0.02, 0.05, 0.3])
    high = np.array([0.0, 0.01, 1e-4, 0.003, 0.01, 0.02, 0.02, 0.05, 0.3])
    one_by_one = [twelve_tasks.next_task((a, b)).most_probable for a, b in zip(low, high, strict=True)]
    together = twelve_tasks.most_probable(low, high)
    assert together == pytest.approx(np.array([[p.better, p.worse] for p in one_by_one]).T, abs=1e-9)
    assert np.ptp(together[0]) > 0.5


def test_points_are_those_of_the_readings(twelve_tasks: HierarchicalT) -> None:
    regions = twelve_tasks.next_task((-0.02, 0.01))
    np.testing.assert_array_equal(twelve_tasks.points(-0.02, 0.01, 4000), regions.points)
    assert twelve_tasks.points(-0.02, 0.01, 50).shape == (50, 3)


def dense(tasks: list[np.ndarray], rope: float) -> np.ndarray:
    """Both readings by brute force: sums over a dense lattice of (mu0, log sigma0, log(nu - 1)).

    Both Students are mixtures of normals over gamma variables, here on equally spaced logarithms. The
    likelihood of a task depends on |mu0 - loc| alone, and is tabulated for each sigma0 and nu. mu0 has
    points close together around every task. All tasks have the same scale and number of units.
    """
    n, loc = tasks[0].size, np.array([d.mean() for d in tasks])
    scale = np.sqrt(tasks[0].var() / (n - 2))
    bound = 10 * np.max(np.abs(loc) + tasks[0].std(ddof=1))
    top = np.log(1000 * max(loc.std(ddof=1), scale))
    x = np.arange(top - 0.125, np.log(scale) - 7, -0.25)  # the middles of cells up to the bound of sigma0
    y = np.arange(-10.0, 5.6, 0.5)
    a, b = np.arange(0.5125, 5.0, 0.025), np.arange(0.0525, 0.15, 0.005)[:, None]  # the middles of cells
    in_y = gamma_distribution.pdf(np.exp(y)[:, None, None], a, scale=1 / b).mean(axis=(1, 2)) * np.exp(y)
    # For nu closer to 1 the likelihood no longer changes: all of that is put on the first y.
    in_y[0] = gamma_distribution.cdf(np.exp(y[0] + 0.25), a, scale=1 / b).mean() / 0.5
    grid = np.sinh(np.linspace(-12, 12, 481))
    mu = 0.03 * scale * np.unique(np.concatenate([np.round((m / scale + grid) / 0.03) for m in loc]))
    mu = np.concatenate([[-bound], mu[np.abs(mu) < bound], [bound]])
    w_mu = 0.5 * (np.diff(mu, append=bound) + np.diff(mu, prepend=-bound))
    at = scale * np.sinh(np.linspace(0, np.arcsinh(2 * bound / scale), 110))
    place = np.arcsinh(np.abs(mu - loc[:, None]) / scale)

    def mixing(df: float, step: float, low: float) -> tuple[np.ndarray, np.ndarray]:
        v = np.arange(low, 4.5 if df < 4 else 2.2, step)
        return np.exp(v), step * gamma_distribution.pdf(np.exp(v), df / 2, scale=2 / df) * np.exp(v)

    kappa, w = mixing(n - 2, 0.3, -4.0)
    rows = []
    for j, nu in enumerate(1 + np.exp(y)):
        lam, v = mixing(nu, min(0.5, 0.6 / np.sqrt(nu)), -30 / np.sqrt(nu))
        for log_sigma in x:
            variance = np.exp(2 * log_sigma) / lam[:, None] + scale**2 / kappa
            f = np.exp(-0.5 * at[:, None, None] ** 2 / variance) / np.sqrt(variance)
            log_f = np.log(np.einsum("akl,k,l->a", f, v, w) + 1e-300)
            spline = CubicSpline(np.arcsinh(at / scale), log_f)
            rows.append((log_sigma + np.log(in_y[j]) + spline(place).sum(axis=0), np.exp(log_sigma), nu))
    peak, out = max(float(log_p.max()) for log_p, _, _ in rows), np.zeros(6)
    for log_p, sigma, nu in rows:
        p = np.exp(log_p - peak) * w_mu
        if p.sum() > 1e-12 * scale:
            better, worse = stdtr(nu, (mu - rope) / sigma), stdtr(nu, (-rope - mu) / sigma)
            theta = np.stack([better, 1 - better - worse, worse])
            out += [*(theta @ p), *(p[theta.argmax(axis=0) == k].sum() for k in range(3))]
    return 2 * out / out.sum()


Z = np.array([-1.5, -1, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 1, 1.5])
Z = (Z - Z.mean()) / Z.std(ddof=1)


NEAR = [0.0, 4e-4, -4e-4, 8e-4, -8e-4, 2e-4]


@pytest.mark.parametrize(
    ("means", "sd"),
    [
        ([*NEAR, 0.2, -0.3, 0.25], 0.005),
        pytest.param([*NEAR[:4], 0.2, -0.3], 0.005, marks=pytest.mark.proof),
        pytest.param([*NEAR, 1.0, -2.0, 1.5], 0.001, marks=pytest.mark.proof),
        ([0.03, 0.01], 0.02),
    ],
    ids=["6 near 3 far", "4 near 2 far", "6 near 3 very far", "2 tasks"],
)
@pytest.mark.few(1)
def test_a_dense_grid_agrees(means: list[float], sd: float) -> None:
    # A narrow and a broad peak: the far tasks are outliers, or the tasks are all far from each other.
    tasks = [m + sd * Z for m in means]
    fitted = hierarchical_t(tasks)
    regions = fitted.next_task(0.01)
    assert regions.error == fitted.error <= 1e-4
    exact = dense(tasks, 0.01)
    assert three(regions.mean) == pytest.approx(exact[:3], abs=2e-4)
    assert three(regions.most_probable) == pytest.approx(exact[3:], abs=2e-3)  # it cuts along its own cells


# 121: polynomials that ring put the most probable region 3e-4 off, with 7e-5 claimed, before they were held.
@pytest.mark.parametrize("seed", [2, 121, *(pytest.param(s, marks=pytest.mark.proof) for s in (3, 7, 14))])
@pytest.mark.few(1)
def test_the_error_is_an_upper_bound_of_what_more_nodes_change(seed: int) -> None:
    # Tasks near each other and far ones, with 1 to 40 units and standard deviations from 0.001 to 0.3.
    rng = np.random.default_rng(seed)
    sd, far = 10 ** rng.uniform(-3, -0.5), 10 ** rng.uniform(-1, 0.5)
    tasks = [rng.normal(0, sd, 3)]
    for _ in range(rng.integers(1, 12)):
        centre = (
            rng.normal(0, sd * 10 ** rng.uniform(-1.5, 0.5)) if rng.random() < 0.65 else rng.normal(0, far)
        )
        tasks.append(centre + rng.normal(0, sd, rng.integers(1, 41)))
    found, finer = (hierarchical_t(tasks, tolerance=t).next_task(0.01) for t in (1e-4, 1.5e-5))
    moved = np.subtract(
        [*three(found.mean), *three(found.most_probable)], [*three(finer.mean), *three(finer.most_probable)]
    )
    assert np.max(np.abs(moved)) < found.error <= 1e-4


def test_the_error_counts_what_rings() -> None:
    # Beside the peak lies a wide panel of mu0 that the polynomials do not follow: 8e-5 of false mass, once.
    rng = np.random.default_rng(42)
    n, sd = int(rng.integers(20, 120)), 10 ** rng.uniform(-4, -1.5)
    tasks = [rng.normal(0.005, sd) + rng.normal(0, 0.028, 100) for _ in range(n)]
    found, finer = (hierarchical_t(tasks, tolerance=t).next_task(0.001) for t in (1e-4, 1.2e-5))
    moved = np.subtract(three(found.mean), three(finer.mean))
    assert np.max(np.abs(moved)) < found.error <= 1e-4


def test_the_density_of_the_mean_has_no_bumps() -> None:
    """Oracle: the integral of the surface over sigma0 and nu, by its own nodes, at points of mu0."""
    rng = np.random.default_rng(3)
    means = np.append(rng.normal(-0.5, 0.6, 30), [-16.0, -10.0, -9.0])
    fitted = hierarchical_t([rng.normal(m, 2.0, 60) for m in means], rho=0.0)
    surface, mean = fitted.surface, fitted.mean_advantage
    x = np.linspace(*mean.quantile([0.005, 0.995]), 301)
    w_y, w_x = (axis.points(8)[1] for axis in (surface.y, surface.x))
    density = np.exp(surface.mu.interpolated(surface.log_density, x / fitted.unit))
    exact = np.einsum("yxm,y,x->m", density, w_y, w_x)
    exact *= mean.pdf(x).sum() / exact.sum()
    assert mean.pdf(x) == pytest.approx(exact, rel=0.02)
