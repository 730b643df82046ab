"""Information in the file of an evaluation tool besides its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Name of the only task in messages, if it has no name.
NO_TASK = "all units"


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Facts about a long table with the columns `model`, `metric`, `score`, a unit's keys, and maybe `task`.

    `higher_is_better` is by metric, as far as the file says. `same` maps the name of a value to the column
    that must agree wherever a unit occurs ("target": "target_hash"); `alike` does so for values whose
    difference deserves a warning. Columns called `metadata.FIELD` can be clusters. `groups` maps a task to
    its collection.
    """

    format: str
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
