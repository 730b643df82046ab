"""Every method through the same laws, whatever it is inside. A new method without an entry here fails."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ropewalk import bayes, nhst
from ropewalk.decide import in_scores, probabilities
from ropewalk.errors import RopewalkError
from ropewalk.posterior import Probabilities

ROPE = 0.1


def of_posterior(method: Callable) -> Callable:
    return lambda d, r: probabilities(method(d), in_scores(-r, r, "given"))


# differences, half width of the ROPE -> the three probabilities
ON_DIFFERENCES: dict[str, Callable[[np.ndarray, float], Probabilities]] = {
    "t": of_posterior(bayes.t),
    "ess_t": of_posterior(lambda d: bayes.ess_t(d, n_eff=0.6 * len(d))),
    "robust_t": of_posterior(bayes.robust_t),
    "sign": lambda d, r: bayes.sign(d, r).most_probable,
    "signed_rank": lambda d, r: bayes.signed_rank(d, r, draws=4_000, rng=1).most_probable,
    "signed_rank_range": lambda d, r: bayes.signed_rank_range(d, r, draws=2_000, rng=1).at(0.0),
}
# Methods that take something else; their laws are in their own tests, named here.
ON_OTHER_DATA = {
    "bootstrap": "predictions: test_bootstrap",
    "mcnemar": "counts: test_mcnemar",
    "accuracy_difference": "counts: test_mcnemar",
    "risk": "one model only: test_risk",
    "hierarchical_t": "many tasks: test_hierarchical_t",
    "hierarchical_t_range": "many tasks: test_hierarchical_t_range",
    "hierarchical_mcnemar": "many tasks: test_hierarchical_mcnemar",
    "crossed": "seeds x examples: test_crossed",
    "joint": "many models: test_joint",
    "joint_bootstrap": "predictions of many models: test_joint_bootstrap",
    "joint_runs": "seeds x examples of many models: test_joint_runs",
    "joint_tasks": "many models, many tasks: test_joint_tasks",
    "plackett_luce": "ranks: test_plackett_luce",
    "poisson_binomial": "many tasks: test_poisson_binomial",
    "poisson_binomial_matrix": "many tasks: test_poisson_binomial",
}
MONTE_CARLO = {"signed_rank": 0.05, "signed_rank_range": 0.07}  # five standard errors of the draws above


def test_every_method_is_here() -> None:
    functions = {name for name in bayes.__all__ if callable(getattr(bayes, name)) and name.islower()}
    assert functions == set(ON_DIFFERENCES) | set(ON_OTHER_DATA)


samples = st.lists(
    st.floats(-2, 2).map(lambda x: round(x, 3)), min_size=3, max_size=25
).map(np.array)  # fmt: skip


def answer(name: str, d: np.ndarray, r: float = ROPE) -> tuple[float, float, float] | None:
    """The three probabilities, or None where the method refuses the data with an error of ours."""
    try:
        p = ON_DIFFERENCES[name](d, r)
    except RopewalkError:
        return None
    assert np.isfinite([p.better, p.equivalent, p.worse]).all()
    assert p.better + p.equivalent + p.worse == pytest.approx(1.0, abs=1e-6)
    return p.better, p.equivalent, p.worse


@pytest.mark.parametrize("name", ON_DIFFERENCES)
@given(d=samples)
@settings(max_examples=25)
def test_swapping_a_and_b_mirrors_the_answer(name: str, d: np.ndarray) -> None:
    one, other = answer(name, d), answer(name, -d)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one == pytest.approx(other[::-1], abs=MONTE_CARLO.get(name, 5e-6))


@pytest.mark.parametrize("name", ON_DIFFERENCES)
@given(d=samples, seed=st.integers(0, 100))
@settings(max_examples=15)
def test_the_order_of_the_units_does_not_matter(name: str, d: np.ndarray, seed: int) -> None:
    shuffled = np.random.default_rng(seed).permutation(d)
    one, other = answer(name, d), answer(name, shuffled)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("name", ON_DIFFERENCES)
@given(d=samples, scale=st.sampled_from([1e-3, 0.5, 4.0, 100.0, 1e6]))
@settings(max_examples=15)
def test_scaling_data_and_rope_changes_nothing(name: str, d: np.ndarray, scale: float) -> None:
    one, other = answer(name, d), answer(name, scale * d, scale * ROPE)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one == pytest.approx(other, abs=5e-6 if name == "robust_t" else 1e-9)


@pytest.mark.parametrize("name", ON_DIFFERENCES)
def test_a_better_model_is_better(name: str) -> None:
    d = np.random.default_rng(0).normal(1.0, 0.2, 20)
    p = answer(name, d)
    assert p is not None
    assert p[0] > 0.99


@pytest.mark.parametrize("name", ON_DIFFERENCES)
@pytest.mark.parametrize(
    "d",
    [
        [],
        [0.1],
        [0.0] * 10,
        [0.3] * 10,
        [np.nan, 0.1, 0.2],
        [np.inf, 0.1, 0.2],
        [1e300, -1e300, 1.0],
        [1e-300, 0, 0],
    ],
    ids=str,
)
def test_degenerate_data_get_an_answer_or_an_error_never_nan(name: str, d: list[float]) -> None:
    answer(name, np.array(d))


CLASSICAL: dict[str, Callable[[np.ndarray], nhst.TestResult]] = {
    "paired_t": nhst.paired_t,
    "quasi_f": lambda d: nhst.quasi_f(np.resize(d, (5, 2))),
    "cluster_t": lambda d: nhst.cluster_t(d, np.arange(d.size) // 2),
    "corrected_t": lambda d: nhst.corrected_t(d, rho=0.1),
    "permutation": lambda d: nhst.permutation(d, draws=500),
    "sign": nhst.sign,
    "wilcoxon": nhst.wilcoxon,
    "five_by_two_t": lambda d: nhst.five_by_two_t(np.resize(d, (5, 2))),
    "five_by_two_f": lambda d: nhst.five_by_two_f(np.resize(d, (5, 2))),
}
CLASSICAL_ON_OTHER_DATA = {
    *("mcnemar", "friedman", "nemenyi", "adjust", "anova"),
    *("delong", "bootstrap", "permutation_metric"),
    "model_confidence_set",
}


def test_every_classical_test_is_here() -> None:
    functions = {name for name in nhst.__all__ if name.islower()}
    assert functions == set(CLASSICAL) | CLASSICAL_ON_OTHER_DATA


@pytest.mark.parametrize("name", CLASSICAL)
@given(d=samples, scale=st.sampled_from([1e-3, 4.0, 100.0]))
@settings(max_examples=25)
def test_p_values_are_two_sided_and_have_no_unit(name: str, d: np.ndarray, scale: float) -> None:
    try:
        p = CLASSICAL[name](d).p_value
    except RopewalkError:
        return
    assert 0 <= p <= 1
    assert CLASSICAL[name](-d).p_value == pytest.approx(p, rel=1e-9)
    assert CLASSICAL[name](scale * d).p_value == pytest.approx(p, rel=1e-6)
