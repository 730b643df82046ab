"""Labels in every form that they may have."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.metrics import (
    METRICS,
)
from tests.metrics.made import data


def test_labels_in_every_form() -> None:
    y, said = data("labels")
    expected = METRICS["f1"].value(y, said)
    names = np.array(["no", "yes"])
    for truth, answer in (
        (y == 1, said == 1),
        (names[y], names[said]),
        (names[y].astype(object), list(names[said])),
        (2 * y - 1, 2.0 * said - 1),
    ):
        assert METRICS["f1"].value(truth, answer) == expected
    assert METRICS["auroc"].value(names[y], said) == METRICS["auroc"].value(y, said)


def test_conventions() -> None:
    """No positive predicted: F1 = 0. One class predicted: MCC = 0. A class without weight is no class."""
    assert METRICS["f1"].value([0, 1, 1], [0, 0, 0]) == 0.0
    assert METRICS["mcc"].value([0, 1, 1], [0, 0, 0]) == 0.0
    y, said = np.array([0, 1, 2, 2, 1]), np.array([0, 1, 2, 1, 0])
    for name in ("f1_macro", "balanced_accuracy"):
        without = METRICS[name].value(y[1:], np.where(said == 0, 1, said)[1:])
        dropped = METRICS[name].value(y, np.where(said == 0, y.clip(0, 1), said), weights=[0, 1, 1, 1, 1])
        assert dropped == pytest.approx(without, abs=1e-15)
