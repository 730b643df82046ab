"""Files of predictions."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def predictions(path: Path, model: str, right: float, n: int = 300, start: int = 0) -> Path:
    rng = np.random.default_rng(len(model))
    truth = np.random.default_rng(0).choice(["cat", "dog"], n)
    said = np.where(rng.random(n) < right, truth, np.where(truth == "cat", "dog", "cat"))
    file = path / f"{model}.csv"
    rows = [f"{i},{t},{s}" for i, (t, s) in enumerate(zip(truth, said, strict=True)) if i >= start]
    file.write_text("id,label,prediction\n" + "\n".join(rows) + "\n")
    return file


def names(folder: Path) -> list[str]:
    """The plots in a folder; beside them are their captions."""
    found = sorted(p.name for p in folder.iterdir())
    found.remove("captions.txt")
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in found)
    return found
