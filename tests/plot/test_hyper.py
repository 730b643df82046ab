"""The picture of the two numbers behind phi on all tasks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaln, expit, logit

from ropewalk.errors import MethodError
from ropewalk.plot.hyper import surface


def test_the_density_is_the_formula(case):
    """Oracle: m(1 - m) k^(-1/2) ∏ B(a + n01, b + n10)/B(a, b), m = a/(a+b), k = a + b, by brute force."""
    fitted = case("tasks on phi").evidence.fitted
    x, y, density = surface(fitted)
    m, k = expit(x[None, :]), np.exp(y[:, None])
    a, b = k * m, k * (1 - m)
    log_density = np.log(m * (1 - m)) - 0.5 * np.log(k)
    for n01, n10 in zip(fitted.n01, fitted.n10, strict=True):
        log_density = log_density + betaln(a + n01, b + n10) - betaln(a, b)
    exact = np.exp(log_density - log_density.max())
    assert density == pytest.approx(exact, abs=2e-3)


def test_williams_figure_4(table_1, counted_over):
    """Williams 2026, sec. 6.2: log(a+b) has its mode at 5.28 and lies between 3 and 8 mostly."""
    fitted = counted_over(table_1).evidence.fitted
    _, y, density = surface(fitted)
    row, _ = np.unravel_index(np.argmax(density), density.shape)
    assert y[row] == pytest.approx(5.28, abs=y[1] - y[0])
    between = (y > 3) & (y < 8)
    assert density[between].sum() > 0.9 * density.sum()


def test_the_cross_is_at_the_mode_and_the_title_says_it(case, drawn, texts):
    x, y, density = surface(case("tasks on phi").evidence.fitted)
    row, column = np.unravel_index(np.argmax(density), density.shape)
    figure = drawn("tasks on phi", "hyper")
    cross = next(line for line in figure.axes[0].lines if line.get_marker() == "+")
    assert list(cross.get_xydata()[0]) == [x[column], y[row]]
    m = float(expit(x[column]))
    sd = float(np.sqrt(m * (1 - m) / (np.exp(y[row]) + 1)))
    assert f"phi is about {m:.2f} ± {sd:.2f} over tasks" in texts(figure)


def test_the_rope_is_on_the_same_axis(case, drawn, texts):
    comparison = case("tasks on phi")
    figure = drawn("tasks on phi", "hyper")
    upright = {line.get_xdata()[0] for line in figure.axes[0].lines if np.ptp(line.get_xdata()) == 0}
    assert {logit(comparison.rope.low), 0, logit(comparison.rope.high)} <= upright
    low, high = figure.axes[0].get_xlim()
    assert low < logit(comparison.rope.low) < logit(comparison.rope.high) < high
    words = texts(figure)
    assert "← GNN better" in words  # a small share of GNN's mistakes
    assert "LLM better →" in words


def test_all_contours_are_inside_the_axes(drawn):
    figure = drawn("200 tasks", "hyper")
    ax = figure.axes[0]
    points = np.concatenate([path.vertices for c in ax.collections for path in c.get_paths() if len(path)])
    shown = ax.get_xlim()[0] < points[:, 0].min() <= points[:, 0].max() < ax.get_xlim()[1]
    assert shown
    assert ax.get_ylim()[0] < points[:, 1].min() <= points[:, 1].max() < ax.get_ylim()[1]


@pytest.mark.parametrize(("name", "method"), [("tasks", "hierarchical_t"), ("better", "t")])
def test_other_models_have_no_a_and_b(drawn, name, method):
    with pytest.raises(MethodError) as error:
        drawn(name, "hyper")
    assert error.value.what == (
        f'the plot "hyper" shows a and b of hierarchical_mcnemar, and this is {method}'
    )
    assert error.value.hint == 'Draw "simplex" or "posterior".'
