"""Files that a known tool wrote and that no reader here understands: named, instead of a general error."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ropewalk.errors import ReadError, listed, short
from ropewalk.read.formats.file import File
from ropewalk.read.formats.registry import known_formats
from ropewalk.read.roles import compact
from ropewalk.read.table import Table

_VOTES = (
    "Give each model's own score on every prompt; or its share of the votes on each, in the columns\n"
    "`model`, `id` and `score`."
)
_PAIRS = (
    "A preference says which of two texts was better, not which model wrote it. Give each model's own score\n"
    "on every prompt, in the columns `model`, `id` and `score`."
)
_TEST_RUN = (
    "The test run that DeepEval stores is read: .deepeval/.latest_test_run.json; or give the columns `id`\n"
    "and `score`, one file per model."
)
_EVALUATED = "The JSON results of promptfoo are read: promptfoo eval -o results.json."
_TRACES = "Export its scores: one row per trace, in the columns `model`, `id` and `score`."
_ANSWERS = "Score the answers first, and give the columns `model`, `id` and `score`."


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of file without a reader: how it looks, what to give instead, and sets of columns or keys."""

    name: str
    instead: str
    shown_by: tuple[tuple[str, ...], ...]


def _kind(name: str, instead: str, *groups: str) -> _Kind:
    return _Kind(name, instead, tuple(tuple(words.split()) for words in groups))


_PASS_OR_FAIL = re.compile(r"\[['\"]\[(PASS|FAIL|ERROR)\]")  # start of promptfoo's cells
_CHOICE = "winner preference preferred vote choice choose label annotation human"
_TABLES = (
    _kind(
        "votes between two models (Chatbot Arena)",
        _VOTES,
        "modela",
        "modelb",
        f"winner winnermodela {_CHOICE}",
    ),
    _kind("pairwise judgements of MT-bench", _VOTES, "model1", "model2", "g1winner winner"),
    _kind("AlpacaEval annotations", _VOTES, "generator1", "generator2", "preference"),
    _kind(
        "votes between two models",
        _VOTES,
        "playera contestanta systema player1 system1 model1",
        "playerb contestantb systemb player2 system2 model2",
        f"result outcome win {_CHOICE}",
    ),
    _kind("a list of winners and losers", _VOTES, "winner", "loser"),
    _kind(
        "votes between a left and a right answer",
        _VOTES,
        "left leftmodel modelleft",
        "right rightmodel modelright",
        _CHOICE,
    ),
    _kind(
        "votes between two answers",
        _VOTES,
        "responsea answera outputa response1 answer1 output1",
        "responseb answerb outputb response2 answer2 output2",
        _CHOICE,
    ),
    _kind("preference pairs for training a reward model", _PAIRS, "chosen", "rejected"),
    _kind("predictions of OpenCompass", _ANSWERS, "originprompt", "prediction"),
    _kind(
        "test cases of DeepEval without scores", _TEST_RUN, "actualoutput", "retrievalcontext expectedoutput"
    ),
)
_DOCUMENTS = (
    _kind("the result of DeepEval's `evaluate()`", _TEST_RUN, "test_results", "metrics_data"),
    _kind("the cache of DeepEval", _TEST_RUN, "test_cases_lookup_map"),
    _kind("a summary of a test run of DeepEval", _TEST_RUN, "testPassed", "testFailed"),
    _kind("the configuration of promptfoo", _EVALUATED, "prompts", "providers", "tests"),
    _kind("predictions of OpenCompass", _ANSWERS, "origin_prompt", "prediction"),
    _kind("a trace of Langfuse", _TRACES, "traceId", "observations"),
)


def refuse_unread_tables(tables: Sequence[Table]) -> None:
    """Raise an error if a table's columns belong to a tool or a kind of data without a reader."""
    for table in tables:
        columns = [c for c, cells in table.columns.items() if _PASS_OR_FAIL.match(str(cells[:1].tolist()))]
        if columns:
            kind = _kind("a table of promptfoo", _EVALUATED)
            _refuse(table.name, kind, columns, "columns")
        known = {compact(c): c for c in (*table.columns, *table.skipped)}
        for kind in _TABLES:
            columns = _shown_by(kind, known)
            if columns:
                _refuse(table.name, kind, [known[c] for c in columns], "columns")


def refuse_unread_document(file: File) -> None:
    """Do the same for a JSON document before it is parsed: its keys are enough."""
    head = file.head.lstrip()
    if head[:1] not in (b"{", b"["):
        return
    keys = {key for kind in _DOCUMENTS for group in kind.shown_by for key in group}
    found = {key for key in keys if f'"{key}"'.encode() in head}
    for kind in _DOCUMENTS:
        shown = _shown_by(kind, found)
        if shown:
            _refuse(file.name, kind, shown, "keys")


def _shown_by(kind: _Kind, known: Collection[str]) -> list[str]:
    found = [next((name for name in group if name in known), None) for group in kind.shown_by]
    return [] if None in found else [name for name in found if name is not None]


def _refuse(name: str, kind: _Kind, shown: Sequence[str], what: str) -> None:
    known = listed([f.NAME for f in known_formats()], most=30)
    raise ReadError(
        f"{short(name)} looks like {kind.name}, which ropewalk does not read yet",
        where=[f"{what}: {', '.join(f'`{short(c)}`' for c in shown)}"],
        hint=f"{kind.instead}\nKnown: {known}; and plain tables.",
    )
