"""Which way is up: whether higher is better, read off a metric's name."""

from __future__ import annotations

import re

# The name of scores whose metric differs from task to task: they are on scales of their own.
SEVERAL = "several metrics"

# Names are compared in lower case, split at everything that is not a letter or a digit.
_HIGHER_WORDS = """
    acc accuracy ap auc aucpr auprc auroc bacc bertscore bleu bleurt chrf comet correct correctness dice em
    exactmatch f1 f2 fbeta fscore gini gmean hit hits hitrate iou jaccard kappa likelihood loglik
    loglikelihood map mcc meteor miou mrr ndcg npv pass pearson ppv prauc precision psnr r2 recall reward
    rocauc rouge rouge1 rouge2 rougel rsquared sensitivity similarity solved spearman specificity ssim
    success tnr top1 top3 top5 tpr winrate
"""
_LOWER_WORDS = """
    bpb bpc brier cer cost crossentropy crps deviance disagreement distance divergence ece entropy err error
    errors fdr fid fnr fpr hinge hter kl latency logloss loss losses mae mape mase mce medae
    misclassification mpe mse msle nll nmae nmse nrmse perplexity pinball ppl rank ranks regret residual risk
    rmse rmsle
    rmspe runtime smape surprisal ter wasserstein wer
"""
_HIGHER, _LOWER = frozenset(_HIGHER_WORDS.split()), frozenset(_LOWER_WORDS.split())
_NEGATED = frozenset(["neg", "negative", "minus"])
# Endings of names that were run together: testloss, valacc.
_LONG_HIGHER = ("accuracy", "precision", "recall", "f1", "auc", "acc", "correct")
_LONG_LOWER = ("loss", "error", "rmse", "entropy", "perplexity")

# Lower is better, and still between 0 and 1.
_RATE_WORDS = "brier disagreement ece err error errors fdr fnr fpr hter mce misclassification"
_OPEN_WORDS = "absolute likelihood log loglik loglikelihood psnr reward squared square"
_OPEN_ENDED = (_LOWER - frozenset(_RATE_WORDS.split())) | frozenset(_OPEN_WORDS.split())


def direction(metric: str) -> bool | None:
    """Whether higher is better, from the metric's name; None where the name does not say.

    >>> direction("test_accuracy"), direction("log-loss"), direction("neg_log_loss"), direction("score")
    (True, False, True, None)
    """
    words = [w for w in re.split(r"[^a-z0-9]+", metric.lower()) if w]
    compact = "".join(w for w in words if w not in _NEGATED)
    higher: bool | None
    if compact in _LOWER or any(w in _LOWER for w in words):
        higher = False
    elif compact in _HIGHER or any(w in _HIGHER for w in words):
        higher = True
    elif compact.endswith(_LONG_LOWER):
        higher = False
    elif compact.endswith(_LONG_HIGHER):
        higher = True
    else:
        return None
    # scikit-learn's neg_mean_squared_error, negative log-likelihood, "1 - AUC".
    turned = any(w in _NEGATED for w in words) or re.match(r"\s*1\s*[-–−]", metric) is not None
    return not higher if turned else higher


def bounded(metric: str) -> bool:
    """Whether a metric of this name runs from 0 to 1, or from 0 to 100; so does one that is just a "score".

    >>> bounded("accuracy"), bounded("score"), bounded("error"), bounded("squared error"), bounded("loss")
    (True, True, True, False, False)
    """
    words = [w for w in re.split(r"[^a-z0-9]+", metric.lower()) if w]
    open_ended = any(w in _OPEN_ENDED for w in [*words, "".join(words)])
    return not open_ended and not "".join(words).endswith(("loss", "rmse", "entropy", "perplexity"))


def is_rank(metric: str) -> bool:
    """Whether the scores are ranks: an order, without a size of its differences."""
    return metric.lower() in ("rank", "ranks")
