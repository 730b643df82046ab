"""The metrics by name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.metrics import correlation, labels, numbers, probabilities, ranking, retrieval
from ropewalk.metrics.additive import additive, bleu, dice, iou, perplexity, rouge, share_of_sums
from ropewalk.metrics.chrf import COLUMNS, chrf
from ropewalk.metrics.metric import Kind, Metric, Weighted, custom
from ropewalk.metrics.ndcg import ndcg_at


def _metric(
    name: str, takes: Kind, prepare: Callable[..., Weighted], higher: bool, low: float, high: float
) -> Metric:
    function = prepare.func if isinstance(prepare, partial) else prepare
    return Metric(
        name=name,
        takes=takes,
        higher_is_better=higher,
        range=(low, high),
        prepare=prepare,
        about=inspect.getdoc(function) or "",
    )


def _higher(name: str, takes: Kind, prepare: Callable[..., Weighted], low: float = 0.0) -> Metric:
    return _metric(name, takes, prepare, True, low, 1.0)


def _lower(name: str, takes: Kind, prepare: Callable[..., Weighted], high: float = np.inf) -> Metric:
    return _metric(name, takes, prepare, False, 0.0, high)


def _list(name: str, prepare: Callable[..., Weighted]) -> Metric:
    return replace(_higher(name, "scores", prepare), grouped=True)


def _errors(name: str, unit: str) -> Metric:
    columns, open_ended = ("errors", unit), (0.0, np.inf)
    found = additive(name, columns, share_of_sums, higher_is_better=False, range=open_ended)
    return replace(found, counted_by="edit_statistics")


_BLEU = ("m1", "m2", "m3", "m4", "t1", "t2", "t3", "t4", "hyp", "ref")
_PIXELS = ("intersection", "predicted", "true")

METRICS: dict[str, Metric] = {
    "accuracy": replace(_higher("accuracy", "labels", labels.accuracy), loss="zero_one"),
    "balanced_accuracy": _higher("balanced accuracy", "labels", labels.balanced_accuracy),
    "precision": _higher("precision", "labels", labels.precision),
    "recall": _higher("recall", "labels", labels.recall),
    "specificity": _higher("specificity", "labels", labels.specificity),
    "f1": _higher("F1", "labels", labels.f_beta),
    "precision_macro": _higher("macro precision", "labels", labels.precision_macro),
    "recall_macro": _higher("macro recall", "labels", labels.recall_macro),
    "f1_macro": _higher("macro F1", "labels", labels.f1_macro),
    "f1_micro": _higher("micro F1", "labels", labels.accuracy),  # equal for one label per row
    "dice": _higher("Dice", "labels", labels.f_beta),
    "iou": _higher("IoU", "labels", labels.iou),
    "iou_macro": _higher("mean IoU", "labels", labels.iou_macro),
    "kappa": _higher("kappa", "labels", labels.kappa, low=-1.0),
    "kappa_linear": replace(
        _higher("linear kappa", "labels", partial(labels.kappa, power=1), low=-1.0), ordered=True
    ),
    "kappa_quadratic": replace(
        _higher("quadratic kappa", "labels", partial(labels.kappa, power=2), low=-1.0), ordered=True
    ),
    "mcc": _higher("MCC", "labels", labels.mcc, low=-1.0),
    "auroc": replace(_higher("AUROC", "scores", ranking.auroc), bounds=ranking.auroc_bounds),
    "average_precision": replace(
        _higher("average precision", "scores", ranking.average_precision),
        bounds=ranking.average_precision_bounds,
    ),
    "ndcg": ndcg_at(None),
    "mrr": _list("MRR", retrieval.reciprocal_rank),
    "map": _list("MAP", retrieval.mean_average_precision),
    "log_loss": replace(_lower("log loss", "probabilities", probabilities.log_loss), loss="log"),
    "brier": replace(_lower("Brier score", "probabilities", probabilities.brier, high=2.0), loss="brier"),
    "ece": replace(_lower("ECE", "probabilities", probabilities.ece, high=1.0), biased=True),
    "rmse": _lower("RMSE", "numbers", numbers.rmse),
    "mae": replace(_lower("MAE", "numbers", numbers.mae), loss="absolute"),
    "mape": _lower("MAPE", "numbers", numbers.mape),
    "pinball": _lower("pinball loss", "numbers", numbers.pinball),
    "r2": _higher("R²", "numbers", numbers.r2, low=-np.inf),
    "pearson": _higher("Pearson correlation", "numbers", correlation.pearson, low=-1.0),
    "spearman": _higher("Spearman correlation", "numbers", correlation.spearman, low=-1.0),
    "kendall": _higher("Kendall tau", "numbers", correlation.kendall, low=-1.0),
    "concordance": _higher("concordance index", "numbers", correlation.concordance),
    "bleu": replace(additive("BLEU", _BLEU, bleu), counted_by="bleu_statistics"),
    "chrf": replace(additive("chrF", COLUMNS, chrf), counted_by="chrf_statistics"),
    "rouge": additive("ROUGE", ("matches", "hyp", "ref"), rouge),
    "wer": _errors("word error rate", "words"),
    "cer": _errors("character error rate", "characters"),
    "perplexity": additive(
        "perplexity", ("nll", "tokens"), perplexity, higher_is_better=False, range=(1.0, np.inf)
    ),
    "dice_pixels": additive("Dice of pixels", _PIXELS, dice),
    "iou_pixels": additive("IoU of pixels", _PIXELS, iou),
}
ALIASES: dict[str, str] = {
    "acc": "accuracy",
    "bacc": "balanced_accuracy",
    "ppv": "precision",
    "sensitivity": "recall",
    "tpr": "recall",
    "tnr": "specificity",
    "binary_f1": "f1",
    "f1_binary": "f1",
    "macro_precision": "precision_macro",
    "macro_recall": "recall_macro",
    "macro_f1": "f1_macro",
    "micro_f1": "f1_micro",
    "jaccard": "iou",
    "miou": "iou_macro",
    "mean_iou": "iou_macro",
    "jaccard_macro": "iou_macro",
    "cohen_kappa": "kappa",
    "cohens_kappa": "kappa",
    "qwk": "kappa_quadratic",
    "quadratic_weighted_kappa": "kappa_quadratic",
    "linear_weighted_kappa": "kappa_linear",
    "matthews": "mcc",
    "matthews_corrcoef": "mcc",
    "auc": "auroc",
    "roc_auc": "auroc",
    "rocauc": "auroc",
    "ap": "average_precision",
    "aucpr": "average_precision",
    "auprc": "average_precision",
    "pr_auc": "average_precision",
    "mean_reciprocal_rank": "mrr",
    "mean_average_precision": "map",
    "logloss": "log_loss",
    "cross_entropy": "log_loss",
    "brier_score": "brier",
    "expected_calibration_error": "ece",
    "root_mean_squared_error": "rmse",
    "mean_absolute_error": "mae",
    "mean_absolute_percentage_error": "mape",
    "pinball_loss": "pinball",
    "quantile_loss": "pinball",
    "r_squared": "r2",
    "r2_score": "r2",
    "pearsonr": "pearson",
    "spearmanr": "spearman",
    "kendalltau": "kendall",
    "kendall_tau": "kendall",
    "c_index": "concordance",
    "cindex": "concordance",
    "concordance_index": "concordance",
    "word_error_rate": "wer",
    "character_error_rate": "cer",
    "ppl": "perplexity",
}


def _places(name: str, prepare: Callable[..., Weighted], text: str) -> Metric:
    return _list(f"{name}@{_count(text)}", partial(prepare, k=_count(text)))


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise OptionError(f"the cutoff of the metric is {text}", hint='Give at least 1, as in "ndcg@10".')
    return int(text)


def _share(text: str) -> float:
    if not 0 < float(text) < 1:
        raise OptionError(f"the quantile is {text}", hint='Give one between 0 and 1, as in "pinball@0.9".')
    return float(text)


def _top(text: str) -> Metric:
    k = _count(text)
    return _higher(f"top-{k} accuracy", "probabilities", partial(probabilities.top_k_accuracy, k=k))


def _quantile(text: str) -> Metric:
    q = _share(text)
    return _lower(f"pinball loss at {q:g}", "numbers", partial(numbers.pinball, quantile=q))


def _f_beta(text: str) -> Metric:
    beta = float(text)
    if not 0 < beta < np.inf:
        raise OptionError(f"beta is {text}", hint='Give a positive number, as in "f2" or "f0.5".')
    return _higher(f"F{beta:g}", "labels", partial(labels.f_beta, beta=beta))


# Metrics with a number in their name, written name@number.
_WITH_NUMBER: dict[str, Callable[[str], Metric]] = {
    "ndcg": lambda k: ndcg_at(_count(k)),
    "hit": partial(_places, "hit rate", retrieval.hit_rate),
    "recall": partial(_places, "recall", retrieval.recall_at),
    "precision": partial(_places, "precision", retrieval.precision_at),
    "mrr": partial(_places, "MRR", retrieval.reciprocal_rank),
    "map": partial(_places, "MAP", retrieval.mean_average_precision),
    "top": _top,
    "pinball": _quantile,
    "f": _f_beta,
}
_SPELLINGS = {
    r"top_?(\d+)(_acc|_accuracy)?": r"top@\1",
    r"(acc|accuracy)@(\d+)": r"top@\2",
    r"(hits|hit_rate|hitrate)@(\d+)": r"hit@\2",
    r"(fbeta|f_beta)@([\d.]+)": r"f@\2",
    r"f_?(\d+(\.\d+)?)(_score)?": r"f@\1",
    r"(pinball_loss|quantile_loss)@([\d.]+)": r"pinball@\2",
}
# One example of each metric with a number in its name, as a user would write it.
EXAMPLES = (
    "f2",
    "top_5_accuracy",
    "ndcg@10",
    "hit@10",
    "recall@10",
    "precision@10",
    "mrr@10",
    "map@10",
    "pinball@0.9",
)


def metric_for(metric: str | Metric | Callable[[Any, Any, Any], float]) -> Metric:
    """Find a metric by its name, or make one of a function.

    Parameters
    ----------
    metric : str, Metric or callable
        A name, such as "roc-auc", "NDCG@10" or "top-5 accuracy"; a function of scikit-learn, such as
        `roc_auc_score`; or a function (y, prediction, weights) -> float.

    Returns
    -------
    Metric
        The metric.

    Raises
    ------
    OptionError
        If the name is unknown; the message has the nearest one.

    Examples
    --------
    >>> metric_for("roc-auc").name, metric_for("NDCG@10").name, metric_for("top-5 accuracy").name
    ('AUROC', 'NDCG@10', 'top-5 accuracy')
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        if not callable(metric):
            raise OptionError(
                f"the metric is {short(metric)}",
                hint="Give a name, or a function (y, prediction, weights) -> float.",
            )
        return _of_scikit_learn(metric) or custom(metric)
    name = re.sub(r"[\s-]+", "_", metric.strip().lower())
    name = ALIASES.get(name, name)
    if name in METRICS:
        return METRICS[name]
    for written, form in _SPELLINGS.items():
        name = re.sub(f"^{written}$", form, name)
    kind, at, number = name.partition("@")
    if at and kind in _WITH_NUMBER and re.fullmatch(r"\d+(\.\d+)?", number):
        return _WITH_NUMBER[kind](number)
    if name in ("fbeta", "f_beta", "fbeta_score"):
        raise OptionError(f'"{short(metric)}" needs its beta', hint='Put it into the name: "f2" or "f0.5".')
    raise OptionError(
        f'there is no metric "{short(metric)}"', hint=did_you_mean(name, [*METRICS, *ALIASES, *EXAMPLES])
    )


