"""The whole answer in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw


@pytest.mark.parametrize(
    ("means", "sentence"),
    [
        ([5, 0, 0], "a is the best of the 3 models or practically tied with the best (probability >0.99)."),
        ([0, 0, 0], "Undecided: the data do not show which of the 3 models is best."),
        ([5, 5, 0], "The best of the 3 models is a or b; the data do not show which."),
    ],
)
def test_headlines(means: list[float], sentence: str) -> None:
    rng = np.random.default_rng(4)
    noise = rng.normal(size=(30, 3))
    noise -= noise.mean(axis=0)
    report = rw.compare(
        {n: m + noise[:, i] for i, (n, m) in enumerate(zip("abc", means, strict=True))},
        rope=0.02,
        rho=0,
        higher_is_better=True,
    )
    assert report.to_text(width=200).split("\n")[1].strip() == sentence


def test_headline_of_several_best_models() -> None:
    """The lowest of their probabilities, which may be written ">0.99"."""
    rng = np.random.default_rng(4)
    noise = 0.001 * rng.normal(size=(30, 3))
    data = {n: m + noise[:, i] for i, (n, m) in enumerate(zip("abc", [5, 5, 0], strict=True))}
    text = rw.compare(data, rope=0.02, rho=0, higher_is_better=True).to_text(width=200)
    ending = "each the best of the 3 models or practically tied with the best (lowest probability >0.99)."
    assert text.split("\n")[1].strip().removeprefix("a and b are ").removeprefix("b and a are ") == ending


def test_headline_with_a_reference() -> None:
    rng = np.random.default_rng(4)
    data = {n: m + rng.normal(size=40) for n, m in (("base", 0), ("good", 9), ("bad", -9))}
    text = rw.compare(data, reference="base").to_text()
    assert "Better than base: 1 of 2 models; worse: 1; 2 of 2 pairs decided." in text
