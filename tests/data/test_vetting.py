"""What a comparison says before its result a gate refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.data import Audit
from ropewalk.data.vetting import vetted, vetted_for_gate
from ropewalk.errors import DataError, OptionError


def scores(n: int = 97, **options: object) -> rw.Scores:
    rng = np.random.default_rng(0)
    base = rng.normal(5, 1, n)
    found = rw.read({"a": base, "b": base + rng.normal(0, 0.1, n)}, **options)
    assert isinstance(found, rw.Scores)
    return found


def test_of_data_without_doubts_nothing_is_said() -> None:
    data = scores(higher_is_better=True)
    assert vetted(data, None).audit == data.audit
    assert vetted_for_gate(data, None) is data


def test_ten_scores_may_be_those_of_folds() -> None:
    data = scores(10, higher_is_better=True)
    assert "10 scores per model without ids" in vetted(data, None).audit.cautions[0]
    assert vetted(data, None, 0.1).audit.cautions == ()
    with pytest.raises(OptionError, match="10 scores"):
        vetted_for_gate(data, None)
    assert vetted_for_gate(data, None, 0.1) is data


def test_a_gate_needs_a_direction() -> None:
    with pytest.raises(OptionError, match="not clear whether a higher score is better"):
        vetted_for_gate(scores(), None)


def test_doubts_are_cautions_or_errors() -> None:
    data = scores(higher_is_better=True)
    data = replace(data, audit=Audit(paired=97, doubts=("these may be copies",)))
    assert vetted(data, None).audit.cautions == ("these may be copies",)
    with pytest.raises(DataError, match="these may be copies"):
        vetted_for_gate(data, None)
