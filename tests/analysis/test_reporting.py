"""One question per report: which one is answered, by what, and that everything else follows it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ropewalk as rw
from ropewalk.cli import main
from ropewalk.errors import OptionError
from tests.analysis.suites import folds, numbers

ASKED = ["average", "these", "next", "likeliest"]


def answers(models: int = 3, sizes: tuple[int, ...] = (60, 90, 120, 60)) -> pd.DataFrame:
    rng = np.random.default_rng(9)
    rows = [
        (f"m{m}", f"t{t}", f"t{t}-{i}", int(rng.random() < 0.6 + 0.07 * m))
        for t, n in enumerate(sizes)
        for m in range(models)
        for i in range(n)
    ]
    return pd.DataFrame(rows, columns=["model", "task", "id", "correct"])


def of(report: rw.Report, a: str, b: str) -> rw.Comparison:
    (c,) = [k for k in report.overall if (k.a, k.b) == (a, b)]
    return c


@pytest.mark.parametrize("question", [None, *ASKED])
@pytest.mark.parametrize("made", [folds, answers, numbers])
@pytest.mark.few(3)
def test_two_models_and_a_board_give_a_pair_the_same_answer(made, question) -> None:
    frame = made()
    two = frame[frame["model"] != "m2"]
    if made is numbers and question == "these":
        with pytest.raises(
            OptionError, match='one number per task does not answer the question "these"'
        ) as error:
            rw.compare(two, question=question)
        assert "hierarchical_t" in str(error.value)
        return
    pair, board = rw.compare(two, question=question), rw.compare(frame, question=question)
    one, other = pair.overall[0], of(board, "m0", "m1")
    assert pair.asks == board.asks == one.asks == other.asks == (question or "average")
    assert one.verdict.probabilities == other.verdict.probabilities
    assert one.estimate == other.estimate
    assert {k: r.p for k, r in one.readings.items()} == {k: r.p for k, r in other.readings.items()}


def test_the_four_questions_have_four_answers_each_under_its_name() -> None:
    frame = folds(2)
    reports = {q: json.loads(rw.compare(frame, question=q).to_json()) for q in ASKED}
    first = {q: r["overall"][0]["probability"] for q, r in reports.items()}
    assert len({round(p["better"], 4) for p in first.values()}) == 4
    for q, content in reports.items():
        assert content["asks"] == content["overall"][0]["asks"] == q
        assert content["question"] == "Q3"
        others = {k: r["probability"] for k, r in content["overall"][0]["readings"].items()}
        expected = {k: pytest.approx(first[k], abs=1e-6) for k in ASKED if k != q}
        assert others == expected


def test_a_new_task_is_not_the_likeliest_outcome() -> None:
    """Seen once: "on a new task: better >0.99" where the chance on a new task was 0.63.

    Oracle: Student with T - 1 degrees of freedom and scale s sqrt(1 + 1/T) for one number per task.
    """
    frame = numbers(6, 30)
    report = rw.compare(frame, question="next", rope=0.01)
    for c in report.overall[:5]:
        d = c.evidence.d
        new = stats.t(d.size - 1, d.mean(), d.std(ddof=1) * np.sqrt(1 + 1 / d.size))
        assert c.verdict.better == pytest.approx(new.sf(0.01), abs=1e-9)
        assert c.verdict.worse == pytest.approx(new.cdf(-0.01), abs=1e-9)
    text = report.to_text()
    assert "Question (next): which model is better on a new task?" in text
    assert {m.p_best for m in report.models} == {None}  # that would be an answer to another question
    average = rw.compare(frame, rope=0.01)
    assert len(average.overall) == 15
    board = average.board
    assert board is not None
    undecided = sum(c.verdict.name == "undecided" for c in average.overall)
    pairs = [(i, j) for i in range(6) for j in range(i + 1, 6)]
    assert sum(board.verdict(i, j) == "undecided" for i, j in pairs) == undecided
    rows = [
        line for line in average.to_text(width=200).splitlines() if line.startswith("  m") and " - m" in line
    ]
    assert sum(" undecided " in row for row in rows[: len(average.overall)]) == min(undecided, 60)


def test_is_it_better_on_this_suite() -> None:
    """Two tasks say little about others, and enough about themselves."""
    frame = answers(2, (105, 105))
    average, these = rw.compare(frame), rw.compare(frame, question="these")
    (a,), (b,) = average.overall, these.overall
    assert b.estimate.high - b.estimate.low < 0.5 * (a.estimate.high - a.estimate.low)
    own = [c.advantage for c in these.comparisons]
    assert b.estimate.mean == pytest.approx(np.mean(own), abs=0.03)
    assert rw.compare(frame, question="Q3").overall[0].verdict == a.verdict
    with pytest.raises(OptionError, match='question is "Q9"') as error:
        rw.compare(frame, question="Q9")
    assert '"average", "these", "next", "likeliest", "Q1"' in str(error.value)


def test_weights_of_the_tasks() -> None:
    frame = answers(2, (60, 90, 120))
    equal = rw.compare(frame, question="these").overall[0]
    only = rw.compare(frame, question="these", weights={"t0": 0, "t1": 0, "t2": 1}).overall[0]
    size = rw.compare(frame, question="these", weights="size").overall[0]
    assert only.advantage == pytest.approx(equal.evidence.d[2])
    fitted = only.evidence.fitted
    assert only.estimate.mean == pytest.approx(fitted.task(2).mean, abs=0.002)
    assert size.advantage == pytest.approx(np.average(equal.evidence.d, weights=[60, 90, 120]))
    assert rw.compare(frame, question="these", weights=[1, 1, 1]).overall[0].verdict == equal.verdict
    content = json.loads(rw.compare(frame, question="these", weights="size").to_json())["overall"][0]
    assert content["weights"] == pytest.approx({"t0": 60 / 270, "t1": 90 / 270, "t2": 120 / 270})
    for wrong, said in (
        ({"t0": 1}, 'these tasks have no weight: "t1", "t2"'),
        ({"t0": 1, "t1": 1, "t2": 1, "t3": 1}, 'the task "t3", which does not exist'),
        ([1, 2], "there are 2 weights for 3 tasks"),
        ({"t0": -1, "t1": 1, "t2": 1}, "weights of the tasks are not usable"),
        ("examples", 'the weights are "examples"'),
    ):
        with pytest.raises(OptionError, match=said):
            rw.compare(frame, question="these", weights=wrong)
    with pytest.raises(OptionError, match="not about exactly these tasks"):
        rw.compare(frame, weights="size")


def test_the_leaderboard_of_exactly_these_tasks() -> None:
    """Oracle: each model's own mean over the tasks, whose variance adds up over the tasks."""
    frame = answers(3, (200, 300, 400))
    report = rw.compare(frame, question="these", weights={"t0": 1, "t1": 1, "t2": 2})
    own = frame.groupby(["model", "task"])["correct"].agg(["mean", "var", "count"])
    for m in report.models:
        x, w = own.loc[m.name], np.array([0.25, 0.25, 0.5])
        assert m.mean == pytest.approx(float(w @ x["mean"]))
        sd = float(np.sqrt(np.sum(w**2 * x["var"] / x["count"])))
        assert (m.high - m.low) == pytest.approx(2 * 1.96 * sd, rel=0.05)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    def typed(*arguments: str) -> str:
        monkeypatch.setattr("sys.argv", ["ropewalk", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code in (0, None)
        return capsys.readouterr().out

    path = str(tmp_path / "r.csv")
    answers(2, (60, 90)).to_csv(path, index=False)
    these = typed("compare", path, "--question", "these", "--weights", "t0=1,t1=3", "--json")
    content = json.loads(these)
    assert (content["asks"], content["overall"][0]["weights"]) == ("these", {"t0": 0.25, "t1": 0.75})
    assert "Question (next): which model is better on a new task?" in typed(
        "compare", path, "--question", "next"
    )
    assert "exactly these tasks" in typed("plan", path, "--question", "these")
