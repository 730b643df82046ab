"""Run times that hit their limit, from the table to the report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ropewalk as rw
from ropewalk.analysis.censored import least_favourable
from ropewalk.bayes.intervals import Intervals, censored_differences
from ropewalk.cli import cli
from ropewalk.errors import CellError, ColumnError, DataError, MethodError, OptionError
from ropewalk.methods.bayesian_sign import SignTest
from ropewalk.posterior import RegionRanges
from ropewalk.posterior.ranges import REGIONS

LIMIT = 60.0
FAST, SLOW = np.random.default_rng(3).exponential([[45.0], [70.0]], (2, 40))


def cells(seconds: Sequence[float]) -> list[str]:
    return [">60" if s > LIMIT else f"{s:.3f}" for s in seconds]


def long(fast: Sequence[float], slow: Sequence[float]) -> pd.DataFrame:
    rows = []
    for k, both in enumerate(zip(fast, slow, strict=True)):
        for model, s in zip(("fast", "slow"), both, strict=True):
            rows.append({"model": model, "id": f"i{k}", "seconds": min(s, LIMIT), "stopped": int(s > LIMIT)})
    return pd.DataFrame(rows)


def wide(fast: Sequence[float], slow: Sequence[float]) -> pd.DataFrame:
    return pd.DataFrame({"id": [f"i{k}" for k in range(len(fast))], "fast": cells(fast), "slow": cells(slow)})


OPTIONS = {"higher_is_better": False, "rope": 2.0}


def check(c: rw.Comparison) -> dict[str, float]:
    (found,) = (k for k in c.checks if k.name == "runs that hit their limit")
    return found.numbers


def test_every_layout_gives_the_range_of_the_test() -> None:
    # Oracle: the test itself on the intervals of the simulated times.
    data = censored_differences(
        np.minimum(np.round(FAST, 3), LIMIT),
        np.minimum(np.round(SLOW, 3), LIMIT),
        censored_a=FAST > LIMIT,
        censored_b=SLOW > LIMIT,
    )
    expected = rw.bayes.censored_sign(data.low, data.high, 2.0)
    assert expected.unknown > 0
    text = long(FAST, SLOW)
    text["seconds"] = [
        ">60" if hit else f"{s:.3f}" for s, hit in zip(text.seconds, text.stopped, strict=True)
    ]
    for report in (
        rw.compare(long(FAST, SLOW), censored="stopped", **OPTIONS),
        rw.compare(wide(FAST, SLOW), **OPTIONS),
        rw.compare(text.drop(columns="stopped"), **OPTIONS),
    ):
        (c,) = report.comparisons
        assert (c.a, c.b, c.method, c.n) == ("fast", "slow", "sign", 40)
        numbers = check(c)
        for region in ("better", "equivalent", "worse"):
            low, high = expected.of(region)
            assert (numbers[f"{region}_low"], numbers[f"{region}_high"]) == pytest.approx((low, high))
        assert numbers["unknown"] == expected.unknown
        assert c.verdict.name == (expected.decided(0.95) or "undecided")
        assert "which model is ahead" in " ".join(report.to_text().split())


def test_a_verdict_only_if_the_whole_range_agrees() -> None:
    # Clear without the instances on which both were stopped; open once they are many.
    fast, slow = [1.0] * 12, [30.0] * 12
    clear = rw.compare(wide([*fast, 70.0], [*slow, 70.0]), **OPTIONS).comparisons[0]
    assert clear.verdict.name == "better"
    assert "however long the stopped runs" in clear.verdict.sentence
    open_ = rw.compare(wide([*fast, *[70.0] * 12], [*slow, *[70.0] * 12]), **OPTIONS).comparisons[0]
    assert open_.verdict.name == "undecided"
    assert check(open_)["better_high"] > 0.95
    assert open_.warnings
    turned = rw.compare(wide(slow, fast), **OPTIONS)  # nothing is stopped: the ordinary report
    assert turned.comparisons[0].verdict.name == "worse"


@pytest.mark.parametrize("method", ["sign", "signed_rank"])
@pytest.mark.few(1)
def test_every_output_is_made(method: str) -> None:
    report = rw.compare(wide(FAST, SLOW), method=method, **OPTIONS)
    (c,) = report.comparisons
    assert c.method == method
    made = (report.to_text, report.to_markdown, report.to_latex, report.to_json)
    for render in made:
        assert not re.search(r"[^a-zA-Z]nan[^a-zA-Z]", render())
    assert "hit a limit" in " ".join(report.to_html().split())
    assert c.sensitivity is not None
    assert c.plot("simplex") is not None


def test_the_completion_that_is_shown_attains_the_lower_bound() -> None:
    low = np.array([5, -np.inf, 2, -3, -np.inf, -np.inf, 0.5, 1.0, -np.inf])
    high = np.array([5, np.inf, 2, -3, 0.7, -2, np.inf, 1.0, np.inf])
    data = Intervals.of(low, high)
    ranges = rw.bayes.censored_sign(low, high, 1.0)
    for region in ("better", "equivalent", "worse"):
        shown = least_favourable(SignTest(), data, (-1.0, 1.0), region, 0).most_probable
        assert getattr(shown, region) == pytest.approx(ranges.of(region)[0], abs=1e-9)


@pytest.mark.proof
def test_a_simulated_tie_is_rarely_decided() -> None:
    # Equal solvers, every third run stopped: at most 5% of verdicts either way, and the range only widens.
    rng = np.random.default_rng(5)
    decided = 0
    for _ in range(60):
        a, b = rng.exponential(50.0, (2, 25))
        frame = wide(a, b)
        decided += (
            rw.compare(frame, higher_is_better=False, rope=0.001).comparisons[0].verdict.name != "undecided"
        )
    assert decided <= 8  # 10% of 60 at most for both sides, with two standard errors


def intervals(a: np.ndarray, b: np.ndarray) -> Intervals:
    """What is known of these times, stopped at the limit and rounded as in the tables."""
    x, y = (np.minimum(np.round(t, 3), LIMIT) for t in (a, b))
    return censored_differences(x, y, censored_a=a > LIMIT, censored_b=b > LIMIT)


def numbers_of(ranges: RegionRanges) -> dict[str, float]:
    found = {f"{region}_low": ranges.of(region)[0] for region in REGIONS}
    return found | {f"{region}_high": ranges.of(region)[1] for region in REGIONS}


def test_one_time_per_task() -> None:
    # The usual case: a task is an instance. Oracle: the same times as units of one task.
    frame = wide(FAST, SLOW).rename(columns={"id": "task"})
    report = rw.compare(frame, **OPTIONS)
    (over,), (units,) = report.overall, rw.compare(wide(FAST, SLOW), **OPTIONS).comparisons
    assert (over.unit, over.n) == ("task", 40)
    assert check(over) == pytest.approx(check(units))
    assert over.verdict.name == units.verdict.name
    assert "tasks hit a limit" in " ".join(report.to_text().split())


def test_three_models_pair_by_pair() -> None:
    # Oracle: each pair on its own, as if the third model were not there.
    other = np.random.default_rng(4).exponential(80.0, 40)
    three = wide(FAST, SLOW).assign(other=cells(other))
    report = rw.compare(three, **OPTIONS)
    times = {"fast": FAST, "slow": SLOW, "other": other}
    assert {frozenset((c.a, c.b)) for c in report.comparisons} == {
        frozenset(pair) for pair in (("fast", "slow"), ("fast", "other"), ("slow", "other"))
    }
    for c in report.comparisons:
        d = intervals(times[c.a], times[c.b])
        expected = numbers_of(rw.bayes.censored_sign(d.low, d.high, 2.0))
        assert {key: check(c)[key] for key in expected} == pytest.approx(expected)
    # Nothing ranks stopped runs against each other.
    assert report.board is None
    assert report.mean_ranks is None
    assert report.classical == []
    assert all(m.p_best is None and np.isnan(m.low) for m in report.models)
    text = " ".join(report.to_text().split())
    assert "models are compared in pairs, without a leaderboard" in text
    assert "P(best)" not in text
    for render in (report.to_markdown, report.to_latex, report.to_html, report.to_json):
        assert render()


def test_several_times_on_each_of_many_tasks() -> None:
    # Oracle: a task's mean advantage lies between the means of its bounds, by hand.
    rng = np.random.default_rng(8)
    rows, each = [], []
    for t in range(12):
        a, b = rng.exponential([[15.0], [40.0]], (2, 4))
        each.append(intervals(a, b))
        rows.append(long(a, b).assign(task=f"t{t:02d}"))
    report = rw.compare(pd.concat(rows), censored="stopped", **OPTIONS)
    (over,) = report.overall
    expected = rw.bayes.censored_sign([d.low.mean() for d in each], [d.high.mean() for d in each], 2.0)
    assert 0 < expected.unknown < 12
    assert {key: check(over)[key] for key in numbers_of(expected)} == pytest.approx(numbers_of(expected))
    assert (over.n, over.unit, over.method) == (12, "task", "sign")
    # Every task by itself has the range of its own times.
    assert [c.task for c in report.comparisons] == [f"t{t:02d}" for t in range(12)]
    for c, d in zip(report.comparisons, each, strict=True):
        own = numbers_of(rw.bayes.censored_sign(d.low, d.high, 2.0))
        assert c.method == "sign"
        assert {key: check(c)[key] for key in own} == pytest.approx(own)
    for render in (report.to_text, report.to_markdown, report.to_latex, report.to_html, report.to_json):
        assert render()


def test_a_model_that_was_not_run_on_every_task() -> None:
    frame = pd.DataFrame(
        {"task": list("abcdefgh"), "fast": ["1"] * 8, "slow": [">60", *["30"] * 7], "old": ["", *[">60"] * 7]}
    )
    report = rw.compare(frame, higher_is_better=False, rope=2.0)
    by_pair = {(c.a, c.b): c for c in report.overall}
    assert by_pair["fast", "slow"].n == 8
    assert by_pair["fast", "old"].n == 7
    assert check(by_pair["fast", "old"])["limited"] == 7
    assert by_pair["fast", "old"].verdict.name == "better"


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="t needs the value of every unit"):
        rw.compare(wide(FAST, SLOW), method="t", **OPTIONS)
    with pytest.raises(OptionError, match="a loss matrix cannot be used with values"):
        rw.compare(wide(FAST, SLOW), loss_matrix=rw.decide.TWENTY_TO_ONE, **OPTIONS)
    clusters = long(FAST, SLOW).assign(site=["p", "p", "q", "q"] * 20)
    with pytest.raises(MethodError, match="for independent units, but these units come in clusters"):
        rw.compare(clusters, censored="stopped", cluster="site", **OPTIONS)
    with pytest.raises(ColumnError, match="has no column `timeout`"):
        rw.compare(long(FAST, SLOW), censored="timeout", **OPTIONS)
    odd = long(FAST, SLOW).assign(stopped="perhaps")
    with pytest.raises(CellError, match="neither yes nor no"):
        rw.compare(odd, censored="stopped", **OPTIONS)
    scores = rw.read(long([1.0, 2.0], [3.0, 4.0]).drop(columns="stopped"), higher_is_better=False)
    with pytest.raises(DataError, match="there are no marks to read in `stopped`"):
        rw.compare(scores, censored="stopped", **OPTIONS)


def test_predictions_have_no_limits() -> None:
    frame = pd.DataFrame(
        {"id": [1, 2, 1, 2], "model": ["a", "a", "b", "b"], "label": [1, 0, 1, 0], "prediction": [1, 0, 0, 0],
         "score": ["1", "0", ">1", "0"], "stopped": [1, 0, 0, 1]}
    )  # fmt: skip
    with pytest.raises(rw.RopewalkError):
        rw.compare(frame, censored="stopped")


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    wide(FAST, SLOW).to_csv(path, index=False)
    arguments = ["compare", str(path), "--rope", "2", "--lower-is-better"]
    result = CliRunner().invoke(cli, arguments, obj="ropewalk compare", catch_exceptions=False)
    assert result.exit_code == 0
    assert "hit a limit" in " ".join(result.output.split())
    long(FAST, SLOW).to_csv(path, index=False)
    again = CliRunner().invoke(cli, [*arguments, "--censored", "stopped"], obj="x", catch_exceptions=False)
    assert "hit a limit" in " ".join(again.output.split())
