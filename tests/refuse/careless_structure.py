"""Careless inputs whose ids, repeated columns or names say that something is not what it seems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.refuse.careless_inputs import Case, Files, N, answered, both, compare, doors, rng, table, two

UNCLEAR = "not clear whether a higher"
Make = Callable[[np.random.Generator], tuple[Any, Any]]


def _pair(column: str, make: Make, ids: Callable[[int], Any] = int, **more: Callable[[int], Any]) -> Files:
    """Old and new files; `make` gives both columns of scores, `ids` and `more` the other cells of a row."""

    def files(folder: Path) -> Sequence[str]:
        return [
            table(
                folder / f"{side}.csv",
                ",".join(["id", *more, column]),
                [(ids(i), *(f(i) for f in more.values()), x) for i, x in enumerate(values)],
            )
            for side, values in zip(("old", "new"), make(rng()), strict=True)
        ]

    return files


def _flags(old: float, new: float) -> Make:
    return lambda r: ((r.random(N) < old).astype(int), (r.random(N) < new).astype(int))


def _uniform(old: tuple[float, float], new: tuple[float, float], digits: int = 4) -> Make:
    return lambda r: (r.uniform(*old, N).round(digits), r.uniform(*new, N).round(digits))


def _whole(old: tuple[int, int], new: tuple[int, int]) -> Make:
    return lambda r: (r.integers(*old, N), r.integers(*new, N))


def _by_group(r: np.random.Generator) -> tuple[Any, Any]:
    """Twenty documents of ten rows; the new model differs from the old one by document."""
    own = np.repeat(r.normal(0, 0.1, N // 10), 10)
    x = r.uniform(0.4, 0.6, N)
    return x.round(4), (x + own + r.normal(0, 0.02, N)).clip(0, 1).round(4)


def _folds(r: np.random.Generator) -> tuple[Any, Any]:
    x = r.normal(0.8, 0.02, 10)
    return x.round(4), (x + r.normal(0.03, 0.005, 10)).round(4)


def _right_answers(classes: int, *, words: bool = False) -> Files:
    """Both files have the right answers in `correct`, and the model's own in `prediction`."""

    def files(folder: Path) -> Sequence[str]:
        r = rng()
        truth = r.integers(0, classes, N)
        name = (lambda k: "ABCD"[k]) if words else int
        return [
            table(
                folder / f"{side}.csv",
                "id,correct,prediction",
                [
                    (i, name(t), name(t if r.random() < p else r.integers(0, classes)))
                    for i, t in enumerate(truth)
                ],
            )
            for side, p in (("old", 0.6), ("new", 0.8))
        ]

    return files


def _wide(header: str, make: Callable[[np.random.Generator], Sequence[Any]]) -> Files:
    def files(folder: Path) -> Sequence[str]:
        return [table(folder / "t.csv", f"id,{header}", list(zip(range(N), *make(rng()), strict=True)))]

    return files


def _with_oracle(r: np.random.Generator) -> Sequence[Any]:
    a, b = r.random((2, N)).round(3)
    return a, b, np.maximum(a, b)


def _with_ranks(r: np.random.Generator) -> Sequence[Any]:
    a, b = r.random((2, N)).round(3)
    return a, b, np.where(a > b, 1, 2), np.where(a > b, 2, 1)


def _shares_of_one(r: np.random.Generator) -> tuple[Any, Any]:
    a = r.uniform(0.3, 0.8, N).round(4)
    return a, (1 - a).round(4)


def _smoothed(r: np.random.Generator) -> tuple[Any, Any]:
    window = np.ones(20) / 20
    old, new = (np.convolve(x, window, "valid").round(5) for x in r.random((2, N + 19)))
    return old, (new + 0.1).round(5)


BAD = ("is_violation", "hallucinated", "unsafe", "is_toxic")
OPEN = ("refused", "escalated", "flagged", "preferred")
COUNTS = ("retries", "interventions", "num_steps", "turns", "response_length", "tokens_used")

