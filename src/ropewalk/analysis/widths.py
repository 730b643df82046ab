"""Whether the requested ROPE, or the margin of a gate, makes sense for these scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ropewalk.data import Counts, Scores, Summed, is_rank
from ropewalk.data.scale import check_width, odd_width, one_point
from ropewalk.decide import RopeRequest
from ropewalk.errors import OptionError, short
from ropewalk.metrics import Metric

Data = TypeVar("Data", bound=Scores | Counts | Summed)

_NO_RANGE = (
    "the default ROPE for these scores is 0.1 standard deviations; set the difference that is too small to "
    "matter: rope= (--rope)."
)
_MOST_SD = 1.0  # shares of a standard deviation above this are not small differences


def fits_scores(source: Data, rope: RopeRequest) -> Data:
    """Raise an error if the ROPE is as wide as the scores; a caution if it looks meant for another scale or
    if the default is a share of a standard deviation.
    """
    _few_sds(rope)
    if isinstance(source, Counts):
        if rope.kind == "score":
            _half(rope, 1.0, "accuracy")
        return source
    if rope.phi and not (source.is_binary and source.design.unit == "example"):
        raise _no_phi(source.metric)
    audit = source.audit
    if rope.kind == "score":
        check_width(rope.half_width, rope.called, source)
        audit = audit.cautioned(*odd_width(rope.half_width, rope.called, source))
    elif rope.kind == "auto" and not is_rank(source.metric) and not one_point(source):
        audit = audit.cautioned(_NO_RANGE)
    return replace(source, audit=audit)


def fits_metric(rope: RopeRequest, metric: Metric) -> tuple[str, ...]:
    """Raise an error if the ROPE is half as wide as the metric's range; otherwise return cautions."""
    _few_sds(rope)
    if rope.phi:
        raise _no_phi(metric.name)
    low, high = metric.range
    if rope.kind == "score" and high - low < float("inf"):
        _half(rope, high - low, metric.name)
    return (_NO_RANGE,) if rope.kind == "auto" and not metric.one_point else ()


def _no_phi(metric: str) -> OptionError:
    return OptionError(
        f"phi is defined for right/wrong answers, but {short(metric)} is another kind of score",
        hint='Omit scale="phi" (--scale phi).',
    )


def _half(rope: RopeRequest, whole: float, name: str) -> None:
    if rope.half_width >= whole / 2:
        raise OptionError(
            f"a {rope.called} of {rope.half_width:g} is at least half of the range of {name}",
            hint=f"Give the {rope.called} in score units: one percentage point is {whole / 100:g}.",
        )


def _few_sds(rope: RopeRequest) -> None:
    if rope.kind == "sd" and rope.half_width >= _MOST_SD:
        raise OptionError(
            f"a ROPE of {rope.half_width:g} standard deviations calls large differences equivalent",
            hint='Give a small fraction of the standard deviation, such as "0.1sd".',
        )
