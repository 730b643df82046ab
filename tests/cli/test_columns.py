"""Columns that the command line names."""

from __future__ import annotations

from pathlib import Path

from tests.cli.files import predictions


def test_odd_column_names_can_be_given(run, tmp_path: Path) -> None:
    for model, right in (("a", 0.95), ("b", 0.6)):
        text = predictions(tmp_path, model, right).read_text()
        (tmp_path / f"{model}.csv").write_text(text.replace("id,label,prediction", "foo,bar,baz"))
    code, out, _ = run(
        "compare", "a.csv", "b.csv", "--unit", "foo", "--truth", "bar", "--score", "baz", "--rope", "0.01"
    )
    assert code == 0
    assert "a is better than b." in out


def test_a_truth_that_is_not_recognised_is_asked_about(run, tmp_path: Path) -> None:
    rows = "\n".join(f"{i},{i % 2},{(i + 1) % 2},{i % 2}" for i in range(40))
    (tmp_path / "t.csv").write_text(f"id,survived,lr,nb\n{rows}\n")
    code, _, err = run("compare", "t.csv")
    assert code == 4
    assert "`survived`: its name may be that of the truth" in err
    assert 'truth, name it: truth="survived" (--truth survived).' in err
    code, out, _ = run("compare", "t.csv", "--truth", "survived")
    assert "nb is better than lr." in out
