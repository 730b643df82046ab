"""Report -> one document -> text, Markdown, LaTeX, HTML, JSON. Nothing here computes a statistic."""

from ropewalk.results import Check, Comparison, Differences, Estimate, Model, Outcomes, Report

__all__ = ["Check", "Comparison", "Differences", "Estimate", "Model", "Outcomes", "Report"]
