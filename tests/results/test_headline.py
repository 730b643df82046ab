"""The whole answer in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.results.formatting import listing
from ropewalk.results.headline import headline


@pytest.mark.parametrize(
    ("means", "sentence"),
    [
        ([5, 0, 0], "a is the best of the 3 models or practically tied with the best (probability >0.99)."),
        ([0, 0, 0], "Undecided: the data do not show which of the 3 models is best."),
        (
            [5, 5, 0],
            "a or b is practically the best of the 3 models (probability >0.99); the data do not show which.",
        ),
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


@pytest.mark.parametrize("rope", [0.005, 0.0])
def test_a_headline_of_several_models_says_how_sure_it_is_of_the_set(rope: float) -> None:
    """The share of the draws in which one of them is close to the best; without a ROPE, P(best) adds up."""
    rng = np.random.default_rng(1)
    data = {n: 0.1 * rng.normal(size=60) - 0.01 * i for i, n in enumerate("abcdef")}
    report = rw.compare(data, rope=rope, rho=0, higher_is_better=True)
    board = report.board
    assert board is not None
    members, draws = list(board.practically_best), board.posterior.draws
    assert 1 < len(members) < 6
    inside = draws[:, members].max(axis=1) >= draws.max(axis=1) - rope
    p = inside.mean() if rope else board.posterior.p_best[members].sum()
    names = listing([board.names[i] for i in board.order if i in members], "or")
    assert headline(report) == (
        f"{names} is {'practically ' if rope else ''}the best of the 6 models "
        f"(probability {p:.2f}); the data do not show which."
    )


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
    assert "good is better than base; bad is worse." in text
