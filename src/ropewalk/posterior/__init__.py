"""Distributions of one number, of many models' means, and of the three region probabilities."""

from ropewalk.posterior.advantage import AdvantagePosterior
from ropewalk.posterior.base import Posterior
from ropewalk.posterior.beta import Beta
from ropewalk.posterior.beta_mixture import BetaMixture
from ropewalk.posterior.difference import ProportionDifference
from ropewalk.posterior.draw_order import Order
from ropewalk.posterior.draws import Draws
from ropewalk.posterior.few_varied import FewVaried
from ropewalk.posterior.grid import Grid
from ropewalk.posterior.joint import JointPosterior
from ropewalk.posterior.mixture import Mixture
from ropewalk.posterior.point import Point
from ropewalk.posterior.ranges import RegionRanges
from ropewalk.posterior.regions import DirichletRegions, Probabilities, Regions, WeightedRegions
from ropewalk.posterior.student import Student
from ropewalk.posterior.unvaried import HardlyVaried, Unvaried

__all__ = [
    "AdvantagePosterior",
    "Beta",
    "BetaMixture",
    "DirichletRegions",
    "Draws",
    "FewVaried",
    "Grid",
    "HardlyVaried",
    "JointPosterior",
    "Mixture",
    "Order",
    "Point",
    "Posterior",
    "Probabilities",
    "ProportionDifference",
    "RegionRanges",
    "Regions",
    "Student",
    "Unvaried",
    "WeightedRegions",
]


def __dir__() -> list[str]:
    return sorted(__all__)
