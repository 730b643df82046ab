"""Names of metrics, and which way is better."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.data.metric_names import DOWN, UP


@pytest.mark.parametrize(
    ("name", "higher"),
    [
        ("false_positive_rate", False),
        ("meanReciprocalRank", True),
        ("rank_correlation", True),
        ("error_reduction", True),
        ("time_saved", True),
        ("tokens_per_second", True),
        ("errors_per_second", False),
        ("cost_per_request", False),
        ("toxicity_f1", True),
        ("accuracy_loss", False),
        ("not_toxic", True),
        ("negative_predictive_value", True),
        ("recall@fpr", True),
        ("p95_latency_ms", False),
        ("F1Score", True),
        ("words_per_minute", True),
        ("accuracy_toxicity", None),
        ("attack_success_rate", None),
        ("real_time_factor", None),
        ("tokens", None),
        ("rating", None),
        ("coverage", None),
    ],
)
def test_names_by_word(name: str, higher: bool | None) -> None:
    assert rw.data.direction(name) is higher


def test_the_table_is_large_and_does_not_contradict_itself() -> None:
    assert len(UP) + len(DOWN) >= 120
    assert not UP & DOWN
    assert all(rw.data.direction(w) is True for w in UP)
    assert all(rw.data.direction(w) is False for w in DOWN)
