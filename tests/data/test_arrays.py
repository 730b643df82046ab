"""Text coded by its bytes has the codes that a dict gives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ropewalk.data import arrays
from ropewalk.data.arrays import coded, first_codes, strings, text_codes

N = 12_000
KINDS: dict[str, Callable[[int], str]] = {
    "short": lambda i: f"q{i}",
    "eight bytes": lambda i: f"{i:08}",
    "long": lambda i: f"{i:040x}",
    "of different lengths": lambda i: "x" * (i % 60),
    "empty": lambda i: "",
    "not ASCII": lambda i: f"é{i}",
    "a zero byte at the end": lambda i: f"{i // 2}" + "\0" * (i % 2),
    "very long": lambda i: f"{i}" * 20,
    "one long among short": lambda i: f"{i}" if i else "y" * 100_000,
}


@pytest.mark.parametrize("kind", KINDS)
def test_codes_of_text(kind: str) -> None:
    cells = strings(KINDS[kind](i) for i in np.random.default_rng(3).integers(0, N // 2, N).tolist())
    expected = first_codes(coded(cells)[0])
    found = text_codes(cells)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


@pytest.mark.parametrize("odd", [0, 2**63])
def test_texts_with_the_same_number_are_told_apart(odd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_ODD", np.uint64(odd))  # all numbers are alike, or nearly so
    cells = strings(f"q{i}" for i in range(N))
    assert np.array_equal(text_codes(cells)[0], np.arange(N))


@pytest.mark.parametrize("shift", [0, -40, 10**12])
@pytest.mark.parametrize("kind", ["the same ids", "one of the second unknown", "one twice in the first"])
def test_codes_where_the_first_are_different(kind: str, shift: int) -> None:
    # Oracle: without being told, the codes are found one by one.
    rng = np.random.default_rng(5)
    first, second = rng.permutation(500), rng.permutation(500)
    if kind == "one of the second unknown":
        second[7] = 700
    elif kind == "one twice in the first":
        first[7] = first[8]
    values = np.concatenate([first, second]) + shift
    expected, found = first_codes(values), first_codes(values, head=500)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])
    assert found[0].dtype == np.intp
