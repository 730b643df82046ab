"""Files that a known tool wrote and that no reader here understands: named, instead of a general error."""

from __future__ import annotations

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
_ANSWERS = "Score the answers first, and give the columns `model`, `id` and `score`."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What a file looks like, the columns or keys that show it (one of each group), and what to give."""

    name: str
    shown_by: tuple[tuple[str, ...], ...]
    instead: str


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
)
_DOCUMENTS = (
    _Kind(
        name="the result of DeepEval's `evaluate()`",
        shown_by=(("test_results",), ("metrics_data",)),
        instead="The test run that DeepEval stores next to it is read: .deepeval/.latest_test_run.json; "
        "or give the\ncolumns `id` and `score`, one file per model.",
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
