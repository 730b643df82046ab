"""Classical tests: arrays or sums in, a statistic and a p-value out. One test, one file, one function."""

from ropewalk.nhst.adjust import adjust
from ropewalk.nhst.corrected_t import corrected_t
from ropewalk.nhst.five_by_two_f import five_by_two_f
from ropewalk.nhst.five_by_two_t import five_by_two_t
from ropewalk.nhst.friedman import FriedmanResult, friedman
from ropewalk.nhst.mcnemar import mcnemar
from ropewalk.nhst.nemenyi import NemenyiResult, nemenyi
from ropewalk.nhst.paired_t import paired_t
from ropewalk.nhst.result import TestResult, TTestResult
from ropewalk.nhst.sign import SignResult, sign
from ropewalk.nhst.wilcoxon import WilcoxonResult, wilcoxon

__all__ = [
    "FriedmanResult",
    "NemenyiResult",
    "SignResult",
    "TTestResult",
    "TestResult",
    "WilcoxonResult",
    "adjust",
    "corrected_t",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "mcnemar",
    "nemenyi",
    "paired_t",
    "sign",
    "wilcoxon",
]
