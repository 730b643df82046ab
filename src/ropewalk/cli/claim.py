"""ropewalk claim: do published accuracies support a claim?"""

from __future__ import annotations

import click

from ropewalk.cli.shared_options import as_json_option
from ropewalk.cli.streams import show_content
from ropewalk.errors import OptionError


@click.command(short_help="Check claims based on published accuracies.")
@click.argument("table", required=False, metavar="[TABLE]")
@click.option("--accuracy", metavar="A,B", help="The two published accuracies, such as 0.86,0.85 or 86%,85%.")
@click.option("--n", type=int, metavar="N", help="Number of examples in the test set.")
@click.option(
    "--names",
    default="A,B",
    metavar="A,B",
    help="Names of the two models.  [default: A,B]",
)
@click.option(
    "--agreement",
    type=float,
    metavar="SHARE",
    help="Proportion of examples on which both models are right or both are wrong.  [default: unknown]",
)
@click.option(
    "--both-right",
    type=float,
    metavar="SHARE",
    help="Proportion of examples on which both models are right.  [default: unknown]",
)
@click.option(
    "--rope",
    type=float,
    default=0.0,
    show_default=True,
    metavar="X",
    help="Accuracy difference that does not matter; with 0, any higher accuracy counts as better.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="P",
    default=0.95,
    show_default=True,
    help="Probability that a claim requires.",
)
@as_json_option
def claim(
    table: str | None,
    accuracy: str | None,
    n: int | None,
    names: str,
    agreement: float | None,
    both_right: float | None,
    rope: float,
    threshold: float,
    as_json: bool,
) -> None:
    """Check claims based on published accuracies, without the data behind them.

    Give two accuracies and the size of the test set: --accuracy 0.86,0.85 --n 1000. Or give a whole published
    TABLE, a CSV file with the columns model, accuracy and n. How often the models agree is usually not
    published, so the answer covers every possible agreement.
    """
    import ropewalk

    if (table is None) == (accuracy is None):
        raise OptionError(
            "give either a table or --accuracy",
            hint="ropewalk claim --accuracy 0.86,0.85 --n 1000, or ropewalk claim table.csv.",
        )
    if table is not None:
        from ropewalk.claims.table import read_table

        if n is not None:
            raise OptionError("--n cannot be used with a table", hint="The table has its own column n.")
        accuracies, sizes = read_table(table)
    else:
        assert accuracy is not None
        accuracies, sizes = _typed(accuracy, n, names)
    found = ropewalk.claim(
        accuracies, sizes, agreement=agreement, both_right=both_right, rope=rope, threshold=threshold
    )
    show_content(found.to_json() if as_json else found.to_text(), as_json=as_json)


def _typed(accuracy: str, n: int | None, names: str) -> tuple[dict[str, str], dict[str, int]]:
    values = [part.strip() for part in accuracy.split(",")]
    models = [part.strip() for part in names.split(",")]
    if len(values) != 2:
        raise OptionError(f'--accuracy is "{accuracy}"', hint="Write it as 0.86,0.85.")
    if len(models) != 2 or models[0] == models[1] or not all(models):
        raise OptionError(f'--names is "{names}"', hint="Give two different names, such as ours,theirs.")
    if n is None:
        raise OptionError("--n is missing", hint="Give the number of test examples, such as --n 1000.")
    return dict(zip(models, values, strict=True)), dict.fromkeys(models, n)
