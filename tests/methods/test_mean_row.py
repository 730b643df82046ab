"""Clusters and series, from the file to the verdict."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.decide import cluster_summary, series_summary
from ropewalk.errors import RopewalkError


def clustered(
    clusters: int = 40, size: int = 25, *, icc: float = 0.5, lift: float = 0.2, seed: int = 0
) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    doc = np.repeat(np.arange(clusters), size)
    d = np.sqrt(icc) * rng.normal(size=clusters)[doc] + np.sqrt(1 - icc) * rng.normal(size=doc.size)
    base = rng.normal(size=doc.size)
    return pd.DataFrame({"id": range(doc.size), "doc": doc, "svm": base + lift + d, "tree": base})


def test_cluster_means_by_default() -> None:
    data = clustered()
    c = rw.compare(data, cluster="doc", rope=0.1).comparisons[0]
    means = (data["svm"] - data["tree"]).groupby(data["doc"]).mean()
    assert (c.method, c.unit, c.n) == ("t", "cluster", 40)
    assert c.verdict.better == pytest.approx(float(rw.bayes.t(means).sf(0.1)), rel=1e-6)


def test_the_report_says_what_the_clusters_cost_and_what_the_naive_analysis_would_say() -> None:
    data = clustered()
    report = rw.compare(data, cluster="doc", rope=0.1)
    checks = {k.name: k for k in report.comparisons[0].checks}
    found = cluster_summary(data["svm"] - data["tree"], data["doc"])
    numbers = checks["clusters"].numbers
    assert (numbers["units"], numbers["clusters"]) == (1000, 40)
    assert numbers["icc"] == pytest.approx(found.icc, rel=1e-6)
    assert numbers["design_effect"] == pytest.approx(found.design_effect, rel=1e-6)
    naive = rw.compare(data.drop(columns="doc"), rope=0.1).comparisons[0].verdict
    assert checks["ignoring the clusters"].numbers["better"] == pytest.approx(naive.better, abs=1e-9)
    assert "1,000 examples paired" in report.to_text()


def test_right_and_wrong_answers_in_clusters() -> None:
    data = clustered()
    data = data.assign(svm=(data["svm"] > 0).astype(int), tree=(data["tree"] > 0).astype(int))
    c = rw.compare(data, cluster="doc").comparisons[0]
    assert c.method == "t"
    naive = rw.compare(data.drop(columns="doc")).comparisons[0]
    assert naive.method == "mcnemar"
    check = next(k for k in c.checks if k.name == "ignoring the clusters")
    assert check.numbers["better"] == pytest.approx(naive.verdict.better, abs=1e-9)


def test_effective_sample_size_on_request() -> None:
    data = clustered()
    d = data["svm"] - data["tree"]
    c = rw.compare(data, cluster="doc", rope=0.1, method="ess").comparisons[0]
    n_eff = series_summary(d, series=data["doc"]).n_eff
    assert c.verdict.better == pytest.approx(float(rw.bayes.ess_t(d, n_eff=n_eff).sf(0.1)), rel=1e-6)
    assert c.classical[0].name == "cluster-robust t"
    alone = rw.compare(data.drop(columns="doc"), rope=0.1, method="ess").comparisons[0]
    expected = rw.bayes.ess_t(d, n_eff=series_summary(d).n_eff)
    assert alone.verdict.better == pytest.approx(float(expected.sf(0.1)), rel=1e-6)


def test_bootstrap_over_clusters_on_request() -> None:
    data = clustered()
    means = rw.compare(data, cluster="doc", rope=0.1).comparisons[0]
    drawn = rw.compare(data, cluster="doc", rope=0.1, method="bootstrap").comparisons[0]
    # Clusters of one size: the mean of all rows is the mean of the cluster means.
    assert drawn.advantage == pytest.approx(means.advantage)
    assert drawn.posterior.sd == pytest.approx(means.posterior.sd, rel=0.08)
    assert any(k.name == "Monte Carlo error" for k in drawn.checks)


def test_bootstrap_without_clusters_is_the_bootstrap_of_the_mean() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.2, 1, 300), rng.normal(0, 1, 300)
    drawn = rw.compare({"A": a, "B": b}, rope=0.05, method="bootstrap").comparisons[0]
    exact = rw.compare({"A": a, "B": b}, rope=0.05).comparisons[0]
    assert drawn.verdict.better == pytest.approx(exact.verdict.better, abs=0.02)


def test_one_cluster_is_one_observation() -> None:
    with pytest.raises(RopewalkError, match="only one cluster"):
        rw.compare(clustered(4, 10).assign(doc="same"), cluster="doc")


@pytest.mark.parametrize("icc", [0.0, 0.5])
def test_error_rate_in_simulation(icc: float) -> None:
    # No difference: Pr(better by more than nothing) above 0.975 or below 0.025 should come in 5 % of the
    # data sets. Of 300 that is 15, standard deviation 3.8; the naive analysis with correlation 0.5 within
    # clusters of 10 has a design effect of 5.5, which makes it about 40 %.
    wrong = {"clusters": 0, "naive": 0}
    for seed in range(300):
        data = clustered(30, 10, icc=icc, lift=0.0, seed=seed)
        d = data["svm"] - data["tree"]
        for name, posterior in (
            ("clusters", rw.bayes.t(d.groupby(data["doc"]).mean())),
            ("naive", rw.bayes.t(d)),
        ):
            wrong[name] += not 0.025 < float(posterior.sf(0.0)) < 0.975
    assert wrong["clusters"] / 300 < 0.05 + 4 * 0.0126
    if icc:
        assert wrong["naive"] / 300 > 0.25
