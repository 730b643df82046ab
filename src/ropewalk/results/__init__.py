"""Results of an analysis as typed values: comparisons, models and the report."""

from ropewalk.outcomes import Outcomes
from ropewalk.results.all_models import Leaderboard
from ropewalk.results.comparison import Check, Comparison, Correlation, Estimate
from ropewalk.results.evidence import Differences, Examples, OverTasks, WholeSet
from ropewalk.results.mean_ranks import RankedModel, RankedModels
from ropewalk.results.model import Model
from ropewalk.results.other_questions import Reading
from ropewalk.results.report import Report
from ropewalk.results.task_table import TaskTable
from ropewalk.results.together import Together

__all__ = [
    "Check",
    "Comparison",
    "Correlation",
    "Differences",
    "Estimate",
    "Examples",
    "Leaderboard",
    "Model",
    "Outcomes",
    "OverTasks",
    "RankedModel",
    "RankedModels",
    "Reading",
    "Report",
    "TaskTable",
    "Together",
    "WholeSet",
]


def __dir__() -> list[str]:
    return sorted(__all__)
