"""The p-values of other packages, each called as its documentation says; imported when they are asked."""

from __future__ import annotations

from typing import Any

import numpy as np

from studies.study import Floats


def scipy_t(data: Any) -> Floats:
    from scipy import stats

    return np.asarray(stats.ttest_1samp(data, 0.0, axis=1).pvalue)


def pingouin_t(d: Floats) -> float:
    import pingouin

    return float(pingouin.ttest(d, 0.0)["p_val"].iloc[0])


def scipy_wilcoxon(data: Any) -> Floats:
    from scipy import stats

    # All rows at once where none has a zero: with one SciPy chooses its method for the lot.
    x = np.asarray(data)
    if np.all(x != 0):
        return np.asarray(stats.wilcoxon(x, axis=1).pvalue)
    return np.array([stats.wilcoxon(d).pvalue if d.any() else 1.0 for d in x])


def scipy_rank_sum(data: Any) -> Floats:
    from scipy import stats

    return np.array([stats.mannwhitneyu(a, b, use_continuity=False).pvalue for a, b in data])


def pingouin_wilcoxon(d: Floats) -> float:
    import pingouin

    return float(pingouin.wilcoxon(d)["p_val"].iloc[0])


def _two(d: Floats) -> Floats:
    """Two columns with these differences: the first is normal, the same for everyone.

    In steps of 1/1024, so that a - (a - d) is d where d is whole, and ties stay ties.
    """
    a = np.round(np.random.default_rng(0).normal(size=d.size) * 1024) / 1024
    return np.column_stack([a, a - d])


def autorank_two(d: Floats) -> float:
    import pandas as pd
    from autorank import autorank

    return float(autorank(pd.DataFrame(_two(d), columns=["a", "b"]), verbose=False).pvalue)


def evalstats_two(d: Floats) -> float:
    import evalstats
    import pandas as pd

    n = d.size
    table = pd.DataFrame(
        {"model": ["a", "b"] * n, "item": np.repeat(np.arange(n), 2), "score": _two(d).ravel()}
    )
    try:
        found = evalstats.compare(evalstats.load_from(table), factors="model").to_dict()["pairwise"]
    except evalstats.errors.InsufficientItemsError:  # below 15 items
        return float("nan")
    return float(found[0]["p_value"])


def statsmodels_sign(d: Floats) -> float:
    from statsmodels.stats.descriptivestats import sign_test

    return float(sign_test(d)[1]) if d.any() else 1.0


def scipy_permutation(d: Floats, *, draws: int) -> float:
    from scipy import stats

    def mean(x: Floats, axis: int) -> Any:
        return np.mean(x, axis=axis)

    # One sample: its signs are what is permuted; all of them where they are no more than 1,024.
    return float(
        stats.permutation_test(
            (d,), mean, permutation_type="samples", vectorized=True, n_resamples=max(draws, 1_024), rng=0
        ).pvalue
    )


def mlxtend_permutation(d: Floats, *, draws: int) -> float:
    from mlxtend.evaluate import permutation_test

    return float(
        permutation_test(d, np.zeros(d.size), paired=True, method="approximate", num_rounds=draws, seed=0)
    )


class _Told:
    """An estimator that learns nothing; its score is the next number of a list."""

    def __init__(self, scores: Any) -> None:
        self.scores = iter(scores)

    def fit(self, *_: Any) -> None: ...

    @staticmethod
    def score(estimator: _Told, *_: Any) -> float:
        return float(next(estimator.scores))


def mlxtend_folds(d: Floats) -> float:
    from mlxtend.evaluate import paired_ttest_kfold_cv

    a, b = _Told(d), _Told(np.zeros(d.size))
    rows = np.zeros((d.size, 1))
    return float(paired_ttest_kfold_cv(a, b, rows, rows[:, 0], cv=d.size, scoring=_Told.score)[1])


def mlxtend_five_by_two(kind: str, d: Floats) -> float:
    from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv

    a, b = _Told(d.ravel()), _Told(np.zeros(d.size))
    rows = np.zeros((4, 1))
    test = paired_ttest_5x2cv if kind == "t" else combined_ftest_5x2cv
    return float(test(a, b, rows, rows[:, 0], scoring=_Told.score, random_seed=1)[1])


def statsmodels_clusters(given: tuple[Floats, Floats]) -> float:
    import statsmodels.api as sm

    d, of = given
    fit = sm.OLS(d, np.ones(d.size)).fit(cov_type="cluster", cov_kwds={"groups": of})
    return float(fit.pvalues[0])


def mlxtend_mcnemar(n01: int, n10: int, **options: Any) -> float:
    from mlxtend.evaluate import mcnemar

    return float(mcnemar(np.array([[50, n10], [n01, 20]]), **options)[1])


def statsmodels_mcnemar(n01: int, n10: int, **options: Any) -> float:
    from statsmodels.stats.contingency_tables import mcnemar

    return float(mcnemar(np.array([[50, n10], [n01, 20]]), **options).pvalue)


def mlstatkit_delong(given: tuple[Any, Floats, Floats]) -> float:
    from MLstatkit import Delong_test

    return float(Delong_test(*given)[1])


def scipy_friedman(data: Any) -> Floats:
    from scipy import stats

    return np.asarray(stats.friedmanchisquare(*np.moveaxis(np.asarray(data), 2, 0), axis=1).pvalue)


def autorank_many(z: Floats) -> float:
    import pandas as pd
    from autorank import autorank

    return float(autorank(pd.DataFrame(z, columns=list("abcdefgh")[: z.shape[1]]), verbose=False).pvalue)


def posthocs_nemenyi(z: Floats) -> Floats:
    import scikit_posthocs

    return np.asarray(scikit_posthocs.posthoc_nemenyi_friedman(z))


def _long(z: Floats) -> Any:
    import pandas as pd

    n, k = z.shape
    return pd.DataFrame(
        {"unit": np.repeat(np.arange(n), k), "model": np.tile(np.arange(k), n), "score": z.ravel()}
    )


def pingouin_anova(z: Floats) -> float:
    """As reported: corrected by Greenhouse and Geisser's epsilon where Mauchly's test asks for it."""
    import pingouin

    row = pingouin.rm_anova(
        data=_long(z), dv="score", within="model", subject="unit", correction="auto"
    ).iloc[0]
    corrected = row.get("p_GG_corr", np.nan)
    return float(row["p_unc"] if np.isnan(corrected) else corrected)


def statsmodels_anova(z: Floats) -> float:
    from statsmodels.stats.anova import AnovaRM

    return float(AnovaRM(_long(z), "score", "unit", within=["model"]).fit().anova_table["Pr > F"].iloc[0])


def statsmodels_adjust(p: Floats, *, method: str) -> Floats:
    from statsmodels.stats.multitest import multipletests

    return np.asarray(multipletests(p, method=method)[1])


def arch_set(losses: Floats, *, draws: int, block: int) -> Floats:
    import pandas as pd
    from arch.bootstrap import MCS

    found = MCS(pd.DataFrame(losses), size=0.05, reps=draws, block_size=block, method="R", seed=0)
    found.compute()
    return np.asarray(found.pvalues["Pvalue"].sort_index())
