"""The direction of a metric, inferred from its name."""

from __future__ import annotations

import re
from functools import lru_cache

from ropewalk.data.metric_names import (
    CIRCUMSTANCES,
    CLOUDING,
    CLOUDING_DOWN,
    COUNTED,
    DECISIVE,
    DEEDS,
    DOWN,
    FEARED,
    GRADES,
    LENGTHS,
    LONG_DOWN,
    LONG_UP,
    MONEY,
    NEGATING,
    NONNEGATIVE,
    OPEN,
    PHRASES,
    RESOURCES,
    SHARES,
    SIGNED,
    SUMMED_UP,
    TIMES,
    TURNING,
    UP,
    WAYS,
)

# Name of scores whose metric, and therefore scale, differs from task to task.
SEVERAL = "several metrics"

_LONGEST_PHRASE = 4  # words


def direction(metric: str) -> bool | None:
    """Whether higher is better, from the words of a metric's name.

    Parameters
    ----------
    metric : str
        Name of the metric.

    Returns
    -------
    bool or None
        None where the words do not say. Names that contradict themselves (`accuracy_toxicity`) do not say; in
        a name such as `toxicity_f1` the last word is the measure, and decides.

    Examples
    --------
    >>> from ropewalk.data import direction
    >>> direction("test_accuracy"), direction("log-loss"), direction("neg_log_loss"), direction("score")
    (True, False, True, None)
    >>> direction("inferenceTime"), direction("requests_per_second"), direction("attack_success_rate")
    (False, True, None)
    """
    return _direction(metric)


@lru_cache(maxsize=64)  # a comparison calls it several times
def _direction(metric: str) -> bool | None:
    words = _words(metric)
    before, after = _per(words)
    kept, said = _phrases(before)
    postponed = _is_postponed(kept) or bool(after and after[0] in FEARED)
    kept = _until(kept)
    turned = sum(w in TURNING for w in kept) + (re.match(r"\s*1?\s*[-–−]|\s*1\s*/", metric) is not None)
    if None in said or any(w in CLOUDING for w in kept) or postponed or _is_unsaid(words, turned):
        return None
    last = _decisive(kept)
    said += [way for w in _joined(kept) if (way := _way(w)) is not None]
    if not said and after and after[0] in TIMES and before:
        return True  # a count per second is a throughput
    if not said:
        said = [way for way in [_ending("".join(w for w in kept if w not in TURNING))] if way is not None]
    ways = {last} if last is not None else set(said)
    if len(ways) != 1:
        return None
    higher = bool(ways.pop())
    if not higher and last is None and _is_clouded(kept):
        return None
    turned += not higher and "free" in kept  # such as free of hallucinations
    return not higher if turned % 2 else higher


def bounded(metric: str) -> bool:
    """Whether a metric of this name runs from 0 to 1, or from 0 to 100; so does one that is just a "score".

    Parameters
    ----------
    metric : str
        Name of the metric.

    Returns
    -------
    bool
        True unless the name says otherwise.

    Examples
    --------
    >>> from ropewalk.data import bounded
    >>> bounded("accuracy"), bounded("score"), bounded("error"), bounded("squared error"), bounded("loss")
    (True, True, True, False, False)
    """
    return _bounded(metric)


@lru_cache(maxsize=64)
def _bounded(metric: str) -> bool:
    before, after = _per(_words(metric))
    words, _ = _phrases(before)
    open_ended = bool(after) or any(w in OPEN for w in [*words, *_joined(words), "".join(words)])
    return not open_ended and not "".join(words).endswith(("loss", "rmse", "entropy", "perplexity"))


def may_be_negative(metric: str) -> bool:
    """Whether a bounded metric of this name may be negative, such as a correlation.

    >>> may_be_negative("MCC"), may_be_negative("accuracy")
    (True, False)
    """
    words = _words(metric)
    return any(w in SIGNED for w in [*words, *_joined(words)])


def is_turned(metric: str) -> bool:
    """Whether a word reverses the rest of the name, or makes it a difference, so that it may be negative.

    >>> is_turned("neg_brier_score"), is_turned("accuracy_delta"), is_turned("accuracy")
    (True, True, False)
    """
    differences = ("delta", "diff", "difference", "change", "relative")
    return any(w in TURNING or w in differences for w in _words(metric))


