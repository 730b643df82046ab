"""The certainty supported by differences that are all, or nearly all, the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from ropewalk.decide import Effect, Rope, ScoreScale, probabilities, resolve_rope
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.pair import Ask, Pair
from ropewalk.posterior import Draws, FewVaried, Point, Posterior, Regions, Student, Unvaried
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check
from ropewalk.sums import LEAST_VARIED, close, middle, nearly_alike, tallied

_ABOUT_MODELS = ("second opinion", "normality", "replication")  # checks that do not apply if nothing varies


def is_certain(pair: Pair, posterior: Posterior | Regions) -> bool:
    """Whether a method is certain because nothing varies except for rounding of the scores."""
    if isinstance(posterior, Point) or (isinstance(posterior, Draws) and posterior.sd == 0):
        return True
    return isinstance(posterior, Student) and still([pair])


def still(pairs: Sequence[Pair]) -> bool:
    """Whether the differences are all the same except for rounding of the scores."""
    jitter = min(close(0.0, p.evidence.mean_a, p.evidence.mean_b) for p in pairs)
    d = np.concatenate([p.d for p in pairs])
    return all(p.d.size for p in pairs) and float(np.ptp(d)) <= jitter


def alike(pair: Pair, ask: Ask) -> Answer:
    """Return the answer for models that never differ."""
    posterior, rope = _posterior(pair), _rope(pair, ask)
    return Answer(
        posterior=posterior,
        estimate=estimate("mean advantage", posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        effect=Effect(name="Cohen's d", value=0.0, label="negligible"),
        classical=[],
        checks=[checks.same_answers(pair.a, pair.b, pair.n, pair.unit), _check(pair, ask, posterior, rope)],
        evidence=pair.evidence,
    )


def earned(pair: Pair, ask: Ask, answer: Answer) -> Answer:
    """Reduce the certainty of an answer to what this number of equal differences supports."""
    posterior, rope = _posterior(pair), _rope(pair, ask)
    kept = [c for c in answer.checks if c.kind not in _ABOUT_MODELS]
    return replace(
        answer,
        posterior=posterior,
        estimate=estimate(answer.estimate.name, posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        checks=[*kept, _check(pair, ask, posterior, rope)],
    )


def few_varied(pair: Pair) -> FewVaried | None:
    """Posterior of the mean if nearly all examples have the same difference; None if more vary.

    One large loss among 200 equal scores does not justify more certainty than 200 equal scores, and neither
    do 200 scores that differ only by half a point. The t-test would be more certain, because it does not
    allow for a difference that is larger than those seen.
    """
    if pair.kind != "examples" or not pair.d.size or not nearly_alike(pair.d, pair.counts, pair.within):
        return None
    values, counts, rest = _with_rest(pair)
    reach = max(pair.reach, float(np.abs(values).max()))
    n, at = counts[rest].sum(), values[rest][0]
    if rest.sum() > 1:  # replace them by two values with the same mean and variance
        at = float(np.average(values[rest], weights=counts[rest]))
        off = np.sqrt(np.average((values[rest] - at) ** 2, weights=counts[rest]))
        values, counts = np.append(values[~rest], [at - off, at + off]), np.append(counts[~rest], [n / 2] * 2)
    return FewVaried(values, counts, low=-reach, high=reach, at=float(at))


def few_vary(pair: Pair, posterior: FewVaried) -> Check:
    """Note on an answer for which only a few examples vary."""
    values, counts, rest = _with_rest(pair)
    others = pair.n - int(counts[rest].sum())
    at, units = f"{posterior.at:.6g}", f"{pair.n:,} {pair.unit}s"
    if np.ptp(values[rest]) > 0:
        most = f"all {units}" if not others else f"{pair.n - others:,} of {units}"
        text = f"{most} have a difference of {at}, give or take {pair.within:.3g}. Fewer than {LEAST_VARIED}"
        text += " others"
    else:
        text = (
            f"{others} of {units} differ from the rest, whose difference is {at}. Fewer than {LEAST_VARIED}"
        )
    text += (
        " say little about the size of the next one, so the answer allows for one "
        f"{pair.unit} at each end of the range, ±{posterior.high:.3g}"
    )
    numbers = {"reach": posterior.high, "varied": float(others)}
    return Check(name="few units vary", kind="no variation", ok=False, text=text, numbers=numbers)


def _with_rest(pair: Pair) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return the distinct differences, the number of units of each, and which of them count as equal."""
    values, counts = tallied(pair.d, pair.counts)
    return values, counts, np.abs(values - middle(values, counts)) <= pair.within


def _posterior(pair: Pair) -> Unvaried:
    at, reach = pair.sums.mean, _reach(pair)
    return Unvaried(at=at, low=-reach, high=reach, n=pair.worth)


def _reach(pair: Pair) -> float:
    """Largest possible difference; 1 for scores that are all 0 and have no known range."""
    return max(pair.reach, abs(pair.sums.mean)) or 1.0


def _rope(pair: Pair, ask: Ask) -> Rope:
    """The ROPE; the default is a hundredth of the range, because the standard deviation is 0."""
    scale = ScoreScale(metric=pair.metric, sd=0.0, points=pair.points or _reach(pair) / 100)
    rope = resolve_rope(ask.rope, scale)
    of_range = rope.origin == "point" and not pair.points
    return replace(rope, source="a hundredth of the range, because nothing varies") if of_range else rope


def _check(pair: Pair, ask: Ask, posterior: Unvaried, rope: Rope) -> Check:
    low, high = posterior.interval(0.95)
    text = (
        f"every difference is {'about ' if pair.sums.m2 else ''}{posterior.at:.6g}, but an unseen one "
        f"could be as large as {posterior.high:.3g}; with {pair.n:,} {pair.unit}s the mean advantage could "
        f"be {low:.2g} to {high:.2g}"
    )
    needed = needed_alike(posterior, rope, ask.rule.threshold)
    more = (
        "" if needed is None else (f"; {needed:,} identical, independent ones would be enough for a verdict")
    )
    numbers = {"reach": posterior.high, "worth": posterior.n}
    return Check(name="nothing varies", kind="no variation", ok=False, text=text + more, numbers=numbers)


def needed_alike(posterior: Unvaried, rope: Rope, threshold: float | None) -> int | None:
    """Number of zero differences that give a verdict; None if it does not apply or there are enough.

    With the same distance r to both edges of the ROPE: (1 - r/R)^(n + 3) <= 1 - threshold.
    """
    r = min(-rope.low, rope.high)
    if threshold is None or posterior.at != 0 or not 0 < r < posterior.high or rope.low != -rope.high:
        return None
    needed = ceil(log(1 - threshold) / np.log1p(-r / posterior.high) - 3 - 1e-9)
    return needed if needed > posterior.n else None
