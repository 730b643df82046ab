"""Logs that the tools themselves wrote, read back: `make test-tools`.

Each tool runs in a process of its own, so that its warnings and settings stay there. The oracles are what the
tool was told to answer, and the totals that it computed itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk import compare
from ropewalk.data import Scores
from ropewalk.read import read

N = 20


def tool(name: str) -> pytest.MarkDecorator:
    """Skip, loudly, where the tool is not there."""
    return pytest.mark.skipif(
        find_spec(name) is None,
        reason=f"{name.upper()} IS NOT INSTALLED: its logs are not tested; make test-tools",
    )


def run(script: str, folder: Path, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


# --- lm-evaluation-harness -------------------------------------------------------------------------------

TASKS = ("toy_algebra", "toy_physics", "toy_law", "toy_alone")
LM_EVAL = """
import random
from pathlib import Path
from lm_eval.evaluator import simple_evaluate
from lm_eval.loggers.evaluation_tracker import EvaluationTracker
from lm_eval.tasks import TaskManager

manager = TaskManager(include_path=str(Path("tasks").absolute()), include_defaults=False)
for seed, (model, out) in enumerate(WHERE):
    tracker = EvaluationTracker(output_path=out)
    results = simple_evaluate(
        model="dummy", model_args=f"pretrained={model}", tasks=["toy", "toy_alone"], task_manager=manager,
        evaluation_tracker=tracker, log_samples=True, bootstrap_iters=10, random_seed=seed,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        if task in samples:
            tracker.save_results_samples(task_name=task, samples=samples[task])
"""
TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: choices
doc_to_target: answer
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
  - {{metric: acc_norm, aggregation: mean, higher_is_better: true}}
"""


def lm_eval(folder: Path, where: list[tuple[str, str]]) -> None:
    """Two models that guess, on four tasks of three choices, three of which are in groups within groups."""
    tasks = folder / "tasks"
    tasks.mkdir()
    for k, name in enumerate(TASKS):
        rows = [
            {
                "question": f"{name} {i}?",
                "choices": ["a", "b", "c"],
                "answer": (i * 7 + k) % 3,
                "passage": i // 4,
            }
            for i in range(N)
        ]
        data = tasks / f"{name}.jsonl"
        data.write_text("".join(json.dumps(r) + "\n" for r in rows))
        (tasks / f"{name}.yaml").write_text(TASK.format(name=name, data=data))
    for name, members in (("toy_stem", TASKS[:2]), ("toy", ("toy_stem", "toy_law"))):
        lines = [f"group: {name}", "task:", *(f"  - {m}" for m in members)]
        (tasks / f"{name}.yaml").write_text("\n".join([*lines, "aggregate_metric_list: [{metric: acc}]"]))
    run(
        LM_EVAL.replace("WHERE", repr(where)),
        folder,
        HF_HOME=str(folder / "cache"),
        HF_HUB_OFFLINE="1",
        TOKENIZERS_PARALLELISM="false",
    )


@tool("lm_eval")
def test_lm_eval(tmp_path: Path) -> None:
    lm_eval(tmp_path, [("org/one", "out"), ("org/two", "out")])
    s = scores(tmp_path / "out")
    assert s.models == ("org/one", "org/two")
    assert {t.name: t.group for t in s.tasks} == {
        "toy_algebra": "toy_stem", "toy_physics": "toy_stem", "toy_law": None, "toy_alone": None,
    }  # fmt: skip
    assert s.metric == "acc"
    assert "higher is better (as the log says of `acc`)" in s.audit.notes
    assert s.audit.warnings == ()
    for k, model in enumerate(("org__one", "org__two")):
        (file,) = (tmp_path / "out" / model).glob("results_*.json")
        totals = json.loads(file.read_text())["results"]
        for t in s.tasks:
            assert t.values[:, k].mean() == pytest.approx(totals[t.name]["acc,none"], abs=1e-12)
        stem = np.concatenate([t.values[:, k] for t in s.groups["toy_stem"]])
        assert stem.mean() == pytest.approx(totals["toy_stem"]["acc,none"], abs=1e-12)
    report = compare(tmp_path / "out")
    assert report.overall[0].n == len(TASKS)
    assert list(report.groups) == ["toy_stem"]
    assert scores(tmp_path / "out", cluster="passage").is_clustered


@tool("lm_eval")
def test_lm_eval_with_the_output_given_as_a_file(tmp_path: Path) -> None:
    """Then both models' samples lie in one folder, and the results are called NAME_DATE.json."""
    lm_eval(tmp_path, [("org/one", "out/one.json"), ("org/two", "out/two.json")])
    s = scores(tmp_path / "out")
    assert s.models == ("org/one", "org/two")
    assert s.audit.paired == N * len(TASKS)
    assert list(s.groups) == ["toy_stem"]


# --- inspect_ai ------------------------------------------------------------------------------------------

INSPECT = """
from collections import Counter
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes, match
from inspect_ai.solver import generate

def answers(k):
    seen = Counter()
    def answer(input, tools, choice, config):
        i = int(input[-1].text.split()[-1])
        seen[i] += 1  # the epoch
        output = ModelOutput.from_content("mockllm", "right" if (i + seen[i]) % k else "wrong")
        output.usage = ModelUsage()  # else the tokens are counted by a table from the network
        return output
    return answer

for k, name in ((2, "one"), (3, "two")):
    samples = [
        Sample(id=i, input=f"question {i}", target="right", metadata={"passage": i // 4}) for i in range(20)
    ]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=[match(), includes()], name="toy")
    model = get_model(f"mockllm/{name}", custom_outputs=answers(k))
    (log,) = eval(
        task, model=model, epochs=2, log_dir="logs", log_format=FORMAT, display="none", max_connections=1
    )
    assert log.status == "success", log.error
"""


@tool("inspect_ai")
@pytest.mark.parametrize("form", ["eval", "json"])
def test_inspect_ai(form: str, tmp_path: Path) -> None:
    run(INSPECT.replace("FORMAT", repr(form)), tmp_path)
    assert len(list(tmp_path.glob(f"logs/*.{form}"))) == 2
    s = scores(tmp_path / "logs")
    assert s.models == ("mockllm/one", "mockllm/two")
    assert s.metric == "match"
    assert s.audit.warnings == ()
    # Which epoch of a question is asked first is the tool's affair: both together are not.
    task = s.tasks[0]
    assert task.clusters is not None
    for i in range(N):
        rows = task.clusters == str(i)
        assert rows.sum() == 2
        assert task.values[rows].sum(axis=0).tolist() == [
            sum((i + epoch) % k > 0 for epoch in (1, 2)) for k in (2, 3)
        ]
    passages = scores(tmp_path / "logs", cluster="passage").tasks[0].clusters
    assert passages is not None
    assert len(set(passages)) == N // 4
    assert compare(tmp_path / "logs").comparisons[0].n == N  # questions, not answers


# --- MLflow ----------------------------------------------------------------------------------------------

MLFLOW = """
from pathlib import Path
import mlflow
import pandas as pd
from mlflow.metrics import MetricValue
from mlflow.models import make_metric

def right(predictions, targets, metrics=None):
    return MetricValue(scores=[float(p == t) for p, t in zip(predictions, targets)])

def length(predictions, targets=None, metrics=None):
    return MetricValue(scores=[float(len(p)) for p in predictions])

mlflow.set_tracking_uri((Path.cwd() / "mlruns").as_uri())
for k, name in ((2, "one"), (3, "two")):
    order = range(20) if k == 2 else range(19, -1, -1)
    table = pd.DataFrame({
        "inputs": [f"question {i}" for i in order],
        "ground_truth": [f"a{i}" for i in order],
        "outputs": [f"a{i}" if i % k else "?" for i in order],
    })
    with mlflow.start_run(run_name=name):
        mlflow.models.evaluate(
            data=table, targets="ground_truth", predictions="outputs", evaluators="default",
            extra_metrics=[
                make_metric(eval_fn=right, greater_is_better=True, name="exact_match"),
                make_metric(eval_fn=length, greater_is_better=False, name="length"),
            ],
        )
        mlflow.log_table(table.assign(accuracy=[float(i % k > 0) for i in order]), "tables/mine.json")
"""


@tool("mlflow")
def test_mlflow(tmp_path: Path) -> None:
    run(MLFLOW, tmp_path, MLFLOW_ALLOW_FILE_STORE="true", MLFLOW_DISABLE_TELEMETRY="true")
    found = sorted(tmp_path.glob("mlruns/0/*/artifacts/eval_results_table.json"))
    assert len(found) == 2
    s = scores(found)
    assert set(s.models) == {"one", "two"}
    assert s.metric == "exact_match"
    assert s.audit.paired == N
    for model, k in (("one", 2), ("two", 3)):
        right = s.tasks[0].values[:, s.models.index(model)]
        assert right.sum() == sum(i % k > 0 for i in range(N))
    # The same answers through log_table, which pairs alike.
    own = scores(sorted(tmp_path.glob("mlruns/0/*/artifacts/tables/mine.json")))
    both = [sorted(zip(x.tasks[0].units, *x.tasks[0].values.T.tolist(), strict=True)) for x in (s, own)]
    assert both[0] == both[1]
