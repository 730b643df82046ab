"""The sentences that state a verdict: every output takes them from here, including the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.results.formatting import share

if TYPE_CHECKING:
    from ropewalk.decide.verdict import Name
    from ropewalk.posterior import Probabilities

PROBABLY = 0.6  # least probability at which an undecided pair is said to lean to one side

# About one pair.
PAIR = {
    "better": "{ahead} is better than {behind}.",
    "equivalent": "{a} and {b} are practically equivalent.",
    "probably better": "{ahead} is probably better than {behind} ({p}), but that is not enough for a "
    "verdict{at}.",
    "probably equivalent": "{a} and {b} are probably equivalent ({p}), but that is not enough for a "
    "verdict{at}.",
    "undecided": (
        "Undecided: the data do not show whether {a} or {b} is better, or whether they are equivalent."
    ),
    "alike": "{a} and {b} do not differ on any {unit}.",
    "at": " at {least}",
}

# About the reference model.
REFERENCE = "{name} (the reference)"

# About all models, from their joint posterior.
MODELS = {
    "best": "{first} is the best of the {count} models{or_close} (probability {p}).",
    "all equivalent": "All {count} models are practically equivalent.",
    "each best": "{members} are each the best of the {count} models{or_close} (lowest probability {p}).",
    "unknown": "Undecided: the data do not show which of the {count} models is best.",
    "one of": "{members} is {close_to}the best of the {count} models (probability {p}); the data do not show "
    "which.",
    "or close": " or practically tied with the best",
    "close to": "practically ",
}

# About several pairs.
PAIRS = {
    "settled": "{decided} of {count} pairs decided",
    "best": "{first} is better than every other model.",
    "all equivalent": "All models are practically equivalent.",
    "none better": "No model is shown to be better than another; {settled}.",
    "unbeaten": "No model is shown to be better than {members}; {settled}.",
    "mixed": "No single model is ahead of all the others; {settled}.",
}

# About several models against the reference: parts of one sentence.
AGAINST = {
    "none": "None of the {count} models is shown to be better than {b}",
    "better": "{names} {are} better than {b}",
    "worse": "{names} {are} worse",
    "equivalent": "{names} {are} practically equivalent to it",
    "undecided": "undecided: {names}",
}


def pair_sentence(a: str, b: str, p: Probabilities, name: Name, least: float | None = None) -> str:
    """Return one plain sentence, the better model first; `least` is the probability that a verdict needs.

    >>> from ropewalk.posterior import Probabilities
    >>> pair_sentence("gpt", "bert", Probabilities(better=0.01, equivalent=0.02, worse=0.97), "worse")
    'bert is better than gpt.'
    >>> pair_sentence("gpt", "bert", Probabilities(better=0.7, equivalent=0.1, worse=0.2), "undecided", 0.95)
    'gpt is probably better than bert (0.70), but that is not enough for a verdict at 0.95.'
    """
    leads = p.better >= p.worse
    key: str = name
    if name in ("better", "worse"):
        key, leads = "better", name == "better"
    elif name == "undecided" and max(p.better, p.worse) >= PROBABLY:
        key = "probably better"
    elif name == "undecided" and p.equivalent >= PROBABLY:
        key = "probably equivalent"
    ahead, behind = (a, b) if leads else (b, a)
    leading = p.equivalent if key == "probably equivalent" else max(p.better, p.worse)
    at = "" if least is None else PAIR["at"].format(least=f"{least:.15g}")
    return PAIR[key].format(a=a, b=b, ahead=ahead, behind=behind, p=share(leading, least), at=at)


def claim(a: str, b: str, name: Name) -> str:
    """Return the verdict as part of a sentence."""
    if name == "undecided":
        return "the comparison is undecided"
    ahead, behind = (a, b) if name == "better" else (b, a)
    text = PAIR["equivalent" if name == "equivalent" else "better"]
    return text.format(a=a, b=b, ahead=ahead, behind=behind).removesuffix(".")
