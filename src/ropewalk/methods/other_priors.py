"""Comparison -> the same data under a few other priors, each with its reason."""

from __future__ import annotations

from typing import TypeAlias, cast

import numpy as np

from ropewalk import bayes
from ropewalk.bayes.hierarchical_t_range import USUAL
from ropewalk.bayes.signed_rank import sample
from ropewalk.decide import priors, probabilities
from ropewalk.errors import short
from ropewalk.methods.other_ropes import DRAWS, MOST_UNITS, is_regions, tallied
from ropewalk.posterior import BetaMixture, DirichletRegions, Point, Posterior, Probabilities, Student
from ropewalk.results.comparison import Comparison, Hierarchy, Outcomes

Found: TypeAlias = tuple[str, str, Probabilities]  # the name of a prior, what it is and why, the answer

_SCEPTIC = "(Spiegelhalter et al. 1994, doi:10.2307/2983527)"
_TENTH = f"worth a tenth of the data, at no difference {_SCEPTIC}"
_CAUCHY = (
    "Cauchy around no difference, worth a tenth of the data there "
    "(Rouder et al. 2009, doi:10.3758/PBR.16.2.225)"
)
_JEFFREYS = "the same on every scale (Jeffreys 1946, doi:10.1098/rspa.1946.0056)"
_PLACE = "(Benavoli et al. 2017, sec. 4.3, jmlr.org/papers/v18/16-305.html)"
_TAILS = (
    ("as printed", "nu - 1 ~ Gamma(a, b), a from 0.5 to 5, b from 0.05 to 0.15 (Benavoli et al. 2017, text)"),
    ("as in the tables", "a from 1 to 2, b from 0.01 to 0.1 (Benavoli et al. 2017, tables)"),
    ("normal tasks", "a from 2 to 3, b from 0.01 to 0.02: hardly any task is odd"),
    ("odd tasks", "a from 1 to 2, b from 0.5 to 1: heavy tails"),
)


def other_priors(c: Comparison) -> tuple[list[Found], str]:
    """The answer under each prior, the one that was used first; or else why there is none to vary."""
    reason = _none(c)
    if reason:
        return [], f"no prior to vary: {reason}"
    now, p, e = c.verdict.probabilities, c.posterior, c.evidence
    if is_regions(p):
        return _places(c, now), ""
    if isinstance(e, Hierarchy):
        return (_tails if isinstance(e.fitted, bayes.HierarchicalT) else _sizes)(c, now), ""
    if isinstance(p, BetaMixture):
        return _wins(c, p, now), ""
    if c.method == "mcnemar":
        return _tables(c, now), ""
    if isinstance(p, bayes.BootstrapPosterior):
        return _weights(c, p, now), ""
    if isinstance(p, Student):
        return _student(c, p, now), ""
    flat = ("flat", "flat in the advantage", now)
    return [flat, ("sceptical", _CAUCHY, priors.sceptical(cast("Posterior", p), c.rope))], ""


def _none(c: Comparison) -> str:
    if isinstance(c.posterior, Point):
        return "nothing varies, and every prior gives the same"
    if c.method == "joint_tasks":
        return "this pair comes out of one model of all pairs; compare it by itself"
    if is_regions(c.posterior) and tallied(c) is None:
        return "only sums and counts of the differences were kept"
    if c.method == "signed_rank" and c.n > MOST_UNITS:
        return f"half a prior observation beside {c.n:,} {c.unit}s does not matter"
    return ""


def _student(c: Comparison, p: Student, now: Probabilities) -> list[Found]:
    found = [("flat", "flat in the mean and in the logarithm of the standard deviation", now)]
    wider = priors.flat_in_sd(p)
    if wider is not None:
        why = "flat in the standard deviation (Gelman 2006, doi:10.1214/06-BA117A)"
        found.append(("flat in sd", why, probabilities(wider, c.rope)))
    sceptical = probabilities(priors.sceptical_student(p), c.rope)
    return [*found, ("sceptical", f"conjugate, {_TENTH}", sceptical)]


