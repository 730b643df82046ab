"""May the candidate replace the baseline? Pass, fail or undecided, by a margin or a policy.

The subpackage can also be called: `ropewalk.gate(baseline, candidate, margin=0.01)`.

>>> import ropewalk as rw
>>> baseline, candidate = [1, 0, 1, 1, 0, 1] * 100, [1, 0, 1, 1, 0, 1] * 100
>>> decision = rw.gate(baseline, candidate, margin=0.01)
>>> decision.name, decision.exit_code
('pass', 0)
"""

from __future__ import annotations

import sys
from inspect import signature
from types import ModuleType
from typing import Any

from ropewalk.gate.decision import Decision, Row
from ropewalk.gate.judge import gate, judge
from ropewalk.gate.ledger import Ledger, Looks
from ropewalk.gate.policy import Policy

__all__ = ["Decision", "Ledger", "Looks", "Policy", "Row", "gate", "judge"]


def __dir__() -> list[str]:
    return sorted(__all__)


class _GateModule(ModuleType):
    """Let `ropewalk.gate` be both this package and the function of the same name."""

    __signature__ = signature(gate)

    def __call__(self, *arguments: Any, **options: Any) -> Decision:
        return gate(*arguments, **options)


_GateModule.__call__.__doc__ = gate.__doc__
sys.modules[__name__].__class__ = _GateModule
