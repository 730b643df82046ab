"""Differences that are all, or nearly all, the same: the certainty that their number supports."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, log

import numpy as np

from ropewalk.decide import Effect, Rope, ScoreScale, probabilities, resolve_rope
from ropewalk.methods import checks
from ropewalk.methods.pair import Answer, Ask, Pair, estimate
from ropewalk.posterior import Draws, FewVaried, Point, Posterior, Regions, Unvaried
from ropewalk.results.comparison import Check
from ropewalk.sums import LEAST_VARIED, nearly_alike, tallied

_ABOUT_MODELS = ("second opinion", "normality", "replication")  # none of it holds where nothing varies


def is_certain(posterior: Posterior | Regions) -> bool:
    """Whether a method put all mass on one value, because nothing varies."""
    return isinstance(posterior, Point) or (isinstance(posterior, Draws) and posterior.sd == 0)


def alike(pair: Pair, ask: Ask) -> Answer:
    """The answer for models that never differ."""
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
    """A certain answer, with the certainty that this number of equal differences supports."""
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
    """The posterior of the mean where nearly all examples have the same difference; None where more vary.

    One large loss among 200 equal scores does not justify more certainty than 200 equal scores. The t-test
    would be more certain, because it does not allow for a difference that is larger than those seen.
    """
    if pair.kind != "examples" or not pair.d.size or not nearly_alike(pair.d, pair.counts):
        return None
    values, counts = tallied(pair.d, pair.counts)
    reach = max(pair.reach, float(np.abs(values).max()))
    return FewVaried(values, counts, low=-reach, high=reach)


def few_vary(pair: Pair, posterior: FewVaried) -> Check:
    """The note on an answer for which only a few examples vary."""
    _, counts = tallied(pair.d, pair.counts)
    others = pair.n - int(counts.max())
    text = (
        f"{others} of {pair.n:,} {pair.unit}s differ from the rest, whose difference is {posterior.at:.6g}. "
        f"Fewer than {LEAST_VARIED} say little about the size of the next one, so the answer allows for one "
        f"{pair.unit} at each end of the range, ±{posterior.high:.3g}"
    )
    numbers = {"reach": posterior.high, "varied": float(others)}
    return Check(name="few units vary", kind="no variation", ok=False, text=text, numbers=numbers)


def _posterior(pair: Pair) -> Unvaried:
    at, reach = pair.sums.mean, _reach(pair)
    return Unvaried(at=at, low=-reach, high=reach, n=pair.worth)


def _reach(pair: Pair) -> float:
    """How large a difference can be; scores of which nothing is known but that they are 0 have the unit 1."""
    return max(pair.reach, abs(pair.sums.mean)) or 1.0


def _rope(pair: Pair, ask: Ask) -> Rope:
    """A share of a standard deviation is nothing here: the default is a hundredth of the range."""
    scale = ScoreScale(metric=pair.metric, sd=0.0, points=pair.points or _reach(pair) / 100)
    rope = resolve_rope(ask.rope, scale)
    of_range = rope.origin == "point" and not pair.points
    return replace(rope, source="a hundredth of the range, because nothing varies") if of_range else rope


def _check(pair: Pair, ask: Ask, posterior: Unvaried, rope: Rope) -> Check:
    low, high = posterior.interval(0.95)
    text = (
        f"every difference is {posterior.at:.6g}, but an unseen one could be as large as "
        f"{posterior.high:.3g}; with {pair.n:,} {pair.unit}s the mean advantage could be "
        f"{low:.2g} to {high:.2g}"
    )
    needed = needed_alike(posterior, rope, ask.rule.threshold)
    more = (
        "" if needed is None else (f"; {needed:,} identical, independent ones would be enough for a verdict")
    )
    numbers = {"reach": posterior.high, "worth": posterior.n}
    return Check(name="nothing varies", kind="no variation", ok=False, text=text + more, numbers=numbers)


def needed_alike(posterior: Unvaried, rope: Rope, threshold: float | None) -> int | None:
    """How many equal differences of 0 make a verdict; None where that is not asked, or they are enough.

    With the same distance r to both edges of the ROPE (1 - r/R)^(n + 3) <= 1 - threshold.
    """
    r = min(-rope.low, rope.high)
    if threshold is None or posterior.at != 0 or not 0 < r < posterior.high or rope.low != -rope.high:
        return None
    needed = ceil(log(1 - threshold) / np.log1p(-r / posterior.high) - 3 - 1e-9)
    return needed if needed > posterior.n else None
