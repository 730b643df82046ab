"""Options on the analysis, each defined once for all commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ropewalk.data import LOSSES
from ropewalk.errors import OptionError
from ropewalk.questions import ASKS

_losses = [name for name in LOSSES if name != "cost"]  # "cost" needs a table of costs
loss_option = click.option(
    "--loss",
    metavar="LOSS",
    help=f"Score each prediction by this loss: {', '.join(_losses[:-1])} or {_losses[-1]}.  [default: "
    "zero_one for labels, brier for probabilities, squared for numbers]",
)
metric_option = click.option(
    "--metric",
    metavar="METRIC",
    help="Metric computed on the whole test set (see `ropewalk metrics`), or the name of one in the data.  "
    "[default: mean of the loss or score]",
)
method_option = click.option(
    "--method",
    default="auto",
    show_default=True,
    metavar="METHOD",
    help="Method of comparison (see `ropewalk methods`).",
)
rng_option = click.option(
    "--rng", type=int, default=0, show_default=True, metavar="N", help="Seed of the random number generator."
)
as_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the JSON document and nothing else."
)


def verdict_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the ROPE and the probability that a verdict needs."""
    options = [
        click.option(
            "--rope",
            default="auto",
            show_default=True,
            metavar="X",
            help="Differences that do not matter: 0.01, -0.005,0.02, 0.1sd (standard deviations) or auto.",
        ),
        click.option(
            "--scale",
            type=click.Choice(["phi"]),
            help="Compare right/wrong answers by phi (Williams 2026).  [default: by accuracy]",
        ),
        click.option(
            "--threshold",
            type=float,
            metavar="P",
            default=0.95,
            show_default=True,
            help="Probability that a verdict requires.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def question(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the question over many tasks."""
    *first, last = (wording.option for wording in ASKS.values())
    options = [
        click.option(
            "--question",
            type=click.Choice([*ASKS, "Q1", "Q2", "Q3"]),
            help=f"Question over several tasks: {', '.join(first)}, or {last}.  [default: average]",
        ),
        click.option(
            "--weights",
            metavar="TASK=W,...",
            help='Task weights for --question these; "size" weights by number of examples.  [default: equal]',
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def task_weights(text: str | None) -> dict[str, float] | str | None:
    """Parse the value of `--weights`: a word, or a weight for each task."""
    if text is None or "=" not in text:
        return text
    found = {}
    for part in text.split(","):
        name, _, weight = part.rpartition("=")
        try:
            found[name.strip()] = float(weight)
        except ValueError:
            raise OptionError(f'the weight "{part}" is not valid', hint="Write it as TASK=2.") from None
    return found


def dependence(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for scores of folds, which are not independent."""
    runs = click.option(
        "--runs",
        type=int,
        metavar="N",
        help="Number of repetitions of cross-validation, for scores without ids: 10 for 10 x 10-fold.  "
        "[default: read from the data]",
    )
    rho = click.option(
        "--rho",
        type=float,
        metavar="R",
        help="Correlation between folds of cross-validation.  [default: 1/k for k folds]",
    )
    return rho(runs(command))
