"""The picture of a posterior of one number."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_hex

from ropewalk import plot
from ropewalk.decide import Rope
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE
from ropewalk.posterior import Beta, DirichletRegions
from ropewalk.results.evidence import Hierarchy


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("better", "forest better than svm with probability >0.99"),
        ("worse", "svm better than forest with probability >0.99"),
        ("equivalent", "forest and svm practically equivalent with probability >0.99"),
        ("undecided", "Undecided: forest better 0.64, equivalent 0.36"),
        ("sliver", "Undecided: forest better 0.65, svm better 0.31"),
        ("phi", "Undecided: forest better 0.68, equivalent 0.32"),
        ("point", "Undecided: forest better 0.89, equivalent 0.11"),
        ("identical", "forest and svm do not differ on any example"),
        ("signed rank", "forest better than svm with probability 0.97 (likeliest on a new task)"),
    ],
)
def test_the_title_states_the_finding(drawn, texts, name, title):
    """The numbers are those of the verdict, which has its own tests."""
    assert title in texts(drawn(name, "posterior"))


def test_each_region_has_its_probability_its_name_and_its_colour(case, drawn, every):
    comparison = case(every)
    figure = drawn(every, "posterior")
    v = comparison.verdict
    by_colour = {}
    for note in figure.axes[0].texts:
        by_colour.setdefault(note.get_color(), []).append(note.get_text())
    of_a, of_b = (BETTER, WORSE) if comparison.leads_a else (WORSE, BETTER)
    for tint, p in ((of_a, v.better), (EQUIVALENT, v.equivalent), (of_b, v.worse)):
        texts = by_colour[tint.ink]
        shown = next(text for text in texts if text[0] in "<>01")
        assert abs(float(shown.lstrip("<>")) - p) <= 0.01
    middle = "exactly equal" if comparison.rope.is_point else "practically equivalent"
    assert middle in " ".join(by_colour[EQUIVALENT.ink]).replace("\n", " ")


@pytest.mark.parametrize(("name", "ends"), [("undecided", ("svm", "forest")), ("phi", ("forest", "svm"))])
def test_the_directions_are_at_the_right_ends(drawn, texts, name, ends):
    """On phi, the share of A's mistakes, small is good for A (forest)."""
    figure = drawn(name, "posterior")
    words = texts(figure)
    assert f"← {ends[0]} better" in words
    assert f"{ends[1]} better →" in words
    at = {note.get_text(): note.xy[0] for note in figure.axes[0].texts}
    assert at[f"←\xa0{ends[0]} better"] == 0
    assert at[f"{ends[1]} better\xa0→"] == 1
    labels = [next(x for text, x in at.items() if text.startswith(f"{end} better")) for end in ends]
    assert labels[0] < labels[1]


def test_the_axis_is_named_in_the_users_units(drawn, texts):
    assert "advantage in log-loss" in texts(drawn("better", "posterior"))
    assert "phi: share of forest’s mistakes among disagreements" in texts(drawn("phi", "posterior"))


def test_the_rope_is_labelled_and_drawn_at_its_edges(drawn, texts):
    figure = drawn("worse", "posterior")
    assert any("ROPE −0.005 to +0.02" in text for text in texts(figure))
    upright = [line.get_xdata()[0] for line in figure.axes[0].lines if np.ptp(line.get_xdata()) == 0]
    assert {-0.005, 0.02} <= set(upright)
    assert any("ROPE 0.45 to 0.55" in text for text in texts(drawn("phi", "posterior")))


def test_the_hdi_is_a_bar_under_the_shape(case, drawn, texts):
    comparison = case("undecided")
    figure = drawn("undecided", "posterior")
    low, high = comparison.posterior.hdi(0.95)
    bars = [line for line in figure.axes[0].lines if list(line.get_xdata()) == [low, high]]
    assert len(bars) == 1
    assert max(bars[0].get_ydata()) < 0
    assert "95% HDI −0.004 to +0.030" in texts(figure)


def test_the_shape_is_the_density_and_the_colours_meet_at_the_rope(case, drawn):
    comparison = case("undecided")
    ax = drawn("undecided", "posterior").axes[0]
    r, posterior = comparison.rope, comparison.posterior
    fills = {to_hex(fill.get_facecolor()[0]): fill.get_paths()[0].vertices for fill in ax.collections}
    assert fills[WORSE.fill][:, 0].max() == r.low == fills[EQUIVALENT.fill][:, 0].min()
    assert fills[BETTER.fill][:, 0].min() == r.high == fills[EQUIVALENT.fill][:, 0].max()
    curve = next(line for line in ax.lines if line.get_color() == BETTER.ink)
    x, y = curve.get_data()
    assert y == pytest.approx(posterior.pdf(x) / posterior.pdf(posterior.mean), rel=1e-4)


