"""Scores of folds that nobody called so, and repeated cross-validation by the number of its runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.cli import main
from ropewalk.errors import OptionError
from ropewalk.gate import Policy, judge


@pytest.fixture
def scores() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {"a": rng.normal(0.82, 0.03, 100), "b": rng.normal(0.80, 0.03, 100)}


def test_runs_are_the_correlation_of_the_number_of_folds(scores: dict[str, np.ndarray]) -> None:
    """100 scores of 10 runs are 10 folds, whose correlation is 1/10; of 20 runs 5 folds and 1/5."""
    for runs, rho in ((10, 0.1), (20, 0.2), (1, 0.01)):
        (c,) = rw.compare(scores, runs=runs, rope=0.01).comparisons
        (same,) = rw.compare(scores, rho=rho, rope=0.01).comparisons
        assert c.verdict.probabilities == same.verdict.probabilities
        assert c.correlation == type(c.correlation)(unit="fold", low=rho, high=rho)
    report = rw.compare(scores, runs=10, rope=0.01)
    assert "10 x 10-fold cross-validation" in report.to_text()
    assert not [c for c in report.audit.cautions if "cross-validation" in c]


def test_five_times_two_folds_have_their_tests(scores: dict[str, np.ndarray]) -> None:
    """Run by run: the two folds of a run are neighbours, as in the table with columns for both."""
    first = {m: x[:10] for m, x in scores.items()}
    (c,) = rw.compare(first, runs=5, rope=0.01).comparisons
    names = {t.name: t.p_value for t in c.classical}
    halves = (first["a"] - first["b"]).reshape(5, 2)
    assert names["5x2cv t"] == pytest.approx(rw.nhst.five_by_two_t(halves).p_value, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": 3}, "100 scores are not 3 runs of two folds or more"),
        ({"runs": 100}, "100 scores are not 100 runs"),
        ({"runs": 0}, "runs is 0"),
        ({"runs": True}, "runs is True"),
        ({"runs": 10, "rho": 0.1}, "both runs and rho are given"),
    ],
)
def test_what_is_refused(scores: dict[str, np.ndarray], options: dict, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rw.compare(scores, **options)


def test_data_that_say_how_they_were_drawn_need_no_runs() -> None:
    rng = np.random.default_rng(1)
    rows = [(m, r, f, rng.uniform()) for m in "ab" for r in range(2) for f in range(5)]
    frame = pd.DataFrame(rows, columns=["model", "repeat", "fold", "accuracy"])
    with pytest.raises(OptionError, match="the design is already known from the data: 2 x 5-fold"):
        rw.compare(frame, runs=2)


def test_counts_have_no_runs() -> None:
    with pytest.raises(OptionError, match="one score per fold"):
        rw.compare(pd.DataFrame({"n00": [5], "n01": [3], "n10": [2], "n11": [9]}), runs=10)


def test_the_commands_take_it(
    scores: dict[str, np.ndarray], tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.csv"
    rows = [f"{a},{b}" for a, b in zip(scores["a"], scores["b"], strict=True)]
    path.write_text("\n".join(["a,b", *rows, ""]))
    for command, said in (("compare", "10 x 10-fold"), ("check", "10 x 10-fold"), ("plan", "more fold")):
        with pytest.raises(SystemExit) as stop:
            main([command, str(path), "--runs", "10"])
        assert not stop.value.code
        assert said in capsys.readouterr().out


def unnamed(n: int, models: str = "abcd") -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.02, n)
    return {m: base + 0.005 * i + rng.normal(0, 0.01, n) for i, m in enumerate(models)}


@pytest.mark.parametrize("n", [5, 10, 20, 25, 30, 50, 100])
def test_a_number_that_cross_validation_gives(n: int) -> None:
    report = rw.compare(unnamed(n), higher_is_better=True)
    assert f"{n} scores per model without ids" in report.audit.cautions[0]
    assert "runs=10 for 10 x 10-fold" in report.audit.cautions[0]
    assert report.classical == []


def test_who_says_how_they_depend_is_believed() -> None:
    data = unnamed(100)
    corrected = rw.compare(data, rho=0.1, higher_is_better=True)
    assert corrected.audit.cautions == ()
    assert corrected.classical == []
    free = rw.compare(data, rho=0, higher_is_better=True)
    assert free.audit.cautions == ()
    assert [t.name for t in free.classical] != []
    assert rw.compare(unnamed(97), higher_is_better=True).audit.cautions == ()


def test_right_and_wrong_answers_are_examples() -> None:
    rng = np.random.default_rng(0)
    answers = {m: rng.integers(0, 2, 100) for m in "ab"}
    assert rw.compare(answers).audit.cautions == ()


def test_ids_and_folds_say_it(write) -> None:
    x = unnamed(10, "ab")
    rows = [(m, k, v) for m in "ab" for k, v in enumerate(x[m])]
    assert rw.compare(write("f.csv", "model,fold,accuracy", rows)).audit.cautions == ()
    assert rw.compare(write("i.csv", "id,a,b", zip(range(10), x["a"], x["b"], strict=True)),
                      higher_is_better=True).audit.cautions == ()  # fmt: skip


def test_a_gate_does_not_guess_it() -> None:
    x = unnamed(10, "ab")
    with pytest.raises(OptionError, match="10 scores on each side without ids"):
        judge(x["a"], x["b"], Policy(margin=0.01), higher_is_better=True)
    assert judge(x["a"], x["b"], Policy(margin=0.01), higher_is_better=True, rho=0.1).name


@pytest.mark.parametrize("n", [5, 10, 100])
def test_the_index_of_a_frame_names_no_example(n: int) -> None:
    x = np.random.default_rng(0).normal(0.8, 0.02, n).round(4)
    frames = [pd.DataFrame({"accuracy": y}).reset_index() for y in (x, x[::-1] + 0.02)]
    both = pd.concat([f.assign(model=m) for f, m in zip(frames, "ab", strict=True)])
    (said,) = rw.compare(both).audit.cautions
    assert said.startswith(f"{n} scores per model without ids: if they come from cross-validation")
    assert rw.compare(both, rho=0).audit.cautions == ()
    (c,) = rw.compare(both, runs=1, rope=0.01).comparisons
    assert c.correlation is not None
    with pytest.raises(OptionError, match="on each side without ids: are they from cross-validation"):
        rw.gate(*frames, margin=0.01)
    assert rw.compare(both.assign(index=both["index"] + 7)).audit.cautions == ()
    assert rw.compare(both.rename(columns={"index": "id"})).audit.cautions == ()


@pytest.mark.parametrize("form", ["fold_{}", "Fold {}", "cv{}", "split-{}", "fold{}/run1"])
def test_ids_that_name_folds(form: str) -> None:
    """Twelve of them: the number does not matter where the ids say what they are."""
    r = np.random.default_rng(0)
    frames = {
        m: pd.DataFrame({"id": [form.format(k) for k in range(12)], "accuracy": r.normal(mean, 0.01, 12)})
        for m, mean in (("old", 0.8), ("new", 0.83))
    }
    (caution,) = rw.compare(frames).audit.cautions
    assert caution.startswith(f'the ids are those of folds ("{form.format(0)}", "{form.format(1)}")')
    with pytest.raises(OptionError, match="the ids are those of folds") as error:
        rw.gate(*frames.values(), margin=0.01)
    assert "--runs 1" in error.value.hint
    assert rw.compare(frames, runs=1).audit.cautions == ()
    assert rw.compare(frames, rho=0).audit.cautions == ()
    assert rw.gate(*frames.values(), margin=0.01, runs=1).name


@pytest.mark.parametrize("form", ["q{}", "folder_{}", "split{}x", "{}"])
def test_other_ids_name_no_folds(form: str) -> None:
    r = np.random.default_rng(0)
    ids = [form.format(k) for k in range(10)]
    frames = {m: pd.DataFrame({"id": ids, "accuracy": r.normal(0.8, 0.01, 10)}) for m in ("old", "new")}
    assert rw.compare(frames).audit.cautions == ()
