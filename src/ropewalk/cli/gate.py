"""ropewalk gate: may the candidate replace the baseline? The exit code answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ropewalk.cli.columns import columns
from ropewalk.cli.paths import check_outputs, from_here
from ropewalk.cli.shared_options import as_json_option, dependence, loss_option, metric_option, rng_option
from ropewalk.cli.streams import show_content, silence_standard_output
from ropewalk.errors import OptionError, RopewalkError

if TYPE_CHECKING:
    from ropewalk.gate import Decision, Policy
    from ropewalk.read.sides import Sides


@click.command(short_help="Pass a candidate if it is not worse by more than a margin.")
@click.argument("baseline", required=False)
@click.argument("candidate", required=False)
@click.option(
    "--sql",
    "query",
    metavar="QUERY",
    help="Read the rows of this SQL query; the sides are then DuckDB or SQLite files. One file, or none, is "
    "enough if --model is given twice.",
)
@click.option(
    "--margin",
    type=float,
    metavar="X",
    help="How much worse the candidate may be, in score units.  [default: as in the policy]",
)
@click.option(
    "--bounds",
    type=float,
    nargs=2,
    default=None,
    metavar="LOW HIGH",
    help="Lowest and highest possible score, such as 1 5.  [default: as in the policy, or known from the "
    "metric]",
)
@click.option(
    "--question",
    metavar="QUESTION",
    help="Mean over several tasks that counts: these (exactly these tasks) or average (tasks like these). "
    " [default: as in the policy, or both must pass]",
)
@click.option(
    "--probability",
    type=float,
    metavar="P",
    help="Probability that a pass or fail requires.  [default: as in the policy, or 0.95]",
)
@click.option(
    "--on-undecided",
    type=click.Choice(["pass", "fail"]),
    help="Treat an undecided gate as pass (exit code 0) or fail (1).  [default: as in the policy, or exit "
    "code 2]",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="TOML file with margins and other settings of the gate.  [default: [tool.ropewalk.gate] in "
    "pyproject.toml]",
)
@click.option(
    "--model",
    multiple=True,
    metavar="NAME",
    help="Model to use if a file has several; give it twice for different names (baseline first).  "
    "[default: the only one]",
)
@click.option(
    "--looks",
    type=int,
    metavar="N",
    help="Number of decisions made on this test set so far, including this one.  [default: 1, or counted by "
    "--ledger]",
)
@click.option(
    "--ledger",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File that counts the decisions made on this test set.",
)
@click.option(
    "--specialists",
    is_flag=True,
    help="Compare models even if one is good exactly where the other is bad.  [default: refuse them]",
)
@loss_option
@metric_option
@dependence
@rng_option
@click.option(
    "--model-column", metavar="COLUMN", help="Column with the model names.  [default: found by its name]"
)
@columns
@as_json_option
@click.option(
    "--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write a summary as Markdown, for CI."
)
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit XML report, for CI."
)
@click.option("--verbose", is_flag=True, help="Name files as they were given, absolute paths included.")
@click.pass_context
def gate(
    context: click.Context,
    /,
    baseline: str | None,
    candidate: str | None,
    query: str | None,
    margin: float | None,
    bounds: tuple[float, float] | None,
    question: str | None,
    probability: float | None,
    on_undecided: str | None,
    policy: Path | None,
    model: tuple[str, ...],
    looks: int | None,
    ledger: Path | None,
    loss: str | None,
    metric: str | None,
    rho: float | None,
    runs: int | None,
    specialists: bool,
    rng: int,
    model_column: str | None,
    as_json: bool,
    markdown: Path | None,
    junit: Path | None,
    verbose: bool,
    **columns: Any,
) -> None:
    """Pass CANDIDATE if it is not worse than BASELINE by more than a margin.

    Both are files or folders as for `ropewalk compare`, with one model each; or, with --sql, both models are
    among the rows of a query. Exit codes: 0 pass, 1 fail,
    2 undecided, 3 and above for invalid usage or data.
    """
    from ropewalk.gate import Policy
    from ropewalk.read.sides import read_sides

    if query is None and (baseline is None or candidate is None):
        raise click.UsageError(f"Missing argument '{'BASELINE' if baseline is None else 'CANDIDATE'}'.")
    candidate = baseline if candidate is None else candidate
    if len(model) > 2:
        raise OptionError(
            f"--model was given {len(model)} times",
            hint="Give it once for both sides, or twice: baseline first.",
        )
    if looks is not None and ledger is not None:
        raise OptionError("both --looks and --ledger are given", hint="Give only one of them.")
    given: dict[str, Any] = {
        "margin": margin,
        "bounds": bounds,
        "probability": probability,
        "on_undecided": on_undecided,
        "question": question,
    }
    columns |= {"models": (*model, *model, None, None)[:2], "model": model_column, "pick": metric}
    columns |= {"rho": rho, "runs": runs, "specialists": specialists}
    asked = {"loss": loss, "metric": metric, "rho": rho, "rng": rng}
    check_outputs((markdown, junit, ledger), [path for path in (baseline, candidate, policy) if path])
    with _answering():
        rules = Policy.read(policy, **given)
        sides = read_sides(baseline, candidate, query=query, **columns)
    with _alone(ledger):
        with _answering():
            decision, counted = _decide(sides, rules, looks, ledger, asked)
        decision = from_here(decision, keep=verbose)
        check_outputs((markdown, junit, ledger), [i.path for i in decision.audit.inputs])
        _write(decision, markdown, junit, ledger, counted)
    _show(decision, as_json)
    context.exit(decision.exit_code)


@contextmanager
def _answering() -> Iterator[None]:
    """Raise an error if standard output was closed before the answer: the command must not exit with 0."""
    try:
        yield
    except BrokenPipeError as error:
        raise RopewalkError(f"there is no answer: {error.strerror}") from error


@contextmanager
def _alone(ledger: Path | None) -> Iterator[None]:
    """Run gates that share a ledger one after the other, so that each counts the earlier looks."""
    from ropewalk.disk import alone_in

    if ledger is None:
        yield
        return
    with alone_in(ledger.parent):
        yield


def _decide(
    sides: Sides, rules: Policy, looks: int | None, ledger: Path | None, asked: dict[str, Any]
) -> tuple[Decision, str]:
    """Return the decision, and the ledger including this look ("" without a ledger)."""
    from ropewalk.gate import Ledger
    from ropewalk.gate.judge import decision_on

    counted = ""
    if ledger is not None:
        assert sides.digests is not None, "both sides are files or rows of a query"
        seen = Ledger.read(ledger).with_look(*sides.digests)
        looks, counted = seen.count(sides.digests[0]), seen.to_json()
    return decision_on(sides, rules, looks=looks, **asked), counted


def _write(
    decision: Decision, markdown: Path | None, junit: Path | None, ledger: Path | None, counted: str
) -> None:
    """Write the files first: if one fails, nothing has been printed that looks like an answer.

    A closed /dev/stdout does not change the answer.
    """
    from ropewalk.disk import write
    from ropewalk.gate import render

    rendered: list[tuple[Path | None, Callable[[Decision], str]]] = [
        (markdown, render.to_markdown),
        (junit, render.to_junit),
        (ledger, lambda _: counted),
    ]
    for path, content in rendered:
        if path is not None:
            with suppress(BrokenPipeError):
                write(path, content(decision))


def _show(decision: Decision, as_json: bool) -> None:
    from ropewalk.gate import render

    text = render.to_json(decision) if as_json else render.to_text(decision)
    try:
        show_content(text, as_json=as_json)
    except BrokenPipeError:  # a failure here must not change the exit code
        silence_standard_output()
