"""The certainty supported by differences that are all, or nearly all, the same."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import ceil, log
from operator import add
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ropewalk.decide import Effect, Rope, ScoreScale, probabilities, resolve_rope
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.pair import Ask, Pair, TaskPairs
from ropewalk.posterior import Draws, FewVaried, HardlyVaried, Point, Posterior, Probabilities, Unvaried
from ropewalk.posterior.base import Floats
from ropewalk.posterior.unvaried import FINE, hardly_varied, sameness
from ropewalk.results.comparison import Check
from ropewalk.sums import LEAST_VARIED, Sums, close, middle, nearly_alike, tallied

_ABOUT_MODELS = ("second opinion", "normality", "replication")  # checks that do not apply if nothing varies


def tempered(pair: Pair, ask: Ask, answer: Answer) -> Answer:
    """Reduce the certainty of an answer to what units that hardly vary support; others stay as they are."""
    found = answer.posterior
    if isinstance(found, FewVaried) or not _of_advantage(answer):
        return answer
    if isinstance(found, Point) or (isinstance(found, Draws) and found.sd == 0):
        return earned(pair, ask, answer)
    return earned(pair, ask, answer, _sameness(pair, pair.sums.sd))


def tempered_tasks(over: TaskPairs, ask: Ask, answer: Answer) -> Answer:
    """The same over tasks."""
    weight = weight_over(over)
    return earned(over.as_pair, ask, answer, weight) if weight == 1 or _of_advantage(answer) else answer


def weight_of(pair: Pair) -> float:
    """How far the differences of a pair count as equal, from 0 to 1."""
    return 1.0 if _few_vary(pair) else _sameness(pair, pair.sums.sd)


def weight_over(over: TaskPairs) -> float:
    """The same over tasks, where the differences of all tasks together must hardly vary."""
    if all(p.d.size for p in over.pairs):
        d = [(p.d, p.counts) for p in over.pairs]
        total = Sums.of(np.concatenate([x if n is None else np.repeat(x, n) for x, n in d]))
    else:
        total = reduce(add, (p.sums for p in over.pairs))
    pair = over.as_pair
    return min(_sameness(pair, s.sd) for s in (total, pair.sums))


def _of_advantage(answer: Answer) -> bool:
    """Whether the posterior is that of the advantage, and not of the regions or of shares."""
    return answer.estimate.kind == "advantage" and answer.rope.scale == "score"


def _sameness(pair: Pair, sd: float) -> float:
    jitter = close(0.0, pair.evidence.mean_a, pair.evidence.mean_b)
    return float(sameness(sd, FINE * reach_of(pair), jitter))


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


def earned(pair: Pair, ask: Ask, answer: Answer, weight: float = 1.0) -> Answer:
    """Give this weight to the certainty that this number of equal differences supports."""
    if weight == 0:
        return answer
    posterior: Unvaried = _posterior(pair)
    rope = _rope(pair, ask) if weight == 1 else answer.rope
    p = probabilities(posterior, rope)
    if weight < 1:
        shares = np.array([weight, 1 - weight])
        p = Probabilities(
            better=float(shares @ [p.better, answer.p.better]),
            equivalent=float(shares @ [p.equivalent, answer.p.equivalent]),
            worse=float(shares @ [p.worse, answer.p.worse]),
        )
        posterior = hardly_varied(posterior, weight, cast("Posterior", answer.posterior))
    kept = [c for c in answer.checks if c.kind not in _ABOUT_MODELS]
    return replace(
        answer,
        posterior=posterior,
        estimate=estimate(answer.estimate.name, posterior),
        rope=rope,
        p=p,
        checks=[*kept, _check(pair, ask, posterior, rope)],
    )


def few_varied(pair: Pair) -> FewVaried | None:
    """Posterior of the mean if nearly all examples have the same difference; None if more vary.

    One large loss among 200 equal scores does not justify more certainty than 200 equal scores, and neither
    do 200 scores that differ only by half a point. The t-test would be more certain, because it does not
    allow for a difference that is larger than those seen.
    """
    if not _few_vary(pair):
        return None
    values, counts, rest = _with_rest(pair)
    reach = max(pair.reach, float(np.abs(values).max()))
    n, at = counts[rest].sum(), values[rest][0]
    if rest.sum() > 1:  # replace them by two values with the same mean and variance
        at = float(np.average(values[rest], weights=counts[rest]))
        off = np.sqrt(np.average((values[rest] - at) ** 2, weights=counts[rest]))
        values, counts = np.append(values[~rest], [at - off, at + off]), np.append(counts[~rest], [n / 2] * 2)
    return FewVaried(values, counts, low=-reach, high=reach, at=float(at))


def _few_vary(pair: Pair) -> bool:
    return pair.kind == "examples" and nearly_alike(pair.d, pair.counts, pair.within)


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


def rare(pair: Pair, ask: Ask, rope: Rope, p: Probabilities) -> Check | None:
    """Warning that differences too rare to have occurred may reverse a verdict.

    Differences at the end of the range, a distance R away, move the mean by y if their share is y/R; n units
    contain none of them with probability (1 - y/R)^n. None if that is as unlikely as a wrong verdict may be,
    if there is no verdict, or if the range of the scores is not known.
    """
    least, verdict, mean = ask.rule.least, ask.rule.verdict(p), pair.sums.mean
    known = pair.kind == "examples" and pair.points and pair.reach
    if not known or least is None or verdict == "undecided":
        return None
    down, up = (mean - rope.low, reach_of(pair) + mean), (rope.high - mean, reach_of(pair) - mean)
    ways = {
        "better": [(mean - rope.high, reach_of(pair) + mean)],
        "worse": [(rope.low - mean, reach_of(pair) - mean)],
        "equivalent": [down, up],
    }[verdict]
    share = min(away / far for away, far in ways)
    unseen = (1 - share) ** pair.n if 0 < share < 1 else 0.0
    if unseen <= 1 - least:
        return None
    text = (
        f"the verdict would be wrong if one {pair.unit} in {round(1 / share):,} differed by "
        f"{reach_of(pair):.3g}, as far as scores can, and {pair.n:,} {pair.unit}s contain none of these with "
        f"probability {unseen:.2f}. The t-test does not allow for differences larger than those seen"
    )
    return Check(
        name="rare differences",
        kind="no variation",
        ok=False,
        text=text,
        numbers={"share": share, "unseen": unseen},
    )


def _with_rest(pair: Pair) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return the distinct differences, the number of units of each, and which of them count as equal."""
    values, counts = tallied(pair.d, pair.counts)
    return values, counts, np.abs(values - middle(values, counts)) <= pair.within