def test_a_needle_is_seen(case, drawn):
    """The posterior is 500 times narrower than the axis: the curve still reaches its peak."""
    comparison = case("far and narrow")
    curve = next(
        line for line in drawn("far and narrow", "posterior").axes[0].lines if line.get_color() == BETTER.ink
    )
    x, y = curve.get_data()
    assert y.max() == 1
    assert x[np.argmax(y)] == pytest.approx(comparison.posterior.mean, abs=0.1 * comparison.posterior.sd)


@pytest.mark.parametrize("name", ["point", "identical", "identical scores"])
def test_no_variation_has_a_shape_and_an_interval_too(case, drawn, texts, name):
    figure = drawn(name, "posterior")
    assert any("HDI" in text for text in texts(figure))
    assert figure.axes[0].collections
    assert case(name).posterior.sd > 0


def test_the_small_print_says_what_was_measured(drawn, texts):
    assert "200 examples · accuracy · method: Bayesian t-test · task gsm8k" in texts(
        drawn("undecided", "posterior")
    )
    assert "100 folds · accuracy · method: Bayesian correlated t-test" in texts(drawn("percent", "posterior"))


def test_heavy_tails_do_not_push_the_shape_together(case, drawn):
    """Two units have a Cauchy posterior: its 99.95% quantile is 50 times as far as the end of the HDI."""
    comparison = case("two units")
    low, high = drawn("two units", "posterior").axes[0].get_xlim()
    assert high - low < 3 * (comparison.estimate.high - comparison.estimate.low)


def test_a_share_of_tasks_without_a_rope(scored, texts):
    """What the Poisson-binomial test gives: above one half A is better on most tasks."""
    comparison = scored(np.linspace(-0.01, 0.03, 20), rope=0.01, method="t")
    half = Rope(low=0.5, high=0.5, scale="share", source="not used", in_scores="none")
    share = Beta(a=15.0, b=7.0)
    verdict = replace(
        comparison.verdict, better=float(share.sf(0.5)), equivalent=0.0, worse=float(share.cdf(0.5))
    )
    figure = plot.posterior(replace(comparison, unit="task", posterior=share, rope=half, verdict=verdict))
    words = texts(figure)
    assert "share of tasks on which forest is better" in words
    assert "exactly equal no ROPE" in words
    assert "← svm better" in words
    assert "0.4" in words  # ticks without a sign
    low, high = figure.axes[0].get_xlim()
    assert 0 <= low < high <= 1


def test_a_hierarchy_is_drawn_as_what_its_verdict_is_about(scored, texts):
    """A verdict about the most probable region of the next task is drawn as shares, else as a density."""
    comparison = scored(np.linspace(-0.01, 0.03, 20), rope=0.01, method="t")
    theta = DirichletRegions(better=12.0, equivalent=6.0, worse=3.0)
    p, area = theta.most_probable, comparison.verdict
    assert p != area.probabilities
    e = comparison.evidence
    fitted = SimpleNamespace(next_task=lambda rope: theta)
    evidence = Hierarchy(
        names=[],
        n=[],
        d=e.d,
        mean_a=0.0,
        mean_b=0.0,
        fitted=fitted,
        rope=(-0.01, 0.01),  # type: ignore[arg-type]
    )
    verdict = replace(area, better=p.better, equivalent=p.equivalent, worse=p.worse)
    likeliest = replace(comparison, evidence=evidence, verdict=verdict, asks="likeliest")
    assert "probability that this share is the largest" in texts(plot.posterior(likeliest))
    new = replace(comparison, evidence=evidence, asks="next")
    assert "advantage in accuracy on a new task" in texts(plot.posterior(new))


def test_differences_of_a_hierarchy_on_phi_are_in_scores_without_its_rope(case, texts):
    comparison = case("better")
    phi = Rope(low=0.45, high=0.55, scale="phi", source="0.1 sd", in_scores="")
    hierarchy = replace(comparison, rope=phi)
    for kind in ("differences", "qq"):
        words = texts(plot.draw(hierarchy, kind))
        assert any("advantage in log-loss" in word for word in words)
        assert not any("phi" in word or "0.45" in word for word in words)
