"""Mutated files for every reader: an answer or an error of ours, within 5 seconds and bounded memory.

    python tests/slow/fuzz.py --files 100000              all readers, in turn
    python tests/slow/fuzz.py --replay "csv long" 1234    one case, with its traceback

A case is named by its reader and its number, from which its bytes follow. Cases run in a worker process,
which is watched from outside: a reader that crashes it (the C++ of DuckDB, a full memory) or that does not
come back is a failure like any other. Failures are kept in a folder, file by file.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import random
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECONDS = 5  # that a file may take
GROWTH = 512 * 2**20  # bytes by which one file may raise the worker's memory
ADDRESSES = 12 * 2**30  # bytes of address space, beyond which the worker dies instead of the machine
EVERY = 500  # of so many files one goes through the command line as well
BATCH = 2_000


def _sibling(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SEEDS: dict[str, tuple[str, Callable[[], dict[str, bytes]]]] = _sibling("fuzz_seeds").SEEDS
zipped: Callable[[dict[str, Any], int], bytes] = _sibling("fuzz_seeds").zipped

# ---------------------------------------------------------------------------------------------- mutations

NASTY = [
    *b"1e400 -1e400 1e-400 NaN nan Infinity -Infinity inf -0 0 1 2 0.5 1_000 0x10 1,5 85% null true".split(),
    *(b"[ ] { } , ; : | \" ' \\ \\n \\ud800 \\u0000 \\x00 # % ? @data @attribute PAR1 PK\x03\x04").split(),
    *(b"" b" ", b"\t", b"\n", b"\r", b"\r\n", b"\n\n", b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xc3"),
    b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\x85", b"\x1c", b"9" * 400, b"9" * 5_000, b"1" * 100_000,
    b"x" * 3_000,
    b"[" * 3_000, b'{"a":' * 2_000, b"-" * 500, b'""', b'"""', b",,,", b"\"\n", b" " * 20_000, b"'" * 1_001,
    b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616", b"4294967296", "١".encode(),
    b"2024-01-01", b"2024-13-45T99:99:99", b"=", b"[[", b"]]", b"..", b"../../etc/passwd", b"*",
]  # fmt: skip
JUNK: list[Any] = [
    None, True, False, -1, 0, 0.5, 1e308, 10**400, 2**63, float("nan"), float("inf"), "", "x", "C",
    "\ud800", "\x00",
    "nan", "9" * 5_000, [], [[1]], {}, {"": None}, [None], ["a"], {"a": {"a": {"a": []}}}, "é" * 500,
]  # fmt: skip
TOKEN = re.compile(rb"-?\d+(?:\.\d+)?|\"[^\"\n]*\"|[A-Za-z_]\w*|[,;:\t{}\[\]\"'=]")


def flip(rng: random.Random, content: bytes, _: bytes) -> bytes:
    out = bytearray(content)
    for _i in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(out))
        out[at] = rng.choice((rng.randrange(256), out[at] ^ (1 << rng.randrange(8)), 0, 255))
    return bytes(out)


def end(rng: random.Random, content: bytes, _: bytes) -> bytes:
    """Bytes near the end, where Parquet and zip have what they believe about the rest."""
    at = max(0, len(content) - 600)
    return content[:at] + flip(rng, content[at:], b"")


def cut(rng: random.Random, content: bytes, _: bytes) -> bytes:
    at = rng.randrange(len(content))
    return content[:at] if rng.random() < 0.5 else content[at:]


def drop(rng: random.Random, content: bytes, _: bytes) -> bytes:
    a, b = sorted(rng.randrange(len(content) + 1) for _i in range(2))
    return content[:a] + content[b:]


def splice(rng: random.Random, content: bytes, other: bytes) -> bytes:
    a, b = rng.randrange(len(content) + 1), rng.randrange(len(other) + 1)
    return content[:a] + other[b:]


def repeat(rng: random.Random, content: bytes, _: bytes) -> bytes:
    a, b = sorted(rng.randrange(len(content) + 1) for _i in range(2))
    return content[:b] + content[a:b] * rng.choice((1, 2, 50 if b - a < 2_000 else 2)) + content[b:]


