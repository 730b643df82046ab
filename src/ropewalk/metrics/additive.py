"""Corpus-level metrics: statistics that add up over the segments, and a formula of the sums."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ropewalk.metrics import check
from ropewalk.metrics.check import Floats
from ropewalk.metrics.metric import Metric, Weighted, over

_ORDERS = 4  # BLEU counts n-grams of 1 to 4 words


def additive(
    name: str,
    columns: int | Sequence[str],
    formula: Callable[[Floats], Floats],
    *,
    higher_is_better: bool = True,
    range: tuple[float, float] = (0.0, 1.0),
) -> Metric:
    """Make a metric that is a formula of summed columns.

    Parameters
    ----------
    name : str
        What reports call it.
    columns : int or sequence of str
        Number of columns, or what each of them counts.
    formula : callable
        The formula, from sums (draws, columns) to values (draws,).
    higher_is_better : bool, default True
        Whether a higher value is better.
    range : pair of float, default (0.0, 1.0)
        Least and greatest value.

    Returns
    -------
    Metric
        A metric whose predictions are the matrix segments x columns; y is not used and may be None.

    Examples
    --------
    >>> error = additive("word error rate", 2, lambda s: s[:, 0] / s[:, 1], higher_is_better=False)
    >>> error.value(None, [[1, 10], [3, 10]])
    0.2
    """

    names = () if isinstance(columns, int) else tuple(columns)
    width = columns if isinstance(columns, int) else len(names)

    def prepare(y: Any, prediction: Any) -> Weighted:
        statistics = check.table(prediction, "prediction", width)
        check.same_length(prediction=statistics, y=y)
        return lambda w: formula(w @ statistics)

    return Metric(
        name=name,
        takes="statistics",
        higher_is_better=higher_is_better,
        range=range,
        prepare=prepare,
        columns=names,
        about=inspect.cleandoc(formula.__doc__ or ""),
    )


def bleu(sums: Floats) -> Floats:
    """BLEU from 0 to 1, from sums of `bleu_statistics` (Papineni et al. 2002, doi:10.3115/1073083.1073135).

    min(1, e^(1 - r/c)) · (∏_n matches_n / totals_n)^(1/4), with c and r the lengths of hypotheses and
    references. There is no smoothing: it is 0 if an order has no match. It is undefined if all hypotheses are
    empty.
    """
    matches, totals, (c, r) = sums[:, :_ORDERS], sums[:, _ORDERS : 2 * _ORDERS], sums[:, -2:].T
    some = np.all(matches > 0, axis=1)
    share = over(np.where(some[:, None], matches, 1.0), np.where(some[:, None], totals, 1.0))
    brevity = np.minimum(1.0, np.exp(1 - over(r, c)))
    return brevity * np.where(some, np.exp(np.log(share).mean(axis=1)), 0.0)


def bleu_statistics(hypotheses: Iterable[Sequence[str]], references: Iterable[Sequence[str]]) -> Floats:
    """Count what BLEU adds up: matches and n-grams of 1 to 4 words, and the lengths.

    Parameters
    ----------
    hypotheses : iterable of sequences of str
        Words of each segment that a model gave; how text is cut into words is left to you.
    references : iterable of sequences of str
        Words of the reference of each segment, one reference each.

    Returns
    -------
    ndarray, segments x 10
        Matches of 1 to 4 words, n-grams of 1 to 4 words, words of hypothesis and reference.

    References
    ----------
    .. [1] Papineni et al. 2002, doi:10.3115/1073083.1073135.

    Examples
    --------
    >>> bleu_statistics(["the cat sat".split()], ["the cat sat down".split()]).tolist()
    [[3.0, 2.0, 1.0, 0.0, 3.0, 2.0, 1.0, 0.0, 3.0, 4.0]]
    """
    hyps, refs = list(hypotheses), list(references)
    check.same_length(hypotheses=hyps, references=refs)
    return np.array([_segment(h, r) for h, r in zip(hyps, refs, strict=True)], dtype=np.float64)


def _segment(hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
    grams = [(_ngrams(hypothesis, n), _ngrams(reference, n)) for n in range(1, _ORDERS + 1)]
    matches = [(h & r).total() for h, r in grams]  # each n-gram counts at most as often as in the reference
    totals = [h.total() for h, _ in grams]
    return [*matches, *totals, len(hypothesis), len(reference)]


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def rouge(sums: Floats) -> Floats:
    """ROUGE as F1 of the corpus: 2 matches / (units of the hypotheses + units of the references).

    Columns: matching units (n-grams, or the length of the longest common subsequence), units of the
    hypothesis, units of the reference (Lin 2004). The mean of segment scores is a different number; for
    that, compare the scores of the segments themselves.
    """
    return over(2 * sums[:, 0], sums[:, 1] + sums[:, 2])


def share_of_sums(sums: Floats) -> Floats:
    """Σ errors / Σ length, the error rate of the whole corpus, not the mean over segments.

    It can exceed 1, because insertions count as errors too.
    """
    return over(sums[:, 0], sums[:, 1])


def perplexity(sums: Floats) -> Floats:
    """exp(Σ -log p / Σ tokens), with natural logarithms summed over the tokens of each document."""
    return np.exp(share_of_sums(sums))


def dice(sums: Floats) -> Floats:
    """2 Σ intersection / (Σ predicted + Σ true), the Dice coefficient of all pixels together."""
    return rouge(sums)


def iou(sums: Floats) -> Floats:
    """Σ intersection / Σ union, the intersection over union of all pixels together.

    Columns: pixels of the intersection, predicted pixels, true pixels. To compare means over images, pass the
    value of each image as its score.
    """
    return over(sums[:, 0], sums[:, 1] + sums[:, 2] - sums[:, 0])


def edit_statistics(hypotheses: Iterable[Sequence[str]], references: Iterable[Sequence[str]]) -> Floats:
    """Count the edits that turn a hypothesis into its reference, and the reference's length.

    Parameters
    ----------
    hypotheses : iterable of sequences of str
        Words of each segment that a model gave, for the word error rate; the text itself, for the character
        error rate.
    references : iterable of sequences of str
        Words or text of the reference of each segment.

    Returns
    -------
    ndarray, segments x 2
        Edits and length of the reference.

    Notes
    -----
    Edits are insertions, deletions and substitutions, as few as possible.

    References
    ----------
    .. [1] Levenshtein 1966, Soviet Physics Doklady 10, 707-710.

    Examples
    --------
    >>> edit_statistics(["the cat sat".split()], ["the cat sat down".split()]).tolist()
    [[1.0, 4.0]]
    >>> edit_statistics(["kitten"], ["sitting"]).tolist()
    [[3.0, 7.0]]
    """
    hyps, refs = list(hypotheses), list(references)
    check.same_length(hypotheses=hyps, references=refs)
    return np.array([[_edits(h, r), len(r)] for h, r in zip(hyps, refs, strict=True)], dtype=np.float64)


def _edits(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the Levenshtein distance, one row of the table at a time; insertions are a running minimum."""
    code = {unit: i for i, unit in enumerate({*a, *b})}
    target = np.array([code[unit] for unit in b], dtype=np.intp)
    along = np.arange(target.size + 1)
    row = along.copy()
    for i, unit in enumerate(a, start=1):
        best = np.concatenate([[i], np.minimum(row[1:] + 1, row[:-1] + (target != code[unit]))])
        row = np.minimum.accumulate(best - along) + along
    return int(row[-1])
