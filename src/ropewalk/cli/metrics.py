"""ropewalk metrics: input, direction and range of each metric of a whole test set."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ropewalk.metrics import Metric

_TAKES = {
    "labels": "labels (for probabilities, the most probable class)",
    "scores": "scores or probabilities of the positive class",
    "probabilities": "probabilities",
    "numbers": "numbers",
    "statistics": "columns of sufficient statistics: --statistics",
}


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the metrics as JSON.  [default: as a table]")
def metrics(name: str | None, as_json: bool) -> None:
    """List the metrics for --metric, with their direction and range.

    With NAME, show the definition of one metric.
    """
    from ropewalk.metrics import all_metrics, metric_for

    found = all_metrics() if name is None else {name: metric_for(name)}
    if as_json:
        click.echo(json.dumps([_described(n, m) for n, m in found.items()], indent=2))
    elif name is not None:
        _show(name, found[name])
    else:
        _list(found)


def _list(found: dict[str, Metric]) -> None:
    width = max(map(len, found)) + 2
    for takes, what in _TAKES.items():
        click.echo(f"\nFrom {what}")
        for name, metric in found.items():
            if metric.takes == takes:
                query = " (--cluster names the query)" if metric.grouped else ""
                columns = f"  {name:<{width}}{_better(metric):<8}{_range(metric):<12}"
                click.echo(f"{columns}{metric.name}{query}")
    click.echo(
        "\n  Numbers in names can be changed: ndcg@5, pinball@0.1, f0.5, top_3_accuracy.\n  `ropewalk "
        "metrics NAME` shows the definition of a metric."
    )


def _show(name: str, metric: Metric) -> None:
    click.echo(f"\n{name}: {metric.name}\n")
    rows = {"from": _TAKES[metric.takes], "better": _better(metric), "range": _range(metric)}
    if metric.columns:
        rows["columns"] = ", ".join(metric.columns)
    if metric.grouped:
        rows["query"] = "--cluster names the column of the query"
    for label, value in rows.items():
        click.echo(f"  {label:<9}{value}")
    for paragraph in metric.about.split("\n\n"):
        folded = textwrap.wrap(
            paragraph, 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        )
        click.echo("\n" + "\n".join(folded))


def _described(name: str, metric: Metric) -> dict[str, Any]:
    from ropewalk.metrics import ALIASES, METRICS

    low, high = (None if abs(edge) == float("inf") else edge for edge in metric.range)
    return {
        "name": name,
        "title": metric.name,
        "takes": metric.takes,
        "higher_is_better": metric.higher_is_better,
        "range": [low, high],
        "needs_query": metric.grouped,
        "columns": list(metric.columns),
        "aliases": [alias for alias, of in ALIASES.items() if METRICS[of] is metric],
        "definition": metric.about,
    }


def _better(metric: Metric) -> str:
    return "higher" if metric.higher_is_better else "lower"


def _range(metric: Metric) -> str:
    low, high = metric.range
    if high == float("inf"):
        return f"from {low:g}"
    return f"up to {high:g}" if low == -float("inf") else f"{low:g} to {high:g}"
