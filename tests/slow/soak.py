"""A soak: `ropewalk run` with 2,000 fits under kills, timeouts, short writes, full disks and worker deaths.

    python tests/slow/soak.py FOLDER [SECONDS [SEED]]

Each round starts the command anew in the same folder, with other faults, and most of them are killed.
Between rounds the store is read: what was there once must stay. When all fits are there before the time is
up, a fresh folder is begun. On a slow machine the faults go on until all fits were made under them once, for
three times as long at most. At the end the faults stop, the run is completed, and its JSON document must be,
byte for byte, that of a run without faults. A summary is printed as JSON.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FITS = 2_000
EXPERIMENT = """
design = "50x10cv"
keep_predictions = true
[algorithms]
narrow = { class = "soak_estimators.Flaky", faults = "faults" }
wide = { class = "soak_estimators.Flaky", faults = "faults", var_smoothing = 0.1 }
[datasets]
wine = "wine"
iris = "iris"
[compare]
rope = 0.01
"""
RUN = ["run", "e.toml", "--allow-import", "soak_estimators", "--json"]
FULL, KILLED = 3, -signal.SIGKILL
ORPHANED = re.compile(rb"LokyProcess-\d+ failed with traceback:.*?\nEOFError: Ran out of input\n", re.DOTALL)


def command(folder: Path, options: list[str], faults: dict[str, Any] | None) -> subprocess.Popen[bytes]:
    """Start the command in a folder; `faults` are those of its writes."""
    code = [sys.executable, __file__, "--child", json.dumps(faults or {}), *RUN, *options]
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(code, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def child(faults: dict[str, Any], arguments: list[str]) -> None:
    """The command, with writes that are short, and a disk that is full."""
    from ropewalk.cli import main
    from ropewalk.experiment import store

    store._SOME = 200  # fold often, so that many faults fall into it
    if faults.get("largest"):  # no file may grow beyond it, also those that DuckDB writes
        resource.setrlimit(resource.RLIMIT_FSIZE, (faults["largest"], resource.RLIM_INFINITY))
    real, rng = os.write, random.Random(faults.get("seed"))

    def write(handle: int, data: Any) -> int:
        if not stat.S_ISREG(os.fstat(handle).st_mode):  # pipes take messages of this size whole
            return real(handle, data)
        if rng.random() < faults["full"]:
            raise OSError(28, "No space left on device")
        most = rng.randrange(1, len(data) + 1) if rng.random() < faults["short"] and len(data) else len(data)
        return real(handle, bytes(data)[:most])

    if faults:
        os.write = write  # type: ignore[assignment]
    main(arguments)


def begin(folder: Path, *, faults: bool) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "e.toml").write_text(EXPERIMENT)
    if faults:
        (folder / "faults").touch()
    return folder


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for started in (thread / "children").read_text().split():
                found += [int(started), *descendants(int(started))]
    return found


def one_round(folder: Path, rng: random.Random) -> tuple[str, int]:
    """Start it, harm it, and end it; what was done, and the exit code."""
    limit = rng.random() < 0.5
    faults = {
        "seed": rng.random(),
        "short": 0.3,
        "full": rng.choice([0.0, 0.0, 0.002]),
        "largest": rng.choice([0, 0, rng.randrange(20_000, 200_000)]),
    }
    options = ["--jobs", rng.choice(["1", "2", "2"]), *(["--timeout", "5"] if limit else [])]
    options += ["--retry-failed"] if rng.random() < 0.3 else []
    process = command(folder, options, faults)
    ends = time.monotonic() + rng.uniform(5, 40)
    harm = rng.choice(["kill", "kill", "kill a worker", "wait"])
    while process.poll() is None and time.monotonic() < ends:
        time.sleep(0.1)
        if harm == "kill a worker" and rng.random() < 0.02 and (some := descendants(process.pid)):
            with suppress(ProcessLookupError):
                os.kill(rng.choice(some), signal.SIGKILL)
    if process.poll() is None:
        process.kill()
    _, err = process.communicate()
    if process.returncode not in (0, FULL, KILLED):
        raise SystemExit(f"exit code {process.returncode} after {harm}:\n{err.decode()}")
    if process.returncode == KILLED:  # loky's processes say so where they had just been started
        err = ORPHANED.sub(b"", err)
    if b"Traceback" in err and harm != "kill a worker":  # joblib's own tracker of resources is one of them
        raise SystemExit(f"a traceback after {harm}:\n{err.decode()}")
    return harm, process.returncode


def recorded(folder: Path) -> tuple[dict[tuple[str, ...], str], tuple[str, ...]]:
    """The fits in the store and what is damaged in it."""
    from ropewalk.experiment.store import load

    if not (folder / "e-results" / "experiment.json").exists():
        return {}, ()
    _, found = load(folder / "e-results")
    return {key: fit.error for key, fit in found.fits.items()}, found.damage


def complete(folder: Path) -> bytes:
    """The document of a run without faults, after all those with faults."""
    (folder / "faults").unlink(missing_ok=True)
    process = command(folder, ["--jobs", "2", "--retry-failed"], None)
    out, err = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"the last run ended with {process.returncode}:\n{err.decode()}")
    return out


def rows(folder: Path) -> tuple[int, int]:
    """The rows of the Parquet file, and how many of them differ in what tells a fit from another one."""
    import duckdb

    with duckdb.connect() as connection:
        table = connection.read_parquet(str(folder / "e-results" / "results.parquet"))
        identity = "model, model_hash, task, data_hash, split_hash, repeat, fold, random_state"
        return len(table.fetchall()), len(set(table.select(identity).fetchall()))


def main(where: str, seconds: float, seed: int) -> None:
    rng, start = random.Random(seed), time.monotonic()
    summary: dict[str, Any] = {"rounds": 0, "filled folders": 0, "lost": 0, "damaged": 0}
    codes: Counter[str] = Counter()
    failed = 0
    folder, before = begin(Path(where) / "soaked", faults=True), {}
    while (spent := time.monotonic() - start) < seconds or (
        spent < 3 * seconds and len(before) < FITS and not summary["filled folders"]
    ):
        if len(before) == FITS and not any(before.values()):
            summary["filled folders"] += 1
            folder, before = begin(folder, faults=True), {}
        harm, code = one_round(folder, rng)
        codes[f"{harm}: {code}"] += 1
        now, damage = recorded(folder)
        summary["rounds"] += 1
        summary["lost"] += len(before.keys() - now.keys())
        summary["damaged"] += len(damage)
        failed = max(failed, sum(map(bool, now.values())))
        before = now
    summary |= {"fits before the last run": len(before), "most failed fits at a time": failed}
    document = complete(folder)
    clean = complete(begin(Path(where) / "clean", faults=False))
    kept = len(list((folder / "e-results" / "outputs").glob("*.npz")))
    left = [p.name for p in (folder / "e-results").rglob("*") if p.suffix == ".new"]
    summary |= {
        "seconds": round(time.monotonic() - start),
        "ended": dict(codes),
        "rows and different rows": rows(folder),
        "predictions kept": kept,
        "temporary files left": left,
        "same bytes as without faults": document == clean,
        "same bytes a second time": document == complete(folder),
    }
    sys.stdout.write(json.dumps(summary, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(json.loads(sys.argv[2]), sys.argv[3:])
    else:
        given = dict(enumerate(sys.argv))
        main(given[1], float(given.get(2, "600")), int(given.get(3, "0")))
