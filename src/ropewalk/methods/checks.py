"""Checks of the assumptions of a method in the data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import bdtrc, betainc, ndtri, stdtr, stdtrit

from ropewalk.data.arrays import Ints
from ropewalk.errors import short
from ropewalk.posterior import Probabilities
from ropewalk.posterior.base import Floats
from ropewalk.posterior.normal_order import points
from ropewalk.results.comparison import Check

# Report a departure if it is clear (three standard errors) and large enough to matter.
_CLEAR = 3.0
_HEAVY = 1.0
_SKEWED = 1.0


def normality(d: Floats, counts: Ints | None = None) -> Check:
    """Skewness, excess kurtosis and the correlation of the Q-Q plot of the differences."""
    n = d.size if counts is None else int(counts.sum())
    share = np.full(d.size, 1 / n) if counts is None else counts / n
    centred = d - share @ d
    z = centred / np.sqrt(share @ centred**2)
    squared = z * z  # squaring twice is faster than a power
    skew, kurtosis = float(share @ (squared * z)), float(share @ (squared * squared)) - 3
    heavy = kurtosis > _HEAVY and kurtosis > _CLEAR * np.sqrt(24 / n)
    skewed = abs(skew) > _SKEWED and abs(skew) > _CLEAR * np.sqrt(6 / n)
    found = " and ".join(word for word, so in (("heavy tails", heavy), ("skewed", skewed)) if so)
    looks = " and ".join(words for words, so in (("have heavy tails", heavy), ("are skewed", skewed)) if so)
    # see docs/calibration.md, for a threshold of 0.95 and the default ROPE
    wrong = "7 to 25%" if skewed else "7%"
    price = (
        f", so a verdict near the edge of the ROPE can be wrong {wrong} of the time instead of 5%"
        if found
        else ""
    )
    return Check(
        name="normality",
        kind="normality",
        brief=found,
        ok=not found,
        text=(f"the differences {looks}" if found else "no evidence against it")
        + f" (skewness {skew:+.2f}, excess kurtosis {kurtosis:+.2f}){price}",
        numbers={
            "skewness": skew,
            "excess_kurtosis": kurtosis,
            "qq_correlation": qq_correlation(d, counts),
            "heavy_tails": float(heavy),
        },
    )


def qq_correlation(d: Floats, counts: Ints | None = None) -> float:
    """Correlation of the Q-Q plot, a measure of its straightness: 1 for a normal sample."""
    theory, sample = points(d) if counts is None else _tallied_points(d, counts)
    share = np.full(d.size, 1 / d.size) if counts is None else counts / counts.sum()
    x, y = theory - share @ theory, sample - share @ sample
    return float(share @ (x * y) / np.sqrt((share @ x**2) * (share @ y**2)))


def _tallied_points(d: Floats, counts: Ints) -> tuple[Floats, Floats]:
    """Return the normal quantiles of the midpoints of the bins, which are in ascending order."""
    return np.asarray(ndtri((np.cumsum(counts) - counts / 2) / counts.sum())), d


def independence(d: Floats) -> Check:
    """The correlation of neighboring differences in file order."""
    r = d - d.mean()
    lag1 = float(r[:-1] @ r[1:] / (r @ r))
    related = lag1 > 0.05 and lag1 * np.sqrt(d.size) > _CLEAR
    return Check(
        name="independence",
        kind="dependence",
        ok=not related,
        text=(
            f"neighboring rows resemble each other (correlation {lag1:.2f}): if they come from the same "
            "document, user or series, name that column with cluster= (--cluster); otherwise a verdict can "
            "be wrong 10 to 20% of the time instead of 5%"  # docs/calibration.md
            if related
            else f"no trend in file order (correlation of neighboring rows {lag1:+z.2f})"
        ),
        numbers={"lag1": lag1},
    )


def correlation(n: int, rho: float, threshold: float) -> Check:
    """Check how often a claim at the edge of the ROPE is wrong if folds are twice as correlated as assumed.

    With a true correlation r the mean over the posterior's scale is a Student variable times c,
    c² = (1/n + r/(1 - r))/(1/n + rho/(1 - rho)).
    """
    true = min(2 * rho, (1 + rho) / 2)
    c = np.sqrt((1 / n + true / (1 - true)) / (1 / n + rho / (1 - rho)))
    wrong = float(stdtr(n - 1, -stdtrit(n - 1, threshold) / c))
    return Check(
        name="correlation of folds",
        ok=True,
        text=f"{rho:.3g} is a rule of thumb; if it were {true:.3g}, a verdict near the edge of the ROPE "
        f"would be wrong {100 * wrong:.0f}% of the time instead of {100 * (1 - threshold):.3g}%",
        numbers={"rho": rho, "wrong_if_twice": wrong},
    )


def coarse(n: int, of: str, threshold: float) -> list[Check]:
    """Warn if the sign test without a ROPE prefers one of two equal models too often.

    Of n units A wins Binomial(n, 1/2), and the verdict is "better" from the first k with Pr(Beta(k + 1/2,
    n - k + 1/2) > 1/2) at the threshold.
    """
    k = np.arange(n + 1)
    claims = np.flatnonzero(betainc(n - k + 0.5, k + 0.5, 0.5) >= threshold)
    wrong = float(bdtrc(claims[0] - 1, n, 0.5)) if claims.size else 0.0
    if wrong <= 1.5 * (1 - threshold):
        return []
    text = (
        f"with {n} {of} one of two equal models is called better in {100 * wrong:.1f}% of cases in each "
        "direction, "
    )
    return [
        Check(
            name="discreteness",
            ok=False,
            text=text + f"instead of {100 * (1 - threshold):.3g}%",
            numbers={"wrong": wrong},
        )
    ]


def enough(n: int, least: int, of: str) -> Check:
    """Whether there are enough units for the method to be trusted."""
    return Check(
        name="sample size",
        kind="sample size",
        ok=n >= least,
        text=f"{n:,} {of}" + ("" if n >= least else f"; below {least} the model assumptions matter"),
        numbers={"n": float(n)},
    )


def same_answers(a: str, b: str, n: int, unit: str) -> Check:
    """A check for models that never differ: are they really different models?"""
    return Check(
        name="same answers",
        kind="same answers",
        ok=False,
        text=f"{short(a)} and {short(b)} have the same score on all {n:,} {unit}s. Is this the same model, "
        "or was the same file given twice?",
    )


def sampled(p: Probabilities, error: Callable[[float], float], draws: int, seed: int) -> Check:
    """The Monte Carlo error of the three probabilities."""
    # No draw, or every draw, in a region: the error is not zero, but less than that of one draw in a sample.
    worst = max(1 / draws, *(error(q) for q in (p.better, p.equivalent, p.worse)))
    return Check(
        name="Monte Carlo error",
        kind="numerical error",
        ok=True,
        text=f"±{worst:.4f} on each probability (one standard error, {draws:,} draws, seed {seed})",
        numbers={"error": worst},
    )
