"""McNemar, t, Wilcoxon, permutation and 5x2cv tests, and p-values adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from harness import Peer, Row, Settings, beside, task

Pair = tuple[np.ndarray, np.ndarray]


def two_samples(n: int, shift: float = 0.1) -> Callable[[int], Pair]:
    def data(seed: int) -> Pair:
        rng = np.random.default_rng(seed)
        return rng.normal(shift, 1, n), rng.normal(0, 1, n)

    return data


@task("mlxtend", "statsmodels")
def mcnemar(settings: Settings) -> Iterable[Row]:
    """From three vectors of labels to the p-value."""
    from mlxtend.evaluate import mcnemar, mcnemar_table
    from statsmodels.stats.contingency_tables import mcnemar as sm_mcnemar

    from ropewalk import nhst

    def labels(n: int) -> Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray]]:
        def data(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            rng = np.random.default_rng(seed)
            y = rng.integers(0, 5, n)
            return y, *(np.where(rng.random(n) < p, y, rng.integers(0, 5, n)) for p in (0.82, 0.8))

        return data

    def ours(given: Any) -> nhst.TestResult:
        y, a, b = given
        right, too = y == a, y == b
        return nhst.mcnemar(int(np.sum(~right & too)), int(np.sum(right & ~too)))

    for n in (1_000, 100_000):
        yield from beside(
            f"mcnemar_{n}",
            f"McNemar's test from {n:,} labels",
            data=labels(n),
            ours=ours,
            answer=lambda r: r.p_value,
            peers={
                "mlxtend": Peer(
                    package="mlxtend",
                    work=lambda g: mcnemar(mcnemar_table(*g), corrected=True),
                    answer=lambda r: r[1],
                    loses="both spend their time on the same comparisons of labels",
                ),
                "statsmodels": Peer(
                    package="statsmodels",
                    # It takes the table only; mlxtend's way to it would be timed otherwise.
                    work=lambda g: sm_mcnemar(_table(*g), exact=False, correction=True),
                    answer=lambda r: r.pvalue,
                    loses="the table is counted in the same way; what is left is the call",
                ),
            },
            repeats=settings.repeats,
        )


def _table(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    right, too = y == a, y == b
    # The diagonal does not enter the test, and counting it would be held against the peer.
    return np.array([[0, np.sum(right & ~too)], [np.sum(~right & too), 0]])


@task("scipy", quick=True)
def paired_t(settings: Settings) -> Iterable[Row]:
    from scipy import stats

    yield from _paired(
        settings,
        {"scipy": Peer(package="scipy", work=lambda g: stats.ttest_rel(*g), answer=lambda r: r.pvalue)},
    )


@task("pingouin")
def paired_t_pingouin(settings: Settings) -> Iterable[Row]:
    """pingouin also gives an effect size, power and a Bayes factor, so it is timed apart from the t-test."""
    import pingouin

    peer = Peer(
        package="pingouin",
        work=lambda g: pingouin.ttest(*g, paired=True),
        answer=lambda r: r["p_val"].iloc[0],
    )
    yield from _paired(settings, {"pingouin": peer})


def _paired(settings: Settings, peers: dict[str, Peer]) -> Iterable[Row]:
    from ropewalk import nhst

    for n in (50, 100_000):
        yield from beside(
            f"paired_t_{n}",
            f"paired t-test, {n:,} numbers",
            data=two_samples(n, 0.1 if n < 1000 else 0.005),
            ours=lambda g: nhst.paired_t(g[0] - g[1]),
            answer=lambda r: r.p_value,
            peers=peers,
            repeats=settings.repeats,
        )


@task("scipy", quick=True)
def wilcoxon(settings: Settings) -> Iterable[Row]:
    from scipy import stats

    from ropewalk import nhst

    for n, shown in ((50, "exact"), (100_000, "normal form")):
        yield from beside(
            f"wilcoxon_{n}",
            f"Wilcoxon's signed-rank test, {n:,} numbers, {shown}",
            data=two_samples(n, 0.1 if n < 1000 else 0.005),
            ours=lambda g: nhst.wilcoxon(g[0] - g[1]),
            answer=lambda r: r.p_value,
            peers={
                "scipy": Peer(
                    package="scipy",
                    work=lambda g: stats.wilcoxon(*g),
                    answer=lambda r: r.pvalue,
                    loses="both sort, and SciPy's ranks are compiled",
                )
            },
            repeats=settings.repeats,
        )


@task("pingouin")
def wilcoxon_pingouin(settings: Settings) -> Iterable[Row]:
    """Up to 1,000 numbers: its effect size compares all pairs, which at 100,000 would be 80 GB."""
    import pingouin

    from ropewalk import nhst

    for n in (50, 1_000):
        yield from beside(
            f"wilcoxon_{n}",
            f"Wilcoxon's signed-rank test, {n:,} numbers",
            data=two_samples(n),
            ours=lambda g: nhst.wilcoxon(g[0] - g[1]),
            answer=lambda r: r.p_value,
            peers={
                "pingouin": Peer(
                    package="pingouin",
                    work=lambda g: pingouin.wilcoxon(*g),
                    answer=lambda r: r["p_val"].iloc[0],
                    why="pingouin asks SciPy for a continuity correction of half a rank. Ours has no "
                    "correction "
                    "(Demšar 2006, Benavoli et al. 2017, eq. 8), and is exact up to 50 numbers.",
                )
            },
            repeats=settings.repeats,
        )


@task("scipy", quick=True)
def permutation(settings: Settings) -> Iterable[Row]:
    """9,999 drawn sign patterns; the p-values agree within the Monte Carlo error of both."""
    from scipy import stats

    from ropewalk import nhst

    def difference(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    for n in (50, 1_000):
        yield from beside(
            f"permutation_{n}",
            f"paired permutation test, {n:,} numbers, 9,999 draws",
            data=two_samples(n, 0.2 if n < 100 else 0.05),
            ours=lambda g: nhst.permutation(g[0] - g[1], draws=9_999),
            answer=lambda r: r.p_value,
            peers={
                "scipy": Peer(
                    package="scipy",
                    work=lambda g: stats.permutation_test(
                        g, difference, permutation_type="samples", vectorized=True, n_resamples=9_999, rng=0
                    ),
                    answer=lambda r: r.pvalue,
                    within=5 * np.sqrt(2 * 0.25 / 9_999),
                    why="SciPy's p is twice the smaller tail of the draws, ours counts |sum| on both sides.",
                )
            },
            repeats=min(settings.repeats, 5),
        )


@task("mlxtend")
def permutation_mlxtend(settings: Settings) -> Iterable[Row]:
    from mlxtend.evaluate import permutation_test

    from ropewalk import nhst

    yield from beside(
        "permutation_50",
        "paired permutation test, 50 numbers, 9,999 draws",
        data=two_samples(50, 0.2),
        ours=lambda g: nhst.permutation(g[0] - g[1], draws=9_999),
        answer=lambda r: r.p_value,
        peers={
            "mlxtend": Peer(
                package="mlxtend",
                work=lambda g: permutation_test(
                    *g, paired=True, method="approximate", num_rounds=9_999, seed=0
                ),
                within=5 * np.sqrt(2 * 0.25 / 9_999),
            )
        },
        repeats=3,
    )
    yield from beside(
        "permutation_exact_12",
        "paired permutation test, 12 numbers, all 4,096 sign patterns",
        data=two_samples(12, 0.5),
        ours=lambda g: nhst.permutation(g[0] - g[1]),
        answer=lambda r: r.p_value,
        peers={"mlxtend": Peer(package="mlxtend", work=lambda g: permutation_test(*g, paired=True))},
        repeats=settings.repeats,
    )


@task("statsmodels")
def adjust(settings: Settings) -> Iterable[Row]:
    """p-values of all pairs of 45 models."""
    from statsmodels.stats.multitest import multipletests

    from ropewalk import nhst

    for method, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini-hochberg", "fdr_bh")):
        yield from beside(
            f"adjust_{method.replace('-', '_')}",
            f"990 p-values adjusted, {method.title()}",
            data=lambda seed: np.random.default_rng(seed).random(990) ** 2,
            ours=lambda p, method=method: nhst.adjust(p, method=method),
            answer=lambda found: found,
            peers={
                "statsmodels": Peer(
                    package="statsmodels",
                    work=lambda p, theirs=theirs: multipletests(p, method=theirs),
                    answer=lambda found: found[1],
                    loses="both are one sort; ours also checks that every p-value is one",
                )
            },
            repeats=settings.repeats,
        )


@task("mlxtend", "sklearn")
def five_by_two(settings: Settings) -> Iterable[Row]:
    """mlxtend fits the models itself, so the same splits and fits are in both times."""
    from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv
    from sklearn.datasets import make_classification
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    from ropewalk import nhst

    def data(seed: int) -> tuple[np.ndarray, np.ndarray]:
        return make_classification(400, 10, flip_y=0.2, random_state=seed)

    def models() -> tuple[GaussianNB, DecisionTreeClassifier]:
        return GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)

    def differences(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        seeds = np.random.RandomState(1)  # mlxtend's own way to its five splits
        out = np.empty((5, 2))
        for row in out:
            split = train_test_split(X, y, test_size=0.5, random_state=seeds.randint(low=0, high=32767))
            (X1, X2, y1, y2) = split
            for i, (train, target, test, truth) in enumerate(((X1, y1, X2, y2), (X2, y2, X1, y1))):
                said = [m.fit(train, target).predict(test) for m in models()]
                row[i] = np.mean(said[0] == truth) - np.mean(said[1] == truth)
        return out

    for key, test, theirs in (
        ("t", nhst.five_by_two_t, paired_ttest_5x2cv),
        ("f", nhst.five_by_two_f, combined_ftest_5x2cv),
    ):
        yield from beside(
            f"five_by_two_{key}",
            f"5x2cv {key.upper() if key == 'f' else key}-test with its twenty fits on 400 rows",
            data=data,
            ours=lambda g, test=test: test(differences(*g)),
            answer=lambda r: r.p_value,
            peers={
                "mlxtend": Peer(
                    package="mlxtend",
                    work=lambda g, theirs=theirs: theirs(*models(), *g, random_seed=1),
                    answer=lambda r: r[1],
                    loses="the twenty fits are the same and are nearly all of the time",
                )
            },
            repeats=min(settings.repeats, 5),
        )
