"""Several models: ranks, means, the set of the best, and p-values adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from ropewalk import nhst
from studies import peers
from studies.study import LEVELS, Draw, Floats, Setting, Side, Study, each

_SET_DRAWS = 499


def scores(
    n: int, k: int, *, noise: str = "normal", best: float = 0.0, worst: float = 0.0, cluster: int = 1
) -> Draw:
    """Tasks x models, all alike but for what the first is better by, or the last worse; higher is better."""

    def draw(rng: np.random.Generator, count: int) -> Floats:
        shape = (count, n // cluster, k)
        e = {
            "normal": lambda: rng.normal(size=shape),
            "heavy": lambda: rng.standard_t(2, shape),
            "skewed": lambda: rng.standard_exponential(shape) - 1,
            "tied": lambda: np.round(rng.normal(size=shape)) + 0.0,
            "unequal": lambda: rng.normal(size=shape) * np.r_[np.ones(k - 1), 5.0],
        }[noise]()
        e = np.repeat(e, cluster, axis=1)
        e[..., 0] += best
        e[..., -1] -= worst
        return e

    return draw


def _null(*, ranks: bool) -> list[Setting]:
    return [
        *(Setting(name="normal, 5 models", n=n, draw=scores(n, 5)) for n in (10, 30)),
        Setting(name="normal, 3 models", n=10, draw=scores(10, 3)),
        Setting(name="heavy tails (t, 2 df), 5 models", n=30, draw=scores(30, 5, noise="heavy"), holds=ranks),
        Setting(name="skew (exponential), 5 models", n=30, draw=scores(30, 5, noise="skewed"), holds=ranks),
        Setting(name="ties, 5 models", n=30, draw=scores(30, 5, noise="tied"), holds=ranks),
        Setting(
            name="one of 5 models varies 5 times as much",
            n=30,
            draw=scores(30, 5, noise="unequal"),
            holds=False,
        ),
        Setting(name="every task 3 times, 5 models", n=30, draw=scores(30, 5, cluster=3), holds=False),
    ]


def _power() -> list[Setting]:
    return [
        Setting(name="normal, the first of 5 better", n=n, draw=scores(n, 5, best=e), effect=e)
        for e in (0.5, 1.0)
        for n in (10, 30, 100)
    ]


def _family(
    null: int, true: int, *, rho: float = 0.0, shift: float = 3.0, asked: str = "false", opposed: bool = False
) -> Draw:
    """Data sets (p-values, which hypotheses are true, what is asked): two-sided z tests, correlated by rho.

    `opposed` turns every second one around, so that half of the pairs are negatively dependent; of two-sided
    p-values that changes nothing, so these are one-sided.
    """
    m = null + true
    is_null = np.arange(m) < null

    def draw(rng: np.random.Generator, count: int) -> list[tuple[Floats, Any, str]]:
        z = np.sqrt(rho) * rng.normal(size=(count, 1)) + np.sqrt(1 - rho) * rng.normal(size=(count, m))
        z = z * np.where(np.arange(m) % 2, -1, 1) if opposed else z
        z = z + shift * ~is_null
        p = ndtr(-z) if opposed else 2 * ndtr(-np.abs(z))
        return [(row, is_null, asked) for row in p]

    return draw


def _claims(adjusted: Callable[[Floats], Floats], *, rate: str) -> Callable[[Any], Floats]:
    """What each data set loses at each level: a false claim at all, or their share; or what it finds."""

    def losses(data: Any) -> Floats:
        out = np.empty((len(data), len(LEVELS)))
        for row, (p, null, asked) in zip(out, data, strict=True):
            a = adjusted(p)
            for i, level in enumerate(LEVELS):
                said = a <= level
                if asked == "true":
                    row[i] = said[~null].mean()
                elif rate == "family":
                    row[i] = said[null].any()
                else:
                    row[i] = said[null].sum() / max(said.sum(), 1)
        return out

    return losses


def _adjust() -> Study:
    def ours(method: Any) -> Callable[[Floats], Floats]:
        return lambda p: nhst.adjust(p, method=method)

    def theirs(method: str) -> Callable[[Floats], Floats]:
        return partial(peers.statsmodels_adjust, method=method)

    def side(name: str, adjusted: Callable[[Floats], Floats], rate: str, **more: Any) -> Side:
        return Side(name=name, p_values=_claims(adjusted, rate=rate), **more)

    return Study(
        test="adjust",
        claim="one or more false claims in the family; Benjamini-Hochberg: the share of false claims",
        settings=[
            Setting(name="10 true hypotheses, independent", n=10, draw=_family(10, 0)),
            Setting(name="5 of 10 true, independent", n=10, draw=_family(5, 5)),
            Setting(name="10 true, correlation 0.5", n=10, draw=_family(10, 0, rho=0.5)),
            Setting(name="5 of 10 true, correlation 0.5", n=10, draw=_family(5, 5, rho=0.5)),
            Setting(
                name="10 true, half of the pairs opposed (-0.5)",
                n=10,
                draw=_family(10, 0, rho=0.5, opposed=True),
                holds=False,
            ),
            *(
                Setting(name="5 of 10 true", n=10, draw=_family(5, 5, shift=s, asked="true"), effect=s)
                for s in (2.0, 3.0, 4.0)
            ),
        ],
        sides=[
            side("ropewalk", ours("holm"), "family", replications=10_000),
            side("ropewalk, bonferroni", ours("bonferroni"), "family", replications=10_000, powers=True),
            side(
                "ropewalk, benjamini-hochberg",
                ours("benjamini-hochberg"),
                "share",
                replications=10_000,
                powers=True,
            ),
            side("statsmodels, holm", theirs("holm"), "family", replications=15, module="statsmodels"),
            side(
                "statsmodels, fdr_bh",
                theirs("fdr_bh"),
                "share",
                replications=1_000,
                module="statsmodels",
                beside="ropewalk, benjamini-hochberg",
            ),
            side("no adjustment", np.asarray, "family", replications=10_000, powers=True),
        ],
        note="The first column is Holm's. deep-significance, whose Bonferroni correction divides "
        "instead of multiplying, was not installed.",
    )


def _losses(
    n: int, k: int, *, worse: float = 0.0, good: int = 1, memory: float = 0.0, noise: str = "normal"
) -> Draw:
    """Data sets (losses, number of best models, is the power asked): the first `good` are the best."""

    def draw(rng: np.random.Generator, count: int) -> list[tuple[Floats, int]]:
        e = (
            rng.normal(size=(count, n, k))
            if noise == "normal"
            else rng.standard_t(3, (count, n, k)) / np.sqrt(3)
        )
        if memory:  # an autoregression, stationary from its first row
            for t in range(1, n):
                e[:, t] = memory * e[:, t - 1] + np.sqrt(1 - memory**2) * e[:, t]
        e = e + worse * (np.arange(k) >= good)
        return [(one, good) for one in e]

    return draw


def _left_out(p_values: Callable[[Floats], Floats], *, best: bool) -> Callable[[Any], Floats]:
    """At each level, whether one of the best models is left out; or the share of the others that is."""

    def rates(data: Any) -> Floats:
        out = np.empty((len(data), len(LEVELS)))
        for row, (losses, good) in zip(out, data, strict=True):
            p = p_values(losses)
            row[:] = [np.any(p[:good] < v) if best else np.mean(p[good:] < v) for v in LEVELS]
        return out

    return rates


def _confidence_set() -> Study:
    rng = np.random.default_rng(0)  # one for all data sets: each has draws of its own

    def ours(statistic: Any, block: int = 1) -> Callable[[Floats], Floats]:
        return lambda x: (
            nhst.model_confidence_set(
                x, alpha=0.05, statistic=statistic, block=block, draws=_SET_DRAWS, rng=rng
            ).p_values
        )

    arch = partial(peers.arch_set, draws=_SET_DRAWS, block=1)

    def either(p_values: Callable[[Floats], Floats]) -> Callable[[Any], Floats]:
        """A setting whose best models are fewer than all, and which has an effect, asks for the power."""

        def rates(data: Any) -> Floats:
            power = data[0][1] < 0
            given = [(x, abs(good)) for x, good in data]
            return _left_out(p_values, best=not power)(given)

        return rates

    def asking_power(draw: Draw) -> Draw:
        return lambda rng, count: [(x, -good) for x, good in draw(rng, count)]

    return Study(
        test="model_confidence_set",
        claim="a model that is among the best is left out of the set",
        settings=[
            Setting(name="5 models alike", n=50, draw=_losses(50, 5, good=5), holds=False),
            Setting(name="5 models alike", n=200, draw=_losses(200, 5, good=5)),
            Setting(name="2 of 5 alike, 3 worse by 0.3", n=200, draw=_losses(200, 5, worse=0.3, good=2)),
            Setting(
                name="heavy tails (t, 3 df), 5 alike", n=200, draw=_losses(200, 5, good=5, noise="heavy")
            ),
            Setting(name="5 models alike, few units", n=15, draw=_losses(15, 5, good=5), holds=False),
            Setting(
                name="autocorrelation 0.5, block = 1",
                n=200,
                draw=_losses(200, 5, good=5, memory=0.5),
                holds=False,
            ),
            *(
                Setting(
                    name="1 best, 4 worse", n=n, effect=e, draw=asking_power(_losses(n, 5, worse=e, good=1))
                )
                for e in (0.2, 0.5)
                for n in (50, 200)
            ),
        ],
        sides=[
            Side(name="ropewalk", p_values=either(ours("range")), replications=500),
            Side(name="ropewalk, T_max", p_values=either(ours("max")), replications=500, powers=True),
            Side(
                name="ropewalk, block = 10",
                p_values=either(ours("range", 10)),
                replications=500,
                only=("autocorrelation 0.5, block = 1",),
            ),
            Side(name="arch", module="arch", p_values=either(arch), replications=100),
        ],
        note=f"{_SET_DRAWS} bootstrap draws. 1 minus the rate is the coverage of the best models. Its card "
        "recommended 30 units before this study; even 50 are not enough, so it now recommends 100.",
    )


def _family_wise(p_values: Callable[[Floats], Floats]) -> Callable[[Any], Floats]:
    """The smallest p-value of the pairs of models that are alike."""

    def smallest(data: Any) -> Floats:
        found = []
        for z, alike in data:
            p = p_values(z)
            found.append(p[:alike, :alike][np.triu_indices(alike, 1)].min() if alike else p[0, 1:].min())
        return np.array(found)

    return smallest


def _with(draw: Draw, alike: int) -> Draw:
    """Data sets (scores, how many of the first models are alike; 0 where the first is the best)."""
    return lambda rng, count: [(z, alike) for z in draw(rng, count)]


def _nemenyi() -> Study:
    null = [
        Setting(name=s.name, n=s.n, draw=_with(s.draw, 3 if "3 models" in s.name else 5), holds=s.holds)
        for s in _null(ranks=True)
    ]
    return Study(
        test="nemenyi",
        claim="one or more pairs of equal models differ (family-wise)",
        settings=[
            *null,
            Setting(name="4 of 5 alike, the fifth far worse", n=30, draw=_with(scores(30, 5, worst=10.0), 4)),
            *(Setting(name=s.name, n=s.n, draw=_with(s.draw, 0), effect=s.effect) for s in _power()),
        ],
        sides=[
            Side(
                name="ropewalk", p_values=_family_wise(lambda z: nhst.nemenyi(z).p_values), replications=2_000
            ),
            Side(
                name="scikit-posthocs",
                module="scikit_posthocs",
                p_values=_family_wise(peers.posthocs_nemenyi),
                replications=300,
            ),
        ],
        note="Power: the first model differs from at least one other.",
    )


def studies() -> list[Study]:
    """One for each test."""
    return [
        Study(
            test="friedman",
            claim="the models do not have the same average rank",
            settings=[*_null(ranks=True), *_power()],
            sides=[
                Side(name="ropewalk", p_values=each(nhst.friedman), replications=6_000),
                Side(
                    name="ropewalk, Iman-Davenport F",
                    p_values=each(lambda z: nhst.friedman(z).f_p_value),
                    replications=6_000,
                    powers=True,
                ),
                Side(name="scipy", module="scipy", p_values=peers.scipy_friedman, replications=6_000),
                Side(
                    name="autorank",
                    module="autorank",
                    p_values=each(peers.autorank_many),
                    replications=60,
                    only=("heavy tails (t, 2 df), 5 models",),
                ),
            ],
        ),
        _nemenyi(),
        Study(
            test="anova",
            claim="the models do not have the same mean",
            settings=[*_null(ranks=False), *_power()],
            sides=[
                Side(name="ropewalk", p_values=each(nhst.anova), replications=8_000),
                Side(
                    name="ropewalk, epsilon",
                    p_values=each(lambda z: nhst.anova(z).p_value_epsilon),
                    replications=8_000,
                    powers=True,
                ),
                Side(
                    name="pingouin (auto)",
                    module="pingouin",
                    p_values=each(peers.pingouin_anova),
                    replications=60,
                ),
                Side(
                    name="statsmodels",
                    module="statsmodels",
                    p_values=each(peers.statsmodels_anova),
                    replications=30,
                ),
            ],
        ),
        _adjust(),
        _confidence_set(),
    ]
