"""Learning algorithms on data sets: train, measure, record; the same splits for all."""

from ropewalk.experiment.cross_validate import cross_validate
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.experiment import Experiment
from ropewalk.experiment.missing import Missing
from ropewalk.experiment.splits import SplitPlan
from ropewalk.experiment.work import Fit
from ropewalk.variation import Variation

__all__ = ["Dataset", "Experiment", "Fit", "Missing", "SplitPlan", "Variation", "cross_validate"]


def __dir__() -> list[str]:
    return sorted(__all__)
