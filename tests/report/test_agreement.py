"""Every number and every verdict that a report gives twice is the same in all of its outputs.

The JSON document is the reference. Text, Markdown, LaTeX, the data of the page, the frames and the plots are
rendered from the same report, read back, and compared with it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import ropewalk as rw
from ropewalk import plot
from ropewalk.questions import ASKS
from ropewalk.report.html import data as page
from ropewalk.results.formatting import span, three_shares

Rows = list[list[str]]
SIGNS = {">": "better", "<": "worse", "=": "equivalent", "?": "undecided"}
SWAPPED = {"better": "worse", "worse": "better"}
GAIN = {"a": 0.06, "b": 0.0, "c": -0.05, "d": 0.005}


def examples(models: str, tasks: int, n: int, *, graded: bool = False, seeds: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = []
    for t in range(tasks):
        hard, lean = rng.normal(size=n), 0.03 * rng.normal()
        for m in models:
            for s in range(seeds or 1):
                level = 0.75 + GAIN[m] + lean * (m == "a")
                p = np.clip(level + 0.1 * hard + 0.05 * rng.normal(size=n), 0, 1)
                score = np.round(p, 4) if graded else (rng.random(n) < p).astype(int)
                rows += [(m, f"t{t}", f"seed{s}", f"t{t}-{i}", x) for i, x in enumerate(score)]
    frame = pd.DataFrame(rows, columns=["model", "task", "seed", "id", "accuracy"])
    frame = frame if seeds else frame.drop(columns="seed")
    return frame if tasks > 1 else frame.drop(columns="task")


def outliers(models: str) -> pd.DataFrame:
    """Every model fails on a task of its own: observed means and posterior means differ."""
    frame = folds(models, 9)
    far = {"a": "t0", "b": "t1", "c": "t2"}
    frame.loc[frame["task"] == frame["model"].map(far), "accuracy"] -= 0.4
    frame.loc[(frame["model"] == "b") & (frame["task"] == "t3"), "accuracy"] -= 0.4
    return frame


def folds(models: str, tasks: int) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    rows = [
        (m, f"t{t}", f, 0.8 + GAIN[m] + 0.02 * rng.normal())
        for t in range(tasks)
        for m in models
        for f in range(10)
    ]
    frame = pd.DataFrame(rows, columns=["model", "task", "fold", "accuracy"])
    return frame if tasks > 1 else frame.drop(columns="task")


def numbers(models: str, tasks: int) -> pd.DataFrame:
    return folds(models, tasks).groupby(["model", "task"])["accuracy"].mean().reset_index()


def ranked(models: str) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 120)
    said = {m: np.round(y * (0.6 + 6 * GAIN[m]) + rng.normal(size=120), 3) for m in models}
    return pd.DataFrame({"id": range(120), "truth": y, **said})


DESIGNS: dict[str, Callable[[], rw.Report]] = {
    "right or wrong": lambda: rw.compare(examples("ab", 1, 400)),
    "graded": lambda: rw.compare(examples("ab", 1, 120, graded=True)),
    "folds": lambda: rw.compare(folds("ab", 1)),
    "right or wrong over tasks": lambda: rw.compare(examples("ab", 5, 200)),
    "folds over tasks": lambda: rw.compare(folds("ab", 5)),
    "one number per task": lambda: rw.compare(numbers("ab", 9)),
    "models": lambda: rw.compare(examples("abcd", 1, 300)),
    "models, right or wrong over tasks": lambda: rw.compare(examples("abc", 6, 200)),
    "models, folds over tasks": lambda: rw.compare(folds("abcd", 6)),
    "models, outlying tasks": lambda: rw.compare(outliers("abc")),
    "models, one number per task": lambda: rw.compare(numbers("abcd", 12)),
    "training runs": lambda: rw.compare(examples("abc", 1, 60, graded=True, seeds=3)),
    "set metric": lambda: rw.compare(ranked("abc"), metric="auroc", model=["a", "b", "c"]),
    "these": lambda: rw.compare(folds("abc", 6), question="these"),
    "next": lambda: rw.compare(folds("abc", 6), question="next"),
    "likeliest": lambda: rw.compare(numbers("abc", 12), question="likeliest"),
}


@pytest.fixture(scope="module", params=DESIGNS)
def report(request: pytest.FixtureRequest) -> rw.Report:
    return made(request.param)


@cache
def made(name: str) -> rw.Report:
    return DESIGNS[name]()


@cache
def reference(report: rw.Report) -> dict[str, Any]:
    return dict(json.loads(report.to_json()))


def answers(report: rw.Report) -> list[dict[str, Any]]:
    content = reference(report)
    return content["overall"] or content["comparisons"]


@cache
def text_of(report: rw.Report) -> str:
    return report.to_text(width=400)


@cache
def markdown_of(report: rw.Report) -> str:
    return report.to_markdown()


@cache
def latex_of(report: rw.Report) -> str:
    return report.to_latex()


@cache
def page_of(report: rw.Report) -> dict[str, Any]:
    return page.of(report)


# --- reading the outputs back --------------------------------------------------------------------------


def in_text(report: rw.Report) -> list[Rows]:
    lines, found = text_of(report).splitlines(), []
    for i, line in enumerate(lines):
        if set(line.strip()) == {"─"}:
            end = next(k for k in range(i, len(lines)) if not lines[k].strip())
            top = next(k for k in range(i - 1, -1, -1) if not lines[k].strip())
            head = " ".join(line.strip() for line in lines[top + 1 : i])  # of the first column, folded
            found.append([re.split(r"\s{2,}", row.strip()) for row in [head, *lines[i + 1 : end]]])
    return found


def in_markdown(report: rw.Report) -> list[Rows]:
    found: list[Rows] = []
    inside = False
    for line in markdown_of(report).splitlines():
        row = [unescape(cell).strip().replace("\\", "") for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif not inside:
            inside = True
            found.append([row])
        elif not set("".join(row)) <= set("-: "):
            found[-1].append(row)
    return found


def in_latex(report: rw.Report) -> list[Rows]:
    found = []
    for body in re.findall(r"\\begin\{tabular\}\{\w+\}(.*?)\\end\{tabular\}", latex_of(report), re.S):
        rows = [line.strip().removesuffix(r"\\") for line in body.splitlines() if line.endswith(r"\\")]
        found.append([[_plain(cell) for cell in row.split(" & ")] for row in rows])
    return found


def verdict(c: dict[str, Any]) -> str:
    """The verdict as a table names it."""
    return {"better": f"{c['a']} better", "worse": f"{c['b']} better"}.get(c["verdict"], c["verdict"])


def _plain(cell: str) -> str:
    for tex, sign in {r"\textless{}": "<", r"\textgreater{}": ">", "$-$": "-", "{}": "", r"\_": "_"}.items():
        cell = cell.replace(tex, sign)
    return cell.strip()


FORMS = {"text": in_text, "Markdown": in_markdown, "LaTeX": in_latex}


def headed(tables: list[Rows], start: str) -> list[Rows]:
    return [table for table in tables if table[0][0].startswith(start)]


def says(cell: str, p: float) -> bool:
    """Whether a cell gives this probability, as precisely as it does."""
    if cell.startswith("<"):
        return p <= float(cell[1:])
    if cell.startswith(">"):
        return p >= float(cell[1:])
    return abs(float(cell) - p) <= 0.5 * 10.0 ** -len(cell.partition(".")[2]) + 1e-9


# --- what must agree -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.few(5)
def test_pairs(report: rw.Report, form: str) -> None:
    found = answers(report)
    tables = FORMS[form](report)
    about = "" if report.asks is None else f", {ASKS[report.asks].short}"
    if len(found) == 1:
        (c,) = found
        if form == "text":
            bars = re.findall(r"^  \S.*?[█░]+\s+(\d\.\d{3})$", text_of(report), re.M)
        elif form == "Markdown":
            bars = re.findall(
                r"(\d\.\d{3})", "\n".join(markdown_of(report).split("Verdict: ")[0].splitlines()[-8:])
            )
            bars = bars[-3:]
        else:
            (table,) = [t for t in tables if t[0][0] == f"region{about}"]
            bars = [row[1] for row in table[1:]]
        assert all(says(x, p) for x, p in zip(bars, c["probability"].values(), strict=True)), bars
        return
    (table,) = headed(tables, "pair")
    assert table[0][0] == f"pair{about}"
    assert len(table) - 1 == len(found)
    for row, c in zip(table[1:], found, strict=True):
        assert row[0] == f"{c['a']} - {c['b']}"
        assert all(says(cell, p) for cell, p in zip(row[2:5], c["probability"].values(), strict=True)), row
        assert row[5] == verdict(c)
        assert_advantage(table[0][1], row[1], c)


def assert_advantage(name: str, cell: str, c: dict[str, Any]) -> None:
    """The mean of the posterior that the probabilities come from; anything else is called observed."""
    size = c["estimate"]["mean"] if name == "advantage" else c["observed"]
    assert name == ("observed" if c["estimate"]["name"].startswith("probability") else "advantage")
    assert says(cell, size)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.few(10)
def test_the_signed_rank_test_stands_next_to_the_means_under_its_own_heads(
    report: rw.Report, form: str
) -> None:
    """One number per task and several models: the document has the reading, every output a table of it."""
    found = [c for c in answers(report) if "by" in (c.get("readings") or {}).get("likeliest", {})]
    found = [c for c in found if c["readings"]["likeliest"]["by"] != c["method"]]
    tables = headed(FORMS[form](report), "likeliest on a new task, by the Bayesian signed-rank test")
    if len(found) < 2:
        assert not tables
        return
    (table,) = tables
    (main,) = headed(FORMS[form](report), "pair")
    assert not set(table[0][:4]) & set(main[0])
    for row, c in zip(table[1:], found, strict=True):
        p = c["readings"]["likeliest"]["probability"]
        assert row[0] == f"{c['a']} - {c['b']}"
        assert all(says(cell, x) for cell, x in zip(row[1:4], p.values(), strict=True)), row
        name = next((region for region, x in p.items() if x >= report.threshold), "undecided")
        assert row[4] == verdict(c | {"verdict": name})


@pytest.mark.parametrize("form", FORMS)
def test_the_matrix_has_the_verdicts_of_the_pairs(report: rw.Report, form: str) -> None:
    tables = headed(FORMS[form](report), "row >")
    if len(report.models) < 3:
        assert not tables
        return
    (table,) = tables
    verdicts = {(c["a"], c["b"]): c["verdict"] for c in answers(report)}
    verdicts |= {(b, a): SWAPPED.get(v, v) for (a, b), v in verdicts.items()}
    names = [row[0].split()[1] for row in table[1:]]
    assert names == [m["name"] for m in reference(report)["models"]]
    for name, row in zip(names, table[1:], strict=True):
        signs = [cell for cell in row[1:] if cell]
        others = [m for m in names if m != name]
        assert [SIGNS[sign] for sign in signs] == [verdicts[name, other] for other in others]


@pytest.mark.parametrize("form", FORMS)
def test_the_leaderboard(report: rw.Report, form: str) -> None:
    tables = headed(FORMS[form](report), "model")
    models = reference(report)["models"]
    if not tables:
        assert len(models) == 2
        return
    (table,) = tables
    for row, m in zip(table[1:], models, strict=True):
        low, high = m["interval"]
        assert row[0].removesuffix(" *").strip() == m["name"]
        assert says(row[1], m["mean"])
        assert all(says(x, v) for x, v in zip(row[2].split(" to "), (low, high), strict=True))
        assert row[0].endswith("*") == bool(m["practically_best"])
        if m["p_best"] is not None:
            assert says(row[3], m["p_best"])
            assert says(row[4], m["p_within_rope"])
            assert [int(x) for x in re.findall(r"\d+", row[5])] == sorted(set(m["rank"]))


@pytest.mark.parametrize("form", FORMS)
def test_task_counts(report: rw.Report, form: str) -> None:
    content = reference(report)
    for c in content["overall"] if content["comparisons"] else []:
        own = [k["verdict"] for k in content["comparisons"] if (k["a"], k["b"]) == (c["a"], c["b"])]
        count = Counter(own)
        if len(content["overall"]) == 1:
            names = {v: verdict(c | {"verdict": v}) for v in ("better", "equivalent", "worse", "undecided")}
            said = ", ".join(f"{name} on {count[v]}" for v, name in names.items())
            text = text_of(report) if form == "text" else markdown_of(report)
            assert said in text
            continue
        (table,) = headed(FORMS[form](report), "on each of")
        (row,) = [r for r in table[1:] if r[0] == f"{c['a']} - {c['b']}"]
        assert [int(x) for x in row[1:]] == [count[v] for v in ("better", "equivalent", "worse", "undecided")]


@pytest.mark.few(5)
def test_the_headline_and_the_question_are_the_same_everywhere(report: rw.Report) -> None:
    carried = page_of(report)
    title = carried["headline"]
    text, markdown, latex = text_of(report), markdown_of(report), latex_of(report)
    html = unescape(report.to_html())
    assert title in text
    assert title in markdown.replace("\\", "")
    assert title in _plain(latex)
    assert title in html
    asks = reference(report)["asks"]
    assert asks == report.asks == (carried["asks"] or {}).get("name")
    line = "" if asks is None else f"Question ({asks}): {ASKS[asks].asks}?"
    for form in (text, markdown, latex, html):
        assert line in form
    assert {c.get("asks") for c in answers(report)} == {asks}
    assert all("asks" not in c for c in reference(report)["comparisons"])


@pytest.mark.few(6)
def test_the_page_carries_the_same_numbers(report: rw.Report) -> None:
    carried, content = page_of(report), reference(report)
    text, names = carried["strings"], [m["name"] for m in carried["models"]]
    for mine, c in zip(carried["pairs"], answers(report), strict=True):
        assert (names[mine["a"]], names[mine["b"]]) == (c["a"], c["b"])
        assert mine["p"] == pytest.approx(list(c["probability"].values()), abs=1e-6)
        assert text[mine["v"]] == c["verdict"]
        assert mine["adv"] == pytest.approx(c["observed"], rel=1e-5)
        assert mine["est"][1:] == pytest.approx([c["estimate"]["mean"], *c["estimate"]["hdi"]], rel=1e-5)
    if carried["board"] is not None:
        for mine, m in zip(carried["board"]["rows"], content["models"], strict=True):
            assert names[mine["i"]] == m["name"]
            assert [mine["mean"], mine["low"], mine["high"]] == pytest.approx(
                [m["mean"], *m["interval"]], rel=1e-5
            )
            assert (mine["best"], mine["rank"]) == (pytest.approx(m["p_best"], abs=1e-6), m["rank"])
    for pair, own in zip(content["overall"], carried["each"], strict=bool(carried["each"])):
        found = [c for c in content["comparisons"] if (c["a"], c["b"]) == (pair["a"], pair["b"])]
        said = own["rows"].get("v", [own["same"].get("v")] * own["count"])
        assert [text[v] for v in said] == [c["verdict"] for c in found]
    if content["overall"] and content["comparisons"]:
        assert sum(own["count"] for own in carried["each"]) == len(content["comparisons"])


def test_the_frames_carry_the_same_numbers(report: rw.Report) -> None:
    content, frame = reference(report), report.to_frame(backend="pyarrow").to_pylist()
    for level, name in (("overall", "overall"), ("task", "comparisons")):
        rows = [row for row in frame if row["level"] == level]
        for row, c in zip(rows, content[name], strict=True):
            assert [row["a"], row["b"], row["verdict"], row["method"]] == [
                c["a"], c["b"], c["verdict"], c["method"]
            ]  # fmt: skip
            assert row["winner"] == c["winner"]
            assert row["asks"] == c.get("asks")
            assert row["advantage"] == c["observed"]
            numbers = [row[k] for k in ("p_a_better", "p_equivalent", "p_b_better", "mean", "low", "high")]
            estimate = [c["estimate"]["mean"], *c["estimate"]["hdi"]]
            assert numbers == [*c["probability"].values(), *estimate]
    models = report.models_frame(backend="pyarrow").to_pylist()
    for row, m in zip(models, content["models"], strict=True):
        assert (row["model"], row["mean"], [row["low"], row["high"]]) == (m["name"], m["mean"], m["interval"])
        assert m["p_best"] is None or row["p_best"] == m["p_best"]


def test_the_leaderboard_matrix_of_the_document_is_that_of_the_pairs(report: rw.Report) -> None:
    board = reference(report).get("leaderboard")
    if board is None:
        return
    at = {name: i for i, name in enumerate(board["models"])}
    for c in answers(report):
        i, j = at[c["a"]], at[c["b"]]
        found = [board["pairs"][name][i][j] for name in ("better", "equivalent", "worse")]
        assert found == pytest.approx(list(c["probability"].values()), abs=1e-4)


def test_sentences_and_counts(report: rw.Report) -> None:
    found = answers(report)
    decided = sum(c["verdict"] != "undecided" for c in found)
    if len(found) > 1:
        count = f"{decided or 'none'} of the {len(found)} pairs {'is' if decided < 2 else 'are'} decided"
        assert count in report.results_text()
        settled = re.search(r"(\d+) of (\d+) verdicts can be claimed", text_of(report))
        assert settled is not None
        assert int(settled[2]) == decided
        assert int(settled[1]) == report.together.settled <= decided
    said = re.search(r"(\d+) of (\d+) pairs decided", text_of(report))
    if said is not None:
        assert (int(said[1]), int(said[2])) == (decided, len(found))


# --- plots ---------------------------------------------------------------------------------------------


def words(figure: Any) -> list[str]:
    return [" ".join(t.get_text().split()) for t in figure.findobj(Text) if t.get_text().strip()]


@pytest.mark.few(6)
def test_plots_of_the_first_pair(report: rw.Report) -> None:
    c, said = (report.overall or report.comparisons)[0], answers(report)[0]
    three = set(three_shares([*said["probability"].values()]))
    about = "" if c.asks is None else ASKS[c.asks].short
    for kind in plot.kinds(c):
        found = words(plot.draw(c, kind))
        if kind in ("posterior", "forest", "tasks"):
            assert three <= set(found), (kind, found)
            assert any(about in text for text in found), (kind, found)
        if kind == "sensitivity":
            assert any(about in text for text in found), (kind, found)
        if kind == "posterior" and not hasattr(c.posterior, "most_probable"):
            ends = span(*said["estimate"]["hdi"], signed=c.rope.scale == "score")
            assert any(ends in text for text in found), (kind, ends, found)


@pytest.mark.few(4)
def test_plots_of_all_models(report: rw.Report) -> None:
    board, models = report.board, reference(report)["models"]
    if board is None or len(models) < 3:
        return
    names = [m["name"] for m in models]
    for figure in (board.plot(report.metric), board.plot_verdicts(), board.plot_ranks()):
        found = [text for text in words(figure) if text in names]
        assert list(dict.fromkeys(found)) == names
        assert report.asks is None or any(ASKS[report.asks].short in text for text in words(figure))
    undecided = sum(c["verdict"] == "undecided" for c in answers(report))
    said = re.search(r"(\d+) of (\d+) pairs undecided", " ".join(words(board.plot_verdicts())))
    assert (0 if said is None else int(said[1])) == undecided
    lows, highs = board.intervals().T
    at = {name: i for i, name in enumerate(board.names)}
    for m in models:
        assert [lows[at[m["name"]]], highs[at[m["name"]]]] == pytest.approx(m["interval"], rel=1e-6)
    assert [board.names[i] for i in board.order] == names