def is_scaled(metric: str) -> bool:
    """Whether the name says that values were scaled, centered or counted, so that any value is possible.

    >>> is_scaled("normalized_accuracy"), is_scaled("accuracy_zscore"), is_scaled("num_correct")
    (True, True, True)
    >>> is_scaled("accuracy")
    False
    """
    counts = ("correct", "count", "counts", "n", "num", "number", "sum", "total", "z", "zscore")
    ends = ("adjusted", "centered", "centred", "normalised", "normalized", "scaled", "standardised")
    return any(w in counts or w.endswith((*ends, "standardized")) for w in _words(metric))


@lru_cache(maxsize=64)
def is_resource(metric: str) -> bool:
    """Whether the name denotes a resource that a model uses: time, money, memory.

    >>> is_resource("inference_time"), is_resource("rmse")
    (True, False)
    """
    return any(w in RESOURCES for w in _joined(_words(metric)))


def is_money(metric: str) -> bool:
    """Whether the name denotes an amount of money.

    >>> is_money("cost_usd"), is_money("duration")
    (True, False)
    """
    return any(w in MONEY for w in _joined(_words(metric)))


def is_nonnegative(metric: str) -> bool:
    """Whether the name denotes an error, a distance or a resource, which cannot be negative.

    >>> is_nonnegative("val_rmse"), is_nonnegative("loss"), is_nonnegative("neg_mean_squared_error")
    (True, False, False)
    """
    words = _words(metric)
    return not any(w in TURNING for w in words) and any(w in NONNEGATIVE for w in _joined(words))


def is_share(metric: str) -> bool:
    """Whether the name denotes a share that cannot exceed 1, or 100 in percent.

    >>> is_share("val_accuracy"), is_share("error"), is_share("helpfulness")
    (True, False, False)
    """
    before, after = _per(_words(metric))
    return not after and bounded(metric) and any(w in SHARES for w in _joined(before))


def is_perplexity(metric: str) -> bool:
    """Whether the name denotes a perplexity.

    >>> is_perplexity("word_perplexity"), is_perplexity("PPL"), is_perplexity("nll")
    (True, True, False)
    """
    return any(w in ("perplexity", "perplexities", "ppl") for w in _words(metric))


def is_auc(metric: str) -> bool:
    """Whether the name denotes the area under the ROC curve, which is 0.5 by chance.

    >>> is_auc("test_roc_auc"), is_auc("AUROC"), is_auc("pr_auc"), is_auc("1 - auc")
    (True, True, False, False)
    """
    words = _joined(_words(metric))
    plain = direction(metric) is True and "pr" not in words
    return plain and any(w in ("auc", "auroc", "rocauc") for w in words)


def is_agreement(metric: str) -> bool:
    """Whether the name denotes an agreement or a correlation with the truth, which is 0 by chance.

    >>> is_agreement("mcc"), is_agreement("spearman_rho"), is_agreement("r2")
    (True, True, False)
    """
    signed = SIGNED - {"ari", "nse", "r2", "rsquared", "silhouette", "skill"}
    return direction(metric) is True and any(w in signed for w in _joined(_words(metric)))


def is_error(metric: str) -> bool:
    """Whether the name denotes an error, a loss or a delay, where lower is always better.

    >>> is_error("wikitext_perplexity"), is_error("c4 bpb"), is_error("energy"), is_error("churn")
    (True, True, False, False)
    """
    words = _words(metric)
    last = words[-1] if words else ""
    return direction(metric) is False and (
        (is_nonnegative(metric) and not is_resource(metric))
        or last in ("bpb", "bpc", "bpw", "latency", "nll", "ppl")
        or last.endswith(("loss", "perplexity", "entropy"))
    )


def is_negated(metric: str) -> bool:
    """Whether the name denotes an error with reversed sign, as in scikit-learn's scorers.

    >>> is_negated("neg_mean_squared_error"), is_negated("negative_log_likelihood"), is_negated("mse")
    (True, False, False)
    """
    first, *rest = _words(metric) or [""]
    error = is_nonnegative(" ".join(rest)) or "".join(rest).endswith("loss")
    return first in ("neg", "negated", "minus") and error


def is_rank(metric: str) -> bool:
    """Whether scores of this name are ranks: an order, whose differences have no size.

    Parameters
    ----------
    metric : str
        Name of the metric.

    Returns
    -------
    bool
        True for "rank" and "ranks".

    Examples
    --------
    >>> from ropewalk.data import is_rank
    >>> is_rank("rank"), is_rank("accuracy")
    (True, False)
    """
    return metric.lower() in ("rank", "ranks")


