"""Examples that are nearly all alike: a few that are not must not make the answer certain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.decide import in_scores
from ropewalk.methods.unvaried import needed_alike
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


def jittered(n: int, sd: float, seed: int = 0) -> Comparison:
    rng = np.random.default_rng(seed)
    b = rng.uniform(0.3, 0.9, n)
    data = {"a": b + sd * rng.normal(size=n), "b": b}
    return rw.compare(data, rope=0.02, higher_is_better=True).comparisons[0]


@pytest.mark.parametrize("n", [2, 5, 20, 300])
def test_scores_that_are_equal_but_for_a_little_are_worth_as_much_as_equal_ones(n: int) -> None:
    # n equal scores: 1 - 0.98^(n + 3). The t-test said 1.000 from two examples on.
    for sd in (1e-15, 1e-9, 1e-5, 1e-3):
        assert jittered(n, sd).verdict.equivalent == pytest.approx(1 - 0.98 ** (n + 3), abs=2e-3)


def test_what_is_said_of_scores_that_differ_by_a_little() -> None:
    c = jittered(20, 1e-3)
    (check,) = [c for c in c.checks if c.kind == "no variation"]
    assert check.text.startswith("all 20 examples have a difference of ")
    assert "give or take 0.005. Fewer than 30 others say little" in check.text
    rng = np.random.default_rng(1)
    a = ALIKE - 1e-3 * rng.uniform(size=N)
    a[:3] -= 0.5
    c = rw.compare({"a": a, "b": ALIKE}, rope=0.02, higher_is_better=True).comparisons[0]
    (check,) = [c for c in c.checks if c.kind == "no variation"]
    assert check.text.startswith("197 of 200 examples have a difference of -0.000")
    assert check.numbers["varied"] == 3
    assert c.estimate.mean == pytest.approx((a - ALIKE).mean(), abs=2e-3)


def test_the_little_that_they_differ_by_counts_where_there_are_many() -> None:
    """Oracle: the t-test, whose mean and width are right where the ends of the range hardly count."""
    rng = np.random.default_rng(2)
    d = rng.uniform(-0.0045, 0.0047, 200_000)
    c = rw.compare({"a": 0.5 + d, "b": np.full(d.size, 0.5)}, rope=1e-3, higher_is_better=True).comparisons[0]
    assert isinstance(c.posterior, FewVaried)
    assert c.estimate.mean == pytest.approx(d.mean(), abs=1e-6)
    ends = np.sqrt(2 / d.size**2 + d.var() / d.size)
    assert c.posterior.sd == pytest.approx(ends, rel=0.02)


def test_half_a_point_is_the_limit() -> None:
    # In fractions, in percent, and in seconds, which have no range: there only rounding is taken off.
    d = np.tile([-1.0, 1.0, 0.0], 20)
    for metric, at, sizes in (
        ("f1", 0.5, (0.0049, 0.0051)),
        ("f1", 50, (0.49, 0.51)),
        ("s", 50, (1e-6, 1e-3)),
    ):
        for size, kind in zip(sizes, (FewVaried, Student), strict=True):
            table = pd.DataFrame({"id": range(60), "a": at + size * d, "b": at})
            long = table.melt("id", var_name="model", value_name=metric)
            (c,) = rw.compare(long, score=metric, higher_is_better=True).comparisons
            assert isinstance(c.posterior, kind)


@pytest.mark.parametrize("unit", ["seed", "fold", "task"])
def test_rounding_is_no_variation_of_seeds_folds_and_tasks(unit: str) -> None:
    rng = np.random.default_rng(3)
    b = rng.uniform(0.7, 0.9, 5)
    tables = [
        pd.DataFrame({unit: [f"{unit}{i}" for i in range(5)], "model": name, "accuracy": x})
        for name, x in (("a", b + 1e-10 * rng.normal(size=5)), ("b", b))
    ]
    report = rw.compare(pd.concat(tables), rope=0.01, score="accuracy")
    (c,) = report.overall or report.comparisons
    assert isinstance(c.posterior, Unvaried)
    assert c.verdict.name == "undecided"


def test_rounding_is_no_variation_over_tasks() -> None:
    rng = np.random.default_rng(4)
    tables = []
    for task in range(20):
        b = rng.uniform(0.3, 0.9, 20)
        a = b + 1e-10 * rng.normal(size=20)
        tables.append(pd.DataFrame({"task": f"t{task}", "id": range(20), "a": a, "b": b}))
    table = pd.concat(tables).melt(["task", "id"], var_name="model", value_name="score")
    (c,) = rw.compare(table, score="score", rope=0.02, higher_is_better=True).overall
    assert isinstance(c.posterior, Unvaried)
    assert c.verdict.equivalent == pytest.approx(1 - 0.98**23, abs=1e-6)


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


def test_how_many_equal_scores_are_needed() -> None:
    # Oracle: the posterior of so many equal scores, counted up.
    def equal(n: int) -> Unvaried:
        return Unvaried(at=0.0, low=-1.0, high=1.0, n=n)

    for r in (0.01, 0.05, 0.5):
        inside = [float(equal(n).cdf(r) - equal(n).cdf(-r)) for n in range(2, 400)]
        first = 2 + int(np.argmax(np.array(inside) >= 0.95))
        edge = in_scores(-r, r, "given")
        needed = needed_alike(equal(1), edge, 0.95)
        assert needed == (first if inside[0] < 0.95 else 2)
        assert needed_alike(equal(400), edge, 0.95) is None
    # A threshold that ten of them reach exactly.
    assert needed_alike(equal(2), in_scores(-0.1, 0.1, "given"), 1 - 0.9**13) == 10
    for low, high in ((-0.1, 0.2), (-1.0, 1.0), (0.0, 0.0)):
        assert needed_alike(equal(2), in_scores(low, high, "given"), 0.95) is None
    inside = Unvaried(at=0.005, low=-1.0, high=1.0, n=2)
    assert needed_alike(inside, in_scores(-0.01, 0.01, "given"), 0.95) is None
    assert needed_alike(equal(2), in_scores(-0.01, 0.01, "given"), None) is None


@pytest.mark.parametrize("at", [0.1, -0.1, 0.03])
def test_how_many_constant_differences_are_needed(at: float) -> None:
    # Oracle: the posterior of so many constant differences, counted up.
    edge = in_scores(-0.01, 0.01, "given")
    many = [Unvaried(at=at, low=-1.0, high=1.0, n=n) for n in range(1, 200)]
    beyond = [float(one.sf(0.01) if at > 0 else one.cdf(-0.01)) for one in many]
    first = 1 + int(np.argmax(np.array(beyond) >= 0.95))
    assert needed_alike(many[0], edge, 0.95) == first > 20
    assert needed_alike(many[first], edge, 0.95) is None
