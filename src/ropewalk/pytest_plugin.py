"""A pytest fixture that fails a test if a model got worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, Unpack

import pytest

if TYPE_CHECKING:
    from ropewalk.gate import Decision
    from ropewalk.options import JudgeOptions


class AssertNotWorse(Protocol):
    """Type of the `assert_not_worse` fixture."""

    def __call__(
        self,
        baseline: Any,
        candidate: Any,
        *,
        margin: float,
        probability: float = 0.95,
        on_undecided: Literal["pass", "fail"] = "fail",
        margins: Mapping[str, float] | None = None,
        must_not_regress: Sequence[str] | Literal["all"] = (),
        bounds: tuple[float, float] | None = None,
        question: Literal["these", "average"] | None = None,
        **options: Unpack[JudgeOptions],
    ) -> Decision: ...


@pytest.fixture
def assert_not_worse() -> AssertNotWorse:
    """Assert that a candidate is not worse than a baseline by more than a margin.

    Both are paths, frames, scores in the same order or dicts {task: scores}; further keywords are those of
    `ropewalk.gate.judge`. Undecided fails unless on_undecided="pass". It returns the decision.

        def test_release(assert_not_worse):
            assert_not_worse("baseline.csv", "candidate.csv", margin=0.01)
    """

    from ropewalk.gate import Policy, judge, render
    from ropewalk.options import JudgeOptions, with_options_of

    @with_options_of(judge, JudgeOptions)
    def check(
        baseline: Any,
        candidate: Any,
        *,
        margin: float,
        probability: float = 0.95,
        on_undecided: Literal["pass", "fail"] = "fail",
        margins: Mapping[str, float] | None = None,
        must_not_regress: Sequence[str] | Literal["all"] = (),
        bounds: tuple[float, float] | None = None,
        question: Literal["these", "average"] | None = None,
        **options: Unpack[JudgeOptions],
    ) -> Decision:
        __tracebackhide__ = True  # show the line of the test, not this function
        policy = Policy(
            margin=margin,
            probability=probability,
            on_undecided=on_undecided,
            margins=margins or {},
            must_not_regress=must_not_regress if must_not_regress == "all" else tuple(must_not_regress),
            bounds=bounds,
            question=question,
        )
        decision = judge(baseline, candidate, policy, **options)
        if decision.exit_code:
            pytest.fail(f"{decision.name}: {decision.reason}\n\n{render.to_text(decision)}", pytrace=False)
        return decision

    return check
