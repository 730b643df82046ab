from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ropewalk.data import Audit, Design, Scores, TaskScores
from ropewalk.errors import CellError, DataError, MethodError, OptionError, RopewalkError
from ropewalk.sums import Sums


def scores(
    values: Sequence[Sequence[float]] | np.ndarray,
    *,
    higher: bool = True,
    clusters: Sequence[str] | None = None,
    models: tuple[str, ...] | None = None,
    name: str | None = None,
) -> Scores:
    x = np.asarray(values, dtype=float)
    task = TaskScores(name=name, units=[f"u{i}" for i in range(len(x))], values=x, clusters=clusters)  # type: ignore[arg-type]
    return Scores(
        models=models or tuple("abcdefghijklmnopqrstuvwxyz"[: x.shape[1]]),
        tasks=(task,),
        metric="m",
        higher_is_better=higher,
        design=Design(unit="example"),
        audit=Audit(paired=len(x)),
    )


def test_one_sign() -> None:
    x = [[0.9, 0.5], [0.7, 0.8]]
    np.testing.assert_allclose(scores(x).differences("a", "b"), [0.4, -0.1])
    np.testing.assert_allclose(scores(x, higher=False).differences("a", "b"), [-0.4, 0.1])
    assert scores(x).sums("a", "b") == Sums.of([0.4, -0.1])


def test_counts_by_hand() -> None:
    # A right, B wrong: twice; both right: once; both wrong: three times; B right, A wrong: once.
    x = [[1, 0], [1, 0], [1, 1], [0, 0], [0, 0], [0, 0], [0, 1]]
    assert scores(x).counts("a", "b") == (3, 1, 2, 1)
    assert scores(x).counts("b", "a") == (3, 2, 1, 1)
    # The same table as errors (1 = wrong): right and wrong change places.
    assert scores(x, higher=False).counts("a", "b") == (1, 2, 1, 3)


def test_counts_need_zero_and_one() -> None:
    assert scores([[1, 0], [0, 0]]).is_binary
    half = scores([[1, 0.5], [0, 0]])
    assert not half.is_binary
    with pytest.raises(MethodError, match=r"scores \(m\) are not 0 and 1"):
        half.counts("a", "b")


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(2, 30), st.integers(2, 6)), elements=st.floats(-1, 1, width=32)),
    st.booleans(),
    st.sampled_from([0.0, 1e6]),
)
def test_all_sums_are_the_sums_of_every_pair(x: np.ndarray, higher: bool, offset: float) -> None:
    s = scores(x + offset, higher=higher)
    mean, m2 = s.all_sums()
    for i, a in enumerate(s.models):
        for j, b in enumerate(s.models):
            one = s.sums(a, b)
            # Differences are rounded to less than 40 units in the last place of the largest score, so each is
            # off by less than 20; by Cauchy-Schwarz M2 by less than 2·20·tiny·sqrt(n M2), and the square.
            tiny = np.finfo(float).eps * (1 + offset)
            off = 20 * tiny
            assert mean[i, j] == pytest.approx(one.mean, rel=1e-9, abs=off)
            assert m2[i, j] == pytest.approx(
                one.m2, rel=1e-9, abs=2 * off * np.sqrt(len(x) * one.m2) + len(x) * off**2
            )


def test_all_sums_of_equal_and_shifted_models_are_exactly_zero() -> None:
    x = np.random.default_rng(0).normal(size=200).round(3)
    mean, m2 = scores(np.column_stack([x, x, np.round(x * 8) / 8, np.round(x * 8) / 8 + 0.5])).all_sums()
    assert m2[0, 1] == 0.0
    assert mean[0, 1] == 0.0
    assert m2[2, 3] == 0.0
    assert mean[2, 3] == -0.5
    assert np.all(np.diag(m2) == 0)
    np.testing.assert_array_equal(m2, m2.T)


def test_by_cluster() -> None:
    s = scores([[1, 0], [0, 0], [1, 1], [4, 8]], clusters=["x", "y", "x", "y"])
    assert s.is_clustered
    means = s.by_cluster()
    assert means.tasks[0].units.tolist() == ["x", "y"]
    np.testing.assert_array_equal(means.tasks[0].values, [[1, 0.5], [2, 4]])  # by hand
    assert not means.is_clustered
    assert means.audit.paired == 4


def test_no_clusters() -> None:
    with pytest.raises(MethodError, match="the units have no clusters"):
        scores([[1, 0], [0, 0]]).by_cluster()


def _two_tasks() -> Scores:
    one, two = (scores([[1, 0], [0, 0]], name=n).tasks[0] for n in ("anneal", "audiology"))
    s = scores([[1, 0]])
    return Scores(
        models=("svm", "forest"),
        tasks=(one, two),
        metric="m",
        higher_is_better=True,
        design=s.design,
        audit=s.audit,
    )


