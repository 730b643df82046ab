"""Careless inputs as strangers make them: logs, wide tables, spreadsheets, continuous integration."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.refuse.careless_inputs import (
    Case,
    Files,
    N,
    answered,
    between,
    compare,
    doors,
    gate,
    long,
    rng,
    sides,
    table,
    wide,
)

LOSES_SIGN = "as if the sign were flipped"
A_MARK = "leave these cells empty and say what to do"
NOT_A_SCORE = "does not look like the scores of a model"


def marked(low: float, high: float, mark: Any, every: int = 8) -> Any:
    """Rows (id, a number between these two), with a mark instead now and then."""
    return lambda r, i: (i, mark if i % every == 0 else round(r.uniform(low, high), 4))


def lines(name: str, row: Callable[[Any, int], dict[str, Any]], n: int = N) -> Callable[[Path], str]:
    """A file of JSON lines."""

    def make(folder: Path) -> str:
        r = rng()
        (folder / name).write_text("".join(json.dumps(row(r, i)) + "\n" for i in range(n)))
        return str(folder / name)

    return make


def logs(old: Callable[[Any, int], dict[str, Any]], new: Callable[[Any, int], dict[str, Any]]) -> Files:
    return lambda folder: [lines("old.jsonl", old)(folder), lines("new.jsonl", new)(folder)]


def named(first: str, second: str) -> Files:
    """Files of right and wrong answers under these names."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        return [
            table(folder / name, "id,correct", [(i, int(r.random() < p)) for i in range(N)])
            for name, p in ((first, 0.9), (second, 0.6))
        ]

    return make


def index_of_another_order(folder: Path) -> Sequence[str]:
    """Two frames that were saved with their index, one of them after it was sorted."""
    r = rng()
    hard = r.random(N)
    old, new = (hard + 0.05 * r.random(N) for _ in range(2))
    return [
        table(folder / name, ",accuracy", [(i, round(float(x) / 2, 4)) for i, x in enumerate(values)])
        for name, values in (("old.csv", old), ("new.csv", sorted(new)))
    ]


def summary(name: str) -> Files:
    rows = [(f"img_{i}", 0.5 + i / 100, 0.6 + i / 100) for i in range(30)]
    return lambda folder: [
        table(folder / "t.csv", "id,svm_dice,unet_dice", [*rows, (name, 0.65, 0.75)])
    ]  # fmt: skip


