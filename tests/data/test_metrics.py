from __future__ import annotations

import pytest

from ropewalk.data import direction

HIGHER = """
accuracy acc Accuracy test_accuracy val-acc balanced_accuracy AUC roc_auc AUROC f1 F1-macro
f1_weighted precision recall r2 R-squared MCC kappa BLEU rougeL exact_match ndcg@10 recall@5 mrr
pass@1 correct is_correct neg_log_loss neg_mean_squared_error neg_root_mean_squared_error
log_likelihood average_precision top5_acc testaccuracy win_rate
"""
LOWER = """
loss test_loss log-loss logloss error error_rate RMSE rmse_test MAE mse mean_squared_error mape
brier brier_score nll negative_log_likelihood perplexity ppl cross_entropy WER cer ece latency
regret val_loss trainloss metric_error 1-auc
"""
UNKNOWN = ["score", "value", "result", "x", "svm", "", "forest", "ß", "_"]


@pytest.mark.parametrize("name", [*HIGHER.split(), "1 - error", "win rate"])
def test_higher_is_better(name: str) -> None:
    assert direction(name) is True


@pytest.mark.parametrize("name", [*LOWER.split(), "log loss", "1 - AUC"])
def test_lower_is_better(name: str) -> None:
    assert direction(name) is False


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown(name: str) -> None:
    assert direction(name) is None
