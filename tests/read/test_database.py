"""DuckDB without the network, and its messages without the query."""

from __future__ import annotations

import pytest

from ropewalk.read.database import database, exact_pattern, failures, first_line, quoted


def test_nothing_is_installed_from_the_network() -> None:
    with database() as connection:
        for setting in ("autoinstall_known_extensions", "autoload_known_extensions"):
            (found,) = connection.execute(f"select current_setting('{setting}')").fetchone()
            assert found is False
        (bar,) = connection.execute("select current_setting('enable_progress_bar')").fetchone()
        assert bar is False


@pytest.mark.parametrize("name", ["a", 'a"b', 'a"";drop table t;--', "it's"])
def test_a_name_is_a_name(name: str) -> None:
    with database() as connection:
        relation = connection.sql(f"select 1 as {quoted(name)}")
        assert relation.columns == [name]
        ((text,),) = connection.sql(f"select {quoted(name, mark=chr(39))}").fetchall()
        assert text == name


def test_what_a_broken_query_raises_is_known_and_told_in_one_line() -> None:
    with database() as connection, pytest.raises(failures()) as problem:
        connection.execute("select * from nowhere")
    line = first_line(problem.value)
    assert "nowhere" in line
    assert "\n" not in line
    assert len(first_line("x" * 500, longest=50)) == 50


def test_a_path_is_no_pattern() -> None:
    assert exact_pattern("/data/a*[1]?.csv") == "/data/a[*][[]1][?].csv"
