"""Results -> columns -> data frames, CSV and Excel files, and the table of scores for LaTeX."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.errors import MissingExtraError, OptionError, did_you_mean, short

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison
    from ropewalk.results.report import Report
    from ropewalk.results.task_table import TaskTable

Columns = dict[str, list[Any]]

BACKENDS = ("pandas", "polars", "pyarrow")
_FORMULA = re.compile(r"\s*[-=+@].*[(|!]")
MEAN, RANK = "mean", "mean rank"  # the last rows of the table of scores


def comparisons(report: Report) -> Columns:
    """Return one row for each pair over all tasks, over each group and on each task."""
    levels: list[tuple[str, str | None, Iterable[Comparison]]] = [("overall", None, report.overall)]
    levels += [("group", name, found) for name, found in report.groups.items()]
    levels.append(("task", None, report.comparisons))
    rows = [_row(level, group, c) for level, group, found in levels for c in found]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}


def _row(level: str, group: str | None, c: Comparison) -> dict[str, Any]:
    test = c.classical[0] if c.classical else None
    return {
        "level": level,
        "task": group or c.task,
        "a": c.a,
        "b": c.b,
        "metric": c.metric,
        "n": c.n,
        "unit": c.unit,
        "score_a": float(c.evidence.mean_a),
        "score_b": float(c.evidence.mean_b),
        "advantage": float(c.advantage),
        "estimate": c.estimate.name,
        "mean": float(c.estimate.mean),
        "low": float(c.estimate.low),
        "high": float(c.estimate.high),
        "rope_low": float(c.rope.low),
        "rope_high": float(c.rope.high),
        "p_a_better": float(c.verdict.better),
        "p_equivalent": float(c.verdict.equivalent),
        "p_b_better": float(c.verdict.worse),
        "verdict": c.verdict.name,
        "winner": c.winner,
        "asks": c.asks,
        "method": c.method,
        "effect": c.effect.name,
        "effect_size": float(c.effect.value),
        "test": None if test is None else test.name,
        "p_value": None if test is None else float(test.p_value),
    }


def models(report: Report) -> Columns:
    """Return one row for each model, the best first."""
    return {
        "model": [m.name for m in report.models],
        "mean": [m.mean for m in report.models],
        "low": [m.low for m in report.models],
        "high": [m.high for m in report.models],
        "p_best": [m.p_best for m in report.models],
        "p_within_rope": [m.p_within_rope for m in report.models],
        "rank_low": [None if m.rank is None else m.rank[0] for m in report.models],
        "rank_high": [None if m.rank is None else m.rank[1] for m in report.models],
        "practically_best": [m.practically_best for m in report.models],
    }


def scores(report: Report) -> Columns:
    """Return one row for each data set and a column for each model; then the means and the mean ranks."""
    table = _table(report)
    rows = np.vstack([table.values, table.mean, table.mean_rank])
    first = "data set" + " " * ("data set" in table.models)  # not the name of a model
    names: Columns = {first: [*table.tasks, MEAN, RANK]}
    return names | {m: rows[:, k].tolist() for k, m in enumerate(table.models)}


def _table(report: Report) -> TaskTable:
    if report.by_task is None:
        raise OptionError(
            "this report has no scores by data set",
            hint="Compare the models on several data sets (a `task` column).",
        )
    return report.by_task


def frame(columns: Columns, backend: str | None) -> Any:
    """Return the columns as a data frame of the given backend, or of the first one installed."""
    import narwhals as nw

    if backend is not None and backend not in BACKENDS:
        raise OptionError(f'there is no backend "{short(backend)}"', hint=did_you_mean(backend, BACKENDS))
    for name in BACKENDS if backend is None else (backend,):
        try:
            return nw.from_dict(columns, backend=name).to_native()  # type: ignore[arg-type]
        except ImportError:
            continue
    raise MissingExtraError(
        f"{backend or 'neither pandas, polars nor pyarrow'} is {'not ' if backend else ''}installed",
        hint=f"pip install {backend or 'pandas'}",
    )


def to_csv(columns: Columns) -> str:
    """Return the columns as a CSV file; missing values are empty cells."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_harmless, columns))
    writer.writerows(map(_harmless, _plain(row)) for row in zip(*columns.values(), strict=True))
    return out.getvalue()


def _harmless(cell: Any) -> Any:
    """Neutralize control characters, and text that a spreadsheet would read as a formula.

    A leading apostrophe makes the cell text, as in a spreadsheet. Only a formula that calls something can do
    harm, so `+augmented` is left alone.
    """
    if not isinstance(cell, str):
        return cell
    if not cell.isprintable():
        cell = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cell)
    return f"'{cell}" if _FORMULA.match(cell) else cell


def to_xlsx(report: Report) -> bytes:
    """Return a workbook with the sheets comparisons, models and, over data sets, scores."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise MissingExtraError(
            "Excel files need openpyxl, which is not installed", hint="pip install 'ropewalk[excel]'"
        ) from None
    book = Workbook(write_only=True)
    sheets = {"comparisons": comparisons(report), "models": models(report)}
    if report.by_task is not None:
        sheets["scores"] = scores(report)
    for title, columns in sheets.items():
        sheet = book.create_sheet(title)
        sheet.append([_cell(sheet, name) for name in columns])
        for row in zip(*columns.values(), strict=True):
            sheet.append([_cell(sheet, value) for value in _plain(row)])
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _plain(row: Iterable[Any]) -> list[Any]:
    return [None if isinstance(v, float) and np.isnan(v) else v for v in row]


def _cell(sheet: Any, value: Any) -> Any:
    """Return a name as text, even if Excel would read it as a formula, without control characters."""
    if not isinstance(value, str):
        return value
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value="".join(c for c in value if c.isprintable()))
    cell.data_type = "s"
    return cell


def scores_latex(report: Report, *, digits: int = 3) -> str:
    """Return the scores of each model on each data set, the best in bold, with means and mean ranks."""
    from ropewalk.report.latex import escape

    table = _table(report)
    body = [
        _latex_row(escape(task), row, table.best[i], digits)
        for i, (task, row) in enumerate(zip(table.tasks, table.values, strict=True))
    ]
    ends = []
    for label, values, top in ((MEAN, table.mean, table.higher_is_better), (RANK, table.mean_rank, False)):
        best = values == (np.max(values) if top else np.min(values))
        ends.append(_latex_row(label, values, best, 2 if label == RANK else digits))
    head = " & ".join(["data set", *map(escape, table.models)])
    way = "higher" if table.higher_is_better else "lower"
    left_out = int(np.sum(~table.complete))
    gaps = f" Means and ranks cover the {len(table.tasks) - left_out} data sets with results from all models."
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            f"  \\caption{{{escape(report.metric)} on {len(table.tasks)} data sets ({way} is better); "
            f"the best of each row in bold.{gaps if left_out else ''}}}",
            r"  \label{tab:scores}",
            f"  \\begin{{tabular}}{{l{'r' * len(table.models)}}}",
            r"    \toprule",
            f"    {head} \\\\",
            r"    \midrule",
            *body,
            r"    \midrule",
            *ends,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_row(label: str, values: Any, best: Any, digits: int) -> str:
    shown = ["--" if np.isnan(v) else f"{v:.{digits}f}".replace("-", "$-$") for v in values]
    cells = [rf"\textbf{{{text}}}" if top else text for text, top in zip(shown, best, strict=True)]
    start = "{}" if label.startswith(("[", "*")) else ""  # TeX would read it as an option of the previous row
    return f"    {start}{label} & {' & '.join(cells)} \\\\"
