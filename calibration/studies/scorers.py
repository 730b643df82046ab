"""Two models that score the same examples: DeLong's test, the bootstrap, the permutation of predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri

from ropewalk import nhst
from studies import peers
from studies.study import Draw, Floats, Setting, Side, Study, each, seeded

_DRAWS = 399  # p has a step of 1/400
_ALIKE = 0.5  # the correlation of the two models' scores within a class

Bend = Callable[[Floats], Floats]


def scorers(
    n: int,
    *,
    auroc: float = 0.8,
    other: float | None = None,
    positives: float = 0.5,
    bend_a: Bend = np.asarray,
    bend_b: Bend = np.asarray,
    cluster: int = 1,
    twice: bool = False,
) -> Draw:
    """Data sets (y, a, b): normal scores in both classes, AUROC `auroc` for A and `other` for B.

    AUROC = Phi(shift/sqrt 2). In a cluster all examples have the same noise, and nearly the same scores.
    """
    shift = np.sqrt(2) * ndtri([auroc, auroc if other is None else other])
    pos = round(n * positives)
    y = np.repeat([0, 1], [n - pos, pos])

    def draw(rng: np.random.Generator, count: int) -> list[tuple[Any, Floats, Floats]]:
        common = rng.normal(size=(count, n // cluster, 1))
        noise = np.sqrt(_ALIKE) * common + np.sqrt(1 - _ALIKE) * rng.normal(size=(count, n // cluster, 2))
        if cluster > 1:
            noise = np.repeat(noise, cluster, axis=1) + rng.normal(0, 0.1, (count, n, 2))
        z = shift * y[:, None] + noise
        return [(y, bend_a(one[:, 0]), bend_a(one[:, 0]) if twice else bend_b(one[:, 1])) for one in z]

    return draw


def _five_levels(z: Floats) -> Floats:
    """Scores on a scale of five, as a rubric gives them."""
    return np.clip(np.round(z), -1, 3)


def _stretched(z: Floats) -> Floats:
    """The same order on another scale."""
    return 10 * z + 20


def _null(*, same_scale: bool, asymptotic: bool) -> list[Setting]:
    return [
        Setting(name="AUROC 0.8", n=50, draw=scorers(50)),
        Setting(name="AUROC 0.8", n=200, draw=scorers(200)),
        Setting(
            name="five levels (ties)", n=200, draw=scorers(200, bend_a=_five_levels, bend_b=_five_levels)
        ),
        Setting(name="one model twice", n=50, draw=scorers(50, twice=True), peers=0.01),
        Setting(name="5 positives of 50", n=50, draw=scorers(50, positives=0.1), holds=not asymptotic),
        Setting(name="AUROC 0.99", n=50, draw=scorers(50, auroc=0.99), holds=not asymptotic, peers=0.1),
        Setting(name="B on another scale", n=200, draw=scorers(200, bend_b=_stretched), holds=not same_scale),
        Setting(name="5 alike in a cluster", n=200, draw=scorers(200, cluster=5), holds=False),
    ]


def _power(*sizes: int) -> list[Setting]:
    return [
        Setting(name="AUROC 0.8", n=n, draw=scorers(n, auroc=0.8 + e, other=0.8), effect=e)
        for e in (0.05, 0.1)
        for n in sizes
    ]


def studies() -> list[Study]:
    """One for each test."""
    claim = "the two AUROCs differ"
    return [
        Study(
            test="delong",
            claim=claim,
            settings=[
                *_null(same_scale=False, asymptotic=True),
                *_power(50, 200, 800),
            ],
            sides=[
                Side(name="ropewalk", p_values=each(lambda g: nhst.delong(*g)), replications=6_000),
                Side(
                    name="MLstatkit",
                    module="MLstatkit",
                    p_values=each(peers.mlstatkit_delong),
                    replications=600,
                ),
            ],
        ),
        Study(
            test="bootstrap",
            claim=claim,
            settings=[*_null(same_scale=False, asymptotic=True), *_power(50, 200)],
            sides=[
                Side(
                    name="ropewalk",
                    p_values=seeded(lambda g, i: nhst.bootstrap("auroc", *g, draws=_DRAWS, rng=i)),
                    replications=600,
                )
            ],
            note=f"{_DRAWS} resamples. MLstatkit reports an interval but no p-value.",
        ),
        Study(
            test="permutation_metric",
            claim=claim,
            settings=[*_null(same_scale=True, asymptotic=False), *_power(50, 200)],
            sides=[
                Side(
                    name="ropewalk",
                    p_values=seeded(lambda g, i: nhst.permutation_metric("auroc", *g, draws=_DRAWS, rng=i)),
                    replications=600,
                )
            ],
            note=f"{_DRAWS} draws. MLstatkit takes 0.7 s for 200 draws, too slow for this study.",
        ),
    ]
