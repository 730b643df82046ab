"""Classical tests: arrays or sums in, a statistic and a p-value out. One test, one file, one function."""

from ropewalk.nhst.adjust import adjust
from ropewalk.nhst.anova import AnovaResult, AnovaRow, Components, anova
from ropewalk.nhst.betting import BettingResult, betting
from ropewalk.nhst.bootstrap import BootstrapResult, bootstrap
from ropewalk.nhst.cluster_t import cluster_t
from ropewalk.nhst.corrected_t import corrected_t
from ropewalk.nhst.delong import DelongResult, delong
from ropewalk.nhst.empirical_bernstein import EmpiricalBernsteinResult, empirical_bernstein
from ropewalk.nhst.five_by_two_f import five_by_two_f
from ropewalk.nhst.five_by_two_t import five_by_two_t
from ropewalk.nhst.friedman import FriedmanResult, friedman
from ropewalk.nhst.mcnemar import mcnemar
from ropewalk.nhst.model_confidence_set import ModelConfidenceSetResult, model_confidence_set
from ropewalk.nhst.nemenyi import NemenyiResult, nemenyi
from ropewalk.nhst.paired_t import paired_t
from ropewalk.nhst.permutation import PermutationResult, permutation
from ropewalk.nhst.permutation_metric import permutation_metric
from ropewalk.nhst.quasi_f import QuasiFResult, quasi_f
from ropewalk.nhst.rank_sum import RankSumResult, rank_sum
from ropewalk.nhst.result import TestResult, TTestResult
from ropewalk.nhst.sign import SignResult, sign
from ropewalk.nhst.wilcoxon import WilcoxonResult, wilcoxon

__all__ = [
    "AnovaResult",
    "AnovaRow",
    "BettingResult",
    "BootstrapResult",
    "Components",
    "DelongResult",
    "EmpiricalBernsteinResult",
    "FriedmanResult",
    "ModelConfidenceSetResult",
    "NemenyiResult",
    "PermutationResult",
    "QuasiFResult",
    "RankSumResult",
    "SignResult",
    "TTestResult",
    "TestResult",
    "WilcoxonResult",
    "adjust",
    "anova",
    "betting",
    "bootstrap",
    "cluster_t",
    "corrected_t",
    "delong",
    "empirical_bernstein",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "mcnemar",
    "model_confidence_set",
    "nemenyi",
    "paired_t",
    "permutation",
    "permutation_metric",
    "quasi_f",
    "rank_sum",
    "sign",
    "wilcoxon",
]


def __dir__() -> list[str]:
    return sorted(__all__)
