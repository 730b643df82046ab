"""ropewalk plan: how much more data would decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ropewalk.cli.columns import columns, models, sql
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
from ropewalk.cli.streams import show_content
from ropewalk.errors import OptionError

_UNITS = ("example", "fold", "seed", "task", "cluster")


@click.command(short_help="Estimate how much more data a verdict needs.")
@click.argument("files", nargs=-1, metavar="[FILES...]")
@sql
@click.option(
    "--pair",
    "pairs",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Plan only for models A and B; can be repeated.  [default: every pair]",
)
@click.option(
    "--reference", metavar="MODEL", help="Plan for every model against this one.  [default: every pair]"
)
@verdict_options
@click.option(
    "--assurance",
    type=float,
    metavar="P",
    default=0.8,
    show_default=True,
    help="Probability of reaching a verdict that the plan aims for.",
)
@click.option(
    "--difference", type=float, metavar="D", help="Expected difference (instead of FILES, with --sd)."
)
@click.option(
    "--sd",
    type=float,
    metavar="S",
    help="Standard deviation of the difference on one example (with --difference).",
)
@click.option(
    "--accuracy", metavar="A,B", help="Expected accuracies (instead of FILES, with --disagreement)."
)
@click.option(
    "--disagreement",
    type=float,
    metavar="RATE",
    help="Expected proportion of examples on which exactly one model is right (with --accuracy).",
)
@click.option(
    "--unsure",
    type=float,
    default=0.0,
    metavar="S",
    help="Standard deviation of the expected difference itself.  [default: 0]",
)
@click.option(
    "--examples", type=int, default=0, metavar="N", help="Number of examples already seen.  [default: 0]"
)
@click.option(
    "--batches",
    type=int,
    metavar="K",
    help="Plan a sequential test: look after each of K batches and stop at a verdict.",
)
@click.option(
    "--batch-size",
    type=int,
    default=100,
    show_default=True,
    metavar="N",
    help="Number of examples per batch (with --batches).",
)
@click.option(
    "--more", metavar="N,N,...", help="Numbers of further units, such as 500,1000.  [default: a range]"
)
@click.option("--cost-example", type=float, metavar="COST", help="Cost of one more example.  [default: none]")
@click.option("--cost-fold", type=float, metavar="COST", help="Cost of one more fold.  [default: none]")
@click.option(
    "--cost-seed",
    type=float,
    metavar="COST",
    help="Cost of one more training run of both models.  [default: none]",
)
@click.option("--cost-task", type=float, metavar="COST", help="Cost of one more task.  [default: none]")
@click.option("--cost-cluster", type=float, metavar="COST", help="Cost of one more cluster.  [default: none]")
@loss_option
@metric_option
@question
@method_option
@dependence
@click.option(
    "--prior-sd",
    type=float,
    metavar="S",
    help="Standard deviation of plausible differences before seeing data, in score units; inf for a flat "
    "prior.  [default: 0.015 for a metric from 0 to 1, otherwise a share of the spread of the differences]",
)
@click.option(
    "--draws", type=int, default=4000, show_default=True, metavar="N", help="Number of simulated futures."
)
@rng_option
@models
@columns
@as_json_option
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plot the chance of a verdict to FILE (.png, .svg or .pdf).",
)
def plan(
    files: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
    accuracy: str | None,
    more: str | None,
    batches: int | None,
    batch_size: int,
    as_json: bool,
    plot: Path | None,
    **options: Any,
) -> None:
    """Estimate how many more examples, folds, seeds, tasks or clusters a verdict needs.

    The estimate is based on the results of a pilot (FILES as for `ropewalk compare`), or on expected numbers:
    --difference and --sd, or --accuracy and --disagreement.
    """
    import ropewalk

    costs = {u: price for u in _UNITS if (price := options.pop(f"cost_{u}")) is not None}
    options["weights"] = task_weights(options["weights"])
    source: Any = None if not files else list(files) if len(files) > 1 else files[0]
    if source is None and options["query"] is None:
        # Stated numbers take no options of `compare`: those at their defaults are not passed on.
        kept = ("difference", "sd", "disagreement", "unsure", "examples", "rope", "threshold", "assurance")
        options = {k: v for k, v in options.items() if k in (*kept, "draws", "rng") or _is_given(k, v)}
    else:
        options["progress"] = progress("comparing")
    if pairs:
        options["pairs"] = list(pairs)
    if accuracy is not None:
        options["accuracy"] = _numbers(accuracy, "--accuracy", "0.87,0.85", 2)
    if batches is not None:
        chance = options.pop("assurance")
        _not_both(
            {"--more": more, "--cost-...": costs or None, "--assurance": chance if chance != 0.8 else None}
        )
        found = ropewalk.plan.sequential(source, batches=batches, batch_size=batch_size, **options)
        _out(found, as_json, plot)
        return
    if more is not None:
        options["more"] = [int(m) for m in _numbers(more, "--more", "1000,5000,20000")]
    _out(ropewalk.plan(source, costs=costs, **options), as_json, plot)


def _is_given(name: str, value: Any) -> bool:
    """Whether an option of `compare` was given explicitly."""
    return value not in (None, False) and not (name == "method" and value == "auto")


def _numbers(text: str, option: str, example: str, count: int | None = None) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or (count is not None and len(numbers) != count):
        raise OptionError(f'{option} is "{text}"', hint=f"Write it as {example}.")
    return numbers


def _not_both(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value is not None:
            raise OptionError(f"{name} cannot be used with --batches", hint="Give only one of the two.")


def _out(found: Any, as_json: bool, plot: Path | None) -> None:
    """Write the plot first: if this fails, nothing has been printed that looks like success."""
    if plot is not None:
        from ropewalk.disk import write
        from ropewalk.plot import render

        write(plot, render(found.plot(), plot.suffix))
    show_content(found.to_json() if as_json else found.to_text(), as_json=as_json)
