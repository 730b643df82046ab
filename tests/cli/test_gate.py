"""ropewalk gate as a pipeline calls it: exit codes, files, the example workflow, the page."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from ropewalk.cli import main
from ropewalk.disk import alone_in
from ropewalk.gate import Ledger

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
sys.path.append(str(ROOT / "docs" / "_ext"))


@pytest.fixture
def gate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Run the gate in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(["gate", *map(str, arguments)])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return call


def scores(name: str, right: np.ndarray, **columns: str) -> str:
    """A file of one model's right and wrong answers, with further constant columns."""
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    head = ",".join([*columns, "id", "correct"])
    rows = [",".join([*columns.values(), str(i), str(int(v))]) for i, v in enumerate(right)]
    file.write_text("\n".join([head, *rows]) + "\n")
    return name


def answers(n: int, wrong_from: int = 0, wrong: int = 0) -> np.ndarray:
    right = np.ones(n)
    right[wrong_from : wrong_from + wrong] = 0
    return right


# --- exit codes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "options", "code", "word"),
    [
        (1, (), 0, "PASS"),
        (90, (), 1, "FAIL"),
        (25, (), 2, "UNDECIDED"),
        (25, ("--on-undecided", "pass"), 0, "UNDECIDED"),
        (25, ("--on-undecided", "fail"), 1, "UNDECIDED"),
        (90, ("--on-undecided", "pass"), 1, "FAIL"),
        (1, ("--on-undecided", "fail"), 0, "PASS"),
    ],
)
def test_answers(gate, wrong: int, options: tuple[str, ...], code: int, word: str) -> None:
    b, c = scores("b.csv", answers(1000)), scores("c.csv", answers(1000, 0, wrong))
    got, out, err = gate(b, c, "--margin", "0.02", *options)
    assert (got, err) == (code, "")
    assert out.split()[0] == word


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 3, "Missing argument 'BASELINE'"),
        (("b.csv",), 3, "Missing argument 'CANDIDATE'"),
        (("b.csv", "c.csv", "d.csv", "--margin", "0.1"), 3, "unexpected extra argument"),
        (("b.csv", "c.csv", "--nonsense"), 3, "No such option"),
        (("b.csv", "c.csv", "--margin", "small"), 3, "is not a valid float"),
        (("b.csv", "c.csv", "--margin", "0.1", "--on-undecided", "maybe"), 3, "is not one of"),
        (("b.csv", "c.csv"), 3, "no margin was given"),
        (("b.csv", "c.csv", "--margin", "-1"), 3, "the margin is -1"),
        (("b.csv", "c.csv", "--margin", "nan"), 3, "the margin is nan"),
        (("b.csv", "c.csv", "--margin", "0.1", "--probability", "1.5"), 3, "the probability is 1.5"),
        (("b.csv", "c.csv", "--margin", "0.1", "--looks", "0"), 3, "looks is 0"),
        (("b.csv", "c.csv", "--margin", "0.1", "--looks", "2", "--ledger", "l"), 3, "both --looks and"),
        (("b.csv", "c.csv", "--margin", "0.1", *["--model", "x"] * 3), 3, "--model was given 3 times"),
        (("b.csv", "c.csv", "--margin", "0.1", "--model", "x"), 3, 'the baseline has no model "x"'),
        (("b.csv", "c.csv", "--margin", "0.1", "--policy", "none.toml"), 3, "cannot be read"),
        (("b.csv", "c.csv", "--margin", "0.1", "--junit", "no/such/j.xml"), 3, "cannot be written"),
        (("b.csv", "none.csv", "--margin", "0.1"), 4, "there is no file none.csv"),
        (("b.csv", "empty.csv", "--margin", "0.1"), 4, "empty.csv is empty"),
        (("b.csv", "apart.csv", "--margin", "0.1"), 4, "share no ids"),
        (("b.csv", "two.csv", "--margin", "0.1"), 4, "the candidate holds 2 models"),
        (("b.csv", "c.csv", "--margin", "0.1", "--unit", "nope"), 4, "no column `nope`"),
    ],
)
def test_bad_use_and_bad_data_exit_with_three_or_more(
    gate, arguments: tuple[str, ...], code: int, said: str
) -> None:
    scores("b.csv", answers(20))
    scores("c.csv", answers(20, 0, 1))
    Path("empty.csv").write_text("")
    Path("apart.csv").write_text("id,correct\nx,1\ny,0\n")
    Path("two.csv").write_text("model,id,correct\nm,1,1\nm,2,0\nk,1,1\nk,2,1\n")
    got, out, err = gate(*arguments)
    assert (got, out) == (code, "")
    assert err.startswith("error: ")
    assert said in err
    assert "Traceback" not in err


