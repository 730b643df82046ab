"""Policies: what they may say, and where they are read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import OptionError
from ropewalk.gate import Policy
from tests.gate.sides import by_task, judge, outcomes


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"margin": -0.1}, "the margin is -0.1"),
        ({"margin": float("nan")}, "the margin is nan"),
        ({"margin": float("inf")}, "the margin is inf"),
        ({"margin": True}, "the margin is True"),
        ({"margin": 0.1, "margins": {"a": "x"}}, 'the margin of task "a" is x'),
        ({"margin": 0.1, "margins": 3}, "margins is not a table of tasks"),
        ({"margin": 0.1, "probability": 0.5}, "the probability is 0.5"),
        ({"margin": 0.1, "probability": 1}, "the probability is 1"),
        ({"margin": 0.1, "probability": "high"}, "the probability is high"),
        ({"margin": 0.1, "on_undecided": "maybe"}, "on_undecided is maybe"),
        ({"margin": 0.1, "must_not_regress": "safety"}, "must_not_regress is safety"),
        ({"margin": 0.1, "must_not_regress": [1]}, r"must_not_regress is \[1\]"),
        ({"margin": 0.1, "bounds": (0, 10**400)}, r"the bounds are \(0, 1000"),
    ],
)
def test_a_policy_that_makes_no_sense(given: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Policy(**given)


def test_the_policy_of_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match="no margin was given"):
        Policy.read()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.ropewalk.gate]\nmargin = 0.02\nprobability = 0.9\non_undecided = "fail"\n'
        'must_not_regress = ["safety"]\n[tool.ropewalk.gate.margins]\nsafety = 0\n'
    )
    policy = Policy.read()
    assert policy == Policy(
        margin=0.02, probability=0.9, on_undecided="fail", must_not_regress=("safety",), margins={"safety": 0}
    )
    assert Policy.read(margin=0.05).margin == 0.05
    assert Policy.read(margin=0.05).probability == 0.9
    (tmp_path / "other.toml").write_text("margin = 0.3\n")
    assert Policy.read("other.toml") == Policy(margin=0.3)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert Policy.read(margin=0.1) == Policy(margin=0.1)


@pytest.mark.parametrize(
    ("content", "said", "hint"),
    [
        ("[tool.ropewalk.gate]\nmargn = 0.1\n", 'has no key "margn"', 'Did you mean "margin"?'),
        ("[tool.ropewalk.gate\n", "is not TOML", ""),
        ("[tool.other]\nx = 1\n", r"has no table \[tool.ropewalk.gate\]", "Write the policy under"),
        ("[tool.ropewalk]\ngate = 3\n", "is not a table", "and its keys below it"),
        ("[tool.ropewalk.gate]\nmargin = 'a'\n", "the margin is a", "in score units"),
        (b"\xff\xfe", "is not TOML", ""),
    ],
)
def test_a_policy_file_that_cannot_be_used(
    content: str | bytes, said: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "policy.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(OptionError, match=said) as caught:
        Policy.read(file)
    assert hint in caught.value.hint


def test_a_policy_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot be read: No such file"):
        Policy.read(tmp_path / "none.toml")


def test_a_policy_that_names_an_unknown_task() -> None:
    data = by_task(safety=(50, 1, 1), other=(50, 1, 1))
    with pytest.raises(OptionError, match='"saftey", which is not in the data') as caught:
        judge(*data, Policy(margin=0.1, must_not_regress=("saftey",)))
    assert caught.value.hint == 'Did you mean "safety"?'
    with pytest.raises(OptionError, match='"x", which is not in the data') as caught:
        judge(*outcomes(50, 1, 1), Policy(margin=0.1, margins={"x": 0.1}))
    assert "a single, unnamed task" in caught.value.hint


def test_a_policy_that_is_not_toml(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text("margin = = 1")
    with pytest.raises(OptionError, match=r"gate\.toml is not TOML: "):
        Policy.read(tmp_path / "gate.toml")
