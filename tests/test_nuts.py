"""What of the NUTS cross-check runs without NumPyro: its errors and its readings.

The comparison with the exact test is in slow/test_nuts.py.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.stats import t as student

from ropewalk.errors import CellError, DataError, MethodError, MissingExtraError, OptionError
from ropewalk.nuts import NutsResult, hierarchical_t_nuts
from ropewalk.posterior.chains import effective_size, normal_scores, r_hat

TASKS = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03]]


def test_without_numpyro_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)  # importing it now raises ImportError
    with pytest.raises(MissingExtraError, match=r"needs NumPyro\n\n  pip install 'ropewalk\[nuts\]'"):
        hierarchical_t_nuts(TASKS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rho": 1.0}, "rho is 1.0"),
        ({"rho": [0.1, 0.1]}, r"rho is \[0.1, 0.1\]"),
        ({"alpha": (2.0, 1.0)}, r"alpha is \(2.0, 1.0\)"),
        ({"beta": (0.0, 1.0)}, r"beta is \(0.0, 1.0\)"),
        ({"scale": 0.03}, "scale is 0.03, but a task has the mean 0.04"),
        ({"big": 1.0}, "big is 1.0"),
        ({"draws": 3}, "draws is 3"),
        ({"warmup": 0}, "warmup is 0"),
        ({"chains": 0}, "chains is 0"),
    ],
    ids=lambda x: str(x)[:20],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        hierarchical_t_nuts(TASKS, **options)


def test_data_that_cannot_be_used() -> None:
    with pytest.raises(DataError, match="1 task given, at least 2 needed"):
        hierarchical_t_nuts(TASKS[:1])
    with pytest.raises(DataError, match="task 3: 2 differences given, at least 3 needed"):
        hierarchical_t_nuts([*TASKS, [0.1, 0.2]])
    with pytest.raises(CellError, match="task 0: 1 of 3 differences are NaN or infinite"):
        hierarchical_t_nuts([[0.1, np.nan, 0.2], *TASKS])
    with pytest.raises(MethodError, match="the scores of task 3 never vary"):
        hierarchical_t_nuts([*TASKS, [0.1, 0.1, 0.1]])


def fitted(**parameters: object) -> NutsResult:
    shape = (2, 4)
    full = {k: np.broadcast_to(np.asarray(v, dtype=float), shape) for k, v in parameters.items()}
    return NutsResult(**full, mu=np.zeros((*shape, 3)), divergences=0)


def test_both_readings_of_the_next_task() -> None:
    # Three draws in four say better, one worse; the oracle is SciPy's Student.
    mu0, sigma0, nu = np.array([0.02, 0.03, 0.04, -0.03]), 0.01, 4.0
    regions = fitted(mu0=mu0, sigma0=sigma0, nu=nu).next_task((-0.01, 0.02))
    posterior = student(nu, loc=mu0, scale=sigma0)
    assert regions.mean.better == pytest.approx(posterior.sf(0.02).mean(), rel=1e-12)
    assert regions.mean.worse == pytest.approx(posterior.cdf(-0.01).mean(), rel=1e-12)
    assert regions.most_probable.better == 0.75
    assert regions.most_probable.worse == 0.25
    assert regions.points.shape == (8, 3)
    assert regions.sample(5).shape == (5, 3)
    assert regions.error >= 1 / (8 * np.log10(8))  # the effective size is at most n log10 n


def test_the_diagnostics_name_the_worst_parameter() -> None:
    rng = np.random.default_rng(0)
    good = rng.standard_normal((2, 500))
    stuck = good + np.array([[0.0], [5.0]])
    result = NutsResult(
        mu0=good, sigma0=np.exp(stuck), nu=np.exp(good), mu=np.zeros((2, 500, 1)), divergences=0
    )
    assert result.r_hat == pytest.approx(r_hat(normal_scores(stuck)))
    assert result.effective_size == pytest.approx(effective_size(normal_scores(stuck)))