def patients(r: Any) -> Any:
    """Ten images of each of twenty patients, who differ in which model suits them."""
    own = r.normal(0.03, 0.1, 20)
    return [
        (f"p{i // 10}", f"img_{i}", round(0.7 + r.normal(0, 0.02), 4), round(0.7 + own[i // 10], 4))
        for i in range(200)
    ]


def spelled(r: Any) -> Any:
    return [
        (model if t < 5 or model == "llama" else "gpt-4", f"t{t}", i, int(r.random() < p))
        for t in range(10)
        for model, p in (("GPT-4", 0.8), ("llama", 0.6))
        for i in range(40)
    ]


def splits(r: Any) -> Any:
    return [
        (m, s, f"{s}{i}", int(r.random() < p))
        for m, p in (("a", 0.7), ("b", 0.9))
        for s in ("train", "test")
        for i in range(60)
    ]


def probabilities(*, turn: bool) -> Files:
    """Probabilities of one class; of the second file those of the other class."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        truth = r.integers(0, 2, N)
        p = [(0.2 + 0.6 * truth + r.uniform(-0.2, 0.2, N)).round(4) for _ in range(2)]
        p[1] = (1 - p[1]).round(4) if turn else p[1]
        return [
            table(folder / name, "id,truth,probability", list(zip(range(N), truth, x, strict=True)))
            for name, x in zip(("old.csv", "new.csv"), p, strict=True)
        ]

    return make


QUESTION = "What is the capital of country number {}?"
ENGINEER = [
    *doors(
        "JSON lines whose ids count the rows, in another order",
        logs(
            lambda r, i: {"id": i, "prompt": QUESTION.format(i), "correct": bool(r.random() < 0.7)},
            lambda r, i: {"id": i, "prompt": QUESTION.format(N - i), "correct": bool(r.random() < 0.9)},
        ),
        says="have different texts in `prompt` under the same id",
    ),
    *doors(
        "JSON lines of different questions under the same ids",
        logs(
            lambda r, i: {"id": i, "question": f"old {i}", "correct": bool(r.random() < 0.7)},
            lambda r, i: {"id": i, "question": f"new {i}", "correct": bool(r.random() < 0.9)},
        ),
        says="have different texts in `question`",
    ),
    *answered(
        "a different prompt for the same questions",
        logs(
            lambda r, i: {"id": i, "prompt": QUESTION.format(i), "correct": bool(r.random() < 0.6)},
            lambda r, i: {"id": i, "prompt": f"Think. {i}", "correct": bool(r.random() < 0.9)},
        ),
        best="new",
    ),
    *doors(
        "JSON lines with an error in place of a score",
        logs(
            lambda r, i: {"id": i, "correct": bool(r.random() < 0.7)},
            lambda r, i: {"id": i, "error": "timeout"} if i % 5 == 0 else {"id": i, "correct": True},
        ),
        says="hold no finite number",
    ),
    *doors(
        "JSON lines with the word pass or fail",
        logs(
            lambda r, i: {"id": i, "correct": "pass" if r.random() < 0.7 else "fail"},
            lambda r, i: {"id": i, "correct": "pass" if r.random() < 0.9 else "fail"},
        ),
        says="hold no finite number",
    ),
    compare(
        "one model with two spellings", long("model,task,id,correct", spelled), outcome="warns",
        says="differ in spelling only",
    ),
    *doors(
        "-1 where the judge gave no score",
        sides("id,score", between(0.5, 0.8), marked(0.6, 0.9, -1)),
        says=A_MARK,
    ),
    *doors(
        "a judge from 1 to 5, and one from 1 to 10",
        sides(
            "id,judge_score", lambda r, i: (i, r.integers(1, 6)), lambda r, i: (i, r.integers(1, 11))
        ),
        "--higher-is-better",
        first="warns",
        says="end at 5 and those of",
    ),
    *doors(
        "a negative `nll`",
        sides("id,nll", between(-5, -1), between(-4, -0.5)),
        first="warns",
        says=LOSES_SIGN,
    ),
    *answered(
        "`self_bleu`, where lower is better",
        sides("id,self_bleu", between(0.2, 0.4), between(0.5, 0.7)),
        best="old",
    ),
    *answered(
        "true and false as words",
        sides("id,correct", lambda r, i: (i, r.random() < 0.6), lambda r, i: (i, r.random() < 0.9)),
        best="new",
    ),
]  # fmt: skip
KAGGLE = [
    *(
        compare(
            f"a column `{name}` next to three models",
            wide(f"id,svm,forest,knn,{name}", "id", "share", "share", "share", kind),
            "--higher-is-better",
            outcome="refuses",
            says=f"`{name}` {NOT_A_SCORE}",
        )
        for name, kind in (("average", "share"), ("best", "high"), ("std", "small"), ("delta", "share"))
    ),
    compare(
        "columns with standard deviations",
        wide("id,svm,svm_std,forest,forest_std", "id", "share", "small", "share", "small"),
        "--higher-is-better",
        outcome="refuses",
        says="its name is that of a standard deviation",
    ),
    compare(
        "columns of training and of test scores",
        wide("id,svm_train,svm_test,forest_train,forest_test", "id", "high", "share", "high", "share"),
        "--higher-is-better",
        outcome="refuses",
        says="it was measured on the training data",
    ),
    compare(
        "rows of the training data among those of the test data",
        long("model,split,id,correct", splits),
        outcome="refuses",
        says="holds rows of the training data",
    ),
    compare(
        "a feature called `is_weekend`",
        wide("id,is_weekend,svm,forest", "id", "answer", "answer", "answer"),
        outcome="refuses",
        says="its name is that of a property of the example",
    ),
    *doors(
        "frames saved with their index, one of them sorted",
        index_of_another_order,
        first="warns",
        then="refuses",
        says="hardly correlate",
    ),
    *doors(
        "`rmse` from scikit-learn's neg_root_mean_squared_error",
        sides("id,rmse", between(-2, -1), between(-1.5, -0.5)),
        says="which it cannot be",
    ),
    *answered(
        "the same, with --higher-is-better",
        sides("id,rmse", between(-2, -1), between(-1.5, -0.5)),
        "--higher-is-better",
        best="new",
    ),
    *doors(
        "`neg_log_loss` that is positive",
        sides("id,neg_log_loss", between(0.2, 0.8), between(0.4, 1)),
        first="warns",
        says="its name says that the sign is flipped",
    ),
    *doors(
        "two submissions without the truth",
        sides("id,target", between(0, 1), between(0, 1)),
        says="a truth and no predictions",
    ),
    compare(
        "signed residuals",
        wide("id,svm_residual,forest_residual", "id", "signed", "signed"),
        "--model",
        "svm_residual",
        "--model",
        "forest_residual",
        outcome="refuses",
        says="For signed residuals, give the absolute values",
    ),
]
PHYSICIAN = [
    *(
        compare(
            f"a row called `{name}` at the end of a sheet",
            summary(name),
            "--model",
            "svm_dice",
            "--model",
            "unet_dice",
            outcome="warns",
            says="looks like a summary of the other rows",
        )
        for name in ("Grand Total", "Overall average", "Mean ± SD", "Summe", "All")
    ),
    *doors("99 for a missing value", sides("id,dice", between(0.5, 0.8), marked(0.6, 0.9, 99)), says=A_MARK),
    *doors(
        "9999 for a missing time",
        sides("id,seconds", marked(1, 3, 9999), between(1, 3)),
        says=A_MARK,
    ),
    *doors(
        "1 for yes and 2 for no",
        sides("id,correct", lambda r, i: (i, r.integers(1, 3)), lambda r, i: (i, r.integers(1, 3))),
        says="is 1 or 2 in every cell: which of the two means right?",
    ),
    *doors(
        "a Dice score of 1.2",
        sides("id,dice", between(0.6, 1), lambda r, i: (i, 1.2 if i == 7 else round(r.uniform(0.6, 1), 3))),
        first="warns",
        says="it is neither a fraction nor a percentage",
    ),
    *doors(
        "percent in some rows, fractions in others",
        sides("id,accuracy", between(60, 90), lambda r, i: (i, r.uniform(60, 90) / (100 if i % 2 else 1))),
        first="warns",
        says="some of them seem to be in percent",
    ),
    compare(
        "ten images of every patient",
        long("patient,image_id,unet,nnunet", patients),
        "--model",
        "unet",
        "--model",
        "nnunet",
        "--higher-is-better",
        outcome="warns",
        says="rows with the same `patient` have similar differences between the models",
    ),
    *doors(
        "probabilities of the healthy class",
        probabilities(turn=True),
        first="warns",
        says="are its classes swapped?",
    ),
    compare(
        "numbers of right answers, and totals",
        long(
            "hospital,model,correct,total",
            lambda r: [(h, m, int(r.integers(50, 90)), 100 + 50 * h) for h in range(9) for m in "ab"],
        ),
        "--task",
        "hospital",
        outcome="refuses",
        says="`correct` is a count out of `total`",
    ),
    *doors(
        "mean ± standard deviation in a cell",
        sides("id,dice", lambda r, i: (i, "0.85 ± 0.02"), lambda r, i: (i, "0.87 ± 0.02")),
        says="no column that is known as the score",
    ),
]
CI = [
    *doors(
        "latency of -1 where a request failed",
        sides("id,latency", between(1, 3), marked(1, 3, -1)),
        says=A_MARK,
    ),
    *doors(
        "latency of 0 where a request failed",
        sides("id,latency", between(1, 3), marked(1, 3, 0)),
        first="warns",
        says="is 0 in 25 of 200 units",
    ),
    *doors(
        "milliseconds in one file, seconds in the other",
        sides("id,latency", between(800, 1500), between(0.9, 1.6)),
        first="warns",
        says="are they in the same unit?",
    ),
    *doors(
        "`latency_ms` in one file, `latency_s` in the other",
        lambda folder: [
            table(folder / "old.csv", "id,latency_ms", [(i, 900 + i) for i in range(60)]),
            table(folder / "new.csv", "id,latency_s", [(i, 1 + i / 60) for i in range(60)]),
        ],
        says="the files have different scores",
    ),
    *doors(
        "the time at which a request came in",
        sides("id,time", lambda r, i: (i, 1735689600 + i), lambda r, i: (i, 1735693200 + 2 * i)),
        says="holds points in time",
    ),
    gate(
        "the candidate's file first",
        named("candidate.csv", "baseline.csv"),
        outcome="refuses",
        says="the files' names say the opposite",
    ),
    gate(
        "the new file first",
        named("metrics_new.csv", "metrics_old.csv"),
        outcome="refuses",
        says="the files' names say the opposite",
    ),
    gate("--margin 5%", named("old.csv", "new.csv"), "--margin", "5%", outcome="refuses", says="--margin"),
    gate(
        "whole seconds, all of them 0 or 1",
        sides("id,seconds", lambda r, i: (i, r.integers(0, 2)), lambda r, i: (i, 1)),
        "--margin",
        "0.1",
        outcome="right",
        best="baseline",
        says="seconds advantage",
    ),
    gate(
        "cost per request in tenths of a cent, and a margin of one",
        sides("id,cost_usd", between(1e-4, 3e-4), between(2e-4, 4e-4)),
        outcome="refuses",
        says="is wider than the scores",
    ),
    *doors(
        "a table of metrics, one row each",
        sides("metric,value", lambda r, i: (f"m{i}", i), lambda r, i: (f"m{i}", i + 1), n=5),
        says="has several metrics",
    ),
]
CASES: list[Case] = [*ENGINEER, *KAGGLE, *PHYSICIAN, *CI]
