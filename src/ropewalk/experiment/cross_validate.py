"""Algorithms and data sets -> Experiment."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from ropewalk.errors import MissingExtraError, OptionError, RopewalkWarning, listed, short
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import dataset
from ropewalk.experiment.experiment import Experiment
from ropewalk.experiment.run import run
from ropewalk.experiment.setup import Setup
from ropewalk.experiment.store import Store
from ropewalk.experiment.work import Calibrate, Fit
from ropewalk.options import seed_of, with_suggestions

Progress = Callable[[Iterable[Any], int], Iterable[Any]]


def _warn(message: str) -> None:
    warnings.warn(message, RopewalkWarning, stacklevel=4)


@with_suggestions
def cross_validate(
    models: Mapping[str, Any],
    datasets: Mapping[str, Any],
    *,
    design: str = "10x10cv",
    metrics: Sequence[str] = ("accuracy",),
    seed: int | np.random.Generator = 0,
    store: str | os.PathLike[str] | None = None,
    select: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
    calibrate: Calibrate = "auto",
    stratified: bool = True,
    keep_predictions: bool = False,
    timeout: float = 0.0,
    retry_failed: bool = False,
    repair: bool = False,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Experiment:
    """Train every algorithm on every data set, with the same splits for all, and measure.

    Parameters
    ----------
    models : dict
        Estimators by name: scikit-learn estimators, pipelines, or anything with fit and predict.
    datasets : dict
        Data sets by name: (X, y), (X, y, groups), what scikit-learn's loaders return, or paths of files with
        a column `target`.
    design : str, default "10x10cv"
        "10x10cv", "5x2cv", "20x0.9" (random splits), "10seeds" (one split, ten seeds), "10sets" (training
        sets that share no row) or "5x4x3sources" (splits, seeds and draws varied together).
    metrics : sequence of str, default ("accuracy",)
        Metrics to measure; `ropewalk metrics` lists them.
    seed : int or numpy.random.Generator, default 0
        Random seed of splits and algorithms.
    store : path, optional
        Folder in which each fit is recorded as it is finished: after a crash the same call resumes where it
        stopped.
    select : dict, optional
        For each algorithm, the values from which its parameters are chosen within each training set.
    calibrate : {"auto", "platt", "none"}, default "auto"
        When to add probabilities by Platt scaling within the training set: for algorithms without
        probabilities if a metric needs them ("auto"), for all ("platt"), or never ("none").
    stratified : bool, default True
        Whether every split preserves the proportions of the classes.
    keep_predictions : bool, default False
        Whether to keep the predictions.
    timeout : float, default 0.0
        Seconds after which a fit is given up; 0 for never.
    retry_failed : bool, default False
        Whether to try fits again that failed before.
    repair : bool, default False
        Whether to set aside files of the store that cannot be read. Fits whose record is damaged are made
        again in any case, with a warning.
    jobs : int, default 1
        Number of fits that run at a time; -1 for one per core.
    dask : str, optional
        Address of a Dask cluster that runs the fits.
    progress : callable, optional
        Progress bar: called with an iterable and its length, it returns the iterable.

    Returns
    -------
    Experiment
        Every fit; a fit that failed is recorded with its message.

    Raises
    ------
    OptionError
        If an option makes no sense.
    DataError
        If a data set cannot be used.
    MissingExtraError
        If scikit-learn or joblib is not installed.

    Notes
    -----
    Rows of one group stay together. The same seed gives the same splits, whatever the number of jobs.

    Examples
    --------
    >>> import ropewalk as rw
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.svm import SVC
    >>> from sklearn.datasets import load_wine
    >>> exp = rw.experiment.cross_validate({"bayes": GaussianNB(), "svm": SVC()},
    ...                                    {"wine": load_wine(return_X_y=True)}, design="2x5cv")
    >>> exp.compare(metric="accuracy", rope=0.01).comparisons[0].verdict.name
    'better'
    """
    _needs_sklearn()
    for what, given in (("models", models), ("datasets", datasets)):
        if not isinstance(given, Mapping):
            raise OptionError(
                f"{what} is a {type(given).__name__}",
                hint=f"Give a dict from names to {what}.",
            )
    unknown = [name for name in select or {} if name not in models]
    if unknown:
        raise OptionError(
            f"select names {listed(unknown)}, which is not a model", hint=f"Known: {listed(models)}."
        )
    setup = Setup(
        algorithms=tuple(
            Algorithm(name=n, estimator=m, grid=(select or {}).get(n, {})) for n, m in models.items()
        ),
        datasets=tuple(dataset(name, value) for name, value in datasets.items()),
        design=design,
        stratified=stratified,
        metrics=(metrics,) if isinstance(metrics, str) else tuple(metrics),
        seed=seed_of(seed, "seed"),
        calibrate=calibrate,
        keep=keep_predictions,
        timeout=timeout,
    )
    return carry_out(
        setup,
        store=store,
        retry_failed=retry_failed,
        repair=repair,
        jobs=jobs,
        dask=dask,
        progress=progress,
    )


def carry_out(
    setup: Setup,
    *,
    store: str | os.PathLike[str] | None,
    retry_failed: bool = False,
    repair: bool = False,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] = _warn,
) -> Experiment:
    """Run the missing fits; `tell` is called with a description of any damage."""
    at_a_time = workers(jobs)
    if store is None:
        todo = list(setup.work())
        with closing(run(todo, jobs=at_a_time, dask=dask)) as fits:
            return _experiment(setup, list(_shown(fits, len(todo), progress)))
    everything = list(setup.work())
    with Store(store, setup.manifest(), repair=repair) as results:
        for damage in results.damage:
            tell(f"{damage}; what is missing is computed again")
        todo = [
            (data, work)
            for data, work in everything
            if (known := results.fits.get(work.identity)) is None or (retry_failed and known.error)
        ]
        with closing(run(todo, jobs=at_a_time, dask=dask)) as fits:
            for found in _shown(fits, len(todo), progress):
                results.add(found)
        # In order of the work, not of completion, so that results are reproducible.
        made = [f for _, work in everything if (f := results.fits.get(work.identity)) is not None]
    return _experiment(setup, made, results.folder)


def _experiment(setup: Setup, fits: Sequence[Fit], folder: Path | None = None) -> Experiment:
    fixed = [a.name for a in setup.algorithms if not a.is_random] if setup.plan.kind == "seeds" else []
    note = f"no random_state, so every seed gives the same result: {listed(fixed)}"
    return Experiment(
        plan=setup.plan,
        metrics=setup.metrics,
        models=tuple(a.name for a in setup.algorithms),
        tasks=tuple(d.name for d in setup.datasets),
        classes={d.name: d.classes if setup.classes else None for d in setup.datasets},
        fits=fits,
        folder=folder,
        notes=(note,) if fixed else (),
    )


def _shown(fits: Iterable[Any], total: int, progress: Progress | None) -> Iterable[Any]:
    return fits if progress is None else progress(fits, total)


def workers(jobs: int) -> int:
    """Return how many fits run at a time."""
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0 or jobs < -1:
        raise OptionError(
            f"jobs is {short(jobs)}", hint="Give the number of fits to run at a time; -1 uses all cores."
        )
    if jobs > 0:
        return jobs
    from joblib import cpu_count

    return int(cpu_count())


def _needs_sklearn() -> None:
    try:
        import joblib  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "experiments need scikit-learn and joblib", hint="pip install 'ropewalk[sklearn]'"
        ) from error
