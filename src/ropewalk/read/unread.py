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
_ANSWERS = "Score the answers first, and give the columns `model`, `id` and `score`."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What a file looks like, the columns or keys that show it (one of each group), and what to give."""

    name: str
    shown_by: tuple[tuple[str, ...], ...]
    instead: str


_PASS_OR_FAIL = re.compile(r"\[['\"]\[(PASS|FAIL|ERROR)\]")  # how the cells of promptfoo begin
_CHOICE = ("winner", "preference", "preferred", "vote", "choice", "choose", "label", "annotation", "human")
_TABLES = (
    _Kind(
        name="votes between two models (Chatbot Arena)",
        shown_by=(("modela",), ("modelb",), ("winner", "winnermodela", *_CHOICE)),
        instead=_VOTES,
    ),
    _Kind(
        name="pairwise judgements of MT-bench",
        shown_by=(("model1",), ("model2",), ("g1winner", "winner")),
        instead=_VOTES,
    ),
    _Kind(
        name="AlpacaEval annotations",
        shown_by=(("generator1",), ("generator2",), ("preference",)),
        instead=_VOTES,
    ),
    _Kind(
        name="votes between two models",
        shown_by=(
            ("playera", "contestanta", "systema", "player1", "system1", "model1"),
            ("playerb", "contestantb", "systemb", "player2", "system2", "model2"),
            ("result", "outcome", "win", *_CHOICE),
        ),
        instead=_VOTES,
    ),
    _Kind(name="a list of winners and losers", shown_by=(("winner",), ("loser",)), instead=_VOTES),
    _Kind(
        name="votes between a left and a right answer",
        shown_by=(
            ("left", "leftmodel", "modelleft"),
            ("right", "rightmodel", "modelright"),
            _CHOICE,
        ),
        instead=_VOTES,
    ),
    _Kind(
        name="votes between two answers",
        shown_by=(
            ("responsea", "answera", "outputa", "response1", "answer1", "output1"),
            ("responseb", "answerb", "outputb", "response2", "answer2", "output2"),
            _CHOICE,
        ),
        instead=_VOTES,
    ),
    _Kind(
        name="preference pairs for training a reward model",
        shown_by=(("chosen",), ("rejected",)),
        instead=_PAIRS,
    ),
    _Kind(
        name="predictions of OpenCompass",
        shown_by=(("originprompt",), ("prediction",)),
        instead=_ANSWERS,
    ),
    _Kind(
        name="test cases of DeepEval without scores",
        shown_by=(("actualoutput",), ("retrievalcontext", "expectedoutput")),
        instead=_TEST_RUN,
    ),
)
_DOCUMENTS = (
    _Kind(
        name="the result of DeepEval's `evaluate()`",
        shown_by=(("test_results",), ("metrics_data",)),
        instead=_TEST_RUN,
    ),
    _Kind(
        name="the cache of DeepEval",
        shown_by=(("test_cases_lookup_map",),),
        instead=_TEST_RUN,
    ),
    _Kind(
        name="a summary of a test run of DeepEval",
        shown_by=(("testPassed",), ("testFailed",)),
        instead=_TEST_RUN,
    ),
    _Kind(
        name="the configuration of promptfoo",
        shown_by=(("prompts",), ("providers",), ("tests",)),
        instead=_EVALUATED,
    ),
    _Kind(
        name="predictions of OpenCompass",
        shown_by=(("origin_prompt",), ("prediction",)),
        instead=_ANSWERS,
    ),
    _Kind(
        name="a trace of Langfuse",
        shown_by=(("traceId",), ("observations",)),
        instead="Export its scores: one row per trace, in the columns `model`, `id` and `score`.",
    ),
)


def refuse_unread_tables(tables: Sequence[Table]) -> None:
    """An error where the columns of a table are those of a tool or a kind of data without a reader."""
    for table in tables:
        columns = [c for c, cells in table.columns.items() if _PASS_OR_FAIL.match(str(cells[:1].tolist()))]
        if columns:
            kind = _Kind(name="a table of promptfoo", shown_by=(), instead=_EVALUATED)
            _refuse(table.name, kind, columns, "columns")
        known = {compact(c): c for c in (*table.columns, *table.skipped)}
        for kind in _TABLES:
            columns = _shown_by(kind, known)
            if columns:
                _refuse(table.name, kind, [known[c] for c in columns], "columns")


def refuse_unread_document(file: File) -> None:
    """The same of a JSON document, before it is parsed: its keys are enough."""
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
