"""Claims from published accuracies: printed figures, brute force over all tables, and simulation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta

import ropewalk as rw
from ropewalk import bayes
from ropewalk.claims.margins import Margins, published
from ropewalk.claims.pair_probabilities import on_different_examples
from ropewalk.errors import CellError, DataError, OptionError


def only(found: rw.claims.Claims) -> rw.claims.Claim:
    (pair,) = found.pairs
    return pair


@pytest.mark.parametrize(("both_right", "wrong"), [(0.75, 0.246), (0.80, 0.171), (0.83, 0.080)])
def test_figures_of_claims_reloaded(both_right: float, wrong: float) -> None:
    # 0.86 against 0.85 on 1,000 examples: the probability that the claimed order is wrong, computed by hand
    # from the Dirichlet of Claims Reloaded (arXiv:2505.04720): Pr(phi > 1/2), phi ~ Beta(n01 + 1, n10 + 1).
    pair = only(rw.claim({"A": "0.860", "B": "0.850"}, 1000, both_right=both_right))
    (bound,) = pair.bounds
    assert bound.probabilities.worse == pytest.approx(wrong, abs=5e-4)
    n01, n10 = 850 - 1000 * both_right, 860 - 1000 * both_right
    assert bound.probabilities.worse == pytest.approx(beta.sf(0.5, n01 + 1, n10 + 1), abs=1e-7)


def test_agreement_and_both_right_say_the_same() -> None:
    # 800 both right, 60 and 50 alone: both are wrong on 90, so they agree on 890.
    by_agreement = only(rw.claim({"A": 0.86, "B": 0.85}, 1000, agreement=0.89))
    by_both = only(rw.claim({"A": 0.86, "B": 0.85}, 1000, both_right=0.80))
    assert by_agreement.bounds == by_both.bounds
    assert by_both.bounds[0].agreement == pytest.approx(0.89)


@pytest.mark.parametrize("rope", [0.0, 0.02, (-0.05, 0.01)])
@pytest.mark.parametrize(("right_a", "right_b", "n"), [(40, 33, 50), (25, 20, 60), (50, 44, 50)])
def test_the_ends_over_every_possible_table(right_a: int, right_b: int, n: int, rope: float) -> None:
    # Oracle: the posterior of every table of outcomes with these margins.
    pair = only(rw.claim({"A": right_a / n, "B": right_b / n}, n, rope=rope))
    low, high = (-rope, rope) if isinstance(rope, float) else rope
    m = Margins(n=n, right_a=right_a, right_b=right_b)
    every = [bayes.accuracy_difference(*m.table(k)) for k in range(m.least_both, m.most_both + 1)]
    for region, p in (
        ("better", [float(x.sf(high)) for x in every]),
        ("worse", [float(x.cdf(low)) for x in every]),
    ):
        assert pair.range_of(region) == pytest.approx((min(p), max(p)), abs=2e-3)
    assert all(sum(m.table(k)) == n and min(m.table(k)) >= 0 for k in range(m.least_both, m.most_both + 1))


def test_enough_agreement_by_trying_all() -> None:
    pair = only(rw.claim({"A": "0.860", "B": "0.850"}, 1000))
    m = Margins(n=1000, right_a=860, right_b=850)
    first = next(
        k for k in range(m.least_both, 851) if float(bayes.accuracy_difference(*m.table(k)).sf(0)) >= 0.95
    )
    assert pair.enough_both_right == first / 1000
    assert (pair.holds, pair.verdict) == ("some", "undecided")


def test_the_smallest_n_makes_the_claim_hold() -> None:
    n = only(rw.claim({"A": "0.860", "B": "0.850"}, 1000)).smallest_n
    assert n is not None
    for size, holds in (
        (n - n % 100 - 200, False),
        (n + 200 - n % 100, True),
    ):  # multiples of 100: whole counts
        again = rw.claim(
            {"A": f"{round(0.86 * size) / size:.10f}", "B": f"{round(0.85 * size) / size:.10f}"}, size
        )
        assert (only(again).holds == "every") == holds
    inside = only(rw.claim({"A": "0.860", "B": "0.850"}, 1000, rope=0.02))
    assert (inside.smallest_n, inside.holds) == (None, "none")


def test_different_test_sets_against_draws() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.beta(91, 11, 10**6), rng.beta(171, 31, 10**6)
    p = on_different_examples(90, 100, 170, 200, (-0.01, 0.02))
    assert p.better == pytest.approx(np.mean(a - b > 0.02), abs=2e-3)
    assert p.worse == pytest.approx(np.mean(a - b < -0.01), abs=2e-3)
    pair = only(rw.claim({"A": 0.90, "B": 0.85}, {"A": 100, "B": 200}))
    assert not pair.same_examples
    assert [x.agreement for x in pair.bounds] == [None]
    # Independent test sets lie within the range over all agreements of one test set.
    low, high = only(rw.claim({"A": 0.90, "B": 0.85}, 200)).range_of("better")
    assert low < on_different_examples(180, 200, 170, 200, (0.0, 0.0)).better < high


def test_a_true_null_is_claimed_in_few_cases() -> None:
    # Equal models that disagree on 20%: "holds for every agreement" needs more than the paired test itself.
    rng = np.random.default_rng(4)
    table = rng.multinomial(500, [0.1, 0.1, 0.1, 0.7], size=400)
    claimed = 0
    for _, n01, n10, n11 in table:
        if n01 != n10:
            names = {"A": (n11 + n10) / 500, "B": (n11 + n01) / 500}
            claimed += only(rw.claim(names, 500)).holds == "every"
    assert claimed / 400 <= 0.05


def test_rounding_that_turns_the_answer_is_said() -> None:
    # 0.9 and 0.8 of 40 examples: 36 and 32, or anything from 34 to 38 and 30 to 34.
    found = rw.claim({"ours": "0.9", "theirs": "0.8"}, 40, both_right=0.8)
    pair = only(found)
    assert (pair.a.least_right, pair.a.most_right, pair.a.right) == (34, 38, 36)
    assert (pair.holds, pair.holds_rounded) == ("every", "some")
    text = found.to_text()
    assert "Rounding: the printed digits allow other numbers of right answers." in text
    assert "ours: 34 to 38 of 40" in text


@pytest.mark.parametrize(
    ("accuracy", "n", "right"),
    [("86.3%", 1319, (1138, 1138)), (0.86, 1000, (855, 865)), (43 / 51, 51, (43, 43))],
)
def test_counts_of_a_printed_accuracy(accuracy: object, n: int, right: tuple[int, int]) -> None:
    row = published("m", accuracy, n)
    assert (row.least_right, row.most_right) == right


def test_a_whole_table(tmp_path: Path) -> None:
    found = rw.claim({"a": "0.912", "b": "0.899", "c": "0.897", "d": "0.897"}, 10_000)
    assert [(p.a.model, p.b.model) for p in found.holding("every")] == [("a", "b"), ("a", "c"), ("a", "d")]
    assert [(p.a.model, p.b.model) for p in found.holding("some")] == [("b", "c"), ("b", "d")]
    assert found.tied == (("c", "d"),)
    text = found.to_text()
    assert "3 of 5: holds for every possible agreement" in text
    assert "Equal accuracies, no order is claimed: c and d." in text
    assert max(map(len, text.splitlines())) < 80
    document = json.loads(found.to_json())
    assert document["format"] == "ropewalk-claims/1"
    assert document["claims"][0]["smallest_n"] == found.pairs[0].smallest_n


def test_the_text_of_one_claim() -> None:
    text = rw.claim({"ours": "0.86", "theirs": "0.85"}, 1000).to_text()
    for part in (
        "Claim: ours (accuracy 0.86) is better than theirs (0.85), n = 1,000",
        "Verdict: undecided. The probability that ours is better is 0.721 to 1.000",
        "The claim holds if both are right on at least 0.8370 of the examples.",
        "Smallest test set on which the claim would hold for every possible agreement:",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (({"A": 0.86},  1000), {}, DataError, "1 accuracies are given"),
        (({"A": 1.2, "B": 0.5}, 1000), {}, CellError, "A: the accuracy is 1.2"),
        (({"A": "86", "B": 0.5}, 1000), {}, CellError, "A: the accuracy is 86"),
        (({"A": "0.863", "B": 0.5}, 50), {}, CellError, "no number of right answers out of 50"),
        (({"A": 0.86, "B": 0.5}, 0), {}, CellError, "A: n is 0"),
        (({"A": 0.86, "B": 0.5}, {"A": 100}), {}, DataError, "n is missing for some models"),
        (({"A": 0.86, "B": 0.85}, 1000), {"both_right": 0.9}, OptionError, "--both-right 0.9 does not fit"),
        (({"A": 0.86, "B": 0.85}, 1000), {"agreement": 0.5}, OptionError, "--agreement 0.5 does not fit"),
        (({"A": 0.8, "B": 0.5, "C": 0.4}, 1000), {"agreement": 0.5}, OptionError, "there are 3 models"),
        (({"A": 0.8, "B": 0.5}, 100), {"agreement": 0.5, "both_right": 0.4}, OptionError, "both agreement"),
        (({"A": 0.8, "B": 0.5}, {"A": 10, "B": 20}), {"agreement": 0.5}, OptionError, "test sets have 10"),
        (({"A": 0.86, "B": 0.85}, 1000), {"threshold": 0.3}, OptionError, "threshold is 0.3"),
        (({"A": 0.86, "B": 0.85}, 1000), {"rope": -0.1}, OptionError, "the ROPE is -0.1"),
    ],
)  # fmt: skip
def test_what_is_refused(arguments: tuple, options: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        rw.claim(*arguments, **options)
