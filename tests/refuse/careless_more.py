"""Careless inputs that go through both doors: other data, other scales, odd ids, names that mislead."""

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
    compare,
    doors,
    gate,
    right,
    rng,
    sides,
    table,
    wide,
)

UNCLEAR = "not clear whether a higher"
LEFT_EMPTY = "leave the cell empty and say what to do"
SCALE = "are they on the same scale?"


def labelled(column: str, old: str, new: str) -> Files:
    """Right and wrong answers next to a column that says of which data they are."""
    return sides(
        f"id,{column},correct",
        lambda r, i: (i, old, int(r.random() < 0.7)),
        lambda r, i: (i, new, int(r.random() < 0.9)),
    )


def keyed(old: Callable[[int], Any], new: Callable[[int], Any]) -> Files:
    """Right and wrong answers under ids that are written in two ways."""
    return sides(
        "id,correct",
        lambda r, i: (old(i), int(r.random() < 0.7)),
        lambda r, i: (new(i), int(r.random() < 0.9)),
    )


def everywhere(column: str, old: str, new: str) -> Files:
    """The same text in every row of a file."""
    return sides(f"id,{column}", lambda r, i: (i, old), lambda r, i: (i, new))


def worse(column: str) -> Files:
    """The second file is higher."""
    return sides(f"id,{column}", between(0.1, 0.4), between(0.3, 0.6))


def regression(old: Callable[[float], float], new: Callable[[float], float]) -> Files:
    """Predictions of a price, written in two ways."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        truth = r.uniform(90, 300, N)
        return [
            table(
                folder / f"{side}.csv",
                "id,truth,prediction",
                [(i, round(y, 2), round(way(y + r.normal(0, 15)), 4)) for i, y in enumerate(truth)],
            )
            for side, way in (("old", old), ("new", new))
        ]

    return make


def classified(
    old: Callable[[float], Any], new: Callable[[float], Any], truth: Callable[[int], Any]
) -> Files:
    """What two models say of two classes, from the probability of the second one."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        y = r.integers(0, 2, N)
        p = [np.clip(0.25 + 0.5 * y + r.normal(0, 0.25, N), 0.01, 0.99) for _ in range(2)]
        return [
            table(
                folder / f"{side}.csv",
                "id,truth,prediction",
                [(i, truth(int(y[i])), way(float(x[i]))) for i in range(N)],
            )
            for side, way, x in (("old", old, p[0]), ("new", new, p[1]))
        ]

    return make


def tasks(names: Sequence[str]) -> Files:
    """One score a task in a file for each side, of tasks under these names; the second file is higher."""
    return lambda folder: [
        table(
            folder / f"{side}.csv",
            "task,score",
            [(name, round(12 + k + up + 0.01 * k * k, 3)) for k, name in enumerate(names)],
        )
        for side, up in (("old", 0.0), ("new", 2.0))
    ]


PICKED = ("--model", "svm", "--model", "forest")


