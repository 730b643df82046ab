"""Seeds crossed with examples."""

from __future__ import annotations

import numpy as np

Floats = np.ndarray


def simulated(
    rng: np.random.Generator,
    seeds: int,
    examples: int,
    *,
    seed: float,
    example: float = 0.3,
    rest: float = 0.3,
) -> Floats:
    """Differences of mean zero, from the model itself; the last three are standard deviations."""
    return (
        rng.normal(0, seed, (seeds, 1))
        + rng.normal(0, example, examples)
        + rng.normal(0, rest, (seeds, examples))
    )
