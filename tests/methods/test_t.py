"""The t-tests as methods: the answer of `bayes.t` against the ROPE, the defaults, what they refuse."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.decide import in_scores, probabilities
from ropewalk.errors import MethodError


def folds(k: int = 10, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    base = rng.normal(0.8, 0.02, k)
    scores = np.concatenate([base + rng.normal(0.01, 0.01, k), base])
    return pd.DataFrame(
        {"model": np.repeat(["A", "B"], k), "fold": np.tile(np.arange(k), 2), "accuracy": scores}
    )


def test_independent_units() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.2, 1, 40), rng.normal(0, 1, 40)
    (c,) = rw.compare({"A": a, "B": b}, rope=0.1).comparisons
    assert (c.method, c.correlation) == ("t", None)
    alone = probabilities(rw.bayes.t(a - b), in_scores(-0.1, 0.1, "given"))
    assert c.verdict.better == pytest.approx(alone.better, rel=1e-9)


def test_folds_are_correlated_by_their_design() -> None:
    """Nadeau and Bengio 2003: rho = 1/k for k-fold cross-validation."""
    (c,) = rw.compare(folds()).comparisons
    assert c.method == "correlated_t"
    assert c.correlation is not None
    assert (c.correlation.low, c.correlation.high, c.correlation.unit) == (0.1, 0.1, "fold")
    assert c.correlation.inflation == pytest.approx(1 / 9)
    d = np.asarray(c.evidence.d)  # type: ignore[union-attr]
    assert c.estimate.mean == pytest.approx(d.mean())
    assert c.posterior.scale == pytest.approx(d.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9))  # type: ignore[union-attr]


@pytest.mark.parametrize("method", ["t", "robust_t", "sign", "signed_rank"])
def test_folds_are_not_independent(method: str) -> None:
    with pytest.raises(MethodError, match=f"{method} assumes independent folds"):
        rw.compare(folds(), method=method)
