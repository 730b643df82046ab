"""Data -> Report: what was asked, of which data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.data import Counts, Predictions, Scores, Summed
from ropewalk.data.coverage import check_missing
from ropewalk.data.dependence import repeated
from ropewalk.data.known_direction import way_of_metric
from ropewalk.data.vetting import vetted
from ropewalk.errors import (
    CellError,
    ColumnError,
    DataError,
    OptionError,
    RopewalkError,
    short,
)
from ropewalk.options import ReadOptions, explained_by, seed_of, shared_keywords, with_suggestions
from ropewalk.read import read
from ropewalk.threads import one_thread

# The methods need scipy.special, which takes longer to import than the rest of ropewalk: they are
# imported where they run, so that `import ropewalk` and `ropewalk --help` stay quick.
if TYPE_CHECKING:
    from ropewalk.data.coverage import Missing
    from ropewalk.decide import RopeLike
    from ropewalk.metrics import Metric
    from ropewalk.results import Report

    Data = Scores | Predictions | Counts | Summed

    Progress = Callable[[Iterable[Any], int], Iterable[Any]]

_READ = (Scores, Predictions, Counts, Summed)


class ChoiceOptions(TypedDict, total=False):
    """The keywords of `ropewalk.compare` about models, question and method, which other functions pass on."""

    reference: str | None
    pairs: Sequence[tuple[str, str]] | None
    question: str | None
    weights: Mapping[str, float] | Sequence[float] | str | None
    method: str
    missing: Literal["drop", "worst"] | None
    progress: Callable[[Iterable[Any], int], Iterable[Any]] | None


class AnswerOptions(ChoiceOptions, total=False):
    """The keywords of `ropewalk.compare` that a comparison of scores takes."""

    rope: RopeLike
    threshold: float
    loss_matrix: Sequence[Sequence[float]] | None
    prior_sd: float | None
    rng: int | np.random.Generator


class DataOptions(ReadOptions, ChoiceOptions, total=False):
    """The keywords of `ropewalk.compare` that `ropewalk.plan` passes on: data, models and method."""

    loss: Any
    metric: Any
    calibrate: str | None
    fpr: float | None
    cost_fp: float | None
    cost_fn: float | None
    held_out: tuple[str, str] | None
    scale: str | None
    rho: float | None
    runs: int | None
    censored: str | None


@explained_by(read, ReadOptions)
@with_suggestions
@usual_arithmetic
def compare(
    data: Any,
    *,
    reference: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    loss: Any = None,
    metric: Any = None,
    calibrate: str | None = None,
    fpr: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    held_out: tuple[str, str] | None = None,
    question: str | None = None,
    weights: Mapping[str, float] | Sequence[float] | str | None = None,
    method: str = "auto",
    rope: RopeLike = "auto",
    scale: str | None = None,
    threshold: float = 0.95,
    loss_matrix: Sequence[Sequence[float]] | None = None,
    rho: float | None = None,
    runs: int | None = None,
    missing: Missing | None = None,
    prior_sd: float | None = None,
    censored: str | None = None,
    rng: int | np.random.Generator = 0,
    progress: Progress | None = None,
    query: str | None = None,
    model: str | Sequence[str] | None = None,
    task: str | None = None,
    unit: str | None = None,
    score: str | None = None,
    truth: str | None = None,
    cluster: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    seed: str | None = None,
    split: str | None = None,
    statistics: Sequence[str] | None = None,
    higher_is_better: bool | None = None,
    by_position: bool = False,
    labels: Sequence[object] | None = None,
    positive: object | None = None,
    sheet: str | None = None,
    in_place: bool | None = None,
    dask: str | None = None,
) -> Report:
    """Compare models unit by unit and answer better, equivalent, worse or undecided for each pair.

    Parameters
    ----------
    data : path, list of paths, frame, dict, array, Scores, Predictions, Counts or Summed
        Anything that `ropewalk.read` takes or returns. Files: one per model with the columns id, prediction
        and (in at least one of them) the truth, or one table of predictions or scores; formats include CSV,
        Parquet, Excel, JSON lines and the logs of evaluation tools. A dict has a name for each model:
        {"forest": scores, "svm": scores}, or one more level for data sets, either way round:
        {data set: {model: scores}} or {model: {data set: scores}}; the report says which it took. Rows are
        paired by their ids, arrays by their order.
    reference : str, optional
        Model that every other model is compared with; it is then model B of every pair. By default every
        pair is compared.
    pairs : list of (str, str), optional
        Pairs of models to compare, A first.
    loss : str or dict, optional
        How a prediction is scored: "zero_one", "log", "brier", "squared", "absolute", or a table of costs
        {(true, predicted): cost}. By default it follows from the kind of predictions.
    metric : str, Metric or callable, optional
        Metric computed on the whole test set: a name such as "auroc", "f1", "rmse" or "ndcg@10"
        (`ropewalk metrics` lists them), a function of scikit-learn such as `roc_auc_score`, or a function
        (y_true, y_pred, weights) -> float.
    calibrate : {"platt", "isotonic"}, optional
        Turn scores into probabilities first. The calibration curve is fitted to other rows than it is
        applied to.
    fpr : float, optional
        Turn scores into labels, with a threshold that has this false-positive rate on other rows.
    cost_fp, cost_fn : float, optional
        Turn scores into labels, with the threshold that minimizes the cost on other rows.
    held_out : (str, str), optional
        Column and value of the rows that are used for calibration or for choosing thresholds, and for
        nothing else. By default both are cross-fitted.
    question : {"average", "these", "next", "likeliest"}, optional
        Over many tasks, the quantity that the probabilities refer to: the mean advantage over tasks like
        these ("average", the default), the mean over exactly these tasks ("these"), the advantage on one new
        task ("next"), or the likeliest outcome on a new task ("likeliest"). "Q1" (these trained models), "Q2"
        (learning algorithms on one task) and "Q3" (models over tasks) are accepted as well.
    weights : dict, list or "size", optional
        Weights of the tasks for question="these": {task: weight}, one number per task, or "size" for the
        number of units. By default all tasks have the same weight.
    method : str, default "auto"
        Name of the method, see `ropewalk methods`.
    rope : float, (float, float), str or Rope, default "auto"
        Region of practical equivalence, the differences that do not matter: 0.01 (that is, ±0.01) or a pair
        of edges in score units, or "0.1sd". One percentage point is 0.01 for scores from 0 to 1, and 1 for
        scores in percent. "auto" is one percentage point for such scores and for right/wrong answers, and a
        tenth of a standard deviation for other scores.
    scale : {"phi"}, optional
        Compare right and wrong answers by phi, the share of A's mistakes among the examples on which the two
        disagree (Williams 2026), as rope="0.1sd" does.
    threshold : float, default 0.95
        Probability that a verdict needs.
    loss_matrix : 4 x 3 array, optional
        Losses of the decisions better, equivalent, worse and undecided (rows) where A is better, equivalent
        or worse (columns). They then decide in place of `threshold`.
    rho : float, optional
        Correlation between the scores of two folds, which share training data. By default 1/k for k folds.
    runs : int, optional
        Number of repetitions of cross-validation, for scores without ids. With runs=10, 100 scores come from
        10 times 10-fold cross-validation; the scores of one repetition follow each other.
    missing : {"drop", "worst"}, optional
        What to do with units that a model lacks: leave them out ("drop") or count them as wrong ("worst").
        By default they are left out, with a warning above 1% and an error above 20%.
    prior_sd : float, optional
        Standard deviation of a normal prior of the advantage around 0, in score units; over many tasks, of
        the mean advantage. By default each method has its own prior.
    censored : str, optional
        Column that marks runs that hit their time limit with 1; cells such as ">3600" mean the same. The sign
        and signed-rank tests then give the range of probabilities that is possible.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator from which a seed is drawn. The report records the seed.
    progress : callable, optional
        Progress bar: called with an iterable and its length, it returns the iterable.

    Returns
    -------
    Report
        `comparisons` has one comparison for each pair and task, `overall` one for each pair over all
        tasks, and `models` the models, best first, each with `p_best`, the probability that it is the best.
        A comparison has the models `a` and `b`, a `verdict`, the `winner` (None unless one model is better),
        a `posterior` with `mean` and `hdi(0.95)`, the `rope`, the p-values in `classical`, and `plot()`,
        which a notebook displays. The `name` of a verdict is "better", "equivalent", "worse" or "undecided";
        it and the probabilities `better`, `equivalent` and `worse` are about `a`, the model that comes first
        in the data. `print(report)` shows everything, `report.to_frame()` gives a data frame,
        `report.methods_text()` and `report.results_text()` are paragraphs for a paper, and
        `report.save("report.html")` writes a page (or .md, .tex, .csv, .xlsx, .json, .txt).

    Raises
    ------
    DataError
        If the data cannot be read or paired; the message names the rows and what to do.
    OptionError
        If an option is unknown, contradicts another one, or does not fit the data.
    MethodError
        If the method does not suit the data.

    See Also
    --------
    ropewalk.read : Read and pair the data without comparing.
    ropewalk.check : Say what would be compared.
    ropewalk.plan : How much more data would decide.
    ropewalk.gate : Pass or fail a candidate against a baseline, with exit codes for scripts.

    Notes
    -----
    The unit of analysis is found in the data: examples, folds, seeds or tasks. For each pair, the posterior
    of the advantage of A over B gives the probabilities that it lies above, within and below the region of
    practical equivalence (ROPE). A verdict requires that one of them reaches `threshold`; otherwise the pair
    is undecided. `comparison.why` says why a method was chosen.

    Examples
    --------
    >>> report = compare({"forest": [1, 1, 0, 1, 1, 1, 1, 1], "svm": [0, 1, 0, 0, 1, 0, 1, 0]}, rope=0.05)
    >>> report.comparisons[0].verdict.name
    'undecided'

    Three times 10-fold cross-validation, with the same folds for both models:

    >>> import numpy as np
    >>> svm = np.random.default_rng(0).normal(0.84, 0.02, size=30)
    >>> scores = {"forest": svm + np.linspace(0.025, 0.035, 30), "svm": svm}
    >>> c = compare(scores, rope=0.01, runs=3, higher_is_better=True).comparisons[0]
    >>> c.verdict.name, round(c.posterior.mean, 3)
    ('better', 0.03)
    """
    columns = shared_keywords(locals(), ReadOptions)

    from ropewalk.analysis.asked_metric import cannot_compute, is_known
    from ropewalk.analysis.learned_predictions import Learn
    from ropewalk.analysis.reporting import report_on
    from ropewalk.analysis.wanted import Wanted, metric_or_loss
    from ropewalk.decide import RopeRequest, Rule
    from ropewalk.methods.pair import Ask
    from ropewalk.metrics import Metric, metric_for
    from ropewalk.questions import ASKS, SETTINGS

    if question is not None and question not in (*SETTINGS, *ASKS):
        names = ", ".join(f'"{name}"' for name in (*ASKS, *SETTINGS))
        raise OptionError(f'question is "{question}"', hint=f"Give one of {names}, or omit it.")
    rng = seed_of(rng)
    if metric is not None and loss is not None:
        raise OptionError("both a loss and a metric are given", hint="Give only one of them.")
    loss_rows = None if loss_matrix is None else tuple(tuple(row) for row in loss_matrix)
    rule = Rule(threshold=threshold, loss=loss_rows)
    wanted = Wanted(
        reference=reference,
        pairs=pairs,
        loss=loss,
        metric=metric,
        question=question if question in SETTINGS else None,
        weights=weights,
        rho=rho,
        ask=Ask(
            method=method,
            rope=RopeRequest.parse(rope, scale),
            rule=rule,
            rng=rng,
            prior_sd=_checked_prior(prior_sd),
            question=question if question in ASKS else None,
        ),
        steps=lambda items: progress(items, len(items)) if progress else items,
    )
    learn = Learn(calibrate=calibrate, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, held_out=held_out, rng=rng)
    if held_out is not None:
        columns["split"] = held_out[0]
    check_missing(missing)
    cautions: tuple[str, ...] = ()
    if metric is not None and not isinstance(metric, str):
        metric, way = way_of_metric(metric_for(metric), higher_is_better)
        wanted = replace(wanted, metric=metric)
        cautions = () if way is None else way.caution
    # A metric name may refer to a column of the data, so it need not be a metric that can be computed.
    pick = metric if isinstance(metric, str) and not isinstance(data, _READ) else None
    problem = cannot_compute(data, metric, columns)
    if problem is not None and pick is None:
        raise problem
    of_all = None if metric is None or problem or learn.is_asked else metric_or_loss(metric, method)
    whole = of_all if isinstance(of_all, Metric) else None
    columns["pick"] = pick
    read_in: Data | tuple[Scores, Scores] | None
    try:
        if censored is None:
            read_in = _read_or_limited(data, whole, missing, columns)
        else:
            read_in = _limited(data, censored, missing, columns)
    except DataError:
        if problem is not None:
            raise problem from None
        raise
    except OptionError:
        if problem is not None and is_known(metric):  # then the columns it needs are missing
            raise problem from None
        raise
    read_in = repeated(read_in, runs, rho)
    assert read_in is not None  # requested marks that are missing were already an error
    held = read_in[0] if isinstance(read_in, tuple) else read_in
    if pick is not None and isinstance(held, (Scores, Summed)) and held.way is not None:
        wanted = replace(wanted, metric=None)
    elif problem is not None:
        raise problem
    if isinstance(read_in, tuple):
        from ropewalk.analysis.censored import censored_report

        with one_thread():
            return censored_report(*read_in, wanted)
    source = vetted(read_in, missing, rho, scored=loss is not None or metric is not None)
    source = replace(source, audit=source.audit.cautioned(*cautions)) if cautions else source
    if isinstance(source, Predictions):
        with one_thread():
            return learn.report(source, wanted)
    if learn.is_asked:
        raise OptionError(
            "scores without the truth cannot be calibrated or thresholded",
            hint="Give each model's predictions together with the truth.",
        )
    with one_thread():
        return report_on(source, wanted)


def _checked_prior(prior_sd: float | None) -> float | None:
    if prior_sd is None:
        return None
    if isinstance(prior_sd, bool) or not 0 < prior_sd < float("inf"):
        raise OptionError(
            f"prior_sd is {prior_sd}",
            hint="Give the spread of plausible differences in score units, such as 0.015, or omit it.",
        )
    return float(prior_sd)


def _read_or_limited(
    data: Any, metric: Metric | None, missing: Missing | None, columns: dict[str, Any]
) -> Data | tuple[Scores, Scores]:
    """The data, or both parts if they cannot be read because cells such as ">3600" are limits."""
    try:
        return read(data, metric=metric, missing=missing, **columns)
    except (CellError, ColumnError, DataError) as problem:
        try:
            limited = _limited(data, None, missing, columns)
        except RopewalkError:
            limited = None
        if limited is None:
            raise problem from None
        return limited


def _limited(
    data: Any, censored: str | None, missing: Missing | None, columns: dict[str, Any]
) -> tuple[Scores, Scores] | None:
    """The scores with limits in place of values, and a mask of the limits; None if there are none.

    If a column of marks was named, there must be limits.
    """
    from dataclasses import fields

    from ropewalk.read.limits import read_limits
    from ropewalk.read.roles import Options

    known = {field.name for field in fields(Options)}
    given = {name: value for name, value in columns.items() if name in known}
    read_already = isinstance(data, (Scores, Predictions, Counts, Summed))
    found = None if read_already else read_limits(data, censored, Options(missing=missing, **given))
    if found is None and censored is not None:
        raise DataError(
            f"there are no marks to read in `{short(censored)}`",
            hint="Give a table or a frame in which this column has 1 where a run hit its limit.",
        )
    return found
