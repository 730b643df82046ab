"""Every picture of every kind of comparison: nothing is cut off, nothing overlaps, nothing leaks."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from ropewalk import plot
from ropewalk.errors import MethodError, OptionError
from ropewalk.plot.style import settings

ONE_TASK = ["posterior", "differences", "qq", "hdi"]  # what a comparison by a t-test has
# Where the words of a paper's column are closest together; the other cases are proofs.
CROWDED = [
    "percent",
    "phi at the edge",
    "sign, none worse",
    "long names",
    "long names of shares",
    "odd names",
]
CROWDED_TASKS = ["tasks on phi", "54 tasks", "long names of tasks"]


def drawable(comparison):
    """The pictures that can be drawn of a comparison."""
    e = comparison.evidence
    regions, many = hasattr(comparison.posterior, "most_probable"), hasattr(e, "fitted")
    there = {
        "qq": hasattr(e, "d") and e.d.min() < e.d.max(),
        "hdi": not regions,
        "simplex": regions or many,
        "hyper": comparison.method == "hierarchical_mcnemar",
        "sensitivity": comparison.at_ropes([1.0]) is not None,
    } | dict.fromkeys(("forest", "tasks", "next_task"), many)
    return [kind for kind in plot.KINDS if there.get(kind, True)]


def measured(figure):
    """All that is drawn, in inches; the words that are seen, each with its box in pixels."""
    with settings():
        renderer = FigureCanvasAgg(figure).get_renderer()
        ink = figure.get_tightbbox(renderer)
        seen = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        return ink, [(t.get_text(), t.get_window_extent(renderer)) for t in seen]


@pytest.mark.few(5)
def test_nothing_is_cut_off_and_no_words_overlap(case, drawn, every):
    clear(drawn, every, drawable(case(every)), "screen")


@pytest.mark.few(2)
def test_nothing_is_cut_off_and_no_words_overlap_with_many_tasks(case, drawn, over):
    clear(drawn, over, plot.kinds(case(over)), "screen")


@pytest.mark.parametrize("name", CROWDED)
@pytest.mark.few(2)
def test_nothing_is_cut_off_in_a_narrow_column(case, drawn, name):
    clear(drawn, name, drawable(case(name)), "paper")


@pytest.mark.parametrize("name", CROWDED_TASKS)
@pytest.mark.few(1)
def test_nothing_is_cut_off_in_a_narrow_column_with_many_tasks(case, drawn, name):
    clear(drawn, name, plot.kinds(case(name)), "paper")


@pytest.mark.proof
def test_nothing_is_cut_off_in_any_narrow_column(case, drawn, every):
    clear(drawn, every, drawable(case(every)), "paper")


@pytest.mark.proof
def test_nothing_is_cut_off_in_any_narrow_column_with_many_tasks(case, drawn, over):
    clear(drawn, over, plot.kinds(case(over)), "paper")


def clear(drawn, name, kinds, style):
    for kind in kinds:
        figure = drawn(name, kind, style)
        ink, words = measured(figure)
        width, height = figure.get_size_inches()
        slack = 1 / figure.dpi  # a pixel
        assert min(ink.x0, ink.y0) > -slack, (kind, ink.extents)
        assert max(ink.x1 - width, ink.y1 - height) < slack, (kind, ink.extents)
        for (one, a), (other, b) in itertools.combinations(words, 2):
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            down = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert min(across, down) < 1, f"{kind}: {one!r} and {other!r} overlap"


def test_what_cannot_be_drawn_says_so_and_what_is_worth_drawing_can_be(case, every):
    check_kinds(case(every))


def test_what_cannot_be_drawn_over_tasks_says_so(case, over):
    check_kinds(case(over))


@pytest.mark.parametrize("name", ["tasks", "tasks on phi"])
def test_a_hierarchy_has_the_pictures_of_one_task_too(case, drawn, name):
    for kind in set(drawable(case(name))) - set(plot.kinds(case(name))):
        clear(drawn, name, [kind], "screen")


def check_kinds(comparison):
    can = drawable(comparison)
    assert set(plot.kinds(comparison)) <= set(can)
    for kind in set(plot.KINDS) - set(can):
        with pytest.raises(MethodError) as error:
            plot.draw(comparison, kind)
        assert error.value.hint


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("better", ["posterior", "differences", "qq", "hdi", "sensitivity"]),
        ("two units", ["posterior", "differences", "hdi", "sensitivity"]),
        ("phi", ["posterior", "differences", "hdi", "sensitivity"]),
        ("identical", ["posterior", "differences", "hdi", "sensitivity"]),
        ("signed rank", ["posterior", "simplex", "differences", "qq", "sensitivity"]),
        ("tasks", ["forest", "simplex", "tasks", "next_task", "sensitivity"]),
        ("tasks on phi", ["posterior", "forest", "simplex", "tasks", "next_task", "hyper", "sensitivity"]),
        ("tasks by accuracy", ["posterior", "forest", "simplex", "tasks", "next_task", "sensitivity"]),
        ("tasks by sign", ["posterior", "simplex", "differences", "sensitivity"]),
        ("tasks by poisson_binomial", ["posterior", "differences", "sensitivity"]),
    ],
)
def test_the_pictures_worth_drawing(case, name, kinds):
    assert plot.kinds(case(name)) == kinds


@pytest.mark.parametrize("kind", ["posterior", "hdi"])
@pytest.mark.few(16)
def test_the_axis_holds_the_rope_and_the_hdi(case, drawn, every, kind):
    comparison = case(every)
    if hasattr(comparison.posterior, "most_probable"):
        return  # shares of units: the axis is from 0 to 1
    low, high = drawn(every, kind).axes[0].get_xlim()
    assert low <= comparison.rope.low <= comparison.rope.high <= high
    assert low <= comparison.estimate.low <= comparison.estimate.high <= high
    assert low <= (0.5 if comparison.rope.scale == "phi" else 0.0) <= high


def test_a_paper_has_no_title_a_column_and_readable_letters(case, drawn):
    many = [("tasks on phi", k) for k in plot.kinds(case("tasks on phi"))]
    for name, kind in [("better", k) for k in ONE_TASK] + [
        ("sign", "posterior"),
        ("phi", "differences"),
        *many,
    ]:
        screen, paper = (drawn(name, kind, style) for style in ("screen", "paper"))
        assert paper.get_size_inches()[0] == 3.3
        sizes = {t.get_fontsize() for t in paper.findobj(Text) if t.get_text().strip()}
        assert min(sizes) >= 7
        titles = [t for t in screen.findobj(Text) if t.get_fontsize() == 13]
        assert len(titles) == 1
        assert titles[0].get_text() not in [t.get_text() for t in paper.findobj(Text)]


def test_names_are_text_and_not_formulas(drawn, texts):
    for kind in ONE_TASK:
        figure = drawn("odd names", kind)
        assert not any(t.get_parse_math() for t in figure.findobj(Text) if "$" in t.get_text())
        words = " ".join(texts(figure))
        assert "$x_1$ {\\frac} better" in words
        assert "f_$1$" in words
        assert "a�b\\$%" in words  # a line break, and a letter that no font has, are replaced
        assert "z" * 70 not in words.replace(" ", "")


def test_names_of_tasks_are_text_and_not_formulas(drawn, texts):
    for kind in ("forest", "tasks"):
        figure = drawn("odd names of tasks", kind)
        assert not any(t.get_parse_math() for t in figure.findobj(Text) if "$" in t.get_text())
        assert "$x_3$�\\{� _" in texts(figure)


@pytest.mark.parametrize("name", ["better", pytest.param("tasks on phi", marks=pytest.mark.proof)])
def test_drawing_leaves_the_settings_of_matplotlib_alone_and_colours_stay(case, name):
    """Settings that would change what a plot means, or that its file is the same everywhere, are ignored."""
    kinds = ONE_TASK if name == "better" else plot.kinds(case(name))
    plain = {kind: plot.render(plot.draw(case(name), kind), "png") for kind in kinds}
    other = {
        "text.usetex": True,
        "axes.facecolor": "black",
        "axes.spines.top": True,
        "text.color": "red",
        "path.sketch": (1, 100, 2),
        "hatch.linewidth": 5,
        "savefig.facecolor": "red",
    }
    with matplotlib.rc_context(other):
        before = dict(matplotlib.rcParams)
        for kind in kinds:
            assert plot.render(plot.draw(case(name), kind), "png") == plain[kind], kind
        assert dict(matplotlib.rcParams) == before


def test_fonts_sizes_and_the_grid_are_the_users(case):
    theirs = {
        "font.family": "serif",
        "font.size": 15,
        "figure.figsize": (9, 4),
        "figure.dpi": 80,
        "axes.grid": True,
        "lines.linewidth": 3,
    }
    with matplotlib.rc_context(theirs):
        figure = plot.draw(case("better"), "posterior")
        paper = plot.draw(case("better"), "posterior", style="paper")
    sizes = {t.get_fontsize() for t in figure.findobj(Text) if t.get_text()}
    assert sorted(sizes) == pytest.approx([1.5 * 8.5, 15, 1.5 * 13, 1.5 * 14])
    assert {t.get_fontfamily()[0] for t in figure.findobj(Text)} == {"DejaVu Serif"}
    assert figure.get_size_inches()[0] == 9
    assert figure.dpi == 80
    assert {line.get_linewidth() for line in figure.axes[0].lines} & {3, 6}
    assert all(line.get_visible() for line in figure.axes[0].get_xgridlines())
    assert not any(line.get_visible() for line in drawn_plain(case).axes[0].get_xgridlines())
    assert paper.get_size_inches()[0] == pytest.approx(3.3)
    assert max(t.get_fontsize() for t in paper.findobj(Text) if t.get_text()) == 9.5


def drawn_plain(case):
    return plot.draw(case("better"), "posterior")


def test_a_file_has_the_resolution_that_the_user_set(case):
    figure = drawn_plain(case)

    def width(png):
        return int.from_bytes(png[16:20], "big")

    assert width(plot.render(figure, "png")) == 1080
    with matplotlib.rc_context({"savefig.dpi": 300}):
        assert width(plot.render(figure, "png")) == 2160


def test_the_settings_come_back_after_an_error(case):
    before = dict(matplotlib.rcParams)
    with pytest.raises(MethodError):
        plot.draw(case("phi"), "qq")
    assert dict(matplotlib.rcParams) == before


_SCRIPT = """
import sys, hashlib, numpy as np
from ropewalk import plot
assert not any(m.startswith("matplotlib") for m in sys.modules), "imported without being asked"
from ropewalk.data import Design
from ropewalk.decide import RopeRequest, Rule
from ropewalk.analysis.one_task import compare_pair
from ropewalk.methods.pair import Ask, Pair
from ropewalk.outcomes import Outcomes
from ropewalk.sums import Sums
d = np.repeat([0.0, -1.0, 1.0], [1029, 74, 97])
pair = Pair(a="forest", b="svm", task=None, metric="accuracy", design=Design(unit="example"), d=d, rho=0.0,
            sums=Sums.of(d),
            evidence=Outcomes(n00=90, n01=74, n10=97, n11=939), ordered=False, points=0.0)
