"""From a TOML file of an experiment to a Setup.

A file is data, not a program: nothing in it is evaluated, and the only code that it can name are the
estimators of scikit-learn and of packages that the user has allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ropewalk.errors import OptionError, ReadError, RopewalkError, did_you_mean, short
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import SHIPPED, Dataset, shipped
from ropewalk.experiment.estimators import build, check_parameters
from ropewalk.experiment.files import from_file, from_folder
from ropewalk.experiment.setup import Setup
from ropewalk.read.content import toml

_TOP = {
    "design": str,
    "metrics": list,
    "seed": int,
    "stratified": bool,
    "calibrate": str,
    "keep_predictions": bool,
    "timeout": (int, float),
    "store": str,
    "algorithms": dict,
    "datasets": dict,
    "compare": dict,
}
_COMPARE = {
    "metric": str,
    "rope": (int, float, str, list),
    "reference": str,
    "threshold": (int, float),
    "method": (str, list),
}
_DATA = {
    "sklearn": str,
    "file": str,
    "folder": str,
    "target": str,
    "groups": str,
    "drop": list,
    "classes": list,
    "positive": list,
    "above": (int, float, str),
}
_CALLED = {
    str: "text",
    list: "a list",
    int: "a whole number",
    bool: "true or false",
    (int, float): "a number",
    dict: "a table",
    (str, list): "a name or a list of names",
    (int, float, str): 'a number or "median"',
    (int, float, str, list): 'a number, a pair of numbers, "0.1sd" or "auto"',
}

_SUCH = {
    "design": '"10x10cv"',
    "metrics": '["accuracy", "log_loss"]',
    "seed": "0",
    "stratified": "true",
    "calibrate": '"platt"',
    "keep_predictions": "true",
    "timeout": "60",
    "store": '"results"',
    "algorithms": '[algorithms] with bayes = "sklearn.naive_bayes.GaussianNB"',
    "datasets": '[datasets] with wine = "wine"',
    "compare": "[compare] with rope = 0.01",
    "metric": '"accuracy"',
    "rope": "0.01",
    "reference": '"bayes"',
    "threshold": "0.95",
    "method": '["auto", "signed_rank"]',
    "sklearn": '"wine"',
    "file": '"mine.csv"',
    "folder": '"uci"',
    "target": '"sick"',
    "groups": '"patient"',
    "drop": '["id"]',
    "classes": "[3, 8]",
    "positive": '["yes"]',
    "above": '"median"',
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentFile:
    """The content of an experiment file: what to run, where its results go, and which questions to answer."""

    setup: Setup
    store: Path
    compare: dict[str, Any] = field(default_factory=dict)


def read_experiment(path: Path, *, allow: Sequence[str] = (), store: Path | None = None) -> ExperimentFile:
    """Read an experiment file.

    Parameters
    ----------
    path : Path
        The TOML file.
    allow : sequence of str, default ()
        Packages besides scikit-learn whose estimators the file may use.
    store : Path, optional
        Folder for the results, chosen by the user. Default: the one that the file names, which has to be in
        the folder of the file.

    Returns
    -------
    ExperimentFile
        What to run, where its results go, and what is asked of them.

    Raises
    ------
    RopewalkError
        If the file cannot be read, or one of its values makes no sense.
    """
    content = _toml(path)
    try:
        return _read(path, content, allow, store)
    except RopewalkError as error:
        raise type(error)(
            error.what, where=[f"in {short(path.name)}", *error.where], hint=error.hint
        ) from None


def _read(path: Path, top: dict[str, Any], allow: Sequence[str], store: Path | None) -> ExperimentFile:
    _check(top, _TOP, "")
    for key, example in (
        ("algorithms", '[algorithms]\nbayes = "sklearn.naive_bayes.GaussianNB"'),
        ("datasets", '[datasets]\nwine = "wine"\nmine = { file = "mine.csv", target = "sick" }'),
    ):
        if not top.get(key):
            raise OptionError(f"no {key} are given", hint=f"Name them, such as\n\n{example}")
    asked = top.get("compare", {})
    _check(asked, _COMPARE, "[compare]")
    store = store or _store(path, top.get("store", f"{path.stem}-results"))
    algorithms, datasets = [], []
    for name, spec in top["algorithms"].items():
        with _at(f"algorithms.{name}"):
            algorithms.append(_algorithm(name, spec, allow))
    for name, spec in top["datasets"].items():
        with _at(f"datasets.{name}"):
            datasets += _datasets(name, spec, path.parent)
    setup = Setup(
        algorithms=tuple(algorithms),
        datasets=tuple(datasets),
        design=top.get("design", "10x10cv"),
        stratified=top.get("stratified", True),
        metrics=tuple(top.get("metrics", ["accuracy"])),
        seed=top.get("seed", 0),
        calibrate=top.get("calibrate", "auto"),
        keep=top.get("keep_predictions", False),
        timeout=top.get("timeout", 0.0),
    )
    rope = asked.get("rope")
    if isinstance(rope, list):
        asked = {**asked, "rope": tuple(rope)}
    return ExperimentFile(setup=setup, store=store, compare=asked)


def _store(path: Path, name: str) -> Path:
    """Return the results folder; the file may be a stranger's, so it can only name one next to itself."""
    try:
        real = (path.parent / name).resolve()
        inside = real.is_relative_to(path.parent.resolve())
        with suppress(FileNotFoundError, NotADirectoryError):
            real.lstat()  # the name may be too long
    except (OSError, ValueError, RuntimeError) as error:  # null characters, circular links
        raise OptionError(
            f"store is {short(name)}, which is not the path of a folder", where=[short(error)]
        ) from None
    if not inside:
        raise OptionError(
            f"the results would be written to {short(real)}, outside the folder of the experiment file",
            where=[f"at store = {short(name)}"],
            hint='An experiment file can only write to its own folder: store = "results".\n'
            "To write elsewhere, name the folder on the command line: --store DIR",
        )
    return path.parent / name


