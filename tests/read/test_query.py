"""Results that live in a database, beside the same rows in a file."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.cli import main
from ropewalk.data import Predictions, Scores, Summed
from ropewalk.errors import CellError, DataError, MissingExtraError, OptionError, ReadError

ROWS = [(m, i, (i * 7 % 5) / 5 + (m == "b") * (i % 2) / 4) for m in "ab" for i in range(20)]
FRAME = pd.DataFrame(ROWS, columns=["model", "id", "score"])
QUERY = "select model, id, score from results"


@pytest.fixture
def lite(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "r.sqlite") as connection:
        connection.execute("create table results (model text, id integer, score real)")
        connection.executemany("insert into results values (?, ?, ?)", ROWS)
    connection.close()
    return tmp_path / "r.sqlite"


@pytest.fixture
def duck(tmp_path: Path) -> Path:
    with duckdb.connect(str(tmp_path / "r.duckdb")) as connection:
        connection.execute("create table results (model text, id integer, score double)")
        connection.executemany("insert into results values (?, ?, ?)", ROWS)
    return tmp_path / "r.duckdb"


def command(*arguments: str) -> object:
    """How the command ends."""
    with pytest.raises(SystemExit) as done:
        main(list(arguments))
    return done.value.code


def values(found: Any) -> list[list[float]]:
    assert isinstance(found, Scores)
    out: list[list[float]] = found.tasks[0].values.tolist()
    return out


def test_files_of_databases(lite: Path, duck: Path) -> None:
    expected = values(rw.read(FRAME))
    for path in (lite, duck):
        found = rw.read(path, QUERY)
        assert values(found) == expected
        assert f"rows of the query: {QUERY}" in found.audit.notes


def test_connections_stay_open(lite: Path, duck: Path) -> None:
    expected = values(rw.read(FRAME))
    with duckdb.connect(str(duck)) as connection:
        assert values(rw.read(connection, QUERY)) == expected
        assert connection.sql("select 1").fetchall() == [(1,)]
        found = rw.read(connection, QUERY, in_place=True)
        assert isinstance(found, Summed)
        assert found.audit.paired == 20
    other = sqlite3.connect(lite)
    assert values(rw.read(other, QUERY)) == expected
    assert other.execute("select 1").fetchall() == [(1,)]
    other.close()


def test_a_query_that_names_files(tmp_path: Path) -> None:
    for model, part in FRAME.groupby("model"):
        part.drop(columns="model").to_parquet(tmp_path / f"{model}.parquet")
    both = f"'{tmp_path}/a.parquet' a join '{tmp_path}/b.parquet' b using (id)"
    query = f"select id, a.score as a, b.score as b from {both}"
    assert values(rw.read(None, query)) == values(rw.read(FRAME))
    assert command("compare", "--sql", query, "--json") == 0
    assert command("compare") != 0


def test_compare_and_the_command(duck: Path) -> None:
    report = rw.compare(duck, query=QUERY, higher_is_better=True)
    assert len(report.comparisons) == 1
    assert command("compare", str(duck), "--sql", QUERY, "--higher-is-better") == 0


def test_a_plan_reads_queries_as_a_comparison_does(duck: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = rw.plan(FRAME, higher_is_better=True, draws=50).to_json()
    assert rw.plan(duck, query=QUERY, higher_is_better=True, draws=50).to_json() == expected
    assert command("plan", str(duck), "--sql", QUERY, "--higher-is-better", "--draws", "50", "--json") == 0
    assert capsys.readouterr().out == expected
    named = f"select * from sqlite_scan('{duck}', 'results')"
    with pytest.raises(OptionError, match="both data and stated numbers are given"):
        rw.plan(query=named, difference=0.01, sd=0.1)


def test_a_plan_from_files_that_a_query_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.to_parquet(tmp_path / "both.parquet")
    query = f"select model, id, score from '{tmp_path}/both.parquet'"
    assert command("plan", "--sql", query, "--higher-is-better", "--draws", "50", "--json") == 0
    assert capsys.readouterr().out == rw.plan(FRAME, higher_is_better=True, draws=50).to_json()


def test_a_check_reads_queries_as_a_comparison_does(duck: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of_frame, of_query = rw.check(FRAME), rw.check(duck, query=QUERY)
    assert of_query.audit.notes == (*of_frame.audit.notes, f"rows of the query: {QUERY}")
    assert of_query.to_json().replace(f',\n      "rows of the query: {QUERY}"', "") == of_frame.to_json()
    assert command("check", str(duck), "--sql", QUERY, "--json") == 0
    assert capsys.readouterr().out == of_query.to_json()
    assert command("check") == 3
    with pytest.raises(ReadError, match="is not a single select"):
        rw.check(duck, query="copy results to 'written.csv'")


def gated(tmp_path: Path, **options: Any) -> Any:
    """The gate on the same rows in files, one for each side."""
    for model, part in FRAME.groupby("model"):
        part.drop(columns="model").to_csv(tmp_path / f"{model}.csv", index=False)
    return rw.gate(tmp_path / "a.csv", tmp_path / "b.csv", margin=0.1, higher_is_better=True, **options)


def test_a_gate_on_one_database(lite: Path, duck: Path, tmp_path: Path) -> None:
    expected = gated(tmp_path)
    assert expected.rows[0].n == 20
    for sides in ((lite, lite), (duck, duck), (str(duck), duck)):
        found = rw.gate(*sides, query=QUERY, models=("a", "b"), margin=0.1, higher_is_better=True)
        assert (found.name, found.reason, found.rows) == (expected.name, expected.reason, expected.rows)
        assert f"rows of the query: {QUERY}" in found.audit.notes
    with closing(sqlite3.connect(lite)) as connection:
        found = rw.gate(
            connection, connection, query=QUERY, models=("a", "b"), margin=0.1, higher_is_better=True
        )
        assert found.rows == expected.rows
    turned = rw.gate(duck, duck, query=QUERY, models=("b", "a"), margin=0.1, higher_is_better=True)
    assert turned.rows[0].advantage == -expected.rows[0].advantage
    with pytest.raises(DataError, match='the baseline holds 2 models: "a", "b"'):
        rw.gate(duck, duck, query=QUERY, margin=0.1, higher_is_better=True)


def test_a_gate_on_two_databases(lite: Path, duck: Path, tmp_path: Path) -> None:
    with sqlite3.connect(lite) as connection:
        connection.execute("delete from results where model = 'b'")
    connection.close()
    with duckdb.connect(str(duck)) as other:
        other.execute("delete from results where model = 'a'")
    found = rw.gate(lite, duck, query=QUERY, margin=0.1, higher_is_better=True)
    assert found.rows == gated(tmp_path).rows
    for first, second in ((lite, duck), (duck, lite)):
        first.rename(tmp_path / "candidate.db")
        second.rename(tmp_path / "baseline.db")
        with pytest.raises(OptionError, match="the baseline comes first"):
            rw.gate(tmp_path / "candidate.db", tmp_path / "baseline.db", query=QUERY, margin=0.1)
        (tmp_path / "candidate.db").rename(first)
        (tmp_path / "baseline.db").rename(second)


def test_the_command_gates_the_rows_of_a_query(
    duck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FRAME.to_parquet(tmp_path / "both.parquet")
    rest = ("--model", "a", "--model", "b", "--margin", "0.1", "--higher-is-better", "--json")
    named = f"select model, id, score from '{tmp_path}/both.parquet'"
    answers = []
    for given in (("--sql", named), (str(duck), "--sql", QUERY), (str(duck), str(duck), "--sql", QUERY)):
        code = command("gate", *given, *rest)
        answers.append((code, capsys.readouterr().out.replace(named, QUERY)))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] == gated(tmp_path).exit_code
    assert command("gate", "--sql", f"copy results to '{tmp_path}/written.csv'", *rest) == 4
    assert not (tmp_path / "written.csv").exists()


def test_a_ledger_counts_queries_by_the_rows_of_the_baseline(duck: Path, tmp_path: Path) -> None:
    def looks(query: str) -> list[int]:
        ledger = tmp_path / "ledger.json"
        options = ("--model", "a", "--model", "b", "--margin", "0.1", "--higher-is-better")
        command("gate", str(duck), "--sql", query, *options, "--ledger", str(ledger))
        return sorted(len(c) for c in json.loads(ledger.read_text())["looks"].values())

    assert looks(QUERY) == [1]
    assert looks(f"{QUERY} order by random()") == [1]  # the same rows in another order: the same look
    with duckdb.connect(str(duck)) as connection:
        connection.execute("update results set score = score + 0.01 where model = 'b'")
    assert looks(QUERY) == [2]  # another candidate
    with duckdb.connect(str(duck)) as connection:
        connection.execute("update results set score = score + 0.01 where model = 'a'")
    assert looks(QUERY) == [1, 2]  # another test set


@pytest.mark.parametrize("of", ["duckdb", "sqlite"])
def test_rows_that_do_not_fit_into_memory(
    of: str, lite: Path, duck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, path = ("query", lite) if of == "sqlite" else ("parquet", duck)
    assert len(values(rw.read(path, QUERY))) == 20
    monkeypatch.setattr(import_module(f"ropewalk.read.{module}"), "room", lambda: 40 * 3 * 64 - 1)
    with pytest.raises(ReadError, match=r"the query .*do not fit into memory"):
        rw.read(path, QUERY)


def test_labels_and_empty_cells_from_sqlite(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "r.sqlite") as connection:
        connection.execute("create table t (id integer, label text, svm text, knn text)")
        rows = [(1, "x", "x", "y"), (2, "y", "y", "y"), (3, "x", "y", "x")]
        connection.executemany("insert into t values (?, ?, ?, ?)", rows)
    found = rw.read(tmp_path / "r.sqlite", "select * from t")
    assert isinstance(found, Predictions)
    connection.execute("insert into t values (4, 'x', null, 'x')")
    connection.commit()
    connection.close()
    with pytest.raises(CellError, match="the query: 1 cell of column `svm` holds no value"):
        rw.read(tmp_path / "r.sqlite", "select * from t")


def test_what_is_no_query_and_no_database(
    lite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReadError, match="the query failed"):
        rw.read(lite, "select nonsense from results")
    with pytest.raises(OptionError, match="the query is empty"):
        rw.read(lite, " ")
    (tmp_path / "a.csv").write_text("id,a,b\n1,2,3\n")
    with pytest.raises(ReadError, match="is not a DuckDB or SQLite database"):
        rw.read(tmp_path / "a.csv", QUERY)
    with pytest.raises(OptionError, match="one database, but 2 files were given"):
        rw.read([lite, lite], QUERY)
    with pytest.raises(OptionError, match="is not a connection to a database"):
        rw.read(3, QUERY)
    with pytest.raises(OptionError, match="a query runs in its database, not on Dask"):
        rw.read(lite, QUERY, dask="tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", None)
    with pytest.raises(MissingExtraError, match="reading a Postgres database needs ADBC"):
        rw.read("postgresql://localhost/db", QUERY)


@pytest.mark.parametrize(
    "query",
    [
        "copy results to 'written.csv'",
        f"copy results to 'written.csv'; {QUERY}",
        f"attach 'written.db' as x; create table x.t as {QUERY}; {QUERY}",
        f"export database 'written'; {QUERY}",
        f"load 'written'; {QUERY}",
        f"install httpfs; {QUERY}",
        f"{QUERY}; {QUERY}",
        "vacuum into 'written.db'",
        "attach 'file:written.db?mode=rwc' as x",
        "delete from results",
        "pragma writable_schema = on",
    ],
)
@pytest.mark.few(5)
def test_a_query_only_reads(
    query: str, lite: Path, duck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a database is opened for reading only, DuckDB and SQLite would write other files."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    FRAME.to_csv("results.csv", index=False)
    for source, text in ((lite, query), (duck, query), (None, query.replace("results", "'results.csv'"))):
        with pytest.raises(ReadError, match=r"is not a single select|the query failed|returns no table"):
            rw.read(source, text)
    assert [p.name for p in Path().iterdir()] == ["results.csv"]
    assert values(rw.read(duck, QUERY)) == values(rw.read(lite, QUERY)) == values(rw.read(FRAME))


def test_variables_of_python_are_no_tables() -> None:
    with pytest.raises(ReadError, match=r"Table with name connection does not exist"):
        rw.read(None, "select * from connection")


def test_a_query_fetches_nothing_from_the_network() -> None:
    with pytest.raises(ReadError, match=r"requires the extension httpfs to be loaded"):
        rw.read(None, "select * from 'https://localhost/x.parquet'")


class Server:
    """A driver that stands in for Postgres, over SQLite; tests/slow/test_postgres.py has a real server."""

    class Error(Exception):
        """What the driver raises."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.asked: list[str] = []
        self.dbapi = self

    def connect(self, address: str) -> Any:
        self.asked.append(address)
        return self

    def cursor(self) -> Any:
        return self

    def execute(self, query: str) -> Any:
        self.asked.append(query)
        with closing(sqlite3.connect(self.path)) as connection:
            try:
                done = connection.execute("select 1" if query.startswith("set ") else query)
            except sqlite3.Error as problem:
                raise self.Error(f"ERROR: {problem}\nLINE 1: {query}") from None
            self.description, self.rows = done.description, done.fetchall()
        return self

    def fetchmany(self, most: int) -> Any:
        return self.rows[:most]

    def commit(self) -> None:
        self.asked.append("commit")

    def close(self) -> None:
        self.asked.append("close")


