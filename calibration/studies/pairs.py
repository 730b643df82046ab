"""Two models: tests on differences, folds, clusters, seeds and counts of mistakes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ropewalk import nhst
from studies import peers
from studies.draws import (
    cluster_means,
    clustered,
    correlated,
    counts,
    crossed,
    graded,
    graded_in_clusters,
    heavy,
    in_clusters,
    normal,
    rarely_lost,
    replications,
    skewed,
    tied,
    two_samples,
    wide,
)
from studies.study import Floats, Setting, Side, Study, each, seeded

_SIZES = (10, 30, 100)
_FEW_DRAWS = 999  # of the permutation test: p has a step of 0.001


def _differences(*, symmetric: bool, normal_only: bool = False, sign: bool = False) -> list[Setting]:
    """The settings of the four tests on independent differences; what each assumes decides what holds."""
    around = np.log(2) if sign else 1.0
    centre = "median" if sign else "mean"
    null = [Setting(name="normal", n=n, draw=normal(n)) for n in _SIZES]
    null += [Setting(name="heavy tails (t, 2 df)", n=n, draw=heavy(n), holds=not normal_only) for n in _SIZES]
    null += [
        Setting(
            name=f"skew, {centre} 0 (exponential)", n=n, draw=skewed(n, around=around), holds=not symmetric
        )
        for n in _SIZES
    ]
    null += [Setting(name="ties and zeros", n=n, draw=tied(n), holds=not normal_only) for n in (20, 100)]
    null += [
        Setting(name="clusters of 5 (share 0.3)", n=30, draw=clustered(30, 5), holds=False),
        Setting(name="folds (correlation 0.1)", n=10, draw=correlated(10, 0.1), holds=False),
        Setting(name="folds (correlation 0.1)", n=100, draw=correlated(100, 0.1), holds=False),
    ]
    power = [
        Setting(name="normal", n=n, draw=normal(n, effect), effect=effect)
        for effect in (0.2, 0.5)
        for n in _SIZES
    ]
    power += [Setting(name="heavy tails (t, 2 df)", n=n, draw=heavy(n, 0.5), effect=0.5) for n in _SIZES]
    return null + power


def _bounded(name: str) -> Study:
    """The two tests that hold for any number of bounded differences, and the t-test, which does not."""
    test = getattr(nhst, name)
    return Study(
        test=name,
        claim="the mean of the bounded differences is not 0",
        settings=[
            *(Setting(name="grades", n=n, draw=graded(n)) for n in (5, *_SIZES)),
            *(Setting(name="1 in 25 lost, mean 0", n=n, draw=rarely_lost(n)) for n in (5, *_SIZES)),
            Setting(name="clusters of 5", n=100, draw=graded_in_clusters(100, 5), holds=False),
            *(Setting(name="grades", n=n, draw=graded(n, 0.2), effect=0.2) for n in _SIZES),
        ],
        sides=[
            Side(name="ropewalk", p_values=each(lambda d: test(d, reach=1.0)), replications=4_000),
            Side(name="paired t", p_values=each(nhst.paired_t), replications=4_000, only=("grades",)),
        ],
    )


def _unpaired() -> Study:
    """The rank-sum test, whose two samples may differ in spread: then it claims too much."""

    def alike(draw: Any, n: int) -> Any:
        return two_samples(draw(n), draw(n))

    return Study(
        test="rank_sum",
        claim="the unpaired scores of the two models do not come from one distribution",
        settings=[
            *(Setting(name="normal", n=n, draw=alike(normal, n)) for n in (5, *_SIZES)),
            *(Setting(name="heavy tails (t, 2 df)", n=n, draw=alike(heavy, n)) for n in _SIZES),
            *(Setting(name="ties and zeros", n=n, draw=alike(tied, n)) for n in (20, 100)),
            Setting(
                name="B has three times the spread and a fifth of the units",
                n=50,
                draw=two_samples(normal(50), wide(10, 3.0)),
                holds=False,
            ),
            *(
                Setting(name="normal", n=n, draw=two_samples(normal(n, 0.5), normal(n)), effect=0.5)
                for n in _SIZES
            ),
        ],
        sides=[
            Side(name="ropewalk", p_values=each(lambda both: nhst.rank_sum(*both)), replications=4_000),
            Side(name="scipy", p_values=peers.scipy_rank_sum, replications=1_000, module="scipy"),
        ],
        note="n is the number of units of A; B has the same number unless stated.",
    )


# A few large clusters and many small ones: 2, 2, 3, ... 64.
_UNEQUAL = tuple(int(v) for v in np.round(np.geomspace(2, 64, 30)))


def _five_by_two(name: str) -> Study:
    test = getattr(nhst, name)
    return Study(
        test=name,
        claim="the two learning algorithms differ",
        settings=[
            Setting(name="independent normal", n=10, draw=replications(0.0)),
            Setting(name="correlation 0.1", n=10, draw=replications(0.1), holds=False),
            Setting(name="correlation 0.3", n=10, draw=replications(0.3), holds=False),
            Setting(name="heavy tails (t, 3 df)", n=10, draw=replications(0.0, noise="heavy"), holds=False),
            Setting(
                name="skew, mean 0 (exponential)", n=10, draw=replications(0.0, noise="skewed"), holds=False
            ),
            *(
                Setting(name="independent normal", n=10, draw=replications(0.0, e), effect=e)
                for e in (0.5, 1.0, 2.0)
            ),
        ],
        sides=[
            Side(name="ropewalk", p_values=each(test), replications=10_000),
            Side(
                name="mlxtend",
                module="mlxtend",
                p_values=each(partial(peers.mlxtend_five_by_two, name[-1])),
                replications=150,
            ),
        ],
    )


def _mcnemar_sides() -> list[Side]:
    def cached(test: Any) -> Any:
        """The counts repeat: each distinct pair is asked once."""

        def p_values(data: Any) -> Floats:
            distinct, place = np.unique(np.asarray(data), axis=0, return_inverse=True)
            found = np.array([test(int(a), int(b)) for a, b in distinct], dtype=float)
            return found[place.ravel()]

        return p_values

    return [
        Side(
            name="ropewalk",
            p_values=cached(lambda a, b: nhst.mcnemar(a, b).p_value),
            replications=10_000,
        ),
        *(
            Side(
                name=f"{package} ({how})",
                module=package,
                p_values=cached(partial(getattr(peers, f"{package}_mcnemar"), **options)),
                replications=10_000,
                powers=how == "uncorrected" and package == "statsmodels",
            )
            for package, how, options in (
                ("mlxtend", "corrected", {}),
                ("mlxtend", "exact", {"exact": True}),
                ("statsmodels", "exact", {}),
                ("statsmodels", "corrected", {"exact": False}),
                ("statsmodels", "uncorrected", {"exact": False, "correction": False}),
            )
        ),
    ]


def studies() -> list[Study]:
    """One for each test."""
    t_sides = [
        Side(name="ropewalk", p_values=each(nhst.paired_t), replications=10_000),
        Side(name="scipy", module="scipy", p_values=peers.scipy_t, replications=10_000),
        Side(
            name="pingouin",
            module="pingouin",
            p_values=each(peers.pingouin_t),
            replications=300,
            only=("normal",),
        ),
    ]
    return [
        Study(
            test="paired_t",
            claim="the mean difference is not 0",
            settings=[
                Setting(name="normal", n=5, draw=normal(5)),
                *_differences(symmetric=True, normal_only=True),
            ],
            sides=t_sides,
        ),
        Study(
            test="wilcoxon",
            claim="the differences are not symmetric around 0",
            settings=_differences(symmetric=True),
            sides=[
                Side(name="ropewalk", p_values=each(nhst.wilcoxon), replications=10_000),
                Side(name="scipy", module="scipy", p_values=peers.scipy_wilcoxon, replications=10_000),
                Side(
                    name="pingouin",
                    module="pingouin",
                    p_values=each(peers.pingouin_wilcoxon),
                    replications=500,
                    only=("normal", "ties and zeros"),
                ),
                Side(
                    name="autorank",
                    module="autorank",
                    p_values=each(peers.autorank_two),
                    replications=600,
                    only=("heavy tails (t, 2 df)",),
                ),
                Side(
                    name="evalstats",
                    module="evalstats",
                    p_values=each(peers.evalstats_two),
                    replications=200,
                    only=("normal", "ties and zeros"),
                ),
            ],
        ),
        Study(
            test="sign",
            claim="A does not win as often as B",
            settings=_differences(symmetric=False, sign=True),
            sides=[
                Side(name="ropewalk", p_values=each(nhst.sign), replications=10_000),
                Side(
                    name="statsmodels",
                    module="statsmodels",
                    p_values=each(peers.statsmodels_sign),
                    replications=2_000,
                ),
            ],
        ),
        Study(
            test="permutation",
            claim="the mean difference is larger than random signs would make it",
            settings=_differences(symmetric=True),
            sides=[
                Side(
                    name="ropewalk",
                    p_values=seeded(lambda d, i: nhst.permutation(d, draws=_FEW_DRAWS, rng=i)),
                    replications=10_000,
                ),
                Side(
                    name="scipy",
                    module="scipy",
                    p_values=each(partial(peers.scipy_permutation, draws=_FEW_DRAWS)),
                    replications=500,
                    only=("normal", "ties and zeros"),
                ),
                Side(
                    name="mlxtend",
                    module="mlxtend",
                    p_values=each(partial(peers.mlxtend_permutation, draws=_FEW_DRAWS)),
                    replications=60,
                    only=("normal",),
                ),
            ],
            note="999 draws above 20 differences; mlxtend always uses 999 random rounds.",
        ),
        _bounded("betting"),
        _bounded("empirical_bernstein"),
        Study(
            test="corrected_t",
            claim="the mean difference over overlapping training sets is not 0",
            settings=[
                *(
                    Setting(name="correlation 0.1, as stated", n=n, draw=correlated(n, 0.1))
                    for n in (10, 100)
                ),
                *(
                    Setting(name=f"true correlation {rho:g}", n=100, draw=correlated(100, rho), holds=False)
                    for rho in (0.0, 0.2, 0.4)
                ),
                *(
                    Setting(
                        name=f"{shown}, correlation 0.1",
                        n=10,
                        draw=correlated(10, 0.1, 0, noise),
                        holds=False,
                    )
                    for noise, shown in (
                        ("heavy", "heavy tails (t, 3 df)"),
                        ("skewed", "skew, mean 0 (exponential)"),
                    )
                ),
                *(
                    Setting(name="correlation 0.1, as stated", n=n, draw=correlated(n, 0.1, e), effect=e)
                    for e in (0.5, 1.0)
                    for n in (10, 30, 100)
                ),
            ],
            sides=[
                Side(
                    name="ropewalk",
                    p_values=each(lambda d: nhst.corrected_t(d, rho=0.1)),
                    replications=10_000,
                ),
                Side(name="paired t, overlap ignored", p_values=each(nhst.paired_t), replications=10_000),
                Side(
                    name="mlxtend k-fold t",
                    module="mlxtend",
                    p_values=each(peers.mlxtend_folds),
                    replications=500,
                ),
            ],
        ),
        Study(
            test="cluster_t",
            claim="the mean over all units is not 0",
            settings=[
                *(
                    Setting(name=f"{g} equal clusters of 10", n=10 * g, draw=in_clusters([10] * g))
                    for g in (10, 30)
                ),
                Setting(name="100 equal clusters of 5", n=500, draw=in_clusters([5] * 100)),
                Setting(
                    name="30 clusters of 2 to 64", n=sum(_UNEQUAL), draw=in_clusters(_UNEQUAL), holds=False
                ),
                Setting(
                    name="6 clusters of 2 to 64",
                    n=sum(_UNEQUAL[::6] + _UNEQUAL[-1:]),
                    holds=False,
                    draw=in_clusters(_UNEQUAL[::6] + _UNEQUAL[-1:]),
                ),
                Setting(
                    name="10 clusters with heavy tails (t, 3 df)",
                    n=100,
                    holds=False,
                    draw=in_clusters([10] * 10, 0.0, "heavy"),
                ),
                *(
                    Setting(name="equal clusters of 10", n=10 * g, draw=in_clusters([10] * g, e), effect=e)
                    for e in (0.2, 0.5)
                    for g in (10, 30, 100)
                ),
            ],
            sides=[
                Side(
                    name="ropewalk",
                    p_values=each(lambda g: nhst.cluster_t(g[0], clusters=g[1])),
                    replications=6_000,
                ),
                Side(
                    name="paired t, clusters ignored",
                    p_values=each(lambda g: nhst.paired_t(g[0])),
                    replications=6_000,
                ),
                Side(
                    name="paired t of the means",
                    p_values=each(lambda g: nhst.paired_t(cluster_means(g))),
                    replications=6_000,
                ),
                Side(
                    name="statsmodels (default, normal)",
                    module="statsmodels",
                    p_values=each(peers.statsmodels_clusters),
                    replications=2_000,
                ),
            ],
        ),
        Study(
            test="quasi_f",
            claim="the mean over other seeds and other examples is not 0",
            settings=[
                *(Setting(name=f"10 seeds of sd {s:g}", n=500, draw=crossed(10, s)) for s in (0.0, 0.1, 0.3)),
                *(
                    Setting(name=f"{k} seeds of sd 0.3", n=50 * k, draw=crossed(k, 0.3), holds=False)
                    for k in (2, 3)
                ),
                *(
                    Setting(name="seeds of sd 0.1", n=50 * k, draw=crossed(k, 0.1, e), effect=e)
                    for e in (0.1, 0.2)
                    for k in (3, 5, 10)
                ),
            ],
            sides=[
                Side(name="ropewalk", p_values=each(nhst.quasi_f), replications=6_000),
                Side(
                    name="paired t of the examples, seeds ignored",
                    p_values=each(lambda d: nhst.paired_t(d.mean(axis=0))),
                    replications=6_000,
                ),
            ],
            note="50 examples, scored by every seed; example effects and residuals have sd 0.3.",
        ),
        _unpaired(),
        _five_by_two("five_by_two_t"),
        _five_by_two("five_by_two_f"),
        Study(
            test="mcnemar",
            claim="the two classifiers do not err at the same rate",
            settings=[
                Setting(name="disagree on 10%", n=100, draw=counts(100, 0.1)),
                Setting(name="disagree on 20%", n=300, draw=counts(300, 0.2)),
                Setting(name="disagree on 20%", n=1_000, draw=counts(1_000, 0.2)),
                Setting(name="disagree on 20%", n=10_000, draw=counts(10_000, 0.2)),
                Setting(name="one model twice", n=100, draw=counts(100, 0.0)),
                Setting(name="5 alike in a cluster", n=1_000, draw=counts(1_000, 0.2, 0.0, 5), holds=False),
                *(
                    Setting(name="disagree on 20%", n=n, draw=counts(n, 0.2, e), effect=e)
                    for e in (0.02, 0.05)
                    for n in (100, 300, 1_000)
                ),
            ],
            sides=_mcnemar_sides(),
        ),
    ]
