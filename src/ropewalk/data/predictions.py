"""Predictions: the truth, and each model's outputs on the same units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings, strings
from ropewalk.data.audit import Audit
from ropewalk.data.binned import Binned
from ropewalk.data.held_out import Rows
from ropewalk.data.losses import Costs, Kind
from ropewalk.data.prediction_checks import check, not_run
from ropewalk.data.runs import Run
from ropewalk.data.scores import Scores
from ropewalk.errors import OptionError, did_you_mean, short


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """The truth, and what each model predicted.

    Parameters
    ----------
    models : tuple of str
        Names of the models.
    units : ndarray of str
        Id of each example.
    truth : ndarray
        True labels (strings) or numbers.
    outputs : dict
        For each model labels, numbers, decision scores (higher for the positive class of two), or
        probabilities as a matrix examples x classes. A model that was not run on a task has None (labels) or
        NaN throughout on it, and nowhere else; at least two models have every task.
    kind : {"labels", "numbers", "scores", "probabilities"}
        What the outputs are.
    classes : tuple of str, default ()
        The labels; of two the second one is the positive class.
    clusters : ndarray of str, optional
        What each example belongs to, such as a patient.
    tasks : ndarray of str, optional
        Task of each example.
    split : ndarray of str, optional
        What each row is for, such as "calibration" or "test".
    runs : dict, optional
        Which run of which model each entry of `models` is, if these are training runs.
    counts : ndarray of int, optional
        Number of examples with the truth and the outputs of each row, if examples were counted instead of
        read.
    binned : dict, optional
        Scores of models whose outputs here are bins.
    audit : Audit
        What happened while the data were read.

    See Also
    --------
    ropewalk.read : Reads predictions from files and frames.

    Examples
    --------
    >>> import numpy as np
    >>> import ropewalk as rw
    >>> said = {"svm": np.array(["cat", "cat", "cat"], object),
    ...         "tree": np.array(["cat", "dog", "dog"], object)}
    >>> p = rw.Predictions(models=("svm", "tree"), units=np.array(["1", "2", "3"], object),
    ...                    truth=np.array(["cat", "dog", "cat"], object), outputs=said, kind="labels",
    ...                    classes=("cat", "dog"), audit=rw.Audit(paired=3))
    >>> p.scores().counts("svm", "tree")
    (0, 1, 1, 1)
    """

    models: tuple[str, ...]
    units: Strings
    truth: Strings | Floats
    outputs: dict[str, Strings | Floats]
    kind: Kind
    classes: tuple[str, ...] = ()
    clusters: Strings | None = None
    tasks: Strings | None = None
    split: Strings | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    counts: Ints | None = None
    binned: Mapping[str, Binned] = field(default_factory=dict)
    audit: Audit

    def __post_init__(self) -> None:
        check(self)

    def __repr__(self) -> str:
        return f"<Predictions: {self.kind} of {len(self.models):,} models, {self.examples:,} examples>"

    @property
    def has_gaps(self) -> bool:
        """Whether some model was not run on some task."""
        return any(bool(not_run(self, m).any()) for m in self.models)

    def of_model(self, model: str) -> Predictions:
        """Rows of the tasks that a model was run on.

        Parameters
        ----------
        model : str
            The model.

        Returns
        -------
        Predictions
            All models' predictions on these rows.
        """
        self._output(model)
        lacking = not_run(self, model)
        return self.subset(~lacking) if lacking.any() else self

    def scores(self, loss: str | Costs | None = None) -> Scores:
        """Score every prediction.

        Parameters
        ----------
        loss : str or dict, optional
            Name of the loss, or a table of costs {(true, predicted): cost}. By default accuracy for labels,
            the Brier score for probabilities and the squared error for numbers.

        Returns
        -------
        Scores
            One score per example and model.

        Raises
        ------
        OptionError
            If there is no such loss, or it does not suit the predictions.
        """
        from ropewalk.data.scored import scored

        self.every_row("a loss")
        return scored(self, loss)

    def labels(self, model: str) -> Strings:
        """A model's answers as labels: as they are, or the most probable class.

        A tie goes to the class that comes first, so a positive answer needs more than one half.

        Parameters
        ----------
        model : str
            The model.

        Returns
        -------
        ndarray of str
            One label per example.

        Raises
        ------
        OptionError
            If the predictions are numbers or decision scores.
        """
        output = self._output(model)
        if self.kind == "probabilities":
            return np.asarray(strings(self.classes)[np.argmax(output, axis=1)])
        if self.kind in ("numbers", "scores"):
            raise OptionError(f"the predictions are {self.kind} and have no labels")
        return np.asarray(output, dtype=object)

    def positive_score(self, model: str) -> Floats:
        """Probability of the positive class of two, or its decision score: what AUROC ranks by.

        Parameters
        ----------
        model : str
            The model.

        Returns
        -------
        ndarray
            One number per example.

        Raises
        ------
        OptionError
            If there are not two classes, or the predictions are labels.
        """
        output = self._output(model)
        if self.kind == "scores":
            return output.astype(np.float64)
        if self.kind == "probabilities" and len(self.classes) == 2:
            return np.asarray(output[:, 1], dtype=np.float64)
        raise OptionError(
            f"the predictions are {self.kind}, without a score of one positive class of two",
            hint="Give probabilities or decision scores of two classes.",
        )

    def calibrated(
        self,
        method: str = "platt",
        *,
        rows: Rows = None,
        folds: int = 5,
        rng: int | np.random.Generator = 0,
    ) -> Predictions:
        """Turn scores into probabilities by curves that are fitted to other rows, for each model and task.

        Parameters
        ----------
        method : {"platt", "isotonic"}, default "platt"
            Curve to fit.
        rows : mask, str or Predictions, optional
            Rows to fit on: a mask, a value of `split`, or other predictions of the same models. The answer
            has the rows that are left. By default each of `folds` parts is calibrated by a fit to the others.
        folds : int, default 5
            Number of parts; a cluster is never in two of them.
        rng : int or numpy.random.Generator, default 0
            Random seed for the parts.

        Returns
        -------
        Predictions
            Probabilities.

        Raises
        ------
        OptionError
            If there is no such method, or the predictions are not scores or probabilities.

        Notes
        -----
        The curve is fitted to the log-odds, or to the decision score. With more than two classes, each class
        is fitted against the rest, and the probabilities are divided by their sum.

        Examples
        --------
        >>> import numpy as np
        >>> import ropewalk as rw
        >>> svm = np.array([-2.0, 1.5, -1.0, 0.2, 0.1, 3.0, -0.5, 2.0, -1.2, 0.8])
        >>> p = rw.Predictions(models=("svm", "tree"), units=np.array([str(i) for i in range(10)], object),
        ...                    truth=np.array(list("0101010101"), object), kind="scores", classes=("0", "1"),
        ...                    outputs={"svm": svm, "tree": np.sign(svm)}, audit=rw.Audit(paired=10))
        >>> p.calibrated("platt").audit.notes
        ('probabilities: Platt scaling, 5-fold cross-fitted',)
        """
        from ropewalk.data.calibrate import calibrated

        self.every_row("a calibration")
        return calibrated(self, method, rows, folds, rng)

    def at_threshold(
        self,
        *,
        fpr: float | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        rows: Rows = None,
        folds: int = 5,
        rng: int | np.random.Generator = 0,
    ) -> Predictions:
        """Turn scores into labels: the positive class above a threshold that is chosen on other rows.

        Parameters
        ----------
        fpr : float, optional
            False-positive rate on the other rows.
        cost_fp, cost_fn : float, optional
            Costs of the two kinds of error, which the threshold then minimizes on the other rows.
        rows : mask, str or Predictions, optional
            Rows to choose on, as for `calibrated`.
        folds : int, default 5
            Number of parts where there are no `rows`.
        rng : int or numpy.random.Generator, default 0
            Random seed for the parts.

        Returns
        -------
        Predictions
            Labels.

        Raises
        ------
        OptionError
            If neither `fpr` nor both costs are given, or the predictions have no scores of two classes.

        Notes
        -----
        Each model and task has its own threshold. Do not use it on probabilities that `calibrated`
        cross-fitted: the calibration of the rows on which the threshold is chosen has seen the rows that are
        tested.
        """
        from ropewalk.data.threshold import at_threshold

        self.every_row("a threshold")
        return at_threshold(self, fpr, cost_fp, cost_fn, rows, folds, rng)

    def every_row(self, what: str) -> None:
        """Refuse what needs individual examples if only counts are available.

        Parameters
        ----------
        what : str
            What needs them.

        Raises
        ------
        OptionError
            If the examples were counted in place.
        """
        if self.counts is not None:
            raise OptionError(
                f"{what} needs every example, but these data were aggregated in place",
                hint="Read the rows into memory: in_place=False (--in-memory).",
            )

    @property
    def examples(self) -> int:
        """Number of examples."""
        return len(self.units) if self.counts is None else int(self.counts.sum())

    def _output(self, model: str) -> Strings | Floats:
        if model not in self.outputs:
            raise OptionError(f'there is no model "{short(model)}"', hint=did_you_mean(model, self.models))
        return self.outputs[model]

    @property
    def truth_codes(self) -> Ints:
        """Place of each true label in `classes`."""
        return self.codes(self.truth)

    def label_codes(self, model: str) -> Ints:
        """Place of each of a model's answers in `classes`.

        Parameters
        ----------
        model : str
            The model.

        Returns
        -------
        ndarray of int
            One place per example.
        """
        return self.codes(self.labels(model))

    def codes(self, labels: Strings | Floats) -> Ints:
        """Place of each label in `classes`.

        Parameters
        ----------
        labels : ndarray
            Labels.

        Returns
        -------
        ndarray of int
            One place per label.
        """
        place = {c: i for i, c in enumerate(self.classes)}
        return np.fromiter((place[t] for t in labels), dtype=np.intp, count=len(labels))

    def subset(self, rows: Ints | NDArray[np.bool_]) -> Predictions:
        """Predictions of some rows; the audit stays that of all.

        Parameters
        ----------
        rows : ndarray of int or bool
            The rows.

        Returns
        -------
        Predictions
            Their predictions.
        """
        from ropewalk.data.prediction_parts import subset

        return subset(self, rows)

    def by_task(self) -> list[Predictions]:
        """Predictions of each task on its own, with the models that were run on it.

        Returns
        -------
        list of Predictions
            One for each task.
        """
        from ropewalk.data.prediction_parts import by_task

        return by_task(self)

    @property
    def has_numeric_labels(self) -> bool:
        """Whether the predictions are labels that are all numbers, such as ratings."""
        if self.kind != "labels":
            return False
        try:
            return all(np.isfinite(float(c)) for c in self.classes)
        except ValueError:
            return False
