"""Careless inputs whose rows are not examples, or whose columns are not models."""

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
    both,
    compare,
    doors,
    gate,
    long,
    right,
    rng,
    sides,
    table,
    two,
    wide,
)

RESAMPLED = "the rows are resamples of the same examples"
SLOW = "hardly change from one row to the next"
UNCLEAR = "not clear whether a higher"
SURE = "are they of the predicted class"


def made(header: str, columns: Callable[[Any], list[list[float]]], *, key: Any = None) -> Files:
    """Old and new files of one column each, made as a whole; the key of row i is i, or `key(i)`."""

    def make(folder: Path) -> Sequence[str]:
        return [
            table(
                folder / f"{side}.csv",
                header,
                [(i if key is None else key(i), x) for i, x in enumerate(column)],
            )
            for side, column in zip(("old", "new"), columns(rng()), strict=True)
        ]

    return make


def running(r: Any) -> list[list[float]]:
    """The share of right answers up to each row."""
    return [(np.cumsum(r.random(N) < p) / np.arange(1, N + 1)).round(5).tolist() for p in (0.78, 0.85)]


def totals(r: Any) -> list[list[float]]:
    return [np.cumsum(r.uniform(1, up, N)).round(3).tolist() for up in (2, 2.2)]


def resampled(r: Any) -> list[list[float]]:
    drawn = r.normal(0, 0.01, N)
    return [(mean + drawn + r.normal(0, 0.005, N)).round(4).tolist() for mean in (0.8, 0.82)]


def each_sorted(r: Any) -> list[list[float]]:
    return [np.sort(r.uniform(low, low + 0.3, N)).round(5).tolist() for low in (0.4, 0.45)]


