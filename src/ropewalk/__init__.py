"""Is model A really better than model B? Paired Bayesian comparison with a region of practical equivalence.

>>> import ropewalk as rw
>>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
>>> print(report.comparisons[0].verdict.sentence)
forest is probably better than svm (0.86), but that is not enough for a verdict at 0.95.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ropewalk import errors
from ropewalk.compare import compare
from ropewalk.data import Audit, Counts, Design, Predictions, Scores, Summed, TaskScores
from ropewalk.errors import RopewalkError, RopewalkWarning
from ropewalk.plan import plan
from ropewalk.read import read
from ropewalk.sums import Sums
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk import bayes, claims, decide, experiment, metrics, nhst, plot, posterior
    from ropewalk.claims import claim
    from ropewalk.gate.judge import gate
    from ropewalk.results import Comparison, Report
    from ropewalk.understood import Understood, check

__version__ = VERSION

__all__ = [
    "Audit",
    "Comparison",
    "Counts",
    "Design",
    "Predictions",
    "Report",
    "RopewalkError",
    "RopewalkWarning",
    "Scores",
    "Summed",
    "Sums",
    "TaskScores",
    "Understood",
    "bayes",
    "check",
    "claim",
    "claims",
    "compare",
    "decide",
    "errors",
    "experiment",
    "gate",
    "metrics",
    "nhst",
    "plan",
    "plot",
    "posterior",
    "read",
]


def __getattr__(name: str) -> Any:
    """Import the modules that need SciPy or matplotlib when they are first used."""
    from importlib import import_module

    if name in ("bayes", "claims", "decide", "experiment", "gate", "metrics", "nhst", "plot", "posterior"):
        return import_module(f"ropewalk.{name}")
    if name == "claim":
        return import_module("ropewalk.claims").claim
    if name in ("Understood", "check"):
        return getattr(import_module("ropewalk.understood"), name)
    if name in ("Comparison", "Report"):
        return getattr(import_module("ropewalk.results"), name)
    raise AttributeError(f"module 'ropewalk' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
