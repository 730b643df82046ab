"""Adjusted p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.nhst import adjust

METHODS = ["bonferroni", "holm", "benjamini-hochberg"]
FAMILIES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_bonferroni_multiplies():
    # A peer divides.
    assert adjust([0.01, 0.04, 0.5], method="bonferroni").tolist() == [0.03, 0.12, 1.0]


def test_holm_by_hand():
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04; the last is raised to 0.06.
    assert adjust([0.04, 0.005, 0.03, 0.01]) == pytest.approx([0.06, 0.02, 0.06, 0.03], rel=1e-14)


def test_benjamini_hochberg_on_their_own_example():
    # Benjamini & Hochberg 1995, sec. 3.2: of these 15 p-values the four smallest are claims at 5 %, while
    # Bonferroni claims three.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]
    assert np.sum(adjust(p, method="benjamini-hochberg") <= 0.05) == 4
    assert np.sum(adjust(p, method="bonferroni") <= 0.05) == 3


@given(FAMILIES)
def test_benjamini_hochberg_against_scipy(p):
    assert adjust(p, method="benjamini-hochberg") == pytest.approx(false_discovery_control(p), rel=1e-12)


@given(FAMILIES, st.floats(0.001, 0.999))
def test_holm_makes_the_claims_of_the_step_down_procedure(p, level):
    # Holm 1979: from the smallest on, claim while p_(i)·(m - i + 1) <= level; stop at the first that is not.
    claimed, left = set(), sorted(range(len(p)), key=lambda i: p[i])
    for steps, i in enumerate(left):
        if (len(p) - steps) * p[i] > level:
            break
        claimed.add(i)
    assert set(np.flatnonzero(adjust(p) <= level)) == claimed


@pytest.mark.parametrize("method", METHODS)
@given(p=FAMILIES)
def test_never_below_p_never_above_one_and_in_the_same_order(method, p):
    raised = adjust(p, method=method)
    assert np.all(raised >= np.array(p) * (1 - 1e-15))
    assert np.all(raised <= 1)
    order = np.argsort(p, kind="stable")
    assert np.all(np.diff(raised[order]) >= 0)


@given(FAMILIES)
def test_holm_is_never_weaker_than_bonferroni(p):
    assert np.all(adjust(p, method="holm") <= adjust(p, method="bonferroni"))


@pytest.mark.parametrize("method", METHODS)
def test_families_of_one_and_none(method):
    assert adjust([0.03], method=method).tolist() == [0.03]
    assert adjust([], method=method).tolist() == []


@pytest.mark.parametrize("method", METHODS)
def test_the_input_is_not_changed(method):
    p = np.array([0.5, 0.01])
    adjust(p, method=method)
    assert p.tolist() == [0.5, 0.01]


@pytest.mark.parametrize("bad", [float("nan"), -0.01, 1.01, float("inf")])
def test_what_is_no_probability(bad):
    with pytest.raises(CellError, match=rf"1 of 3 p-values are not in \[0, 1\]\s+position 1: {bad}"):
        adjust([0.1, bad, 0.2])


def test_what_is_no_list_of_numbers():
    with pytest.raises(DataError, match="the p-values are not numbers"):
        adjust(["a"])
    with pytest.raises(DataError, match="the p-values have 2 dimensions, 1 was expected"):
        adjust([[0.1, 0.2]])


def test_unknown_method():
    with pytest.raises(OptionError, match='method is "bonferoni"\n\n  Did you mean "bonferroni"'):
        adjust([0.1], method="bonferoni")
    with pytest.raises(OptionError, match='Known: "bonferroni", "holm", "benjamini-hochberg"'):
        adjust([0.1], method="xyz")
