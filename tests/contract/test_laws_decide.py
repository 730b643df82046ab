"""Every function of `decide` through the laws of test_laws.py. A new function without an entry here fails.

A law is a pair of calls whose answers must agree: `swap` with A and B swapped, `order` with the units in
another order, `scale` in other units. An answer is read by `values`: its numbers, or the words of a verdict.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ropewalk import decide
from ropewalk.errors import RopewalkError
from ropewalk.posterior import Point, Probabilities, Student

NO_SIDES = "it is about one model, or about all claims alike: there is no A and B"
NO_UNITS = "it takes no units, only what was made of them"
NO_SCALE = "shares, counts and probabilities have no unit"


@dataclass(frozen=True, kw_only=True)
class Law:
    """`call(data)`; each law maps the data, and the answer to what must come out then."""

    data: st.SearchStrategy[Any]
    call: Callable[[Any], Any]
    swap: tuple[Callable[[Any], Any], Callable[[Any], Any]] | str
    order: Callable[[Any, np.random.Generator], Any] | str
    scale: tuple[Callable[[Any, float], Any], Callable[[Any, float], Any]] | str
    broken: tuple[Any, ...]
    infinite: tuple[str, ...] = ()


numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
rows = st.lists(numbers, min_size=3, max_size=20).map(np.array)
clustered = st.lists(st.tuples(numbers, st.integers(0, 4)), min_size=4, max_size=20).map(
    lambda x: (np.array([d for d, _ in x]), np.array([c for _, c in x]))
)
three = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(
    lambda x: Probabilities(better=x[0], equivalent=(1 - x[0]) * x[1], worse=(1 - x[0]) * (1 - x[1]))
)
students = st.tuples(numbers, st.floats(0.01, 2), st.floats(0.05, 1))
edges = st.tuples(st.floats(0, 2), st.floats(0, 2))
MIRROR = {"better": "worse", "worse": "better"}

ODD = (np.nan, np.inf, -np.inf, 1e300, 1e-300)
ROWS: tuple[Any, ...] = (
    *([], [0.1], [0.0] * 10, [0.3] * 10, [1e300, -1e300, 1.0], [1e-300, 0, 0], [1e-300, 2e-300, 3e-300]),
    *([x, 0.1, 0.2] for x in ODD),
    *([1e9, 1e9 + 1e-7, 1e9], ["a", "b", "c"], [[0.1, 0.2], [0.3, 0.4]], None),
)
PAIRS: tuple[Any, ...] = tuple((x, y) for x in (*ODD, -1, 0, 0.5, 2, "a", None) for y in (0, 0.5, 1, *ODD))


def negated(x: Any) -> Any:
    return (-x[0], *x[1:]) if isinstance(x, tuple) else -x


def shuffled(x: Any, rng: np.random.Generator) -> Any:
    if not isinstance(x, tuple):
        return rng.permutation(x)
    order = rng.permutation(len(x[0]))
    return tuple(part[order] for part in x)


def times(x: Any, by: float) -> Any:
    return (by * x[0], *x[1:]) if isinstance(x, tuple) else by * x


def as_it_is(answer: Any, by: float = 1.0) -> Any:
    return answer


def student(x: tuple[float, float, float]) -> tuple[Student, decide.Rope]:
    return Student(df=7, loc=x[0], scale=x[1]), decide.in_scores(-x[2], x[2], "given")


def of_student(call: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda x: call(*student(x))


def turned(rope: decide.Rope) -> list[float]:
    return [-rope.high, -rope.low]


def rope_edges(rope: decide.Rope) -> list[float]:
    return [rope.low, rope.high]


ON_ROWS: dict[str, Any] = {"data": rows, "order": shuffled, "broken": ROWS}
ON_CLUSTERS: dict[str, Any] = {
    "data": clustered,
    "broken": (
        *((x, np.arange(np.size(x)) // 2) for x in ROWS),
        *(([0.1, 0.2, 0.3], x) for x in ([], [1, 1, 1], [1, 2], [None, 1, 2], [np.nan, 1, 2], "abc", None)),
    ),
}

LAWS: dict[str, Law] = {
    "probabilities": Law(
        data=students,
        call=of_student(decide.probabilities),
        swap=(negated, lambda p: p.mirrored),
        order=NO_UNITS,
        scale=(lambda x, by: tuple(by * part for part in x), as_it_is),
        broken=((1e300, 1.0, 0.1), (0.0, 1e-300, 0.1), (0.0, 1e300, 0.1), (0.0, 1.0, 0.0), (0.0, 1.0, 1e300)),
    ),
    "by_threshold": Law(
        data=three,
        call=decide.by_threshold,
        swap=(lambda p: p.mirrored, lambda name: MIRROR.get(name, name)),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=(Probabilities(better=1.0, equivalent=0.0, worse=0.0),),
    ),
    "by_loss": Law(
        data=three,
        call=decide.by_loss,
        swap=(lambda p: p.mirrored, lambda name: MIRROR.get(name, name)),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=(Probabilities(better=1.0, equivalent=0.0, worse=0.0),),
    ),
    "at_thresholds": Law(
        data=three,
        call=lambda p: [t.verdict for t in decide.at_thresholds(p)],
        swap=(lambda p: p.mirrored, lambda names: [MIRROR.get(name, name) for name in names]),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=(Probabilities(better=1.0, equivalent=0.0, worse=0.0),),
    ),
    "decided_up_to": Law(
        data=three,
        call=lambda p: [decide.decided_up_to(p)],
        swap=(lambda p: p.mirrored, as_it_is),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=(Probabilities(better=1.0, equivalent=0.0, worse=0.0),),
    ),
    "flips": Law(
        data=students,
        call=of_student(decide.flips),
        swap=(negated, lambda f: [MIRROR.get(f.side, f.side), f.narrow, f.wide]),
        order=NO_UNITS,
        scale=(lambda x, by: tuple(by * part for part in x), as_it_is),
        broken=((1e300, 1.0, 0.1), (0.0, 1e-300, 0.1), (0.0, 1e300, 0.1), (0.5, 1.0, 1e300)),
        infinite=("narrow",),
    ),
    "scaled": Law(
        data=edges,
        call=lambda e: decide.scaled(decide.in_scores(-e[0], e[1], "given"), 3.0),
        swap=(lambda e: e[::-1], lambda pair: (-pair[1], -pair[0])),
        order=NO_UNITS,
        scale=(lambda e, by: (by * e[0], by * e[1]), lambda pair, by: (by * pair[0], by * pair[1])),
        broken=((0.0, 0.0), (1e300, 1e300), (1e-300, 0.0)),
    ),
    "in_scores": Law(
        data=edges,
        call=lambda e: rope_edges(decide.in_scores(-e[0], e[1], "given")),
        swap=(lambda e: e[::-1], lambda pair: [-pair[1], -pair[0]]),
        order=NO_UNITS,
        scale=(lambda e, by: (by * e[0], by * e[1]), lambda pair, by: [by * x for x in pair]),
        broken=((0.0, 0.0), (1e300, 1e300)),
    ),
    "share_of_sd": Law(
        data=edges,
        call=lambda e: rope_edges(decide.share_of_sd(1.5, -e[0], e[1])),
        swap=(lambda e: e[::-1], lambda pair: [-pair[1], -pair[0]]),
        order=NO_UNITS,
        scale=(lambda e, by: (by * e[0], by * e[1]), lambda pair, by: [by * x for x in pair]),
        broken=((0.0, 0.0), (1e300, 1e300)),
    ),
    "resolve_rope": Law(
        data=edges,
        call=lambda e: rope_edges(
            decide.resolve_rope(
                decide.RopeRequest(kind="sd", low=-e[0], high=e[1]), decide.ScoreScale(metric="loss", sd=1.5)
            )
        ),
        swap=(lambda e: e[::-1], lambda pair: [-pair[1], -pair[0]]),
        order=NO_UNITS,
        scale=(lambda e, by: (by * e[0], by * e[1]), lambda pair, by: [by * x for x in pair]),
        broken=((0.0, 0.0), (1e300, 1e300)),
    ),
    "on_phi": Law(
        data=edges,
        call=lambda e: [x - 0.5 for x in rope_edges(decide.on_phi(0.4, 0.3, -e[0], e[1]))],
        swap=(lambda e: e[::-1], lambda pair: [-pair[1], -pair[0]]),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=((0.0, 0.0),),
    ),
    "on_advantage": Law(
        data=edges,
        call=lambda e: decide.on_advantage(decide.on_phi(0.4, 0.3, -e[0], e[1]), 0.3),
        swap=(lambda e: e[::-1], lambda pair: (-pair[1], -pair[0])),
        order=NO_UNITS,
        scale=(lambda e, by: (by * e[0], by * e[1]), lambda pair, by: (by * pair[0], by * pair[1])),
        broken=((0.0, 0.0),),
    ),
    "cohens_d": Law(
        call=decide.cohens_d,
        swap=(negated, lambda e: replace(e, value=-e.value)),
        scale=(times, as_it_is),
        infinite=("value",),  # differences that never vary
        **ON_ROWS,
    ),
    "cohens_g": Law(
        data=st.tuples(st.integers(0, 60), st.integers(0, 60)),
        call=lambda n: decide.cohens_g(*n),
        swap=(lambda n: n[::-1], lambda e: replace(e, value=-e.value)),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=PAIRS,
    ),
    "cohens_h": Law(
        data=st.tuples(st.floats(0, 1), st.floats(0, 1)),
        call=lambda x: decide.cohens_h(*x),
        swap=(lambda x: x[::-1], lambda e: replace(e, value=-e.value)),
        order=NO_UNITS,
        scale=NO_SCALE,
        broken=PAIRS,
    ),
    "false_discovery": Law(
        data=st.lists(st.floats(0, 1), min_size=0, max_size=9).map(np.array),
        call=lambda e: (lambda f: [len(f.claims), f.rate])(decide.false_discovery(e, q=0.2)),
        swap=NO_SIDES,
        order=shuffled,
        scale=NO_SCALE,
        broken=(*ROWS, [2.0], [-0.1], [1.0, 0.0]),
    ),
    "seed_summary": Law(
        call=decide.seed_summary,
        swap=(negated, lambda s: [s.seeds, -s.mean, s.sd, -s.best, -s.worst]),
        scale=(times, lambda s, by: [s.seeds, by * s.mean, by * s.sd, by * s.worst, by * s.best]),
        **ON_ROWS,
    ),
    "cluster_summary": Law(
        call=lambda x: decide.cluster_summary(*x),
        swap=(negated, as_it_is),
        order=shuffled,
        scale=(times, as_it_is),
        **ON_CLUSTERS,
    ),
    "cluster_means": Law(
        call=lambda x: decide.cluster_means(*x),
        swap=(negated, lambda m: -m),
        order=shuffled,
        scale=(times, lambda m, by: by * m),
        **ON_CLUSTERS,
    ),
    "series_summary": Law(
        call=lambda x: decide.series_summary(x[0], series=x[1]),
        swap=(negated, as_it_is),
        order="a series has an order, and this measures it; whole series may change places, below",
        scale=(times, as_it_is),
        **ON_CLUSTERS,
    ),
}


def test_every_function_is_here() -> None:
    functions = {name for name in decide.__all__ if inspect.isfunction(getattr(decide, name))}
    assert functions == set(LAWS)


def test_a_law_that_is_left_out_has_its_reason() -> None:
    for name, entry in LAWS.items():
        for kind in ("swap", "order", "scale"):
            said = getattr(entry, kind)
            assert not isinstance(said, str) or len(said.split()) > 3, f"{name}: why no {kind}?"


def values(answer: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word of an answer, with the name of its field."""
    if is_dataclass(answer):
        for field in fields(answer):
            yield from values(getattr(answer, field.name), field.name)
    elif isinstance(answer, tuple | list | np.ndarray):
        for part in answer:
            yield from values(part, name)
    else:
        yield name, answer


