"""The reliability diagram."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import ropewalk as rw
from ropewalk.data import Audit
from ropewalk.data.arrays import strings
from ropewalk.errors import OptionError
from ropewalk.metrics.reliability_bins import binned
from ropewalk.plot.reliability import compact, reliability
from ropewalk.plot.style import settings


def predictions(n: int = 400, **changes: object) -> rw.Predictions:
    """One model that is calibrated, and one that is too sure of itself."""
    random = np.random.default_rng(0)
    p = random.random(n)
    q = p**4 / (p**4 + (1 - p) ** 4)
    fields: dict[str, object] = {
        "models": ("honest", "sure"),
        "units": strings(range(n)),
        "truth": strings(np.where(random.random(n) < p, "yes", "no")),
        "outputs": {"honest": np.column_stack([1 - p, p]), "sure": np.column_stack([1 - q, q])},
        "kind": "probabilities",
        "classes": ("no", "yes"),
        "audit": Audit(paired=n),
    }
    return rw.Predictions(**(fields | changes))


def test_the_points_are_the_bins(texts) -> None:
    p = predictions()
    after = p.calibrated("platt")
    figure = reliability(p, "sure", after=after)
    line, before, now = figure.axes[0].lines
    assert line.get_xydata().tolist() == [[0, 0], [1, 1]]
    for dots, source in ((before, p), (now, after)):
        found = binned(source.positive_score("sure"), source.truth == "yes")
        np.testing.assert_allclose(dots.get_ydata(), found.came)
        np.testing.assert_allclose(dots.get_xdata(), found.said)
    wrong = binned(p.positive_score("sure"), p.truth == "yes").error
    right = binned(after.positive_score("sure"), p.truth == "yes").error
    assert right < wrong / 2
    assert f"sure: off by {wrong:.3f} before calibration, by {right:.3f} after" in texts(figure)


def test_every_bin_has_its_count(texts) -> None:
    p = predictions()
    counts = [str(n) for n in binned(p.positive_score("honest"), p.truth == "yes").n]
    assert [t for t in texts(reliability(p, "honest")) if t in counts] == counts


@pytest.mark.parametrize("style", ["screen", "paper"])
@pytest.mark.parametrize("bins", [2, 10, 20])
@pytest.mark.parametrize(("n", "name"), [(12, "sure"), (30_000, "sure"), (50, "a_long/$name_of" * 30)])
@pytest.mark.few(6)
def test_nothing_is_cut_off_and_no_words_overlap(style: str, bins: int, n: int, name: str) -> None:
    p = predictions(n)
    p = replace(p, models=("honest", name), outputs={"honest": p.outputs["honest"], name: p.outputs["sure"]})
    after = p.calibrated("platt", folds=2)
    figure = reliability(p, name, after=after, bins=bins, style=style)
    with settings():
        renderer = FigureCanvasAgg(figure).get_renderer()
        ink = figure.get_tightbbox(renderer)
        seen = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in seen]
    wide, high = figure.get_size_inches()
    slack = 1 / figure.dpi
    assert min(ink.x0, ink.y0) > -slack
    assert max(ink.x1 - wide, ink.y1 - high) < slack
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, down) < 1, f"{one!r} and {other!r} overlap"


def test_one_class_of_three(texts) -> None:
    p = predictions(9)
    third = np.column_stack([np.full(9, 0.2), np.full(9, 0.3), np.full(9, 0.5)])
    p = replace(p, classes=("no", "yes", "?"), outputs={"honest": third, "sure": third})
    figure = reliability(p, "sure", label="yes")
    assert "probability of “yes” that sure gives" in texts(figure)
    assert "↑ how often “yes” was true" in texts(figure)


def test_the_small_print(texts) -> None:
    p = predictions()
    plain = "400 examples · bars: 95% intervals (Jeffreys)"
    assert plain in texts(reliability(p, "sure"))
    clustered = replace(p, clusters=strings(np.arange(400) // 4))
    found = texts(reliability(clustered, "sure", after=p.calibrated(rows=np.arange(400) < 100)))
    assert (
        "400 examples, 300 after calibration · bars: 95% intervals (Jeffreys), "
        "too narrow where examples of a cluster are alike"
    ) in found


@pytest.mark.parametrize(
    ("n", "text"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (9_960, "10k"), (999_600, "1.0M"), (2 * 10**9, "2.0G")],
)
def test_compact_counts(n: int, text: str) -> None:
    assert compact(n) == text


def test_errors() -> None:
    p = predictions()
    scores = replace(p, kind="scores", outputs={m: p.positive_score(m) for m in p.models})
    three = replace(p, classes=("no", "yes", "?"), outputs=dict.fromkeys(p.models, np.full((400, 3), 1 / 3)))
    for call, message in [
        (lambda: reliability(p, "sure", bins=1), "bins is 1"),
        (lambda: reliability(p, "sure", bins=21), "whole number from 2 to 20"),
        (
            lambda: reliability(scores, "sure"),
            r'and these are scores\n\n  Decision scores .* calibrated\("platt"\)',
        ),
        (
            lambda: reliability(three, "sure"),
            r'3 classes and none was named\n\n  Name one of "no", "yes", "\?"',
        ),
        (lambda: reliability(p, "sure", label="ys"), r'no class "ys"\n\n  Did you mean "yes"'),
        (lambda: reliability(p, "sur"), r'no model "sur"\n\n  Did you mean "sure"'),
        (lambda: reliability(p, "sure", after=scores), 'after calibration are not probabilities of "yes"'),
    ]:
        with pytest.raises(OptionError, match=message):
            call()


def test_a_model_that_was_not_run_on_a_task_is_drawn_on_the_others() -> None:
    p = predictions(400)
    tasks = strings(np.where(np.arange(400) < 300, "t", "u"))
    third = {**p.outputs, "gap": np.where(np.arange(400)[:, None] < 300, p.outputs["honest"], np.nan)}
    three = predictions(400, models=("honest", "sure", "gap"), outputs=third, tasks=tasks)
    figure = reliability(three, "gap")
    said = " ".join(t.get_text() for t in figure.findobj(Text))
    assert "nan" not in said.lower()
    rows = three.of_model("gap")
    assert len(rows.units) == 300
