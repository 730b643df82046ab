"""Careless inputs whose other columns, numbers or names say that the scores are not what they seem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.refuse.careless_inputs import (
    Case,
    Files,
    N,
    answered,
    between,
    doors,
    gate,
    right,
    rng,
    sides,
    table,
    two,
)
from tests.refuse.careless_strangers import logs

FAILED = "but their scores are not worse than the others"
JUDGED = "they can hardly be compared"
RUN = "in one training run: each score depends on the one before"
UNIT = "are they in the same unit?"
UNCLEAR = "not clear whether a higher"


def took(fine: Any, bad: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Rows (id, seconds, what became of it): every fourth request of the second file failed at once."""
    return (
        lambda r, i: (i, round(r.uniform(1, 3), 3), fine),
        lambda r, i: (i, 0.01, bad) if i % 4 == 0 else (i, round(r.uniform(1, 3), 3), fine),
    )


def logged(key: str, low: float, odd: float) -> Files:
    """JSON lines with the text of an error, in a third of the rows of the second file."""

    def row(r: Any, i: int, *, fails: bool) -> dict[str, Any]:
        if fails and i % 3 == 0:
            return {"id": i, key: odd, "error": "connection reset"}
        return {"id": i, key: round(r.uniform(low, low + 0.5), 3), "error": None}

    return logs(lambda r, i: row(r, i, fails=False), lambda r, i: row(r, i, fails=True))


def curves(column: str, metric: str, up: float = 0.015) -> Files:
    """A score for each epoch of one training run."""

    def row(more: float) -> Callable[..., Any]:
        return lambda r, i: (i, round(0.9 - 0.4 * np.exp(-i / 15) + more + r.normal(0, 0.003), 4))

    return sides(f"{column},{metric}", row(0.0), row(up), n=60)


