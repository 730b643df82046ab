"""Sum the folds of a cross-validation per data set: means and cross-products, nothing that gives a fold back.

    python reproduce/sum_folds.py RAW.csv > reproduce/figures/benavoli2017_sums.csv

RAW.csv has the columns model, task, repeat, fold and score (accuracy in percent). The shipped table was made
from the results of Benavoli, Corani, Demšar & Zaffalon (2017): five classifiers on 54 data sets, 10 runs of
10-fold cross-validation. The raw results are not ours to ship. Twenty sums of 500 accuracies do not determine
any of them.

The scores have three decimals, so that means and cross-products are finite decimals. They are written in
full: two classifiers that never differ still differ by exactly zero.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TextIO

Folds = dict[tuple[str, str], Decimal]


def read(path: Path) -> dict[str, dict[str, Folds]]:
    """{task: {model: {(repeat, fold): score}}}, in the order of the file."""
    found: dict[str, dict[str, Folds]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            folds = found.setdefault(row["task"], {}).setdefault(row["model"], {})
            folds[row["repeat"], row["fold"]] = Decimal(row["score"])
    return found


def sums(scores: dict[str, Folds]) -> dict[str, Decimal | int]:
    """Number of folds, mean of each model, Σ (x - mean x)(y - mean y) of each two models on one data set."""
    keys = list(next(iter(scores.values())))
    n = len(keys)
    totals = {model: sum((folds[key] for key in keys), Decimal()) for model, folds in scores.items()}
    row: dict[str, Decimal | int] = {"folds": n}
    row |= {f"mean {model}": total / n for model, total in totals.items()}
    for a, b in combinations_with_replacement(scores, 2):
        product = sum((scores[a][key] * scores[b][key] for key in keys), Decimal())
        row[f"{a} x {b}"] = product - totals[a] * totals[b] / n
    return row


def plain(value: Decimal | int) -> str:
    """Without an exponent and without zeros at the end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def write(rows: Iterable[tuple[str, dict[str, Decimal | int]]], file: TextIO) -> None:
    out = csv.writer(file, lineterminator="\n")
    for number, (task, row) in enumerate(rows):
        if not number:
            out.writerow(["task", *row])
        out.writerow([task, *(plain(value) for value in row.values())])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} RAW.csv")
    write(((task, sums(scores)) for task, scores in read(Path(sys.argv[1])).items()), sys.stdout)
