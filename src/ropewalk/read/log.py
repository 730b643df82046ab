"""Information in the file of an evaluation tool besides its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# What messages call the only task, where it has no name.
NO_TASK = "all units"


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Goes with a long table of the columns `model`, `metric`, `score`, what names a unit, and maybe `task`.

    `higher_is_better` is by metric, as far as the file says. `same` names the columns that must agree
    wherever a unit occurs ("target": "target_hash"), `alike` those whose difference is worth a warning.
    Columns called `metadata.FIELD` can be clusters. `groups` has for a task the collection it is a part of.
    """

    format: str
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
