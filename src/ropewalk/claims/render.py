"""An audit of published accuracies as text for a terminal and as a JSON document."""

from __future__ import annotations

import textwrap
from typing import Any

from ropewalk.claims.results import Bound, Claim, Claims, Holds, Published
from ropewalk.report.json import json_text
from ropewalk.results.formatting import decimals
from ropewalk.results.sentences import claim as told

_WIDTH = 79
_HOLDS: dict[Holds, str] = {
    "every": "holds for every possible agreement",
    "some": "holds only for some agreements",
    "none": "holds for no possible agreement",
}
_HOLDS_OF_THEM: dict[Holds, str] = {  # wording if the agreement is known
    "every": "holds for all of them",
    "some": "holds only for some of them",
    "none": "holds for none of them",
}
_SHOWN = (0, 5, 10, 15, 20)  # number of the 21 agreements shown


# --- text --------------------------------------------------------------------------------------------------


def text(claims: Claims) -> str:
    """Return one pair in full, or the table of all claims."""
    lines = _one(claims.pairs[0], claims) if len(claims.models) == 2 and claims.pairs else _table(claims)
    return "\n".join(lines) + "\n"


def _one(claim: Claim, claims: Claims) -> list[str]:
    a, b = claim.a, claim.b
    sizes = f"n = {a.n:,}" if claim.same_examples else f"n = {a.n:,} and {b.n:,}"
    lines = [
        f"Claim: {a.model} (accuracy {a.accuracy:g}) is better than {b.model} ({b.accuracy:g}), {sizes}",
        *_folded(_agreement(claim, claims)),
        "",
        *_bounds(claim, claims),
        "",
        *_folded(f"Verdict: {_verdict(claim, claims)}"),
    ]
    if claim.enough_both_right is not None:
        lines += _folded(
            f"The claim holds if both are right on at least {claim.enough_both_right:.4f} of the examples."
        )
    lines += _folded(_smallest(claim, claims))
    return lines + _rounding([claim], claims)


def _agreement(claim: Claim, claims: Claims) -> str:
    if not claim.same_examples:
        return "The test sets differ in size, so the two accuracies are treated as independent."
    if claims.agreement_given:
        return "The agreement of the models was set by you."
    first, last = claim.bounds[0].both_right, claim.bounds[-1].both_right
    return (
        f"The agreement of the models is unknown: both are right on {first:.4g} to {last:.4g} of the "
        "examples. Both are assumed to have been tested on the same examples."
    )


def _bounds(claim: Claim, claims: Claims) -> list[str]:
    no_width = claims.rope[0] == claims.rope[1]
    heads = ["both right", "agreement", f"{claim.a.model} better"]
    heads += [] if no_width else ["equivalent"]
    heads.append(f"{claim.b.model} better")
    rows = [_cells(bound, no_width, claims.threshold) for bound in _some(claim.bounds)]
    if not claim.same_examples:
        heads, rows = heads[2:], [row[2:] for row in rows]
    width = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    return [
        "  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(row, width, strict=True)) for row in (heads, *rows)
    ]


def _some(bounds: tuple[Bound, ...]) -> list[Bound]:
    last = len(bounds) - 1
    return [bounds[i] for i in sorted({round(k * last / _SHOWN[-1]) for k in _SHOWN})]


def _cells(bound: Bound, no_width: bool, least: float) -> list[str]:
    p = bound.probabilities
    middle = [] if no_width else [decimals(p.equivalent, least)]
    known = [f"{x:.4f}" if x is not None else "" for x in (bound.both_right, bound.agreement)]
    return [*known, decimals(p.better, least), *middle, decimals(p.worse, least)]


def _verdict(claim: Claim, claims: Claims) -> str:
    every = "" if claims.agreement_given or not claim.same_examples else " for every possible agreement"
    low, high = claim.range_of("better")
    least, most = decimals(low, claims.threshold), decimals(high, claims.threshold)
    reach = least if low == high else f"{least} to {most}"
    if claim.verdict == "undecided":
        return (
            f"undecided. The probability that {claim.a.model} is better is {reach}; the claim requires "
            f"{claims.threshold:.15g}."
        )
    surely = f" (probability {reach})" if claim.verdict == "better" else ""
    return f"{told(claim.a.model, claim.b.model, claim.verdict)}{every}{surely}."


