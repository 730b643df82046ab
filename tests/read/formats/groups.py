"""Logs of lm-evaluation-harness with groups."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATE = "2025-01-02T03-04-05.678901"


STEM = ("mmlu_algebra", "mmlu_physics", "mmlu_biology")


LAW = ("mmlu_law", "mmlu_ethics")


NESTED = {"mmlu": ["mmlu_stem", "mmlu_humanities"], "mmlu_stem": [*STEM], "mmlu_humanities": [*LAW]}


def write(
    root: Path,
    tasks: Sequence[str],
    groups: Mapping[str, Any] | None = None,
    models: Sequence[str] = ("good", "poor"),
) -> Path:
    """A folder of samples, the same rows whatever else is in it; the group's total stands in the results."""
    for k, model in enumerate(models):
        folder = root / model
        folder.mkdir(parents=True)
        for task in tasks:
            dice = random.Random(f"{model} {task}")
            rows = [
                {"doc_id": i, "doc": {"q": i}, "target": "x", "arguments": {}, "filtered_resps": [],
                 "filter": "none", "metrics": ["acc"], "acc": float(dice.random() < 0.8 - 0.15 * k)}
                for i in range(60)
            ]  # fmt: skip
            lines = "".join(json.dumps(r) + "\n" for r in rows)
            (folder / f"samples_{task}_{DATE}.jsonl").write_text(lines)
        totals = {g: {"alias": g, "acc,none": 0.5} for g in groups or {}}
        document = {"results": totals, "groups": totals, "group_subtasks": groups or {}, "model_name": model}
        (folder / f"results_{DATE}.json").write_text(json.dumps(document))
    return root
