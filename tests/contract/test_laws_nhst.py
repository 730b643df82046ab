"""Every test of `nhst` through the laws of test_laws.py. A new test without an entry here fails.

A two-sided p-value does not change when A and B are swapped; the statistic changes its sign, or stays as it
is, or becomes what the swapped data have (`statistic`). With many models whatever there is of each of them
(ranks, effects, p-values) is permuted with them. No number of a result is ever NaN, and every p-value is in
[0, 1].
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ropewalk import nhst
from ropewalk.errors import RopewalkError

Data = Any
Result = Any
Rng = np.random.Generator

COUNTS_HAVE_NO_UNIT = "counts have no unit"


@dataclass(frozen=True, kw_only=True)
class Law:
    """`swap` gives the data with A and B swapped, or with the models in another order."""

    data: st.SearchStrategy[Data]
    test: Callable[[Data, int], Result]
    models: Callable[[Data], int] = lambda _: 0
    swap: Callable[[Data, np.ndarray], Data] | str
    statistic: Callable[[Result], float] = lambda r: -r.statistic  # of the swapped data, from this result
    of_each: tuple[str, ...] = ()  # what has an entry for each model
    order: Callable[[Data, Rng], Data] | str
    scale: Callable[[Data, float], Data] | str
    broken: tuple[Data, ...]
    close: float = 1e-9
    order_close: float | None = None  # where another order draws other numbers
    infinite: tuple[str, ...] = ()  # what may be infinite, as its card says
    examples: int = 20


numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
counts = st.integers(0, 60)


def tables(rows: tuple[int, int], columns: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
    def of(shape: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
        n = shape[0] * shape[1]
        return st.lists(numbers, min_size=n, max_size=n).map(lambda x: np.array(x).reshape(shape))

    return st.tuples(st.integers(*rows), st.integers(*columns)).flatmap(of)


differences = st.lists(numbers, min_size=3, max_size=25).map(np.array)
clusters = st.lists(st.tuples(numbers, st.integers(0, 4)), min_size=4, max_size=20).map(
    lambda x: (np.array([d for d, _ in x]), np.array([c for _, c in x]))
)
units_by_models = tables((3, 8), (2, 4))
classes = st.integers(8, 30).flatmap(
    lambda n: st.tuples(st.lists(st.booleans(), min_size=n, max_size=n).map(np.array), tables((2, 2), (n, n)))
)  # the class of each example, and two scores


def mirrored(x: Any, _: np.ndarray) -> Any:
    return (-x[0], x[1]) if isinstance(x, tuple) else -x


def shuffled(x: Any, rng: Rng) -> Any:
    if not isinstance(x, tuple):
        return rng.permutation(x)
    order = rng.permutation(len(x[0]))
    return x[0][order], x[1][..., order]


def shuffled_cells(x: np.ndarray, rng: Rng) -> np.ndarray:
    return x[rng.permutation(x.shape[0])][:, rng.permutation(x.shape[1])]


def within_replications(x: np.ndarray, rng: Rng) -> np.ndarray:
    return x[rng.permutation(5)]


def times(x: Any, by: float) -> Any:
    return (by * x[0], x[1]) if isinstance(x, tuple) else by * x


def columns(x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return x[:, order]


def reach_of(d: Data) -> float:
    """A bound that grows with the data, as if their unit had changed; of what is not numbers, 1."""
    try:
        largest = 1.5 * float(np.abs(np.asarray(d, dtype=np.float64)).max(initial=0.0))
    except (TypeError, ValueError):
        return 1.0
    return largest if np.isfinite(largest) and largest > 0 else 1.0


def same(r: Result) -> float:
    return float(r.statistic)


ODD = (np.nan, np.inf, -np.inf, 1e300, 1e-300)
ROWS: tuple[Data, ...] = (
    *([], [0.1], [0.0] * 10, [0.3] * 10, [1e300, -1e300, 1.0], [1e-300, 0, 0], [1e-300, 2e-300, 3e-300]),
    *([x, 0.1, 0.2] for x in ODD),
    *([1e9, 1e9 + 1e-7, 1e9], ["a", "b", "c"], [[0.1, 0.2], [0.3, 0.4]], None),
)
TABLES: tuple[Data, ...] = (
    *([], [[]], [[0.1]], [[0.1, 0.2]], [[0.1], [0.2]], np.zeros((3, 4)), np.full((3, 4), 0.7), "text", None),
    *(np.array([[x, 0.1, 0.2], [0.3, 0.2, 0.1], [0.0, 0.2, 0.5]]) for x in ODD),
    *([[0.1, 0.2], [0.3]], np.tile([0.1, 0.2, 0.3], (4, 1)), np.tile([[0.1], [0.2], [0.3]], (1, 4))),
    *(1e-300 * np.array([[1.0, 2, 3], [3, 2, 1], [1, 3, 2]]), [0.1, 0.2, 0.3]),
    1e300 * np.array([[1.0, -1, 0.5], [-1, 1, 0.1], [0.3, 0.2, -1]]),
)
FIVE_BY_TWO: tuple[Data, ...] = (
    *TABLES,
    *(np.zeros((5, 2)), np.full((5, 2), 0.3), np.tile([[0.1, -0.1]], (5, 1)), np.zeros((5, 3))),
    *(np.vstack([[[x, 0.1]], np.arange(8).reshape(4, 2) / 10]) for x in ODD),
    *(1e300 * np.arange(-5, 5).reshape(5, 2) / 5, 1e-300 * np.arange(10).reshape(5, 2)),
)
COUNTS: tuple[Data, ...] = (
    *((0, 0), (1, 0), (0, 1), (10**12, 1), (-1, 3), (0.5, 3), (np.nan, 3), (np.inf, 3), ("a", 3), (None, 3)),
    *((10**300, 1), (1e300, 1), (1e-300, 1)),
)
PREDICTED: tuple[Data, ...] = (
    *((x, (x, x)) for x in ROWS),
    *(([0, 1, 0, 1], (x, [0.1, 0.2, 0.3, 0.4])) for x in (*ROWS, [0.5] * 4, [1e300, -1e300, 0, 1])),
    *((x, ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1])) for x in ([1, 1, 1], [0, 1, 2], [None, 0, 1], ["a", "b", "a"])),
)

ON_ROWS: dict[str, Any] = {
    "data": differences, "swap": mirrored, "order": shuffled, "scale": times, "broken": ROWS
}  # fmt: skip
ON_MODELS: dict[str, Any] = {
    "data": units_by_models,
    "models": lambda z: z.shape[1],
    "swap": columns,
    "statistic": same,
    "order": shuffled,
    "broken": TABLES,
}
ON_PREDICTIONS: dict[str, Any] = {
    "data": classes,
    "swap": lambda x, _: (x[0], x[1][::-1]),
    "order": shuffled,
    "scale": lambda x, by: (x[0], by * x[1]),
    "broken": PREDICTED,
}
FIVE: dict[str, Any] = {
    "data": tables((5, 5), (2, 2)),
    "swap": mirrored,
    "scale": times,
    "broken": FIVE_BY_TWO,
}

LAWS: dict[str, Law] = {
    "rank_sum": Law(
        data=st.tuples(differences, differences),
        test=lambda x, _: nhst.rank_sum(*x),
        swap=lambda x, _: x[::-1],
        statistic=lambda r: r.n_a * r.n_b - r.statistic,
        order=lambda x, rng: (rng.permutation(x[0]), rng.permutation(x[1])),
        scale=lambda x, by: (by * x[0], by * x[1]),
        broken=tuple((x, [0.1, 0.2]) for x in ROWS) + tuple(([0.1, 0.2], x) for x in ROWS),
    ),
    "paired_t": Law(test=lambda d, _: nhst.paired_t(d), **ON_ROWS),
    "corrected_t": Law(test=lambda d, _: nhst.corrected_t(d, rho=0.1), **ON_ROWS),
    "permutation": Law(
        test=lambda d, rng: nhst.permutation(d, draws=500, rng=rng), order_close=0.15, **ON_ROWS
    ),
    "betting": Law(test=lambda d, _: nhst.betting(d, reach=reach_of(d)), **ON_ROWS),
    "empirical_bernstein": Law(test=lambda d, _: nhst.empirical_bernstein(d, reach=reach_of(d)), **ON_ROWS),
    "sign": Law(test=lambda d, _: nhst.sign(d), statistic=lambda r: r.n - r.statistic, **ON_ROWS),
    "wilcoxon": Law(
        test=lambda d, _: nhst.wilcoxon(d),
        statistic=lambda r: r.n * (r.n + 1) / 2 - r.statistic,
        **ON_ROWS,
    ),
    "cluster_t": Law(
        data=clusters,
        test=lambda x, _: nhst.cluster_t(*x),
        swap=mirrored,
        order=shuffled,
        scale=times,
        broken=(
            *((x, np.arange(np.size(x)) // 2) for x in ROWS),
            *(
                ([0.1, 0.2, 0.3], x)
                for x in ([], [1, 1, 1], [1, 2], [None, 1, 2], [np.nan, 1, 2], "abc", None)
            ),
        ),
    ),
    "mcnemar": Law(
        data=st.tuples(counts, counts),
        test=lambda n, _: nhst.mcnemar(*n),
        swap=lambda n, _: n[::-1],
        statistic=same,
        order="counts are sums over the units, which have no order",
        scale=COUNTS_HAVE_NO_UNIT,
        broken=COUNTS,
    ),
    "five_by_two_t": Law(
        test=lambda p, _: nhst.five_by_two_t(p),
        order="the first fold of the first replication has a part of its own in this statistic",
        **FIVE,
    ),
    "five_by_two_f": Law(
        test=lambda p, _: nhst.five_by_two_f(p), statistic=same, order=within_replications, **FIVE
    ),
    "quasi_f": Law(
        data=tables((2, 5), (2, 6)),
        test=lambda d, _: nhst.quasi_f(d),
        swap=mirrored,
        statistic=same,
        order=shuffled_cells,
        scale=times,
        broken=TABLES,
        close=1e-7,
    ),
    "quasi_f, seeds that are not paired": Law(
        data=st.integers(2, 5).flatmap(lambda j: st.tuples(tables((2, 4), (j, j)), tables((2, 4), (j, j)))),
        test=lambda x, _: nhst.quasi_f(x[0], b=x[1]),
        swap=lambda x, _: x[::-1],
        statistic=same,
        order=lambda x, rng: (rng.permutation(x[0]), rng.permutation(x[1])),
        scale=lambda x, by: (by * x[0], by * x[1]),
        broken=tuple((x, [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]]) for x in TABLES) + tuple((x, x) for x in TABLES),
        close=1e-7,
    ),
    "friedman": Law(
        test=lambda z, _: nhst.friedman(z),
        of_each=("average_ranks",),
        scale=times,
        infinite=("f_statistic",),
        **ON_MODELS,
    ),
    "nemenyi": Law(
        test=lambda z, _: nhst.nemenyi(z), of_each=("average_ranks",), scale=times, examples=10, **ON_MODELS
    ),
    "anova": Law(test=lambda z, _: nhst.anova(z), of_each=("effects",), scale=times, close=1e-7, **ON_MODELS),
    "model_confidence_set": Law(
        test=lambda z, rng: nhst.model_confidence_set(z, draws=200, rng=rng),
        of_each=("p_values",),
        scale=times,
        order_close=0.4,  # five standard errors of a p-value from 200 draws of one order, and of another
        infinite=("statistic",),
        **ON_MODELS,
    ),
    "adjust": Law(
        data=st.lists(st.floats(0, 1), min_size=0, max_size=9).map(np.array),
        test=lambda p, _: Adjusted(nhst.adjust(p)),
        models=len,  # permuting the p-values permutes the result
        swap=lambda p, order: p[order],
        statistic=same,
        of_each=("p_values",),
        order="another order of the p-values is the law of `swap`",
        scale="p-values have no unit",
        broken=(*ROWS, [2.0], [-0.1], [1.0, 0.0, 1.0]),
    ),
    "delong": Law(test=lambda x, _: nhst.delong(x[0], *x[1]), **ON_PREDICTIONS),
    "bootstrap": Law(
        test=lambda x, rng: nhst.bootstrap("auroc", x[0], *x[1], draws=200, rng=rng),
        order_close=0.4,
        **ON_PREDICTIONS,
    ),
    "permutation_metric": Law(
        test=lambda x, rng: nhst.permutation_metric("auroc", x[0], *x[1], draws=200, rng=rng),
        order_close=0.4,
        **ON_PREDICTIONS,
    ),
}


@dataclass(frozen=True)
class Adjusted:
    """`adjust` returns an array: here it has the names that results have."""

    p_values: np.ndarray
    statistic: float = 0.0

    @property
    def p_value(self) -> float:
        return float(self.p_values.min(initial=1.0))


def room(name: str) -> str:
    return name.split(",")[0]


def test_every_test_is_here() -> None:
    functions = {name for name in nhst.__all__ if inspect.isfunction(getattr(nhst, name))}
    assert functions == {room(name) for name in LAWS}


def test_a_law_that_is_left_out_has_its_reason() -> None:
    for name, entry in LAWS.items():
        for kind in ("swap", "order", "scale"):
            said = getattr(entry, kind)
            assert callable(said) or len(said.split()) > 3, f"{name}: why no {kind}?"


def values(result: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number in a result, with the name of its field."""
    if is_dataclass(result):
        for field in fields(result):
            yield from values(getattr(result, field.name), field.name)
    elif isinstance(result, tuple | list | np.ndarray):
        for part in result:
            yield from values(part, name)
    elif isinstance(result, int | float | np.number):
        yield name, float(result)


