"""The model confidence set beside arch 8, on the data that arch ships."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.nhst import model_confidence_set

arch = pytest.importorskip("arch", reason="the cross-check needs arch: pip install arch==8.0.0")

DRAWS = 10_000


def forecasts_of_the_market(window: int = 60) -> np.ndarray:
    """Squared errors, months x forecasts, of Kenneth French's market excess return from its own past."""
    from arch.data import frenchdata

    r = frenchdata.load()["Mkt-RF"].to_numpy(dtype=float)
    past = np.lib.stride_tricks.sliding_window_view(r, window)[:-1]
    target = r[window:]
    said = np.column_stack(
        [
            np.zeros(target.size),
            past.mean(axis=1),
            past[:, -12:].mean(axis=1),
            past[:, -1],
            np.median(past, axis=1),
            0.5 * past.mean(axis=1),
        ]
    )
    return (target[:, None] - said) ** 2


@pytest.mark.parametrize(("ours", "theirs"), [("range", "R"), ("max", "max")])
@pytest.mark.parametrize("block", [1, 12])
def test_french_data(ours: str, theirs: str, block: int) -> None:
    from arch.bootstrap import MCS

    losses = forecasts_of_the_market()
    mcs = MCS(losses, size=0.1, reps=DRAWS, block_size=block, method=theirs, seed=1)
    mcs.compute()
    found = model_confidence_set(losses, alpha=0.1, statistic=ours, block=block, draws=DRAWS, rng=2)
    expected = mcs.pvalues["Pvalue"].sort_index().to_numpy()
    # Two bootstraps of so many draws each: five standard errors of their difference.
    error = 5 * np.sqrt(2 * np.maximum(expected * (1 - expected), 1 / DRAWS) / DRAWS)
    assert np.all(np.abs(found.p_values - expected) <= error + 2 / DRAWS), (found.p_values, expected)
    assert sorted(found.included) == sorted(mcs.included)