def test_a_fault_of_ropewalk_is_no_fail(gate, monkeypatch: pytest.MonkeyPatch) -> None:
    b = scores("b.csv", answers(20))
    # The function has taken the module's name.
    monkeypatch.setattr(sys.modules["ropewalk.gate.judge"], "decide", lambda *_: 1 / 0)
    code, out, err = gate(b, scores("c.csv", answers(20, 0, 1)), "--margin", "0.1")
    assert (code, out) == (3, "")
    assert "ropewalk itself failed: ZeroDivisionError" in err
    assert "says nothing about the models" in err


@pytest.mark.parametrize(
    "environment", [pytest.param({}, marks=pytest.mark.proof), {"PYTHONIOENCODING": "ascii"}]
)
def test_what_reads_the_answer_does_not_change_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    # A pipe that nobody reads, and a terminal that cannot write the name of the task.
    monkeypatch.chdir(tmp_path)
    b = scores("b.csv", answers(400), task="übung")
    c = scores("c.csv", answers(400, 0, 90), task="übung")
    command = [
        sys.executable,
        "-c",
        "from ropewalk.cli import main; main()",
        "gate",
        b,
        c,
        "--margin",
        "0.01",
    ]
    read, write = os.pipe()
    os.close(read)
    env = {**os.environ, **environment}
    closed = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, env=env, check=False)
    os.close(write)
    assert (closed.returncode, closed.stderr) == (1, b"")
    shown = subprocess.run(command, capture_output=True, env=env, check=False)
    assert shown.returncode == 1
    assert b"bung` by 0.225" in shown.stdout
    assert shown.stderr == b""


# --- what the sides may be --------------------------------------------------------------------------------


def test_folders_with_a_file_for_each_task(gate) -> None:
    for task, wrong in (("law", 1), ("safety", 80)):
        scores(f"base/{task}.csv", answers(400))
        scores(f"cand/{task}.csv", answers(400, 0, wrong))
    code, out, _ = gate("base/", "cand/", "--margin", "0.02", "--json")
    content = json.loads(out)
    assert code == 1
    assert [t["task"] for t in content["tasks"]] == ["law", "safety"]
    assert "safety" in content["decided_by"]
    Path("cand/law.csv").unlink()
    code, out, err = gate("base/", "cand/", "--margin", "0.4", "--json")
    assert (code, out) == (3, "")
    assert 'candidate was not run on "law"' in err
    code, out, _ = gate("base/", "cand/", "--margin", "0.4", "--missing", "worst", "--json")
    assert (code, json.loads(out)["missing"]) == (1, ["law"])


def test_folders_whose_files_are_called_otherwise(gate) -> None:
    for name in ("base/x", "base/y", "cand/z"):
        scores(f"{name}.csv", answers(50))
    code, _, err = gate("base/", "cand/", "--margin", "0.02")
    assert code == 4
    assert 'baseline: "x", "y"' in err
    assert "pick one: --model NAME" in err
    scores("cand/x.csv", answers(50, 0, 1))
    assert gate("base/", "cand/", "--margin", "0.4", "--model", "x")[0] == 0


def test_one_of_several_models(gate) -> None:
    rows = ["model,id,correct"]
    for model, wrong in (("old", 0), ("good", 1), ("bad", 200)):
        rows += [f"{model},{i},{int(i >= wrong)}" for i in range(1000)]
    Path("all.csv").write_text("\n".join(rows) + "\n")
    code, _, err = gate("all.csv", "all.csv", "--margin", "0.02")
    assert code == 4
    assert 'the baseline holds 3 models: "old", "good", "bad"' in err
    assert gate("all.csv", "all.csv", "--margin", "0.02", "--model", "old", "--model", "good")[0] == 0
    assert gate("all.csv", "all.csv", "--margin", "0.02", "--model", "old", "--model", "bad")[0] == 1
    code, _, err = gate("all.csv", "all.csv", "--margin", "0.02", "--model", "old", "--model", "god")
    assert code == 3
    assert 'the candidate has no model "god"' in err
    assert 'Did you mean "good"?' in err


