"""Examples that are nearly all alike: a few that are not must not make the answer certain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.methods.varied import sensitivity
from ropewalk.posterior import FewVaried, Student, Unvaried
from ropewalk.results import Comparison, Report

N = 200
ALIKE = np.where(np.arange(N) % 2, 1.0, 0.7)


def with_losses(k: int, size: float = 0.7) -> np.ndarray:
    scores = ALIKE.copy()
    scores[:k] -= size
    return scores


def compared(k: int, **options: object) -> Comparison:
    return rw.compare(
        {"a": with_losses(k), "b": ALIKE}, rope=0.02, higher_is_better=True, **options
    ).comparisons[0]  # type: ignore[arg-type]


def test_one_loss_does_not_make_equivalence_certain() -> None:
    # 200 equal scores are worth 1 - 0.98^203 = 0.983. With one loss among them the t-test said 1.000.
    equal, one = compared(0), compared(1)
    assert isinstance(equal.posterior, Unvaried)
    assert isinstance(one.posterior, FewVaried)
    assert equal.verdict.equivalent == pytest.approx(0.983, abs=5e-4)
    assert 0.9 < one.verdict.equivalent < equal.verdict.equivalent
    (check,) = [c for c in one.checks if c.kind == "no variation"]
    assert not check.ok
    assert check.text.startswith("1 of 200 examples differ from the rest, whose difference is 0.")
    assert check.numbers == {"reach": 1.0, "varied": 1.0}


def test_with_more_that_vary_it_is_the_t_test() -> None:
    assert isinstance(compared(20).posterior, FewVaried)  # one in ten
    assert isinstance(compared(21).posterior, Student)
    for losses, kind in ((29, FewVaried), (30, Student)):
        a = np.zeros(400)
        a[:losses] = 0.5
        assert isinstance(rw.compare({"a": a, "b": np.zeros(400)}).comparisons[0].posterior, kind)


def test_the_answer_is_mirrored_and_the_same_on_a_leaderboard() -> None:
    data = {"a": with_losses(2), "b": ALIKE, "c": with_losses(5, 0.3)}
    board = rw.compare(data, rope=0.02, higher_is_better=True)
    (pair,) = [c for c in board.comparisons if (c.a, c.b) == ("a", "b")]
    alone = compared(2).verdict
    turned = rw.compare({"b": ALIKE, "a": with_losses(2)}, rope=0.02, higher_is_better=True).comparisons[0]
    for other in (pair.verdict, turned.verdict):
        assert other.equivalent == pytest.approx(alone.equivalent, abs=1e-9)
    assert turned.verdict.better == pytest.approx(alone.worse, abs=1e-9)
    i, j = (board.board.names.index(m) for m in ("a", "b"))  # type: ignore[union-attr]
    assert board.board.equivalent[i, j] == pytest.approx(alone.equivalent, abs=1e-9)  # type: ignore[union-attr]


def test_every_output_and_a_plan() -> None:
    report: Report = rw.compare({"a": with_losses(3), "b": ALIKE}, rope=0.02, higher_is_better=True)
    for text in (
        report.to_text(),
        report.to_markdown(),
        report.to_html(),
        report.to_latex(),
        report.to_json(),
    ):
        assert "examples differ from the rest" in text or "tabular" in text
    assert "at each end of the range" in report.methods_text()
    (note,) = sensitivity(report.comparisons[0]).notes
    assert note.about == "prior"
    assert "few units vary" in note.text
    plan = rw.plan({"a": with_losses(3), "b": ALIKE}, rope=0.02, more=[2000], higher_is_better=True)
    (decided,) = plan.pairs[0].directions[0].curve.decided
    assert 0.5 < decided <= 1


def test_a_prior_of_the_advantage_goes_with_it() -> None:
    flat, sceptical = compared(3).verdict, compared(3, prior_sd=0.005).verdict
    assert sceptical.equivalent > flat.equivalent


@pytest.mark.parametrize("name", ["f1", "score", "quux"])
@pytest.mark.parametrize("losses", [0, 1, 4])
@pytest.mark.few(3)
def test_the_answer_is_the_same_where_the_data_lie(name: str, losses: int, tmp_path: Path) -> None:
    # The range of the scores is known from their sums. The differences are counted, in narrow bins.
    paths = []
    for model, scores in (("a", with_losses(losses)), ("b", ALIKE)):
        paths.append(tmp_path / f"{model}.csv")
        rows = "".join(f"{i},{x:g}\n" for i, x in enumerate(scores))
        paths[-1].write_text(f"id,{name}\n{rows}")
    memory, place = (rw.compare(paths, rope=0.02, in_place=p, higher_is_better=True) for p in (False, True))
    one, other = memory.comparisons[0], place.comparisons[0]
    assert type(one.posterior) is type(other.posterior)
    assert one.verdict.equivalent == pytest.approx(other.verdict.equivalent, abs=1e-3)
    assert one.verdict.better == pytest.approx(other.verdict.better, abs=1e-3)