def called(name: str, data: Any) -> Any:
    """The answer, or None where the data are refused with an error of ours."""
    try:
        answer = LAWS[name].call(data)
    except RopewalkError:
        return None
    for field, x in values(answer):
        if isinstance(x, float | np.floating):
            assert x == x, f"{field} is NaN"
            assert np.isfinite(x) or field in LAWS[name].infinite, f"{field} is {x}"
    return answer


def agree(one: Any, other: Any) -> None:
    first, second = [x for _, x in values(one)], [x for _, x in values(other)]
    assert len(first) == len(second)
    for x, y in zip(first, second, strict=True):
        assert x == pytest.approx(y, rel=1e-6, abs=1e-9) if isinstance(x, float | np.floating) else x == y


def each(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "name", [n for n, e in LAWS.items() if not isinstance(getattr(e, kind), str)]
    )


@each("swap")
def test_swapping_a_and_b_mirrors_the_answer(name: str) -> None:
    swap, expected = LAWS[name].swap

    @settings(max_examples=20)
    @given(data=LAWS[name].data)
    def holds(data: Any) -> None:
        one, other = called(name, data), called(name, swap(data))
        assert (one is None) == (other is None)
        if one is not None:
            agree(expected(one), other)

    holds()


@each("order")
def test_the_order_of_the_units_does_not_matter(name: str) -> None:
    @settings(max_examples=20)
    @given(data=LAWS[name].data, seed=st.integers(0, 100))
    def holds(data: Any, seed: int) -> None:
        one, other = called(name, data), called(name, LAWS[name].order(data, np.random.default_rng(seed)))
        assert (one is None) == (other is None)
        agree(one, other)

    holds()


