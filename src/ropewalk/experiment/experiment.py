"""The result of an experiment: every fit, the scores that can be compared, the missing cells."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ropewalk.compare import AnswerOptions, compare
from ropewalk.data import Predictions, Scores
from ropewalk.data.arrays import Floats
from ropewalk.errors import OptionError, did_you_mean, listed, short
from ropewalk.experiment.kept import read_outputs
from ropewalk.experiment.manifest import OLDER
from ropewalk.experiment.missing import Missing, without_score
from ropewalk.experiment.score_table import paired_scores, seed_scores, variations
from ropewalk.experiment.splits import SplitPlan
from ropewalk.experiment.store import load
from ropewalk.experiment.work import Fit
from ropewalk.metrics import Metric, metric_for
from ropewalk.options import with_options_of, with_suggestions
from ropewalk.variation import Variation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.decide import SeedSummary
    from ropewalk.results import Report


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Experiment:
    """Fits of an experiment, and the comparisons that they allow.

    `cross_validate` makes it; `load` reads one that was stored.

    Parameters
    ----------
    plan : SplitPlan
        How the data sets were split.
    metrics : tuple of str
        Metrics that were measured.
    models : tuple of str
        Names of the algorithms.
    tasks : tuple of str
        Names of the data sets.
    classes : dict
        Classes of each data set; None where numbers are predicted.
    fits : sequence of Fit
        Every fit that was made.
    folder : Path, optional
        Where the results are stored.
    notes : tuple of str, default ()
        Notes for the reader.

    See Also
    --------
    ropewalk.experiment.cross_validate : Runs an experiment.

    Examples
    --------
    >>> import ropewalk as rw
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> models = {"bayes": GaussianNB(), "guess": DummyClassifier()}
    >>> exp = rw.experiment.cross_validate(models, {"wine": load_wine(return_X_y=True)}, design="1x5cv")
    >>> exp
    <ropewalk experiment: 2 algorithms, 1 data sets, 10 of 10 fits>
    >>> exp.scores().models, exp.missing()
    (('bayes', 'guess'), [])
    """

    plan: SplitPlan
    metrics: tuple[str, ...]
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    classes: Mapping[str, tuple[str, ...] | None]
    fits: Sequence[Fit]
    folder: Path | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Experiment:
        """Read an experiment from the folder of its results; it may still be running.

        Parameters
        ----------
        folder : path
            The folder that was given as `store`.

        Returns
        -------
        Experiment
            The experiment, with the fits that are finished.

        Raises
        ------
        DataError
            If the folder does not hold an experiment.
        """
        manifest, found = load(Path(folder))
        tasks = manifest["datasets"]
        known = {
            (model, made["digest"], task, data["digest"])
            for model, made in manifest["algorithms"].items()
            for task, data in tasks.items()
        }
        return cls(
            plan=SplitPlan.parse(manifest["design"], stratified=manifest["stratified"]),
            metrics=tuple(manifest["metrics"]),
            models=tuple(manifest["algorithms"]),
            tasks=tuple(tasks),
            classes={t: None if d.get("classes") is None else tuple(d["classes"]) for t, d in tasks.items()},
            fits=[f for f in found.fits.values() if (f.model, f.model_hash, f.task, f.data_hash) in known],
            folder=Path(folder),
            notes=(
                *(["recorded by an earlier version of ropewalk"] if manifest["schema"] in OLDER else []),
                *(f"damaged, and left out: {what}" for what in found.damage),
            ),
        )

    def __repr__(self) -> str:
        return (
            f"<ropewalk experiment: {len(self.models)} algorithms, {len(self.tasks)} data sets, "
            f"{len(self.fits):,} of {len(self.models) * len(self.tasks) * self.plan.count:,} fits>"
        )

    @with_suggestions
    @with_options_of(compare, AnswerOptions)
    def compare(self, *, metric: str | None = None, **options: Unpack[AnswerOptions]) -> Report:
        """Compare every pair of algorithms on each data set and over all of them.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.

        Returns
        -------
        Report
            What `ropewalk.compare` returns; with seeds, or several sources of variation, described.

        Raises
        ------
        OptionError
            If the metric was not measured, or an option does not fit.
        DataError
            If no data set has scores of two algorithms.

        Notes
        -----
        The correlation between folds comes from the design: 1/k for k-fold cross-validation,
        n_test/(n_test + n_train) for random splits (Nadeau & Bengio 2003), none for seeds.
        """
        report = compare(self.scores(metric), **options)
        if self.plan.kind in ("seeds", "sets") and not report.seeds:
            report = replace(report, seeds=self.seeds(metric))
        if self.plan.kind == "sources" and not self.missing(metric):
            report = replace(report, variation=self.variation(metric))
        return report

    def scores(self, metric: str | None = None) -> Scores:
        """One metric of every fit, paired by split.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.

        Returns
        -------
        Scores
            A split on which an algorithm has no score is left out for all. An algorithm without any score on
            a data set counts as not run there; one without any score at all is left out.

        Raises
        ------
        OptionError
            If the metric was not measured.
        DataError
            If no data set has scores of two algorithms.
        """
        name, chosen = self._metric(metric)
        return paired_scores(self, name, chosen)

    def variation(self, metric: str | None = None) -> dict[tuple[str, str], Variation]:
        """How the variance divides among splits, seeds and draws, for each data set and algorithm.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.

        Returns
        -------
        dict
            Keys are (data set, algorithm). Results of a metric of which lower is better change their sign, so
            that the worst run is the lowest in any case.

        Raises
        ------
        OptionError
            If the design varies only one source.
        """
        if self.plan.kind != "sources":
            raise OptionError(
                "the design varies only one source",
                hint='Several sources of variation need a design such as "5x4x3sources".',
            )
        name, chosen = self._metric(metric)
        return variations(self, name, chosen)

    def missing(self, metric: str | None = None) -> list[Missing]:
        """Cells without a score, and why: the fit failed, or has not been run.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.

        Returns
        -------
        list of Missing
            Empty where everything is there.
        """
        name, _ = self._metric(metric)
        return without_score(self, name)

    def seeds(self, metric: str | None = None) -> dict[str, SeedSummary]:
        """Describe each algorithm over its seeds; over several data sets the score of a seed is its mean.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.

        Returns
        -------
        dict of SeedSummary
            By algorithm: number of seeds, mean, standard deviation, worst and best.

        Raises
        ------
        OptionError
            If the design has no seeds of its own.
        """
        from ropewalk.decide import seed_summary

        _, chosen = self._metric(metric)
        scores = self.seed_scores(metric)
        return {
            model: seed_summary(values, higher_is_better=chosen.higher_is_better)
            for model, values in scores.items()
            if len(values) > 1
        }

    def seed_scores(self, metric: str | None = None) -> dict[str, Floats]:
        """Score of every seed of each algorithm: a mean over the data sets that all of them ran on.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.

        Returns
        -------
        dict of ndarray
            By algorithm.

        Raises
        ------
        OptionError
            If the design has no seeds of its own.
        """
        if self.plan.kind not in ("seeds", "sets"):
            raise OptionError(
                "the design does not vary the seed: every split has a different training set",
                hint='A report over seeds needs design="10seeds".',
            )
        name, _ = self._metric(metric)
        return seed_scores(self, name)

    def plot_seeds(self, metric: str | None = None, *, style: str = "screen") -> Figure:
        """Draw every seed of every algorithm as a point: the whole distribution, never only the best.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were measured. By default the first.
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.
        """
        from ropewalk.plot.training_runs import seeds

        _, chosen = self._metric(metric)
        return seeds(
            self.seed_scores(metric),
            metric=chosen.name,
            higher_is_better=chosen.higher_is_better,
            style=style,
        )

    def predictions(
        self, task: str | None = None, *, repeat: int = 0, kind: str | None = None
    ) -> Predictions:
        """Predictions of each algorithm for the test rows of a repeat, example by example.

        Parameters
        ----------
        task : str, optional
            The data set, if there is more than one.
        repeat : int, default 0
            Number of the repeat; does not matter for seeds, of which every run is there.
        kind : {"labels", "probabilities", "scores"}, optional
            What to take. By default the one that says most and that every algorithm has.

        Returns
        -------
        Predictions
            Of cross-validation every row was predicted once, by a fit that had not seen it.

        Raises
        ------
        OptionError
            If the predictions were not kept, or there is no such data set.
        """
        from ropewalk.experiment.outputs import predictions

        return predictions(self, self._task(task), repeat, kind)

    def outputs(self, fit: Fit) -> dict[str, Any]:
        """Arrays that a fit left: `rows`, `truth`, and what the algorithm predicted for them.

        Parameters
        ----------
        fit : Fit
            One of the fits.

        Returns
        -------
        dict of ndarray
            By name.

        Raises
        ------
        OptionError
            If the predictions were not kept.
        """
        if fit.outputs:
            return fit.outputs
        if self.folder is None:
            raise OptionError("the predictions were not kept", hint="Run it with keep_predictions=True.")
        return read_outputs(self.folder, fit)

    def _metric(self, metric: str | None) -> tuple[str, Metric]:
        """Return the metric's name in the results, and the metric."""
        wanted = metric_for(self.metrics[0] if metric is None else metric)
        for name in self.metrics:
            if metric_for(name).name == wanted.name:
                return name, wanted
        raise OptionError(
            f'"{short(metric)}" was not measured',
            hint=did_you_mean(str(metric), self.metrics)
            + "\nIf predictions were kept, any metric can be computed: "
            "compare(exp.predictions(), metric=...).",
        )

    def _task(self, task: str | None) -> str:
        if task is None:
            if len(self.tasks) == 1:
                return self.tasks[0]
            raise OptionError(
                f"there are {len(self.tasks)} data sets and none was named",
                hint=f"Name one of {listed(self.tasks)}.",
            )
        if task not in self.tasks:
            raise OptionError(f'there is no data set "{short(task)}"', hint=did_you_mean(task, self.tasks))
        return task
