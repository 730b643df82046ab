"""Names of metrics, and which way is better."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.data.metric_names import DOWN, UP


@pytest.mark.parametrize(
    ("name", "higher"),
    [
        ("false_positive_rate", False),
        ("meanReciprocalRank", True),
        ("rank_correlation", True),
        ("error_reduction", True),
        ("time_saved", True),
        ("tokens_per_second", True),
        ("errors_per_second", False),
        ("cost_per_request", False),
        ("toxicity_f1", True),
        ("accuracy_loss", False),
        ("not_toxic", True),
        ("negative_predictive_value", True),
        ("recall@fpr", True),
        ("p95_latency_ms", False),
        ("F1Score", True),
        ("words_per_minute", True),
        ("accuracy_toxicity", None),
        ("attack_success_rate", None),
        ("real_time_factor", None),
        ("tokens", None),
        ("rating", None),
        ("coverage", None),
        ("inaccuracy", False),
        ("misaccuracy", None),
        ("inverse_accuracy", None),
        ("1/latency", True),
        ("d2_log_loss_score", True),
        ("hallucination_free", True),
        ("calibration_free_accuracy", True),
        ("errors_found", None),
        ("fault_tolerance", None),
        ("toxicity_detection_rate", None),
        ("detection_map", True),
        ("error_detection_f1", True),
        ("missed_detection_rate", False),
        ("latency_score", None),
        ("safety_score", True),
        ("accuracy_std", None),
        ("standard_error", None),
        ("f1_variance", None),
        ("explained_variance", True),
        ("false_passes", None),
        ("time_to_accuracy", False),
        ("time_to_failure", True),
        ("steps_to_success", None),
        ("text_to_sql_accuracy", True),
        ("pass_to_fail", False),
        ("watch_time", None),
        ("time_under_limit", None),
        ("survival_time", True),
        # Somebody did something with what is wrong or long: then more of it may be good.
        ("jailbreaks_blocked", None),
        ("fraud_loss_prevented", None),
        ("error_handling", None),
        ("toxicity_avoidance", None),
        ("seconds_survived", None),
        ("dollars_earned", None),
        ("time_left", None),
        ("memory_used", False),
        ("loss_validation", False),
        ("latency_streaming_ms", False),
        # A unit is not what is measured.
        ("uptime_seconds", None),
        ("recall_ms", None),
        ("recall_latency_ms", False),
        # Words that mean something else together.
        ("noise_sensitivity(mode=relevant)", False),
        ("NoiseSensitivity", False),
        ("prompt_sensitivity", None),
        ("macro_sensitivity", True),
        ("hamming_score", True),
        ("hamming_loss", False),
        ("levenshtein_ratio", True),
        ("levenshtein_distance", False),
        ("flops_per_second", True),
        ("gflops/s", None),
        ("rps", None),  # requests per second, or the ranked probability score
        ("err@20", None),  # the expected reciprocal rank
        ("ERR-IA@10", None),
        ("err", False),
        ("ari_grade_level", None),
        ("reward_hacking_rate", None),
        ("unique_crashes", None),
        ("infraction_penalty", None),
        ("warning_time", None),
        ("1_iou", None),
        ("1_shot_accuracy", True),
        ("max_train_similarity", None),
        ("rouge_overlap_train", None),
        ("edit_similarity", None),
        ("semantic_similarity", True),
        ("tpr_diff", None),  # between groups, or to the baseline
        ("likelihood_diff", None),
        # How long something goes well.
        ("days_to_failure", None),
        ("time_to_first_error", None),
        ("hours_per_failure", None),
        ("days_between_failures", None),
        ("failures_per_hour", False),
        # The number of errors, or none of them.
        ("no_errors", None),
        ("no_correct", None),
        ("-loss", True),
        ("on_time_rate", True),
        ("battery_time", None),
        ("gini_impurity", False),
        ("profit_and_loss", True),
        ("income_usd", None),
        # What an adversary achieves, and what resembles the training data.
        ("membership_inference_accuracy", None),
        ("backdoor_accuracy", None),
        ("pass_rate_of_attacks", None),
        ("adversarial_success", None),
        ("adversarial_accuracy", True),
        ("overlap_with_train", None),
        ("overlap_with_reference", True),
        # Of entropies only that against the truth is an error.
        ("policy_entropy", None),
        ("binary_crossentropy", False),
        ("val_cross_entropy", False),
        # Lengths that may be good.
        ("min_distance_to_obstacle", None),
        ("distance_to_goal", False),
        ("mean_edit_distance", False),
        ("distance_travelled", None),
        ("battery_duration", None),
        ("p95_duration_ms", False),
        ("inference_duration", False),
        # Up to when, and how many of them.
        ("hours_until_crash", None),
        ("time_before_failure", None),
        ("time_since_last_error", None),
        ("images_sec", None),
        ("memory_available", None),
        ("error_margin", None),
        ("low_risk", None),
        ("safety_incidents", None),
        ("predicted_price", None),
    ],
)
def test_names_by_word(name: str, higher: bool | None) -> None:
    assert rw.data.direction(name) is higher


def test_the_table_is_large_and_does_not_contradict_itself() -> None:
    assert len(UP) + len(DOWN) >= 120
    assert not UP & DOWN
    assert all(rw.data.direction(w) is True for w in UP)
    assert all(rw.data.direction(w) is False for w in DOWN)
