"""Report -> one document -> text, Markdown, LaTeX, HTML, JSON. Nothing here computes a statistic."""

from ropewalk.report.comparison import Check, Comparison, Differences, Estimate, Outcomes
from ropewalk.report.report import Model, Report

__all__ = ["Check", "Comparison", "Differences", "Estimate", "Model", "Outcomes", "Report"]
