"""The data model: scores, predictions and counts, what a unit is, and what happened on the way in."""

from ropewalk.data.audit import Audit, Dropped, Input
from ropewalk.data.counts import Counts, TaskCounts
from ropewalk.data.design import Design
from ropewalk.data.known_direction import Way
from ropewalk.data.losses import LOSSES
from ropewalk.data.metrics import SEVERAL, bounded, direction, is_rank
from ropewalk.data.predictions import Predictions
from ropewalk.data.runs import Run, RunScores
from ropewalk.data.scores import Scores
from ropewalk.data.summed import Summed, Tally, TaskClusters, TaskSums
from ropewalk.data.task_scores import TaskScores
from ropewalk.grouped import ClusterSums, CrossedSums

__all__ = [
    "LOSSES",
    "SEVERAL",
    "Audit",
    "ClusterSums",
    "Counts",
    "CrossedSums",
    "Design",
    "Dropped",
    "Input",
    "Predictions",
    "Run",
    "RunScores",
    "Scores",
    "Summed",
    "Tally",
    "TaskClusters",
    "TaskCounts",
    "TaskScores",
    "TaskSums",
    "Way",
    "bounded",
    "direction",
    "is_rank",
]


def __dir__() -> list[str]:
    return sorted(__all__)
