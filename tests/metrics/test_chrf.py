"""BLEU and chrF against sacrebleu."""

from __future__ import annotations

import pytest

from ropewalk.metrics import chrf_statistics, metric_for
from tests.metrics.references import FIGURES, MADE


def test_as_sacrebleu() -> None:
    statistics = chrf_statistics(*MADE.texts())
    assert metric_for("chrf").value(None, statistics) == pytest.approx(FIGURES["chrf"], abs=1e-12)
    assert metric_for("chrf").value(None, chrf_statistics(["ab", ""], ["cd", "x"])) == 0.0
