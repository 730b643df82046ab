"""Numbers and texts as the page carries them."""

from __future__ import annotations

import math


class Strings:
    """Every text once."""

    def __init__(self) -> None:
        self.all: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.all.setdefault(text, len(self.all))


def number(x: float) -> float | None:
    """Six digits; None for what is not a number.

    >>> number(0.123456789), number(float("nan"))
    (0.123457, None)
    """
    return float(f"{x:.6g}") if math.isfinite(x) else None
