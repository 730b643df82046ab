"""Two sides of a gate, made to order."""

from __future__ import annotations

import numpy as np

from ropewalk.gate import Decision, Policy, Row
from ropewalk.gate import judge as judge_as_it_is
from ropewalk.gate.claims import GateClaims


def judge(baseline: object, candidate: object, policy: Policy, **options: object) -> Decision:
    """The gate on arrays, with what arrays do not say: higher is better, and the scores are independent."""
    if isinstance(baseline, (list, dict, np.ndarray)) and isinstance(candidate, (list, dict, np.ndarray)):
        options = {"higher_is_better": True, "rho": 0.0, **options}
    return judge_as_it_is(baseline, candidate, policy, **options)


def outcomes(n: int, lost: int, won: int) -> tuple[np.ndarray, np.ndarray]:
    """n examples, all right, but `lost` that only the baseline gets right and `won` only the candidate."""
    baseline, candidate = np.ones(n), np.ones(n)
    candidate[:lost] = 0
    baseline[lost : lost + won] = 0
    return baseline, candidate


def by_task(**tables: tuple[int, int, int]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    both = {task: outcomes(*table) for task, table in tables.items()}
    return {t: b for t, (b, _) in both.items()}, {t: c for t, (_, c) in both.items()}


def row_of(posterior: object, n: int = 100, margin: float = 0.01, fails_from: float = 0.95) -> Row:
    return Row.of(
        None, GateClaims(not_worse=posterior, worse=posterior, what=""), advantage=0.0, margin=margin,
        passes_from=0.95, fails_from=fails_from, required=True, n=n, unit="example",
    )  # fmt: skip
