"""Inputs on which packages are known to answer differently, asked again in every run."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Probe:
    """One input, what each side says of it, and why they differ."""

    package: str
    module: str
    what: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    why: str

    def answers(self) -> tuple[str, str] | None:
        """What each side says; None where the package is not here."""
        if importlib.util.find_spec(self.module) is None:
            return None
        return _said(self.ours), _said(self.theirs)


def _said(work: Callable[[], Any]) -> str:
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        try:
            found = work()
        except Exception as problem:  # noqa: BLE001  # an error is an answer too, and the point of some probes
            return f"{type(problem).__name__}: {str(problem).splitlines()[0][:90]}"
    return found if isinstance(found, str) else ", ".join(f"{v:.4g}" for v in np.ravel(found))


def _probes() -> list[Probe]:
    """The functions import their packages when they are called."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    score = rng.random(200)
    holed = np.where(np.arange(20) == 4, np.nan, rng.normal(0.5, 1, 20))
    columns = rng.normal(1, 0.3, (200, 3))
    twice = np.column_stack([columns, columns[:, 0]])
    return [
        Probe(
            package="mlxtend",
            module="mlxtend",
            what="McNemar's p-value, 15 against 15 discordant examples",
            ours=lambda: _nhst("mcnemar", 15, 15),
            theirs=lambda: _mlxtend_mcnemar(15, 15),
            why="the continuity correction subtracts 1 from |n01 - n10| = 0 and squares the result, -1; "
            "ours stops at 0",
        ),
        Probe(
            package="mlxtend",
            module="mlxtend",
            what="McNemar's p-value of a model compared with itself",
            ours=lambda: _nhst("mcnemar", 0, 0),
            theirs=lambda: _mlxtend_mcnemar(0, 0),
            why="it divides 1 by 0, so chi² is infinite and identical models seem to differ with certainty",
        ),
        Probe(
            package="statsmodels",
            module="statsmodels",
            what="McNemar's p-value, 15 against 15 discordant examples",
            ours=lambda: _nhst("mcnemar", 15, 15),
            theirs=lambda: _statsmodels_mcnemar(15, 15),
            why="the continuity correction subtracts 1 from 0 here too",
        ),
        Probe(
            package="MLstatkit",
            module="MLstatkit",
            what="DeLong's p-value of a model compared with itself",
            ours=lambda: _nhst("delong", y, score, score),
            theirs=lambda: __import__("MLstatkit").Delong_test(y, score, score)[1],
            why="the variance is 0, so it switches to a bootstrap, whose draws are all equal",
        ),
        Probe(
            package="MLstatkit",
            module="MLstatkit",
            what="the smallest permutation p-value of 200 draws (AUROC 1 against 0.5)",
            ours=lambda: _nhst("permutation_metric", "auroc", y, y + 0.0, score, draws=200),
            theirs=lambda: __import__("MLstatkit").Permutation_test(y, y + 0.0, score, "roc_auc", 200)[2],
            why="a permutation p-value cannot be 0, because the observed order is one of the "
            "permutations; ours adds 1 to "
            "both counts (Phipson & Smyth 2010)",
        ),
        Probe(
            package="baycomp",
            module="baycomp",
            what="the signed-rank test of 20 differences of which one is NaN",
            ours=lambda: _signed_rank(holed),
            theirs=lambda: _baycomp_signed_rank(holed),
            why="comparisons with NaN are false, so the unit silently counts as equivalent; ours is an error",
        ),
        Probe(
            package="autorank",
            module="autorank",
            what="Wilcoxon's p-value of two models on ten tasks",
            ours=lambda: _nhst("wilcoxon", _two_models()[:, 0] - _two_models()[:, 1]),
            theirs=_autorank_two,
            why="autorank first looks which model is ahead and then tests one-sided in that direction, which "
            "halves the p-value; a test at 5% then has 9% false positives",
        ),
        Probe(
            package="arch",
            module="arch",
            what="the model confidence set of three models, one of them given twice",
            ours=lambda: _nhst("model_confidence_set", twice, draws=500),
            theirs=lambda: _arch(twice),
            why="the difference of the two copies is always 0, and so is its variance; ours gives both "
            "copies the same p-value",
        ),
    ]


def _nhst(name: str, *given: Any, **options: Any) -> Any:
    from ropewalk import nhst

    return getattr(nhst, name)(*given, **options).p_value


def _mlxtend_mcnemar(b: int, c: int) -> Any:
    from mlxtend.evaluate import mcnemar

    return mcnemar(np.array([[50, b], [c, 20]]))[1]


def _statsmodels_mcnemar(b: int, c: int) -> Any:
    from statsmodels.stats.contingency_tables import mcnemar

    return mcnemar(np.array([[50, b], [c, 20]]), exact=False, correction=True).pvalue


def _signed_rank(d: np.ndarray) -> Any:
    from ropewalk import bayes

    return bayes.signed_rank(d, 0.1).most_probable.better


def _baycomp_signed_rank(d: np.ndarray) -> Any:
    import baycomp

    return baycomp.SignedRankTest.probs(np.zeros(d.size), d, rope=0.1, random_state=0)[2]


def _two_models() -> np.ndarray:
    rng = np.random.default_rng(1)
    return 0.8 + rng.normal(0, 0.05, (10, 1)) + rng.normal(0, 0.02, (10, 2)) + np.array([0.012, 0.0])


def _autorank_two() -> Any:
    import pandas as pd
    from autorank import autorank

    return autorank(pd.DataFrame(_two_models(), columns=["a", "b"]), verbose=False).pvalue


def _arch(losses: np.ndarray) -> Any:
    import pandas as pd
    from arch.bootstrap import MCS

    found = MCS(pd.DataFrame(losses), size=0.1, reps=500, seed=0)
    found.compute()
    return found.pvalues["Pvalue"].sort_index().to_numpy()


def lines() -> list[str]:
    """One line for each probe whose two answers are not the same."""
    out = []
    for probe in _probes():
        answers = probe.answers()
        if answers is None:
            out.append(f"- {probe.package} is not installed: {probe.what} was not checked.")
        elif answers[0] != answers[1]:
            out.append(
                f"- **{probe.package}**, {probe.what}: ours {answers[0]}; theirs {answers[1]}. "
                f"Why: {probe.why}."
            )
        else:
            out.append(f"- **{probe.package}**, {probe.what}: both {answers[0]}. It was known to differ.")
    return out
