"""The pictures of many models: ranks, critical difference, verdicts, tasks, leaderboard."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.text import Text

from ropewalk import plot
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.plot import fonts, several_models
from ropewalk.plot.style import LOOKS
from tests.plot.boards import NAN, ZERO, board, clear, names_of, one, task_case


@cache
def draws(k: int) -> np.ndarray:
    """Joint draws of k means in a shuffled order; the reading of them below is by counting."""
    random = np.random.default_rng(k)
    return random.permutation(np.linspace(0.7, 0.85, k)) + 0.02 * random.standard_normal((300, k))


@cache
def ranks_case(k: int, names: str = "short", style: str = "screen", missing: bool = False) -> Any:
    place = (-draws(k)).argsort(axis=1).argsort(axis=1)
    p = np.stack([(place == j).mean(axis=0) for j in range(k)], axis=1)
    if missing:
        p[0] = NAN
    return plot.ranks(names_of(k, names), p, style=style)


@cache
def verdict_case(k: int, names: str = "short", style: str = "screen", missing: bool = False) -> Any:
    d = draws(k)[:, :, None] - draws(k)[:, None, :]
    better, worse = (d > 0.01).mean(axis=0), (d < -0.01).mean(axis=0)
    if missing:
        better[0, 1] = better[1, 0] = NAN
    equivalent = 1 - better - worse
    worse = np.where(np.isnan(better), NAN, worse)
    return plot.verdict_matrix(names_of(k, names), better, equivalent, worse, style=style)


@cache
def critical_case(k: int, names: str = "short", style: str = "screen", missing: bool = False) -> Any:
    mean = (-draws(k)).argsort(axis=1).argsort(axis=1).mean(axis=0) + 1
    return plot.critical_difference(names_of(k, names), mean, 0.2 * k, style=style)


@cache
def board_case(k: int, names: str = "short", style: str = "screen", missing: bool = False) -> Any:
    d = draws(k)
    low, high = np.quantile(d, [0.025, 0.975], axis=0)
    mean, top = d.mean(axis=0), d.max(axis=1, keepdims=True)
    best, within = (d >= top).mean(axis=0), (d >= top - 0.01).mean(axis=0)
    if missing:
        mean[0], low[1], best[1], within[2] = NAN, NAN, NAN, NAN
        mean[3] -= 10  # far from the others, its interval with it
        low[3], high[3] = low[3] - 10, high[3] - 10
    return plot.leaderboard(
        names_of(k, names), mean, low, high, best, within, within > 0.3, 0.01, metric="acc_$1$", style=style
    )


PICTURES: dict[str, Callable[..., Any]] = {
    "ranks": ranks_case,
    "verdict_matrix": verdict_case,
    "critical_difference": critical_case,
    "leaderboard": board_case,
    "task_matrix": task_case,
}


every_picture = pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)


@every_picture
@pytest.mark.parametrize("style", ["screen", "paper"])
@pytest.mark.parametrize(
    ("k", "names"), [(2, "short"), (5, "long"), (10, "odd"), (30, "long"), (100, "short")]
)
@pytest.mark.few(10)
def test_nothing_is_cut_off_and_no_words_overlap(draw: Any, k: int, names: str, style: str) -> None:
    figure = draw(k, names, style)
    clear(figure)
    assert figure.get_size_inches()[0] == LOOKS[style].width


@every_picture
@pytest.mark.parametrize("k", [5, 30])
@pytest.mark.few(4)
def test_missing_values(draw: Any, k: int) -> None:
    clear(draw(k, missing=True))


@every_picture
def test_the_height_grows_with_the_models(draw: Any) -> None:
    few, some, most = (draw(k, "short", "screen").get_size_inches()[1] for k in (5, 30, 100))
    assert few < some < most < 18


@every_picture
@pytest.mark.parametrize("k", [5, 30, 100])
def test_every_model_is_named(draw: Any, k: int, texts: Any) -> None:
    found = " ".join(texts(draw(k, "short", "screen")))
    assert all(name in found for name in names_of(k, "short"))


@every_picture
def test_names_are_text_and_not_formulas(draw: Any, texts: Any) -> None:
    figure = draw(10, "odd")
    assert not any(t.get_parse_math() for t in figure.findobj(Text) if "$" in t.get_text())
    found = " ".join(texts(figure))
    assert all(name in found for name in ("$x_1$", "a_b^{2}", "<b>&amp;", "\\frac{1}{2}", "a�b"))
    assert "z" * 70 not in found.replace(" ", "")


@every_picture
@pytest.mark.few(2)
def test_there_is_no_title_in_a_paper_and_fonts_are_embedded(draw: Any) -> None:
    assert any(t.get_weight() == "bold" for t in draw(5).findobj(Text))
    figure = draw(5, style="paper")
    assert not any(t.get_weight() == "bold" for t in figure.findobj(Text))
    pdf = plot.render(figure, "pdf")
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf


@every_picture
def test_the_same_input_gives_the_same_bytes_whatever_the_settings(draw: Any) -> None:
    def digest() -> str:
        return hashlib.sha256(plot.render(draw.__wrapped__(5, missing=True), "svg")).hexdigest()

    plain = digest()
    with matplotlib.rc_context({"text.usetex": True, "hatch.linewidth": 5, "axes.facecolor": "black"}):
        before = dict(matplotlib.rcParams)
        assert digest() == plain
        assert dict(matplotlib.rcParams) == before


def test_many_cells_do_not_make_a_huge_file() -> None:
    few, most = (plot.render(verdict_case(k, "short", "screen"), "svg") for k in (5, 100))
    assert b"<image" not in few
    assert most.count(b"<image") == 1
    assert len(most) < 1_000_000


def test_of_a_thousand_models_the_first_hundred_are_drawn(texts: Any) -> None:
    k = 1000
    names = [f"m{i}" for i in range(k)]
    place = np.random.default_rng(0).permutation(k)  # the rank of each model, from 0
    first = [names[i] for i in np.argsort(place)[:100]]
    above = (place[:, None] < place).astype(float)
    zeros = np.eye(k)
    mean = -place / k
    p = (place < 3).astype(float)
    figures = {
        "ranks": plot.ranks(names, np.eye(k)[place]),
        "verdict_matrix": plot.verdict_matrix(names, above, zeros, above.T),
        "critical_difference": plot.critical_difference(names, place + 1.0, 12.5),
        "leaderboard": plot.leaderboard(names, mean, mean - 0.1, mean + 0.1, p, p, p, 0.003, metric="acc"),
        "task_matrix": plot.task_matrix(names, ["a", "b"], np.repeat(-mean[:, None], 2, axis=1)[::-1]),
    }
    for kind, figure in figures.items():
        found = texts(figure)
        assert sum(text in names for text in found) == 100, kind
        assert any("the first 100 of 1,000 models" in text for text in found), kind
        if kind != "task_matrix":
            assert [text for text in found if text in names] == first, kind


def test_cells_have_words_where_there_is_room(texts: Any) -> None:
    five = texts(verdict_case(5))
    assert any(text.startswith("better ▲") for text in five)
    assert "▲" in texts(verdict_case(30))
    assert not {"▲", "▼", "="} & set(texts(verdict_case(100)))
    assert "0.71" in texts(plot.ranks(["a", "b"], [[0.29, 0.71], [0.71, 0.29]]))


def test_names_of_digits() -> None:
    """Ids of sixty digits are names, too long for a head, and not numbers of columns."""
    p = np.full((5, 60), 0.5)
    clear(plot.task_matrix(list("12345"), ["1" * 57 + f"{i:03}" for i in range(60)], p, style="paper"))
    clear(plot.task_matrix(names_of(40, "short"), [str(i) for i in range(60)], p.repeat(8, axis=0)))


def test_names_that_lose_letters_stay_different() -> None:
    for pattern in (
        "org/model-{}b-instruct-v2-long",
        "{}/the-same-ending-of-all",
        "the-same-start-of-all/{}",
    ):
        names = [pattern.format(i) for i in range(10, 30)]
        found = several_models.fitted(names, 70.0, 8.5)
        assert len(set(found)) == 20
        assert several_models.widest(found, 8.5) <= 70
    assert several_models.fitted(["a", "ab"], 70.0, 8.5) == ["a", "ab"]
    hopeless = [c + "x" * 30 + d + "y" * 30 + c for c in "ab" for d in "ab"]
    found = several_models.fitted(hopeless, 70.0, 8.5)  # they differ in the middle: numbered
    assert [text.partition("\N{NO-BREAK SPACE}")[0] for text in found] == ["1", "2", "3", "4"]
    assert all(fonts.width(text, 8.5) <= 70 for text in found)


def test_heads_of_the_verdict_matrix_stay_different_in_a_paper() -> None:
    names = [
        f"{size}/bert-uncased-lr{rate}e-5-decay-{size}" for size in ("base", "tiny") for rate in (1, 2, 3)
    ]
    p = np.full((6, 6), 0.97)
    figure = plot.verdict_matrix(names, p, 0.02 + 0 * p, 0.01 + 0 * p, style="paper")
    heads = [text.get_text() for text in figure.axes[0].texts if text.get_rotation() == 90]
    assert len(heads) == len(set(heads)) == 6


@pytest.mark.parametrize("i", range(5))
def test_one_model_is_no_comparison(i: int) -> None:
    with pytest.raises(MethodError, match="there is only one\n\n  Give at least two models"):
        one(1)[i]()
    with pytest.raises(MethodError, match="there is none"):
        one(0)[i]()


HALF = [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("kind", "call", "message"),
    [
        (
            DataError,
            lambda: plot.ranks(["a", "b"], [[1, 0]]),
            "ranks has the shape 1 x 2 and not 2 x 2\n\n  One",
        ),
        (DataError, lambda: plot.ranks(["a", "b"], 1.0), "has the shape of a single number and not 2 x 2"),
        (
            DataError,
            lambda: plot.ranks(["a", "b"], [["x", "y"], ["z", "w"]]),
            "is not an array of numbers\n\n  G",
        ),
        (DataError, lambda: plot.ranks(["a", "b"], [[1], [1, 0]]), "is not an array of numbers"),
        (CellError, lambda: plot.ranks(["a", "b"], [[1, 0], [np.inf, 0]]), "holds infinity\n\n  Give nan"),
        (
            CellError,
            lambda: plot.ranks(["a", "b"], [[1.5, 0], [0, 1]]),
            "holds 1.5, which is not a probability",
        ),
        (
            CellError,
            lambda: plot.ranks(["a", "b"], [[1, 0], [0, 0.5]]),
            "ranks of a model sum to 0.5 and not to 1",
        ),
        (
            CellError,
            lambda: plot.verdict_matrix(["a", "b"], HALF, HALF, HALF),
            "of a pair sum to 1.5 and not to 1",
        ),
        (
            OptionError,
            lambda: plot.verdict_matrix(["a", "b"], HALF, HALF, ZERO, threshold=0.5),
            "the threshold is 0.5\n\n  Give a probability above 0.5",
        ),
        (
            OptionError,
            lambda: plot.task_matrix(["a", "b"], ["t"], [[1], [0]], threshold=2),
            "the threshold is 2",
        ),
        (MethodError, lambda: plot.task_matrix(["a", "b"], [], [[], []]), "needs tasks, and there are none"),
        (
            CellError,
            lambda: plot.critical_difference(["a", "b"], [1, NAN], 1.0),
            'the mean rank of "b" is nan\n\n  Ranks start at 1, and none may be missing',
        ),
        (CellError, lambda: plot.critical_difference(["a", "b"], [0.5, 2], 1.0), 'mean rank of "a" is 0.5'),
        (
            OptionError,
            lambda: plot.critical_difference(["a", "b"], [1, 2], 0.0),
            "the critical difference is 0.0",
        ),
        (
            OptionError,
            lambda: plot.critical_difference(["a", "b"], [1, 2], NAN),
            "the critical difference is nan",
        ),
        (
            OptionError,
            lambda: plot.critical_difference(["a", "b"], [1, 2], 1.0, alpha=5),
            "alpha is 5\n\n  Give a p",
        ),
        (OptionError, lambda: board(rope=-1), "the ROPE is -1\n\n  Give a number from 0 up"),
        (OptionError, lambda: board(rope=(1, 0)), r"the ROPE is \(1, 0\)"),
        (OptionError, lambda: board(rope=NAN), "the ROPE is nan"),
        (OptionError, lambda: board(style="papper"), 'no style "papper"'),
        (
            CellError,
            lambda: board(low=[0.9, 0.8, 0.7]),
            'the interval of "a" ends before it starts\n\n  Are low',
        ),
        (MethodError, lambda: board(mean=[NAN, NAN, NAN]), "no model has a mean\n\n  Give the mean"),
        (OptionError, lambda: board(rope=[0.1, 0.2, 0.3]), "the ROPE is"),
        (OptionError, lambda: board(level=95), "the level is 95\n\n  Give a probability"),
        (CellError, lambda: board(in_set=[1, 0.5, 0]), "`in_set` has values that are neither true nor false"),
        (DataError, lambda: board(in_set=[True]), "the array `in_set` has the shape 1 and not 3"),
    ],
)
def test_errors(kind: type[Exception], call: Callable[[], Any], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()
