"""Which orderings of published accuracies hold for every possible agreement of the models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ropewalk.claims.margins import Margins, published
from ropewalk.claims.pair_probabilities import at_size, on_different_examples, on_the_same_examples
from ropewalk.claims.results import Bound, Claim, Claims, Holds, Published
from ropewalk.decide.verdict import Name
from ropewalk.errors import DataError, OptionError
from ropewalk.posterior import Probabilities

_BOUNDS = 21  # number of agreements evaluated, including the least and the most
_ROUNDED_BOUNDS = 5  # the same number for other roundings
_LARGEST_N = 10**8

Rope = tuple[float, float]


def claim(
    accuracies: Mapping[str, Any],
    n: int | Mapping[str, int],
    *,
    agreement: float | None = None,
    both_right: float | None = None,
    rope: float | tuple[float, float] = 0.0,
    threshold: float = 0.95,
) -> Claims:
    """Audit claims such as "A (0.86) is better than B (0.85)" from accuracies and test set sizes alone.

    Parameters
    ----------
    accuracies : mapping from model to accuracy
        A share such as 0.863 or "0.8630", or a text with a percent sign such as "86.3%". The number of digits
        says how far it may have been rounded; give text to keep trailing zeros.
    n : int, or mapping from model to int
        Number of test examples. Models with the same n are assumed to have been tested on the
        same examples.
    agreement : float, optional
        Share of examples on which both models are right or both are wrong. Two models only.
    both_right : float, optional
        Share of examples on which both models are right. Two models only.
    rope : float or (low, high), default 0
        Accuracy differences that do not matter. 0: any higher accuracy is better.
    threshold : float, default 0.95
        Probability that a claim needs.

    Returns
    -------
    Claims
        One `Claim` for each pair with different accuracies.

    Notes
    -----
    For two models on the same examples, a paper prints the accuracies but not how often both are right, which
    can be max(0, a + b - n) to min(a, b) examples. For each such number the outcomes have a Dirichlet
    posterior with a uniform prior (`bayes.accuracy_difference`). It is widest for the least agreement.

    References
    ----------
    The Dirichlet over agreement and disagreement given the margins is that of Claims Reloaded,
    arXiv:2505.04720.

    Examples
    --------
    >>> found = claim({"ours": "0.86", "theirs": "0.85"}, 1000)
    >>> found.pairs[0].holds
    'some'
    >>> fixed = claim({"ours": "0.860", "theirs": "0.850"}, 1000, both_right=0.80)
    >>> round(fixed.pairs[0].bounds[0].probabilities.worse, 3)
    0.171
    """
    rows = _rows(accuracies, n)
    edges = _edges(rope)
    if not 0.5 < threshold < 1:
        raise OptionError(f"threshold is {threshold}", hint="Give a probability between 0.5 and 1.")
    if (agreement is not None or both_right is not None) and len(rows) != 2:
        raise OptionError(
            f"the agreement is given, but there are {len(rows)} models",
            hint="An agreement belongs to a single pair. Omit it, or give two models.",
        )
    if agreement is not None and both_right is not None:
        raise OptionError("both agreement and both_right are given", hint="Give only one of the two.")
    known = _Known(agreement, both_right)
    ranked = sorted(rows, key=lambda row: -row.accuracy)
    pairs, tied = [], []
    for a, b in combinations(ranked, 2):
        if a.accuracy == b.accuracy:
            tied.append((a.model, b.model))
        else:
            pairs.append(_audit(a, b, known, edges, threshold))
    return Claims(
        models=tuple(ranked),
        pairs=tuple(pairs),
        tied=tuple(tied),
        rope=edges,
        threshold=threshold,
        agreement_given=known.anything,
    )


def _rows(accuracies: Mapping[str, Any], n: int | Mapping[str, int]) -> list[Published]:
    if len(accuracies) < 2:
        raise DataError(
            f"{len(accuracies)} accuracies are given, at least 2 are needed", hint="Give one for each model."
        )
    if isinstance(n, Mapping):
        lacking = [model for model in accuracies if model not in n]
        if lacking:
            raise DataError("n is missing for some models", where=lacking[:5], hint="Give n for every model.")
        return [published(str(model), value, n[model]) for model, value in accuracies.items()]
    return [published(str(model), value, n) for model, value in accuracies.items()]


def _edges(rope: float | tuple[float, float]) -> Rope:
    low, high = (-rope, rope) if isinstance(rope, int | float) else (float(rope[0]), float(rope[1]))
    if not -1 < low <= 0 <= high < 1:
        raise OptionError(
            f"the ROPE is {rope}",
            hint="Give a half-width in accuracy, such as 0.01, or a pair of edges around 0.",
        )
    return float(low), float(high)


def _audit(a: Published, b: Published, known: _Known, rope: Rope, threshold: float) -> Claim:
    at = _Same(a.n, known, rope) if a.n == b.n else _Different(a.n, b.n, known, rope)
    bounds = at.bounds(a.right, b.right)
    p = [bound.probabilities for bound in bounds]
    worst, best = at.ends(a.least_right, b.most_right), at.ends(a.most_right, b.least_right)
    rounded = [*p, *(bound.probabilities for bound in (*worst, *best))]
    holds = _holds(p, threshold)
    return Claim(
        a=a,
        b=b,
        same_examples=a.n == b.n,
        bounds=bounds,
        holds=holds,
        holds_rounded=_holds(rounded, threshold),
        verdict=_verdict(p, threshold),
        enough_both_right=at.enough(a.right, b.right, threshold) if holds == "some" else None,
        smallest_n=_smallest_n(a, b, known, rope, threshold),
    )


def _holds(p: list[Probabilities], threshold: float) -> Holds:
    reached = [one.better >= threshold for one in p]
    return "every" if all(reached) else "some" if any(reached) else "none"


def _verdict(p: list[Probabilities], threshold: float) -> Name:
    regions: tuple[Name, ...] = ("better", "equivalent", "worse")
    return next((r for r in regions if all(getattr(one, r) >= threshold for one in p)), "undecided")


@dataclass(frozen=True, slots=True)
class _Known:
    """The known agreement of two models, if it was given."""

    agreement: float | None
    both_right: float | None

    @property
    def anything(self) -> bool:
        return self.agreement is not None or self.both_right is not None


@dataclass(frozen=True, slots=True)
class _Same:
    """Two models on the same n examples."""

    n: int
    known: _Known
    rope: Rope

    def bounds(self, right_a: int, right_b: int) -> tuple[Bound, ...]:
        """Return bounds for all agreements possible with these counts, or for the given one."""
        margins = Margins(n=self.n, right_a=right_a, right_b=right_b)
        return self._over(margins, _BOUNDS, nearest=False)

    def ends(self, right_a: int, right_b: int) -> tuple[Bound, ...]:
        """Return bounds for other roundings, which a given agreement need not fit exactly."""
        return self._over(Margins(n=self.n, right_a=right_a, right_b=right_b), _ROUNDED_BOUNDS, nearest=True)

    def _over(self, margins: Margins, count: int, *, nearest: bool) -> tuple[Bound, ...]:
        known = self.known
        both = margins.both_for(agreement=known.agreement, both_right=known.both_right, nearest=nearest)
        if both is not None:
            return (self._bound(margins, both),)
        shown = np.unique(np.linspace(margins.least_both, margins.most_both, count).round().astype(int))
        return tuple(self._bound(margins, int(k)) for k in shown)

    def enough(self, right_a: int, right_b: int, threshold: float) -> float:
        """Smallest share of examples that both models have right at which A reaches the threshold."""
        margins = Margins(n=self.n, right_a=right_a, right_b=right_b)
        first = smallest(
            lambda both: on_the_same_examples(margins, both, self.rope).better >= threshold,
            margins.least_both,
            margins.most_both,
        )
        return first / self.n

    def _bound(self, margins: Margins, both: int) -> Bound:
        return Bound(
            both_right=both / self.n,
            agreement=margins.agreement(both),
            probabilities=on_the_same_examples(margins, both, self.rope),
        )


@dataclass(frozen=True, slots=True)
class _Different:
    """Two models on test sets of different sizes: agreement is undefined, so there is one answer."""

    n_a: int
    n_b: int
    known: _Known
    rope: Rope

    def bounds(self, right_a: int, right_b: int) -> tuple[Bound, ...]:
        if self.known.anything:
            raise OptionError(
                f"the agreement is given, but the test sets have {self.n_a:,} and {self.n_b:,} examples",
                hint="Models can only agree or disagree on the same examples.",
            )
        p = on_different_examples(right_a, self.n_a, right_b, self.n_b, self.rope)
        return (Bound(both_right=None, agreement=None, probabilities=p),)

    def ends(self, right_a: int, right_b: int) -> tuple[Bound, ...]:
        return self.bounds(right_a, right_b)

    def enough(self, right_a: int, right_b: int, threshold: float) -> None:
        return None


def _smallest_n(a: Published, b: Published, known: _Known, rope: Rope, threshold: float) -> int | None:
    """Smallest n at which these accuracies reach the threshold for every agreement, or the given one.

    The counts are the unrounded accuracies times n, so that the probability grows with n.
    """
    if a.accuracy - b.accuracy <= rope[1]:
        return None  # more examples only increase the probability of equivalence
    reaches = at_size(a.accuracy, b.accuracy, known.agreement, known.both_right, rope, paired=a.n == b.n)
    if reaches(_LARGEST_N) < threshold:
        return None
    return smallest(lambda n: reaches(n) >= threshold, 1, _LARGEST_N)


def smallest(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Smallest integer in low..high for which the monotone condition `holds`."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
