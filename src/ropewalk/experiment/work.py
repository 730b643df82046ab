"""The specification of one fit, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropewalk.errors import DataError, MethodError, short
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.splits import Split

Calibrate: TypeAlias = Literal["auto", "platt", "none"]

_LONGEST = 300  # most characters of a message that are kept


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Work:
    """The specification of one fit without the rows, which are sent once and not with every fit."""

    algorithm: Algorithm
    task: str
    data: str  # hash of the data set
    split: Split
    metrics: tuple[str, ...]
    labels: NDArray[Any] | None  # classes; None if the target is a number
    calibrate: Calibrate = "auto"
    keep: bool = False
    timeout: float = 0.0

    @property
    def identity(self) -> tuple[str, ...]:
        """Return the identity of a fit."""
        s = self.split
        return identity(
            self.algorithm.name,
            self.algorithm.digest,
            self.task,
            self.data,
            s.digest,
            s.repeat,
            s.fold,
            s.seed,
        )


def identity(*parts: object) -> tuple[str, ...]:
    """Return algorithm and hash, data set and hash, the split's hash, repeat, fold and seed."""
    return tuple(map(str, parts))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Result of one fit.

    Parameters
    ----------
    model, task : str
        Algorithm and data set.
    repeat, fold : int
        The split.
    random_state : int
        Seed of the algorithm.
    split_hash, model_hash, data_hash : str
        Hashes of the rows, of the algorithm with its parameters, and of the data.
    n_train, n_test : int
        Sizes of the training set and of the test set.
    values : dict
        Value of each metric; NaN where there is none.
    fit_seconds, predict_seconds : float, default 0.0
        Run times.
    chosen : str, default ""
        Parameters that were chosen inside the training set.
    warning, error : str, default ""
        What the algorithm warned of, and why it failed.
    timed_out : bool, default False
        Whether it hit the time limit; not kept in the record.
    outputs : dict, optional
        Predictions, where they are kept.

    Examples
    --------
    >>> from ropewalk.experiment import Fit
    >>> one = Fit(model="svm", task="wine", repeat=0, fold=0, random_state=1, split_hash="a", model_hash="b",
    ...           data_hash="c", n_train=90, n_test=10, values={"accuracy": 0.9})
    >>> one.values["accuracy"]
    0.9
    """

    model: str
    task: str
    repeat: int
    fold: int
    random_state: int
    split_hash: str
    model_hash: str
    data_hash: str
    n_train: int
    n_test: int
    values: dict[str, float]
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    chosen: str = ""
    warning: str = ""
    error: str = ""
    timed_out: bool = False
    outputs: dict[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def identity(self) -> tuple[str, ...]:
        """Identity of a fit among all fits."""
        return identity(
            self.model,
            self.model_hash,
            self.task,
            self.data_hash,
            self.split_hash,
            self.repeat,
            self.fold,
            self.random_state,
        )


def record(work: Work, **found: Any) -> Fit:
    """Return the record of this fit, with its results."""
    s = work.split
    return Fit(
        model=work.algorithm.name,
        task=work.task,
        repeat=s.repeat,
        fold=s.fold,
        random_state=s.seed,
        split_hash=s.digest,
        model_hash=work.algorithm.digest,
        data_hash=work.data,
        n_train=len(s.train),
        n_test=len(s.test),
        **({"values": dict.fromkeys(work.metrics, np.nan)} | found),
    )


def message(error: BaseException) -> str:
    """Format an error in one line."""
    if isinstance(error, (DataError, MethodError)):
        return one_line(error.what)
    return one_line(f"{type(error).__name__}: {error}")


def one_line(text: str) -> str:
    """Shorten a message of another library to one line."""
    return short(" ".join(text.split()), _LONGEST)
