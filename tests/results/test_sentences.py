"""The sentences of a verdict: the winner is named, and A and B can be swapped."""

from __future__ import annotations

import itertools

import pytest

from ropewalk.posterior import Probabilities
from ropewalk.results.sentences import MODELS, PAIR, PAIRS, claim, pair_sentence

SWAPPED = {"better": "worse", "worse": "better", "equivalent": "equivalent", "undecided": "undecided"}


def three(better: float, equivalent: float) -> Probabilities:
    return Probabilities(better=better, equivalent=equivalent, worse=1 - better - equivalent)


@pytest.mark.parametrize(
    ("p", "name", "said"),
    [
        (three(0.97, 0.02), "better", "a is better than b."),
        (three(0.01, 0.02), "worse", "b is better than a."),
        (three(0.01, 0.97), "equivalent", "a and b are practically equivalent."),
        (
            three(0.7, 0.2),
            "undecided",
            "a is probably better than b (0.70), but that is not enough for a verdict at 0.95.",
        ),
        (
            three(0.1, 0.2),
            "undecided",
            "b is probably better than a (0.70), but that is not enough for a verdict at 0.95.",
        ),
        (
            three(0.2, 0.7),
            "undecided",
            "a and b are probably equivalent (0.70), but that is not enough for a verdict at 0.95.",
        ),
        (
            three(0.4, 0.3),
            "undecided",
            "Undecided: the data do not show whether a or b is better, or whether they are equivalent.",
        ),
        (three(0.4, 0.3), "better", "a is better than b."),  # a loss matrix may decide so
    ],
)
def test_the_winner_is_named(p: Probabilities, name: str, said: str) -> None:
    assert pair_sentence("a", "b", p, name, 0.95) == said


def test_swapped_models_have_the_same_winner() -> None:
    for better, equivalent in itertools.product((0.05, 0.3, 0.65), (0.05, 0.3)):
        p = three(better, equivalent)
        for name in ("better", "worse", "undecided"):
            one = pair_sentence("a", "b", p, name)
            other = pair_sentence("b", "a", p.mirrored, SWAPPED[name])
            assert one == other or {"a", "b"} <= {*one.split(), *other.split()}
            assert one.split()[0] == other.split()[0]


def test_a_claim_is_part_of_a_sentence() -> None:
    assert claim("a", "b", "worse") == "b is better than a"
    assert claim("a", "b", "undecided") == "the comparison is undecided"


def test_names_with_braces_stay_names() -> None:
    assert pair_sentence("{b}", "{a}", three(0.99, 0.0), "better") == "{b} is better than {a}."


@pytest.mark.parametrize("text", [*PAIR.values(), *MODELS.values(), *PAIRS.values()])
def test_every_sentence_ends_unless_it_is_a_part(text: str) -> None:
    assert text.endswith(".") or text in (
        MODELS["or close"],
        MODELS["close to"],
        PAIRS["settled"],
        PAIR["at"],
    )
