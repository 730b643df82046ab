"""Careless inputs whose models were not scored, rated or run in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.refuse.careless_inputs import Case, Files, N, both, compare, doors, gate, rng, table, two, wide

OPPOSITE = "and bad where it is good"
UNCLEAR = "not clear whether a higher"


def made(
    column: str, old: Callable[[Any, Any], Any], new: Callable[[Any, Any], Any], more: str = "", n: int = N
) -> Files:
    """Old and new files of one column, made from how easy each example is; `more` are constant columns."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        easy = r.uniform(0.2, 0.7, n)
        names = [part.partition("=")[0] for part in more.split()]
        cells = [part.partition("=")[2].split("|") for part in more.split()]
        return [
            table(
                folder / f"{side}.csv",
                ",".join(["id", column, *names]),
                [(f"q{i}", x, *(c[k] for c in cells)) for i, x in enumerate(np.round(scored(r, easy), 5))],
            )
            for k, (side, scored) in enumerate((("old", old), ("new", new)))
        ]

    return make


def graded(r: Any, easy: Any) -> Any:
    return easy + r.uniform(0, 0.05, len(easy))


def better(r: Any, easy: Any) -> Any:
    return easy + r.uniform(0.1, 0.15, len(easy))


def tasks(*, percent: int, of: int = 24, column: str = "score") -> Files:
    """One number per task; the first tasks are in percent, and there the old model is a little better."""

    def make(folder: Path) -> Sequence[str]:
        easy = rng().uniform(0.3, 0.6, of)
        first = np.arange(of) < percent
        old, new = np.where(first, 100 * easy, easy), np.where(first, 100 * easy - 2, easy + 0.2)
        return [
            table(
                folder / f"{side}.csv",
                f"task,{column}",
                [(f"t{i}", round(float(x), 3)) for i, x in enumerate(values)],
            )
            for side, values in (("old", old), ("new", new))
        ]

    return make


def counted(column: str, n: int) -> Files:
    """A few scores with the index of their frame, as those of cross-validation are saved."""

    def make(folder: Path) -> Sequence[str]:
        base = rng().normal(0.8, 0.02, n)
        return [
            table(
                folder / f"{side}.csv",
                f"index,{column}",
                [(i, round(x + up, 4)) for i, x in enumerate(base.tolist())],
            )
            for side, up in (("old", 0.0), ("new", 0.03))
        ]

    return make


def folds_of(column: str, old: float, new: float) -> Files:
    def make(folder: Path) -> Sequence[str]:
        wiggle = rng().uniform(0, 0.05, 10)
        return [
            table(
                folder / f"{side}.csv",
                f"fold,{column}",
                [(k, round(at + w, 4)) for k, w in enumerate(wiggle)],
            )
            for side, at in (("old", old), ("new", new))
        ]

    return make


def without_a_task(*, lost: str = "hard") -> Files:
    """The new model is better on one task, and was not run on the other."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        rows = {
            side: [(t, f"{t}{i}", int(r.random() < p)) for t in ("easy", "hard") for i in range(N)]
            for side, p in (("old", 0.7), ("new", 0.95))
        }
        rows["new"] = [row for row in rows["new"] if row[0] != lost]
        return [table(folder / f"{side}.csv", "task,id,correct", found) for side, found in rows.items()]

    return make


def _two_truths(folder: Path) -> Sequence[str]:
    r = rng()
    label = r.choice(list("abc"), N)
    said = [np.where(r.random(N) < p, label, "a") for p in (0.7, 0.9, 0.8)]
    return [
        table(folder / "t.csv", "id,label,svm,forest,bayes", list(zip(range(N), label, *said, strict=True)))
    ]


def _right_and_wrong(folder: Path) -> Sequence[str]:
    right = 0.85 + rng().normal(0, 0.02, 10)
    wrong = 1 - right - 0.01 + rng().uniform(0, 0.01, 10)
    return [
        table(folder / f"{side}.csv", "fold,score", [(k, round(float(x), 4)) for k, x in enumerate(values)])
        for side, values in (("old", right), ("new", wrong))
    ]


def _collapsed(folder: Path) -> Sequence[str]:
    r = rng()
    truth = np.where(r.random(N) < 0.04, "fraud", "ok")
    said = np.where(r.random(N) < 0.05, np.where(truth == "ok", "fraud", "ok"), truth)
    return [
        table(folder / f"{side}.csv", "id,truth,prediction", list(zip(range(N), truth, x, strict=True)))
        for side, x in (("old", said), ("new", np.full(N, "ok")))
    ]


def _shifted(truth: Any, said: Any, *, turn: Any = lambda x: np.roll(x, 1)) -> Files:
    """The new model's predictions one row too late, or turned into something else."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        y = truth(r)
        return [
            table(folder / f"{side}.csv", "id,truth,prediction", list(zip(range(N), y, x, strict=True)))
            for side, x in (("old", said(r, y)), ("new", turn(said(r, y))))
        ]

    return make


