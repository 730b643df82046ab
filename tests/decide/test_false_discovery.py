"""Oracle: all subsets of the claims, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.decide.false_discovery import false_discovery
from ropewalk.errors import CellError, DataError, OptionError

# Sixty-fourths have no rounding: the oracle and the function see the same numbers.
SHARES = st.integers(0, 64).map(lambda i: i / 64)
FAMILIES = st.lists(SHARES, max_size=8)


@given(FAMILIES, SHARES)
def test_no_larger_set_of_claims_would_do(errors, q):
    exact = [Fraction(e) for e in errors]
    fitting = [
        subset
        for size in range(1, len(errors) + 1)
        for subset in combinations(range(len(errors)), size)
        if sum(exact[i] for i in subset) <= Fraction(q) * size
    ]
    most = max((len(s) for s in fitting), default=0)
    found = false_discovery(errors, q=q)
    assert len(found.claims) == most
    assert found.claims == () or found.claims in fitting
    # Of all the sets of this size it is the surest.
    lowest = min((sum(exact[i] for i in s) for s in fitting if len(s) == most), default=Fraction(0))
    assert Fraction(found.rate) * most == pytest.approx(float(lowest), abs=1e-12)


@given(FAMILIES, SHARES, SHARES)
def test_more_are_claimed_where_more_may_be_false(errors, q, other):
    low, high = sorted([q, other])
    assert set(false_discovery(errors, q=low).claims) <= set(false_discovery(errors, q=high).claims)


@given(FAMILIES, SHARES)
def test_each_claim_with_an_error_up_to_q_is_made_and_the_rate_is_kept(errors, q):
    found = false_discovery(errors, q=q)
    assert {i for i, e in enumerate(errors) if e <= q} <= set(found.claims)
    assert found.rate <= q
    assert found.rate == pytest.approx(np.mean([errors[i] for i in found.claims]) if found.claims else 0.0)


@given(st.lists(SHARES, max_size=8, unique=True), SHARES, st.randoms(use_true_random=False))
def test_the_order_of_different_claims_does_not_matter(errors, q, random):
    shuffled = random.sample(errors, len(errors))
    one, other = false_discovery(errors, q=q), false_discovery(shuffled, q=q)
    assert {errors[i] for i in one.claims} == {shuffled[i] for i in other.claims}


def test_of_equal_errors_the_first_given_come_first():
    assert false_discovery([0.0, 0.08, 0.08], q=0.05).claims == (0, 1)


@pytest.mark.parametrize("n", [3, 7, 1_000])
def test_errors_of_just_q_are_claimed_whatever_their_sum_is_rounded_to(n):
    assert len(false_discovery([0.05] * n, q=0.05).claims) == n


def test_no_claims():
    assert false_discovery([]).claims == ()
    none = false_discovery([0.2, 0.06])
    assert (none.claims, none.rate, none.q) == ((), 0.0, 0.05)


@pytest.mark.parametrize("bad", [float("nan"), -0.01, 1.01])
def test_what_is_no_probability(bad):
    with pytest.raises(CellError, match=rf"1 of 2 errors are not probabilities\s+position 1: {bad}"):
        false_discovery([0.1, bad])


def test_what_is_no_list_of_numbers():
    with pytest.raises(DataError, match="the errors are not numbers"):
        false_discovery(["a"])
    with pytest.raises(DataError, match="the errors have 2 dimensions, 1 was expected"):
        false_discovery([[0.1, 0.2]])
    with pytest.raises(DataError, match="the errors have 0 dimensions, 1 was expected"):
        false_discovery(0.1)


@pytest.mark.parametrize("q", [-0.1, 1.1, float("nan")])
def test_q_is_a_share(q):
    with pytest.raises(OptionError, match=f"q is {q}"):
        false_discovery([0.1], q=q)


def test_of_equal_errors_the_first_given_are_claimed() -> None:
    errors = np.full(60, 0.2)
    errors[::3] = 0.0  # 20 of them carry 6 of the others to a mean of 0.05: 6 · 0.2/(20 + 6) <= 0.05
    claims = false_discovery(errors).claims
    others = [i for i in range(60) if i % 3]
    assert claims == tuple(sorted([*range(0, 60, 3), *others[:6]]))
