"""ropewalk plan on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ropewalk.cli import main


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture
def file(tmp_path: Path) -> str:
    k = np.random.default_rng(0).choice(4, 600, p=[0.08, 0.062, 0.081, 0.777])
    path = tmp_path / "answers.csv"
    path.write_text("id,forest,svm\n" + "".join(f"{i},{o // 2},{o % 2}\n" for i, o in enumerate(k)))
    return str(path)


STATED = ["plan", "--difference", "0.02", "--sd", "0.3", "--rope", "0.01", "--draws", "200"]


def test_from_a_file(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(["plan", file, "--rope", "0.01", "--draws", "300", "--cost-example", "0.02"], capsys)
    assert (code, err) == (0, "")
    assert "more examples would decide between forest and svm with probability 0.8." in out.replace(
        "\n  ", " "
    )
    assert "price" in out
    assert max(map(len, out.splitlines())) <= 80


def test_from_stated_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(STATED, capsys)
    assert code == 0
    assert "examples would decide between A and B with probability 0.8." in out
    accuracy = ["plan", "--accuracy", "0.87,0.85", "--disagreement", "0.1", "--rope", "0.01", "--json"]
    code, out, _ = run([*accuracy, "--examples", "500", "--more", "1000,4000", "--draws", "100"], capsys)
    assert code == 0
    rows = json.loads(out)["pairs"][0]["directions"][0]["curve"]
    assert [row["more"] for row in rows] == [1000, 4000]


def test_in_batches(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    batches = ["--batches", "4", "--batch-size", "500", "--draws", "200", "--rope", "0.01"]
    code, out, _ = run(["plan", file, *batches], capsys)
    assert code == 0
    assert "4 looks, one after every 500 examples" in out
    code, out, _ = run([*STATED, "--batches", "3", "--json"], capsys)
    assert json.loads(out)["schema"] == "ropewalk-plan-sequential/1"


def test_the_picture(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "curve.png"
    code, _, _ = run(["plan", file, "--rope", "0.01", "--draws", "100", "--plot", str(target)], capsys)
    assert code == 0
    assert target.read_bytes().startswith(b"\x89PNG")
    code, out, err = run([*STATED, "--plot", str(tmp_path / "curve.doc")], capsys)
    assert (code, out) == (3, "")
    assert "a plot cannot be written as" in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["plan"], 3, "there is nothing to plan from"),
        (["plan", "--accuracy", "0.87", "--disagreement", "0.1"], 3, '--accuracy is "0.87"'),
        (["plan", "--accuracy", "a,b", "--disagreement", "0.1"], 3, '--accuracy is "a,b"'),
        ([*STATED, "--more", "ten"], 3, '--more is "ten"\n\n  Write it as'),
        ([*STATED, "--metric", "auroc"], 3, 'the option "metric" needs data'),
        ([*STATED, "--batches", "3", "--more", "100"], 3, "--more cannot be used with --batches"),
        ([*STATED, "--batches", "3", "--cost-example", "1"], 3, "--cost-... cannot be used with --batches"),
        ([*STATED, "--batches", "3", "--assurance", "0.9"], 3, "--assurance cannot be used with --batches"),
        (["plan", "nowhere.csv"], 4, "nowhere.csv"),
    ],
)
def test_one_message_and_no_traceback(
    arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run(arguments, capsys)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


def test_one_pair_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    base = rng.standard_normal(80)
    rows = np.column_stack([base + 0.3 * rng.standard_normal(80) for _ in range(3)])
    path = tmp_path / "three.csv"
    path.write_text("id,a,b,c\n" + "".join(f"{i},{x},{y},{z}\n" for i, (x, y, z) in enumerate(rows)))
    code, out, _ = run(["plan", str(path), "--pair", "a", "c", "--rope", "0.01", "--draws", "100"], capsys)
    assert code == 0
    assert "between a and c" in out
    assert "between a and b" not in out


def test_the_scale_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    rows = [f"{i},{rng.integers(0, 2)},{rng.integers(0, 2)}" for i in range(80)]
    path = tmp_path / "wide.csv"
    path.write_text("id,a,b\n" + "\n".join(rows) + "\n")
    typed = ["plan", str(path), "--draws", "50", "--json"]
    for more, scale in (([], "score"), (["--scale", "phi"], "phi")):
        code, out, _ = run([*typed, *more], capsys)
        assert (code, json.loads(out)["pairs"][0]["rope"]["scale"]) == (0, scale)