@settings(max_examples=20)
@given(data=clustered, seed=st.integers(0, 100))
def test_series_may_change_places(data: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    names = np.random.default_rng(seed).permutation(5)
    agree(called("series_summary", data), called("series_summary", (data[0], names[data[1]])))


@each("scale")
def test_scaling_changes_the_answer_by_the_scale_or_not_at_all(name: str) -> None:
    scale, expected = LAWS[name].scale

    @settings(max_examples=20)
    @given(data=LAWS[name].data, by=st.sampled_from([0.25, 4.0, 1024.0]))
    def holds(data: Any, by: float) -> None:
        one, other = called(name, data), called(name, scale(data, by))
        assert (one is None) == (other is None)
        if one is not None:
            agree(expected(one, by), other)

    holds()


@pytest.mark.parametrize("name", LAWS)
def test_degenerate_data_get_an_answer_or_an_error_never_nan(name: str) -> None:
    for data in LAWS[name].broken:
        try:
            called(name, data)
        except BaseException as problem:
            problem.add_note(f"{name} of {data!r}")
            raise


def test_a_posterior_that_is_one_point_has_a_verdict() -> None:
    for at, expected in ((0.2, "better"), (0.1, "equivalent"), (-0.2, "worse")):
        p = decide.probabilities(Point(at=at), decide.in_scores(-0.1, 0.1, "given"))
        assert decide.by_threshold(p) == expected


@pytest.mark.parametrize(
    "rope", [*ODD[:3], "", "a", "sd", "0.1,", "1,2,3", [1, 2, 3], [], None, "0.1 sd sd", {}]
)
def test_a_rope_that_cannot_be_is_refused(rope: Any) -> None:
    with pytest.raises(RopewalkError, match="ROPE"):
        decide.RopeRequest.parse(rope)