def class_ids(first: float, second: float, *, near: bool = False) -> Files:
    """Predictions of one of 1,000 classes, or of ages, by their numbers; so many of them are right."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        truth = r.integers(0, 40 if near else 1000, 2 * N)
        files = []
        for name, share in (("old", first), ("new", second)):
            wrong = truth + r.integers(-3, 4, 2 * N) if near else r.integers(0, 1000, 2 * N)
            said = np.where(r.random(2 * N) < share, truth, wrong)
            said = np.clip(said, truth.min(), truth.max())
            rows = list(zip(range(2 * N), truth, said, strict=True))
            files.append(table(folder / f"{name}.csv", "id,truth,prediction", rows))
        return files

    return make


def output(answer: Callable[[int], Any], low: float, rise: Callable[[int], float]) -> Files:
    """What a model says of each row, in a column `score` next to the right answer; the new one is worse."""

    def row(noise: float) -> Callable[..., Any]:
        return lambda r, i: (i, answer(i), round(low + rise(i) + r.uniform(0, noise), 3))

    return sides("id,label,score", row(0.3), row(0.6), n=2 * N)


def priced(folder: Path) -> Sequence[str]:
    """Predicted prices, in columns that are called after the models; the truth is called `price`."""
    r = rng()
    price = r.uniform(100, 900, 2 * N)
    files = []
    for side, model, sd in (("old", "svm", 20), ("new", "forest", 40)):
        rows = [(i, round(p, 2), round(p + r.normal(0, sd), 2)) for i, p in enumerate(price)]
        files.append(table(folder / f"{side}.csv", f"id,price,{model}", rows))
    return files


UNSAID = "a score or a prediction?"

ROWS = [
    doors(
        "probabilities in a column `score` next to a label of 0 and 1",
        output(lambda i: i % 2, 0.0, lambda i: 0.4 * (i % 2)),
        says=UNSAID,
    ),
    doors(
        "probabilities in a column `score` next to a label of two words",
        output(lambda i: ("ham", "spam")[i % 2], 0.0, lambda i: 0.4 * (i % 2)),
        says=UNSAID,
    ),
    doors(
        "predicted numbers in a column `score` next to the true ones",
        output(lambda i: 2 + i % 9, 2.0, lambda i: i % 9),
        says=UNSAID,
    ),
    answered(
        "right and wrong answers in a column `score` next to a reference of words",
        sides(
            "id,reference,score",
            lambda r, i: (i, ("yes", "no")[i % 2], int(r.random() < 0.9)),
            lambda r, i: (i, ("yes", "no")[i % 2], int(r.random() < 0.6)),
            n=2 * N,
        ),
        best="old",
    ),
    doors(
        "a truth called `price`, and predictions named after the model",
        priced,
        first="warns",
        says="it is the truth rather than a score",
    ),
    doors(
        "requests that failed immediately, as their status says",
        sides("id,latency,status", *took("ok", "error")),
        first="warns",
        says=FAILED,
    ),
    doors(
        "requests that failed immediately, as their HTTP status says",
        sides("id,latency,status_code", *took(200, 503)),
        first="warns",
        says=FAILED,
    ),
    doors(
        "requests that failed immediately, and a column `success`",
        sides("id,latency,success", *took(1, 0)),
        "--score",
        "latency",
        first="warns",
        says=FAILED,
    ),
    doors(
        "programs that were killed immediately, as their exit codes say",
        sides("id,seconds,exit_code", *took(0, 137)),
        first="warns",
        says=FAILED,
    ),
    doors(
        "JSON lines of requests with the text of an error",
        logged("latency", 1.0, 0.02),
        "--score",
        "latency",
        first="warns",
        says=FAILED,
    ),
    doors(
        "JSON lines with a full score where the judge failed",
        logged("score", 0.3, 1.0),
        "--score",
        "score",
        first="warns",
        says=FAILED,
    ),
    answered(
        "failed rows with a score of 0, as they should have",
        sides(
            "id,score,status",
            between(0.6, 0.9, "ok"),
            lambda r, i: (i, 0, "error") if i % 4 == 0 else (i, round(r.uniform(0.6, 0.9), 3), "ok"),
        ),
        best="old",
    ),
    doors(
        "a different judge for each file",
        sides("id,score,judge", between(0.3, 0.8, "gpt-4"), between(0.6, 0.9, "llama")),
        first="warns",
        says=JUDGED,
    ),
    doors(
        "points out of 20 and out of 30",
        sides(
            "id,score,max_score",
            lambda r, i: (i, r.integers(5, 21), 20),
            lambda r, i: (i, r.integers(8, 31), 30),
        ),
        first="warns",
        says=JUDGED,
    ),
    doors(
        "latency on two kinds of GPU",
        sides("id,latency,gpu", between(1, 3, "A100"), between(0.5, 2, "H100")),
        first="warns",
        says=JUDGED,
    ),
    doors(
        "the epochs of a training run as units",
        curves("epoch", "val_acc"),
        "--unit",
        "epoch",
        first="warns",
        says=RUN,
    ),
    doors(
        "the epochs of a training run by position",
        curves("epoch", "val_acc"),
        "--by-position",
        first="warns",
        says=RUN,
    ),
    doors(
        "the steps of a training run as units",
        curves("step", "val_loss"),
        "--unit",
        "step",
        first="warns",
        says=RUN,
    ),
    doors(
        "the rewards of episodes during training",
        curves("episode", "reward"),
        "--unit",
        "episode",
        first="warns",
        says=RUN,
    ),
    doors("epochs, and nothing to pair them by", curves("epoch", "val_acc"), says="no column says which row"),
    doors(
        "rows numbered from 0 in one file and from 1 in the other",
        sides("id,correct", right(0.7), lambda r, i: (i + 1, int(r.random() < 0.9))),
        "--missing",
        "drop",
        first="warns",
        says="numbered from 0 and those of",
    ),
    doors(
        "folds numbered from 0 in one file and from 1 in the other",
        sides(
            "fold,accuracy",
            lambda r, i: (i, 0.8 + 0.01 * r.normal()),
            lambda r, i: (i + 1, 0.83 + 0.01 * r.normal()),
            n=10,
        ),
        "--missing",
        "drop",
        first="warns",
        says="numbered from 0 and those of",
    ),
]
VALUES = [
    doors(
        "the grader says 1 to everything",
        sides("id,correct", right(0.8), lambda r, i: (i, 1)),
        first="warns",
        then="warns",
        says="is 1, in 200 units, and those of other models vary",
    ),
    doors(
        "the candidate was never run, and counts as 0",
        sides("id,correct", right(0.8), lambda r, i: (i, 0)),
        first="warns",
        then="warns",
        says="is 0, in 200 units, and those of other models vary",
    ),
    doors(
        "the judge fell back to 0.5",
        sides("id,score", between(0.2, 0.6), lambda r, i: (i, 0.5)),
        first="warns",
        then="warns",
        says="in 200 units, and those of other models vary",
    ),
    doors(
        "seconds in one file, minutes in the other",
        sides("id,duration", between(60, 180), lambda r, i: (i, round(r.uniform(70, 200) / 60, 4))),
        first="warns",
        says=UNIT,
    ),
    doors(
        "cents in one file, dollars in the other",
        sides("id,cost", between(1, 3), lambda r, i: (i, round(r.uniform(0.011, 0.031), 5))),
        first="warns",
        then="warns",
        says="are some in cents?",
    ),
    doors(
        "megabytes in one file, gigabytes in the other",
        sides("id,memory", between(1000, 3000), lambda r, i: (i, round(r.uniform(1.1, 3.3), 4))),
        first="warns",
        says=UNIT,
    ),
    answered("predictions of 1,000 classes by their numbers", class_ids(0.9, 0.7), best="old"),
    doors(
        "predictions of 1,000 classes by models that are mostly wrong",
        class_ids(0.3, 0.2),
        first="warns",
        says="if the numbers are names of classes, write them as words",
    ),
    doors(
        "ages in whole years, all of which the truth has",
        class_ids(0.2, 0.1, near=True),
        first="warns",
        says="a near miss should not count as much as a wide one",
    ),
    doors(
        "-1 for wrong and 1 for right",
        sides("id,correct", *(lambda r, i, p=p: (i, 1 if r.random() < p else -1) for p in (0.7, 0.9))),
        says="it cannot be below 0",
    ),
    doors(
        "scores as 4/5",
        sides("id,score", *(lambda r, i: (i, f"{r.integers(0, 6)}/5") for _ in "ab")),
        says="hold no finite number",
    ),
    doors(
        "scores as 4 stars",
        sides("id,score", *(lambda r, i: (i, f"{r.integers(0, 6)} stars") for _ in "ab")),
        says="hold no finite number",
    ),
    doors(
        "`acc` in one file, `accuracy` in the other",
        lambda folder: [
            table(folder / f"{side}.csv", f"id,{name}", [(i, 0.7 + i / 999) for i in range(60)])
            for side, name in (("old", "acc"), ("new", "accuracy"))
        ],
        says="the files have different scores",
    ),
    doors(
        "no header",
        lambda folder: [
            table(folder / f"{s}.csv", "0,1", [(i, i % 2) for i in range(1, 60)]) for s in ("old", "new")
        ],
        says="holds numbers, not names of columns",
    ),
    doors(
        "two columns of the same name",
        lambda folder: [
            table(folder / f"{s}.csv", "id,accuracy,accuracy", [(i, 0.7, 0.9) for i in range(60)])
            for s in ("old", "new")
        ],
        says="more than one column called",
    ),
]
NAMES = [
    *(
        doors(
            f"`{name}`, where more may be good or bad",
            two(name, 0.1, 0.5, 0.3),
            first="warns",
            says=UNCLEAR,
        )
        for name in (
            "jailbreaks_blocked",
            "error_handling",
            "seconds_survived",
            "uptime_seconds",
            "days_to_failure",
            "no_errors",
        )
    ),
    answered("`-loss`, where higher is better", two("-loss", -0.5, -0.1, 0.3), best="new"),
    answered("`on_time_rate`, where higher is better", two("on_time_rate", 0.1, 0.5, 0.3), best="new"),
    answered("`gini_impurity`, where lower is better", two("gini_impurity", 0.1, 0.5, 0.3), best="old"),
    [
        gate(
            "`memory_used`, where lower is better",
            two("memory_used", 1, 5, 3),
            outcome="right",
            best="baseline",
        )
    ],
]
CASES: list[Case] = [c for group in (ROWS, VALUES, NAMES) for cases in group for c in cases]
