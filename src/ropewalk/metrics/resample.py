"""A metric of several models, under many weightings of the same units."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import DataError, MethodError, OptionError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Metric, Weighted
from ropewalk.metrics.registry import metric_for
from ropewalk.sums import ROUNDING
from ropewalk.threads import side_by_side

BLOCK = 200_000  # weights held at once by one thread: 1.6 MB, so that they stay in the cache
THREADS = min(os.cpu_count() or 1, 8)  # each holds a few rows of weights: with a hundred, memory would go


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """Models prepared on the same rows, and the metric of each on the data as they are.

    A unit is a row, or a cluster of rows. With `counts`, a row stands for this number of identical rows. With
    `values` the metric of each model is known better than these rows tell, because they are bins: what is
    computed from the rows is moved by the difference.
    """

    metric: Metric
    units: int
    rows: int
    unit_of_row: Ints | None  # None where every row is a unit, or several
    counts: Floats | None
    each: tuple[Weighted, ...]
    values: tuple[float, ...]
    shift: Floats

    @classmethod
    def of(
        cls,
        metric: str | Metric | Callable[[Any, Any, Any], float],
        y: Any,
        predictions: Mapping[str, Any],
        clusters: ArrayLike | None,
        counts: ArrayLike | None = None,
        values: Sequence[float] | None = None,
    ) -> Self:
        """The predictions by the name that errors call them."""
        chosen = metric_for(metric)
        rows = check.same_length(**{**predictions, "y": y, "clusters": clusters})
        times = None if counts is None else check.counts(counts, rows)
        unit_of_row, units = _units(clusters, rows)
        if times is not None and clusters is None:
            units = int(times.sum())
        if units < 2:
            raise DataError(
                f"there is {units} {'row' if clusters is None else 'cluster'}, at least 2 are needed",
                hint="A comparison needs several units on which both models were scored.",
            )
        each = tuple(chosen.prepared(y, said, clusters) for said in predictions.values())
        plain = np.ones((1, rows)) if times is None else times[None, :]
        own = tuple(float(of(plain)[0]) for of in each)
        if not np.isfinite(own).all():
            found = ", ".join(f"{name} has {value}" for name, value in zip(predictions, own, strict=True))
            raise MethodError(
                f"{chosen.name} is not defined on these data: {found}",
                hint="Every model needs a value.",
            )
        known = own if values is None else tuple(map(float, values))
        return cls(
            metric=chosen,
            units=units,
            rows=rows,
            unit_of_row=unit_of_row,
            counts=times,
            each=each,
            values=known,
            shift=np.subtract(known, own),
        )

    @property
    def sizes(self) -> Floats | None:
        """How many units the places have that weights are drawn for; None: one each."""
        return self.counts if self.unit_of_row is None else None

    def by_row(self, weights: Floats) -> Floats:
        """Weights of units -> weights of rows: a cluster's weight goes to each of its rows.

        Units that are alike have one weight, which is that of all of them together.
        """
        if self.unit_of_row is None:
            return weights
        w = np.take(weights, self.unit_of_row, axis=1)
        return w if self.counts is None else np.asarray(w * self.counts)

    def under(self, weights: Floats) -> Floats:
        """The metric of each model for each line of unit weights, draws x models."""
        w = self.by_row(weights)
        return np.column_stack([of(w) for of in self.each]) + self.shift

    def once(self) -> Floats:
        """The weights under which every unit counts once, one line."""
        return np.ones((1, self.units)) if self.sizes is None else self.sizes[None, :]

    def dirichlet(self, generator: np.random.Generator, draws: int) -> Floats:
        """Weights ~ Dirichlet(1, ..., 1) over the units, 1 on average; of c units that are alike the sum,
        which is Gamma(c) where that of one unit is exponential.
        """
        if self.sizes is None:
            w = generator.standard_exponential((draws, self.units))
        else:
            w = generator.standard_gamma(self.sizes, (draws, self.rows))
        w *= self.units / w.sum(axis=1, keepdims=True)
        return w

    def multinomial(self, generator: np.random.Generator, draws: int) -> Floats:
        """How often each unit, or one of those that are alike, is picked when n are with replacement."""
        n = self.units
        if self.sizes is not None:
            return generator.multinomial(n, self.sizes / n, draws).astype(np.float64)
        picked = generator.integers(0, n, (draws, n))
        return np.array([np.bincount(row, minlength=n) for row in picked], dtype=np.float64)

    def in_batches(
        self,
        values: Callable[[np.random.Generator, int], Floats],
        *,
        draws: int,
        rng: int | np.random.Generator,
    ) -> Floats:
        """`draws` values, a few at a time: values(generator, how many).

        Each batch has a seed of its own, so the answer does not depend on the number of threads; its size
        follows from the rows alone, so memory does not grow with the draws. A function of the user's own is
        called from one thread.
        """
        if draws < 1:
            raise OptionError(f"draws is {draws}", hint="Give the number of draws, such as 4_000.")
        batch = max(1, min(draws, BLOCK // self.rows))
        sizes = [min(batch, draws - start) for start in range(0, draws, batch)]
        seeds = np.random.default_rng(rng).spawn(len(sizes))
        batches = [*zip(seeds, sizes, strict=True)]
        most = 1 if self.metric.takes == "anything" else THREADS
        return np.concatenate(side_by_side(lambda own: values(*own), batches, most=most))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedMetric(Resampled):
    """Two models, A and B."""

    @property
    def value_a(self) -> float:
        return self.values[0]

    @property
    def value_b(self) -> float:
        return self.values[1]

    @property
    def slack(self) -> float:
        """Advantages that differ by less count as equal."""
        return ROUNDING * max(abs(self.value_a), abs(self.value_b))

    def signed(self, a: Floats, b: Floats) -> Floats:
        """The advantage: A minus B where higher is better, B minus A where lower is."""
        return np.asarray(a - b if self.metric.higher_is_better else b - a)

    def advantage(self, weights: Floats) -> Floats:
        """The advantage of A over B for each line of unit weights."""
        both = self.under(weights)
        return self.signed(both[:, 0], both[:, 1])


def _units(clusters: ArrayLike | None, rows: int) -> tuple[Ints | None, int]:
    """The unit of each row and the number of units; None and the rows without clusters."""
    if clusters is None:
        return None, rows
    names, codes = np.unique(check.labels(clusters, "clusters"), return_inverse=True)
    return codes, names.size