def _words(metric: str) -> list[str]:
    """Split a name into lower-case words: at punctuation, and between a small letter and a capital."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", metric.replace("@", " at ").replace("²", "2"))
    return [w for w in re.split(r"[^a-z0-9]+", apart.lower()) if w]


def _per(words: list[str]) -> tuple[list[str], list[str]]:
    """Split at "per" or "at": what is measured, and what it is divided by."""
    if words and words[0] == "per":
        return words[2:], []
    for i, word in enumerate(words):
        if i and word in ("per", "at"):
            return words[:i], words[i + 1 :] if word == "per" else []
    return words, []


def _phrases(words: list[str]) -> tuple[list[str], list[bool | None]]:
    """Remove the known phrases; return the remaining words and the phrases' directions."""
    kept, said = list(words), []
    for size in range(_LONGEST_PHRASE, 1, -1):
        i = 0
        while i + size <= len(kept):
            phrase = " ".join(kept[i : i + size])
            if phrase in PHRASES:
                said.append(PHRASES[phrase])
                del kept[i : i + size]
            else:
                i += 1
    return kept, said


def _until(words: list[str]) -> list[str]:
    """Return the measured quantity if the name says until when: the time of time_to_accuracy.

    >>> _until(["time", "to", "accuracy"]), _until(["text", "to", "sql", "accuracy"])
    (['time'], ['text', 'to', 'sql', 'accuracy'])
    """
    before = words[: words.index("to")] if "to" in words else []
    return before if any(w in RESOURCES or w in COUNTED for w in before) else words


def _is_unsaid(words: list[str], turned: int) -> bool:
    """Whether a name is ambiguous: err@20, an error or the expected reciprocal rank, and 1_iou."""
    return words[:2] == ["err", "at"] or (not turned and len(words) == 2 and words[0] == "1")


def _is_postponed(words: list[str]) -> bool:
    """Whether the name says how long all goes well: days_to_failure, hours_until_the_first_crash."""
    at = next((i for i, w in enumerate(words) if w in ("to", "before", "until", "since")), len(words))
    after = [w for w in words[at + 1 :] if w not in ("the", "last")]
    return bool(after) and after[after[0] in ("first", "next") and len(after) > 1] in FEARED


def _decisive(words: list[str]) -> bool | None:
    """Return the direction of the last word if it is a measure: latency in latency_ms, none in uptime_ms."""
    if len(words) > 1 and words[-1] in TIMES:
        return False if words[-2] in DECISIVE and not _way(words[-2]) else None
    return _way(words[-1]) if words and words[-1] in DECISIVE else None


def _is_clouded(words: list[str]) -> bool:
    """Whether something bad was found, prevented or graded, so that more of it may be better."""
    graded = any(w in GRADES for w in words) and any(w in RESOURCES for w in words)
    bad = next((i for i, w in enumerate(words) if _way(w) is False), len(words))
    known = CIRCUMSTANCES | TURNING | UP | DOWN | LENGTHS["distance"]
    done = [w for w in words[bad + 1 :] if w.endswith(DEEDS) and w not in known]
    counted = any(w in TIMES for w in words[-1:]) and any(w in COUNTED for w in words)  # images_sec
    return graded or bool(done) or counted or _is_length(words) or any(w in CLOUDING_DOWN for w in words)


def _is_length(words: list[str]) -> bool:
    """Whether the name is of a distance or a duration that can also be good.

    >>> [_is_length(name.split()) for name in ("edit distance", "running distance", "mean distance km")]
    [False, True, True]
    """
    length = next((w for w in words if w.removesuffix("s") in LENGTHS), None)
    if length is None:
        return False
    usual = LENGTHS[length.removesuffix("s")] | SUMMED_UP | TIMES | TURNING | {length}
    if length.startswith("distance") and set(words) <= SUMMED_UP | {length} and WAYS & set(words):
        return True  # distance_km may be how far a robot came
    return any(w.rstrip("0123456789") not in usual and w not in usual for w in words)


def _joined(words: list[str]) -> list[str]:
    """Return every word once, joining two or three that form one known word (log loss, exact match)."""
    out, i = [], 0
    while i < len(words):
        for size in (3, 2, 1):
            word = "".join(words[i : i + size])
            if size == 1 or (i + size <= len(words) and (word in UP or word in DOWN)):
                out.append(word)
                i += size
                break
    return out


def _way(word: str) -> bool | None:
    for form in (word, word.rstrip("0123456789")):  # ndcg10
        if form in UP or form in DOWN:
            return form in UP
    return None


def _ending(word: str) -> bool | None:
    if word.endswith(LONG_DOWN):
        return False
    if not word.endswith(LONG_UP) or any(word == n + end for n in NEGATING for end in LONG_UP):
        return None
    return True
