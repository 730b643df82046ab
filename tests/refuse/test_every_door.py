"""What ropewalk does not know is asked for at every door: compare, gate and plan, typed and in Python.

A row is one hazard: the files, the options, what compare and plan do ("warns" before the result, "notes" it
after the result, or "refuses") and what the gate does. In Python the same files are given to `rw.compare`,
`rw.plan` and `rw.gate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import RopewalkError

Frames = dict[str, pd.DataFrame]
N = 200


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def scores(column: str, up: float = 0.2) -> Frames:
    r = rng()
    easy = r.uniform(0.1, 0.6, N)
    return {
        side: pd.DataFrame({"id": range(N), column: (easy + r.uniform(0, 0.05, N) + more).round(4)})
        for side, more in (("old", 0.0), ("new", up))
    }


def lacking(lost: int) -> Frames:
    found = scores("accuracy")
    return {"old": found["old"], "new": found["new"].iloc[lost:]}


def percent() -> Frames:
    found = scores("accuracy")
    return {"old": found["old"], "new": found["new"].assign(accuracy=lambda f: 100 * f["accuracy"])}


def shuffled() -> Frames:
    r = rng()
    truth = r.choice(list("abc"), N)
    said = {side: np.where(r.random(N) < 0.9, truth, r.choice(list("abc"), N)) for side in ("old", "new")}
    return {
        "old": pd.DataFrame({"truth": truth, "prediction": said["old"]}),
        "new": pd.DataFrame({"prediction": said["new"][r.permutation(N)]}),
    }


def copies() -> Frames:
    r = rng()
    text = [f"question {i % (N - 40)} about something long enough to be a question" for i in range(N)]
    right = {side: (r.random(N) < 0.8).astype(int) for side in ("old", "new")}
    for x in right.values():
        x[-40:] = x[:40]
    return {s: pd.DataFrame({"id": range(N), "question": text, "correct": x}) for s, x in right.items()}


def pair(column: str, old: Any, new: Any, **more: Any) -> Frames:
    return {s: pd.DataFrame({"id": range(N), column: x, **more}) for s, x in (("old", old), ("new", new))}


def questions() -> Frames:
    right = {s: (rng().random(N) < p).astype(int) for s, p in (("old", 0.7), ("new", 0.9))}
    order = {"old": range(N), "new": reversed(range(N))}
    return {
        s: pd.DataFrame({"id": range(N), "question": [f"question {i}" for i in order[s]], "correct": x})
        for s, x in right.items()
    }


def patients() -> Frames:
    r = rng()
    who, own = np.arange(N) // 10, np.repeat(r.normal(0.05, 0.1, N // 10), 10)
    base = r.uniform(0.4, 0.6, N)
    return pair("dice", base.round(4), (base + own).clip(0, 1).round(4), patient=[f"p{w}" for w in who])


def turned() -> Frames:
    r = rng()
    truth = r.integers(0, 2, N)
    said = np.where(r.random(N) < 0.9, truth, 1 - truth)
    return {
        "old": pd.DataFrame({"id": range(N), "truth": truth, "prediction": said}),
        "new": pd.DataFrame({"id": range(N), "truth": truth, "prediction": 1 - said}),
    }


def regression() -> Frames:
    r = rng()
    truth = r.uniform(90, 300, N)
    old, new = (truth + r.normal(0, 15, N) for _ in range(2))
    return pair("prediction", np.log(old), new, truth=truth)


def hard_and_soft() -> Frames:
    r = rng()
    truth = r.integers(0, 2, N)
    p = np.clip(0.25 + 0.5 * truth + r.normal(0, 0.25, N), 0.01, 0.99)
    return pair("prediction", (p > 0.5).astype(int), p, truth=truth)


@dataclass(frozen=True)
class Hazard:
    make: Callable[[], Frames]
    says: str
    compare: str  # what compare and plan do
    gate: str
    options: Sequence[str] = ()
    rope: Sequence[str] = ()  # for compare and plan
    margin: str = "0.01"
    called: str = ""  # what the gate says, where it says something else


HAZARDS = {
    "direction": Hazard(
        lambda: scores("quux"), "not clear whether a higher `quux` is better", "warns", "refuses"
    ),
    "a few units are missing": Hazard(lambda: lacking(8), "8 of 200 units (4%)", "warns", "refuses"),
    "half of the units are missing": Hazard(
        lambda: lacking(100), "100 of 200 units (50%)", "refuses", "refuses"
    ),
    "percent and fractions": Hazard(percent, "are in percent and those of", "refuses", "refuses"),
    "a width that decides nothing": Hazard(
        lambda: scores("accuracy"),
        "it would decide nothing",
        "refuses",
        "refuses",
        rope=("--rope", "1"),
        margin="1",
    ),
    "files in another order": Hazard(
        shuffled,
        "Are the files in the same order?",
        "warns",
        "refuses",
        options=("--by-position",),
        called="they do not seem to match",
    ),
    "a mark for a failure": Hazard(
        lambda: pair("accuracy", rng().random(N), np.where(np.arange(N) % 9, 0.7, 99)),
        "is 99 in 23 cells",
        "refuses",
        "refuses",
    ),
    "errors below zero": Hazard(
        lambda: pair("rmse", -rng().random(N), -rng().random(N) / 2),
        "which it cannot be",
        "refuses",
        "refuses",
    ),
    "a negative loss": Hazard(
        lambda: pair("loss", -rng().random(N), -rng().random(N) / 2),
        "as if the sign were flipped",
        "warns",
        "refuses",
    ),
    "milliseconds and seconds": Hazard(
        lambda: pair("latency", 900 + 90 * rng().random(N), 1 + rng().random(N)),
        "are they in the same unit?",
        "warns",
        "refuses",
    ),
    "other questions under the same ids": Hazard(
        questions, "have different texts in `question` under the same id", "refuses", "refuses"
    ),
    "several rows of a patient": Hazard(
        patients, "rows with the same `patient` have similar differences", "warns", "refuses"
    ),
    "classes the other way round": Hazard(turned, "are its classes swapped?", "warns", "refuses"),
    "another split under the same ids": Hazard(
        lambda: {
            side: frame.assign(split=split)
            for (side, frame), split in zip(scores("accuracy").items(), ("dev", "test"), strict=True)
        },
        "have different texts in `split` under the same id",
        "refuses",
        "refuses",
    ),
    "judges with other scales": Hazard(
        lambda: pair("helpfulness", rng().random(N), rng().integers(1, 6, N)),
        "are they on the same scale?",
        "warns",
        "refuses",
    ),
    "logarithms of what is predicted": Hazard(
        regression, "and they increase together: are they on the same scale?", "warns", "refuses"
    ),
    "labels among probabilities": Hazard(hard_and_soft, "are all 0 or 1, like labels", "warns", "refuses"),
    "copies of rows": Hazard(
        copies, "if they are the same example, it counts more than once", "notes", "warns"
    ),
}


def files(hazard: Hazard) -> list[str]:
    frames = hazard.make()
    for side, frame in frames.items():
        frame.to_csv(f"{side}.csv", index=False)
    return [f"{side}.csv" for side in frames]


def flat(text: str) -> str:
    return " ".join(text.split())


def in_python(options: Sequence[str]) -> dict[str, Any]:
    return {"by_position": True} if "--by-position" in options else {}


@pytest.mark.parametrize("name", HAZARDS)
@pytest.mark.parametrize("door", ["compare", "plan"])
def test_typed(command: Any, name: str, door: str) -> None:
    h = HAZARDS[name]
    quick = ("--draws", "50") if door == "plan" else ()
    code, out, err = command(door, *files(h), *h.options, *h.rope, *quick)
    if h.compare == "refuses":
        assert (code in (3, 4), out) == (True, "")
        assert h.says in flat(err)
    else:
        assert code == 0
        assert flat(out).startswith("warning: ") or h.compare == "notes"
        assert h.says in flat(out)


@pytest.mark.parametrize("name", HAZARDS)
def test_the_gate(command: Any, name: str) -> None:
    h = HAZARDS[name]
    code, out, err = command("gate", *files(h), *h.options, "--margin", h.margin)
    if h.gate == "refuses":
        assert (code in (3, 4), out) == (True, "")
        assert (h.called or h.says) in flat(err)
    else:
        assert code in (0, 1, 2)
        assert h.says in flat(out)


@pytest.mark.parametrize("name", HAZARDS)
def test_in_python(command: Any, name: str) -> None:
    h = HAZARDS[name]
    paths, options = files(h), in_python(h.options)
    rope = {"rope": 1.0} if h.rope else {}
    for door, more in ((rw.compare, {}), (rw.plan, {"draws": 50})):
        if h.compare == "refuses":
            with pytest.raises(RopewalkError) as problem:
                door(paths, **options, **rope, **more)
            assert h.says in flat(str(problem.value))
        else:
            found = door(paths, **options, **rope, **more)
            assert h.says in flat(found.to_text())
    if h.gate == "refuses":
        with pytest.raises(RopewalkError) as problem:
            rw.gate(*paths, margin=float(h.margin), **options)
        assert (h.called or h.says) in flat(str(problem.value))
    else:
        assert h.says in " ".join(rw.gate(*paths, margin=float(h.margin), **options).warnings)


@pytest.mark.parametrize("door", [rw.compare, rw.plan])
def test_scores_of_folds_without_a_name(door: Any) -> None:
    r = rng()
    a, b = r.normal(0.8, 0.02, 100), r.normal(0.8, 0.02, 100)
    more = {"draws": 50} if door is rw.plan else {}
    found = door({"a": a, "b": b}, higher_is_better=True, **more)
    assert flat(found.to_text()).startswith("warning: 100 scores per model without ids")
    with pytest.raises(RopewalkError, match="100 scores"):
        rw.gate(a, b, margin=0.01, higher_is_better=True)


WIDE = "`text_length` does not look like the scores of a model"


@pytest.mark.parametrize("door", [rw.compare, rw.plan])
def test_a_column_that_is_hardly_a_model(door: Any, tmp_path: Path) -> None:
    r = rng()
    frame = pd.DataFrame({"id": range(60), "svm": r.random(60), "forest": r.random(60)})
    frame["text_length"] = r.integers(50, 900, 60)
    frame.to_csv(tmp_path / "w.csv", index=False)
    with pytest.raises(RopewalkError, match=WIDE):
        door(tmp_path / "w.csv")
    with pytest.raises(RopewalkError, match=r"text_length|several models|model"):
        rw.gate(tmp_path / "w.csv", tmp_path / "w.csv", margin=0.01)


@pytest.mark.parametrize("door", [rw.compare, rw.plan, rw.check])
def test_a_list_of_two_is_not_a_table(door: Any) -> None:
    r = rng()
    with pytest.raises(RopewalkError, match="2 units and 300 models"):
        door([r.random(300), r.random(300)])


@pytest.mark.parametrize("door", [rw.compare, rw.plan, lambda path: rw.gate(path, path, margin=0.01)])
def test_votes_are_named(door: Any, tmp_path: Path) -> None:
    rows = [("a", "b", w) for w in ("model_a", "model_b", "tie") * 20]
    pd.DataFrame(rows, columns=["model_a", "model_b", "winner"]).to_csv(tmp_path / "v.csv", index=False)
    with pytest.raises(RopewalkError, match="votes"):
        door(tmp_path / "v.csv")


def wide() -> pd.DataFrame:
    r = rng()
    frame = pd.DataFrame({"id": range(60), "svm": r.random(60), "forest": r.random(60)})
    return frame.assign(text_length=r.integers(50, 900, 60))


def on_its_side() -> pd.DataFrame:
    r = rng()
    columns = {f"example{i}": r.random(2) for i in range(300)}
    return pd.DataFrame({"model": ["old", "new"], **columns})


def voted() -> pd.DataFrame:
    rows = [("a", "b", w) for w in ("model_a", "model_b", "tie") * 20]
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner"])


ONE_FILE = {
    "roles": (wide, "text_length"),
    "orientation": (on_its_side, "transposed"),
    "votes": (voted, "votes"),
}


@pytest.mark.parametrize("name", ONE_FILE)
@pytest.mark.parametrize("door", ["compare", "plan", "check", "gate"])
def test_one_file_typed(command: Any, name: str, door: str) -> None:
    make, says = ONE_FILE[name]
    make().to_csv("one.csv", index=False)
    given = ("one.csv", "one.csv", "--margin", "0.01") if door == "gate" else ("one.csv",)
    code, out, err = command(door, *given)
    assert (code in (3, 4), out) == (True, "")
    assert says in flat(err)


@pytest.mark.parametrize("name", ONE_FILE)
def test_one_file_at_the_gate_in_python(name: str, tmp_path: Path) -> None:
    make, says = ONE_FILE[name]
    make().to_csv(tmp_path / "one.csv", index=False)
    with pytest.raises(RopewalkError, match=says):
        rw.gate(tmp_path / "one.csv", tmp_path / "one.csv", margin=0.01)


@pytest.mark.parametrize("named", [True, False])
def test_one_row_per_side_lies_on_its_side_too(tmp_path: Path, named: bool) -> None:
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for path, (_, row) in zip(paths, on_its_side().iterrows(), strict=True):
        row[slice(None) if named else slice(1, None)].to_frame().T.to_csv(path, index=False)
    for door in (lambda: rw.compare(paths), lambda: rw.gate(*paths, margin=0.01)):
        with pytest.raises(RopewalkError, match="it is transposed"):
            door()
    for models in ((None, None), ("old", "new")):
        on_its_side().to_csv(tmp_path / "one.csv", index=False)
        with pytest.raises(RopewalkError, match="it is transposed"):
            rw.gate(tmp_path / "one.csv", tmp_path / "one.csv", margin=0.01, models=models)


def test_the_gate_takes_what_it_asks_for_of_folds(command: Any, tmp_path: Path) -> None:
    """The fix that the error names is an option of the command, and gives what named folds give."""
    r = rng()
    a = r.normal(0.8, 0.02, 100)
    b = a + r.normal(0.004, 0.02, 100)
    named = {"repeat": np.arange(100) // 10, "fold": np.arange(100) % 10}
    for name, x in (("old", a), ("new", b)):
        pd.DataFrame({"accuracy": x}).to_csv(f"{name}.csv", index=False)
        pd.DataFrame({**named, "accuracy": x}).to_csv(f"{name}_named.csv", index=False)
    typed = ("gate", "old.csv", "new.csv", "--margin", "0.01", "--by-position")
    code, _, err = command(*typed)
    assert code == 3
    assert "--runs 1" in err
    reasons = [
        command(*given)[1].splitlines()[:5]
        for given in (
            (*typed, "--runs", "10"),
            (*typed, "--rho", "0.1"),  # and not bounds for independent units
            ("gate", "old_named.csv", "new_named.csv", "--margin", "0.01"),
        )
    ]
    assert reasons[0] == reasons[1] == reasons[2]
    assert "(probability 0." in reasons[0][0]
    assert rw.gate(a, b, margin=0.01, runs=10, higher_is_better=True).overall.what.startswith(
        "Bayesian correlated t-test, because folds of 10 x 10-fold"
    )


def test_the_gate_does_not_guess_the_direction_of_columns_of_a_wide_table(tmp_path: Path) -> None:
    r = rng()
    path = tmp_path / "wide.csv"
    frame = pd.DataFrame({"id": range(60), "svm": r.random(60), "forest": r.random(60)})
    frame.to_csv(path, index=False)
    picked: dict[str, Any] = {"margin": 0.01, "models": ("svm", "forest")}
    with pytest.raises(RopewalkError, match="not clear whether a higher score is better"):
        rw.gate(path, path, **picked)
    assert rw.gate(path, path, higher_is_better=True, **picked).metric == "score"
    frame.rename(columns={"svm": "svm_loss", "forest": "forest_loss"}).to_csv(path, index=False)
    found = rw.gate(path, path, margin=0.01, models=("svm_loss", "forest_loss"))
    assert found.overall.advantage == pytest.approx(frame["svm"].mean() - frame["forest"].mean())
    frame[["svm", "forest"]] = (frame[["svm", "forest"]] < 0.5).astype(int)
    frame.to_csv(path, index=False)
    assert rw.gate(path, path, **picked).name == "undecided"  # right and wrong answers say it themselves
