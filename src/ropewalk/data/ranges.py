"""The largest possible difference of two scores of one unit, and how it is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.metrics import SEVERAL
from ropewalk.data.predictions import Predictions
from ropewalk.data.scores import Scores
from ropewalk.errors import OptionError, short

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Names are compared in lower case, split at everything but letters and digits.
_UNIT_WORDS = """
    acc accuracy ap auc aucpr auprc auroc bacc bleu chrf correct correctness dice em exactmatch f1 f2 fbeta
    fscore hit hits hitrate iou jaccard map meteor miou mrr ndcg npv pass ppv prauc precision recall rocauc
    rouge rouge1 rouge2 rougel sensitivity solved specificity success tnr top1 top3 top5 tpr winrate
"""
_OPEN_WORDS = """
    bleurt bpb bpc cer comet crps deviance entropy fid kl likelihood log logit logits loglik
    loglikelihood logloss loss mae mape mse nll perplexity ppl psnr r2 rank regret reward rmse squared
    cost dollars duration euros latency milliseconds minutes ms price runtime seconds sec surprisal time wer
"""
_FROM_0_TO_1 = frozenset(_UNIT_WORDS.split())
_FROM_0_TO_2 = frozenset(["brier"])  # summed over all classes; on a single column it stays below 1
_FROM_MINUS_1_TO_1 = frozenset(["kappa", "mcc", "pearson", "similarity", "spearman", "ssim"])
_OPEN_ENDED = frozenset(_OPEN_WORDS.split())
_ROUNDING = 1e-9  # the mean of ones may be rounded up


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Scores lie between `low` and `high`, so that two of them differ by at most `reach`.

    `guessed` says that only these data suggest the range: none was given, and the metric's name does not
    tell.
    """

    low: float
    high: float
    guessed: bool = False

    @property
    def reach(self) -> float:
        return self.high - self.low

    @property
    def words(self) -> str:
        return f"{self.low:g} to {self.high:g}"


def score_ranges(
    data: Scores | Predictions, metric: str, given: tuple[float, float] | None
) -> Mapping[str | None, Range | None]:
    """Return the range of each task's scores by the task's name; None if the scores are unbounded.

    Given bounds come first. Then the metric's name counts: accuracy and the like run from 0 to 1, or to 100
    where the scores are percentages. Scores of any other name that all lie between 0 and 1 are assumed to be
    bounded by 0 and 1, which is marked as a guess. Everything else is unbounded.
    """
    if isinstance(data, Predictions):
        names = [None] if data.tasks is None else dict.fromkeys(map(str, data.tasks))
        return dict.fromkeys(names, Range(low=given[0], high=given[1]) if given else _by_name(metric, None))
    values = {t.name: t.values[np.isfinite(t.values)] for t in data.tasks}
    if given is not None:
        return dict.fromkeys(values, _checked(values, *given))
    if data.metric == SEVERAL:  # each task has its own metric, whose name is not known here
        return {task: _by_name("", v) for task, v in values.items()}
    return dict.fromkeys(values, _by_name(metric, np.concatenate(list(values.values()))))


def reach_of(metric: str, values: NDArray[np.float64]) -> float:
    """Return the largest possible difference of two scores of a unit; the observed one if unbounded.

    If the scores never vary, their largest distance from 0 is used.

    >>> reach_of("accuracy", np.array([0.7, 0.9])), reach_of("rmse", np.array([3.0, 5.0]))
    (1.0, 2.0)
    """
    found = known_range(metric, values)
    return found.reach if found is not None else float(np.ptp(values)) or float(np.abs(values).max())


def known_range(metric: str, values: NDArray[np.float64]) -> Range | None:
    """Return the range of such scores, by the metric's name or because all are between 0 and 1."""
    return _by_name("" if metric == SEVERAL else metric, values)


def _by_name(metric: str, values: NDArray[np.float64] | None) -> Range | None:
    """Return the range by the metric's name and the scores; by the name alone for ropewalk's own scores."""
    words = [w for w in re.split(r"[^a-z0-9]+", metric.lower()) if w]
    found = {*words, "".join(words)}
    if found & _OPEN_ENDED or "".join(words).endswith(("loss", "rmse", "entropy", "perplexity")):
        return None
    for names, low, high in ((_FROM_0_TO_2, 0.0, 2.0), (_FROM_MINUS_1_TO_1, -1.0, 1.0)):
        if found & names:
            return Range(low=low, high=high) if _inside(values, low, high) else None
    if found & _FROM_0_TO_1:
        for high in (1.0, 100.0):
            if _inside(values, 0.0, high):
                return Range(low=0.0, high=high)
        return None
    if values is not None and _inside(values, 0.0, 1.0):
        return Range(low=0.0, high=1.0, guessed=True)
    return None


def _inside(values: NDArray[np.float64] | None, low: float, high: float) -> bool:
    slack = _ROUNDING * (high - low)
    return values is None or bool(np.all((values >= low - slack) & (values <= high + slack)))


def _checked(values: Mapping[str | None, NDArray[np.float64]], low: float, high: float) -> Range:
    for task, v in values.items():
        if not _inside(v, low, high):
            worst = float(v[np.argmax(np.maximum(v - high, low - v))])
            where = "" if task is None else f' on task "{short(task)}"'
            raise OptionError(
                f"a score is {worst:g}{where}, outside the bounds {low:g} to {high:g}",
                hint="Give the lowest and highest possible score, or omit the bounds.",
            )
    return Range(low=low, high=high)
