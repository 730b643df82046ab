"""Metrics of a corpus that are functions of sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ropewalk.metrics import (
    METRICS,
    bleu_statistics,
)


def words(*segments: str) -> list[list[str]]:
    return [segment.split() for segment in segments]


def test_bleu_by_hand() -> None:
    """Papineni et al. 2002, example 2: "the" seven times has a modified unigram precision of 2/7."""
    the = bleu_statistics([["the"] * 7], words("the cat is on the mat"))
    assert the[0, 0] == 2
    assert the[0, 4] == 7
    hyp = words("the cat sat on the mat", "a dog barks at me")
    ref = words("the cat sat on a mat", "a dog barks at me again")
    # matches 5+5, 3+4, 2+3, 1+2 of 11, 9, 7, 5 n-grams; 11 words against 12
    expected = math.exp(1 - 12 / 11) * (10 / 11 * 7 / 9 * 5 / 7 * 3 / 5) ** 0.25
    assert METRICS["bleu"].value(None, bleu_statistics(hyp, ref)) == pytest.approx(expected, abs=1e-15)
    assert METRICS["bleu"].value(None, bleu_statistics(ref, ref)) == 1.0
    assert METRICS["bleu"].value(None, the) == 0.0  # no match of two words: no smoothing


def test_weights_of_segments_are_copies() -> None:
    rng = np.random.default_rng(1)
    totals = rng.integers(5, 30, (20, 1)) - np.arange(4)
    statistics = np.hstack([rng.integers(1, totals + 1), totals, totals[:, :1], totals[:, :1] + 1])
    copies = rng.integers(0, 4, 20)
    again = METRICS["bleu"].value(None, np.repeat(statistics, copies, axis=0))
    assert METRICS["bleu"].value(None, statistics, weights=copies) == pytest.approx(again, abs=1e-14)


def test_rouge_is_f1_of_the_corpus() -> None:
    """3 + 1 matches, 4 + 5 units against 6 + 5: 8/20."""
    assert METRICS["rouge"].value(None, [[3, 4, 6], [1, 5, 5]]) == 8 / 20
