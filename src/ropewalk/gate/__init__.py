"""May the candidate replace the baseline? Pass, fail or undecided, by a policy.

>>> from ropewalk.gate import Policy, judge
>>> baseline, candidate = [1, 0, 1, 1, 0, 1] * 100, [1, 0, 1, 1, 0, 1] * 100
>>> decision = judge(baseline, candidate, Policy(margin=0.01))
>>> decision.name, decision.exit_code
('pass', 0)
"""

from __future__ import annotations

from ropewalk.gate.decision import Decision, Row
from ropewalk.gate.judge import judge
from ropewalk.gate.ledger import Ledger, Looks
from ropewalk.gate.policy import Policy

__all__ = ["Decision", "Ledger", "Looks", "Policy", "Row", "judge"]
