"""chrF: the F score of character n-grams of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from ropewalk.metrics import check
from ropewalk.metrics.check import Floats

ORDERS = 6  # n-grams of 1 to 6 characters
_BETA = 2.0  # recall counts twice as much as precision
COLUMNS = tuple(f"{what}{n}" for n in range(1, ORDERS + 1) for what in ("hyp", "ref", "match"))


def chrf(sums: Floats) -> Floats:
    """chrF2 from 0 to 1, from sums of `chrf_statistics` (Popović 2015, doi:10.18653/v1/W15-3049).

    (1 + β²) P R / (β² P + R) with β = 2, where P and R are the mean precision and recall of the n-grams of 1
    to 6 characters, over the orders that both sides have. White space is ignored.
    """
    hyp, ref, match = (sums[:, i::3] for i in range(3))
    both = (hyp > 0) & (ref > 0)
    orders = np.maximum(both.sum(axis=1), 1)
    precision, recall = (
        np.divide(match, n, out=np.zeros(match.shape), where=both).sum(axis=1) / orders for n in (hyp, ref)
    )
    below = _BETA**2 * precision + recall
    above = (1 + _BETA**2) * precision * recall
    return np.asarray(np.divide(above, below, out=np.zeros(below.shape), where=below > 0))


def chrf_statistics(hypotheses: Iterable[str], references: Iterable[str]) -> Floats:
    """Count what chrF adds up: character n-grams of 1 to 6 and their matches.

    Parameters
    ----------
    hypotheses : iterable of str
        Text of each segment that a model gave.
    references : iterable of str
        Text of the reference of each segment, one reference each.

    Returns
    -------
    ndarray, segments x 18
        For each length: n-grams of the hypothesis, n-grams of the reference, and matches. If the reference is
        too short for a length, the n-grams of the hypothesis with that length are not counted.

    References
    ----------
    .. [1] Popović 2015, doi:10.18653/v1/W15-3049.

    Examples
    --------
    >>> chrf_statistics(["abc"], ["abd"])[0, :6].tolist()
    [3.0, 3.0, 2.0, 2.0, 2.0, 1.0]
    """
    hyps, refs = list(hypotheses), list(references)
    check.same_length(hypotheses=hyps, references=refs)
    return np.array([_segment(h, r) for h, r in zip(hyps, refs, strict=True)], dtype=np.float64)


def _segment(hypothesis: str, reference: str) -> list[int]:
    texts = ["".join(text.split()) for text in (hypothesis, reference)]
    counts: list[int] = []
    for n in range(1, ORDERS + 1):
        hyp, ref = (Counter(text[i : i + n] for i in range(len(text) - n + 1)) for text in texts)
        counts += [hyp.total() if ref else 0, ref.total(), (hyp & ref).total()]
    return counts
