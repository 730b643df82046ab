"""Rows under one id that hold different questions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import PairingError
from ropewalk.read import sources

N = 60
TEXTS = [f"question number {i}" for i in range(N)]


def frames(column: str, other: list[str], **more: object) -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(0)
    return {
        name: pd.DataFrame({"id": range(N), column: texts, "correct": rng.integers(0, 2, N), **more})
        for name, texts in (("a", TEXTS), ("b", other))
    }


@pytest.mark.parametrize("column", ["prompt", "question", "File Name"])
def test_the_same_texts_under_other_ids(column: str) -> None:
    with pytest.raises(PairingError) as problem:
        rw.read(frames(column, TEXTS[1:] + TEXTS[:1]))
    assert (
        problem.value.what
        == f"a and b have different texts in `{column}` under the same id for 60 of 60 units"
    )
    assert '"0": "question number 0" and "question number 1"' in str(problem.value)
    assert rw.read(frames(column, TEXTS[1:] + TEXTS[:1]), unit=column).audit.paired == N


def test_predictions_too() -> None:
    truth = ["yes", "no"] * (N // 2)
    given = frames("question", TEXTS[::-1], truth=truth)
    given = {m: f.rename(columns={"correct": "prediction"}) for m, f in given.items()}
    given = {m: f.assign(prediction=truth) for m, f in given.items()}
    with pytest.raises(PairingError, match="have different texts in `question`"):
        rw.read(given)


def test_a_long_table() -> None:
    both = pd.concat([f.assign(model=m) for m, f in frames("question", TEXTS[::-1]).items()])
    with pytest.raises(PairingError, match="have different texts in `question`"):
        rw.read(both)


def test_other_questions_altogether() -> None:
    other = [f"something else {i}" for i in range(N)]
    with pytest.raises(PairingError, match="have different texts in `question` for 60 of 60 units"):
        rw.read(frames("question", other))
    assert rw.read(frames("prompt", other)).audit.paired == N  # a prompt may differ on purpose


@pytest.mark.parametrize("column", ["output", "comment"])
def test_what_the_models_said_may_differ(column: str) -> None:
    assert rw.read(frames(column, TEXTS[::-1])).audit.paired == N


def test_a_few_edited_questions() -> None:
    assert rw.read(frames("question", [*TEXTS[:-5], *(f"{t}?" for t in TEXTS[-5:])])).audit.paired == N


FILES = {
    "the same texts under other ids": ("question", TEXTS[1:] + TEXTS[:1]),
    "the same prompts under other ids": ("prompt", TEXTS[1:] + TEXTS[:1]),
    "two prompts in each other's place": ("prompt", [TEXTS[1], TEXTS[0], *TEXTS[2:]]),
    "other questions": ("question", [f"something else {i}" for i in range(N)]),
    "other prompts": ("prompt", [f"something else {i}" for i in range(N)]),
    "another language": ("language", ["de"] * N),
    "a few edited questions": ("question", [*TEXTS[:-5], *(f"{t}?" for t in TEXTS[-5:])]),
    "what a model said": ("output", TEXTS[::-1]),
    "questions that are missing": ("question", [None, *TEXTS[1:]]),
}


@pytest.mark.parametrize("what", FILES)
@pytest.mark.parametrize("form", ["files", "long"])
def test_the_same_error_where_the_rows_are(
    what: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a second look, which would be the reader in memory."""
    monkeypatch.setattr(sources, "_LOOK_AGAIN", 10**15)
    given = frames(*FILES[what])
    if what == "another language":
        given["a"]["language"] = "en"
    if form == "long":
        given = {"t": pd.concat([f.assign(model=m) for m, f in given.items()])}
    for name, frame in given.items():
        frame.to_parquet(tmp_path / f"{name}.parquet")
    said = []
    for in_place in (False, True):
        try:
            said.append(str(rw.read(tmp_path, in_place=in_place).audit.paired))
        except PairingError as error:
            said.append(str(error))
    assert said[0] == said[1]
    passes = ("other prompts", "a few edited questions", "what a model said", "questions that are missing")
    assert (said[0] == str(N)) == (what in passes)
