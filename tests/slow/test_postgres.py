"""Queries of a Postgres server, which is started for the tests where it is installed.

It needs Debian's postgresql (or `initdb` on the path), the driver adbc-driver-postgresql, and, because a
server refuses to run as root, somebody to run it as.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Scores
from ropewalk.errors import ReadError

dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi")

_PROGRAMS = [*map(str, Path("/usr/lib/postgresql").glob("*/bin")), os.environ["PATH"]]
_INITDB = shutil.which("initdb", path=os.pathsep.join(_PROGRAMS))
_SERVER = {"user": "postgres"} if os.name == "posix" and os.geteuid() == 0 else {}
pytestmark = pytest.mark.skipif(_INITDB is None, reason="Postgres is not installed")

FRAME = pd.DataFrame(
    {
        "model": np.repeat(["a", "b"], 300),
        "id": np.tile(np.arange(300), 2),
        "task": np.tile([f"t{k}" for k in range(300)], 2),
        "score": np.random.default_rng(7).random(600).round(4),
    }
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server with FRAME in the table `runs`."""
    # Not below pytest's own folder, which nobody else may enter.
    folder = Path(tempfile.mkdtemp(prefix="postgres"))
    if _SERVER:
        shutil.chown(folder, **_SERVER)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert _INITDB is not None
    control = str(Path(_INITDB).with_name("pg_ctl"))
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    data, silent = str(folder / "data"), {"stdout": subprocess.DEVNULL, "check": True, "timeout": 120}
    as_user = {**silent, **_SERVER, "cwd": "/"}
    subprocess.run([_INITDB, "-D", data, "-A", "trust", "-U", "postgres"], **as_user)
    start = ["-o", options, "-l", str(folder / "log"), "-w", "start"]
    subprocess.run([control, "-D", data, *start], **as_user)
    try:
        address = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        with dbapi.connect(address) as connection, connection.cursor() as cursor:
            cursor.execute(
                "create table runs (model text, id bigint, task varchar(9), score double precision, "
                "exact numeric(6, 4), small real, correct boolean)"
            )
            for m, i, t, x in FRAME.itertuples(index=False):
                cells = f"'{m}', {i}, '{t}', {x!r}, {x!r}, {x!r}, {x > 0.5}"
                cursor.execute(f"insert into runs values ({cells})")
            connection.commit()
        yield address
    finally:
        subprocess.run([control, "-D", data, "-m", "immediate", "stop"], **as_user)
        shutil.rmtree(folder)


def values(found: object) -> list[list[float]]:
    assert isinstance(found, Scores)
    out: list[list[float]] = found.tasks[0].values.tolist()
    return out


@pytest.mark.parametrize(
    ("query", "frame"),
    [
        ("select model, id, score from runs", FRAME.drop(columns="task")),
        ("select model, id, exact as score from runs;", FRAME.drop(columns="task")),
        (
            "select model, id, correct from runs -- with a comment",
            FRAME.assign(correct=FRAME.score > 0.5)[["model", "id", "correct"]],
        ),
        (
            "with a as (select * from runs where model = 'a'), b as (select * from runs where model = 'b')\n"
            "select id, a.score as a, b.score as b from a join b using (id) order by id",
            FRAME.pivot(index="id", columns="model", values="score").reset_index(),
        ),
    ],
)
def test_the_rows_are_those_of_a_frame(server: str, query: str, frame: pd.DataFrame) -> None:
    assert values(rw.read(server, query)) == values(rw.read(frame))


def test_single_precision_is_not_rounded_again(server: str) -> None:
    expected = FRAME.assign(score=FRAME.score.astype(np.float32))[["model", "id", "score"]]
    assert values(rw.read(server, "select model, id, small as score from runs")) == values(rw.read(expected))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select nothing from runs", 'column "nothing" does not exist'),
        ("select * from nowhere", 'relation "nowhere" does not exist'),
        ("selec", "syntax error"),
        ("delete from runs", "syntax error"),
        ("delete from runs returning *", "syntax error"),
        ("with gone as (delete from runs returning *) select * from gone", "must be at the top level"),
        ("select 1) as x; drop table runs; select * from (select 1", "multiple commands"),
        ("copy runs to '{}'", "syntax error"),
        ("select pg_file_write('{}', 'x', false)", "does not exist"),
        ("select setval('counter', 7) from (select 1) x", "does not exist"),
    ],
)
def test_a_query_only_reads(server: str, query: str, said: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    written = tmp_path / "written"
    with pytest.raises(ReadError, match="the query failed") as error:
        rw.read(server, query.format(written))
    assert said in str(error.value)
    assert "\n\n" not in error.value.where[0]
    assert not written.exists()
    with dbapi.connect(server) as connection, connection.cursor() as cursor:
        cursor.execute("select count(*) from runs")
        assert cursor.fetchall() == [(600,)]


def test_a_server_that_does_not_answer_and_one_that_is_asked_in_python(server: str) -> None:
    with pytest.raises(ReadError, match="the query failed"):
        rw.read(server.rpartition(":")[0] + ":1/postgres", "select 1")
    with dbapi.connect(server) as connection:
        with pytest.raises(ReadError, match="the query failed"):
            rw.read(connection, "select nothing from runs")
        connection.rollback()
        assert values(rw.read(connection, "select model, id, score from runs")) == values(
            rw.read(FRAME.drop(columns="task"))
        )
