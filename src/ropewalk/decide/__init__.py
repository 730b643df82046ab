"""Where a posterior meets a ROPE: three probabilities, a verdict, an effect size."""

from ropewalk.decide.effect import Effect, cohens_d, cohens_g
from ropewalk.decide.rope import Rope, RopeLike, RopeRequest, in_scores, on_phi, share_of_sd
from ropewalk.decide.verdict import TWENTY_TO_ONE, Verdict, by_loss, by_threshold, probabilities

__all__ = [
    "TWENTY_TO_ONE",
    "Effect",
    "Rope",
    "RopeLike",
    "RopeRequest",
    "Verdict",
    "by_loss",
    "by_threshold",
    "cohens_d",
    "cohens_g",
    "in_scores",
    "on_phi",
    "probabilities",
    "share_of_sd",
]
