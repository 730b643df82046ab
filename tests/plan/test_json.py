"""A plan as a document for scripts."""

from __future__ import annotations

import json

import pytest

from tests.plan.pilots_of_plans import outcomes, plan


def test_the_same_seed_is_the_same_document() -> None:
    a, b = (plan(outcomes(), rope=0.01, rng=3).to_json() for _ in range(2))
    assert a == b
    content = json.loads(a)
    assert content["schema"] == "ropewalk-plan/1"
    (pair,) = content["pairs"]
    row = pair["directions"][0]["curve"][0]
    assert row["decided"] == pytest.approx(row["better"] + row["equivalent"] + row["worse"])
    assert content["provenance"]["seed"] == 3
    other = plan(outcomes(), rope=0.01, rng=4).to_json()
    assert other != a
