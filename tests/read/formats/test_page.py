"""docs/formats.md: its examples run, and it names every format."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ropewalk.data import Scores
from ropewalk.errors import PairingError
from ropewalk.read import read
from ropewalk.read.formats import known_formats
from tests.read.formats.harness import results, samples, scores
from tests.slow import fuzz_seeds

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
sys.path.append(str(ROOT / "docs" / "_ext"))
BLOCKS = [(block.language, block.body) for block in importlib.import_module("page_blocks").blocks(PAGE)]


def test_every_format_is_on_the_page() -> None:
    for found in known_formats():
        name = found.NAME.split()[0].split("-")[0].lower()
        assert name in PAGE.lower(), found.NAME
    assert "docs/formats.md" in (ROOT / "README.md").read_text(encoding="utf-8")


FILES = {
    "lm-evaluation-harness": fuzz_seeds.lm_eval,
    "inspect_ai": fuzz_seeds.inspect_zip,
    "HELM": fuzz_seeds.helm,
    "OpenAI evals": fuzz_seeds.openai_evals,
    "MLflow": fuzz_seeds.mlflow,
    "scikit-learn": fuzz_seeds.cross_validate,
    "OpenML": fuzz_seeds.openml,
    "WEKA experimenter": fuzz_seeds.weka_csv,
    "AutoGluon, TabArena": lambda: {
        "results.csv": fuzz_seeds.autogluon()["results.csv"].replace(b"True", b"False")
    },
    "MTEB": fuzz_seeds.mteb,
    "lighteval": fuzz_seeds.lighteval,
    "Every Eval Ever": fuzz_seeds.every_eval_ever,
    "promptfoo": lambda: fuzz_seeds.samples("promptfoo.json"),
    "DeepEval": lambda: fuzz_seeds.samples("deepeval"),
    "RAGAS": lambda: fuzz_seeds.samples("ragas"),
    "LangSmith": lambda: fuzz_seeds.samples("langsmith"),
    "SWE-bench": fuzz_seeds.swe_bench,
    "any other table": lambda: {"results.csv": b"id,a,b\n1,1,0\n2,1,1\n3,0,1\n4,1,1\n"},
}
COMMANDS = dict(
    re.findall(
        r"^\| \[?([^|\]]+?)(?:\]\([^)]*\))? \| .* \| `(ropewalk compare [^`]+)` \|", PAGE, re.MULTILINE
    )
)


@pytest.mark.parametrize("tool", FILES)
def test_the_command_of_each_tool_reads_its_files(
    tool: str, command: Callable[..., tuple[int, str, str]]
) -> None:
    """As the table types it, on files that lie where it says."""
    assert set(COMMANDS) == set(FILES)
    _, _, *given = shlex.split(COMMANDS[tool])
    files = FILES[tool]()
    if given[0].endswith("/"):
        for name, content in files.items():
            (Path(given[0]) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(given[0]) / name).write_bytes(content)
    elif len(given) == 1:  # rows of every model in one file
        Path(given[0]).write_bytes(b"".join(files.values()))
    else:
        for name, content in zip(given, files.values(), strict=True):
            Path(name).write_bytes(content)
    code, out, err = command("compare", *given)
    assert (code, err) == (0, "")
    read_as = {"any other table": "", "AutoGluon, TabArena": "read as AutoGluon"}.get(tool, f"read as {tool}")
    assert read_as in " ".join(out.split())


def test_the_reader_on_the_page_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = next(body for language, body in BLOCKS if language == "python" and "quizbot_reader.py" in body)
    table = next(body for language, body in BLOCKS if language == "toml")
    group, name, value = re.findall(r'"(.+?)"\]\n(\w+) = "(\w+)"', table)[0]
    (tmp_path / f"{value}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint(name=name, value=value, group=group)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point][: group == point.group])
    logs = tmp_path / "logs"
    logs.mkdir()
    for model, points in (("old", (1, 0, 3)), ("new", (2, 2, 3))):
        rows = "".join(f"q{i}\tanswer {i}\t{p}\n" for i, p in enumerate(points))
        (logs / f"{model}.txt").write_text(f"# quizbot {model}\n{rows}")
    known_formats.cache_clear()
    try:
        s = read(logs)
        assert isinstance(s, Scores)
        assert s.models == ("new", "old")
        assert s.metric == "points"
        assert s.tasks[0].values.tolist() == [[2, 1], [2, 0], [3, 3]]
        assert "read as quizbot" in s.audit.notes
        other = (logs / "old.txt").read_text().replace("answer 1", "another")
        (logs / "old.txt").write_text(other)
        with pytest.raises(PairingError, match="differ in the expected answer of 1 unit"):
            read(logs)
    finally:
        known_formats.cache_clear()


def test_the_cross_validation_on_the_page_runs() -> None:
    code = next(body for language, body in BLOCKS if language == "python" and "cross_validate" in body)
    names: dict[str, object] = {}
    exec(compile(code, "docs/formats.md", "exec"), names)  # noqa: S102  # our own page
    report = names["report"]
    assert report.comparisons[0].method == "correlated_t"  # type: ignore[attr-defined]


def test_the_folder_on_the_page_is_read(tmp_path: Path) -> None:
    """The listing, with the second model in a folder like the first, as its dots say."""
    listing = next(body for _, body in BLOCKS if body.startswith("lm_eval_out/"))
    names = [line.strip() for line in listing.splitlines()]
    tasks = []
    for folder in ("org__model-a/", "org__model-b/"):
        assert folder in names
        (tmp_path / folder).mkdir()
        model = folder.removeprefix("org__").removesuffix("/")
        for name in names:
            if name.startswith("results_"):
                (tmp_path / folder / name).write_text(json.dumps(results(model)))
            elif name.startswith("samples_"):
                tasks.append(name.removeprefix("samples_").rpartition("_")[0])
                rows = samples(model, task=tasks[-1])
                (tmp_path / folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = scores(tmp_path)
    assert found.models == ("org/model-a", "org/model-b")
    assert {task.name for task in found.tasks} == set(tasks) == {"gsm8k", "mmlu_abstract_algebra"}
