"""The answer under a prior of the advantage given by the user, and the answer without it."""

from __future__ import annotations

from ropewalk.methods.answer import Answer
from ropewalk.methods.method import Method
from ropewalk.methods.pair import Ask, Pair
from ropewalk.results.comparison import Check
from ropewalk.results.formatting import three


def with_prior(method: Method, pair: Pair, answer: Answer, ask: Ask) -> tuple[Answer, list[Check]]:
    """Return the answer under the given prior, with a note; unchanged if none was given."""
    if ask.prior_sd is None:
        return answer, []
    p = answer.p
    flat = {"better": p.better, "equivalent": p.equivalent, "worse": p.worse}
    said = Check(
        name="prior",
        kind="stated",
        ok=True,
        text=f"the prior of the advantage is normal around 0 with standard deviation {ask.prior_sd:g}, set "
        f"by you; without it, the probabilities would be {three(pair.a, pair.b, p, ask.rule.least)}",
        numbers={"prior_sd": ask.prior_sd, **flat},
    )
    return method.under_prior(answer, ask.prior_sd), [said]
