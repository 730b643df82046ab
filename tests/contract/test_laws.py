"""Every method of `bayes` through the same laws, whatever it takes. A new method without an entry here fails.

The laws: swapping A and B mirrors the answer (permuting many models permutes it); the order of the units
does not matter; scaling data and ROPE together changes nothing; the same seed gives the same bytes;
degenerate data get an answer or one of our errors, never NaN, a bare exception or a warning. A method is
described once, by a strategy for its data and by what a swap, another order and another scale are for such
data. Where a law says nothing about some data (counts have no order) the reason stands in its place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ropewalk import bayes
from ropewalk.decide import in_scores, on_phi, probabilities
from ropewalk.errors import RopewalkError

ROPE = 0.1
COUNTS_HAVE_NO_UNIT = "counts and ranks have no unit"
COUNTS_HAVE_NO_ORDER = "counts are sums over the units, which have no order"


@dataclass(frozen=True)
class Answer:
    """`p` are probabilities and never change with the scale, `at` are numbers in score units, which do.

    For two models p is (better, equivalent, worse) and `at` runs from low to high; for many models both have
    a row for each.
    """

    p: np.ndarray
    at: np.ndarray


Data = Any
Method = Callable[[Data, float, int], Answer]
Rng = np.random.Generator


@dataclass(frozen=True, kw_only=True)
class Law:
    """What a method takes, and what the laws are for such data.

    `models` is how many models the data have, 0 for two whose order is a sign. `close` is how far apart two
    equal answers may be, by rounding or by the error of a quadrature; `swap_close` and `order_close` where
    other numbers are drawn after a swap or for another order.
    """

    data: st.SearchStrategy[Data]
    method: Method
    models: Callable[[Data], int] = lambda _: 0
    swap: Callable[[Data, np.ndarray], Data] | str
    order: Callable[[Data, Rng], Data] | str
    scale: Callable[[Data, float], Data] | str
    broken: tuple[Data, ...]
    close: float = 1e-9
    swap_close: float | None = None
    order_close: float | None = None
    examples: int = 15


# --- strategies, one for each shape of data ------------------------------------------------------------

numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
counts = st.integers(0, 60)


def tables(rows: tuple[int, int], columns: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
    def of(shape: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
        n = shape[0] * shape[1]
        return st.lists(numbers, min_size=n, max_size=n).map(lambda x: np.array(x).reshape(shape))

    return st.tuples(st.integers(*rows), st.integers(*columns)).flatmap(of)


def same_columns(
    n: tuple[int, int], rows: tuple[int, int], columns: int
) -> st.SearchStrategy[list[np.ndarray]]:
    return st.lists(tables(rows, (columns, columns)), min_size=n[0], max_size=n[1])


differences = st.lists(numbers, min_size=3, max_size=25).map(np.array)
many_tasks = st.lists(st.lists(numbers, min_size=3, max_size=8).map(np.array), min_size=3, max_size=5)
task_counts = st.lists(st.tuples(counts, counts), min_size=2, max_size=6).map(lambda x: np.array(x))
shares = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)
runs = tables((2, 4), (3, 6))
both_runs = st.tuples(st.integers(3, 5), st.integers(2, 3), st.integers(2, 3)).flatmap(
    lambda s: st.tuples(tables((s[1], s[1]), (s[0], s[0])), tables((s[2], s[2]), (s[0], s[0])))
)
intervals = st.lists(
    st.tuples(numbers, st.sampled_from([0.0, 0.0, 0.4, np.inf])), min_size=3, max_size=12
).map(lambda x: (np.array([low for low, _ in x]), np.array([low + width for low, width in x])))
units_by_models = tables((4, 9), (3, 4))
ranks = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.permutations([1, 2, 3, 4]), min_size=n, max_size=n).map(
        lambda x: np.array(x, dtype=float)
    )
)
predictions = st.integers(24, 40).flatmap(
    lambda n: tables((4, 4), (n, n)).map(lambda x: (x[0], x[1:]))
)  # the truth, and what three models said of it


@st.composite
def pairs_of_models(draw: st.DrawFn) -> np.ndarray:
    """p[task, a, b] = Pr(a better than b on the task)."""
    x = draw(tables((6, 6), (3, 3)))
    p = np.where(x > 0, 0.5 + x / 4, 0.5 - np.abs(x) / 4).clip(0, 1).reshape(6, 3)
    each = np.full((6, 3, 3), 0.5)
    for column, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        each[:, a, b], each[:, b, a] = p[:, column], 1 - p[:, column]
    return each


# --- what a swap, another order and another scale are --------------------------------------------------


def mirrored(x: Any, _: np.ndarray) -> Any:
    return [-np.asarray(task) for task in x] if isinstance(x, list) else -x


def shuffled(x: np.ndarray, rng: Rng) -> np.ndarray:
    return rng.permutation(x)


def shuffled_tasks(tasks: list[np.ndarray], rng: Rng) -> list[np.ndarray]:
    return [rng.permutation(tasks[i]) for i in rng.permutation(len(tasks))]


def shuffled_runs(x: np.ndarray, rng: Rng) -> np.ndarray:
    return x[rng.permutation(x.shape[0])][:, rng.permutation(x.shape[1])]


def shuffled_all_runs(tables: list[np.ndarray] | tuple[np.ndarray, ...], rng: Rng) -> list[np.ndarray]:
    """The examples of all models in the same order, the seeds of each in one of its own."""
    columns = rng.permutation(tables[0].shape[1])
    return [rng.permutation(x)[:, columns] for x in tables]


def times(x: Any, by: float) -> Any:
    return [times(part, by) for part in x] if isinstance(x, list | tuple) else by * x


def columns(x: Any, order: np.ndarray) -> Any:
    return [task[:, order] for task in x] if isinstance(x, list) else x[:, order]


# --- how an answer is read -----------------------------------------------------------------------------


def read(posterior: Any, rope: Any, *, middle: float = 0.0) -> Answer:
    p = probabilities(posterior, rope)
    low, high = posterior.interval(0.8)
    at = np.array([low, posterior.quantile(0.5), high]) - middle
    return Answer(np.array([p.better, p.equivalent, p.worse]), at.astype(float))


def posterior_of(method: Callable[[Data], Any]) -> Method:
    return lambda d, rope, rng: read(method(d), in_scores(-rope, rope, "given"))


def regions_of(method: Callable[[Data, float, int], Any]) -> Method:
    def of(d: Data, rope: float, rng: int) -> Answer:
        found = method(d, rope, rng)
        three = [np.array([p.better, p.equivalent, p.worse]) for p in (found.mean, found.most_probable)]
        return Answer(np.concatenate(three), np.zeros(1))

    return of


def ranges_of(method: Callable[[Data, float, int], Any]) -> Method:
    def of(x: Data, rope: float, rng: int) -> Answer:
        found = method(x, rope, rng)
        both = [[found.of(region)[end] for region in ("better", "equivalent", "worse")] for end in (0, 1)]
        return Answer(np.ravel(both), np.zeros(1))

    return of


def joint_of(method: Callable[[Data, int], Any]) -> Method:
    def of(z: Data, rope: float, rng: int) -> Answer:
        found = method(z, rng)
        p = np.column_stack([found.p_best, found.p_within(rope), found.ranks])
        return Answer(p, np.column_stack([found.mean, found.interval(0.8)]))

    return of


def mcnemar(n: tuple[int, int], _rope: float, _rng: int) -> Answer:
    found = bayes.mcnemar(*n)
    # On phi a small number is good for A: the edges change sides.
    return read(found, on_phi(0.5, 1.0, -0.1, 0.1), middle=0.5)


def risk(n: tuple[int, int], _rope: float, _rng: int) -> Answer:
    found = bayes.risk(*n)
    return read(found, in_scores(0.4, 0.6, "given"), middle=0.5)


def hierarchical_mcnemar(n: np.ndarray, _rope: float, _rng: int) -> Answer:
    table = np.atleast_2d(n)
    found = bayes.hierarchical_mcnemar(table[:, 0], table[:, 1], tolerance=1e-3)
    both = found.next_task(rope=(0.45, 0.55))
    p = [[r.better, r.equivalent, r.worse] for r in (both.mean, both.most_probable)]
    return Answer(np.ravel(p), np.array([found.phi_next.mean - 0.5]))


def hierarchical_accuracy(n: np.ndarray, rope: float, _rng: int) -> Answer:
    table = np.atleast_2d(n)
    found = bayes.hierarchical_accuracy(table[:, 0], table[:, 1], table[:, 2], tolerance=1e-3)
    average = probabilities(found.mean_advantage, in_scores(-rope, rope, "given"))
    both = found.next_task(rope)
    p = [[r.better, r.equivalent, r.worse] for r in (average, both.mean, both.most_probable)]
    return Answer(np.ravel(p), np.array([found.mean_advantage.mean]))


def two_sides(p: np.ndarray, _rope: float, _rng: int) -> Answer:
    better = bayes.poisson_binomial(p)
    return Answer(np.array([better, 0.0, 1 - better]), np.zeros(1))


def matrix(p: np.ndarray, _rope: float, _rng: int) -> Answer:
    found = bayes.poisson_binomial_matrix(p).matrix
    return Answer(np.sort(found, axis=1), np.zeros((len(found), 1)))


def hierarchical_t(tasks: list[np.ndarray], rope: float, _rng: int) -> Answer:
    found = bayes.hierarchical_t(tasks)
    both = found.next_task(rope)
    p = [[r.better, r.equivalent, r.worse] for r in (both.mean, both.most_probable)]
    low, high = found.mean_advantage.interval(0.8)
    return Answer(np.ravel(p), np.array([low, found.mean_advantage.mean, high]))


def hierarchical_t_range(tasks: list[np.ndarray], rope: float, _rng: int) -> Answer:
    bounds = [((0.5, 5.0), (0.05, 0.15))]
    found = bayes.hierarchical_t_range(tasks, rope, bounds=bounds).regions[0]
    p = [[r.better, r.equivalent, r.worse] for r in (found.mean, found.most_probable)]
    return Answer(np.ravel(p), np.zeros(1))


def pair_bootstrap(said: tuple[np.ndarray, np.ndarray], rope: float, rng: int) -> Answer:
    y, models = said
    found = bayes.bootstrap("mae", y, *models[:2], draws=400, rng=rng)
    p = probabilities(found, in_scores(-rope, rope, "given"))
    return Answer(np.array([p.better, p.equivalent, p.worse]), found.x)


def joint_bootstrap(said: tuple[np.ndarray, np.ndarray], rng: int) -> Any:
    y, models = said
    named = {f"model {i}": x for i, x in enumerate(models)}
    return bayes.joint_bootstrap("mae", y, named, draws=400, rng=rng)


# --- degenerate data -----------------------------------------------------------------------------------

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
)
COUNTS: tuple[Data, ...] = (
    *((0, 0), (1, 0), (0, 1), (10**12, 1), (-1, 3), (0.5, 3), (np.nan, 3), (np.inf, 3), ("a", 3), (None, 3)),
    *((10**300, 1), (1e300, 1), (1e-300, 1)),
)


def of_tasks(rows: tuple[Data, ...]) -> tuple[Data, ...]:
    """Each odd task among good ones, alone, and everywhere."""
    good = [np.array([0.1, 0.2, 0.4]), np.array([0.0, 0.3, 0.1])]
    return ([], *([odd, *good] for odd in rows), *([odd] * 3 for odd in rows[:3]), [good[0]])


def of_tables(odd: tuple[Data, ...]) -> tuple[Data, ...]:
    good = np.array([[0.1, 0.5, 0.2], [0.3, 0.2, 0.1], [0.0, 0.2, 0.5]])
    return ([], [good], *([x, good, good + 0.1] for x in odd), *([x, x] for x in odd))


# --- the methods ---------------------------------------------------------------------------------------

ON_ROWS: dict[str, Any] = {
    "data": differences, "swap": mirrored, "order": shuffled, "scale": times, "broken": ROWS
}  # fmt: skip

ON_INTERVALS: dict[str, Any] = {
    "data": intervals,
    "swap": lambda x, _: (-x[1], -x[0]),
    "order": lambda x, rng: reordered(x, rng),
    "scale": times,
    "broken": (
        *((x, x) for x in ROWS),
        *(([0.2], [0.1]), ([-np.inf] * 3, [np.inf] * 3), ([0.1, 0.2], [0.3])),
    ),
}

LAWS: dict[str, Law] = {
    "t": Law(method=posterior_of(bayes.t), **ON_ROWS),
    "ess_t": Law(method=posterior_of(lambda d: bayes.ess_t(d, n_eff=0.6 * np.size(d))), **ON_ROWS),
    "robust_t": Law(method=posterior_of(bayes.robust_t), close=1e-4, examples=4, **ON_ROWS),
    "sign": Law(method=regions_of(lambda d, r, _: bayes.sign(d, r)), **ON_ROWS),
    "signed_rank": Law(
        method=regions_of(lambda d, r, rng: bayes.signed_rank(d, r, draws=4_000, rng=rng)),
        swap_close=0.05,  # five standard errors of 4,000 draws
        **ON_ROWS,
    ),
    "signed_rank_range": Law(
        method=lambda d, r, rng: signed_rank_range(d, r, rng), swap_close=0.07, examples=8, **ON_ROWS
    ),
    "rank_sum": Law(
        data=st.tuples(differences, differences),
        method=regions_of(lambda x, r, rng: bayes.rank_sum(x[0], x[1], rope=r, draws=4_000, rng=rng)),
        swap=lambda x, _: x[::-1],
        order=lambda x, rng: (rng.permutation(x[0]), rng.permutation(x[1])),
        scale=times,
        broken=tuple((x, [0.1, 0.2, 0.4]) for x in ROWS) + tuple(([0.1, 0.2, 0.4], x) for x in ROWS),
        swap_close=0.05,
        order_close=0.05,  # other weights for each unit
    ),
    "several_sign": Law(
        data=tables((3, 9), (2, 2)),
        method=regions_of(lambda d, r, _: bayes.several_sign(d, [r, 2 * r]).dominance),
        swap=mirrored,
        order=shuffled,
        scale=times,
        broken=tuple(np.asarray(x, dtype=object) if x is None else x for x in TABLES),
    ),
    "censored_sign": Law(method=ranges_of(lambda x, r, _: bayes.censored_sign(*x, r)), **ON_INTERVALS),
    "censored_signed_rank": Law(
        method=ranges_of(lambda x, r, rng: bayes.censored_signed_rank(*x, r, draws=4_000, rng=rng)),
        swap_close=0.05,
        order_close=0.05,
        **ON_INTERVALS,
    ),
    "mcnemar": Law(
        data=st.tuples(counts, counts),
        method=mcnemar,
        swap=lambda n, _: n[::-1],
        order=COUNTS_HAVE_NO_ORDER,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=COUNTS,
    ),
    "accuracy_difference": Law(
        data=st.tuples(counts, counts, counts, counts),
        method=lambda n, r, _: read(bayes.accuracy_difference(*n), in_scores(-r, r, "given")),
        swap=lambda n, _: (n[0], n[2], n[1], n[3]),
        order=COUNTS_HAVE_NO_ORDER,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=tuple((*n, 3, 4) for n in COUNTS) + tuple((3, *n, 4) for n in COUNTS),
        close=1e-6,
        examples=8,
    ),
    "risk": Law(  # of one model: its mirror image is the risk of the model that is right where this is wrong
        data=st.tuples(counts, counts).map(lambda n: (n[0], sum(n) + 1)),
        method=risk,
        swap=lambda n, _: (n[1] - n[0], n[1]),
        order=COUNTS_HAVE_NO_ORDER,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=COUNTS,
    ),
    "hierarchical_t": Law(
        data=many_tasks,
        method=hierarchical_t,
        swap=mirrored,
        order=shuffled_tasks,
        scale=times,
        broken=of_tasks(([], [0.1], [0.0] * 4, [np.nan, 0.1], [np.inf, 0.1], [1e300, 0.1], ["a"], None)),
        close=2e-3,
        examples=2,
    ),
    "hierarchical_t_range": Law(
        data=many_tasks,
        method=hierarchical_t_range,
        swap=mirrored,
        order=shuffled_tasks,
        scale=times,
        broken=([], [[0.1, np.nan], [0.2, 0.3]], [[0.0, 0.0]] * 3, [[0.1, 0.2, 0.3]]),
        close=2e-3,
        examples=1,
    ),
    "hierarchical_mcnemar": Law(
        data=task_counts,
        method=hierarchical_mcnemar,
        swap=lambda n, _: n[:, ::-1],
        order=shuffled,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=(
            *([[0, 0]], [[3, 0], [0, 2]], [[3, 2]], [[-1, 2], [3, 4]], [[0.5, 2], [3, 4]], np.zeros((0, 2))),
            *([[x, 2], [3, 4]] for x in (*ODD, "a")),
            [[10**6, 10**6], [1, 1]],
        ),
        close=2e-3,
        examples=3,
    ),
    "hierarchical_accuracy": Law(
        data=st.lists(st.tuples(counts, counts, counts), min_size=2, max_size=6).map(
            lambda x: np.add(x, [0, 0, 1])
        ),
        method=hierarchical_accuracy,
        swap=lambda n, _: n[:, [1, 0, 2]],
        order=shuffled,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=(
            *([[0, 0, 9]], [[0, 0, 0]], [[3, 0, 5], [2, 0, 5]], [[3, 0, 0], [0, 2, 4]], [[3, 2, 0]]),
            *([[-1, 2, 3], [3, 4, 5]], [[0.5, 2, 1], [3, 4, 5]], np.zeros((0, 3))),
            *([[x, 2, 3], [3, 4, 5]] for x in (*ODD, "a")),
            [[10**6, 10**6, 10**6], [1, 1, 1]],
        ),
        close=2e-3,
        swap_close=0.05,  # how often a region is the most probable is counted over 2,000 points
        examples=3,
    ),
    "poisson_binomial": Law(
        data=shares,
        method=two_sides,
        swap=lambda p, _: 1 - p,
        order=shuffled,
        scale="probabilities have no unit",
        broken=(*ROWS, [1.0] * 500, [0.0] * 500),
    ),
    "poisson_binomial_matrix": Law(
        data=pairs_of_models(),
        method=matrix,
        models=lambda p: p.shape[1],
        swap=lambda p, order: p[:, order][:, :, order],
        order=shuffled,
        scale="probabilities have no unit",
        broken=(*TABLES, np.full((2, 3, 3), np.nan), np.full((2, 3, 2), 0.5), np.full((0, 3, 3), 0.5)),
    ),
    "crossed": Law(
        data=runs,
        method=posterior_of(lambda d: bayes.crossed(d).posterior),
        swap=mirrored,
        order=shuffled_runs,
        scale=times,
        broken=TABLES,
        close=1e-5,
        examples=8,
    ),
    "crossed, seeds that are not paired": Law(
        data=both_runs,
        method=posterior_of(lambda x: bayes.crossed(x[0], b=x[1]).posterior),
        swap=lambda x, _: x[::-1],
        order=shuffled_all_runs,
        scale=times,
        broken=tuple((x, [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]]) for x in TABLES) + tuple((x, x) for x in TABLES),
        close=1e-4,
        examples=2,
    ),
    "bootstrap": Law(
        data=predictions,
        method=pair_bootstrap,
        swap=lambda said, _: (said[0], said[1][[1, 0, 2]]),
        order=lambda said, rng: other_rows(said, rng),
        scale=times,
        broken=tuple((x, np.tile(np.asarray([0.1, 0.2, 0.4]), (3, 1))) for x in ROWS)
        + tuple(([0.1, 0.2, 0.4], [x, x, x]) for x in ROWS),
        order_close=0.25,  # other weights for each row: five standard errors of 400 draws, of quantiles too
    ),
    "joint_bootstrap": Law(
        data=predictions,
        method=joint_of(joint_bootstrap),
        models=lambda said: len(said[1]),
        swap=lambda said, order: (said[0], said[1][order]),
        order=lambda said, rng: other_rows(said, rng),
        scale=times,
        broken=(*(([0.1, 0.2, 0.4], [x, x, x]) for x in ROWS), ([0.1, 0.2], [])),
        order_close=0.25,
    ),
    "joint": Law(
        data=units_by_models,
        method=joint_of(lambda z, rng: bayes.joint(z, draws=400, rng=rng)),
        models=lambda z: z.shape[1],
        swap=columns,
        order=shuffled,
        scale=times,
        broken=TABLES,
        close=1e-6,
    ),
    "joint_tasks": Law(
        data=same_columns((3, 5), (3, 5), 3),
        method=joint_of(lambda z, rng: bayes.joint_tasks(z, draws=400, rng=rng)),
        models=lambda z: z[0].shape[1],
        swap=columns,
        order=shuffled_tasks,
        scale=times,
        broken=of_tables(TABLES),
        close=1e-6,
    ),
    "joint_runs": Law(
        data=same_columns((3, 3), (2, 3), 5),
        method=joint_of(lambda z, rng: bayes.joint_runs(z, draws=400, rng=rng)),
        models=len,
        swap=lambda z, order: [z[i] for i in order],
        order=shuffled_all_runs,
        scale=times,
        broken=of_tables(TABLES),
        close=1e-6,
    ),
    "friedman": Law(
        data=units_by_models,
        method=joint_of(lambda z, rng: bayes.friedman(z, draws=4_000, rng=rng)),
        models=lambda z: z.shape[1],
        swap=columns,
        order=shuffled,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=TABLES,
        swap_close=0.05,  # other orders are drawn from the prior
        order_close=0.05,
    ),
    "plackett_luce": Law(
        data=ranks,
        method=joint_of(lambda z, rng: bayes.plackett_luce(z, draws=4_000, rng=rng)),
        models=lambda z: z.shape[1],
        swap=columns,
        order=shuffled,
        scale=COUNTS_HAVE_NO_UNIT,
        broken=(*TABLES, [[np.nan, np.nan], [1, 2]], [[1, np.nan], [np.nan, 1]], [[1, 1], [1, 1]], [[1, 3]]),
        swap_close=0.25,  # chains of their own for every model: five standard errors of some 1,000 draws
        order_close=0.25,
        examples=3,
    ),
}


def signed_rank_range(d: np.ndarray, rope: float, rng: int) -> Answer:
    p = bayes.signed_rank_range(d, rope, draws=2_000, rng=rng).at(0.0)
    return Answer(np.array([p.better, p.equivalent, p.worse]), np.zeros(1))


def reordered(x: tuple[np.ndarray, np.ndarray], rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    order = rng.permutation(len(x[0]))
    return x[0][order], x[1][order]


def other_rows(said: tuple[np.ndarray, np.ndarray], rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    order = rng.permutation(said[0].size)
    return said[0][order], said[1][:, order]


def room(name: str) -> str:
    return name.split(",")[0]


def test_every_method_is_here() -> None:
    functions = {name for name in bayes.__all__ if inspect.isfunction(getattr(bayes, name))}
    assert functions == {room(name) for name in LAWS}


# --- the laws ------------------------------------------------------------------------------------------


def answer(name: str, data: Data, rope: float = ROPE, rng: int = 1) -> Answer | None:
    """Probabilities and positions, or None where the method refuses the data with an error of ours."""
    try:
        found = LAWS[name].method(data, rope, rng)
    except RopewalkError:
        return None
    assert np.isfinite(found.p).all()
    assert np.isfinite(found.at).all()
    assert ((found.p >= -1e-12) & (found.p <= 1 + 1e-9)).all()
    return found


def same(one: Answer | None, other: Answer | None, close: float, scale: float = 1.0) -> None:
    """Equal answers; positions are compared with the width of what they span."""
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    np.testing.assert_allclose(other.p, one.p, atol=close, rtol=0)
    width = max(float(np.ptp(one.at)), 1e-3)
    np.testing.assert_allclose(other.at / scale, one.at, atol=10 * close * width, rtol=1e-9)


def turned(found: Answer | None) -> Answer | None:
    """The answer with A and B swapped."""
    if found is None:
        return None
    three = found.p.reshape(-1, 3)[:, ::-1].ravel()
    return Answer(three, -found.at[::-1])


def permuted(found: Answer | None, order: np.ndarray) -> Answer | None:
    return found and Answer(found.p[order], found.at[order])


def law(name: str, factor: int = 1) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As many examples as the method can afford in `make calibrate`, and a share of them by default."""
    examples = LAWS[name].examples * settings().max_examples // 100 // factor
    return settings(max_examples=max(examples, 1), suppress_health_check=[*HealthCheck])