def test_a_server_is_asked_for_rows_in_a_transaction_that_only_reads(
    lite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(lite)
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", server)
    address = "postgresql://somebody@localhost/db"
    assert values(rw.read(address, f"{QUERY}; ")) == values(rw.read(FRAME))
    first = [address, "set session characteristics as transaction read only", "close", "commit"]
    assert server.asked[:5] == [*first, f"select * from (\n{QUERY}\n) as query"]
    for wrong in ("selec", "delete from results", "select nonsense from results"):
        with pytest.raises(ReadError, match="the query failed") as error:
            rw.read(address, wrong)
        assert error.value.where[0].startswith("ERROR: ")
        assert "LINE 1" not in str(error.value)
    with pytest.raises(ReadError, match="the query failed"):
        rw.read(server, "select nonsense from results")  # a connection of a driver that we do not know


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_no_database(tmp_path: Path) -> None:
    """Nobody writes to it: to open it would wait for ever."""
    os.mkfifo(tmp_path / "r.db")
    with pytest.raises(ReadError, match=r"r\.db is not a file"):
        rw.compare(tmp_path / "r.db", query=QUERY)


def test_every_kind_of_select_is_read(lite: Path, duck: Path) -> None:
    expected = values(rw.read(FRAME))
    for source in (lite, duck):
        assert values(rw.read(source, f"with x as ({QUERY}) select * from x")) == expected
    assert values(rw.read(duck, "from results")) == expected
    wide = rw.read(duck, "pivot results on model using first(score)")
    assert values(wide) == expected
