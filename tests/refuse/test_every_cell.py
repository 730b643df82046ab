"""More of what is asked for at every door, and the fix that an error names works at that door."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import RopewalkError

N = 200
TYPED = ("compare", "plan", "check", "gate")


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def flat(text: str) -> str:
    return " ".join(text.split())


def typed(door: str, files: Sequence[str], *options: str) -> tuple[str, ...]:
    """The command with these files; a gate takes a file that holds everything twice."""
    if door == "gate":
        return (door, *(files * 2 if len(files) == 1 else files), "--margin", "0.01", *options)
    return (door, *files, *options, *(("--draws", "50") if door == "plan" else ()))


def sides(**columns: tuple[Any, Any]) -> list[str]:
    for k, side in enumerate(("old", "new")):
        pd.DataFrame({name: both[k] for name, both in columns.items()}).to_csv(f"{side}.csv", index=False)
    return ["old.csv", "new.csv"]


def truth_called_price() -> list[str]:
    r = rng()
    price = r.uniform(100, 900, 60)
    pd.DataFrame(
        {
            "id": range(60),
            "price": price,
            "svm": price + r.normal(0, 30, 60),
            "forest": price + r.normal(0, 20, 60),
        }
    ).round(2).to_csv("one.csv", index=False)
    return ["one.csv"]


def more_models_than_units() -> list[str]:
    pd.DataFrame(rng().random((3, 12)), columns=[f"c{i}x" for i in range(12)]).to_csv("one.csv", index=False)
    return ["one.csv"]


def trace() -> list[str]:
    Path("one.json").write_text(json.dumps({"traceId": "1", "observations": []}))
    return ["one.json"]


REFUSED: dict[str, tuple[Callable[[], list[str]], str, str]] = {
    "a truth that is not called so": (truth_called_price, "price", "the truth rather than a score"),
    # The gate sees one side of it: several columns, and not one model.
    "more models than units": (more_models_than_units, "is it the other way round?", "holds 12 models"),
    "a file without a reader": (trace, "looks like a trace of Langfuse", "looks like a trace of Langfuse"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("door", TYPED)
def test_refused_at_every_door(command: Any, what: str, door: str) -> None:
    make, says, at_the_gate = REFUSED[what]
    files = make()
    code, out, err = command(*typed(door, files))
    assert (code in (3, 4), out) == (True, "")
    expected = at_the_gate if door == "gate" else says
    assert expected in flat(err)
    given: Any = files[0]
    calls = {"compare": rw.compare, "plan": rw.plan, "check": rw.check, "gate": rw.gate}
    with pytest.raises(RopewalkError) as problem:
        rw.gate(given, given, margin=0.01) if door == "gate" else calls[door](given)
    assert expected in flat(str(problem.value))


@pytest.mark.parametrize("door", ["compare", "plan", "gate"])
def test_a_width_that_holds_all_scores(command: Any, door: str) -> None:
    seconds = rng().uniform(1, 5, N)
    files = sides(id=(range(N), range(N)), seconds=(seconds, seconds + 0.1))
    width = ("--rope", "100") if door != "gate" else ("--margin", "100")
    code, out, err = command(door, *files, *width)
    assert (code in (3, 4), out) == (True, "")
    assert "of 100 is wider than the scores" in flat(err)
    with pytest.raises(RopewalkError, match="of 100 is wider than the scores"):
        rw.gate(*files, margin=100) if door == "gate" else getattr(rw, door)(files, rope=100)


@pytest.mark.parametrize("door", ["compare", "plan", "gate"])
def test_folds_without_a_name(command: Any, door: str) -> None:
    a = rng().normal(0.8, 0.02, 100)
    files = sides(accuracy=(a, a + rng().normal(0.004, 0.02, 100)))
    code, out, err = command(*typed(door, files, "--by-position"))
    if door == "gate":
        assert (code in (3, 4), out) == (True, "")
        assert "100 scores" in flat(err)
    else:
        assert flat(out).startswith("warning: 100 scores per model without ids")
    code, out, err = command(*typed(door, files, "--by-position", "--runs", "10"))
    assert code in (0, 1, 2), err
    assert "scores per model without ids" not in flat(out)


@pytest.mark.parametrize("door", ["compare", "plan", "gate"])
@pytest.mark.parametrize("missing", ["drop", "worst"])
def test_what_to_do_with_missing_units(command: Any, door: str, missing: str) -> None:
    right = (rng().random(N) < 0.8).astype(int)
    files = sides(id=(range(N), range(N)), correct=(right, np.ones(N, dtype=int)))
    pd.read_csv("new.csv").iloc[N // 2 :].to_csv("new.csv", index=False)
    code, out, err = command(*typed(door, files))
    assert (code in (3, 4), out) == (True, "")
    assert "--missing drop" in err
    code, out, err = command(*typed(door, files, "--missing", missing))
    assert code in (0, 1, 2), err
    better = {"drop": "new is better", "worst": "old is better"}[missing]
    passes = {"drop": "PASS", "worst": "FAIL"}[missing]
    assert (passes if door == "gate" else better) in flat(out)


@pytest.mark.parametrize("door", TYPED)
def test_the_direction_settles_it(command: Any, door: str) -> None:
    quux = rng().random(N)
    files = sides(id=(range(N), range(N)), quux=(quux, quux + 0.1))
    for option in ("--higher-is-better", "--lower-is-better"):
        code, out, err = command(*typed(door, files, option))
        assert code in (0, 1, 2), err
        assert "not clear" not in out


@pytest.mark.parametrize("door", TYPED)
def test_the_models_that_the_error_lists_can_be_given(command: Any, door: str) -> None:
    r = rng()
    right = {m: (r.random(60) < p).astype(int) for m, p in (("svm", 0.6), ("forest", 0.8))}
    pd.DataFrame({"id": range(60), **right, "text_length": r.integers(50, 900, 60)}).to_csv(
        "one.csv", index=False
    )
    code, _, err = command(*typed(door, ["one.csv"]))
    assert code in (3, 4)
    assert "--model svm --model forest" in flat(err)
    code, out, err = command(*typed(door, ["one.csv"], "--model", "svm", "--model", "forest"))
    assert code in (0, 1, 2), err
    assert "text_length" not in out


@pytest.mark.parametrize("door", TYPED)
def test_the_labels_that_the_error_names_can_be_given(command: Any, door: str) -> None:
    r = rng()
    truth = r.choice(["cat", "dog"], N)
    said = [np.where(r.random(N) < p, truth, "emu") for p in (0.7, 0.9)]
    files = sides(id=(range(N), range(N)), truth=(truth, truth), prediction=(said[0], said[1]))
    code, _, err = command(*typed(door, files))
    assert code == 4
    assert "--labels emu" in flat(err)
    code, _, err = command(*typed(door, files, "--labels", "emu"))
    assert code in (0, 1, 2), err


def reversed_scores() -> list[str]:
    easy = rng().uniform(0.2, 0.7, N)
    return sides(id=(range(N), range(N)), score=(easy, 0.95 - easy))


def tasks_in_percent() -> list[str]:
    share = rng().uniform(0.3, 0.6, 24)
    times = np.where(np.arange(24) < 8, 100, 1)
    tasks = [f"t{i}" for i in range(24)]
    return sides(task=(tasks, tasks), accuracy=(times * share, times * (share + 0.02)))


def flags_and_grades() -> list[str]:
    f1 = rng().random(N)
    return sides(id=(range(N), range(N)), f1=((f1 > 0.8).astype(int), f1))


def shifted_by_one() -> list[str]:
    r = rng()
    truth = r.choice(["cat", "dog", "emu"], N)
    said = np.where(r.random(N) < 0.9, truth, "cat")
    return sides(id=(range(N), range(N)), truth=(truth, truth), prediction=(said, np.roll(said, 1)))


def index_of_a_frame() -> list[str]:
    x = rng().normal(0.8, 0.02, 10)
    return sides(index=(range(10), range(10)), accuracy=(x, x + 0.01 + rng().uniform(0, 0.01, 10)))


SAID_FIRST: dict[str, tuple[Callable[[], list[str]], str]] = {
    "one model is turned round": (reversed_scores, "and bad where it is good"),
    "some tasks are in percent": (tasks_in_percent, "the scores are in percent on"),
    "exact matches next to F1": (flags_and_grades, "is 0 or 1, and many of"),
    "rows are shifted by one": (shifted_by_one, "are its rows shifted by one?"),
    "folds with the index of their frame": (index_of_a_frame, "without ids"),
}


@pytest.mark.parametrize("what", SAID_FIRST)
@pytest.mark.parametrize("door", TYPED)
def test_said_first_and_refused_by_the_gate(command: Any, what: str, door: str) -> None:
    make, says = SAID_FIRST[what]
    files = make()
    code, out, err = command(*typed(door, files))
    if door == "gate":
        assert (code in (3, 4), out) == (True, "")
        assert says in flat(err)
        with pytest.raises(RopewalkError) as problem:
            rw.gate(*files, margin=0.01)
        assert says in flat(str(problem.value))
        return
    assert code == 0
    assert flat(out).startswith("warning: ")
    assert says in flat(out)
    calls: dict[str, Any] = {"compare": rw.compare, "plan": rw.plan, "check": rw.check}
    assert says in flat(calls[door](files, **({"draws": 50} if door == "plan" else {})).to_text())


@pytest.mark.parametrize("door", ["compare", "plan", "gate"])
def test_a_whole_task_that_the_candidate_lacks(command: Any, door: str) -> None:
    right = (rng().random(2 * N) < 0.7).astype(int)
    task = ["easy"] * N + ["hard"] * N
    files = sides(
        id=(range(2 * N), range(2 * N)), task=(task, task), correct=(right, np.ones(2 * N, dtype=int))
    )
    pd.read_csv("new.csv").iloc[:N].to_csv("new.csv", index=False)
    code, out, err = command(*typed(door, files))
    assert (code, out) == (3 if door == "gate" else 4, "")
    assert "--missing worst" in err
    assert door != "gate" or 'candidate was not run on "hard"' in err
    code, out, err = command(*typed(door, files, "--missing", "worst"))
    assert code == (1 if door == "gate" else 0), err
    assert "left out" not in out
