"""The pictures of many models: ranks, critical difference, verdicts, tasks, leaderboard."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from ropewalk import plot
from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.plot import fonts, several_models
from ropewalk.plot.critical_difference import groups, lanes
from ropewalk.plot.style import LOOKS, settings
from ropewalk.plot.verdict_matrix import _ink

NAN = float("nan")
LONG = "organisation/a-model-of-forty-letters-v{}"
ODD = ["$x_1$", "a_b^{2}", "<b>&amp;", "\\frac{1}{2}", "a\nb", "漢", "%s {0}", "$", "_", "z" * 10_000]


def names_of(k: int, kind: str) -> list[str]:
    """Names that are short, long (40 letters) or full of signs."""
    if kind == "odd":
        return [f"{ODD[i % len(ODD)]}{i if i >= len(ODD) else ''}" for i in range(k)]
    return [(LONG if kind == "long" else "model {}").format(f"{i:02}") for i in range(k)]


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


@cache
def task_case(
    k: int, names: str = "short", style: str = "screen", missing: bool = False, tasks: int = 12
) -> Any:
    random = np.random.default_rng(k)
    p = np.clip(random.normal(0.5, 0.6, (k, tasks)), 0, 1)
    if missing:
        p[random.random(p.shape) < 0.2] = NAN
    return plot.task_matrix(names_of(k, names), names_of(tasks, names), p, style=style)


PICTURES: dict[str, Callable[..., Any]] = {
    "ranks": ranks_case,
    "verdict_matrix": verdict_case,
    "critical_difference": critical_case,
    "leaderboard": board_case,
    "task_matrix": task_case,
}
every_picture = pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)


def clear(figure: Any) -> None:
    """Nothing sticks out of the figure, and no two words share more than a pixel."""
    with settings():
        renderer = FigureCanvasAgg(figure).get_renderer()
        ink = figure.get_tightbbox(renderer)
        seen = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        boxes = np.array([t.get_window_extent(renderer).extents for t in seen])
    wide, high = figure.get_size_inches()
    slack = 1 / figure.dpi
    assert min(ink.x0, ink.y0) > -slack, ink.extents
    assert max(ink.x1 - wide, ink.y1 - high) < slack, ink.extents
    x0, y0, x1, y1 = boxes.T
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    both = np.triu(np.minimum(across, down), 1)
    one, other = np.unravel_index(both.argmax(), both.shape)
    assert both.max() < 1, f"{seen[one].get_text()!r} and {seen[other].get_text()!r} overlap"


@every_picture
@pytest.mark.parametrize("style", ["screen", "paper"])
@pytest.mark.parametrize(
    ("k", "names"), [(2, "short"), (5, "long"), (10, "odd"), (30, "long"), (100, "short")]
)
def test_nothing_is_cut_off_and_no_words_overlap(draw: Any, k: int, names: str, style: str) -> None:
    figure = draw(k, names, style)
    clear(figure)
    assert figure.get_size_inches()[0] == LOOKS[style].width


@every_picture
@pytest.mark.parametrize("k", [5, 30])
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
    with matplotlib.rc_context(
        {"font.size": 30, "axes.grid": True, "hatch.linewidth": 5, "lines.linewidth": 9}
    ):
        before = dict(matplotlib.rcParams)
        assert digest() == plain
        assert dict(matplotlib.rcParams) == before


def test_many_cells_do_not_make_a_huge_file() -> None:
    few, most = (plot.render(verdict_case(k, "short", "screen"), "svg") for k in (5, 100))
    assert b"<image" not in few
    assert most.count(b"<image") == 1
    assert len(most) < 1_000_000


# ---------------------------------------------------------------------------------------------------- cut


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


def test_of_many_tasks_the_first_are_drawn(texts: Any) -> None:
    names, tasks = names_of(120, "short"), [f"t{i}" for i in range(300)]
    found = texts(plot.task_matrix(names, tasks, np.full((120, 300), 0.5)))
    assert any("the first 200 of 300 tasks" in text for text in found)
    assert any("without a name" in text for text in found)
    assert "t0" in found
    assert "t200" not in found


# ------------------------------------------------------------------------------------ critical difference


def cliques(ranks: np.ndarray, cd: float) -> set[frozenset[int]]:
    """By going through all sets: every pair is closer than cd, and no model could be added."""
    k = len(ranks)
    sets = [
        frozenset(chosen)
        for size in range(2, k + 1)
        for chosen in itertools.combinations(range(k), size)
        if all(abs(ranks[i] - ranks[j]) < cd for i, j in itertools.combinations(chosen, 2))
    ]
    return {one for one in sets if not any(one < other for other in sets)}


def test_groups_against_all_sets_of_models() -> None:
    """Oracle: brute force over all subsets; ranks with halves, so that ties and exact distances happen."""
    random = np.random.default_rng(0)
    for _ in range(60):
        ranks = np.sort(random.integers(2, 17, random.integers(2, 9)) / 2)
        for cd in (0.25, 0.5, 1.0, 2.5, 20.0):
            found = groups(ranks, cd)
            sets = [frozenset(range(first, last + 1)) for first, last in found]
            assert len(set(sets)) == len(sets)
            assert set(sets) == cliques(ranks, cd), (ranks, cd)


def test_groups_are_those_of_the_nemenyi_test() -> None:
    from ropewalk.nhst import nemenyi

    result = nemenyi(np.random.default_rng(1).random((25, 12)) + np.linspace(0, 0.5, 12))
    order = np.argsort(result.average_ranks, kind="stable")
    found = groups(result.average_ranks[order], result.critical_difference)
    several = [group for group in result.groups if len(group) > 1]
    assert [tuple(order[first : last + 1]) for first, last in found] == several


def test_demsars_example(texts: Any) -> None:
    """Demšar 2006, sec. 3.2.2 and Fig. 1(a): four variants of C4.5 on 14 data sets (Table 6).

    CD is 1.25 at 5 %, more than any difference, and 1.12 at 10 %: C4.5 is worse than C4.5+m and C4.5+m+cf,
    and C4.5+cf belongs to either group.
    """
    names, ranks = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], np.array([3.143, 2.000, 2.893, 1.964])
    assert groups(np.sort(ranks), 1.25) == [(0, 3)]
    assert groups(np.sort(ranks), 1.12) == [(0, 2), (2, 3)]
    figure = plot.critical_difference(names, ranks, 1.12, alpha=0.1)
    found = texts(figure)
    assert "C4.5+m+cf ranks best; 1 of 3 others worse by the critical difference or more" in found
    assert any("critical difference 1.12 at alpha 0.1" in text for text in found)
    at = {t.get_text(): t.xy for t in figure.axes[0].texts}
    # As in the figure: C4.5 over C4.5+cf on the left, C4.5+m+cf over C4.5+m on the right.
    left, right = ("C4.5  3.14", "C4.5+cf  2.89"), ("1.96  C4.5+m+cf", "2.00  C4.5+m")
    for upper, lower in (left, right):
        assert at[upper][0] == at[lower][0]
        assert at[upper][1] > at[lower][1]
    assert at[left[0]][0] < at["3"][0] < at["2"][0] < at[right[0]][0]


@pytest.mark.parametrize("k", [6, 40])
def test_the_bars_are_the_groups(k: int) -> None:
    """Oracle: the ends of the thick lines, turned back into ranks with the axis that is drawn."""
    ranks = np.sort(np.random.default_rng(k).uniform(1.2, k - 0.2, k))
    cd = 0.3 * k
    figure = plot.critical_difference(names_of(k, "short"), ranks, cd)
    lines = figure.axes[0].lines
    thick = max(line.get_linewidth() for line in lines)
    bars = sorted(sorted(line.get_xdata()) for line in lines if line.get_linewidth() == thick)
    expected = [(ranks[first], ranks[last]) for first, last in groups(ranks, cd)]
    if k == 6:  # in points, the best on the right, and a little longer than the group
        low, high = np.floor(ranks[0]), np.ceil(ranks[-1])
        axis = next(line for line in lines if np.ptp(line.get_ydata()) == 0).get_xdata()
        unit = (max(axis) - min(axis)) / (high - low)
        bars = sorted(
            (low + (max(axis) - (b - 2.8)) / unit, low + (max(axis) - (a + 2.8)) / unit) for a, b in bars
        )
    np.testing.assert_allclose(bars, sorted(expected), atol=1e-9)


def test_bars_in_one_lane_do_not_touch() -> None:
    random = np.random.default_rng(0)
    for _ in range(50):
        spans = sorted(tuple(np.sort(random.integers(0, 30, 2))) for _ in range(12))
        found = lanes(spans)
        for (one, i), (other, j) in itertools.combinations(zip(spans, found, strict=True), 2):
            assert i != j or one[1] < other[0] or other[1] < one[0]
        # No more lanes than spans that share a point.
        assert max(found) + 1 == max(sum(a <= x <= b for a, b in spans) for x in range(31))


@pytest.mark.parametrize("k", [4, 40])
def test_ranks_that_are_all_the_same_and_a_difference_longer_than_the_axis(k: int, texts: Any) -> None:
    figure = plot.critical_difference(names_of(k, "short"), np.full(k, (k + 1) / 2), 3.0 * k)
    clear(figure)
    found = texts(figure)
    assert f"CD {3 * k}, longer than the axis" in found
    assert "no model is told apart from model 00, which ranks best" in found


# ------------------------------------------------------------------------------------------------ colours


def luminance(rgb: Any) -> Any:
    """Of sRGB."""
    c = np.asarray(rgb)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def lightness(rgb: Any) -> Any:
    """CIE L*, what is left of a colour in print without colours."""
    y = luminance(rgb)
    return np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y)


def test_verdicts_are_told_apart_in_grey_print_and_their_depth_is_the_probability() -> None:
    strength = np.linspace(0, 1, 11)
    light = {name: lightness(several_models.shade(name, strength)) for name in several_models.SHADES}
    for values in light.values():
        assert (np.diff(values) < 0).all()
    bands = sorted((values.min(), values.max()) for values in light.values())
    for (_, end), (start, _) in itertools.pairwise(bands):
        assert start - end > 8


@pytest.mark.parametrize("verdict", several_models.SHADES)
def test_words_are_dark_or_pale_enough_for_their_cells(verdict: str) -> None:
    """WCAG 2, level AA: a contrast of 4.5 for small letters."""
    word = luminance(to_rgb(_ink(verdict)))
    for strength in (0.0, 1.0):
        pale, dark = sorted([word, luminance(several_models.shade(verdict, strength))], reverse=True)
        assert (pale + 0.05) / (dark + 0.05) >= 4.5


def test_the_colour_is_the_verdict() -> None:
    better = [[0, 0.97, 0.5], [0.01, 0, 0.0], [0.1, 1.0, 0]]
    equivalent = [[1, 0.02, 0.4], [0.02, 1, 0.0], [0.4, 0.0, 1]]
    worse = [[0, 0.01, 0.1], [0.97, 0, 1.0], [0.5, 0.0, 0]]
    figure = plot.verdict_matrix(["a", "b", "c"], better, equivalent, worse)
    cells = figure.axes[0].collections[0].get_array()  # in the order a, c, b
    np.testing.assert_allclose(cells[0, 0], 1)
    np.testing.assert_allclose(cells[0, 2], several_models.shade("better", 0.4))
    np.testing.assert_allclose(cells[2, 0], several_models.shade("worse", 0.4))
    np.testing.assert_allclose(cells[1, 2], several_models.shade("better", 1.0))
    np.testing.assert_allclose(cells[0, 1], several_models.shade("undecided", (0.5 - 1 / 3) / (0.95 - 1 / 3)))


# ------------------------------------------------------------------------------------------- what is said


def test_cells_have_words_where_there_is_room(texts: Any) -> None:
    five = texts(verdict_case(5))
    assert any(text.startswith("better ▲") for text in five)
    assert "▲" in texts(verdict_case(30))
    assert not {"▲", "▼", "="} & set(texts(verdict_case(100)))
    assert "0.71" in texts(plot.ranks(["a", "b"], [[0.29, 0.71], [0.71, 0.29]]))


def test_the_title_of_verdicts(texts: Any) -> None:
    better, worse = (
        np.array([[0, 1, 1], [0, 0, 0.6], [0, 0.1, 0]]),
        np.array([[0, 0, 0], [1, 0, 0.1], [1, 0.6, 0]]),
    )
    found = texts(plot.verdict_matrix(["a", "b", "c"], better, 1 - better - worse, worse))
    assert "a: better than 2 of 2 others; 1 of 3 pairs undecided" in found
    alike = texts(plot.verdict_matrix(["a", "b"], ZERO, [[1, 1], [1, 1]], ZERO))
    assert "a: equivalent to 1 of 1 other; no pair undecided" in alike
    nothing = np.full((3, 3), NAN)
    assert "no pair was compared" in texts(plot.verdict_matrix(["a", "b", "c"], nothing, nothing, nothing))


def test_the_title_of_ranks(texts: Any) -> None:
    p = [[0.4, 0.6, 0], [0.6, 0, 0.4], [0, 0.4, 0.6]]
    found = texts(plot.ranks(["even", "often first", "last"], p))
    assert "often first ranks first with probability 0.60" in found
    rows = [text for text in found if text in ("even", "often first", "last")]
    assert rows == ["even", "often first", "last"]  # mean ranks 1.6, 1.8, 2.6
    assert "no model has ranks" in texts(plot.ranks(["a", "b"], np.full((2, 2), NAN)))


def test_the_title_of_tasks(texts: Any) -> None:
    p = [[0.2, 0.99, NAN], [0.99, 0.96, 0.5], [0.0, 0.0, 0.0]]
    found = texts(plot.task_matrix(["a", "b", "c"], ["t1", "t2", "t3"], p))
    assert "b within the ROPE of the best on 2 of 3 tasks, more than any other model" in found
    assert "missing" in found
    alike = texts(plot.task_matrix(["a", "b"], ["t1"], [[0.99], [0.98]]))
    assert "a and 1 other model within the ROPE of the best on 1 of 1 task" in alike
    none = texts(plot.task_matrix(["a", "b"], ["t1"], [[0.5], [0.5]]))
    assert "no model is clearly within the ROPE of the best on any task" in none
    assert "missing" not in none


def test_tasks_go_down_the_page_where_their_names_have_no_room_across_it() -> None:
    wide, tall = task_case(5, tasks=20), task_case(5, tasks=60)
    assert wide.axes[0].collections[0].get_coordinates().shape[:2] == (6, 21)
    assert tall.axes[0].collections[0].get_coordinates().shape[:2] == (61, 6)
    clear(tall)


@pytest.mark.parametrize(
    ("members", "title"),
    [
        ([], "none of 5 models is practically the best"),
        ([0], "m0 is practically the best of 5 models"),
        ([0, 2], "the best of 5 models is m0 or m2"),
        ([0, 1, 2], "the best of 5 models is m0, m1 or m2"),
        ([0, 1, 2, 3], "the best of 5 models is m0 or one of 3 others"),
        ([0, 1, 2, 3, 4], "any of 5 models may be the best"),
    ],
)
def test_the_title_of_a_leaderboard(members: list[int], title: str, texts: Any) -> None:
    mean, p = np.linspace(0.9, 0.8, 5), np.full(5, 0.5)
    chosen = np.isin(np.arange(5), members)
    names = [f"m{i}" for i in range(5)]
    figure = plot.leaderboard(names, mean, mean - 0.02, mean + 0.02, p, p, chosen, 0.01, metric="acc")
    assert title in texts(figure)


def board(**changes: Any) -> Any:
    """Three models, the second the best."""
    fields: dict[str, Any] = {
        "names": ["a", "b", "c"],
        "mean": [0.80, 0.85, 0.75],
        "low": [0.78, 0.83, 0.73],
        "high": [0.82, 0.87, 0.77],
        "p_best": [0.1, 0.9, 0.0],
        "p_within": [0.25, 0.97, 0.0],
        "in_set": [False, True, False],
        "rope": 0.02,
        "metric": "accuracy",
    }
    return plot.leaderboard(**(fields | changes))


@pytest.mark.parametrize(
    ("rope", "is_higher", "band", "first"),
    [
        (0.02, True, (0.83, 0.87), "b"),
        ([-0.01, 0.03], True, (0.84, 0.88), "b"),
        ((-0.01, 0.03), False, (0.72, 0.76), "c"),  # an advantage of 0.03 is a loss that is 0.03 less
        (0, True, (0.85, 0.85), "b"),
    ],
)
def test_the_band_lies_around_the_best(rope: Any, is_higher: bool, band: Any, first: str, texts: Any) -> None:
    figure = board(rope=rope, higher_is_better=is_higher)
    clear(figure)
    patch = figure.axes[0].patches[0]
    assert (patch.get_x(), patch.get_x() + patch.get_width()) == pytest.approx(band)
    found = texts(figure)
    assert next(text for text in found if text in ("a", "b", "c")) == first
    assert ("better →" if is_higher else "worse →") in found
    assert any("ROPE" in text and "around" in text for text in found) == (rope != 0)


def test_a_leaderboard_prints_probabilities_where_there_is_room(texts: Any) -> None:
    found = texts(board(p_best=[NAN, 0.9, 0.0]))
    assert {"P(best)", "P(within)", "0.97", "–"} <= set(found)
    narrow = texts(board(names=[LONG.format(i) for i in "abc"], style="paper"))
    assert "P(within)" in narrow
    assert "P(best)" not in narrow
    assert "bars: 90 % intervals · P(best): to be the best" in " ".join(texts(board(level=0.9)))


def test_a_model_far_away_does_not_widen_the_axis(texts: Any) -> None:
    far = board(mean=[0.80, 0.85, -7.0], low=[0.78, 0.83, -7.1], high=[0.82, 0.87, -6.9])
    low, high = far.axes[0].get_xlim()
    assert low > 0
    assert high < 1.2
    assert "← −7" in texts(far)
    clear(far)
    cut = board(low=[0.78, 0.83, -7.0])  # only its interval: an arrow at the end of the axis
    assert "<" in [line.get_marker() for line in cut.axes[0].lines if len(line.get_xdata())]
    assert cut.axes[0].get_xlim()[0] > 0


def test_a_leaderboard_of_models_that_are_all_the_same() -> None:
    same = [0.5, 0.5, 0.5]
    clear(board(mean=same, low=same, high=same, rope=0))


def test_a_model_without_a_mean_stands_last(texts: Any) -> None:
    found = texts(board(mean=[0.8, NAN, 0.75]))
    assert [text for text in found if text in ("a", "b", "c")] == ["a", "c", "b"]
    assert "no mean" in found


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
    hopeless = ["x" * 30 + c + "y" * 30 + d + "z" * 30 for c in "ab" for d in "ab"]
    assert all(fonts.width(text, 8.5) <= 70 for text in several_models.fitted(hopeless, 70.0, 8.5))


# ------------------------------------------------------------------------------------------------- errors


def one(k: int) -> list[Callable[[], Any]]:
    """Every picture of k models."""
    names, v, m = names_of(k, "short"), np.full(k, 0.5), np.full((k, k), 0.5)
    return [
        lambda: plot.ranks(names, m),
        lambda: plot.verdict_matrix(names, m, m, m),
        lambda: plot.critical_difference(names, v + 1, 1.0),
        lambda: plot.leaderboard(names, v, v, v, v, v, v, 0.1, metric="x"),
        lambda: plot.task_matrix(names, ["t"], v[:, None]),
    ]


@pytest.mark.parametrize("i", range(5))
def test_one_model_is_no_comparison(i: int) -> None:
    with pytest.raises(MethodError, match="there is one\n\n  Give at least two models"):
        one(1)[i]()
    with pytest.raises(MethodError, match="there is none"):
        one(0)[i]()


HALF = [[0.5, 0.5], [0.5, 0.5]]
ZERO = [[0.0, 0.0], [0.0, 0.0]]


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
        (CellError, lambda: plot.ranks(["a", "b"], [[1.5, 0], [0, 1]]), "holds 1.5, which is no probability"),
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
            'the mean rank of "b" is nan\n\n  The best rank is 1, and none is missing',
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
        (CellError, lambda: board(in_set=[1, 0.5, 0]), "`in_set` is neither true nor false somewhere"),
        (DataError, lambda: board(in_set=[True]), "the array `in_set` has the shape 1 and not 3"),
    ],
)
def test_errors(kind: type[Exception], call: Callable[[], Any], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()
