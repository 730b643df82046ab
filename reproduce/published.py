"""The sums of the cross-validation results of Benavoli et al. (2017), and folds that have the same sums."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ropewalk.sums import Sums

FIGURES = Path(__file__).parent / "figures"
CLASSIFIERS = ("nbc", "aode", "hnb", "j48", "j48gr")
RUNS, FOLDS = 10, 10

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """The results of five classifiers on the folds of one data set, in percent, as sums."""

    name: str
    folds: int
    means: dict[str, Decimal]
    products: dict[tuple[str, str], Decimal]  # Σ (x - mean x)(y - mean y), both orders

    def differences(self, a: str, b: str) -> Sums:
        """Sums of the accuracy differences a - b on a scale of 0 to 1."""
        m2 = self.products[a, a] + self.products[b, b] - 2 * self.products[a, b]
        return Sums(n=self.folds, mean=float((self.means[a] - self.means[b]) / 100), m2=float(m2) / 1e4)


def table(name: str) -> list[dict[str, str]]:
    """The rows of one of the tables in figures/."""
    with (FIGURES / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def data_sets() -> tuple[DataSet, ...]:
    """All 54, in the order of the paper."""
    return tuple(_data_set(row) for row in table("benavoli2017_sums"))


def _data_set(row: dict[str, str]) -> DataSet:
    products = {}
    for a, b in product(CLASSIFIERS, repeat=2):
        name = f"{a} x {b}"
        products[a, b] = Decimal(row[name] if name in row else row[f"{b} x {a}"])
    means = {model: Decimal(row[f"mean {model}"]) for model in CLASSIFIERS}
    return DataSet(name=row["task"], folds=int(row["folds"]), means=means, products=products)


def differences(a: str, b: str) -> dict[str, Sums]:
    """{data set: sums of the accuracy differences a - b}, on a scale of 0 to 1."""
    return {d.name: d.differences(a, b) for d in data_sets()}


def mean_differences(a: str, b: str) -> Floats:
    """The mean accuracy difference of each data set, on a scale of 0 to 1."""
    return np.array([s.mean for s in differences(a, b).values()])


def means() -> Floats:
    """Mean accuracies in percent: data sets x classifiers."""
    return np.array([[float(d.means[model]) for model in CLASSIFIERS] for d in data_sets()])


# --- folds with the same sums ----------------------------------------------------------------------------


def stand_in(data: DataSet, *, seed: int = 0) -> Floats:
    """Simulated folds x classifiers in percent, with the means and cross-products of the real ones.

    What a test makes of the folds through their sums alone (t-tests, hierarchical t-test, every test of task
    means) is the same for them; what looks at single folds is not. Simulated scores are cut off at 0 and 100
    and brought back to the sums, in turn, until they stay inside. Classifiers that never differ stay equal.
    """
    rng = np.random.default_rng(seed)
    first = {m: next(k for k in CLASSIFIERS if data.differences(m, k).m2 == 0) for m in CLASSIFIERS}
    apart = [m for m in CLASSIFIERS if first[m] == m]
    mean = np.array([float(data.means[m]) for m in apart])
    wanted = _root(np.array([[float(data.products[a, b]) for b in apart] for a in apart]))
    x = rng.normal(size=(data.folds, len(apart)))
    for _ in range(2000):
        x = x - x.mean(axis=0)
        x = mean + x @ np.linalg.pinv(_root(x.T @ x)) @ wanted
        if x.min() >= 0 and x.max() <= 100:
            break
        x = np.clip(x, 0.05, 99.95) + rng.normal(scale=1e-6, size=x.shape)
    else:
        raise AssertionError(f"no folds between 0 and 100 were found for {data.name}")
    return np.stack([x[:, apart.index(first[m])] for m in CLASSIFIERS], axis=1)


def _root(matrix: Floats) -> Floats:
    """The symmetric square root."""
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(vectors * np.sqrt(np.clip(values, 0, None)) @ vectors.T)


def stand_in_rows() -> list[tuple[str, str, int, int, float]]:
    """Rows (model, task, repeat, fold, score) for all data sets, as a cross-validation would write them."""
    rows = []
    for data in data_sets():
        scores = stand_in(data)
        for (k, model), fold in product(enumerate(CLASSIFIERS), range(data.folds)):
            repeat = fold // FOLDS
            rows.append((model, data.name, repeat + 1, fold % FOLDS + 1, float(scores[fold, k])))
    return rows


def write_stand_in(path: Path) -> Path:
    """`stand_in_rows` as a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["model", "task", "repeat", "fold", "score"])
        out.writerows(stand_in_rows())
    return path