def sure() -> Files:
    """The confidence of two classifiers in what they predict, next to the truth."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        truth = r.integers(0, 2, N)
        files = []
        for side, gap in (("old", 0.3), ("new", 0.6)):
            p = np.clip(0.5 + (truth - 0.5) * gap + r.normal(0, 0.2, N), 0.01, 0.99)
            rows = list(zip(range(N), truth, np.maximum(p, 1 - p).round(4), strict=True))
            files.append(table(folder / f"{side}.csv", "id,truth,confidence", rows))
        return files

    return make


def board(head: str) -> Files:
    """A leaderboard: a row for each of thirty systems, a column for each benchmark."""
    return long(
        head,
        lambda r: [
            (f"sys{i}", *(round(x + r.uniform(0, 0.1), 3) for x in (0.6, 0.3, 0.5))) for i in range(30)
        ],
    )


def spoken(say: Callable[[str, int], str]) -> Files:
    """Answers of one word; the candidate, which is better, says them in another way."""

    def row(share: float, how: Callable[[str, int], str]) -> Callable[..., Any]:
        def one(r: Any, i: int) -> tuple[Any, ...]:
            truth = ("Paris", "Rome")[i % 2]
            said = truth if r.random() < share else ("Rome", "Paris")[i % 2]
            return i, truth, how(said, i)

        return one

    return sides("id,truth,prediction", row(0.7, lambda word, i: word), row(0.95, say))


NAMES = [
    *(
        case
        for name in (
            "membership_inference_accuracy",
            "backdoor_accuracy",
            "min_distance_to_obstacle",
            "distance_travelled",
            "battery_duration",
            "policy_entropy",
            "hours_until_crash",
            "images_sec",
            "memory_available",
            "overlap_with_train",
        )
        for case in doors(
            f"`{name}`, where more may be good or bad",
            two(name, 0.1, 0.5, 0.3),
            first="warns",
            says=UNCLEAR,
        )
    ),
    *(
        case
        for name in ("mean_edit_distance", "val_cross_entropy", "p95_duration")
        for case in answered(f"`{name}`, where lower is better", two(name, 0.1, 0.5, 0.3), best="old")
    ),
]
ROWS = [
    *doors(
        "a thousand bootstrap samples as examples",
        made("bootstrap_id,accuracy", resampled),
        "--unit",
        "bootstrap_id",
        first="warns",
        says=RESAMPLED,
    ),
    *doors(
        "bootstrap samples whose ids say so",
        made("id,accuracy", resampled, key=lambda i: f"boot_{i}"),
        first="warns",
        says=RESAMPLED,
    ),
    *doors("the accuracy so far, in every row", made("id,accuracy", running), first="warns", says=SLOW),
    *doors(
        "seconds since the start, in every row",
        made("id,elapsed_seconds", totals),
        first="warns",
        says="never change direction from row to row",
    ),
    *doors(
        "each file sorted by its own score, and paired by position",
        made("row,accuracy", each_sorted),
        "--by-position",
        first="warns",
        says="never change direction from row to row",
    ),
    *doors(
        "rows that were skipped and count as right",
        sides(
            "id,correct,skipped",
            lambda r, i: (i, int(r.random() < 0.7), False),
            lambda r, i: (i, 1, True) if i % 4 == 0 else (i, int(r.random() < 0.7), False),
        ),
        first="warns",
        says="but their scores are not worse than the others",
    ),
    compare(
        "a task `mmlu` next to its parts",
        long(
            "model,task,accuracy",
            lambda r: [
                (m, t, round(up + r.uniform(0.6, 0.62), 4))
                for m, up in (("a", 0.0), ("b", 0.05))
                for t in ("mmlu", "mmlu_stem", "mmlu_law", "mmlu_biology", "arc", "gsm8k")
            ],
        ),
        outcome="warns",
        says='"mmlu" may be made of',
    ),
    *doors("confidence in the predicted class", sure(), first="warns", says=SURE),
    *doors(
        "confidence in the predicted class, by AUROC", sure(), "--metric", "auroc", first="warns", says=SURE
    ),
    *doors(
        "a second header in the middle of a file",
        sides("id,correct", right(0.7), right(0.9, mark="correct", at=lambda i: i == 90)),
        says="hold",
    ),
    *doors(
        "a row of units under the header",
        sides(
            "id,latency",
            lambda r, i: (i, 20 + r.integers(9)) if i else ("", "ms"),
            lambda r, i: (i, 21 + r.integers(9)) if i else ("", "ms"),
        ),
        says="holds no value",
    ),
    *doors(
        "a candidate without a row",
        lambda folder: [
            table(folder / "old.csv", "id,correct", [(i, i % 2) for i in range(60)]),
            table(folder / "new.csv", "id,correct", []),
        ],
        says="has a header and no rows",
    ),
    *both(
        "three examples, all better by the same amount",
        sides("id,accuracy", lambda r, i: (i, 0.7 + i / 10), lambda r, i: (i, 0.72 + i / 10), n=3),
        outcome="undecided",
    ),
]
COLUMNS = [
    compare(
        "a leaderboard without a name for its systems",
        board(",mmlu,gsm8k,arc"),
        outcome="refuses",
        says="named after benchmarks",
    ),
    compare(
        "a leaderboard with the systems in a column `name`",
        board("name,mmlu,gsm8k,arc"),
        outcome="refuses",
        says="named after benchmarks",
    ),
    compare(
        "three models in rows, forty examples in columns, and no name for the first",
        long(
            "," + ",".join(f"q{i}" for i in range(40)),
            lambda r: [(m, *r.integers(0, 2, 40)) for m in ("svm", "knn", "rf")],
        ),
        outcome="refuses",
        says="is it the other way round?",
    ),
    compare(
        "a confusion matrix",
        long(",cat,dog,emu", lambda r: [(c, *r.integers(0, 90, 3)) for c in ("cat", "dog", "emu")]),
        outcome="refuses",
        says="it looks like a confusion matrix",
    ),
    compare(
        "columns `val` and `test` of one model",
        wide("id,val,test", "id", "high", "share"),
        "--higher-is-better",
        outcome="refuses",
        says="named after parts of the data",
    ),
    *(
        compare(
            f"a wide table with the column `{name}`",
            wide(f"id,svm,forest,{name}", "id", "answer", "answer", "good"),
            outcome="refuses",
            says="its name is that of a property of the example",
        )
        for name in ("version", "batch", "epoch", "n_classes")
    ),
    *doors(
        "a table of promptfoo",
        lambda folder: [
            table(folder / f"{s}.csv", "x,[gpt-4] Say {{x}}", [(i, "[PASS] ok") for i in range(9)])
            for s in ("old", "new")
        ],
        says="looks like a table of promptfoo",
    ),
    *doors(
        "winners and losers",
        lambda folder: [
            table(folder / f"{s}.csv", "id,winner,loser", [(i, "ab"[i % 2], "ba"[i % 2]) for i in range(9)])
            for s in ("old", "new")
        ],
        says="looks like a list of winners and losers",
    ),
    *doors(
        "answers with a full stop",
        spoken(lambda word, i: word + "." * (i % 2)),
        says="a label that does not occur in the truth",
    ),
    *doors(
        "answers in whole sentences",
        spoken(lambda word, i: f"I think it is {word}"),
        says="a label that does not occur in the truth",
    ),
    *doors(
        "an error in place of an answer",
        spoken(lambda word, i: "ERROR: rate limit" if i % 3 == 0 else word),
        says="a label that does not occur in the truth",
    ),
    *doors(
        "no answer in a third of the rows",
        spoken(lambda word, i: "" if i % 3 == 0 else word),
        says="hold no value",
    ),
    *doors(
        "classes counted from 0 in one file and from 1 in the truth",
        sides(
            "id,truth,prediction", lambda r, i: (i, 1 + i % 2, 1 + i % 2), lambda r, i: (i, 1 + i % 2, i % 2)
        ),
        says="a label that does not occur in the truth",
    ),
    *answered(
        "a column of weights",
        sides(
            "id,correct,weight",
            lambda r, i: (i, int(r.random() < 0.6), i),
            lambda r, i: (i, int(r.random() < 0.9), i),
        ),
        best="new",
    ),
    *doors(
        "`pass@1` in one file, `pass@5` in the other",
        lambda folder: [
            table(folder / f"{s}.csv", f"id,pass@{k}", [(i, int(i % 3 > 0)) for i in range(60)])
            for s, k in (("old", 1), ("new", 5))
        ],
        says="the files have different scores",
    ),
    *doors(
        "logits in one file, probabilities in the other",
        sides(
            "id,truth,probability",
            lambda r, i: (i, i % 2, round(0.3 + 0.4 * (i % 2) + r.uniform(0, 0.2), 3)),
            lambda r, i: (i, i % 2, round(r.normal(i % 2, 1), 3)),
        ),
        says="hold no probability",
    ),
    gate(
        "three files, the first of which is the truth",
        lambda folder: [
            table(folder / f"{s}.csv", f"id,{c}", [(i, i % 2) for i in range(60)])
            for s, c in (("truth", "truth"), ("old", "prediction"), ("new", "prediction"))
        ],
        outcome="refuses",
        says="unexpected extra argument",
    ),
    *both(
        "a threshold of 0.05, which is an alpha",
        two("accuracy", 0.7, 0.9, 0.02),
        "--threshold",
        "0.05",
        outcome="refuses",
        says="is 0.05",
    ),
]
CASES: list[Case] = [*NAMES, *ROWS, *COLUMNS]