def found(name: str, data: Data, rng: int = 1) -> Result | None:
    """The result, or None where the test refuses the data with an error of ours."""
    try:
        result = LAWS[name].test(data, rng)
    except RopewalkError:
        return None
    assert 0 <= result.p_value <= 1
    for field, x in values(result):
        assert x == x, f"{field} is NaN"
        assert np.isfinite(x) or field in LAWS[name].infinite, f"{field} is {x}"
        assert not field.endswith(("p_value", "p_values")) or 0 <= x <= 1, f"{field} is {x}"
    return result


def each(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", [n for n, entry in LAWS.items() if callable(getattr(entry, kind))])


@each("swap")
def test_swapping_models_mirrors_the_result(name: str) -> None:
    entry = LAWS[name]

    @settings(max_examples=entry.examples)
    @given(data=entry.data, seed=st.integers(0, 100))
    def holds(data: Data, seed: int) -> None:
        order = np.random.default_rng(seed).permutation(entry.models(data))
        one, other = found(name, data), found(name, entry.swap(data, order))
        assert (one is None) == (other is None)
        if one is None or other is None:
            return
        assert other.p_value == pytest.approx(one.p_value, abs=entry.close)
        assert other.statistic == pytest.approx(entry.statistic(one), rel=1e-6, abs=1e-9)
        for field in entry.of_each:
            permuted = getattr(one, field)[order]
            np.testing.assert_allclose(getattr(other, field), permuted, atol=entry.close)

    holds()


@each("order")
def test_the_order_of_the_units_does_not_matter(name: str) -> None:
    entry = LAWS[name]

    @settings(max_examples=entry.examples)
    @given(data=entry.data, seed=st.integers(0, 100))
    def holds(data: Data, seed: int) -> None:
        one, other = found(name, data), found(name, entry.order(data, np.random.default_rng(seed)))
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert other.p_value == pytest.approx(one.p_value, abs=entry.order_close or entry.close)

    holds()


@each("scale")
def test_p_values_have_no_unit(name: str) -> None:
    entry = LAWS[name]

    @settings(max_examples=entry.examples)
    @given(data=entry.data, scale=st.sampled_from([1e-3, 0.5, 4.0, 100.0, 1e6]))
    def holds(data: Data, scale: float) -> None:
        one, other = found(name, data), found(name, entry.scale(data, scale))
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert other.p_value == pytest.approx(one.p_value, abs=entry.close)

    holds()


@pytest.mark.parametrize("name", LAWS)
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    entry = LAWS[name]

    @settings(max_examples=max(entry.examples // 4, 1))
    @given(data=entry.data)
    def holds(data: Data) -> None:
        one, again = found(name, data), found(name, data)
        assert (one is None) == (again is None)
        assert np.array(list(values(one))).tobytes() == np.array(list(values(again))).tobytes()

    holds()


@pytest.mark.parametrize("name", LAWS)
def test_degenerate_data_get_a_result_or_an_error_never_nan(name: str) -> None:
    for data in LAWS[name].broken:
        try:
            found(name, data)
        except BaseException as problem:
            problem.add_note(f"{name} of {data!r}")
            raise