def each(kind: str) -> pytest.MarkDecorator:
    """The methods for which a law says something."""
    return pytest.mark.parametrize("name", [n for n, entry in LAWS.items() if callable(getattr(entry, kind))])


def test_a_law_that_is_left_out_has_its_reason() -> None:
    for name, entry in LAWS.items():
        for kind in ("swap", "order", "scale"):
            said = getattr(entry, kind)
            assert callable(said) or len(said.split()) > 3, f"{name}: why no {kind}?"


@each("swap")
def test_swapping_models_mirrors_the_answer(name: str) -> None:
    entry = LAWS[name]

    @law(name)
    @given(data=entry.data, seed=st.integers(0, 100))
    def holds(data: Data, seed: int) -> None:
        order = np.random.default_rng(seed).permutation(entry.models(data))
        one, other = answer(name, data), answer(name, entry.swap(data, order))
        one = permuted(one, order) if order.size else turned(one)
        same(one, other, entry.swap_close or entry.close)

    holds()


@each("order")
def test_the_order_of_the_units_does_not_matter(name: str) -> None:
    entry = LAWS[name]

    @law(name)
    @given(data=entry.data, seed=st.integers(0, 100))
    def holds(data: Data, seed: int) -> None:
        other = entry.order(data, np.random.default_rng(seed))
        same(answer(name, data), answer(name, other), entry.order_close or entry.close)

    holds()