def _toml(path: Path) -> dict[str, Any]:
    try:
        return toml(path)
    except FileNotFoundError:
        near = sorted(p.name for p in path.parent.glob("*.toml")) if path.parent.is_dir() else []
        hint = (
            did_you_mean(path.name, near) if near else "An experiment is a TOML file: see docs/experiment.md."
        )
        raise ReadError(f"there is no file {short(path)}", hint=hint) from None
    except OSError as error:
        raise ReadError(f"{short(path)} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # also numbers with thousands of digits
        raise ReadError(f"{short(path)} is not TOML", where=[short(error, 200)]) from None


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Add the position in the file to an error."""
    try:
        yield
    except RopewalkError as error:
        raise type(error)(error.what, where=[f"at {short(place)}", *error.where], hint=error.hint) from None


def _check(table: Mapping[str, Any], known: Mapping[str, Any], place: str) -> None:
    """Check that every key is known and that its value has the right type."""
    for key, value in table.items():
        inside = f" in {place}" if place else ""
        if key not in known:
            raise OptionError(f'there is no key "{short(key)}"{inside}', hint=did_you_mean(key, known))
        kinds = known[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
            raise OptionError(
                f"{key}{inside} is {short(value)}, which is not {_CALLED[kinds]}",
                hint=f"For example: {_SUCH[key]}.",
            )
        if (
            isinstance(value, list)
            and key in ("metrics", "drop", "method")
            and not all(isinstance(v, str) for v in value)
        ):
            raise OptionError(f"{key}{inside} is not a list of names", hint=f"For example: {_SUCH[key]}.")


def _algorithm(name: str, spec: Any, allow: Sequence[str]) -> Algorithm:
    grid = {}
    if isinstance(spec, dict) and "select" in spec:
        grid = spec["select"]
        if not isinstance(grid, dict) or not grid:
            raise OptionError(
                f"select is {short(grid)}, which is not a table of lists",
                hint="Give each parameter its values: select = { C = [0.1, 1, 10] }.",
            )
        check_parameters(grid)
        spec = {k: v for k, v in spec.items() if k != "select"}
    return Algorithm(name=name, estimator=build(spec, allow=allow), grid=grid)


def _datasets(name: str, spec: Any, here: Path) -> list[Dataset]:
    if isinstance(spec, str):
        spec = {"sklearn": spec} if spec in SHIPPED else {"file": spec}
    if not isinstance(spec, dict):
        raise OptionError(
            f"the data set is {short(spec)}",
            hint='Give the name of one that scikit-learn ships ("wine"), the path of a file, or a table such '
            'as\n{ file = "mine.csv", target = "sick" }.',
        )
    _check(spec, _DATA, "")
    sources = [k for k in ("sklearn", "file", "folder") if k in spec]
    if len(sources) != 1:
        raise OptionError(
            f"the data set has {len(sources)} sources", hint='Give one of "sklearn", "file" and "folder".'
        )
    options = {k: spec[k] for k in ("target", "groups", "drop") if k in spec}
    if sources == ["sklearn"]:
        if options:
            raise OptionError(
                f'"{next(iter(options))}" is for files; scikit-learn\'s data sets have their target',
                hint="Leave it out.",
            )
        found = [shipped(spec["sklearn"], called=name)]
    elif sources == ["file"]:
        found = [from_file(here / spec["file"], name=name, **options)]
    else:
        each = from_folder(here / spec["folder"], **options)
        found = [replace(d, name=f"{name}/{d.name}") for d in each]
    if "classes" in spec:
        found = [d.only(spec["classes"]) for d in found]
    if "positive" in spec:
        found = [d.positive(spec["positive"]) for d in found]
    return [d.above(spec["above"]) for d in found] if "above" in spec else found
