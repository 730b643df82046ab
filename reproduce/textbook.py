"""The textbook chapter on statistical significance in machine learning, line by line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import stdtrit

from reproduce.rows import Row, Section
from ropewalk import nhst

ABOUT = """\
*Statistical significance in machine learning*, a chapter that collects the classical tests. It prints
formulas and few numbers; each formula is a test of `nhst`."""
TITLE = "A textbook chapter, Statistical significance in machine learning"
TEMPLATE = (("A", 0.912, 0.006, "[0.908, 0.916]"), ("B", 0.904, 0.009, "[0.898, 0.910]"))


def section() -> Section:
    return Section(title=TITLE, about=ABOUT, rows=[*_rows()])


def interval(mean: float, sd: float, seeds: int) -> tuple[float, float]:
    """The t interval of sec. 6.1 from what the template of sec. 6.3 prints."""
    half = float(stdtrit(seeds - 1, 0.975)) * sd / np.sqrt(seeds)
    return mean - half, mean + half


def _rows() -> Iterator[Row]:
    for name, mean, sd, printed in TEMPLATE:
        low, high = interval(mean, sd, 10)
        yield Row(
            where="sec. 6.3",
            what=f"reporting template, {name}: 95% interval of {mean} with sd {sd} over 10 seeds",
            printed=printed,
            ours=f"[{low:.3f}, {high:.3f}]",
        )
    yield Row(
        where="sec. 6.3",
        what="reporting template: 5x2 cv F of A against B, p",
        printed="0.03",
        ours="cannot be computed",
        note="The template shows no data.",
    )
    yield Row(
        where="sec. 7",
        what="chance of a false rejection in ten tests at 0.05",
        printed="about 0.40",
        ours=f"{1 - 0.95**10:.3f}",
    )
    b, c = 30, 14
    found = nhst.mcnemar(c, b)
    yield Row(
        where="sec. 3.2",
        what="McNemar with continuity correction, b = 30, c = 14: statistic",
        printed="(abs(b - c) - 1)²/(b + c)",
        ours=f"{found.statistic:.4f} = {(abs(b - c) - 1) ** 2 / (b + c):.4f}",
    )
    small = nhst.mcnemar(4, 12)
    yield Row(
        where="sec. 3.2",
        what="exact below 25 disagreements, 12 and 4: p",
        printed="binomial with 1/2",
        ours=f"{small.p_value:.4f}",
    )
    p = np.random.default_rng(0).normal(0.02, 0.02, (5, 2))
    s2 = np.sum((p - p.mean(axis=1, keepdims=True)) ** 2, axis=1)
    t, f = nhst.five_by_two_t(p).statistic, nhst.five_by_two_f(p).statistic
    yield Row(
        where="sec. 4.2",
        what="5x2 cv t and F on simulated differences",
        printed="p11/sqrt(mean s²); Σp²/(2Σs²)",
        ours=f"{t:.4f} = {p[0, 0] / np.sqrt(s2.mean()):.4f}; {f:.4f} = {np.sum(p**2) / (2 * s2.sum()):.4f}",
    )
    d = np.random.default_rng(1).normal(0.02, 0.03, 10)
    by_hand = d.mean() / np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    yield Row(
        where="sec. 5",
        what="corrected resampled t on simulated differences, 10 runs, n_test/n_train = 1/9",
        printed="mean / sqrt((1/r + n_test/n_train) s²)",
        ours=f"{nhst.corrected_t(d, rho=0.1).statistic:.4f} = {by_hand:.4f}",
    )
    z = np.random.default_rng(2).normal(size=(12, 4))
    ranks = (-z).argsort(axis=1).argsort(axis=1) + 1.0
    by_hand = 12 * 12 / (4 * 5) * (np.sum(ranks.mean(axis=0) ** 2) - 4 * 25 / 4)
    yield Row(
        where="sec. 7.1",
        what="Friedman chi² on simulated scores, 12 data sets, 4 models",
        printed="12N/(k(k + 1)) (ΣR² - k(k + 1)²/4)",
        ours=f"{nhst.friedman(z).statistic:.4f} = {by_hand:.4f}",
    )
    yield Row(
        where="sec. 6.1, 6.2",
        what="mean, sd, interval and worst of all seeds; all sources of variation",
        printed="asked for",
        ours="a seed column in `ropewalk compare`; the design 5x4x3sources of `ropewalk run` "
        "(docs/experiment.md)",
    )
