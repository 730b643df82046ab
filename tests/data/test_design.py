from __future__ import annotations

import pytest

from ropewalk.data import Design
from ropewalk.errors import OptionError


@pytest.mark.parametrize(
    ("design", "rho"),
    [
        (Design(unit="example"), 0.0),
        (Design(unit="seed"), 0.0),
        (Design(unit="task"), 0.0),
        (Design(unit="fold"), 0.0),
        (Design(unit="fold", folds=10), 0.1),
        (Design(unit="fold", folds=2, repeats=5), 0.5),
        # Nadeau & Bengio 2003: n_test / (n_test + n_train), whatever the folds say.
        (Design(unit="fold", folds=10, n_test=30, n_train=70), 0.3),
        (Design(unit="seed", n_test=1, n_train=3), 0.25),
        (Design(unit="example", n_test=1, n_train=3), 0.0),
        (Design(unit="task", n_test=1, n_train=3), 0.0),
    ],
)
def test_rho(design: Design, rho: float) -> None:
    assert design.rho == pytest.approx(rho, abs=1e-15)


def test_five_by_two() -> None:
    assert Design(unit="fold", folds=2, repeats=5).is_five_by_two
    assert not Design(unit="fold", folds=5, repeats=2).is_five_by_two


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (Design(unit="fold", folds=10, repeats=10), "10 x 10-fold cross-validation"),
        (Design(unit="fold", folds=5), "5-fold cross-validation"),
        (Design(unit="fold"), "folds"),
        (Design(unit="fold", repeats=20, n_test=10, n_train=90), "20 random splits"),
        (Design(unit="example"), "test examples"),
        (Design(unit="seed"), "runs"),
        (Design(unit="task"), "tasks"),
    ],
)
def test_describe(design: Design, words: str) -> None:
    assert design.describe() == words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "row"}, 'unit is "row"'),
        ({"unit": "fold", "folds": 1}, "folds is 1"),
        ({"unit": "fold", "folds": -2}, "folds is -2"),
        ({"unit": "fold", "repeats": 0}, "repeats is 0"),
        ({"unit": "fold", "n_test": 5}, "n_test is 5 and n_train is 0"),
        ({"unit": "fold", "n_test": -5, "n_train": -5}, "n_test is -5"),
    ],
)
def test_bad_designs(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Design(**options)  # type: ignore[arg-type]
