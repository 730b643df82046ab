"""A method that is registered here, and nowhere else, goes through everything that ropewalk has."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

import ropewalk as rw
from ropewalk import plot
from ropewalk.cli import cli
from ropewalk.decide import ScoreScale, cohens_d, probabilities, resolve_rope
from ropewalk.errors import MethodError, OptionError
from ropewalk.gate import Policy, judge
from ropewalk.gate.render import to_json, to_markdown, to_text
from ropewalk.methods import Method, MethodText, Suitability, register, unregister
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.pair import Ask, Pair, TaskPairs
from ropewalk.posterior import Mixture
from ropewalk.report import Report
from ropewalk.results import Comparison

ROOT = Path(__file__).parents[2]


class KnownNoise(Method):
    """Differences with a known standard deviation of 1, such as those of a calibrated instrument."""

    name = "known_noise"
    references = """\
@book{gauss1809,
  author = {Gauss, Carl Friedrich},
  title = {Theoria motus corporum coelestium},
  year = {1809},
  publisher = {Perthes},
}
"""

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        posterior = Mixture.of([1.0], loc=[pair.sums.mean], scale=[pair.n**-0.5])
        rope = resolve_rope(ask.rope, ScoreScale(metric=pair.metric, sd=1.0, points=pair.points))
        return Answer(
            posterior=posterior,
            estimate=estimate("mean advantage", posterior),
            rope=rope,
            p=probabilities(posterior, rope),
            effect=cohens_d(pair.sums),
            classical=[],
            checks=[],
            evidence=pair.evidence,
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name="a normal model with known noise",
            prior="the differences are normal with standard deviation 1, with a prior flat in the mean",
            sources=("gauss1809",),
            varies=f"the sampling of the {c.unit}s",
        )


class Preferred(KnownNoise):
    """The same as the default for real-valued scores on examples."""

    def suits(self, pair: Pair) -> Suitability:
        return Suitability(default="the noise is known" if pair.kind == "examples" else "")


class OverTasks(KnownNoise):
    """The same on the means of many tasks."""

    many_tasks = True
    answers = ("average",)

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        return self.fit(over.as_pair, ask)


def three_models() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    base = rng.normal(size=80)
    return {"new": base + 0.2 + rng.normal(size=80), "old": base, "other": base + rng.normal(size=80)}


DATA = {name: scores for name, scores in three_models().items() if name != "other"}


@pytest.fixture
def report() -> Iterator[Report]:
    register(KnownNoise())
    yield rw.compare(DATA, method="known_noise", rope=0.1)
    unregister("known_noise")


@pytest.fixture
def preferred() -> Iterator[None]:
    register(Preferred())
    yield
    unregister("known_noise")


def test_the_answer_is_that_of_the_normal_distribution(report: Report) -> None:
    from scipy.stats import norm

    (c,) = report.comparisons
    d = np.asarray(DATA["new"]) - DATA["old"]
    assert c.method == "known_noise"
    assert c.verdict.better == pytest.approx(norm.sf(0.1, d.mean(), 80**-0.5), abs=1e-9)


@pytest.mark.parametrize("form", ["txt", "md", "tex", "html", "json", "bib", "csv"])
def test_every_output_has_it(report: Report, form: str, tmp_path: Path) -> None:
    text = report.save(tmp_path / f"report.{form}").read_text(encoding="utf-8")
    said = {
        "txt": "ropewalk methods known_noise",
        "md": "a normal model with known noise",
        "tex": "a normal model with known noise",
        "html": "known_noise",
        "json": '"method": "known_noise"',
        "bib": "@book{gauss1809,",
        "csv": ",known_noise,",
    }
    assert said[form] in text


def test_frames_and_workbook_have_it(report: Report, tmp_path: Path) -> None:
    assert report.to_frame()["method"].tolist() == ["known_noise"]
    assert report.models_frame()["model"].tolist() == [m.name for m in report.models]
    sheet = load_workbook(report.save(tmp_path / "report.xlsx")).worksheets[0]
    assert "known_noise" in [cell.value for row in sheet.iter_rows() for cell in row]


def test_prose_and_checklist_cite_it(report: Report) -> None:
    assert "estimated with a normal model with known noise" in report.methods_text()
    assert "(Gauss 1809)" in report.methods_text()
    assert "The estimated mean advantage is" in report.results_text()
    assert any("a normal model with known noise" in item.text for item in report.checklist())


@pytest.mark.parametrize("kind", ["posterior", "differences", "qq", "hdi", "sensitivity"])
@pytest.mark.few(2)
def test_every_plot_that_applies_is_drawn(report: Report, kind: str) -> None:
    (c,) = report.comparisons
    assert kind in plot.kinds(c)
    assert plot.render(c.plot(kind), ".png").startswith(b"\x89PNG")


def test_the_other_plots_say_what_they_need(report: Report) -> None:
    (c,) = report.comparisons
    applies = ["posterior", "differences", "qq", "hdi", "sensitivity"]
    assert plot.kinds(c) == applies
    for kind in set(plot.KINDS) - set(applies):
        with pytest.raises(MethodError):
            c.plot(kind)


def test_other_ropes_priors_and_thresholds(report: Report) -> None:
    (c,) = report.comparisons
    found = c.sensitivity
    assert [row.times for row in found.ropes] == [0, 0.25, 0.5, 1, 2, 4]
    assert [row.name for row in found.priors] == ["flat", "sceptical"]
    better = [row.p.better for row in found.ropes]
    assert better == sorted(better, reverse=True)
    assert found.ropes[3].p == c.verdict.probabilities


def test_the_plan_knows_what_to_add(report: Report) -> None:
    assert report.comparisons[0].verdict.name == "undecided"
    plan = rw.plan(DATA, method="known_noise", rope=0.1)
    assert plan.pairs[0].method == "known_noise"
    assert plan.pairs[0].directions[0].needed is not None
    assert "more examples would give an 80% chance" in report.to_text()
    assert plan.pairs[0].notes[0].startswith("approximate: the posterior is assumed")


def test_the_gate_uses_it(preferred: None) -> None:
    decision = judge(DATA["old"], DATA["new"], Policy(margin=0.5), higher_is_better=True)
    assert decision.overall is not None
    assert decision.overall.what.startswith("the noise is known")
    assert decision.name == "pass"
    assert json.loads(to_json(decision))["overall"]["what"] == decision.overall.what
    assert to_text(decision)
    assert to_markdown(decision)


def test_a_method_that_says_so_is_the_default(preferred: None) -> None:
    (c,) = rw.compare(DATA).comparisons
    assert (c.method, c.why) == ("known_noise", "the noise is known")


def test_its_card_is_its_docstring(report: Report) -> None:
    shown = CliRunner().invoke(cli, ["methods", "known_noise"])
    assert shown.exit_code == 0
    assert "calibrated instrument" in shown.output


def test_many_models_go_through_it_too(preferred: None) -> None:
    report = rw.compare(three_models(), rope=0.1)
    assert {c.method for c in report.comparisons} == {"known_noise"}
    for render in (report.to_text, report.to_markdown, report.to_latex, report.to_html, report.to_json):
        assert "other" in render()


def test_it_goes_over_many_tasks_too(tmp_path: Path) -> None:
    tasks = {f"task {i}": {k: v[10 * i : 10 * i + 10] for k, v in DATA.items()} for i in range(8)}
    register(OverTasks())
    try:
        report = rw.compare(tasks, model=["new", "old"], method="known_noise", rope=0.1)
        (over,) = report.overall
        assert (over.method, over.asks, report.comparisons[0].method) == ("known_noise", "average", "t")
        for form in ("txt", "md", "tex", "html", "json", "bib", "csv", "xlsx"):
            assert report.save(tmp_path / f"report.{form}").stat().st_size > 0
        for kind in plot.kinds(over):
            assert plot.render(over.plot(kind), ".png").startswith(b"\x89PNG")
        assert over.sensitivity.ropes
        plan = rw.plan(tasks, model=["new", "old"], method="known_noise", rope=0.1)
        assert [direction.unit for direction in plan.pairs[0].directions] == ["task"]
        with pytest.raises(OptionError, match=r"known_noise answers average; next is answered by t,"):
            rw.compare(tasks, model=["new", "old"], method="known_noise", question="next")
    finally:
        unregister("known_noise")


def test_a_name_is_registered_once(report: Report) -> None:
    with pytest.raises(OptionError, match='a method named "known_noise" already'):
        register(KnownNoise())


def test_the_example_of_contributing_is_this_method() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (example,) = (block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "KnownNoise" in block)
    assert inspect.getsource(KnownNoise) in example
    exec(compile(example, "CONTRIBUTING.md", "exec"), {})  # noqa: S102  # our own page
    assert rw.compare(DATA, method="known_noise").comparisons[0].method == "known_noise"
    unregister("known_noise")
