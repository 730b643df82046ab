"""Failed posterior predictive checks of a hierarchical model, in words."""

from __future__ import annotations

from ropewalk.bayes.predictive_checks import Discrepancy
from ropewalk.errors import short
from ropewalk.methods.pair import Pair
from ropewalk.results.comparison import Check

# A dependence moves the mean over tasks itself, so it is named from 0.05 on; the others from 0.01 on.
_LEAST = {"dependence": 0.05}
_RARE = 0.01

ACCURACY = {
    "dependence": "tasks with more disagreement favor {side} (correlation {observed:+.2f}), but the model "
    "assumes no such relation: its mean over tasks is {mean:+.3g}, the mean of the observed task "
    "differences {own:+.3g}",
    "odd task": "one task is {observed:.1f} standard deviations away from the others (the model expects "
    "{expected:.1f}) and strongly influences the mean over tasks",
}
MCNEMAR = {"odd task": ACCURACY["odd task"]}
T = {
    "skew": "the tasks' mean advantages are skewed (mean minus median is {observed:+.2f} mean deviations; "
    "the model expects {expected:+.2f}), but the model assumes a symmetric distribution",
    "dependence": "tasks with a larger standard error have {size} advantages (rank correlation "
    "{observed:+.2f}), but the model assumes no such relation",
}


def failed(found: list[Discrepancy], texts: dict[str, str], pair: Pair, **more: float) -> list[Check]:
    """Return a failed check for each summary of the data that the model hardly ever reproduces."""
    return [
        Check(
            name="model check",
            kind="assumption",
            ok=False,
            text=texts[k.name].format(
                observed=k.observed,
                expected=k.expected,
                side=short(pair.a if k.observed > 0 else pair.b),
                size="larger" if k.observed > 0 else "smaller",
                **more,
            )
            + f" (posterior predictive p {_size(k.p)})",
            numbers={"observed": k.observed, "expected": k.expected, "p": k.p},
        )
        for k in found
        if k.p < _LEAST.get(k.name, _RARE)
    ]


def _size(p: float) -> str:
    """The p-value as text; 0 of some thousand simulated data sets is not written as 0."""
    return f"= {p:.2g}" if p > 0 else "< 0.01"
