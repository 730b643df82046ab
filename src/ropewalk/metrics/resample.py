"""The advantage of A over B by a metric, under many weightings of the same units."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import DataError, MethodError, OptionError
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats, Ints
from ropewalk.metrics.metric import Metric, Weighted
from ropewalk.metrics.registry import metric_for
from ropewalk.sums import ROUNDING

BLOCK = 200_000  # weights held at once by one thread: 1.6 MB, so that they stay in the cache
THREADS = min(os.cpu_count() or 1, 8)  # each holds a few rows of weights: with a hundred, memory would go


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paired:
    """Both models prepared on the same rows, and the metric of each on the data as they are.

    A unit is a row, or a cluster of rows.
    """

    metric: Metric
    units: int
    rows: int
    unit_of_row: Ints | None  # None where every row is a unit
    of_a: Weighted
    of_b: Weighted
    value_a: float
    value_b: float

    @classmethod
    def of(
        cls,
        metric: str | Metric | Callable[[Any, Any, Any], float],
        y: Any,
        a: Any,
        b: Any,
        clusters: ArrayLike | None,
    ) -> Paired:
        chosen = metric_for(metric)
        rows = check.same_length(a=a, b=b, y=y, clusters=clusters)
        unit_of_row, units = _units(clusters, rows)
        if units < 2:
            raise DataError(
                f"there is {units} {'row' if clusters is None else 'cluster'}, at least 2 are needed",
                hint="A comparison needs several units on which both models were scored.",
            )
        of_a, of_b = chosen.prepared(y, a, clusters), chosen.prepared(y, b, clusters)
        plain = np.ones((1, rows))
        value_a, value_b = float(of_a(plain)[0]), float(of_b(plain)[0])
        if not np.isfinite([value_a, value_b]).all():
            raise MethodError(
                f"{chosen.name} is not defined on these data: A has {value_a}, B has {value_b}",
                hint="Without a value for both models there is nothing to compare.",
            )
        return cls(
            metric=chosen,
            units=units,
            rows=rows,
            unit_of_row=unit_of_row,
            of_a=of_a,
            of_b=of_b,
            value_a=value_a,
            value_b=value_b,
        )

    @property
    def slack(self) -> float:
        """Advantages that differ by less are equal on paper."""
        return ROUNDING * max(abs(self.value_a), abs(self.value_b))

    def by_row(self, weights: Floats) -> Floats:
        """Weights of units -> weights of rows: a cluster's weight goes to each of its rows."""
        return weights if self.unit_of_row is None else np.take(weights, self.unit_of_row, axis=1)

    def signed(self, a: Floats, b: Floats) -> Floats:
        """The advantage: A minus B where higher is better, B minus A where lower is."""
        return np.asarray(a - b if self.metric.higher_is_better else b - a)

    def advantage(self, weights: Floats) -> Floats:
        """The advantage of A over B for each line of unit weights."""
        w = self.by_row(weights)
        return self.signed(self.of_a(w), self.of_b(w))

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
        most = max(1, min(draws, BLOCK // self.rows))
        sizes = [min(most, draws - start) for start in range(0, draws, most)]
        seeds = np.random.default_rng(rng).spawn(len(sizes))
        with ThreadPoolExecutor(max_workers=1 if self.metric.takes == "anything" else THREADS) as pool:
            return np.concatenate(list(pool.map(values, seeds, sizes)))


def _units(clusters: ArrayLike | None, rows: int) -> tuple[Ints | None, int]:
    """The unit of each row and the number of units; None and the rows without clusters."""
    if clusters is None:
        return None, rows
    names, codes = np.unique(check.labels(clusters, "clusters"), return_inverse=True)
    return codes, names.size
