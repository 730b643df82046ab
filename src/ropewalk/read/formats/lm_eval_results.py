"""What a results file of lm-evaluation-harness says about the samples next to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ropewalk.read.formats.file import File, as_dict, as_list

# results_DATE.json, or NAME_DATE.json if the output path was NAME.json.
_DATED = re.compile(r".+_(?P<date>[^_]+)\.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRun:
    """A run: its tasks and its model; `groups` has the members of each group, tasks or groups."""

    model: str | None
    higher_is_better: Mapping[str, Any]
    shots: Mapping[str, Any]
    samples: Mapping[str, Any]
    groups: Mapping[str, Sequence[str]]


def runs_of(files: Sequence[File]) -> dict[tuple[str, str], EvalRun]:
    """Return the runs of results files by folder and date."""
    runs = {}
    for file in files:
        document = as_dict(file.json()[0])
        model = document.get("model_name")
        named = _DATED.fullmatch(Path(file.path).name)
        runs[folder(file), named["date"] if named else ""] = EvalRun(
            model=model if isinstance(model, str) and model else None,
            higher_is_better=as_dict(document.get("higher_is_better")),
            shots=as_dict(document.get("n-shot")),
            samples=as_dict(document.get("n-samples")),
            groups={
                name: [m for m in as_list(members) if isinstance(m, str)]
                for name, members in as_dict(document.get("group_subtasks")).items()
            },
        )
    return runs


def innermost(groups: Mapping[str, Sequence[str]], tasks: Set[str]) -> dict[str, str]:
    """Return for each task the smallest group with two or more of these tasks, including nested groups.

    A group with only one task left, because smaller groups have the others, does not count.

    >>> groups = {"mmlu": ["stem", "law", "ethics"], "stem": ["algebra", "physics"]}
    >>> innermost(groups, {"algebra", "physics", "law", "ethics", "gsm8k"})
    {'algebra': 'stem', 'ethics': 'mmlu', 'law': 'mmlu', 'physics': 'stem'}
    """
    inside = {name: members(name, groups) & tasks for name in groups}
    smallest = sorted((n for n in inside if len(inside[n]) > 1), key=lambda n: len(inside[n]))
    found = {task: next((n for n in smallest if task in inside[n]), "") for task in sorted(tasks)}
    sizes = Counter(found.values())
    return {task: name for task, name in found.items() if name and sizes[name] > 1}


def members(name: str, groups: Mapping[str, Sequence[str]]) -> set[str]:
    """Return all members below a group; groups in an untrusted file may be circular."""
    found: set[str] = set()
    left = [name]
    while left:
        new = [m for m in groups.get(left.pop(), ()) if m not in found]
        found.update(new)
        left += new
    return found


def group_notes(groups: Mapping[str, Sequence[str]], of_task: Mapping[str, str]) -> list[str]:
    """Describe which groups form a level of the answer; of nested groups the innermost is used."""
    if not of_task:
        return []
    sizes = ", ".join(f"{name} ({n:,} tasks)" for name, n in Counter(of_task.values()).items())
    nested = any(m in groups and groups[m] for members in groups.values() for m in members)
    inner = "; for nested groups the innermost one is used" if nested else ""
    return [
        f"groups of tasks: {sizes}{inner}; in the overall comparison every task counts once, whatever "
        "its group"
    ]


def folder(file: File) -> str:
    """Return the folder that contains a file."""
    return str(Path(file.path).absolute().parent)
