"""A claim in words."""

from __future__ import annotations

import ropewalk as rw


def test_the_text_of_one_claim() -> None:
    text = rw.claim({"ours": "0.86", "theirs": "0.85"}, 1000).to_text()
    for part in (
        "Claim: ours (accuracy 0.86) is better than theirs (0.85), n = 1,000",
        "Verdict: undecided. The probability that ours is better is 0.721 to 1.000",
        "The claim holds if both are right on at least 0.8370 of the examples.",
        "Smallest test set on which the claim would hold for every possible agreement:",
    ):
        assert part in text