def _posterior(pair: Pair) -> Unvaried:
    at, reach = pair.sums.mean, reach_of(pair)
    return Unvaried(at=at, low=-reach, high=reach, n=pair.worth)


def reach_of(pair: Pair) -> float:
    """Largest possible difference; 1 for scores that are all 0 and have no known range."""
    return max(pair.reach, abs(pair.sums.mean)) or 1.0


def _rope(pair: Pair, ask: Ask) -> Rope:
    """The ROPE; the default is a hundredth of the range, because the standard deviation is 0."""
    scale = ScoreScale(metric=pair.metric, sd=0.0, points=pair.points or reach_of(pair) / 100)
    rope = resolve_rope(ask.rope, scale)
    of_range = rope.origin == "point" and not pair.points
    return replace(rope, source="a hundredth of the range, because nothing varies") if of_range else rope


def _check(pair: Pair, ask: Ask, posterior: Unvaried, rope: Rope) -> Check:
    low, high = posterior.interval(0.95)
    hardly = isinstance(posterior, HardlyVaried)
    same = f"every difference is {'about ' if pair.sums.m2 else ''}{posterior.at:.6g}"
    if hardly:
        same = (
            f"the differences vary by less than {FINE * reach_of(pair):.2g} around {posterior.at:.6g}, which "
            "says hardly more than if they were all the same"
        )
    text = (
        f"{same}, but an unseen one could be as large as {posterior.high:.3g}; with {pair.n:,} {pair.unit}s "
        f"the mean advantage could be {low:.2g} to {high:.2g}"
    )
    needed = needed_alike(posterior, rope, ask.rule.threshold)
    more = (
        "" if needed is None else (f"; {needed:,} identical, independent ones would be enough for a verdict")
    )
    numbers = {"reach": posterior.high, "worth": posterior.n}
    if isinstance(posterior, HardlyVaried):
        numbers["weight"] = posterior.weight
    name = f"{'hardly anything' if hardly else 'nothing'} varies"
    return Check(name=name, kind="no variation", ok=False, text=text + more, numbers=numbers)


def needed_alike(posterior: Unvaried, rope: Rope, threshold: float | None) -> int | None:
    """Number of equal differences that give a verdict; None if it does not apply or there are enough.

    For differences of 0 in a ROPE with the same distance r to both edges, (1 - r/R)^(n + 3) <= 1 - threshold;
    for a difference beyond the edge r of the ROPE, Pr(mean > r), which is 1 - b/(a + b) (1 - y/b)^(n + 3) at
    the distance y from the edge, with a and b from the ends of the range.
    """
    at, (down, up) = posterior.at, (posterior.at - posterior.low, posterior.high - posterior.at)
    if threshold is None:
        return None
    if rope.low <= at <= rope.high:
        y, end, share = min(-rope.low, rope.high), posterior.high, 1.0
        if at != 0 or rope.low != -rope.high:
            return None
    else:
        y, end = (at - rope.high, down) if at > rope.high else (rope.low - at, up)
        share = end / (down + up)
    if not 0 < y < end:
        return None
    needed = ceil(log((1 - threshold) / share) / np.log1p(-y / end) - 3 - 1e-9)
    return needed if needed > posterior.n else None