def test_columns_that_are_models(gate) -> None:
    rows = [f"{i},1,{int(i >= 200)}" for i in range(1000)]
    Path("wide.csv").write_text("\n".join(["id,old,new", *rows]) + "\n")
    code, _, err = gate("wide.csv", "wide.csv", "--margin", "0.02")
    assert code == 4
    assert 'the baseline holds 2 models: "old", "new"' in err
    assert gate("wide.csv", "wide.csv", "--margin", "0.02", "--model", "old", "--model", "new")[0] == 1


def test_predictions_with_the_truth_in_one_file(gate) -> None:
    Path("b.csv").write_text(
        "id,label,prediction\n" + "".join(f"{i},cat,cat\n{i}x,dog,dog\n" for i in range(300))
    )
    said = [f"{i},{'dog' if i < 100 else 'cat'}\n{i}x,dog\n" for i in range(300)]
    Path("c.csv").write_text("id,prediction\n" + "".join(said))
    code, out, _ = gate("b.csv", "c.csv", "--margin", "0.02", "--json")
    assert code == 1
    assert json.loads(out)["overall"]["advantage"] == pytest.approx(-100 / 600)


def test_which_column_is_the_model(gate) -> None:
    rows = "".join(f"m,k,{i},1\n" for i in range(50))
    Path("b.csv").write_text("model,system,id,correct\n" + rows)
    code, _, err = gate("b.csv", "b.csv", "--margin", "0.02")
    assert code == 4
    assert "Say which: --model-column model." in err
    assert gate("b.csv", "b.csv", "--margin", "0.02", "--model-column", "system")[0] == 0


def test_one_number_for_each_task(gate) -> None:
    for name, shift in (("b", 0.0), ("c", 0.02)):
        rows = [f"t{i},{0.5 + 0.03 * i + shift + 0.001 * (i % 3) * shift / 0.02}" for i in range(10)]
        Path(f"{name}.csv").write_text("\n".join(["task,accuracy", *rows]) + "\n")
    code, out, _ = gate("b.csv", "c.csv", "--margin", "0.01")
    assert code == 2
    assert "the normal approximation needs 30 tasks that vary, but there are only 7" in " ".join(out.split())
    for name, shift in (("b", 0.0), ("c", 0.02)):
        rows = [f"t{i},{0.5 + 0.01 * i + shift + 0.0001 * i * shift / 0.02}" for i in range(40)]
        Path(f"{name}.csv").write_text("\n".join(["task,accuracy", *rows]) + "\n")
    assert gate("b.csv", "c.csv", "--margin", "0.01")[0] == 0
    assert gate("c.csv", "b.csv", "--margin", "0.01")[0] == 1
    Path("p.toml").write_text('margin = 0.01\nmust_not_regress = ["t3"]\n')
    code, _, err = gate("b.csv", "c.csv", "--policy", "p.toml")
    assert code == 4
    assert 'names the task "t3", which has a single unit' in err


# --- policy, files, looks ----------------------------------------------------------------------------------


def test_the_policy_in_pyproject_counts_and_options_come_first(gate) -> None:
    b, c = scores("b.csv", answers(1000)), scores("c.csv", answers(1000, 0, 25))
    Path("pyproject.toml").write_text('[tool.ropewalk.gate]\nmargin = 0.02\non_undecided = "fail"\n')
    assert gate(b, c)[0] == 1
    assert gate(b, c, "--on-undecided", "pass")[0] == 0
    assert gate(b, c, "--margin", "0.2")[0] == 0
    Path("pyproject.toml").write_text("[tool.ropewalk.gate]\nmargins = { law = 0.1 }\nmargn = 0.02\n")
    code, _, err = gate(b, c)
    assert code == 3
    assert 'Did you mean "margin' in err


