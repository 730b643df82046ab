"""Tables of a terminal: long names, and a matrix that is no wider than it needs to be."""

from __future__ import annotations

import pytest

from ropewalk.errors import short
from ropewalk.report.document import Document, ReportTable
from ropewalk.report.text import render
from ropewalk.results.formatting import Named


def names_of(k: int) -> list[str]:
    return [f"meta-llama/Llama-3.1-8B-Instruct-v{i}" for i in range(k)]


@pytest.mark.parametrize("k", [2, 5, 12, 15])
def test_tables_of_long_names_fit_a_terminal_and_keep_the_names_apart(k: int) -> None:
    names, numbers = names_of(k), tuple(str(i + 1) for i in range(k))
    asked = "on average over tasks"
    tables = (
        ReportTable(
            columns=("model", "mean accuracy", "95 % interval", "P(best)", "P(in ROPE)", "rank"),
            numeric=(False, *[True] * 5),
            rows=tuple(
                (Named(n, after=" *"), "0.711", "0.700 to 0.722", "0.34", "0.97", "1 to 12") for n in names
            ),
        ),
        ReportTable(
            columns=(f"row > column: better {asked}", *numbers),
            numeric=(False, *[True] * k),
            rows=tuple((f"{i + 1} {short(n, 24)}", *"?" * k) for i, n in enumerate(names)),
        ),
        ReportTable(
            columns=(f"pair, {asked}", "advantage", "better", "equiv.", "worse", "verdict", "p"),
            numeric=(False, *[True] * 4, False, True),
            rows=tuple(
                (Named(short(names[0], 24), short(n, 24)), "+0.004", "0.946", "0.05", "<0.01", v, "2.9e-13")
                for n in names[1:]
                for v in (Named(short(n, 24), after=" better"), "undecided")
            ),
        ),
    )
    for table, rows in zip(tables, (k, k, 2 * k - 2), strict=True):
        lines = render(Document(blocks=(table,)), width=80).splitlines()[1:]
        rule = next(i for i, line in enumerate(lines) if set(line.strip()) == {"─"})
        body = lines[rule + 1 :]
        assert max(map(len, lines)) <= 80
        assert "…" not in "".join(lines[:rule])
        assert sum("undecided" in line or "better" in line for line in body) in (0, rows)
        first = " ".join(line[2:].split("  ")[0] for line in body)
        assert all(f"-v{i}" in first for i in range(k)), lines


def test_the_head_of_the_matrix_is_not_wider_than_its_names_need() -> None:
    columns = ("row > column: better on average over tasks", "1", "2")
    table = ReportTable(
        columns=columns, numeric=(False, True, True), rows=(("1 a", "", "?"), ("2 b", "?", ""))
    )
    lines = render(Document(blocks=(table,))).splitlines()
    assert lines[1:3] == ["  row > column: better on", "  average over tasks       1  2"]


def test_a_name_that_looks_like_a_pair_or_a_verdict_is_cut_as_one_name() -> None:
    # A long name with " - " in it: as a pair, the halves would be cut apart, to twice the room.
    name = "meta-llama - Llama-3.1-8B-Instruct better" * 3
    table = ReportTable(columns=("model", "n"), numeric=(False, True), rows=((name, "1"),))
    (line,) = [x for x in render(Document(blocks=(table,)), width=60).splitlines() if "1" in x and "…" in x]
    assert short(name, 55) in line
