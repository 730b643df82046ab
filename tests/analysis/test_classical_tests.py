"""The tests of all models at once, as a report has them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from reproduce import published
from ropewalk.analysis.classical_tests import all_models_tests, ranked_models, task_tests


@pytest.fixture
def table() -> pd.DataFrame:
    """Twelve tasks, four models of which each is a little worse than the one before."""
    rng = np.random.default_rng(1)
    base = rng.normal(0.8, 0.05, 12)
    rows = [
        {"task": f"d{t:02d}", "model": m, "score": base[t] - 0.02 * k + rng.normal(0, 0.02)}
        for t in range(12)
        for k, m in enumerate(("forest", "svm", "logistic", "knn"))
    ]
    return pd.DataFrame(rows)


def test_the_report_has_the_bayesian_friedman_test(table: pd.DataFrame) -> None:
    # Oracle: bayes.friedman and nhst.friedman on the same table of scores.
    report = rw.compare(table)
    ranked = report.mean_ranks
    assert ranked is not None
    z = table.pivot_table(index="task", columns="model", values="score", sort=False)[[*ranked.names]]
    expected = rw.bayes.friedman(z.to_numpy(), draws=10_000)
    np.testing.assert_array_equal(ranked.posterior.draws, expected.draws)
    assert ranked.tasks == 12
    assert ranked.rope == pytest.approx(0.15)  # 5 points of 100, three other models
    assert ranked.classical.p_value == pytest.approx(rw.nhst.friedman(z.to_numpy()).p_value)
    assert [m.name for m in ranked.models] == ["forest", "svm", "logistic", "knn"]
    assert [m.mean_rank for m in ranked.models] == sorted(m.mean_rank for m in ranked.models)
    assert sum(m.p_best for m in ranked.models) == pytest.approx(1.0)
    for m in ranked.models:
        i = ranked.names.index(m.name)
        assert m.p_within_rope == expected.p_within(ranked.rope)[i] >= m.p_best
        assert m.low < m.mean_rank < m.high
        below = np.mean(-expected.draws[:, i] < m.low)
        assert below == pytest.approx(0.025, abs=1e-3)


def test_every_output_shows_it_next_to_the_friedman_test(table: pd.DataFrame) -> None:
    report = rw.compare(table)
    ranked = report.mean_ranks
    assert ranked is not None
    best = f"{ranked.models[0].mean_rank:.2f}"
    for text in (report.to_text(), report.to_markdown(), report.to_latex(), report.to_html()):
        assert "over 12 tasks" in text
        assert "posterior mean rank" in text
        assert best in text
        assert "Bayesian Friedman test" in text
    assert "mean ranks" in report.to_text().split("Friedman  ")[0]
    assert "benavoli2015" in report.to_bibtex()
    found = json.loads(report.to_json())["mean_ranks"]
    assert found["tasks"] == 12
    assert [m["name"] for m in found["models"]] == ["forest", "svm", "logistic", "knn"]
    assert set(found["models"][0]) == {"name", "mean_rank", "interval", "p_best", "p_within_rope"}


def test_few_tasks_are_a_warning(table: pd.DataFrame) -> None:
    report = rw.compare(table)
    assert report.mean_ranks is not None
    assert [k.ok for k in report.mean_ranks.checks] == [False]
    assert "in about 6% of cases instead of 5%" in " ".join(report.to_text().split())
    many = pd.concat([table, table.assign(task="x" + table["task"])])
    fine = rw.compare(many).mean_ranks
    assert fine is not None
    assert fine.checks == ()


def test_lower_is_better(table: pd.DataFrame) -> None:
    up = rw.compare(table).mean_ranks
    down = rw.compare(table.assign(score=1 - table["score"]), higher_is_better=False).mean_ranks
    assert up is not None
    assert down is not None
    assert [(m.name, m.mean_rank) for m in up.models] == [(m.name, m.mean_rank) for m in down.models]


def test_only_tasks_on_which_all_models_were_run(table: pd.DataFrame) -> None:
    report = rw.compare(table.drop(index=5))  # svm on the second task
    assert report.mean_ranks is not None
    assert report.mean_ranks.tasks == 11


def test_where_there_are_no_ranks_of_many_models(table: pd.DataFrame) -> None:
    two = table[table["model"].isin(["forest", "svm"])]
    assert rw.compare(two).mean_ranks is None  # the sign test asks the same
    rng = np.random.default_rng(0)
    one = {m: rng.normal(0.8, 0.1, 30) for m in "abc"}
    report = rw.compare(pd.DataFrame({"id": range(30), **one}))
    assert report.mean_ranks is None  # one task
    assert "mean_ranks" not in json.loads(report.to_json())


def test_mean_ranks_of_the_five_classifiers() -> None:
    # Oracle: the average ranks of the 54 data sets of Benavoli et al. 2017, pulled in by one task's weight.
    names = published.CLASSIFIERS
    classical, ranked = task_tests(names, published.means(), rng=0)
    assert [t.name for t in classical] == ["Friedman", "Nemenyi", "model confidence set (T_R)"]
    assert ranked is not None
    average = rw.nhst.friedman(published.means()).average_ranks
    for m in ranked.models:
        assert m.mean_rank == pytest.approx((54 * average[names.index(m.name)] + 3) / 55)


def test_a_thousand_models_have_fewer_draws() -> None:
    z = np.random.default_rng(0).normal(size=(3, 1_000))
    ranked = ranked_models([f"m{i}" for i in range(1_000)], z, rw.nhst.friedman(z), rng=0)
    assert len(ranked.posterior.draws) == 2_000


def test_dependent_units_have_no_analysis_of_variance() -> None:
    rng = np.random.default_rng(0)
    scores = rw.read(pd.DataFrame({"fold": range(10), **{m: rng.normal(0.8, 0.1, 10) for m in "abc"}}))
    assert all_models_tests(scores, 0, 0.1) == ([], None)
