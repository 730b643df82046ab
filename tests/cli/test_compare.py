"""`ropewalk compare` and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ropewalk import plot
from tests.cli.files import names, predictions


def test_two_prediction_files(run, tmp_path: Path) -> None:
    code, out, err = run(
        "compare",
        predictions(tmp_path, "forest", 0.9),
        predictions(tmp_path, "svm", 0.6, start=3),
        "--rope",
        "0.01",
    )
    assert (code, err) == (0, "")
    assert "forest is better than svm." in out
    assert "297 examples paired" in out
    assert "3 left out (only in" in out


def test_pairs_and_the_scale_by_name(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [f"{i},{','.join(map(str, rng.integers(0, 2, 4)))}" for i in range(80)]
    (tmp_path / "wide.csv").write_text("id,a,b,c,d\n" + "\n".join(rows) + "\n")
    asked = ("--pair", "a", "c", "--pair", "d", "b", "--json")
    code, out, _ = run("compare", "wide.csv", *asked)
    assert code == 0
    found = json.loads(out)["comparisons"]
    assert [(c["a"], c["b"]) for c in found] == [("a", "c"), ("d", "b")]
    assert {c["rope"]["scale"] for c in found} == {"score"}
    code, out, _ = run("compare", "wide.csv", "--scale", "phi", *asked)
    assert {c["rope"]["scale"] for c in json.loads(out)["comparisons"]} == {"phi"}
    code, _, err = run("compare", "wide.csv", "--pair", "a", "e")
    assert code == 3
    assert 'there is no model "e"' in err
    code, _, err = run("compare", "wide.csv", "--scale", "phi", "--rope", "0.01")
    assert code == 3
    assert "the ROPE is in score units, but the scale is phi" in err


def test_json_is_alone_on_standard_output(run, tmp_path: Path) -> None:
    a, b = predictions(tmp_path, "forest", 0.9), predictions(tmp_path, "svm", 0.6)
    code, out, err = run("compare", a, b, "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content["schema"] == "ropewalk/1"
    assert [Path(i["path"]).name for i in content["provenance"]["inputs"]] == ["forest.csv", "svm.csv"]
    assert all(len(i["sha256"]) == 64 for i in content["provenance"]["inputs"])
    assert run("compare", a, b, "--json")[1] == out


def test_reports_and_plots_are_written(run, tmp_path: Path) -> None:
    a, b = predictions(tmp_path, "forest", 0.9), predictions(tmp_path, "svm", 0.6)
    code, out, _ = run(
        "compare", a, b, "--html", "r.html", "--markdown", "r.md", "--latex", "r.tex", "--plots", "figs"
    )  # fmt: skip
    assert code == 0
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "r.md").read_text().startswith("**forest is better")
    assert "tabular" in (tmp_path / "r.tex").read_text()
    assert names(tmp_path / "figs") == ["forest-vs-svm-posterior.png"]
    captions = (tmp_path / "figs" / "captions.txt").read_text()
    assert "forest-vs-svm-posterior.png: Posterior of the advantage of forest over svm" in captions
    assert out.endswith("\nWrote r.html, r.md, r.tex, figs (1 plot; 3 more with --all).\n")
    code, out, _ = run("compare", a, b, "--plots", "all", "--all")
    kinds = ["differences", "hdi", "posterior", "sensitivity"]
    assert names(tmp_path / "all") == [f"forest-vs-svm-{kind}.png" for kind in kinds]
    assert out.endswith("\nWrote all (4 plots).\n")
    code, out, err = run("compare", a, b, "--plots", "figs", "--json")  # prints the document and nothing else
    assert (code, err) == (0, "")
    assert json.loads(out)["schema"] == "ropewalk/1"


def counts_of_table_1(path: Path, table_1: dict[str, tuple[int, int, int, int]]) -> None:
    rows = "\n".join(",".join(map(str, (k, *v))) for k, v in table_1.items())
    (path / "counts.csv").write_text(f"task,n00,n01,n10,n11\n{rows}\n")


def test_plots_of_many_tasks_are_those_over_all_tasks(run, tmp_path: Path, table_1) -> None:
    counts_of_table_1(tmp_path, table_1)
    assert run("compare", "counts.csv", "--plots", "few")[0] == 0
    assert names(tmp_path / "few") == ["overall-A-vs-B-forest.png", "overall-A-vs-B-posterior.png"]
    assert run("compare", "counts.csv", "--plots", "figs", "--all")[0] == 0
    kinds = ["forest", "next_task", "posterior", "sensitivity", "simplex", "tasks"]
    assert names(tmp_path / "figs") == [f"overall-A-vs-B-{kind}.png" for kind in kinds]


def test_plots_of_several_pairs_are_numbered_as_in_the_report(run, tmp_path: Path, monkeypatch) -> None:
    random = np.random.default_rng(0)
    rows = [
        f"{model},{task},{i},{int(random.random() < right)}"
        for model, right in (("base", 0.7), ("new", 0.9), ("tuned", 0.7))
        for task in ("a", "b", "c")
        for i in range(60)
    ]
    (tmp_path / "long.csv").write_text("model,task,id,correct\n" + "\n".join(rows) + "\n")
    asked = ("compare", "long.csv", "--score", "correct", "--reference", "base")
    code, out, err = run(*asked, "--plots", "few")
    assert (code, err) == (0, "")
    pairs = [f"overall-{p}" for p in ("01-new-vs-base", "02-tuned-vs-base")]
    used = [f"{pair}-{kind}" for pair in pairs for kind in ("forest", "posterior")]
    used = ["critical-difference", "leaderboard", *used, "verdicts"]
    assert names(tmp_path / "few") == [f"{name}.png" for name in used]
    assert "Wrote few (7 plots; 10 more with --all)." in out
    monkeypatch.setattr(plot, "draw", lambda comparison, kind: plot.KINDS["posterior"](comparison))  # quick
    code, _, err = run(*asked, "--plots", "figs", "--all")
    assert (code, err) == (0, "")
    kinds = ["forest", "next_task", "posterior", "sensitivity", "simplex", "tasks"]
    together = ["critical-difference", "leaderboard", "models-by-tasks", "ranks", "verdicts"]
    assert names(tmp_path / "figs") == sorted(
        [f"overall-{pair}-{kind}.png" for pair in ("01-new-vs-base", "02-tuned-vs-base") for kind in kinds]
        + [f"{name}.png" for name in together]
    )


def test_plots_of_one_number_per_task(run, tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(0.8, 0.05, (12, 2)).round(4)
    rows = "\n".join(f"task{i},{a},{b}" for i, (a, b) in enumerate(x))
    (tmp_path / "means.csv").write_text(f"task,forest,svm\n{rows}\n")
    assert run("compare", "means.csv", "--plots", "figs", "--all")[0] == 0
    kinds = ["differences", "hdi", "posterior", "sensitivity"]
    assert names(tmp_path / "figs") == [f"overall-forest-vs-svm-{kind}.png" for kind in kinds]


def test_wide_scores_with_a_reference(run, tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(50, 3)) + np.array([0.0, 2.0, -0.2])
    rows = "\n".join(f"{i},{a:.4f},{b:.4f},{c:.4f}" for i, (a, b, c) in enumerate(x))
    (tmp_path / "scores.csv").write_text(f"id,base,new,tuned\n{rows}\n")
    code, out, _ = run("compare", "scores.csv", "--reference", "base")
    assert code == 0
    assert "new is better than base; undecided: tuned." in out


def test_counts_of_p1(run, tmp_path: Path, table_1: dict[str, tuple[int, int, int, int]]) -> None:
    counts_of_table_1(tmp_path, table_1)
    code, out, _ = run("compare", "counts.csv", "--json")
    assert code == 0
    verdicts = {c["task"]: c["verdict"] for c in json.loads(out)["comparisons"]}
    assert verdicts.pop("tr-en") == "worse"
    assert set(verdicts.values()) == {"undecided"}


def test_costs(run, tmp_path: Path) -> None:
    a, b = predictions(tmp_path, "forest", 0.9), predictions(tmp_path, "svm", 0.6)
    code, out, _ = run("compare", a, b, "--cost", "cat:dog=5", "--cost", "dog:cat=1", "--json")
    assert code == 0
    assert json.loads(out)["comparisons"][0]["method"] == "t"
    code, _, err = run("compare", a, b, "--cost", "cat-dog")
    assert code == 3
    assert "TRUE:PREDICTED=COST" in err
    assert '" is not valid' in err


def test_bad_data_writes_nothing(run, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("id,a,b\n1,0.5,x\n2,0.5,0.6\n")
    code, out, err = run("compare", "bad.csv", "--html", "r.html", "--plots", "figs")
    assert (code, out) == (4, "")
    assert "bad.csv" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.csv"]
