"""Large files, summed where they lie: beside DuckDB's own join, with spill, with skewed tasks."""

from __future__ import annotations

import hashlib
import json
import random
import statistics
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harness import PROGRAM, Row, Settings, process, task, times

_SCORE = "random() * 0.3 + {ahead} + (hash({key}) % 1000) / 1000.0"


def write(folder: Path, rows: int, task_of: str | None = None) -> list[str]:
    """Two files, a.parquet and b.parquet, in different orders: id, score and, if told, a task."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    # Multiplying by a number without a common factor with `rows` shuffles the ids.
    key = f"((i * {{step}}) % {rows})"
    with duckdb.connect(config={"memory_limit": "1GB", "threads": 2}) as connection:
        for model, ahead, step in (("a", 0.002, 7919), ("b", 0.0, 104_729)):
            unit = key.format(step=step)
            named = f", 't' || ({task_of.format(key=unit)}) as task" if task_of else ""
            score = _SCORE.format(ahead=ahead, key=unit)
            connection.execute(
                f"copy (select {unit} as id, {score} as score{named} from range({rows}) t(i)) "
                f"to '{folder / model}.parquet' (format parquet)"
            )
    return [str(folder / "a.parquet"), str(folder / "b.parquet")]


def compared(files: list[str], *more: str, **environment: str) -> tuple[float, float, str]:
    """Seconds, megabytes and JSON of `ropewalk compare` in place."""
    return process([*PROGRAM, "compare", *files, "--in-place", "--json", *more], **environment)


def mean_of(document: str) -> float:
    found = json.loads(document)
    return float((found.get("overall") or found["comparisons"])[0]["estimate"]["mean"])


@task("duckdb", quick=True)
def in_place(settings: Settings) -> Iterable[Row]:
    """Two models' files: every row paired, audited and summed, beside the shortest query that pairs them."""
    rows = 1_000_000 if settings.quick else settings.rows
    files = write(settings.folder / f"rows_{rows}", rows)
    join = (
        "import duckdb, json, sys, tempfile\n"
        "with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={'memory_limit': '1200MB',\n"
        "        'temp_directory': folder, 'preserve_insertion_order': 'false'}) as c:\n"
        "    c.execute('set enable_progress_bar = false')  # it would draw on the output\n"
        "    a, b = sys.argv[1:]\n"
        "    query = f\"select avg(a.score - b.score), count(*) from '{a}' a join '{b}' b using (id)\"\n"
        "    print(json.dumps(c.execute(query).fetchone()))"
    )
    ratios, ours, theirs, peak = [], [], [], 0.0
    for _ in range(1 if rows > 50_000_000 else 3):
        seconds, megabytes, said = compared(files)
        alone, _, found = process(["-c", join, *files])
        ours.append(seconds)
        theirs.append(alone)
        ratios.append(alone / seconds)
        peak = max(peak, megabytes)
    mean, n = json.loads(found)
    gap = abs(mean_of(said) - mean)
    yield Row(
        name="in_place_rows" if rows > 1_000_000 else "in_place_million",
        what=f"`ropewalk compare 'logs/*.parquet'`, two models x {rows:,} rows",
        peer="DuckDB's own join and average",
        figures={"ratio": statistics.median(ratios), "megabytes": peak},
        text=f"{times(ratios)}, {peak:.0f} MB peak memory",
        note=f"{statistics.median(ours):.1f} s against {statistics.median(theirs):.1f} s, whole processes; "
        f"{n:,} pairs; the means differ by {gap:.1g}",
        differs="" if gap < 1e-9 else f"ours {mean_of(said):.12g}, DuckDB's {mean:.12g}",
        loses="DuckDB only averages the differences of an inner join. ropewalk also looks for repeated "
        "ids, ids "
        "without a partner and missing scores, computes variances, counts the distinct differences for "
        "Wilcoxon's test and the robust t-test, and hashes the files",
    )


