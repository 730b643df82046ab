"""The methods, one file each: when it suits, its answer, its words, other ROPEs and priors, what to add."""

from ropewalk.methods.bootstrap import Bootstrap
from ropewalk.methods.crossed import Crossed
from ropewalk.methods.effective_size import EffectiveSize
from ropewalk.methods.hierarchical_mcnemar import HierarchicalMcNemar
from ropewalk.methods.hierarchical_t import HierarchicalT
from ropewalk.methods.joint_tasks import JointTasks
from ropewalk.methods.mcnemar import McNemar
from ropewalk.methods.method import (
    Method,
    MethodText,
    Suitability,
    by_preference,
    known,
    method_of,
    register,
    unregister,
)
from ropewalk.methods.poisson_binomial import PoissonBinomial
from ropewalk.methods.robust_t import RobustT
from ropewalk.methods.sign import Sign
from ropewalk.methods.signed_rank import SignedRank
from ropewalk.methods.t import CorrelatedT, T

__all__ = [
    "Method",
    "MethodText",
    "Suitability",
    "by_preference",
    "known",
    "method_of",
    "register",
    "unregister",
]

for _method in (
    McNemar(),
    T(),
    CorrelatedT(),
    RobustT(),
    Sign(),
    SignedRank(),
    EffectiveSize(),
    Bootstrap(),
    Crossed(),
    HierarchicalT(),
    HierarchicalMcNemar(),
    PoissonBinomial(),
    JointTasks(),
):
    register(_method)
