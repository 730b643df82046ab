"""`rw.gate(baseline, candidate, margin=...)`, next to what the room of the same name offers."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import ropewalk as rw
from ropewalk.errors import OptionError

BASELINE, WORSE = [1.0] * 300, [1.0] * 200 + [0.0] * 100


@pytest.mark.parametrize(("candidate", "name", "code"), [(BASELINE, "pass", 0), (WORSE, "fail", 1)])
def test_it_decides_as_judge_does(candidate: list[float], name: str, code: int) -> None:
    decision = rw.gate(BASELINE, candidate, margin=0.02)
    judged = rw.gate.judge(BASELINE, candidate, rw.gate.Policy(margin=0.02))
    assert (decision.name, decision.exit_code) == (name, code)
    assert decision.reason == judged.reason
    assert isinstance(decision, rw.gate.Decision)


def test_a_policy_and_what_is_given_instead_of_it(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text("[tool.ropewalk.gate]\nmargin = 0.4\nprobability = 0.9\n")
    policy = rw.gate.Policy(margin=0.4, probability=0.9)
    for given in (file, str(file), policy):
        assert rw.gate(BASELINE, WORSE, policy=given).name == "pass"
        assert rw.gate(BASELINE, WORSE, policy=given, margin=0.02).name == "fail"


def test_every_option_is_named() -> None:
    names = inspect.signature(rw.gate).parameters
    assert {"margin", "policy", "missing", "truth", "higher_is_better", "rng"} <= set(names)
    assert not any(p.kind is p.VAR_KEYWORD for p in names.values())


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({}, "no margin was given"),
        ({"margn": 0.1}, 'Did you mean "margin"'),
        ({"margin": 0.1, "mising": "drop"}, 'Did you mean "missing"'),
        ({"margin": -0.1}, "margin"),
    ],
)
def test_what_it_does_not_understand(options: dict[str, object], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        rw.gate(BASELINE, WORSE, **options)
