"""The chance that more data decide: the decision rule applied to futures from the posterior predictive."""

from ropewalk.assurance.curve import Curve, Growth, assurance, rounded
from ropewalk.assurance.more_answers import Answers
from ropewalk.assurance.more_units import Normal
from ropewalk.assurance.rope_edges import Edges
from ropewalk.decide.rule import Rule

__all__ = ["Answers", "Curve", "Edges", "Growth", "Normal", "Rule", "assurance", "rounded"]
