"""One correlation for all tasks, or one for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ropewalk.bayes.correlations import correlations
from ropewalk.errors import OptionError


def test_one_for_all_or_one_for_each() -> None:
    np.testing.assert_array_equal(correlations(0.1, 3), [0.1, 0.1, 0.1])
    np.testing.assert_array_equal(correlations([0.0, 0.1, 0.2], 3), [0.0, 0.1, 0.2])


@pytest.mark.parametrize(("rho", "said"), [([0.1, 0.2], "2 values for 3"), (1.0, "1.0"), (-0.1, "-0.1")])
def test_what_is_no_correlation(rho: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        correlations(rho, 3)
