"""ropewalk compare: files -> verdicts."""

from __future__ import annotations

from typing import Any

import click

from ropewalk.cli.columns import columns, models, source_of, sql
from ropewalk.cli.paths import verbose_option
from ropewalk.cli.report_files import ReportFiles, deliver, report_files
from ropewalk.cli.shared_options import (
    as_json_option,
    dependence,
    loss_option,
    method_option,
    metric_option,
    question,
    rng_option,
    task_weights,
    verdict_options,
)
from ropewalk.cli.show import progress
from ropewalk.errors import OptionError


@click.command()
@click.argument("files", nargs=-1, metavar="FILES...")
@sql
@click.option(
    "--reference", metavar="MODEL", help="Compare every model only with this one.  [default: every pair]"
)
@click.option(
    "--pair",
    "pairs",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Compare only models A and B; can be repeated.  [default: every pair]",
)
@verdict_options
@loss_option
@click.option(
    "--cost",
    multiple=True,
    metavar="TRUE:PREDICTED=COST",
    help="Cost of predicting PREDICTED when TRUE is right; can be repeated.",
)
@metric_option
@click.option(
    "--calibrate",
    type=click.Choice(["platt", "isotonic"]),
    help="Calibrate scores into probabilities before comparing.  [default: no calibration]",
)
@click.option(
    "--threshold-at-fpr",
    "fpr",
    type=float,
    metavar="RATE",
    help="Turn scores into labels, at the threshold with this false-positive rate.  [default: no threshold]",
)
@click.option(
    "--cost-fp",
    type=float,
    metavar="COST",
    help="Cost of a false positive: turn scores into labels at the lowest cost (with --cost-fn).  "
    "[default: no threshold]",
)
@click.option(
    "--cost-fn",
    type=float,
    metavar="COST",
    help="Cost of a false negative: turn scores into labels at the lowest cost (with --cost-fp).  "
    "[default: no threshold]",
)
@click.option(
    "--calibration-split",
    "held_out",
    metavar="COLUMN=VALUE",
    help="Fit calibration or threshold on these rows and compare on the others.  [default: cross-fitting]",
)
@question
@method_option
@dependence
@click.option(
    "--prior-sd",
    type=float,
    metavar="S",
    help="Standard deviation of a normal prior on the difference, in score units.  [default: no such prior]",
)
@click.option(
    "--censored",
    metavar="COLUMN",
    help="Column that marks runs that hit their time limit. Cells such as >3600 work without it.",
)
@rng_option
@models
@columns
@click.option(
    "--statistics",
    metavar="A,B,...",
    help="Columns of sufficient statistics per segment, for metrics such as bleu and wer (see `ropewalk "
    "metrics NAME`).  [default: none]",
)
@click.option(
    "--in-place/--in-memory",
    default=None,
    help="Aggregate the data where they are, or load all rows.  [default: in place for large files]",
)
@click.option("--dask", metavar="ADDRESS", help="Aggregate on this Dask cluster, such as tcp://host:8786.")
@as_json_option
@report_files
@verbose_option
def compare(
    files: tuple[str, ...],
    as_json: bool,
    out: ReportFiles,
    cost: tuple[str, ...],
    statistics: str | None,
    held_out: str | None,
    pairs: tuple[tuple[str, str], ...],
    verbose: bool,
    **options: Any,
) -> None:
    """Compare models from their result files.

    FILES can be one file per model (id, prediction, and the truth in at least one of them), one file with
    the truth and a column per model, a table of scores (columns model, unit, score, or one column per
    model), a table of counts (n00, n01, n10, n11), or the logs of an evaluation tool. Formats include CSV,
    TSV, Parquet, Excel and JSON lines.
    """
    import ropewalk

    options["weights"] = task_weights(options["weights"])
    if cost:
        options["loss"] = _costs(cost)
    if pairs:
        options["pairs"] = list(pairs)
    if statistics:
        options["statistics"] = statistics.split(",")
    if held_out:
        column, equals, value = held_out.partition("=")
        if not equals:
            raise OptionError(f'"{held_out}" does not select rows', hint="Write it as COLUMN=VALUE.")
        options["held_out"] = (column, value)
    source = source_of(files, options["query"])
    out.check(files)
    report = ropewalk.compare(source, progress=progress("comparing"), **options)
    deliver(report, out, as_json=as_json, verbose=verbose)


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
            raise OptionError(f'the cost "{text}" is not valid', hint="Write it as TRUE:PREDICTED=COST.")
    return costs
