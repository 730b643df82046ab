"""ropewalk check on the command line: the same as rw.check, as text and as JSON."""

from __future__ import annotations

import json

import ropewalk as rw


def test_it_prints_what_python_finds(run, write) -> None:
    path = write("t.csv", "id,svm,tree", [(i, i % 2, (i // 2) % 2) for i in range(40)])
    found = rw.check(path, model=["svm", "tree"])
    options = ("--model", "svm", "--model", "tree")
    code, out, err = run("check", path, *options)
    assert (code, out, err) == (0, found.to_text(), "")
    code, out, _ = run("check", path, *options, "--json")
    assert json.loads(out) == json.loads(found.to_json())


def test_it_refuses_what_compare_refuses(run, write) -> None:
    path = write("t.csv", "id,svm,tree", [(i, i % 2, "") for i in range(40)])
    codes = [run(command, path)[0] for command in ("check", "compare")]
    assert codes == [4, 4]