_MERGE = (
    "import json, sys\nimport pandas as pd\na, b = map(pd.read_csv, sys.argv[1:])\n"
    "both = a.merge(b, on='id')\n"
    "print(json.dumps([float((both.score_x - both.score_y).mean()), len(both)]))"
)
_JOIN = (
    "import duckdb, json, sys\na, b = sys.argv[1:]\n"
    "query = f\"select avg(a.score - b.score), count(*) from '{a}' a join '{b}' b using (id)\"\n"
    "c = duckdb.connect()\nc.execute('set enable_progress_bar = false')\n"
    "print(json.dumps(c.execute(query).fetchone()))"
)


@task("duckdb", "pandas")
def without_options(settings: Settings) -> Iterable[Row]:
    """Whole processes as they are typed: two CSV files, and two Parquet files of millions of rows."""
    import duckdb

    rows = 1_000_000
    parquet = write(settings.folder / f"rows_{rows}", rows)
    csv = [path.replace(".parquet", ".csv") for path in parquet]
    with duckdb.connect() as connection:
        for source, target in zip(parquet, csv, strict=True):
            connection.execute(f"copy (from '{source}') to '{target}' (header)")
    many = write(settings.folder / "rows_4000000", 4_000_000)
    cases = (
        ("csv_pair", "two CSV files of 1,000,000 rows", csv, _MERGE, "pandas' read and merge"),
        ("parquet_pair", "two Parquet files of 4,000,000 rows", many, _JOIN, "DuckDB's own join and average"),
    )
    for name, what, files, peer, called in cases:
        ratios, peak, gap = [], 0.0, 0.0
        for _ in range(3):
            ours, megabytes, said = process([*PROGRAM, "compare", *files, "--higher-is-better", "--json"])
            theirs, _, found = process(["-c", peer, *files])
            ratios.append(theirs / ours)
            peak, gap = max(peak, megabytes), abs(mean_of(said) - json.loads(found)[0])
        yield Row(
            name=name,
            what=f"`ropewalk compare` without options, {what}",
            peer=called,
            figures={"ratio": statistics.median(ratios), "megabytes": peak},
            text=f"{times(ratios)}, {peak:.0f} MB peak memory",
            note=f"the means {gap:.1g} apart",
            differs="" if gap < 1e-9 else f"means {gap:.2g} apart",
            loses="ours pairs, audits and hashes the rows, and then runs its tests",
        )


@task("duckdb")
def spill(settings: Settings) -> Iterable[Row]:
    """The same join with a hundredth of the memory: it goes to disk, and the answer is the same."""
    rows = 2_000_000 if settings.quick else 20_000_000
    files = write(settings.folder / f"spill_{rows}", rows)
    code = (
        "import sys\nfrom ropewalk.read import scan\nscan._MEMORY = sys.argv.pop(1)\n"
        "from ropewalk.cli import main\nmain()"
    )
    measured = {}
    for memory in ("4GB", "300MB"):
        with watched(settings.folder) as (folder, most):
            seconds, megabytes, said = process(
                ["-c", code, memory, "compare", *files, "--in-place", "--json"], TMPDIR=str(folder)
            )
        measured[memory] = (seconds, megabytes, said, most[0] / 2**20)
    whole, small = measured["4GB"], measured["300MB"]
    gap = abs(mean_of(whole[2]) - mean_of(small[2]))
    yield Row(
        name="spill",
        what=f"two models x {rows:,} rows in place: DuckDB limited to 300 MB against 4 GB",
        figures={"ratio_of_times": small[0] / whole[0], "megabytes": small[1]},
        text=f"{small[0] / whole[0]:.2f} times as long, peak {small[1]:.0f} MB against {whole[1]:.0f}",
        note=f"{small[0]:.1f} s against {whole[0]:.1f} s; {small[3]:.0f} MB on disk at most, "
        f"{whole[3]:.0f} without the limit",
        differs="" if gap < 1e-12 else f"means {gap:.2g} apart",
    )


