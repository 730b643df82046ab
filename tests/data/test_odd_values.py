"""What may turn the answer round is an error at a gate."""

from __future__ import annotations

import pytest

from ropewalk.data.odd_values import refuse_doubts
from ropewalk.errors import DataError


def test_a_gate_refuses_what_a_comparison_warns_of() -> None:
    refuse_doubts([])
    with pytest.raises(DataError, match="A gate does not guess") as caught:
        refuse_doubts(["the sign is unclear", "a score is above one"])
    assert caught.value.what == "the sign is unclear"
    assert list(caught.value.where) == ["a score is above one"]
