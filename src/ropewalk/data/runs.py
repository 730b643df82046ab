"""Training runs: a model trained with one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats
from ropewalk.errors import short


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One training run of a model.

    Parameters
    ----------
    model : str
        The model.
    seed : str
        Its seed.

    Examples
    --------
    >>> from ropewalk.data import Run
    >>> Run(model="svm", seed="3").seed
    '3'
    """

    model: str
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunScores:
    """Scores of each model run by run.

    Parameters
    ----------
    seeds : tuple of tuple of str
        Seeds of each model's runs.
    values : tuple of ndarray
        For each model its scores, units x runs.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.data import RunScores
    >>> RunScores(seeds=(("1", "2"), ("1", "2")), values=(np.zeros((3, 2)), np.ones((3, 2)))).paired(0, 1)
    True
    """

    seeds: tuple[tuple[str, ...], ...]
    values: tuple[Floats, ...]

    def paired(self, a: int, b: int) -> bool:
        """Whether two models were trained with the same seeds.

        Parameters
        ----------
        a, b : int
            Numbers of the two models.

        Returns
        -------
        bool
            True where they were.
        """
        return self.seeds[a] == self.seeds[b] and len(self.seeds[a]) > 1

    def describe(self, models: Sequence[str]) -> str:
        """Number of runs of each model, in words.

        Parameters
        ----------
        models : sequence of str
            Names of the models.

        Returns
        -------
        str
            One phrase.
        """
        counts = {len(s) for s in self.seeds}
        if len(counts) == 1:
            same = ", with the same seeds" if len(set(self.seeds)) == 1 else ", with different seeds"
            return f"{counts.pop()} training runs of every model{same}"
        return "training runs: " + ", ".join(
            f"{short(m)} {len(s)}" for m, s in zip(models, self.seeds, strict=True)
        )


def models_of(runs: Mapping[str, Run]) -> tuple[str, ...]:
    """Return the models in order of their first run."""
    return tuple(dict.fromkeys(run.model for run in runs.values()))


def gathered(values: Floats, columns: tuple[str, ...], runs: Mapping[str, Run]) -> RunScores:
    """Sort the columns (runs) of `values` into their models; also return each model's seeds in order.

    A run that was not made on these units, all NaN, is left out.
    """
    made: NDArray[np.bool_] = np.any(np.isfinite(values), axis=0)
    seeds: list[tuple[str, ...]] = []
    parts: list[Floats] = []
    for model in models_of(runs):
        every = ((run.seed, columns.index(name)) for name, run in runs.items() if run.model == model)
        own = sorted((seed, k) for seed, k in every if made[k])
        seeds.append(tuple(seed for seed, _ in own))
        parts.append(np.ascontiguousarray(values[:, [k for _, k in own]]))
    return RunScores(seeds=tuple(seeds), values=tuple(parts))
