"""The checklist: what the data say is ticked or crossed, what they cannot say is asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.report import Report

Made = Callable[[str], Report]
# What no file can say.
ASKED = {"loss fits the application", "ROPE justified", "nothing excluded", "alternative explanations"}


def states(report: Report) -> dict[str, str]:
    return {item.name: item.state for item in report.checklist()}


@pytest.mark.few(12)
def test_every_report_has_the_whole_list(each: Report) -> None:
    items = each.checklist()
    assert len(items) == len({item.name for item in items}) == 16
    for item in items:
        assert item.state in ("yes", "no", "ask")
        assert item.text.strip()
        assert "significant" not in item.text.lower()
        if item.state == "ask":
            assert item.text.rstrip(".").endswith("?") or "?" in item.text or "If so" in item.text


def test_what_the_tool_cannot_know_is_never_ticked(each: Report) -> None:
    found = states(each)
    assert all(found[name] == "ask" for name in ASKED)


@pytest.mark.parametrize(
    ("report", "item", "state", "text"),
    [
        ("t", "question stated", "yes", "which of these trained models"),
        ("correlated_t", "question stated", "yes", "which learning algorithm"),
        ("hierarchical_t", "question stated", "yes", "on average over tasks like these"),
        ("t", "loss named", "ask", "What does `score` measure (higher is better)?"),
        ("bootstrap", "loss named", "yes", "AUROC, higher is better"),
        (
            "t",
            "fixed and random factors",
            "yes",
            "fixed: the 2 models compared; random: the sampling of the examples",
        ),
        (
            "crossed",
            "fixed and random factors",
            "yes",
            "random: the training runs and the sampling of the examples",
        ),
        ("t", "several training runs", "ask", "Is each model a single training run?"),
        ("crossed", "several training runs", "yes", "at least 4 of each model"),
        ("correlated_t", "several training runs", "yes", "2 x 10-fold cross-validation"),
        ("t", "paired", "yes", "60 examples"),
        ("t", "independent units", "yes", "no trend in file order"),
        ("clusters", "independent units", "yes", "in 24 clusters"),
        ("correlated_t", "independent units", "yes", "treated as correlated"),
        ("signed_rank", "independent units", "ask", "be related"),
        ("t", "test fits the data", "yes", "Bayesian t-test, because the scores are real-valued"),
        ("identical", "test fits the data", "yes", "none needed"),
        ("identical", "assumptions hold", "no", "same answers"),
        ("t", "multiple comparisons", "yes", "one comparison"),
        (
            "many",
            "multiple comparisons",
            "yes",
            "3 pairs: Bayesian false discovery rate and Holm's correction",
        ),
        ("accuracy_difference", "ROPE justified", "ask", "before seeing the results"),
        ("correlated_t", "ROPE justified", "ask", "This is a default"),
        ("no_rope", "ROPE justified", "ask", "Without a ROPE"),
        ("accuracy_difference", "effect size", "yes", "Cohen's g = 0.0546 in favor of GNN (small)"),
        ("accuracy_difference", "inference reported", "yes", "GNN is probably better than LLM"),
    ],
)
def test_an_item(made: Made, report: str, item: str, state: str, text: str) -> None:
    (found,) = [i for i in made(report).checklist() if i.name == item]
    assert found.state == state
    assert text in found.text


def test_dependent_rows_are_a_no() -> None:
    wave = np.sin(np.arange(200) / 10)
    found = {i.name: i for i in rw.compare({"a": wave, "b": np.zeros(200)}).checklist()}
    assert found["independent units"].state == "no"
    assert "neighboring rows resemble each other" in found["independent units"].text
    assert found["assumptions hold"].state == "no"


def test_one_run_of_a_model_is_a_no() -> None:
    rng = np.random.default_rng(0)
    rows = [("a", s, u, float(rng.normal())) for s in range(3) for u in range(20)]
    rows += [("b", 0, u, float(rng.normal())) for u in range(20)]
    report = rw.compare(pd.DataFrame(rows, columns=["model", "seed", "unit", "score"]), rope=0.1)
    (found,) = [i for i in report.checklist() if i.name == "several training runs"]
    assert (found.state, found.text) == ("no", "at least one model has a single run")
