"""Rows that stay where they are: what their sums alone show of scores that are not what they seem."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.metrics import (
    bounded,
    is_nonnegative,
    is_resource,
    is_scaled,
    is_share,
    is_turned,
    may_be_negative,
)
from ropewalk.data.odd_pairs import opposite, reversed_text
from ropewalk.errors import DataError, short

if TYPE_CHECKING:
    from ropewalk.data.arrays import Floats
    from ropewalk.data.summed import Summed

_ONE = 1e-9
_ALIKE = 2.5  # means that differ by more than this factor, after division by 100, are on different scales
_UNITS = 300.0  # such a factor separates milliseconds from seconds
_ENOUGH = 30  # units: fewer show nothing


def refuse_sums(source: Summed) -> None:
    """Raise an error if means show percent next to fractions, or values impossible for the metric."""
    means, variances = _moments(source)
    _refuse_scales(source, means, variances)
    given = source.way is not None and source.way.source in ("given", "log")
    name = source.metric
    scaled = is_turned(name) or may_be_negative(name) or is_scaled(name)
    low = int(np.argmin(means))
    if means[low] < 0 and not given and (is_nonnegative(name) or (is_share(name) and not scaled)):
        raise DataError(
            f"the mean `{short(name)}` of {short(source.models[low])} is {means[low]:.3g}, and it cannot "
            "be below 0",
            hint="If their sign was flipped, set --higher-is-better (higher_is_better=True).\n"
            "If negative values mark missing results, leave these cells empty.",
        )


def _refuse_scales(source: Summed, means: Floats, variances: Floats) -> None:
    if not bounded(source.metric):
        return
    share = is_share(source.metric) and not is_scaled(source.metric)
    shares = (means > 0) & (means <= 1 + _ONE) & (variances <= means * (1 - means) + _ONE)
    for i, j in permutations(range(len(means)), 2):
        alike = 1 / _ALIKE < means[j] / 100 / max(means[i], _ONE) < _ALIKE
        if shares[i] and 1 < means[j] <= 100 and (share or (alike and means[j] > 2)):
            what = "in percent" if alike else "larger than 1"
            raise DataError(
                f"the scores of {short(source.models[j])} are {what} and those of {short(source.models[i])} "
                "are fractions",
                where=[f"{short(source.models[k])}: mean {means[k]:.4g}" for k in (i, j)],
                hint=f'Divide the scores of "{short(source.models[j])}" by 100.'
                if alike
                else "Check the largest values: they may mark missing results.",
            )


def doubts_on_sums(source: Summed) -> tuple[str, ...]:
    """Return cautions about units of measurement and about reversed models."""
    return (*_units(source), *_turned_round(source))


def _units(source: Summed) -> tuple[str, ...]:
    if not is_resource(source.metric):
        return ()
    means, _ = _moments(source)
    low, high = int(np.argmin(means)), int(np.argmax(means))
    if means[low] <= 0 or means[high] < _UNITS * means[low]:
        return ()
    return (
        f"the scores of {short(source.models[high])} are several hundred times those of "
        f"{short(source.models[low])} on average: are they in the same unit?",
    )


def _turned_round(source: Summed) -> tuple[str, ...]:
    if source.design.unit != "example" or sum(t.n for t in source.tasks) < _ENOUGH:
        return ()
    within = np.sum([t.covariance for t in source.tasks], axis=0)
    for i, j in combinations(range(len(source.models)), 2):
        size = float(np.sqrt(within[i, i] * within[j, j]))
        if size > 0 and within[i, j] / size <= opposite(sum(t.n for t in source.tasks)):
            return (reversed_text(source.models[i], source.models[j], within[i, j] / size),)
    return ()


def _moments(source: Summed) -> tuple[Floats, Floats]:
    """Return the mean and variance of each model's scores over the tasks that it was run on."""
    n = np.array([[t.n] * len(source.models) for t in source.tasks], dtype=np.float64)
    means = np.array([t.means for t in source.tasks])
    within = np.array([t.covariance.diagonal() for t in source.tasks])
    ran = np.isfinite(means)
    n = np.where(ran, n, 0.0)
    total = np.maximum(n.sum(axis=0), 1)
    mean = (n * np.where(ran, means, 0.0)).sum(axis=0) / total
    spread = n * np.where(ran, means - mean, 0.0) ** 2 + np.where(ran, within, 0.0)
    return mean, spread.sum(axis=0) / total