@each("scale")
def test_scaling_data_and_rope_changes_nothing(name: str) -> None:
    entry = LAWS[name]

    @law(name)
    @given(data=entry.data, scale=st.sampled_from([1e-3, 0.5, 4.0, 100.0, 1e6]))
    def holds(data: Data, scale: float) -> None:
        same(answer(name, data), answer(name, entry.scale(data, scale), scale * ROPE), entry.close, scale)

    holds()


@pytest.mark.parametrize("name", LAWS)
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    @law(name, factor=3)
    @given(data=LAWS[name].data)
    def holds(data: Data) -> None:
        one, again = answer(name, data), answer(name, data)
        assert (one is None) == (again is None)
        if one is not None and again is not None:
            assert one.p.tobytes() == again.p.tobytes()
            assert one.at.tobytes() == again.at.tobytes()

    holds()


@pytest.mark.parametrize("name", LAWS)
def test_degenerate_data_get_an_answer_or_an_error_never_nan(name: str) -> None:
    for data in LAWS[name].broken:
        try:
            answer(name, data)
        except Exception as problem:
            problem.add_note(f"{name} of {data!r}")
            raise


_D = np.random.default_rng(0).normal(1.0, 0.2, (4, 20))
_Z = np.column_stack([_D[0], _D[1] - 1, _D[2] - 2])
BETTER: dict[str, Data] = {
    "rank_sum": (_D[0], _D[1] - 1),
    "several_sign": _D[:2].T,
    "censored_sign": (_D[0], _D[0]),
    "censored_signed_rank": (_D[0] - 0.8, _D[0] - 0.8),
    "friedman": _Z,
    "mcnemar": (3, 40),
    "accuracy_difference": (5, 3, 60, 9),
    "risk": (55, 60),
    "hierarchical_t": list(_D),
    "hierarchical_t_range": list(_D),
    "hierarchical_mcnemar": np.array([[3, 40], [2, 30], [4, 30], [1, 20]]),
    "hierarchical_accuracy": np.array([[40, 3, 9], [30, 2, 9], [30, 4, 9], [20, 1, 9]]),
    "poisson_binomial": np.full(10, 0.97),
    "crossed": _D,
    "crossed, seeds that are not paired": (_D, _D - 1),
    "bootstrap": (np.zeros(20), np.stack([_D[0] - 1, _D[1], _D[2]])),
    "joint_bootstrap": (np.zeros(20), np.stack([_D[0] - 1, _D[1], _D[2] + 1])),
    "joint": _Z,
    "joint_tasks": [_Z, _Z + 0.1, _Z[::-1] - 0.1, _Z],
    "joint_runs": [_D, _D - 1, _D - 2],
    "plackett_luce": np.tile([1.0, 2, 3], (9, 1)),
    "poisson_binomial_matrix": np.tile([[0.5, 0.97, 1], [0.03, 0.5, 0.98], [0, 0.02, 0.5]], (9, 1, 1)),
}


def test_a_better_model_is_better() -> None:
    """None of the laws above would see a method that always says the same."""
    for name in LAWS:
        found = answer(name, BETTER.get(name, _D[0]))
        assert found is not None
        assert found.p.flat[0] > (0.9 if name != "poisson_binomial_matrix" else 0.4), name


@pytest.mark.parametrize("name", LAWS)
def test_another_seed_draws_other_numbers_and_only_where_there_is_a_seed(name: str) -> None:
    data = BETTER.get(name, _D[0] - 1.0)
    one, other = answer(name, data, rng=1), answer(name, data, rng=2)
    assert one is not None
    assert other is not None
    differs = one.p.tobytes() + one.at.tobytes() != other.p.tobytes() + other.at.tobytes()
    assert differs == ("rng" in inspect.signature(getattr(bayes, room(name))).parameters)
