"""Options that several commands take are the same in each."""

from __future__ import annotations

import click
import pytest

from ropewalk.cli import cli
from ropewalk.cli.shared_options import task_weights
from ropewalk.errors import OptionError


def options_of(command: str) -> dict[str, click.Option]:
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    return {p.name or "": p for p in found.params if isinstance(p, click.Option)}


@pytest.mark.parametrize(
    "name", ["rope", "scale", "threshold", "loss", "metric", "method", "rng", "question"]
)
def test_compare_and_plan_ask_alike(name: str) -> None:
    one, other = options_of("compare")[name], options_of("plan")[name]
    assert (one.help, one.default, one.opts) == (other.help, other.default, other.opts)


@pytest.mark.parametrize("command", ["check", "claim", "compare", "gate", "plan", "run"])
def test_every_command_that_prints_a_document_prints_it_alone(command: str) -> None:
    assert options_of(command)["as_json"].help == "Print the JSON document and nothing else."


# What is not done unless it is asked for: outputs, steps before the comparison, and stated numbers.
NOT_DONE = {
    *("html", "markdown", "latex", "junit", "plots", "plot", "query", "dask", "ledger", "allow"),
    *("cost", "calibrate", "fpr", "cost_fp", "cost_fn", "censored", "batches", "n"),
    *("accuracy", "difference", "sd", "disagreement"),
}


@pytest.mark.parametrize("command", cli.list_commands(click.Context(cli)))
def test_the_help_of_an_option_stands_alone_and_names_its_default(command: str) -> None:
    for name, option in options_of(command).items():
        if name == "help":
            continue
        text, bracket, _ = (option.help or "").partition("  [default: ")
        assert text[0].isupper(), option.opts
        assert text.endswith("."), option.opts
        assert not {"above", "below", "likewise"} & set(text.lower().split()), option.opts
        is_switch = option.is_flag and not option.secondary_opts
        assert bracket or option.show_default or is_switch or name in NOT_DONE, option.opts


def test_weights_are_a_word_or_numbers_by_task() -> None:
    assert task_weights(None) is None
    assert task_weights("size") == "size"
    assert task_weights("qa=2, a=b=0.5") == {"qa": 2.0, "a=b": 0.5}
    with pytest.raises(OptionError, match='the weight "qa=two" is not valid\n\n  Write it as TASK=2'):
        task_weights("qa=two")
