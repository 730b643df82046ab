"""Rows in another order than those of the other model."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import PairingError


def two_orders(write, *, ids: bool) -> tuple[str, str]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    said = [np.where(rng.random(300) < 0.9, truth, rng.integers(0, 4, 300)) for _ in range(2)]
    order = rng.permutation(300)
    head = "id,truth,prediction" if ids else "truth,prediction"
    row = (lambda i, *x: (i, *x)) if ids else (lambda i, *x: x)
    a = write("a.csv", head, [row(i, truth[i], said[0][i]) for i in range(300)])
    b = write("b.csv", head.replace("truth,", ""), [row(i, said[1][i]) for i in order])
    return a, b


def test_files_in_different_orders(command, write) -> None:
    a, b = two_orders(write, ids=False)
    code, out, _ = command("compare", a, b, "--by-position")
    assert code == 0
    first = " ".join(out.split()[:60])
    assert first.startswith("warning: the rows were paired by position")
    assert "b agrees with the truth hardly better than chance" in first
    code, _, err = command("gate", a, b, "--by-position", "--margin", "0.01")
    assert code == 4
    assert "do not seem to match" in err


def test_the_same_ids_in_different_orders(write) -> None:
    with pytest.raises(PairingError, match="the same ids in different orders"):
        rw.compare(list(two_orders(write, ids=True)), by_position=True)


def test_scores_that_do_not_correlate(write) -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(size=200)
    a = write("a.csv", "accuracy", [(v,) for v in x])
    b = write("b.csv", "accuracy", [(v,) for v in rng.permutation(x)])
    assert "hardly correlate" in rw.compare([a, b], by_position=True).audit.cautions[0]
    c = write("c.csv", "accuracy", [(v,) for v in np.clip(x + rng.normal(0, 0.05, 200), 0, 1)])
    assert rw.compare([a, c], by_position=True).audit.cautions == ()
