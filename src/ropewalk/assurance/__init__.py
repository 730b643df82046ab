"""The chance that more data decide: futures drawn from the posterior predictive, and the rule applied to
them."""

from ropewalk.assurance.curve import Curve, Growth, assurance, rounded
from ropewalk.assurance.more_answers import Answers
from ropewalk.assurance.more_units import Normal
from ropewalk.assurance.rope_edges import Edges
from ropewalk.decide.rule import Rule

__all__ = ["Answers", "Curve", "Edges", "Growth", "Normal", "Rule", "assurance", "rounded"]
