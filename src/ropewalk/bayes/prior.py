"""Checks that the Bayesian methods share."""

from __future__ import annotations

import numpy as np

from ropewalk.errors import OptionError


def positive(**parameters: float) -> None:
    """Check that prior parameters are positive numbers."""
    for name, value in parameters.items():
        if not (np.isfinite(value) and value > 0):
            raise OptionError(f"the prior {name} is {value}", hint="Give a positive number, such as 1.0.")


def check_draws(draws: int) -> None:
    """Check that the number of draws is positive."""
    if draws < 1:
        raise OptionError(f"draws is {draws}", hint="Give the number of draws, such as 10_000.")
