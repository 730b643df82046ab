"""Several training runs of each model on the same examples: each run is paired like a model of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ropewalk.data.arrays import coded
from ropewalk.data.runs import Run
from ropewalk.errors import DataError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.keys import combined


def split_runs(blocks: Sequence[Block]) -> tuple[list[Block], dict[str, Run]]:
    """Split blocks by training run, and map runs to models; unchanged if no example recurs with a new seed.

    Pairing then uses the example alone, so the seeds of two models may have different names.
    """
    if not all({"unit", "seed"} <= set(b.keys) for b in blocks if b.columns):
        return list(blocks), {}
    if not any(_comes_back(b) for b in blocks if b.columns):
        return list(blocks), {}
    parts: list[Block] = []
    runs: dict[str, Run] = {}
    for block in blocks:
        keys = {role: column for role, column in block.keys.items() if role != "seed"}
        if not block.columns:  # a block with the truth alone
            parts.append(replace(block, keys=keys))
            continue
        codes, seeds = coded(block.key("seed"))
        for code, seed in enumerate(seeds):
            names = {m: f"{m} (seed {seed})" for m in block.columns}
            runs |= {name: Run(model=m, seed=seed) for m, name in names.items()}
            parts.append(
                replace(
                    block,
                    rows=block.rows[codes == code],
                    label=f"{block.label} (seed {seed})",
                    columns={names[m]: columns for m, columns in block.columns.items()},
                    keys=keys,
                )
            )
    models = list(dict.fromkeys(run.model for run in runs.values()))
    if len(models) < 2:
        raise DataError(
            f"there is only one model: {listed(map(short, models))}",
            hint="A comparison needs at least two models.",
        )
    return parts, runs


def one_run_each(blocks: Sequence[Block], runs: Mapping[str, Run]) -> list[str]:
    """Note that a column of seeds has one seed per model, so that the answer is about these runs only."""
    having = [b for b in blocks if b.columns and {"unit", "seed"} <= set(b.keys)]
    if runs or not having or any(len(set(b.key("seed"))) > 1 for b in having):
        return []
    return [
        "one training run of each model: the answer is about the models as they were trained this time; it "
        "does not show how much another seed would change"
    ]


def _comes_back(block: Block) -> bool:
    """Whether an example has several rows that differ by their seed."""
    codes = {role: coded(block.key(role))[0] for role in ("task", "unit", "seed") if role in block.keys}
    without = [c for role, c in codes.items() if role != "seed"]
    examples, rows = (len(combined(c)[1]) for c in (without, list(codes.values())))
    return examples < rows == len(block.rows)
