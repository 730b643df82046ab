"""Tasks that a model explains, or not."""

from __future__ import annotations


def smallest(found: list) -> dict[str, float]:
    """The smallest p-value of each kind of check."""
    out: dict[str, float] = {}
    for k in found:
        out[k.name] = min(k.p, out.get(k.name, 1.0))
    return out
