"""The sentences in which a verdict is told: every output takes them from here, the page in a browser too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ropewalk.decide.verdict import Name
    from ropewalk.posterior import Probabilities

PROBABLY = 0.6  # from here on a lean is worth a word

# Of one pair.
PAIR = {
    "better": "{ahead} is better than {behind}.",
    "equivalent": "{a} and {b} are practically equivalent.",
    "probably better": "{ahead} is probably better than {behind}, but the data cannot settle it yet.",
    "probably equivalent": "{a} and {b} are probably equivalent, but the data cannot settle it yet.",
    "undecided": "The data cannot tell yet whether {a} or {b} is better, or neither.",
    "alike": "{a} and {b} answer alike on every {unit}.",
}

# A model that is more than one of a pair.
REFERENCE = "{name} (the reference)"

# Of all models, from their joint posterior.
MODELS = {
    "best": "{first} is the best of the {count} models{or_close}.",
    "all equivalent": "All {count} models are practically equivalent.",
    "each best": "{members} are each the best of the {count} models{or_close}.",
    "unknown": "The data cannot tell yet which of the {count} models is best.",
    "one of": "The best of the {count} models is {members}; the data cannot tell yet which.",
    "or close": ", or within the ROPE of it",
}

# Of several pairs.
PAIRS = {
    "settled": "{decided} of {count} comparisons settled",
    "reference": "{better} of {count} models are better than {b}, {worse} worse; {settled}.",
    "best": "{first} is better than every other model.",
    "all equivalent": "All models are practically equivalent.",
    "none better": "No model is better than another; {settled}.",
    "unbeaten": "No model is better than {members}; {settled}.",
    "mixed": "No model comes out on top throughout; {settled}.",
}


def pair_sentence(a: str, b: str, p: Probabilities, name: Name) -> str:
    """One plain sentence, the better model first.

    >>> from ropewalk.posterior import Probabilities
    >>> pair_sentence("gpt", "bert", Probabilities(better=0.01, equivalent=0.02, worse=0.97), "worse")
    'bert is better than gpt.'
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
    return PAIR[key].format(a=a, b=b, ahead=ahead, behind=behind)


def winner_named(a: str, b: str, name: str) -> str:
    """A verdict with the name of the model that it calls better.

    >>> winner_named("gpt-3.5", "gpt-4", "worse"), winner_named("gpt-3.5", "gpt-4", "undecided")
    ('gpt-4 better', 'undecided')
    """
    winner = {"better": a, "worse": b}.get(name)
    return name if winner is None else f"{winner} better"


def claim(a: str, b: str, name: Name) -> str:
    """The verdict as part of a sentence."""
    if name == "undecided":
        return "the comparison is undecided"
    ahead, behind = (a, b) if name == "better" else (b, a)
    text = PAIR["equivalent" if name == "equivalent" else "better"]
    return text.format(a=a, b=b, ahead=ahead, behind=behind).removesuffix(".")
