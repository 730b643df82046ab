"""The experiment that a folder of results belongs to: `experiment.json`."""

from __future__ import annotations

import json
from pathlib import Path
from types import NoneType
from typing import Any

from ropewalk.errors import OptionError, ReadError, short
from ropewalk.read.content import content

MANIFEST = "experiment.json"
SCHEMA = "ropewalk-experiment/2"
OLDER = ("ropewalk-experiment/1",)  # rows were split differently; recorded fits can still be read
# Entries that a manifest may lack while nothing is recorded.
_LEAST: dict[str, Any] = {"design": "", "stratified": True, "algorithms": {}, "datasets": {}}
REPAIR = "Run it with --repair (repair=True): damaged results are set aside and computed again."


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Read the manifest of a folder's experiment; None for a new folder.

    Raises
    ------
    ReadError
        If there is a manifest that cannot be used.
    """
    path = folder / MANIFEST
    try:
        found = json.loads(content(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedError(f"{short(path)} cannot be read: {short(error)}", hint=REPAIR) from None
    if not isinstance(found, dict) or not _is_experiment({**_LEAST, **found}):
        raise ReadError(f"{short(path)} is not an experiment of this version", hint="Give another folder.")
    return dict(found)


class DamagedError(ReadError):
    """A file of a store is damaged, but can be repaired."""


def merged(old: dict[str, Any], new: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Merge two manifests: algorithms and data sets may be added, everything else must agree.

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
    """Describe for a message where two algorithms first differ."""

    def first(a: Any, b: Any, place: str) -> str:
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            return next((first(a[k], b[k], str(k)) for k in a if a[k] != b[k]), "")
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            return next((first(x, y, place) for x, y in zip(a, b, strict=True) if x != y), "")
        return f": {short(place)} is {short(b)}, and was {short(a)}"

    try:
        return "" if old is None or new is None else first(json.loads(old), json.loads(new), "it")
    except (ValueError, RecursionError):  # the file may have any content
        return ""


def _another(folder: Path, difference: str) -> OptionError:
    return OptionError(
        f"{short(folder)} holds the results of another experiment",
        where=[difference],
        hint="Results of two experiments are never mixed. Give another folder: store= (--store DIR).",
    )


def _is_experiment(found: dict[str, Any]) -> bool:
    """Whether every entry in use has the right type: a stranger may have written the folder."""
    return (
        found.get("schema") in (SCHEMA, *OLDER)
        and _is_names(found.get("metrics"))
        and isinstance(found["design"], str)
        and isinstance(found["stratified"], bool)
        and all(_is_table(found[key]) for key in ("algorithms", "datasets"))
    )


def _is_table(value: object) -> bool:
    """Whether it describes each algorithm or data set by its name."""
    return isinstance(value, dict) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("digest"), str)
        and isinstance(entry.get("made of", ""), (str, NoneType))
        and (entry.get("classes") is None or _is_names(entry["classes"]))
        for entry in value.values()
    )


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v for v in value)