@contextmanager
def watched(parent: Path) -> Iterator[tuple[Path, list[int]]]:
    """A folder for temporary files, and the most bytes that were seen in it."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        most, done = [0], threading.Event()

        def look() -> None:
            while not done.wait(0.05):
                total = 0
                for path in Path(folder).rglob("*"):
                    try:
                        total += path.stat().st_size
                    except OSError:  # it has just been deleted
                        continue
                most[0] = max(most[0], total)

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield Path(folder), most
        finally:
            done.set()
            watcher.join()


@task("duckdb")
def skewed(settings: Settings) -> Iterable[Row]:
    """A hundred tasks of the same size, against one that has nine rows in ten."""
    rows = 500_000 if settings.quick else 5_000_000
    even = write(settings.folder / "even", rows, "{key} % 100")
    skew = write(
        settings.folder / "skew", rows, "case when {key} % 10 > 0 then 0 else 1 + {key} // 10 % 99 end"
    )
    ratios, seconds = [], []
    for _ in range(3):
        one, other = compared(even)[0], compared(skew)[0]
        ratios.append(other / one)
        seconds.append(other)
    yield Row(
        name="skewed",
        what=f"100 tasks in two files of {rows:,} rows, in place: one with 90% of the rows against equal "
        "tasks",
        figures={"ratio_of_times": statistics.median(ratios)},
        text=f"{statistics.median(ratios):.2f} times as long",
        note=f"{statistics.median(seconds):.1f} s with the large task; {min(ratios):.2f} to "
        f"{max(ratios):.2f}",
    )


@task("duckdb")
def ten_thousand_tasks(settings: Settings) -> Iterable[Row]:
    rows, tasks = 1_000_000, 10_000
    files = write(settings.folder / "tasks", rows, f"{{key}} % {tasks}")
    seconds, megabytes, said = compared(files)
    yield Row(
        name="ten_thousand_tasks",
        what=f"two models on {tasks:,} tasks, {rows:,} rows, in place: each task and overall",
        figures={"seconds": seconds, "megabytes": megabytes},
        text=f"{seconds:.1f} s, {megabytes:.0f} MB peak memory",
        note=f"{len(json.loads(said)['comparisons']):,} comparisons in {len(said) / 2**20:.0f} MB of JSON",
    )


@task()
def lm_eval_folder(settings: Settings) -> Iterable[Row]:
    """Logs of two models on 57 tasks of multiple choice, each row with the prompt of each of four answers."""
    folder, size = settings.folder / "lm_eval", 0
    date, examples = "2025-01-02T03-04-05.678901", 246
    for model, right in (("first", 0.70), ("second", 0.65)):
        inside = folder / f"org__{model}"
        inside.mkdir(parents=True, exist_ok=True)
        rng = random.Random(model)
        for subject in range(57):
            path = inside / f"samples_mmlu_{subject}_{date}.jsonl"
            rows = (_logged(subject, i, float(rng.random() < right)) for i in range(examples))
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            size += path.stat().st_size
    seconds, megabytes, said = process([*PROGRAM, "compare", str(folder), "--json"])
    yield Row(
        name="lm_eval_folder",
        what=f"`ropewalk compare` on logs of lm-evaluation-harness, 2 models x 57 tasks, {size / 1e6:.0f} MB",
        figures={"seconds": seconds, "megabytes": megabytes},
        text=f"{seconds:.1f} s, {megabytes:.0f} MB peak memory",
        note=f"{json.loads(said)['audit']['paired']:,} examples paired, their documents and prompts checked",
    )


def _logged(subject: int, i: int, right: float) -> dict[str, object]:
    """A row as lm-evaluation-harness logs it, of about 12 kB."""
    question = f"subject {subject}, question {i}: " + "which of the answers below is right? " * 8
    prompt = f"examples of subject {subject}: " + "a question and its answer, " * 90 + question
    document = {"question": question, "choices": list("ABCD"), "answer": i % 4}
    texts = {"doc": json.dumps(document), "prompt": prompt, "target": str(i % 4)}
    answers = [[[str(-0.5 * k), "False"]] for k in range(4)]
    return {
        "doc_id": i,
        "doc": document,
        "target": texts["target"],
        "arguments": {f"gen_args_{k}": {"arg_0": prompt, "arg_1": f" {a}"} for k, a in enumerate("ABCD")},
        "resps": answers,
        "filtered_resps": [a[0] for a in answers],
        "filter": "none",
        "metrics": ["acc"],
        **{f"{name}_hash": hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()},
        "acc": right,
    }
