"""Leaderboards of a metric of the whole set."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import DataError, MethodError
from tests.methods.ranked import predictions


def four(n: int = 150, tasks: int = 5, *, seed: int = 0) -> pd.DataFrame:
    """Probabilities of four models on some tasks, one row a model and example."""
    rng = np.random.default_rng(seed)
    rows = []
    for t in range(tasks):
        y = rng.integers(0, 2, n)
        easy = rng.normal(0, 0.8, n)
        for m, k in (("svm", 1.6), ("forest", 1.5), ("knn", 0.9), ("nb", 0.5)):
            p = 1 / (1 + np.exp(-(k * (y - 0.5) + easy + rng.normal(0, 1, n))))
            rows += [(m, f"t{t}", i, y[i], round(p[i], 4)) for i in range(n)]
    return pd.DataFrame(rows, columns=["model", "task", "id", "truth", "probability"])


def test_the_pairs_of_one_task_are_those_of_the_joint_bootstrap() -> None:
    data = four(tasks=1).drop(columns="task")
    report = rw.compare(data, metric="auroc", rope=0.02)
    y = data[data["model"] == "svm"]["truth"].to_numpy()
    said = {m: own["probability"].to_numpy() for m, own in data.groupby("model", sort=False)}
    fitted = rw.bayes.joint_bootstrap("auroc", y, said, rng=0)
    board = report.board
    assert board is not None
    assert board.posterior.pulled > 0  # the models together are those of one population
    assert sum(m.p_best or 0.0 for m in report.models) == pytest.approx(1.0)
    for c in report.comparisons:  # the pairs are differences of the same draws
        i, j = board.names.index(c.a), board.names.index(c.b)
        d = fitted.draws[:, i] - fitted.draws[:, j]
        assert c.verdict.better == pytest.approx(np.mean(d > 0.02), abs=1e-12)
        assert c.verdict.better == pytest.approx(board.better[i, j], abs=1e-12)
        assert c.verdict.equivalent == pytest.approx(board.equivalent[i, j], abs=1e-12)
    best = report.models[0]
    at = board.names.index(best.name)
    assert [best.low, best.high] == pytest.approx(np.quantile(fitted.draws[:, at], [0.025, 0.975]).tolist())
    assert best.mean == pytest.approx(fitted.values[at])
    assert "P(best)" in report.to_text()


def test_two_models_on_one_task_have_the_chances_of_the_pair() -> None:
    report = rw.compare(predictions(), metric="auroc", rope=0.02)
    ahead = float(report.comparisons[0].posterior.sf(0.0))
    assert report.models[0].p_best == pytest.approx(max(ahead, 1 - ahead), abs=1e-12)


@pytest.mark.proof
def test_another_order_of_the_models_permutes_the_leaderboard() -> None:
    data = four(80, 3)
    other = pd.concat([data[data["model"] == m] for m in ("nb", "svm", "knn", "forest")])
    one, two = (rw.compare(d, metric="auroc", rope=0.02) for d in (data, other))
    for a, b in zip(one.models, two.models, strict=True):
        assert (a.name, a.rank) == (b.name, b.rank)
        assert (a.p_best, a.p_within_rope) == pytest.approx((b.p_best, b.p_within_rope), abs=0.02)


def test_the_leaderboard_over_tasks_is_the_joint_model_on_the_bootstraps() -> None:
    data = four(60)
    report = rw.compare(data, metric="auroc", rope=0.02)
    sums = []
    for _, own in data.groupby("task", sort=False):
        y = own[own["model"] == "svm"]["truth"].to_numpy()
        said = {m: rows["probability"].to_numpy() for m, rows in own.groupby("model", sort=False)}
        sums.append(rw.bayes.joint_bootstrap("auroc", y, said, rng=0).sums)
    board = report.board
    assert board is not None
    np.testing.assert_allclose(board.posterior.p_best, rw.bayes.joint_tasks(sums, rng=0).p_best)
    assert board.within_by_task is not None
    assert board.within_by_task.shape == (4, 5)
    assert [t.name for t in report.classical] == ["Friedman", "Nemenyi"]
    # Oracle of Friedman: the AUROC of every model on every task, ranked.
    z = np.array([s.mean for s in sums])
    assert report.classical[0].p_value == pytest.approx(rw.nhst.friedman(z).p_value)


def test_a_model_not_run_on_a_task_leaves_a_gap_in_auroc_too() -> None:
    data = four(50)
    gap = data[~((data["model"] == "nb") & (data["task"] == "t3"))]
    report = rw.compare(gap, metric="auroc", rope=0.02)
    assert len({c.task for c in report.comparisons}) == 5
    assert len(report.comparisons) == 5 * 6 - 3
    assert {c.n for c in report.overall if "nb" in (c.a, c.b)} == {4}
    assert any("not run on some of the 5 tasks: nb on 1 (t3)" in w for w in report.audit.warnings)
    board = report.board
    assert board is not None
    assert board.within_by_task is not None
    assert np.argwhere(np.isnan(board.within_by_task)).tolist() == [[3, 3]]
    whole = {(c.a, c.b, c.task): c for c in rw.compare(data, metric="auroc", rope=0.02).comparisons}
    for c in report.comparisons:  # the others are what they were
        assert c.verdict.better == whole[c.a, c.b, c.task].verdict.better
    assert all(0 <= m.low <= m.high <= 1 for m in report.models)


def test_a_task_of_one_class_is_left_out_and_named() -> None:
    data = four(60, 4)
    data.loc[data["task"] == "t2", "truth"] = 1
    report = rw.compare(data, metric="auroc", rope=0.02)
    assert {c.task for c in report.comparisons} == {"t0", "t1", "t3"}
    text = 'task "t2" is left out: the truth has a single class, so AUROC is not defined'
    assert text in report.audit.warnings
    assert (report.audit.paired, report.audit.left_out) == (180, 60)
    data["truth"] = np.where(data["task"] == "t1", 0, 1)
    with pytest.raises(MethodError, match='task "t0": the truth has a single class, so AUROC is not defined'):
        rw.compare(data, metric="auroc")


def test_a_model_whose_tasks_are_all_left_out_is_named() -> None:
    data = four(60, 4)
    data.loc[data["task"] == "t2", "truth"] = 1
    data = data[(data["model"] != "nb") | (data["task"] == "t2")]
    report = rw.compare(data, metric="auroc", rope=0.02)
    assert {m.name for m in report.models} == {"svm", "forest", "knn"}
    assert report.board is not None
    assert report.board.names == ("svm", "forest", "knn")
    text = 'left out, because AUROC is not defined on any of their tasks: "nb"'
    assert text in report.audit.warnings
    with pytest.raises(DataError, match="the models to be compared have no task in common"):
        rw.compare(data, metric="auroc", pairs=[("nb", "svm")])


def test_lower_is_better_on_the_leaderboard() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=80)
    said = {m: y + rng.normal(0, s, 80) for m, s in (("near", 0.3), ("far", 0.9), ("middle", 0.6))}
    report = rw.compare(pd.DataFrame({"truth": y, **said}), metric="rmse")
    assert [m.name for m in report.models] == ["near", "middle", "far"]
    assert report.models[0].p_best == 1.0
    assert all(0 < m.low < m.mean < m.high for m in report.models)
    assert report.board is not None
    assert report.board.rope.source == "0.1 sd of the difference of two models"


def test_a_pair_over_tasks_is_the_same_on_every_board(monkeypatch: pytest.MonkeyPatch) -> None:
    # Single tasks are shown for up to 2 pairs here; the method and the numbers stay.
    monkeypatch.setattr("ropewalk.analysis.chosen_pairs._MOST_SHOWN", 2)
    rng = np.random.default_rng(0)
    frames = []
    for t in range(3):
        y = rng.integers(0, 2, 40)
        said = {f"m{k}": np.round(y * 0.1 * k + rng.normal(size=40), 3) for k in range(3)}
        frames.append(pd.DataFrame({"task": f"t{t}", "id": range(40), "truth": y, **said}))
    data = pd.concat(frames)
    three, two = (rw.compare(d, metric="auroc", rope=0.02) for d in (data, data.drop(columns="m2")))
    assert (len(three.comparisons), len(three.overall), len(two.comparisons)) == (0, 3, 3)
    c, d = three.overall[0], two.overall[0]
    assert (c.method, c.n, c.rope) == (d.method, 3, d.rope)
    assert c.method == "hierarchical_t"
    # The bootstrap draws its weights for all models of a task at once, so the two agree to its error.
    assert c.verdict.better == pytest.approx(d.verdict.better, abs=0.02)
    assert any("3 pairs on 3 tasks: compared only over all tasks" in n for n in three.audit.notes)


def test_a_leaderboard_of_a_set_metric_in_every_form() -> None:
    data = four(40, 2)
    report = rw.compare(data[~((data["model"] == "nb") & (data["task"] == "t1"))], metric="auroc")
    one = rw.compare(four(40, 1), metric="auroc")
    for r in (report, one):
        for form in (r.to_text, r.to_markdown, r.to_latex, r.to_html, r.to_json):
            said = form()
            assert "forest" in said
            assert not re.search(r"(?i)\bnan\b", said)
    assert "the same weights for all models" in one.methods_text()
    assert "rubin1981" in one.to_bibtex()
