"""Nobody says which way is better: a comparison warns before the result, a gate refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.data import Scores
from ropewalk.data.known_direction import way_of
from ropewalk.errors import OptionError
from ropewalk.gate import Policy, judge

WARNS = "it is not clear whether a higher `quux` is better; assuming it is"


@pytest.mark.parametrize("name", ["toxicity", "seconds", "inference_time", "price", "wer", "rank"])
def test_a_gate_fails_what_went_up_and_should_not(command, sides, name: str) -> None:
    code, out, _ = command("gate", *sides(name), "--margin", "0.01")
    assert code == 1, out


def test_a_gate_does_not_guess(command, sides) -> None:
    code, out, err = command("gate", *sides("quux"), "--margin", "0.01")
    assert (code, out) == (3, "")
    assert err.startswith("error: it is not clear whether a higher `quux` is better\n")
    assert "Set --lower-is-better or --higher-is-better" in err
    assert command("gate", *sides("quux"), "--margin", "0.01", "--lower-is-better")[0] == 1
    assert command("gate", *sides("quux"), "--margin", "0.01", "--higher-is-better")[0] == 0


def test_a_gate_in_python_does_not_guess_either() -> None:
    rng = np.random.default_rng(0)
    old, new = rng.normal(size=51), rng.normal(size=51)
    with pytest.raises(OptionError, match="not clear whether a higher score is better"):
        judge(old, new, Policy(margin=0.1))
    assert judge(old, new, Policy(margin=0.1), higher_is_better=True).metric == "score"


def test_right_and_wrong_without_a_name_need_no_direction() -> None:
    assert judge([1, 0, 1, 1] * 100, [1, 0, 1, 1] * 100, Policy(margin=0.02)).name == "pass"


def test_every_output_of_a_comparison_says_it_first(command, sides) -> None:
    report = rw.compare(list(sides("quux")))
    assert report.to_text().split()[:3] == ["warning:", "it", "is"]
    assert report.to_markdown().startswith("> **warning: it is not clear")
    html, latex = report.to_html(), report.to_latex()
    assert html.index("it is not clear whether a higher") < html.index("<h1")
    assert latex.index(r"\textbf{warning: it is not clear") < latex.index("tabular")
    assert report._repr_html_().index("it is not clear") < report._repr_html_().index('class="answer"')
    assert "it is not clear" in repr(report)
    audit = json.loads(report.to_json())["audit"]
    assert audit["cautions"][0] == audit["warnings"][0]
    assert audit["warnings"][0].startswith(WARNS)


def test_the_command_line_and_a_plan_say_it_too(command, sides) -> None:
    code, out, _ = command("compare", *sides("quux"))
    assert code == 0
    assert " ".join(out.split()).startswith("warning: " + WARNS)
    code, out, _ = command("plan", *sides("quux"), "--rope", "0.3")
    assert code == 0
    assert " ".join(out.split()).startswith("warning: " + WARNS)


def test_what_says_it_silences_the_warning(command, sides) -> None:
    files = list(sides("quux"))
    assert rw.compare(files, higher_is_better=False, rope=0.01).audit.cautions == ()
    assert rw.compare(files, higher_is_better=False).models[0].name
    assert rw.compare(list(sides("latency")), rope=0.01).audit.cautions == ()
    assert not rw.read(list(sides("inference_time"))).higher_is_better


def test_a_dict_of_numbers_has_no_name() -> None:
    rng = np.random.default_rng(0)
    scores = rw.read({"a": rng.normal(size=37), "b": rng.normal(size=37)})
    assert isinstance(scores, Scores)
    assert scores.way is not None
    assert not scores.way.is_known
    assert "a higher score is better" in scores.audit.cautions[0]


def test_columns_named_after_losses_are_assumed_to_be_losses_and_that_is_said() -> None:
    # Two models that were trained with different losses, and scored by accuracy, have such names too.
    way = way_of("", models=["hinge_loss", "log_loss"])
    assert not way.higher
    assert "if these are names of models" in way.caution[0]
    assert way_of("", models=["svm_acc", "forest_acc"]).caution == ()


def test_a_function_of_ones_own(write) -> None:
    rng = np.random.default_rng(0)
    rows = [(i, i % 2, *rng.integers(0, 2, 2)) for i in range(60)]
    path = write("p.csv", "id,truth,svm,forest", rows)

    def zork(y: np.ndarray, said: np.ndarray, w: np.ndarray) -> float:
        return float(np.average(y == said, weights=w))

    def error(y: np.ndarray, said: np.ndarray, w: np.ndarray) -> float:
        return 1 - zork(y, said, w)

    assert "a higher `zork` is better" in rw.compare(path, metric=zork).audit.cautions[0]
    assert not rw.compare(path, metric=error).higher_is_better
    assert rw.compare(path, metric=error, rope=0.01).audit.cautions == ()
    told = rw.compare(path, metric=zork, higher_is_better=False, rope=0.01)
    assert (told.higher_is_better, told.audit.cautions) == (False, ())
    made = rw.metrics.custom(zork, higher_is_better=True)
    assert rw.compare(path, metric=made, rope=0.01).audit.cautions == ()
    sides = [write(f"{m}.csv", "id,truth,prediction", [(r[0], r[1], r[k]) for r in rows])
             for k, m in ((2, "old"), (3, "new"))]  # fmt: skip
    with pytest.raises(OptionError, match="a higher `zork` is better"):
        judge(*sides, Policy(margin=0.1), metric=zork)
    assert judge(*sides, Policy(margin=0.1), metric=zork, higher_is_better=True).name
