"""Whether the ROPE that was asked for, or a gate's margin, makes sense for these scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ropewalk.data import Counts, Scores, Summed
from ropewalk.data.scale import check_width, odd_width
from ropewalk.decide import RopeRequest
from ropewalk.errors import OptionError
from ropewalk.metrics import Metric

Data = TypeVar("Data", bound=Scores | Counts | Summed)

_MOST_SD = 1.0  # a standard deviation of the differences is not a small difference


def fits_scores(source: Data, rope: RopeRequest) -> Data:
    """An error where the ROPE is as wide as the scores; a caution where it was meant for another scale."""
    _few_sds(rope)
    if rope.kind != "score":
        return source
    if isinstance(source, Counts):
        _half(rope, 1.0, "accuracy")
        return source
    check_width(rope.half_width, rope.called, source)
    cautions = odd_width(rope.half_width, rope.called, source)
    return replace(source, audit=source.audit.cautioned(*cautions)) if cautions else source


def fits_metric(rope: RopeRequest, metric: Metric) -> None:
    """An error where the ROPE is half as wide as the range of a metric of the whole test set."""
    _few_sds(rope)
    low, high = metric.range
    if rope.kind == "score" and high - low < float("inf"):
        _half(rope, high - low, metric.name)


def _half(rope: RopeRequest, whole: float, name: str) -> None:
    if rope.half_width >= whole / 2:
        raise OptionError(
            f"a {rope.called} of {rope.half_width:g} is half of the range of {name}",
            hint=f"Give the {rope.called} in score units: one point of a hundred is {whole / 100:g}.",
        )


def _few_sds(rope: RopeRequest) -> None:
    if rope.kind == "sd" and rope.half_width >= _MOST_SD:
        raise OptionError(
            f"a ROPE of {rope.half_width:g} standard deviations calls large differences equivalent",
            hint='Give a small share of the standard deviation, such as "0.1sd".',
        )