# Functions of scikit-learn with the same value as a metric here, for which there are exact methods.
_FUNCTIONS = {
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "precision_score": "precision",
    "recall_score": "recall",
    "f1_score": "f1",
    "jaccard_score": "iou",
    "cohen_kappa_score": "kappa",
    "matthews_corrcoef": "mcc",
    "roc_auc_score": "auroc",
    "average_precision_score": "average_precision",
    "log_loss": "log_loss",
    "root_mean_squared_error": "rmse",
    "mean_absolute_error": "mae",
    "mean_absolute_percentage_error": "mape",
    "mean_pinball_loss": "pinball",
    "r2_score": "r2",
}


def _of_scikit_learn(function: Any) -> Metric | None:
    """Return the metric that a function of scikit-learn computes; None for any other function."""
    if not str(getattr(function, "__module__", "")).startswith("sklearn.metrics"):
        return None
    name = _FUNCTIONS.get(getattr(function, "__name__", ""))
    return None if name is None else METRICS[name]


def all_metrics() -> dict[str, Metric]:
    """List every metric by the name to type.

    Returns
    -------
    dict of str to Metric
        The metrics; those with a number in their name with an example of it.

    Examples
    --------
    >>> [name for name, metric in all_metrics().items() if metric.grouped][:3]
    ['ndcg', 'mrr', 'map']
    """
    return METRICS | {name: metric_for(name) for name in EXAMPLES}