def labels_of(truth: str) -> Files:
    """A truth of 0 and 1, and what two models say; forest is right more often, and says 1 less often."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        y = r.integers(0, 2, N)
        svm = np.where(r.random(N) < 0.65, y, 1)
        forest = np.where(r.random(N) < 0.95, y, 0)
        return [
            table(
                folder / "t.csv", f"id,{truth},svm,forest", list(zip(range(N), y, svm, forest, strict=True))
            )
        ]

    return make


def twice(files: Files) -> Files:
    """One file for both sides of a gate."""
    return lambda folder: [*files(folder), *files(folder)]


def answered_wide(what: str, files: Files, *options: str) -> list[Case]:
    """One table at both doors, of which forest is the better model."""
    return [
        compare(what, files, *options, outcome="right", best="forest"),
        gate(what, twice(files), *options, outcome="right", best="candidate"),
    ]


def same(x: float) -> float:
    return x


def label(p: float) -> int:
    return int(p > 0.5)


def probability(p: float) -> float:
    return round(p, 4)


def identity(y: int) -> int:
    return y


def run_again(folder: Path) -> Sequence[str]:
    """The same model before and after a change."""
    r = rng()
    return [
        table(
            folder / f"{side}.csv",
            "model,id,correct",
            [("gpt", i, int(r.random() < share)) for i in range(N)],
        )
        for side, share in (("old", 0.7), ("new", 0.9))
    ]


DATA = [
    *(
        doors(
            f"`{column}` is {old} in one file and {new} in the other",
            labelled(column, old, new),
            says=f"have different texts in `{column}` under the same id",
        )
        for column, old, new in (
            ("split", "dev", "test"),
            ("subset", "easy", "hard"),
            ("language", "en", "de"),
            ("dataset_version", "v1", "v2"),
        )
    ),
    doors(
        "`dataset` is mmlu in one file and mmlu-pro in the other",
        labelled("dataset", "mmlu", "mmlu-pro"),
        says="share no ids",
    ),
    answered("`model_version` differs, as it should", labelled("model_version", "2.0", "2.1"), best="new"),
    [
        compare(
            "two runs of a model that is called the same in both files",
            run_again,
            outcome="refuses",
            says="have the same model name",
        ),
        gate(
            "two runs of a model that is called the same in both files",
            run_again,
            outcome="right",
            best="candidate",
        ),
    ],
    doors(
        "different truths under the same ids",
        lambda folder: [
            table(
                folder / f"{side}.csv",
                "id,truth,prediction",
                [(i, "ab"[(i * k) % 2], "ab"[i % 2]) for i in range(N)],
            )
            for side, k in (("old", 1), ("new", 2))
        ],
        says="differ in the truth of",
    ),
    doors(
        "the candidate's column of predictions is a copy of the truth",
        lambda folder: [
            table(
                folder / f"{side}.csv",
                "id,truth,prediction",
                [(i, "ab"[i % 2], "ab"[(i + (i < wrong)) % 2]) for i in range(N)],
            )
            for side, wrong in (("old", N // 5), ("new", 0))
        ],
        first="warns",
        then="warns",
        says="right on all",
    ),
]
IDS = [
    doors(
        "ids with a space at the end",
        keyed(lambda i: f"q{i}", lambda i: f"q{i} "),
        says="ids would pair without",
    ),
    doors("ids in capitals", keyed(lambda i: f"q{i}", lambda i: f"Q{i}"), says="ids would pair without"),
    doors(
        "ids as a spreadsheet writes them, 1.000e+03",
        keyed(lambda i: 1000 * (i + 1), lambda i: f"{1000 * (i + 1):.3e}"),
        says="share no ids",
    ),
    doors("the same id in every row", keyed(lambda i: "run1", lambda i: "run1"), says="more than one row"),
    doors(
        "the time of the request as the only key",
        sides(
            "timestamp,correct",
            lambda r, i: (f"2025-01-01T00:{i // 60:02d}:{i % 60:02d}", int(r.random() < 0.7)),
            lambda r, i: (f"2025-01-02T00:{i // 60:02d}:{i % 60:02d}", int(r.random() < 0.9)),
        ),
        says="no column says which row",
    ),
]
SCALES = [
    doors(
        "a judge from 0 to 1, and one from 1 to 5",
        sides("id,judge_score", between(0, 1), lambda r, i: (i, r.integers(1, 6))),
        "--higher-is-better",
        first="warns",
        says="end at 1 and those of",
    ),
    doors(
        "one F1 of 1e30",
        sides("id,f1", between(0.3, 0.6), lambda r, i: (i, 1e30 if i == 3 else r.uniform(0.5, 0.8))),
        first="warns",
        says="it is neither a fraction nor a percentage",
    ),
    doors(
        "the baseline predicts logarithms",
        regression(lambda y: float(np.log(y)), same),
        first="warns",
        says=SCALE,
    ),
    doors(
        "the baseline predicts z-scores",
        regression(lambda y: (y - 195) / 60, same),
        first="warns",
        says=SCALE,
    ),
    doors(
        "the candidate predicts in thousands", regression(same, lambda y: y / 1000), first="warns", says=SCALE
    ),
    doors(
        "labels of the baseline, probabilities of the candidate",
        classified(label, probability, identity),
        first="warns",
        says="are all 0 or 1, like labels",
    ),
    doors(
        "labels without the truth's spelling: 1 for yes",
        classified(label, label, lambda y: ("no", "yes")[y]),
        says="does not occur in the truth",
    ),
    doors(
        "a score of inf",
        sides("id,score", between(0.3, 0.6), lambda r, i: (i, "inf" if i == 3 else 0.5)),
        says="holds no finite number",
    ),
]
NAMES = [
    *(
        doors(f"`{name}`, where more may be good or bad", worse(name), first="warns", says=UNCLEAR)
        for name in (
            "errors_found",
            "fault_tolerance",
            "toxicity_detection_rate",
            "latency_score",
            "inverse_accuracy",
            "watch_time",
            "samples_to_accuracy",
        )
    ),
    *(
        answered(f"`{name}`, where lower is better", worse(name), best="old")
        for name in ("inaccuracy", "imprecision", "missed_detection_rate")
    ),
    answered("`hallucination_free`, where higher is better", worse("hallucination_free"), best="new"),
    answered("`1/latency`, where higher is better", worse("1/latency"), best="new"),
    answered("`time_to_accuracy`, where lower is better", worse("time_to_accuracy"), best="old"),
    doors(
        "tasks called `wikitext_perplexity` in a column `score`",
        tasks(["wikitext_perplexity", "c4_perplexity", "lambada_perplexity", "mmlu", "arc", "piqa"]),
        first="warns",
        says="lower seems to be better on",
    ),
]
CELLS = [
    doors(
        "N/A where the candidate failed",
        sides("id,correct", right(0.7), right(0.95, mark="N/A", at=lambda i: i % 9 == 0)),
        says=LEFT_EMPTY,
    ),
    doors(
        "nobody answered a third of the questions",
        sides(
            "id,correct",
            right(0.7, mark="", at=lambda i: i % 3 == 0),
            right(0.9, mark="", at=lambda i: i % 3 == 0),
        ),
        says=LEFT_EMPTY,
    ),
    doors(
        "rewards with commas between the thousands",
        sides(
            "id,reward",
            lambda r, i: (i, f"1,{r.integers(100, 999)}.5"),
            lambda r, i: (i, f"2,{r.integers(100, 999)}.5"),
        ),
        says="hold no finite number",
    ),
    *(
        doors(
            what,
            everywhere(column, old, new),
            says="no column that is known",
        )
        for what, column, old, new in (
            ("costs with a dollar sign", "cost", "$0.15", "$0.25"),
            ("durations as 00:01:23", "duration", "00:01:23", "00:02:23"),
            ("milliseconds and seconds with their units", "latency", "350ms", "1.5s"),
            ("minus signs from a word processor", "reward", "−0.5", "−0.2"),
        )
    ),
    doors(
        "two metrics under two names",
        lambda folder: [
            table(folder / "old.csv", "id,f1", [(i, 0.5 + i / 1000) for i in range(N)]),
            table(folder / "new.csv", "id,rouge_l", [(i, 0.6 + i / 1000) for i in range(N)]),
        ],
        says="the files have different scores",
    ),
]
OPTIONS = [
    *(
        [
            compare(
                what,
                sides("id,mcc", between(0, 0.4), between(0.1, 0.5)),
                *typed,
                outcome="refuses",
                says=says,
            ),
            gate(
                what,
                sides("id,mcc", between(0, 0.4), between(0.1, 0.5)),
                *("--probability" if t == "--threshold" else t for t in typed),
                outcome="refuses",
                says=says,
            ),
        ]
        for what, typed, says in (
            ("a probability of 0.5", ("--threshold", "0.5"), "is 0.5"),
            ("the scores as the ids", ("--unit", "mcc"), "more than one row"),
            ("a column that is not there", ("--unit", "nope"), "nope"),
            ("a correlation of 2", ("--rho", "2"), "rho"),
        )
    ),
]
ROLES = [
    [
        compare(
            "models are named, and `spam` next to them is the truth",
            labels_of("spam"),
            *PICKED,
            outcome="warns",
            says="may be the truth",
        ),
        gate(
            "models are named, and `spam` next to them is the truth",
            twice(labels_of("spam")),
            *PICKED,
            outcome="refuses",
            says="may be the truth",
        ),
    ],
    answered_wide("the same, with `--truth spam`", labels_of("spam"), "--truth", "spam", *PICKED),
    answered_wide("the same, with `truth` as the name of the column", labels_of("truth"), *PICKED),
    *(
        [
            gate(
                f"a wide table with the column `{name}`",
                twice(wide(f"id,svm,forest,{name}", "id", "answer", "answer", kind)),
                outcome="refuses",
                says=f"`{name}` does not look like the scores of a model",
            )
        ]
        for name, kind in (("text_length", "whole"), ("age", "years"), ("year", "whole"), ("spam", "answer"))
    ),
]
CASES: list[Case] = [
    c for group in (DATA, IDS, SCALES, NAMES, CELLS, OPTIONS, ROLES) for cases in group for c in cases
]
