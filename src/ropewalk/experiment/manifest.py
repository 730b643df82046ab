"""What a folder of results belongs to: `experiment.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ropewalk.errors import OptionError, ReadError, short
from ropewalk.read.content import content

MANIFEST = "experiment.json"
SCHEMA = "ropewalk-experiment/2"
OLDER = ("ropewalk-experiment/1",)  # the rows were split in another way; what was recorded can still be read
REPAIR = "Run it with --repair (repair=True): damaged results are set aside and computed again."


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Read the experiment that a folder belongs to; None for a new folder.

    Raises
    ------
    ReadError
        If there is a manifest that cannot be used.
    """
    path = folder / MANIFEST
    if not path.exists():
        return None
    try:
        found = json.loads(content(path))
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedError(f"{short(path)} cannot be read: {short(error)}", hint=REPAIR) from None
    if (
        not isinstance(found, dict)
        or found.get("schema") not in (SCHEMA, *OLDER)
        or not _is_names(found.get("metrics"))
    ):
        raise ReadError(f"{short(path)} is not an experiment of this version", hint="Give another folder.")
    return dict(found)


class DamagedError(ReadError):
    """A file of a store is damaged, and can be repaired."""


def merged(old: dict[str, Any], new: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Both: further algorithms and data sets may be added, nothing may differ.

    Raises
    ------
    OptionError
        If the folder holds another experiment, or was written when rows were split in another way.
    """
    if old.get("schema", SCHEMA) in OLDER:
        raise OptionError(
            f"{short(folder)} was written by an earlier version of ropewalk",
            where=["this version splits the rows by scikit-learn, so the same seed gives other splits"],
            hint="Run the experiment in another folder: store= (--store DIR).\n"
            "What is recorded here can still be compared: ropewalk.experiment.Experiment.load(folder)"
            ".compare().",
        )
    for key in ("design", "stratified", "seed", "metrics", "calibrate", "keep"):
        if old.get(key) != new.get(key):
            raise _another(folder, f"{key} is {short(new.get(key))}, and was {short(old.get(key))}")
    out = {**old, **new}
    for key, what in (("algorithms", "algorithm"), ("datasets", "data set")):
        before, now = old.get(key, {}), new.get(key, {})
        for name in now.keys() & before.keys():
            if now[name]["digest"] != before[name]["digest"]:
                how = _difference(before[name].get("made of"), now[name].get("made of"))
                raise _another(folder, f'{what} "{short(name)}" differs from before{how}')
        out[key] = {**before, **now}
    return out


def _difference(old: str | None, new: str | None) -> str:
    """Where two algorithms first differ, for a message."""

    def first(a: Any, b: Any, place: str) -> str:
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            return next((first(a[k], b[k], str(k)) for k in a if a[k] != b[k]), "")
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            return next((first(x, y, place) for x, y in zip(a, b, strict=True) if x != y), "")
        return f": {short(place)} is {short(b)}, and was {short(a)}"

    return "" if old is None or new is None else first(json.loads(old), json.loads(new), "it")


def _another(folder: Path, difference: str) -> OptionError:
    return OptionError(
        f"{short(folder)} holds the results of another experiment",
        where=[difference],
        hint="Results of two experiments are never mixed. Give another folder: store= (--store DIR).",
    )


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v for v in value)