def _tables(c: Comparison, now: Probabilities) -> list[Found]:
    """Right and wrong answers: a Dirichlet of the four outcomes, of which phi needs two."""
    e = cast("Outcomes", c.evidence)
    four = (e.n00, e.n01, e.n10, e.n11)
    on_phi = c.rope.scale == "phi"

    def answer(prior: priors.Counts) -> Probabilities:
        if on_phi:
            return probabilities(bayes.mcnemar(e.n01, e.n10, prior=prior[1:3]), c.rope)
        return probabilities(bayes.accuracy_difference(*four, prior=prior), c.rope)

    ones = "Beta(1, 1)" if on_phi else "Dirichlet(1, 1, 1, 1)"
    more = "disagreements" if on_phi else "examples, the disagreements among them"
    return [
        ("uniform", ones, now),
        ("Jeffreys", f"{ones.replace('1', '1/2')}: {_JEFFREYS}", answer((0.5, 0.5, 0.5, 0.5))),
        ("sceptical", f"a tenth more {more} split evenly {_SCEPTIC}", answer(priors.sceptical_counts(*four))),
    ]


def _weights(c: Comparison, p: bayes.BootstrapPosterior, now: Probabilities) -> list[Found]:
    return [
        (
            "none",
            "Dirichlet(1, ..., 1), a process without a prior weight (Rubin 1981, doi:10.1214/aos/1176345338)",
            now,
        ),
        (
            "sceptical",
            f"a tenth more {c.unit}s without a difference (Ferguson 1973, doi:10.1214/aos/1176342360)",
            priors.sceptical_draws(p, p.units, c.rope),
        ),
    ]


def _places(c: Comparison, now: Probabilities) -> list[Found]:
    """The one prior observation of the sign and signed-rank tests: no difference, or far to either side."""
    data = tallied(c)
    assert data is not None  # `_none` looked
    d, counts = data
    edges = (c.rope.low, c.rope.high)
    if isinstance(c.posterior, DirichletRegions):
        how = "one prior observation"
        found = [bayes.sign(d, edges, place=at, counts=counts).most_probable for at in ("better", "worse")]
    else:
        how = "half a prior observation"
        every = d if counts is None else np.repeat(d, counts.astype(np.intp))
        (regions,) = sample(every, [edges], places=(np.inf, -np.inf), draws=DRAWS)
        found = [r.most_probable for r in regions]
    return [
        ("no difference", f"{how} at no difference {_PLACE}", now),
        *(
            (f"for {short(m, 24)}", f"{how} far on the side of {short(m, 24)} {_PLACE}", p)
            for m, p in zip((c.a, c.b), found, strict=True)
        ),
    ]


def _tails(c: Comparison, now: Probabilities) -> list[Found]:
    fitted = cast("bayes.HierarchicalT", cast("Hierarchy", c.evidence).fitted)
    return [
        (*_TAILS[0], now),
        *(
            (*words, priors.with_tails(fitted, bounds, c.rope))
            for words, bounds in zip(_TAILS[1:], USUAL[1:], strict=True)
        ),
        ("sceptical", f"mu0 {_CAUCHY}", priors.sceptical_mean(fitted, c.rope)),
    ]


def _sizes(c: Comparison, now: Probabilities) -> list[Found]:
    fitted = cast("bayes.HierarchicalMcNemar", cast("Hierarchy", c.evidence).fitted)
    proper = priors.with_sizes(fitted, c.rope)
    return [
        ("diffuse", "p(a, b) proportional to (a + b)^(-5/2) (Gelman et al. 2013, sec. 5.3)", now),
        (
            "proper",
            "p(a + b) proportional to (1 + a + b)^-2 (Albert 2009, doi:10.1007/978-0-387-92298-0)",
            proper,
        ),
        ("sceptical", f"logit(a/(a + b)) {_CAUCHY}", priors.sceptical_phi(fitted, c.rope)),
    ]


def _wins(c: Comparison, p: BetaMixture, now: Probabilities) -> list[Found]:
    def answer(more: float) -> Probabilities:
        return probabilities(BetaMixture.of(p.weights, a=p.a + more, b=p.b + more), c.rope)

    return [
        ("uniform", f"the share of tasks on which {short(c.a, 24)} is better ~ Beta(1, 1)", now),
        ("Jeffreys", f"Beta(1/2, 1/2): {_JEFFREYS}", answer(-0.5)),
        ("sceptical", f"a tenth more tasks, half of them won {_SCEPTIC}", answer(priors.WORTH * c.n / 2)),
    ]
