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

BLOCK = 200_000  # weights held at once by one thread: 1.6 MB, to stay in the cache
THREADS = min(os.cpu_count() or 1, 8)  # each holds a few rows of weights; more threads take too much memory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """Models prepared on the same rows, and the metric of each on the original data.

    A unit is a row or a cluster of rows. With `counts`, a row stands for this number of identical rows. With
    `values`, the metric of each model is known more precisely than from these rows, because they are bins;
    results computed from the rows are shifted by the difference.
    """

    metric: Metric
    units: int
    rows: int
    unit_of_row: Ints | None  # None if every row is one unit or stands for several
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
        """Prepare the predictions, given by the name for error messages."""
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
        """Return the number of units for which each weight is drawn; None if one each."""
        return self.counts if self.unit_of_row is None else None

    def by_row(self, weights: Floats) -> Floats:
        """Convert weights of units to weights of rows: a cluster's weight goes to each of its rows.

        Identical units share one weight, the total of all of them.
        """
        if self.unit_of_row is None:
            return weights
        w = np.take(weights, self.unit_of_row, axis=1)
        return w if self.counts is None else np.asarray(w * self.counts)

    def under(self, weights: Floats) -> Floats:
        """Return the metric of each model for each line of unit weights, draws x models."""
        w = self.by_row(weights)
        return np.column_stack([of(w) for of in self.each]) + self.shift

    def once(self) -> Floats:
        """Return the weights with which every unit counts once, as one line."""
        return np.ones((1, self.units)) if self.sizes is None else self.sizes[None, :]

    def dirichlet(self, generator: np.random.Generator, draws: int) -> Floats:
        """Draw weights ~ Dirichlet(1, ..., 1) over the units, 1 on average.

        The weight of c identical units is their sum, which is Gamma(c) if that of one unit is exponential.
        """
        if self.sizes is None:
            w = generator.standard_exponential((draws, self.units))
        else:
            w = generator.standard_gamma(self.sizes, (draws, self.rows))
        w *= self.units / w.sum(axis=1, keepdims=True)
        return w

    def multinomial(self, generator: np.random.Generator, draws: int) -> Floats:
        """Return how often each unit, or group of identical units, is drawn in n draws with replacement."""
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
        """Compute `draws` values in batches: values(generator, batch size).

        Each batch has its own seed, so the result does not depend on the number of threads. The batch size
        depends only on the rows, so memory does not grow with the draws. A user's function is called from one
        thread.
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
        """Return the tolerance: advantages that differ by less count as equal."""
        return ROUNDING * max(abs(self.value_a), abs(self.value_b))

    def signed(self, a: Floats, b: Floats) -> Floats:
        """Return the advantage: A minus B if higher is better, B minus A if lower is."""
        return np.asarray(a - b if self.metric.higher_is_better else b - a)

    def advantage(self, weights: Floats) -> Floats:
        """Return the advantage of A over B for each line of unit weights."""
        both = self.under(weights)
        return self.signed(both[:, 0], both[:, 1])


def _units(clusters: ArrayLike | None, rows: int) -> tuple[Ints | None, int]:
    """Return the unit of each row and the number of units; None and the number of rows without clusters."""
    if clusters is None:
        return None, rows
    names, codes = np.unique(check.labels(clusters, "clusters"), return_inverse=True)
    return codes, names.size
