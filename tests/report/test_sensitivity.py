"""The fact line on which the verdict's dependence on the ROPE is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.report import Report
from ropewalk.report.sensitivity import sensitivity

Made = Callable[[str], Report]


def told(report: Report) -> str:
    (c,) = report.overall or report.comparisons
    return sensitivity(c, report.threshold)


@pytest.mark.parametrize(
    "name", ["accuracy_difference", "t", "robust_t", "correlated_t", "bootstrap", "crossed"]
)
def test_a_rope_on_the_other_side_gives_the_other_verdict(made: Made, name: str) -> None:
    """Oracle: the verdict at a ROPE a little beyond each of the edges that are printed."""
    from ropewalk.decide import by_threshold, in_scores, probabilities

    report = made(name)
    (c,) = report.comparisons
    found = re.findall(r"(below )?±([\d.e-]+)( or wider)? \(then: (\w+)\)", told(report))
    assert found
    for below, edge, _, then in found:
        half = float(edge) * (0.98 if below else 1.02)  # three digits are printed
        p = probabilities(c.posterior, in_scores(-half, half, "given"))
        assert by_threshold(p, report.threshold) == then != c.verdict.name


@pytest.mark.parametrize(
    "name",
    ["sign", "signed_rank", "hierarchical_t", "poisson_binomial", "identical", "no_rope", "loss_matrix"],
)
def test_no_line_where_it_is_not_known(made: Made, name: str) -> None:
    assert told(made(name)) == ""
    assert "flips if" not in made(name).to_text()


def test_on_phi_the_edges_are_those_of_phi(made: Made) -> None:
    assert re.match(
        r"the ROPE were below phi 0\.\d{3} to 0\.\d{3} \(then: better\), phi", told(made("mcnemar"))
    )
    assert "flips if" in made("hierarchical_mcnemar").to_markdown()


def test_the_nearest_comes_first() -> None:
    """Equivalent now: first where it is undecided, then where it is better."""
    rng = np.random.default_rng(0)
    d = rng.normal(size=400)
    d = 0.1 + 0.5 * (d - d.mean()) / d.std()
    text = told(rw.compare({"a": d, "b": np.zeros(400)}, rope=1.0))
    assert re.fullmatch(
        r"the ROPE were below ±(\S+) \(then: undecided\), below ±(\S+) \(then: better\)", text
    )
    wide, narrow = re.findall(r"±(\S+)", text)
    assert float(wide) > float(narrow)


def test_another_threshold_than_the_one_that_decided_is_not_told(made: Made) -> None:
    (c,) = made("t").comparisons
    assert sensitivity(c, 0.8) == ""
    other = replace(c.verdict, better=0.2, equivalent=0.5, worse=0.3)  # read off something else
    assert sensitivity(replace(c, verdict=other), 0.95) == ""
