"""Audits of published accuracies: which claimed orderings hold for every possible agreement."""

from ropewalk.claims.audit import claim
from ropewalk.claims.results import Bound, Claim, Claims, Published

__all__ = ["Bound", "Claim", "Claims", "Published", "claim"]


def __dir__() -> list[str]:
    return sorted(__all__)
