"""ropewalk compare: files -> verdicts."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ropewalk.cli.columns import columns, dependence, question, task_weights
from ropewalk.cli.figures import draw_all, plot_options
from ropewalk.cli.paths import command_from_here, from_here, verbose_option
from ropewalk.cli.show import progress, show
from ropewalk.cli.streams import say
from ropewalk.errors import OptionError

if TYPE_CHECKING:
    from ropewalk.results import Report


_SLOW = 3  # more pairs over many tasks than this take the page a while


@click.command()
@click.argument("files", nargs=-1, metavar="FILES...")
@click.option(
    "--sql", "query", metavar="QUERY", help="Compare its rows; FILES: a DuckDB or SQLite file, or none."
)
@click.option("--reference", metavar="MODEL", help="Compare every other model with this one.")
@click.option(
    "--pair",
    "pairs",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Compare these two models; may be repeated.  [default: every pair]",
)
@click.option(
    "--rope", default="auto", show_default=True, metavar="X", help="0.01, -0.005,0.02, 0.1sd or auto."
)
@click.option(
    "--scale",
    type=click.Choice(["phi"]),
    help="Compare right and wrong answers by phi (Williams 2026).  [default: by accuracy]",
)
@click.option("--threshold", type=float, default=0.95, show_default=True, help="Probability a verdict needs.")
@click.option("--loss", metavar="LOSS", help="zero_one, log, brier, squared or absolute.")
@click.option(
    "--cost", multiple=True, metavar="TRUE:PREDICTED=COST", help="Cost of a mistake; may be repeated."
)
@click.option(
    "--metric",
    metavar="METRIC",
    help="Metric of the whole test set (see `ropewalk metrics`), or one that the data hold.",
)
@click.option(
    "--calibrate", type=click.Choice(["platt", "isotonic"]), help="Turn scores into probabilities first."
)
@click.option("--threshold-at-fpr", "fpr", type=float, metavar="RATE", help="Cut scores at this FP rate.")
@click.option(
    "--cost-fp", type=float, metavar="COST", help="Cut scores to minimise costs: a false positive's,"
)
@click.option("--cost-fn", type=float, metavar="COST", help="and a false negative's.")
@click.option(
    "--calibration-split",
    "held_out",
    metavar="COLUMN=VALUE",
    help="Learn from these rows and compare the others; without it: cross-fitted.",
)
@question
@click.option("--method", default="auto", show_default=True, help="See 'ropewalk methods'.")
@dependence
@click.option(
    "--prior-sd",
    type=float,
    metavar="S",
    help="Spread of plausible differences in score units: a normal prior around 0.  [default: none]",
)
@click.option(
    "--censored",
    metavar="COLUMN",
    help="Column that marks runs which hit their limit. Cells such as >3600 say the same without it.",
)
@click.option("--rng", type=int, default=0, show_default=True, metavar="N", help="Random seed.")
@click.option(
    "--model",
    metavar="COLUMN",
    multiple=True,
    help="Column with the model's name; or several, one per model.",
)
@columns
@click.option(
    "--statistics",
    metavar="A,B,...",
    help="Columns that add up over segments (bleu, wer, ...; see `ropewalk metrics NAME`).",
)
@click.option("--labels", metavar="A,B,...", help="Further classes that the truth happens not to hold.")
@click.option("--positive", metavar="LABEL", help="The class that a single probability is of.")
@click.option("--in-place/--in-memory", default=None, help="Fetch sums only (else: where files are large).")
@click.option("--dask", metavar="ADDRESS", help="Sum on a Dask cluster, such as tcp://host:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print the JSON document and nothing else.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the report as a page.")
@click.option("--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write it as Markdown.")
@click.option("--latex", type=click.Path(path_type=Path), metavar="FILE", help="Write its tables for LaTeX.")
@plot_options
@verbose_option
def compare(
    files: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    markdown: Path | None,
    latex: Path | None,
    plots: Path | None,
    everything: bool,
    cost: tuple[str, ...],
    labels: str | None,
    statistics: str | None,
    held_out: str | None,
    model: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
    verbose: bool,
    **options: Any,
) -> None:
    """Compare models from their result files.

    One file per model (id and prediction; the truth in at least one of them), one file with the truth and a
    column per model, a table of scores (long: model, unit, score; or one column per model), or counts
    (n00, n01, n10, n11). CSV, TSV, Parquet or JSON lines.
    """
    import ropewalk

    options["weights"] = task_weights(options["weights"])
    if cost:
        options["loss"] = _costs(cost)
    if model:
        options["model"] = list(model) if len(model) > 1 else model[0]
    if pairs:
        options["pairs"] = list(pairs)
    if labels:
        options["labels"] = labels.split(",")
    if statistics:
        options["statistics"] = statistics.split(",")
    if held_out:
        column, equals, value = held_out.partition("=")
        if not equals:
            raise OptionError(f'"{held_out}" names no rows', hint="Write it as COLUMN=VALUE.")
        options["held_out"] = (column, value)
    if not files and options["query"] is None:
        raise click.UsageError("Missing argument 'FILES...'.")
    source: Any = list(files) if len(files) > 1 else files[0] if files else None
    report = ropewalk.compare(source, progress=progress("comparing"), **options)
    typed = command_from_here(click.get_current_context().find_root().obj, keep=verbose)
    report = replace(from_here(report, keep=verbose), command=typed)
    written = write_files(report, html, markdown, latex, plots, everything=everything)
    show(report, as_json=as_json)
    if written and not as_json:
        say(f"Wrote {written}.\n")


def write_files(
    report: Report,
    html: Path | None,
    markdown: Path | None,
    latex: Path | None,
    plots: Path | None,
    *,
    everything: bool,
) -> str:
    """Write the files of a report; what was written, in words.

    They are written first: if one cannot be, nothing has been printed that looks like success.
    """
    from ropewalk.disk import write

    written = [str(path) for path in (html, markdown, latex) if path]
    if html:
        if len(report.overall) > _SLOW and sys.stderr.isatty():
            say(f"writing {html}: up to half a second for each of {len(report.overall)} pairs", err=True)
        write(html, report.to_html())
    if markdown:
        write(markdown, report.to_markdown())
    if latex:
        write(latex, report.to_latex())
    if plots:
        written.append(draw_all(report, plots, everything=everything).text(plots))
    return ", ".join(written)


def _costs(given: tuple[str, ...]) -> dict[tuple[str, str], float]:
    costs = {}
    for text in given:
        pair, _, number = text.rpartition("=")
        true, colon, predicted = pair.partition(":")
        try:
            costs[true, predicted] = float(number)
        except ValueError:
            colon = ""
        if not colon:
            raise OptionError(f'the cost "{text}" is not understood', hint="Write it as TRUE:PREDICTED=COST.")
    return costs
