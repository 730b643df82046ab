"""What an analysis found: comparisons, models and the report of them, as typed values."""

from ropewalk.outcomes import Outcomes
from ropewalk.results.comparison import Check, Comparison, Differences, Estimate
from ropewalk.results.report import Model, Report

__all__ = ["Check", "Comparison", "Differences", "Estimate", "Model", "Outcomes", "Report"]
