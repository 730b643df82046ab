"""How much more data would decide: `plan(data)`, and `plan.sequential(data)` for data in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ropewalk.plan.planner import Planner, plan

if TYPE_CHECKING:
    from ropewalk.plan.result import Combination, Direction, PairPlan, Plan
    from ropewalk.plan.sequential import Scenario, Sequential

__all__ = ["Combination", "Direction", "PairPlan", "Plan", "Planner", "Scenario", "Sequential", "plan"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Import the classes that a plan returns when they are first used, because they need SciPy."""
    from importlib import import_module

    if name in ("Combination", "Direction", "PairPlan", "Plan"):
        return getattr(import_module("ropewalk.plan.result"), name)
    if name in ("Scenario", "Sequential"):
        return getattr(import_module("ropewalk.plan.sequential"), name)
    raise AttributeError(f"module 'ropewalk.plan' has no attribute {name!r}")
