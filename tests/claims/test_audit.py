"""Audits of published claims."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

import ropewalk as rw
from ropewalk import bayes
from ropewalk.claims.margins import Margins
from ropewalk.errors import CellError, DataError, OptionError
from tests.claims.published import only


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
    ("arguments", "options", "error", "message"),
    [
        (({"A": 0.86},  1000), {}, DataError, "1 accuracies are given"),
        (({"A": 1.2, "B": 0.5}, 1000), {}, CellError, "A: the accuracy is 1.2"),
        (({"A": "86", "B": 0.5}, 1000), {}, CellError, "A: the accuracy is 86"),
        (({"A": "0.863", "B": 0.5}, 50), {}, CellError, "no number of right answers out of 50"),
        (({"A": 0.86, "B": 0.5}, 0), {}, CellError, "A: n is 0"),
        (({"A": 0.86, "B": 0.5}, {"A": 100}), {}, DataError, "n is missing for some models"),
        (({"A": 0.86, "B": 0.85}, 1000), {"both_right": 0.9}, OptionError, "--both-right 0.9 is impossible"),
        (({"A": 0.86, "B": 0.85}, 1000), {"agreement": 0.5}, OptionError, "--agreement 0.5 is impossible"),
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
