"""The questions of the method chooser, and for each set of answers a small table of such data.

The method is not written here: the site asks `ropewalk.check` what it would use on these data.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

QUESTIONS = [
    {
        "key": "have",
        "ask": "What do you have for each model?",
        "answers": {
            "answers": "Right or wrong, per example",
            "scores": "A score or loss, per example",
            "clusters": "Scores of examples that belong together (patients, documents, users)",
            "set": "Predictions, and a metric of the whole test set (AUROC, F1, …)",
            "folds": "Scores of cross-validation folds",
            "seeds": "One score per training run",
            "crossed": "Several training runs, each scored on the same examples",
            "numbers": "One number per task or data set",
            "ranks": "Only ranks",
        },
    },
    {"key": "tasks", "ask": "On how many tasks or data sets?", "answers": {"one": "One", "many": "Several"}},
    {"key": "models", "ask": "How many models?", "answers": {"two": "Two", "more": "Three or more"}},
]


@dataclass(frozen=True)
class Case:
    """One set of answers: data like that, how to read them, and the command that compares them."""

    when: dict[str, str]
    data: Callable[[], Any]
    command: str
    python: str
    options: dict[str, Any] = field(default_factory=dict)


def _table(have: str, tasks: int, models: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    names = ["forest", "svm", "logistic"][:models]
    rows = []
    for task in range(tasks):
        units = {"folds": 10, "seeds": 6, "numbers": 1, "ranks": 1}.get(have, 40)
        runs = 4 if have == "crossed" else 1
        truth = rng.integers(0, 2, units)
        ranks = 1 + rng.permutation(models)
        for k, name in enumerate(names):
            for run in range(runs):
                for unit in range(units):
                    row: dict[str, Any] = {"model": name, "task": f"task{task}"}
                    if have not in ("numbers", "ranks"):
                        row[{"folds": "fold", "seeds": "seed"}.get(have, "id")] = unit
                    if have == "crossed":
                        row["seed"] = run
                    if have == "clusters":
                        row["patient"] = f"p{unit // 4}"
                    if have == "answers":
                        row["correct"] = int(rng.random() < 0.7)
                    elif have == "set":
                        row["truth"] = truth[unit]
                        row["probability"] = round(
                            float(np.clip(0.5 * truth[unit] + rng.random() / 2, 0, 1)), 3
                        )
                    elif have == "ranks":
                        row["rank"] = ranks[k]
                    else:
                        graded = have in ("scores", "clusters", "crossed")
                        row["score" if graded else "accuracy"] = round(
                            float(0.7 + 0.02 * k + 0.05 * rng.random()), 4
                        )
                    rows.append(row)
    frame = pd.DataFrame(rows)
    return frame.drop(columns="task") if tasks == 1 else frame


def _cases() -> list[Case]:
    cases = []
    for have, tasks, models in product(QUESTIONS[0]["answers"], ("one", "many"), ("two", "more")):  # type: ignore[call-overload]
        if have in ("numbers", "ranks") and tasks == "one":
            continue
        options = {"set": {"metric": "auroc"}, "clusters": {"cluster": "patient"}}.get(have, {})
        typed = "".join(f" --{name} {value}" for name, value in options.items())
        given = "".join(f', {name}="{value}"' for name, value in options.items())
        cases.append(
            Case(
                when={"have": have, "tasks": tasks, "models": models},
                data=lambda h=have, t=tasks, m=models: _table(
                    h, 8 if t == "many" else 1, 2 if m == "two" else 3
                ),
                command=f"ropewalk compare results.csv{typed}",
                python=f'rw.compare("results.csv"{given})',
                options=options,
            )
        )
    return cases


CASES = _cases()


def chooser() -> str:
    """The chooser as HTML: the questions, and the answers that ropewalk gave."""
    content = json.dumps({"questions": QUESTIONS, "answers": [_answer(case) for case in CASES]})
    script = (Path(__file__).parents[1] / "_static" / "chooser.js").read_text(encoding="utf-8")
    return (
        '<form id="chooser" class="chooser"></form><div id="chosen" class="chosen" aria-live="polite"></div>'
        f'<script type="application/json" id="chooser-data">{content.replace("</", "<" + chr(92) + "/")}</script>'
        f"<script>{script}</script>"
    )


def _answer(case: Case) -> dict[str, Any]:
    import ropewalk as rw
    from ropewalk.methods import known

    data = case.data()
    found = rw.check(data, **case.options)
    card = known()[found.method].card.__name__
    return {
        "if": case.when,
        "method": found.method,
        "why": found.why,
        "card": f"methods/bayes.{card}.html",
        "table": "\n".join([*data.to_csv(index=False).splitlines()[:4], "..."]),
        "command": case.command,
        "python": case.python,
    }
