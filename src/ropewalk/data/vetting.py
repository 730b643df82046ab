"""Checks of data that were read, the same for every command: errors, and cautions before the result."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ropewalk.data.counts import Counts
from ropewalk.data.coverage import Missing, covered, refuse_uncovered
from ropewalk.data.dependence import folds_caution, refuse_folds
from ropewalk.data.impossible_values import against_the_name, refuse_impossible
from ropewalk.data.neighbors import shifted_by_one
from ropewalk.data.odd_pairs import doubts_on_pairs, good_where_bad, shifted_ratings
from ropewalk.data.odd_predictions import (
    copied_truth,
    doubts_on_scoring,
    of_the_predicted_class,
    one_answer,
    other_scale,
)
from ropewalk.data.odd_sums import doubts_on_sums, refuse_sums
from ropewalk.data.odd_values import (
    all_the_same,
    cents_and_dollars,
    doubts_on_values,
    odd_names,
    other_ways,
    refuse_doubts,
)
from ropewalk.data.order import order_cautions, refuse_order, turned_round
from ropewalk.data.predictions import Predictions
from ropewalk.data.scale import same_scale
from ropewalk.data.scores import Scores
from ropewalk.data.summed import Summed

Data = TypeVar("Data", bound=Scores | Predictions | Counts | Summed)

_SPECIALISTS = (
    "If the models are meant to be good at different things, say so: --specialists (specialists=True)."
)


def vetted(data: Data, missing: Missing | None, rho: float | None = None, *, scored: bool = False) -> Data:
    """Return the data for a comparison, with the cautions to show before its result.

    `scored` says that the user chose how predictions are scored.
    """
    audit = covered(data.audit, missing)
    audit = audit.cautioned(*audit.doubts) if audit.doubts else audit
    if isinstance(data, Scores):
        refuse_impossible(data)
        audit = audit.cautioned(
            *same_scale(data),
            *doubts_on_values(data),
            *good_where_bad(data),
            *doubts_on_pairs(data),
            *other_ways(data),
            *against_the_name(data),
            *shifted_ratings(data),
            *odd_names(data),
            *all_the_same(data),
            *cents_and_dollars(data),
            *folds_caution(data, rho),
        )
    if isinstance(data, Summed):
        refuse_sums(data)
        audit = audit.cautioned(*doubts_on_sums(data))
    if isinstance(data, (Scores, Predictions)):
        audit = audit.cautioned(*order_cautions(data), *shifted_by_one(data))
    if isinstance(data, Predictions):
        audit = audit.cautioned(*turned_round(data), *other_scale(data))
        audit = audit.cautioned(*copied_truth(data), *one_answer(data))
        audit = audit.cautioned(*of_the_predicted_class(data))
        if not scored:
            audit = audit.cautioned(*doubts_on_scoring(data))
    return data if audit is data.audit else replace(data, audit=audit)


def vetted_for_gate(
    data: Data, missing: Missing | None, rho: float | None = None, *, specialists: bool = False
) -> Data:
    """Return the data for a gate, which refuses what a comparison only warns about.

    `specialists` says that one model is meant to be good where the other is bad.
    """
    refuse_uncovered(data.audit, missing)
    refuse_doubts(data.audit.doubts)
    if isinstance(data, Scores) and data.way is not None:
        data.way.refuse()
    if isinstance(data, Scores):
        refuse_impossible(data)
        refuse_doubts((*same_scale(data), *doubts_on_values(data)))
        if not specialists:
            refuse_doubts(good_where_bad(data), _SPECIALISTS)
        refuse_doubts((*doubts_on_pairs(data), *other_ways(data)))
        refuse_folds(data, rho)
    if isinstance(data, (Scores, Predictions)):
        refuse_order(data)
        refuse_doubts(shifted_by_one(data))
    if isinstance(data, Predictions):
        refuse_doubts((*turned_round(data), *other_scale(data)))
    return data
