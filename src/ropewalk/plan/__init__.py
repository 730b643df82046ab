"""How much more data would decide: `plan(data)`, and `plan.sequential(data)` for data in batches."""

from ropewalk.plan.planner import Planner, plan

__all__ = ["Planner", "plan"]