CASES: list[Case] = [
    # --- names ---------------------------------------------------------------------------------------------
    *(c for name in BAD for c in answered(f"`{name}` as 0 and 1", _pair(name, _flags(0.1, 0.4)), best="old")),
    *(
        c
        for name in OPEN
        for c in both(
            f"`{name}` as 0 and 1, which may be good or bad",
            _pair(name, _flags(0.1, 0.4)),
            outcome="warns",
            says=UNCLEAR,
        )
    ),
    *(
        c
        for name in COUNTS
        for c in both(
            f"`{name}`, which may be good or bad",
            _pair(name, _whole((3, 9), (6, 12))),
            outcome="warns",
            says=UNCLEAR,
        )
    ),
    *(
        c
        for name in ("co2_kg", "energy_kwh", "bpb", "fid", "lpips", "false_negatives")
        for c in answered(f"`{name}` goes up", two(name, 1, 5, 3), best="old")
    ),
    *answered("`psnr` goes up", two("psnr", 20, 30, 3), best="new"),
    *(
        c
        for name in (
            "f1_upper",
            "accuracy_lcb",
            "accuracy_stderr",
            "pvalue",
            "percentile",
            "p99",
            "distance_km",
        )
        for c in both(
            f"`{name}`, which says nothing about the direction",
            two(name, 0.1, 0.4, 0.2),
            outcome="warns",
            says=UNCLEAR,
        )
    ),
    # --- ids -----------------------------------------------------------------------------------------------
    *both(
        "folds whose ids say so: fold_3",
        _pair("accuracy", _folds, "fold_{}".format),
        outcome="warns",
        says="the ids are those of folds",
    ),
    *both(
        "sentences of documents, as only the ids show: doc3_sent4",
        _pair("f1", _by_group, lambda i: f"doc{i // 10}_sent{i % 10}"),
        outcome="warns",
        says="ids that begin alike",
    ),
    *both(
        "variants of the same questions: q12-3",
        _pair("f1", _by_group, lambda i: f"q{i // 10}-{i % 10}"),
        outcome="warns",
        says="ids that begin alike",
    ),
    *both(
        "several rows of every customer",
        _pair("f1", _by_group, customer=lambda i: f"c{i // 10}"),
        outcome="warns",
        says="rows with the same `customer`",
    ),
    *doors(
        "the answers in the column of ids, and numbers of rows in that of scores",
        _pair("score", lambda r: (range(N), range(N)), lambda i: i % 2),
        says="units with more than one row",
    ),
    # --- the truth -----------------------------------------------------------------------------------------
    *doors(
        "right answers A to D in a column `correct`",
        _right_answers(4, words=True),
        says='truth="correct" (--truth correct)',
    ),
    *both(
        "right answers 0 to 3 in a column `correct`",
        _right_answers(4),
        outcome="warns",
        says="seems to be the right answer",
    ),
    *both(
        "right answers 0 and 1 in a column `correct`",
        _right_answers(2),
        outcome="warns",
        says="seems to be the right answer",
    ),
    # --- values --------------------------------------------------------------------------------------------
    *both(
        "shares that add up to one for each example",
        _pair("win_probability", _shares_of_one),
        outcome="warns",
        says="and bad where it is good",
    ),
    *both(
        "moving averages of the scores",
        _pair("accuracy", _smoothed),
        outcome="warns",
        says="running averages",
    ),
    *both(
        "sorted scores next to each other",
        _pair("accuracy", lambda r: (np.sort(r.random(N)).round(4), np.sort(r.random(N)).round(4))),
        outcome="warns",
        says="was each column sorted?",
    ),
    *both(
        "accuracy relative to the baseline",
        _pair("accuracy_vs_baseline", lambda r: (np.ones(N), r.normal(1.05, 0.1, N).round(3))),
        outcome="warns",
        says="neither a fraction nor a percentage",
    ),
    *both(
        "a penalty for wrong answers in one file",
        _pair("score", lambda r: (r.choice([0, 1], N), r.choice([-0.25, 1], N))),
        outcome="warns",
        says="are they on the same scale?",
    ),
    *doors(
        "dates that a spreadsheet made of fractions",
        _pair("score", lambda r: tuple([f"{k}-Jan" for k in r.integers(1, 9, N)] for _ in range(2))),
        says="hold no finite number",
    ),
    *doors(
        "the word abstain in a third of the rows",
        _pair(
            "correct", lambda r: tuple(["abstain" if x < 0.3 else 1 for x in r.random(N)] for _ in range(2))
        ),
        says="hold no finite number",
    ),
    # --- wide tables ---------------------------------------------------------------------------------------
    compare(
        "a column `oracle` next to two models",
        _wide("svm,forest,oracle", _with_oracle),
        outcome="refuses",
        says="computed from the others",
    ),
    compare(
        "ranks next to the scores that they were made of",
        _wide("svm,forest,svm_rank,forest_rank", _with_ranks),
        outcome="refuses",
        says="which are the models?",
    ),
]
