"""Bayesian tests: arrays or sums in, a posterior out. One test, one file, one function."""

from ropewalk.bayes.accuracy_difference import accuracy_difference
from ropewalk.bayes.bootstrap import BootstrapPosterior, bootstrap
from ropewalk.bayes.censored_sign import censored_sign
from ropewalk.bayes.censored_signed_rank import censored_signed_rank
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.bayes.crossed import Crossed, Doubling, Parts, Shares, crossed
from ropewalk.bayes.ess_t import ess_t
from ropewalk.bayes.friedman import MeanRanks, friedman
from ropewalk.bayes.hierarchical_accuracy import HierarchicalAccuracy, hierarchical_accuracy
from ropewalk.bayes.hierarchical_mcnemar import HierarchicalMcNemar, hierarchical_mcnemar
from ropewalk.bayes.hierarchical_t import HierarchicalT, hierarchical_t
from ropewalk.bayes.hierarchical_t_range import NuPriorRange, hierarchical_t_range
from ropewalk.bayes.joint import joint
from ropewalk.bayes.joint_bootstrap import JointBootstrap, joint_bootstrap
from ropewalk.bayes.joint_runs import joint_runs
from ropewalk.bayes.joint_tasks import joint_tasks
from ropewalk.bayes.mcnemar import mcnemar
from ropewalk.bayes.plackett_luce import PlackettLuce, plackett_luce
from ropewalk.bayes.poisson_binomial import (
    PoissonBinomialMatrix,
    poisson_binomial,
    poisson_binomial_matrix,
)
from ropewalk.bayes.rank_sum import rank_sum
from ropewalk.bayes.risk import risk
from ropewalk.bayes.robust_t import robust_t
from ropewalk.bayes.several_sign import SeveralSign, several_sign
from ropewalk.bayes.sign import sign
from ropewalk.bayes.signed_rank import signed_rank
from ropewalk.bayes.signed_rank_range import PriorRange, signed_rank_range
from ropewalk.bayes.t import t

__all__ = [
    "BootstrapPosterior",
    "CrossSums",
    "Crossed",
    "Doubling",
    "HierarchicalAccuracy",
    "HierarchicalMcNemar",
    "HierarchicalT",
    "JointBootstrap",
    "MeanRanks",
    "NuPriorRange",
    "Parts",
    "PlackettLuce",
    "PoissonBinomialMatrix",
    "PriorRange",
    "SeveralSign",
    "Shares",
    "accuracy_difference",
    "bootstrap",
    "censored_sign",
    "censored_signed_rank",
    "crossed",
    "ess_t",
    "friedman",
    "hierarchical_accuracy",
    "hierarchical_mcnemar",
    "hierarchical_t",
    "hierarchical_t_range",
    "joint",
    "joint_bootstrap",
    "joint_runs",
    "joint_tasks",
    "mcnemar",
    "plackett_luce",
    "poisson_binomial",
    "poisson_binomial_matrix",
    "rank_sum",
    "risk",
    "robust_t",
    "several_sign",
    "sign",
    "signed_rank",
    "signed_rank_range",
    "t",
]


def __dir__() -> list[str]:
    return sorted(__all__)
