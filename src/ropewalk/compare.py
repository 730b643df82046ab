"""Data -> Report: what was asked, of which data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.data import Counts, Predictions, Scores, Summed
from ropewalk.data.coverage import check_missing
from ropewalk.data.dependence import repeated
from ropewalk.data.vetting import vetted
from ropewalk.data.way import way_of_metric
from ropewalk.errors import (
    CellError,
    ColumnError,
    DataError,
    OptionError,
    RopewalkError,
    short,
)
from ropewalk.options import seed_of, with_suggestions
from ropewalk.read import read
from ropewalk.threads import one_thread

# The methods need scipy.special, which takes longer to import than all the rest of ropewalk: they are
# imported where they run, so that `import ropewalk` and `ropewalk --help` stay quick.
if TYPE_CHECKING:
    from ropewalk.data.coverage import Missing
    from ropewalk.decide import RopeLike
    from ropewalk.metrics import Metric
    from ropewalk.results import Report

    Data = Scores | Predictions | Counts | Summed

    Progress = Callable[[Iterable[Any], int], Iterable[Any]]

_READ = (Scores, Predictions, Counts, Summed)


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

    `data` is anything that `ropewalk.read` takes, or what it returned; the last options, from `query` on,
    are those of `ropewalk.read`, and say what the columns are.
    With `reference` every other model is compared with that one, which is then B; without it every pair.
    `loss` scores predictions ("zero_one", "log", "brier", "squared", "absolute", or a table of costs);
    `metric` is one of the whole test set ("auroc", "f1", "rmse", "ndcg@10", ... or a function of truth,
    prediction and weights).
    `calibrate` ("platt" or "isotonic") turns scores into probabilities, `fpr` (a false-positive rate) or the
    costs of the two kinds of mistake turn them into labels; both learn from other rows than those compared:
    cross-fitted, or from the rows that `held_out` = (column, value) names.
    `rope` is in score units (0.01, or a pair of edges), a share of a standard deviation ("0.1sd") or "auto":
    one point of a hundred for scores from 0 to 1 or in percent and for right and wrong answers, a tenth of a
    standard deviation for other scores. `scale="phi"` compares right and wrong answers by phi, the share of
    A's mistakes among the examples on which the two disagree (Williams 2026), as `rope="0.1sd"` does.
    `threshold` is the probability from which a verdict is given; `loss_matrix` decides instead of
    it. `runs` is how often a cross-validation was run whose scores have no ids: 100 scores with runs=10 are
    10 folds, 10 times. `rho` overrides the correlation between folds, which is 1/k for k folds.
    `prior_sd` is the spread of a normal prior of the
    advantage around no difference, in score units; over many tasks it is a prior of the mean over the tasks.
    Left out, the priors are those of each method. `rng` is the random seed, or a
    numpy.random.Generator from which one is drawn; the report keeps it.
    `missing` says what becomes of units that some model lacks: "drop" leaves them out, "worst" counts them as
    wrong. Without it they are left out, with a warning above 1% and an error above 20%.

    `censored` names the column that marks runs which hit their limit (1) in a table of run times or other
    values; cells such as ">3600" say the same. The sign and signed-rank tests then give the range of
    probabilities that the unknown part allows, and a verdict only if the whole range agrees.

    >>> report = compare({"forest": [1, 1, 0, 1, 1, 1, 1, 1], "svm": [0, 1, 0, 0, 1, 0, 1, 0]}, rope=0.05)
    >>> report.comparisons[0].verdict.name
    'undecided'
    """
    from ropewalk.analysis.learned_predictions import Learn
    from ropewalk.analysis.reporting import Wanted, metric_or_loss, report_on
    from ropewalk.decide import RopeRequest, Rule
    from ropewalk.methods.pair import Ask
    from ropewalk.metrics import Metric, metric_for
    from ropewalk.results.report import QUESTIONS

    if question is not None and question not in QUESTIONS:
        names = ", ".join(f'"{name}"' for name in QUESTIONS)
        raise OptionError(f'question is "{question}"', hint=f"Give one of {names}, or leave it out.")
    rng = seed_of(rng)
    if metric is not None and loss is not None:
        raise OptionError("both a loss and a metric are given", hint="Give one of them.")
    columns: dict[str, Any] = {
        "query": query,
        "model": model,
        "task": task,
        "unit": unit,
        "score": score,
        "truth": truth,
        "cluster": cluster,
        "repeat": repeat,
        "fold": fold,
        "seed": seed,
        "split": split,
        "statistics": statistics,
        "higher_is_better": higher_is_better,
        "by_position": by_position,
        "labels": labels,
        "positive": positive,
        "sheet": sheet,
        "in_place": in_place,
        "dask": dask,
    }
    loss_rows = None if loss_matrix is None else tuple(tuple(row) for row in loss_matrix)
    rule = Rule(threshold=threshold, loss=loss_rows)
    wanted = Wanted(
        reference=reference,
        pairs=pairs,
        loss=loss,
        metric=metric,
        question=question,
        rho=rho,
        ask=Ask(
            method=method,
            rope=RopeRequest.parse(rope, scale),
            rule=rule,
            rng=rng,
            prior_sd=_checked_prior(prior_sd),
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
    # A metric by its name may be one that the data hold already, and need not be one that can be computed.
    pick = metric if isinstance(metric, str) and not isinstance(data, _READ) else None
    problem = _cannot_compute(data, metric, columns)
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
        if problem is not None and _is_known(metric):  # then it lacks its columns
            raise problem from None
        raise
    read_in = repeated(read_in, runs, rho)
    assert read_in is not None  # where marks were asked for and there are none that was an error
    held = read_in[0] if isinstance(read_in, tuple) else read_in
    if pick is not None and isinstance(held, (Scores, Summed)) and held.way is not None:
        wanted = replace(wanted, metric=None)
    elif problem is not None:
        raise problem
    if isinstance(read_in, tuple):
        from ropewalk.analysis.censored import censored_report

        with one_thread():
            return censored_report(*read_in, wanted)
    source = vetted(read_in, missing, rho)
    source = replace(source, audit=source.audit.cautioned(*cautions)) if cautions else source
    if isinstance(source, Predictions):
        with one_thread():
            return learn.report(source, wanted)
    if learn.is_asked:
        raise OptionError(
            "scores cannot be calibrated or cut at a threshold",
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
            hint="Give the spread of plausible differences in score units, such as 0.015, or leave it out.",
        )
    return float(prior_sd)


def _read_or_limited(
    data: Any, metric: Metric | None, missing: Missing | None, columns: dict[str, Any]
) -> Data | tuple[Scores, Scores]:
    """The data; where they cannot be read because cells such as ">3600" are limits, both parts of them."""
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
    """The scores with limits in place of values, and where they are limits; None where there are none.

    Where a column of marks was named there must be some.
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


def _is_known(metric: str) -> bool:
    from ropewalk.metrics import metric_for

    try:
        metric_for(metric)
    except OptionError:
        return False
    return True


def _cannot_compute(data: Any, metric: Any, columns: dict[str, Any]) -> OptionError | None:
    """Why a metric cannot be computed: nobody knows it, or it needs columns that add up (BLEU)."""
    from ropewalk.metrics import metric_for

    if metric is None:
        return None
    try:
        found = metric_for(metric)
    except OptionError as problem:
        return problem
    if found.takes != "statistics" or isinstance(data, Predictions) or columns.get("statistics"):
        return None
    counts = {
        "BLEU": "bleu_statistics",
        "chrF": "chrf_statistics",
        "word error rate": "edit_statistics",
        "character error rate": "edit_statistics",
    }.get(found.name)
    return OptionError(
        f"{found.name} adds up statistics of the segments, and no columns of them were named",
        hint=f"Name the columns of {_these(found.columns)}:\nstatistics=[...] (--statistics A,B,...)."
        + (f" `ropewalk.metrics.{counts}` counts them." if counts else ""),
    )


def _these(columns: Sequence[str]) -> str:
    """What the columns of statistics count, in their order."""
    shown = ", ".join(columns[:12]) + (", ..." if len(columns) > 12 else "")
    return f"{shown}, in this order" if columns else "these statistics, in their order"