ask = Ask(method="auto", rope=RopeRequest.parse("0.1sd"), rule=Rule(), rng=0)
figure = compare_pair(pair, ask).plot()
for form in ("png", "svg", "pdf"):
    print(hashlib.sha256(plot.render(figure, form)).hexdigest())
assert "matplotlib.pyplot" not in sys.modules, "a display might be needed"
"""


def test_the_same_input_gives_the_same_bytes_here_and_in_another_process(case):
    def digests():
        figure = plot.draw(case("phi"), "posterior")
        return [hashlib.sha256(plot.render(figure, form)).hexdigest() for form in ("png", "svg", "pdf")]

    there = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONHASHSEED": "7"},
    )
    assert there.returncode == 0, there.stderr
    assert digests() == there.stdout.split()


def test_a_file_is_what_its_suffix_says(case):
    figure = plot.draw(case("better"), "hdi")
    assert plot.render(figure, ".PNG").startswith(b"\x89PNG")
    svg = plot.render(figure, ".svg")
    assert b"<svg" in svg
    assert b"<dc:date>" not in svg
    pdf = plot.render(figure, "pdf")
    assert pdf.startswith(b"%PDF")
    assert b"CreationDate" not in pdf
    assert b"/FontFile2" in pdf  # TrueType, embedded
    assert b"/Type3" not in pdf


def test_axes_of_ones_own(case):
    many = [("tasks on phi", k) for k in plot.kinds(case("tasks on phi"))]
    one = [("undecided", k) for k in ONE_TASK]
    for name, kind in [*one, ("sign", "posterior"), ("phi", "differences"), *many]:
        figure = Figure(figsize=(9, 6))
        ax = figure.add_axes((0.1, 0.3, 0.8, 0.4))
        assert plot.KINDS[kind](case(name), ax=ax) is figure
        assert tuple(figure.get_size_inches()) == (9, 6)
        assert figure.axes == [ax]
        assert ax.get_position().bounds == pytest.approx((0.1, 0.3, 0.8, 0.4))


def test_axes_of_a_part_of_a_figure(case):
    figure = Figure(figsize=(9, 6))
    left, _ = figure.subfigures(1, 2)
    assert plot.posterior(case("better"), ax=left.add_subplot()) is figure


def test_comparison_plot_is_draw(case, drawn, texts):
    comparison = case("better")
    assert texts(comparison.plot("hdi", style="paper")) == texts(drawn("better", "hdi", "paper"))
    assert texts(comparison.plot()) == texts(drawn("better", "posterior"))


def test_errors(case):
    comparison = case("better")
    with pytest.raises(OptionError, match='there is no plot "postrior"') as error:
        plot.draw(comparison, "postrior")
    assert error.value.hint == 'Did you mean "posterior"?'
    with pytest.raises(OptionError, match='there is no style "papper"') as error:
        plot.draw(comparison, "posterior", style="papper")
    assert error.value.hint == 'Did you mean "paper"?'
    with pytest.raises(OptionError, match=r'a plot cannot be written as "\.pgn"') as error:
        plot.render(plot.draw(comparison), ".pgn")
    assert error.value.hint == 'Did you mean "png"?'
