"""From a posterior and a ROPE to three probabilities, a verdict and an effect size."""

from ropewalk.decide.dependence import (
    ClusterSummary,
    SeriesSummary,
    cluster_means,
    cluster_summary,
    series_summary,
)
from ropewalk.decide.effect import Effect, cohens_d, cohens_g, cohens_h
from ropewalk.decide.false_discovery import FalseDiscovery, false_discovery
from ropewalk.decide.flips import Flips, flips, scaled
from ropewalk.decide.resolve import SHARE, PhiScale, ScoreScale, WinScale, resolve_rope
from ropewalk.decide.rope import Rope, RopeLike, RopeRequest, in_scores, on_advantage, on_phi, share_of_sd
from ropewalk.decide.rule import UNDECIDED, Rule
from ropewalk.decide.run_summary import SeedSummary, seed_summary
from ropewalk.decide.sensitivity import (
    AtPrior,
    AtRope,
    AtThreshold,
    Note,
    Sensitivity,
    at_thresholds,
    decided_up_to,
)
from ropewalk.decide.verdict import TWENTY_TO_ONE, Verdict, by_loss, by_threshold, probabilities

__all__ = [
    "SHARE",
    "TWENTY_TO_ONE",
    "UNDECIDED",
    "AtPrior",
    "AtRope",
    "AtThreshold",
    "ClusterSummary",
    "Effect",
    "FalseDiscovery",
    "Flips",
    "Note",
    "PhiScale",
    "Rope",
    "RopeLike",
    "RopeRequest",
    "Rule",
    "ScoreScale",
    "SeedSummary",
    "Sensitivity",
    "SeriesSummary",
    "Verdict",
    "WinScale",
    "at_thresholds",
    "by_loss",
    "by_threshold",
    "cluster_means",
    "cluster_summary",
    "cohens_d",
    "cohens_g",
    "cohens_h",
    "decided_up_to",
    "false_discovery",
    "flips",
    "in_scores",
    "on_advantage",
    "on_phi",
    "probabilities",
    "resolve_rope",
    "scaled",
    "seed_summary",
    "series_summary",
    "share_of_sd",
]


def __dir__() -> list[str]:
    return sorted(__all__)