def insert(rng: random.Random, content: bytes, _: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(NASTY) + content[at:]


def token(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """A number, a word, a quote or a delimiter exchanged for something nasty, or for one of another file."""
    found = list(TOKEN.finditer(content))
    if not found:
        return insert(rng, content, other)
    spot, new = rng.choice(found), rng.choice(NASTY)
    theirs = TOKEN.findall(other)
    if theirs and rng.random() < 0.3:
        new = rng.choice(theirs)
    if rng.random() < 0.3 and spot[0].startswith(b'"'):
        new = b'"' + new + b'"'
    return content[: spot.start()] + new + content[spot.end() :]


def lines(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Lines twice, gone, in another order, with other ends; or a line of another file."""
    parts = content.split(b"\n")
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    how = rng.randrange(6)
    if how == 0:
        parts.insert(i, parts[j])
    elif how == 1:
        del parts[i]
    elif how == 2:
        parts[i], parts[j] = parts[j], parts[i]
    elif how == 3:
        parts[i] += rng.choice((b"\r", b" ", b",", b"\t", b"\x0b"))
    elif how == 4:
        parts.insert(i, rng.choice(other.split(b"\n")))
    return (rng.choice((b"\r\n", b"\r", b"\n")) if how == 5 else b"\n").join(parts)


def recode(rng: random.Random, content: bytes, _: bytes) -> bytes:
    text = content.decode("utf-8", "replace")
    kind = rng.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "utf-7", "latin-1"))
    return text.encode(kind, "replace")


def document(rng: random.Random, content: bytes, _: bytes) -> bytes:
    """JSON with a value exchanged, gone, nested, or a key twice; of a zip archive the same in a member."""
    if content.startswith(b"PK\x03\x04"):
        return _member(rng, content)
    whole = content.split(b"\n") if content.count(b"\n") > 1 else [content]
    k = rng.randrange(len(whole))
    try:
        value = json.loads(whole[k])
    except (ValueError, RecursionError):
        return token(rng, content, b"")
    spots = list(_places(value))
    if not spots:
        return insert(rng, content, b"")
    where, key = rng.choice(spots)
    how = rng.randrange(5)
    if how == 0 and isinstance(where, dict):
        del where[key]
    elif how == 1:
        where[key] = [where[key]]
    elif how == 2 and isinstance(where, dict):
        where[key + rng.choice(("", "2", " "))] = rng.choice(JUNK)
    else:
        where[key] = rng.choice(JUNK)
    whole[k] = json.dumps(value).encode()
    if how == 3 and isinstance(where, dict):  # the same key a second time
        pair = f"{json.dumps(key)}: {json.dumps(where[key])}".encode()
        whole[k] = whole[k].replace(pair, pair + b", " + pair, 1)
    return b"\n".join(whole)


def _member(rng: random.Random, content: bytes) -> bytes:
    try:
        from backports.zstd import zipfile as reader
    except ImportError:
        reader = zipfile
    try:
        with reader.ZipFile(io.BytesIO(content)) as file:
            members = {i.filename: file.read(i) for i in file.infolist()}
            method = file.infolist()[0].compress_type
    except Exception:  # noqa: BLE001  # the archive was mutated before
        return flip(rng, content, b"")
    name = rng.choice(sorted(members))
    members[name] = rng.choice((document, document, flip, cut, token))(rng, members[name], b"") or b"{}"
    return zipped(members, method)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from _places(inner)


TEXT = (flip, cut, drop, splice, repeat, insert, token, token, lines, lines, recode)
JSON = (*TEXT, document, document, document, document, document)
BINARY = (flip, flip, flip, end, end, end, cut, drop, splice, repeat, insert, document)


def mutated(reader: str, number: int) -> dict[str, bytes]:
    """The files of one case: one of the seed's files changed, one to three times."""
    rng = random.Random(f"{reader}:{number}")
    files = dict(seed(reader))
    name = rng.choice(sorted(files))
    other = rng.choice(sorted(seed(rng.choice(sorted(SEEDS))).items()))[1]
    content = files[name]
    binary = b"\x00" in content
    ways = BINARY if binary else JSON if content[:1] in b"[{" else TEXT
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = rng.choice(ways)(rng, content, other) if content else other
        content = content[:400_000]
    files[name] = content
    return files


_seeds: dict[str, dict[str, bytes]] = {}


def seed(reader: str) -> dict[str, bytes]:
    if reader not in _seeds:
        _seeds[reader] = SEEDS[reader][1]()
    return _seeds[reader]


# ---------------------------------------------------------------------------------------------- one case


class Hang(BaseException):
    """A file took longer than it may."""


def opened(door: str, folder: Path, files: dict[str, bytes]) -> Any:
    """Read the files by the door that users use."""
    path = folder / next(iter(files))
    if door in ("read", "file", "in place", "as large"):
        from ropewalk import read
        from ropewalk.read import typed

        typed._LARGE = 0 if door == "as large" else 1 << 20  # by the reader of large CSV files
        return read(folder if door == "read" else path, in_place=True if door == "in place" else None)
    if door == "dataset":
        from ropewalk.experiment.datasets import dataset

        return dataset("d", path)
    if door == "experiment":
        from ropewalk.experiment.file import read_experiment

        return read_experiment(path)
    if door == "store":
        from ropewalk.experiment.store import load

        return load(folder)
    if door == "policy":
        from ropewalk.gate.policy import Policy

        return Policy.read(path)
    from ropewalk.gate.ledger import Ledger

    return Ledger.read(path)


def outcome(reader: str, files: dict[str, bytes], folder: Path, *, command: bool = False) -> str:
    """What came of it: "answer", the name of our error, or "FAILED" and why."""
    from ropewalk.errors import RopewalkError, RopewalkWarning

    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    door = SEEDS[reader][0]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("default", RopewalkWarning)
            allow(SECONDS)
            found = opened(door, folder, files)
            sound(found)
        said = "answer"
    except RopewalkError as error:
        said = type(error).__name__
        if not error.what or len(str(error)) > 4_000 or _odd(str(error)):
            return f"FAILED with a message of {len(str(error)):,} characters: {str(error)[:300]!r}"
    except Hang:
        return "FAILED: hang\n" + traceback.format_exc(limit=-6)
    except Exception:  # noqa: BLE001  # that is the question
        return "FAILED\n" + traceback.format_exc(limit=-8)
    finally:
        allow(0)
    if command and door in ("read", "file"):
        return _command(folder if door == "read" else folder / next(iter(files))) or said
    return said


def allow(seconds: float) -> None:
    """Raise Hang after so much time of the processor, or twelve times as much on the clock; 0: never."""
    for alarm in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(alarm, _late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 12 * seconds)


def _late(*_: object) -> None:
    raise Hang


def _odd(message: str) -> bool:
    return any(not c.isprintable() and c != "\n" for c in message)


def sound(data: Any) -> None:
    """What was accepted has finite scores, and each unit once."""
    import numpy as np

    from ropewalk.data import Scores

    if isinstance(data, Scores):
        for task in data.tasks:
            assert len(set(task.units)) == len(task.units)
            values = np.asarray(task.values, dtype=float)
            assert not np.isinf(values).any()
            assert data.has_gaps or not np.isnan(values).any()


def _command(path: Path) -> str:
    """`ropewalk compare` ends with an answer, or with an exit code of ours; "" if it does."""
    from ropewalk.cli import main

    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            allow(12 * SECONDS)  # it computes as well
            main(["compare", str(path), "--json"])
    except SystemExit as done:
        if done.code in (0, 3, 4) and "Traceback" not in err.getvalue():
            return ""
        return f"FAILED: ropewalk compare ended with {done.code}\n{err.getvalue()[-2000:]}"
    except Hang:
        return "FAILED: ropewalk compare hangs\n" + traceback.format_exc(limit=-6)
    except Exception:  # noqa: BLE001  # that is the question
        return "FAILED: ropewalk compare\n" + traceback.format_exc(limit=-8)
    finally:
        allow(0)
    return "FAILED: ropewalk compare did not exit"


# ---------------------------------------------------------------------------------------------- workers


def work(reader: str, first: int, last: int) -> None:
    """Run cases and print a line of JSON for each, after the number of the one that begins."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    shared = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=shared) as root:
        say({"case": -1, "said": outcome(reader, dict(seed(reader)), Path(root) / "seed")})
        for number in range(first, last):
            files = mutated(reader, number)
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()
            before, began = peak(), time.process_time()
            folder = Path(root) / "case"
            try:
                said = outcome(reader, files, folder, command=number % EVERY == EVERY - 1)
            except Hang:
                said = "FAILED: hang"
            grown = peak() - before
            if grown > GROWTH and not said.startswith("FAILED"):
                said = f"FAILED: {grown / 2**20:,.0f} MiB of memory"
            say({"case": number, "said": said, "s": time.process_time() - began, "peak": peak()})
            empty(folder)


def say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def empty(folder: Path) -> None:
    for where, _, names in os.walk(folder, topdown=False):
        for name in names:
            (Path(where) / name).unlink()


@dataclass
class Tally:
    """What came of the cases of one reader."""

    said: Counter[str] = field(default_factory=Counter)
    failures: dict[int, str] = field(default_factory=dict)
    slowest: float = 0.0
    peak: int = 0


def cases(reader: str, first: int, last: int, keep: Path | None = None) -> Tally:
    """Run the cases of one reader in workers; a dead one is replaced."""
    tally, at = Tally(), first
    while at < last:
        command = [sys.executable, __file__, "--work", reader, str(at), str(min(last, at + BATCH))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
            begun = _listen(worker, tally, at - 1)
            code = worker.wait()
        if code != 0:  # it died on the case that it had begun
            tally.failures[begun] = f"FAILED: the worker ended with {code}"
            tally.said["FAILED"] += 1
            at = begun + 1
        else:
            at = min(last, at + BATCH)
    if keep is not None:
        for number, why in tally.failures.items():
            folder = keep / re.sub(r"\W+", "-", reader) / str(number)
            for name, content in mutated(reader, number).items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
            (folder / "why.txt").write_text(why)
    return tally


def _listen(worker: Any, tally: Tally, begun: int) -> int:
    """Follow a worker to its end; one that is silent for long is killed. The number of its last case."""
    while True:
        ready, _, _ = select.select([worker.stdout], [], [], 900)
        line = worker.stdout.readline() if ready else ""
        if not line:
            if not ready:
                worker.kill()
            return begun
        if not line.startswith("{"):
            begun = int(line)
            continue
        told = json.loads(line)
        if told["case"] < 0:
            assert told["said"] == "answer" or told["said"] == "ReadError", told["said"]
            continue
        said = "FAILED" if told["said"].startswith("FAILED") else told["said"]
        tally.said[said] += 1
        tally.slowest = max(tally.slowest, told["s"])
        tally.peak = max(tally.peak, told["peak"])
        if said == "FAILED":
            tally.failures[told["case"]] = told["said"]


def share(files: int) -> dict[str, int]:
    """How many cases each reader gets: fewer where DuckDB starts anew for each file, which takes it 50 ms."""
    weight = {r: 1 if r.startswith("foreign") else 1 if _by_duckdb(r) else 6 for r in SEEDS}
    total = sum(weight.values())
    out = {r: files * w // total for r, w in weight.items()}
    out[next(iter(out))] += files - sum(out.values())
    return out


def _by_duckdb(reader: str) -> bool:
    return reader.startswith(("in place", "as large")) or any(n.endswith(".parquet") for n in seed(reader))


def everything(files: int, keep: Path | None = None, out: Any = None) -> dict[str, Tally]:
    """All readers; a line for each as it is done."""
    found = {}
    for reader, n in share(files).items():
        began = time.perf_counter()
        found[reader] = t = cases(reader, 0, n, keep)
        if out is not None:
            rate = n / (time.perf_counter() - began)
            told = ", ".join(f"{k} {v:,}" for k, v in t.said.most_common())
            out.write(f"{reader:24} {n:6,} files {rate:5.0f}/s, slowest {t.slowest:5.2f} s, ")
            out.write(f"peak {t.peak / 2**20:4.0f} MiB: {told}\n")
            out.flush()
    return found


def main() -> None:
    as_is = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_is)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, default=None, help="folder for the files that failed")
    parser.add_argument("--only", nargs="*", default=None, help="readers")
    parser.add_argument("--replay", nargs=2, metavar=("READER", "NUMBER"))
    parser.add_argument("--work", nargs=3, metavar=("READER", "FIRST", "LAST"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work[0], int(given.work[1]), int(given.work[2]))
    elif given.replay:
        reader, number = given.replay[0], int(given.replay[1])
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(outcome(reader, mutated(reader, number), Path(folder)) + "\n")
    else:
        for reader in set(SEEDS) - set(given.only or SEEDS):
            del SEEDS[reader]
        began = time.perf_counter()
        found = everything(given.files, given.keep, sys.stdout)
        bad = sum(len(t.failures) for t in found.values())
        seconds = time.perf_counter() - began
        sys.stdout.write(f"{given.files:,} files in {seconds:,.0f} s, {bad:,} failures\n")
        sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
