"""The laws of test_laws.py for what stands on top: `compare`, `read`, `plan`, `gate.judge`, `cross_validate`.

A new public function of `ropewalk`, `ropewalk.gate` or `ropewalk.experiment` without an entry here fails.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ropewalk as rw
from ropewalk import experiment, gate
from ropewalk.errors import RopewalkError
from ropewalk.gate import Policy, Row, judge

HERE = {"check", "claim", "compare", "read", "plan", "gate", "judge", "cross_validate"}

numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
scores = st.lists(st.tuples(numbers, numbers), min_size=4, max_size=20).map(np.array)
outcomes = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=4, max_size=40).map(np.array)
UNITS = {"real scores": scores, "right or wrong": outcomes}


def test_every_function_is_here() -> None:
    functions = {name for name in rw.__all__ if name.islower() and callable(getattr(rw, name))}
    for room in (gate, experiment):
        functions |= {name for name in room.__all__ if inspect.isfunction(getattr(room, name))}
    assert functions == HERE


def models(z: np.ndarray, names: str = "AB") -> dict[str, list[float]]:
    return {name: list(column) for name, column in zip(names, z.T, strict=True)}


def long(each: list[np.ndarray], names: str = "AB") -> pd.DataFrame:
    rows = [
        {"task": f"task {t}", "unit": f"{t}-{u}", "model": name, "score": x}
        for t, z in enumerate(each)
        for u, row in enumerate(z)
        for name, x in zip(names, row, strict=True)
    ]
    return pd.DataFrame(rows)


def probabilities(data: Any, **options: Any) -> np.ndarray | None:
    """What is said of A against B: over all tasks where there are several, else of the one pair."""
    try:
        report = rw.compare(data, pairs=[("A", "B")], **options)
    except RopewalkError:
        return None
    found = []
    for c in (*sorted(report.comparisons, key=lambda c: c.task or ""), *report.overall):
        v = c.verdict
        found.append([v.better, v.equivalent, v.worse])
        assert "nan" not in re.findall(r"\w+", report.to_json().lower())
        assert all(0 <= test.p_value <= 1 for test in c.classical)
    p = np.array(found)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)
    return p


def agree(one: np.ndarray | None, other: np.ndarray | None, close: float = 1e-6) -> None:
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        np.testing.assert_allclose(other, one, atol=close)


@pytest.mark.parametrize("kind", UNITS)
def test_swapping_the_models_mirrors_the_verdict(kind: str) -> None:
    @settings(max_examples=10)
    @given(z=UNITS[kind])
    def holds(z: np.ndarray) -> None:
        one, other = probabilities(models(z)), probabilities(models(z[:, ::-1]))
        agree(one if one is None else one[:, ::-1], other)

    holds()


@pytest.mark.parametrize("kind", UNITS)
def test_the_order_of_units_and_of_columns_does_not_matter(kind: str) -> None:
    @settings(max_examples=10)
    @given(z=UNITS[kind], seed=st.integers(0, 100))
    def holds(z: np.ndarray, seed: int) -> None:
        other = np.random.default_rng(seed).permutation(z)
        agree(probabilities(models(z)), probabilities(models(other[:, ::-1], "BA")))

    holds()


@settings(max_examples=10)
@given(z=scores, scale=st.sampled_from([0.25, 4.0, 1024.0]))
def test_scaling_scores_and_rope_changes_nothing(z: np.ndarray, scale: float) -> None:
    # Scores between 0 and 1 are shares, right or wrong, or of a bounded metric, where a point has a size.
    z = 8 * z
    assume(np.ptp(z) > 0 and min(1.0, scale) * np.abs(z).max() > 1)
    agree(probabilities(models(z), rope=0.1), probabilities(models(scale * z), rope=0.1 * scale))


@pytest.mark.parametrize("seed", [0])
@pytest.mark.proof
def test_the_laws_over_many_tasks(seed: int) -> None:
    """The hierarchical test is a quadrature, to 1e-3; rows of the table in any order."""
    rng = np.random.default_rng(seed)
    each = [rng.normal(0.1, 0.3, (5, 2)).round(3) for _ in range(4)]
    one = probabilities(long(each), rope=0.1)
    swapped = probabilities(long([z[:, ::-1] for z in each]), rope=0.1)
    agree(one if one is None else one[:, ::-1], swapped, 2e-3)
    agree(one, probabilities(long(each).sample(frac=1, random_state=seed), rope=0.1), 2e-3)


DEGENERATE: dict[str, Any] = {
    "nothing": {},
    "one model": {"A": [0.1, 0.2]},
    "empty": {"A": [], "B": []},
    "one unit": {"A": [0.1], "B": [0.2]},
    "two units": {"A": [0.1, 0.3], "B": [0.2, 0.2]},
    "unequal": {"A": [0.1, 0.2], "B": [0.1]},
    "all equal": {"A": [0.5] * 6, "B": [0.5] * 6},
    "always the same difference": {"A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]},
    "a constant column": {"A": [0.5] * 4, "B": [0.1, 0.5, 0.3, 0.9]},
    **{
        f"with {x}": {"A": [x, 0.2, 0.4], "B": [0.1, 0.3, 0.3]}
        for x in (np.nan, np.inf, -np.inf, 1e300, 1e-300, None, "text")
    },
    "tiny": {"A": [1e-300, 2e-300, 3e-300], "B": [2e-300, 1e-300, 5e-300]},
    "no table": 7,
    "no data": None,
    "no file": "nowhere.csv",
    "an empty frame": pd.DataFrame(),
    "a frame without rows": pd.DataFrame({"model": [], "unit": [], "score": []}),
    "duplicates": pd.DataFrame({"model": list("AABB"), "unit": [1, 1, 2, 2], "score": [0.1, 0.2, 0.3, 0.4]}),
    "no common unit": pd.DataFrame(
        {"model": list("AABB"), "unit": [1, 2, 3, 4], "score": [0.1, 0.2, 0.3, 0.4]}
    ),
    "a vector": np.arange(5.0),
    "a cube": np.zeros((2, 2, 2)),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data_get_a_verdict_or_an_error(name: str) -> None:
    data = DEGENERATE[name]
    probabilities(data)
    probabilities(data, rope=0.1)
    for call in (lambda: rw.read(data), lambda: rw.plan(data, draws=50).to_json()):
        try:
            found = call()
        except RopewalkError:
            continue
        assert "nan" not in re.findall(r"\w+", str(found).lower()), found


@pytest.mark.parametrize("name", [n for n, data in DEGENERATE.items() if isinstance(data, dict)])
def test_the_gate_decides_or_refuses(name: str) -> None:
    sides = [*DEGENERATE[name].values(), None, None][:2]
    try:
        decision = judge(*sides, Policy(margin=0.01))
    except RopewalkError:
        return
    assert decision.name in ("pass", "fail", "undecided")
    assert "nan" not in re.findall(r"\w+", str(decision.rows).lower())


@settings(max_examples=10)
@given(z=scores)
def test_the_gate_is_one_sided_and_does_not_know_the_order(z: np.ndarray) -> None:
    """Of two models at most one is worse than the other by more than the margin."""

    def name(baseline: np.ndarray, candidate: np.ndarray) -> str | None:
        try:
            return judge(list(baseline), list(candidate), Policy(margin=0.01)).name
        except RopewalkError:
            return None

    a, b = z.T
    assert (name(a, b), name(b, a)) != ("fail", "fail")
    assert name(a, b) == name(a[::-1], b[::-1])
    assert name(a, a) != "fail"


def test_the_same_seed_gives_the_same_bytes() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=(31, 3))
    data = models(z, "ABC")
    assert rw.compare(data, rng=3).to_json() == rw.compare(data, rng=3).to_json()
    assert rw.plan(data, draws=50, rng=3).to_json() == rw.plan(data, draws=50, rng=3).to_json()
    assert rw.read(data).sums("A", "B") == rw.read(data).sums("A", "B")

    def gated() -> tuple[Row, ...]:
        told = {"higher_is_better": True, "rho": 0.0}
        return judge(data["A"], data["B"], Policy(margin=0.1), **told, rng=3).rows

    assert gated() == gated()


def test_cross_validation_is_the_same_for_the_same_seed_whatever_the_order_of_the_models() -> None:
    pytest.importorskip("sklearn")
    from sklearn.dummy import DummyClassifier
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.repeat([0, 1], 30)
    algorithms = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}

    def answer(names: list[str], seed: int) -> list[float]:
        found = experiment.cross_validate(
            {name: algorithms[name] for name in names}, {"set": (X, y)}, design="2x3cv", seed=seed
        )
        (c,) = found.compare(metric="accuracy", rope=0.01, pairs=[("tree", "dummy")]).comparisons
        return [c.verdict.better, c.verdict.equivalent, c.verdict.worse]

    one = answer(["tree", "dummy"], 1)
    assert one == answer(["tree", "dummy"], 1) == answer(["dummy", "tree"], 1)
    assert one != answer(["tree", "dummy"], 2)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((0, 2)), []),
        (np.zeros((1, 2)), [0]),
        (np.zeros((20, 2)), [0] * 20),
        (np.full((20, 2), np.nan), [0, 1] * 10),
        (np.full((20, 2), np.inf), [0, 1] * 10),
        (np.zeros((20, 2)), [0] * 19),
        (None, None),
        ([[1, 2], [3]] * 10, [0, 1] * 10),
    ],
    ids=["empty", "one row", "one class", "nan", "inf", "unequal", "nothing", "no table"],
)
def test_data_sets_that_no_algorithm_can_learn(X: Any, y: Any) -> None:
    pytest.importorskip("sklearn")
    from sklearn.dummy import DummyClassifier
    from sklearn.tree import DecisionTreeClassifier

    algorithms = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier()}
    try:
        report = experiment.cross_validate(algorithms, {"set": (X, y)}, design="1x3cv").compare()
    except RopewalkError:
        return
    assert "nan" not in re.findall(r"\w+", report.to_json().lower())


def test_a_check_says_the_same_of_the_same_data() -> None:
    z = np.random.default_rng(0).normal(size=(30, 2))
    assert rw.check(models(z)).to_json() == rw.check(models(z)).to_json()
    assert rw.check(models(z)).audit.paired == rw.compare(models(z)).audit.paired
