"""Reports as data frames, files of tables, and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError
from ropewalk.results.report import Report


@pytest.fixture(scope="module")
def source() -> dict[str, dict[str, list[float]]]:
    """Three data sets, three models; one has a name that Excel would take for a formula."""
    rng = np.random.default_rng(0)
    return {
        f"d_{i}": {
            m: rng.normal(0.8 + 0.01 * j, 0.02, n).tolist() for j, m in enumerate(("svm", "tree", "=x"))
        }
        for i, n in enumerate((11, 21, 15))
    }


@pytest.fixture(scope="module")
def report(source: dict[str, dict[str, list[float]]]) -> Report:
    return rw.compare(source, rope=0.01, higher_is_better=True)


def test_one_row_for_each_comparison(report: Report) -> None:
    frame = report.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["level"].tolist() == ["overall"] * 3 + ["task"] * 9
    for (_, row), c in zip(frame.iterrows(), [*report.overall, *report.comparisons], strict=True):
        assert (row["a"], row["b"], row["verdict"]) == (c.a, c.b, c.verdict.name)
        assert (row["low"], row["high"]) == (c.estimate.low, c.estimate.high)
        assert row["p_a_better"] + row["p_equivalent"] + row["p_b_better"] == pytest.approx(1)
        assert row["advantage"] == pytest.approx(row["score_a"] - row["score_b"])


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_every_backend(report: Report, backend: str) -> None:
    for frame in (report.to_frame, report.models_frame, report.scores_frame):
        assert type(frame(backend=backend)).__module__.partition(".")[0] == backend
    assert report.models_frame(backend="pandas")["model"].tolist() == [m.name for m in report.models]


def test_an_unknown_backend(report: Report) -> None:
    with pytest.raises(OptionError, match='no backend "panda"') as caught:
        report.to_frame(backend="panda")
    assert 'Did you mean "pandas"?' in str(caught.value)


def test_scores_means_and_ranks(report: Report, source: dict[str, dict[str, list[float]]]) -> None:
    """Against pandas: the means of the lists, and their ranks."""
    frame = report.scores_frame().set_index("data set")
    expected = pd.DataFrame({d: {m: np.mean(x) for m, x in by.items()} for d, by in source.items()}).T
    pd.testing.assert_frame_equal(frame.iloc[:3], expected, check_names=False)
    np.testing.assert_allclose(frame.loc["mean"], expected.mean())
    np.testing.assert_allclose(frame.loc["mean rank"], expected.rank(axis=1, ascending=False).mean())


def test_a_model_with_gaps_and_a_metric_that_is_better_when_lower(
    source: dict[str, dict[str, list[float]]],
) -> None:
    gaps = {d: {m: x for m, x in by.items() if (d, m) != ("d_1", "tree")} for d, by in source.items()}
    report = rw.compare(gaps, rope=0.01, higher_is_better=False)
    frame = report.scores_frame().set_index("data set")
    assert np.isnan(frame.loc["d_1", "tree"])
    both = frame.loc[["d_0", "d_2"]]
    np.testing.assert_allclose(frame.loc["mean"], both.mean())
    np.testing.assert_allclose(frame.loc["mean rank"], both.rank(axis=1).mean())
    latex = report.scores_latex(digits=2)
    assert "lower is better" in latex
    assert "2 data sets with results from all models" in latex
    assert "d\\_1" in latex
    assert " -- &" in latex
    best = both.loc["d_0"].min()
    assert rf"\textbf{{{best:.2f}}}" in latex


def test_the_best_of_each_row_is_bold(report: Report) -> None:
    rows = [line for line in report.scores_latex().splitlines() if " & " in line][1:]
    assert len(rows) == 5
    assert all(row.count(r"\textbf") == 1 for row in rows)
    assert rows[0].strip().startswith(r"d\_0 & ")


def test_one_data_set_has_no_table_of_scores() -> None:
    one = rw.compare({"a": [0.1, 0.3, 0.2, 0.7], "b": [0.2, 0.1, 0.4, 0.3]}, rope=0.1)
    with pytest.raises(OptionError, match="no scores by data set"):
        one.scores_frame()


def test_other_sources_have_it_too() -> None:
    counts = pd.DataFrame({"task": ["p", "q"], "n00": [1, 2], "n01": [3, 1], "n10": [2, 2], "n11": [4, 5]})
    assert rw.compare(counts, rope=0.1).scores_frame().iloc[0, 1:].tolist() == [0.6, 0.7]
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    predictions = pd.DataFrame({"id": range(200), "task": ["p"] * 100 + ["q"] * 100, "truth": y})
    for model, share in (("a", 0.9), ("b", 0.6)):
        predictions[model] = np.where(rng.random(200) < share, y, 1 - y)
    frame = rw.compare(predictions, metric="f1", truth="truth", rope=0.01).scores_frame()
    part = predictions[predictions["task"] == "p"]
    assert frame.loc[0, "a"] == rw.metrics.METRICS["f1"].value(part["truth"], part["a"])


def test_files(report: Report, tmp_path: Path) -> None:
    again = pd.read_csv(report.save(tmp_path / "r.csv"))
    pd.testing.assert_frame_equal(again, report.to_frame(), check_dtype=False)
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(report.save(tmp_path / "r.xlsx"))
    assert book.sheetnames == ["comparisons", "models", "scores"]
    assert [c.value for c in book["scores"][1]] == ["data set", "svm", "tree", "=x"]
    assert book["scores"]["D1"].data_type == "s"  # a name, not a formula


def test_figures(report: Report) -> None:
    from matplotlib.figure import Figure

    assert isinstance(report.plot(style="paper"), Figure)
    figure = Figure(figsize=(6, 4))
    axes = figure.add_subplot()
    assert report.comparisons[0].plot(ax=axes) is figure
    assert axes.lines
    assert rw.plot.caption(report.comparisons[0]).startswith("Posterior of the advantage of svm over tree (")
    assert all(rw.plot.caption(report.overall[0], kind) for kind in rw.plot.KINDS)


def test_a_comparison_is_one_short_line(report: Report) -> None:
    text = repr(report.comparisons[0])
    assert text.startswith("<svm - tree on d_0: ")
    assert len(text) < 100