def test_unknown_names() -> None:
    s = _two_tasks()
    with pytest.raises(OptionError, match=r'no model "forrest"\n\n  Did you mean "forest"\?'):
        s.differences("svm", "forrest", "anneal")
    with pytest.raises(OptionError, match=r'no task "aneal"\n\n  Did you mean "anneal"\?'):
        s.differences("svm", "forest", "aneal")
    with pytest.raises(OptionError, match=r'there are 2 tasks.*\n\n  Name one of "anneal", "audiology"'):
        s.differences("svm", "forest")
    assert s.differences("svm", "forest", "audiology").tolist() == [1, 0]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: scores([[1], [2]]), DataError, 'only one model: "a"'),
        (lambda: scores([[1, 2]], models=("x", "x")), DataError, 'two models are called "x"'),
        (lambda: scores(np.empty((0, 2))), DataError, "there are no units"),
        (
            lambda: scores([[1, np.nan], [np.inf, 2]], name="t"),
            CellError,
            r'2 of 4 scores of task "t" are NaN.*\n\n  unit "u0", model "b": nan\n  unit "u1", model "a"',
        ),
        (
            lambda: scores([[1, 2], [3, 4]], models=("x", "y", "z")),
            DataError,
            r"shape \(2, 2\), \(2, 3\) was",
        ),
        (lambda: scores([[1, 2e200], [3, 4]]), CellError, r'1 of 4 scores are beyond 1e\+140\n\n  unit "u0"'),
        (lambda: scores([[1, 2], [3, 4]], clusters=["x"]), DataError, "1 clusters for 2 units"),
        (
            lambda: Scores(
                models=("a", "b"),
                tasks=(),
                metric="m",
                higher_is_better=True,
                design=Design(unit="task"),
                audit=Audit(paired=0),
            ),
            DataError,
            "there are no tasks",
        ),
    ],
)
def test_bad_scores(make: object, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        make()  # type: ignore[operator]


def test_two_tasks_of_one_name_and_half_clustered() -> None:
    plain, clustered = (
        scores([[1, 0]], name="t").tasks[0],
        scores([[1, 0]], name="u", clusters=["c"]).tasks[0],
    )
    for tasks, message in (
        ((plain, plain), 'two tasks are called "t"'),
        ((plain, clustered), "some tasks have"),
    ):
        with pytest.raises(DataError, match=message):
            Scores(
                models=("a", "b"),
                tasks=tasks,
                metric="m",
                higher_is_better=True,
                design=Design(unit="example"),
                audit=Audit(paired=2),
            )


def test_rounding_makes_no_differences() -> None:
    values = np.array([[0.9, 0.8], [0.8, 0.7], [0.7, 0.6], [0.3, 0.1 + 0.2]])
    task = TaskScores(name=None, units=list("abcd"), values=values)
    scores = Scores(models=("a", "b"), tasks=(task,), metric="score", higher_is_better=True,
                    design=Design(unit="example"), audit=Audit(paired=4))  # fmt: skip
    assert scores.differences("a", "b").tolist() == [0.1, 0.1, 0.1, 0.0]


def test_small_differences_of_large_scores_are_kept() -> None:
    values = 1e9 + np.array([[1e-5, 0.0], [0.0, 2e-5]])
    task = TaskScores(name=None, units=list("ab"), values=values)
    scores = Scores(models=("a", "b"), tasks=(task,), metric="score", higher_is_better=True,
                    design=Design(unit="example"), audit=Audit(paired=2))  # fmt: skip
    np.testing.assert_allclose(scores.differences("a", "b"), [1e-5, -2e-5], atol=1e-6)


def test_the_sums_of_all_pairs_need_every_model() -> None:
    values = np.array([[0.1, 0.3, np.nan], [0.2, 0.1, np.nan]])
    some = replace(
        scores([[0.1, 0.3, 0.2], [0.2, 0.1, 0.4]]),
        tasks=(TaskScores(name=None, units=["u0", "u1"], values=values),),  # type: ignore[arg-type]
        design=Design(unit="task"),
    )
    with pytest.raises(DataError, match="not every model was run on this task"):
        some.all_sums()


def test_data_are_one_short_line() -> None:
    """A notebook shows what was read, not its arrays."""
    import pandas as pd

    import ropewalk as rw

    assert repr(rw.read({"a": [1, 0, 1], "b": [0, 0, 1]})) == "<Scores: score of 2 models, 3 examples>"
    frame = pd.DataFrame(
        {"id": [1, 2, 3], "truth": ["x", "y", "x"], "a": ["x", "x", "x"], "b": ["y", "y", "x"]}
    )
    assert repr(rw.read(frame)) == "<Predictions: labels of 2 models, 3 examples>"
