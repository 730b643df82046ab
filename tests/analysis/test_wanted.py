"""What was asked for is checked against the methods and the models that there are."""

from __future__ import annotations

from typing import Any

import pytest

from ropewalk.analysis.wanted import (
    Wanted,
    check_method,
    check_prior,
    is_accuracy,
    metric_or_loss,
    of_each_task,
)
from ropewalk.decide import RopeRequest, Rule
from ropewalk.errors import OptionError
from ropewalk.methods.pair import Ask
from ropewalk.metrics import Metric


def wanted(*, method: str = "auto", prior_sd: float | None = None, **options: Any) -> Wanted:
    ask = Ask(method=method, rope=RopeRequest.parse(0.01), rule=Rule(), rng=0, prior_sd=prior_sd)
    nothing: dict[str, Any] = dict.fromkeys(("reference", "pairs", "loss", "metric", "question", "rho"))
    return Wanted(ask=ask, steps=list, **(nothing | options))


def test_a_prior_is_that_of_one_pair() -> None:
    check_prior("ab", wanted(prior_sd=0.1))
    check_prior("abc", wanted(prior_sd=0.1, pairs=[("a", "b")]))
    with pytest.raises(OptionError, match="a single pair, but there are 3 models"):
        check_prior("abc", wanted(prior_sd=0.1))


def test_methods_by_name_and_by_the_number_of_tasks() -> None:
    check_method("auto", many=False)
    check_method("t", many=False)
    check_method("hierarchical_t", many=True)
    with pytest.raises(OptionError, match="hierarchical_t needs several tasks"):
        check_method("hierarchical_t", many=False)
    with pytest.raises(OptionError, match='there is no method "zork"'):
        check_method("zork", many=True)


def test_of_each_task_a_method_over_tasks_is_not_asked_for() -> None:
    assert of_each_task(wanted(method="hierarchical_t", prior_sd=0.1).ask).method == "auto"
    found = of_each_task(wanted(method="t", prior_sd=0.1).ask)
    assert (found.method, found.prior_sd) == ("t", None)


def test_metrics_that_are_means_of_a_loss_are_that_loss() -> None:
    assert metric_or_loss("accuracy", "auto") == "zero_one"
    assert metric_or_loss("mae", "auto") == "absolute"
    assert isinstance(metric_or_loss("auroc", "auto"), Metric)
    assert isinstance(metric_or_loss("accuracy", "bootstrap"), Metric)
    assert is_accuracy(wanted(metric="accuracy"))
    assert is_accuracy(wanted(loss="zero_one"))
    assert not is_accuracy(wanted(loss="log"))