def _smallest(claim: Claim, claims: Claims) -> str:
    known = "this agreement" if claims.agreement_given else "every possible agreement"
    for_what = f"for {known}" if claim.same_examples else "on two test sets of this size"
    if claim.smallest_n is None:
        return "No larger test set would make this claim hold, because the difference is within the ROPE."
    return f"Smallest test set on which the claim would hold {for_what}: {claim.smallest_n:,} examples."


def _rounding(pairs: list[Claim], claims: Claims) -> list[str]:
    """Return the possible effect of rounding of the printed accuracies, if any."""
    turned = [pair for pair in pairs if pair.holds_rounded != pair.holds]
    if not turned:
        return []
    rows = {row.model: row for pair in turned for row in (pair.a, pair.b) if row.least_right < row.most_right}
    lines = ["", "Rounding: the printed digits allow other numbers of right answers."]
    for row in rows.values():
        lines.append(f"  {row.model}: {row.least_right:,} to {row.most_right:,} of {row.n:,}")
    for pair in turned:
        holds = (_HOLDS_OF_THEM if claims.agreement_given else _HOLDS)[pair.holds_rounded]
        lines += _folded(f'The claim "{pair.a.model} better than {pair.b.model}" {holds}.', "  ")
    return [*lines, *_folded("Give more digits if you have them: 0.860 is more precise than 0.86.", "  ")]


def _table(claims: Claims) -> list[str]:
    name = max(len(row.model) for row in claims.models)
    lines = [f"{len(claims.pairs)} claimed orderings of {len(claims.models)} published accuracies", ""]
    lines += [f"  {row.model:<{name}}  {row.accuracy:g}  (n = {row.n:,})" for row in claims.models]
    for holds, what in _HOLDS.items():
        found = claims.holding(holds)
        lines += ["", f"{len(found)} of {len(claims.pairs)}: {what}"]
        lines += [_line(pair, name, claims.threshold) for pair in found]
    if claims.tied:
        ties = ", ".join(f"{a} and {b}" for a, b in claims.tied)
        lines += ["", *_folded(f"Equal accuracies, no order is claimed: {ties}.")]
    lines += _rounding(list(claims.pairs), claims)
    note = (
        "P: probability that the first model is better, over all possible agreements; a claim requires "
        f"{claims.threshold:.15g}. Smallest n: the test set on which these accuracies would make it hold "
        "for every possible agreement. Models with the same n are assumed to have been tested on the same "
        "examples."
    )
    return [*lines, "", *_folded(note)]


def _line(pair: Claim, name: int, least: float) -> str:
    low, high = (decimals(p, least) for p in pair.range_of("better"))
    needed = f"{pair.smallest_n:,}" if pair.smallest_n is not None else "none"
    return f"  {pair.a.model:<{name}} > {pair.b.model:<{name}}  P {low} to {high}  smallest n {needed}"


def _folded(paragraph: str, indent: str = "") -> list[str]:
    return textwrap.wrap(paragraph, _WIDTH, initial_indent=indent, subsequent_indent=indent)


# --- JSON --------------------------------------------------------------------------------------------------


def document(claims: Claims) -> str:
    """Return the whole audit as a JSON document; numbers are not rounded."""
    low, high = claims.rope
    content = {
        "format": "ropewalk-claims/1",
        "threshold": claims.threshold,
        "rope": {"low": low, "high": high},
        "agreement_given": claims.agreement_given,
        "models": [_model(row) for row in claims.models],
        "claims": [_claim(pair) for pair in claims.pairs],
        "tied": [list(pair) for pair in claims.tied],
    }
    return json_text(content)


def _model(row: Published) -> dict[str, Any]:
    return {
        "model": row.model,
        "accuracy": row.accuracy,
        "n": row.n,
        "right": row.right,
        "least_right": row.least_right,
        "most_right": row.most_right,
    }


def _claim(pair: Claim) -> dict[str, Any]:
    return {
        "a": pair.a.model,
        "b": pair.b.model,
        "same_examples": pair.same_examples,
        "holds": pair.holds,
        "holds_rounded": pair.holds_rounded,
        "verdict": pair.verdict,
        "enough_both_right": pair.enough_both_right,
        "smallest_n": pair.smallest_n,
        "bounds": [
            {
                "both_right": bound.both_right,
                "agreement": bound.agreement,
                "better": bound.probabilities.better,
                "equivalent": bound.probabilities.equivalent,
                "worse": bound.probabilities.worse,
            }
            for bound in pair.bounds
        ],
    }