CASES: list[Case] = [
    # --- scored in another way -----------------------------------------------------------------------------
    *both(
        "exact matches of one model, F1 of the other",
        made("score", lambda r, e: (e > 0.5) * 1.0, graded),
        outcome="warns",
        says="every score of",
    ),
    *both(
        "one model by its score, the other by one minus it",
        made("score", graded, lambda r, e: 1 - better(r, e)),
        outcome="warns",
        says=OPPOSITE,
    ),
    *both(
        "1 for right in one file, 1 for wrong in the other",
        made("correct", lambda r, e: (e > 0.3) * 1.0, lambda r, e: (e <= 0.25) * 1.0),
        outcome="warns",
        says=OPPOSITE,
    ),
    *both(
        "1 is best for one judge, 5 for the other",
        made(
            "helpfulness", lambda r, e: np.round(1 + 6 * (e - 0.2)), lambda r, e: np.round(5 - 6 * (e - 0.2))
        ),
        outcome="warns",
        says=OPPOSITE,
    ),
    *doors(
        "ratings from 0 to 4 in one file, from 1 to 5 in the other",
        made(
            "helpfulness",
            lambda r, e: np.floor(10 * (e - 0.2) * 0.999),
            lambda r, e: 1 + np.floor(10 * (e - 0.2) * 0.999),
        ),
        first="warns",
        then="warns",
        says="go from 0 to 4 and those of",
    ),
    *both(
        "perplexities in one file, their logarithms in the other",
        made("perplexity", lambda r, e: np.exp(2 + e), lambda r, e: 1.9 + e),
        outcome="warns",
        says="are about the logarithms of those of",
    ),
    *both(
        "a loss with its sign flipped in one file",
        made("loss", lambda r, e: -e, better),
        outcome="warns",
        says="was the sign flipped in one of them?",
    ),
    *both(
        "AUROC below 0.5 in every fold of one model",
        folds_of("auroc", 0.2, 0.7),
        outcome="warns",
        says="worse than chance, in all 10 folds",
    ),
    *both(
        "a correlation with the truth below 0 in every fold of one model",
        folds_of("spearman", -0.7, 0.6),
        outcome="warns",
        says="below 0, worse than chance, in all 10 folds",
    ),
    *both(
        "accuracies of folds in one file, error rates in the other, both called `score`",
        _right_and_wrong,
        outcome="warns",
        says=OPPOSITE,
    ),
    *both(
        "rewards with their sign flipped in one file",
        made("reward", lambda r, e: 1 + e, lambda r, e: -1 - r.permutation(e)),
        outcome="warns",
        says="with the other sign",
    ),
    *both(
        "shares in one file, logits in the other",
        made("score", graded, lambda r, e: np.log(r.permutation(e)) * 3 + 1),
        outcome="warns",
        says="are all between 0 and 1, and those of",
    ),
    *both(
        "labels shifted by one row against the truth",
        _shifted(lambda r: r.choice(list("abc"), N), lambda r, y: np.where(r.random(N) < 0.9, y, "a")),
        outcome="warns",
        says="are its rows shifted by one?",
    ),
    *both(
        "predicted numbers shifted by one row",
        _shifted(lambda r: r.normal(200, 40, N).round(2), lambda r, y: (y + r.normal(0, 9, N)).round(2)),
        outcome="warns",
        says="are its rows shifted by one?",
    ),
    *both(
        "predicted numbers with their sign flipped",
        _shifted(
            lambda r: r.normal(200, 40, N).round(2),
            lambda r, y: (y + r.normal(0, 9, N)).round(2),
            turn=lambda x: -x,
        ),
        outcome="warns",
        says="fall where the truth rises",
    ),
    *both(
        "ranks of the predicted numbers",
        _shifted(
            lambda r: r.normal(200, 40, N).round(2),
            lambda r, y: (y + r.normal(0, 9, N)).round(2),
            turn=lambda x: np.argsort(np.argsort(x)) + 1,
        ),
        outcome="warns",
        says="are they on the same scale?",
    ),
    *doors(
        "a candidate that always predicts the most frequent class",
        _collapsed,
        first="warns",
        then="warns",
        says='answers "ok" to all',
    ),
    *doors(
        "five examples in the prompt of one model, none in that of the other",
        made("accuracy", graded, better, "num_fewshot=0|5"),
        first="warns",
        then="warns",
        says="`num_fewshot` is",
    ),
    *doors(
        "answers of at most 16 tokens in one file",
        made("exact_match", lambda r, e: (e > 0.4) * 1.0, lambda r, e: (e > 0.3) * 1.0, "max_tokens=16|512"),
        first="warns",
        then="warns",
        says="the difference may come from that, and not from the models",
    ),
    # --- what a share cannot be ----------------------------------------------------------------------------
    *doors("accuracies below 0", made("accuracy", graded, lambda r, e: e - 0.5), says="which it cannot be"),
    *doors(
        "an F1 above 100 percent",
        made("f1", lambda r, e: 100 * e, lambda r, e: 100 * e + 60),
        says="is above 100 in",
    ),
    *both(
        "some tasks in percent, others as fractions",
        tasks(percent=8),
        outcome="warns",
        says="the scores are in percent on",
    ),
    *both(
        "one task in percent among twenty",
        tasks(percent=1, of=20),
        outcome="warns",
        says="the scores are in percent on",
    ),
    # --- rows that are only numbered -----------------------------------------------------------------------
    *both(
        "ten accuracies saved with the index of their frame",
        counted("accuracy", 10),
        outcome="warns",
        says="without ids",
    ),
    # --- what was said and what the name says --------------------------------------------------------------
    *doors(
        "wer, and --higher-is-better",
        two("wer", 0.1, 0.4, 0.2),
        "--higher-is-better",
        first="warns",
        then="warns",
        says="but the name `wer` says that lower is",
    ),
    *doors(
        "accuracy, and --lower-is-better",
        two("accuracy", 0.1, 0.4, 0.2),
        "--lower-is-better",
        first="warns",
        then="warns",
        says="but the name `accuracy` says that higher is",
    ),
    compare(
        "--truth names a model, and the column `label` would be another",
        _two_truths,
        "--truth",
        "svm",
        outcome="refuses",
        says="its name is that of a truth",
    ),
    # --- a task that was not run ---------------------------------------------------------------------------
    gate(
        "a whole task was not run, and undecided passes",
        without_a_task(),
        "--on-undecided",
        "pass",
        outcome="refuses",
        says='candidate was not run on "hard"',
    ),
    *both(
        "a whole task was not run, counted as wrong",
        without_a_task(),
        "--missing",
        "worst",
        "--question",
        "these",
        outcome="right",
        best="old",
    ),
    # --- names that mean something else together -----------------------------------------------------------
    *(
        case
        for name in ("noise_sensitivity", "hamming_loss", "levenshtein_distance")
        for case in both(
            f"`{name}`, where lower is better", two(name, 0.1, 0.4, 0.2), outcome="right", best="old"
        )
    ),
    *(
        case
        for name in ("hamming_score", "levenshtein_ratio")
        for case in both(
            f"`{name}`, where higher is better", two(name, 0.1, 0.4, 0.2), outcome="right", best="new"
        )
    ),
    *(
        case
        for name in (
            "prompt_sensitivity",
            "reward_hacking_rate",
            "tpr_diff",
            "err@20",
            "rps",
            "unique_crashes",
            "infraction_penalty",
            "warning_time",
            "max_train_similarity",
            "likelihood_diff",
        )
        for case in both(
            f"`{name}`, where more may be good or bad",
            two(name, 0.1, 0.4, 0.2),
            outcome="warns",
            says=UNCLEAR,
        )
    ),
    compare(
        "a confusing `grade_level` per model",
        wide("id,svm_grade_level,forest_grade_level", "id", "grade", "grade"),
        "--model",
        "svm_grade_level",
        "--model",
        "forest_grade_level",
        outcome="warns",
        says=UNCLEAR,
    ),
]
