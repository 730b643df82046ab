"""Bayesian tests: arrays or sums in, a posterior out. One test, one file, one function."""

from ropewalk.bayes.accuracy_difference import accuracy_difference
from ropewalk.bayes.mcnemar import mcnemar
from ropewalk.bayes.risk import risk
from ropewalk.bayes.robust_t import robust_t
from ropewalk.bayes.sign import sign
from ropewalk.bayes.signed_rank import signed_rank
from ropewalk.bayes.signed_rank_range import signed_rank_range
from ropewalk.bayes.t import t

__all__ = [
    "accuracy_difference",
    "mcnemar",
    "risk",
    "robust_t",
    "sign",
    "signed_rank",
    "signed_rank_range",
    "t",
]