def test_files_are_written_whole(gate) -> None:
    b = scores("b.csv", answers(1000), task="law & <order>")
    c = scores("c.csv", answers(1000, 0, 90), task="law & <order>")
    code, out, _ = gate(b, c, "--margin", "0.02", "--markdown", "s.md", "--junit", "j.xml", "--json")
    assert code == 1
    assert json.loads(out)["provenance"]["inputs"][0]["path"] == "b.csv"
    assert Path("s.md").read_text(encoding="utf-8").startswith("## ropewalk gate\n\n**FAIL  ")
    cases = ET.parse("j.xml").getroot().findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == ["overall", "law & <order>"]
    assert all(case.find("failure") is not None for case in cases)
    assert gate(b, c, "--margin", "0.02", "--json")[1] == out  # the same bytes again
    assert sorted(p.name for p in Path().iterdir()) == ["b.csv", "c.csv", "j.xml", "s.md"]


def test_looks_are_counted(gate) -> None:
    b = scores("b.csv", answers(500))
    first, second = scores("c.csv", answers(500, 0, 1)), scores("d.csv", answers(500, 0, 2))
    options = ("--margin", "0.05", "--ledger", "ledger.json")
    assert "look 1 at this baseline" in gate(b, first, *options)[1]
    assert "look 2 at this baseline" in " ".join(gate(b, second, *options)[1].split())
    assert "look 2 at this baseline" in gate(b, first, *options)[1]  # seen before
    assert "look 1 at this baseline" in gate(first, second, *options)[1]  # another baseline
    out = " ".join(gate(b, first, "--margin", "0.05", "--looks", "10")[1].split())
    assert "at most 10 × 0.05 = 0.5" in out
    assert "--probability 0.995 would keep" in out
    before = Path("ledger.json").read_bytes()
    assert gate(b, scores("e.csv", answers(500, 9, 2)), *options, "--junit", "no/j.xml")[0] == 3
    assert Path("ledger.json").read_bytes() == before  # no answer, no look
    Path("ledger.json").write_text("not a ledger")
    assert gate(b, first, *options)[0] == 4
    assert Path("ledger.json").read_text() == "not a ledger"


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")
def test_gates_at_once_count_every_look(gate) -> None:
    """One gate is held up while another look is written; before, one of the two was lost."""
    b, c = scores("b.csv", answers(500)), scores("c.csv", answers(500, 0, 1))
    ledger = Path("ledger.json")
    command = [sys.executable, "-m", "ropewalk", "gate", b, c, "--margin", "0.05", "--ledger", str(ledger)]
    assert gate(*command[4:])[0] == 0
    (key,) = Ledger.read(ledger).looks
    ledger.unlink()
    with alone_in(Path()):
        other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(3)
        ledger.write_text(Ledger().with_look(key, "another candidate").to_json())
    out, _ = other.communicate(timeout=60)
    assert "look 2 at this baseline" in " ".join(out.split())
    assert Ledger.read(ledger).count(key) == 2


# --- the example and the page ------------------------------------------------------------------------------


def test_the_example_workflow_runs(tmp_path: Path) -> None:
    # Its own commands in their order, as the runner would: bash -e; ropewalk is installed here already.
    text = (ROOT / "examples" / "gate.yml").read_text(encoding="utf-8")
    assert "\t" not in text
    found = re.findall(
        r"^      - name: (.+?)\n(?:        if: .+\n)?        run: (\|\n(?:          .*\n|\n)+|.+\n)",
        text,
        re.M,
    )
    steps = {name: re.sub(r"^          ", "", body.removeprefix("|\n"), flags=re.M) for name, body in found}
    assert list(steps) == ["Evaluate both models", "Install ropewalk", "Gate", "Summary"]
    assert shlex.split(steps.pop("Install ropewalk")) == ["pip", "install", "./ropewalk"]
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": "summary.md"}
    for name, script in steps.items():
        done = subprocess.run(
            ["bash", "-e", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
    assert "**PASS  " in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert (tmp_path / "gate.xml").exists()


def test_the_commands_of_the_page_exit_as_it_says(gate) -> None:
    rules = importlib.import_module("page_blocks")
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    ran = 0
    for block in rules.blocks(page):
        if block.file:
            Path(block.file).write_text(block.body, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.body, "docs/gate.md", "exec"), {})  # noqa: S102  # our own page
        elif block.language == "console" and block.body.startswith("$ ropewalk gate"):
            code, _, _ = gate(*shlex.split(block.body)[3:])
            assert code == int(block.options.get("exit", 0))
            ran += 1
    assert ran == 2
