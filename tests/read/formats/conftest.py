"""Logs of two models."""

from __future__ import annotations

import pytest

from tests.read.formats.inspect_logs import Log, log


@pytest.fixture
def logs() -> dict[str, Log]:
    return {m: log(m) for m in ("good", "poor")}
