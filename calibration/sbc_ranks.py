"""Data from the models of the tests on ranks, signs and censored differences; see sbc_models.py."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.random import Generator
from scipy.special import betainc

from ropewalk import bayes
from ropewalk.posterior import Probabilities, RegionRanges
from sbc_tools import Model, rank, region, which

_ORDERS = np.array([*permutations([1.0, 2.0, 3.0])])
_LARGEST: dict[tuple[float, ...], dict[float, float]] = {}  # integrals of several_sign that were done already
_PATTERNS = np.array([[0.0, 0.0], [2.0, 2.0], [2.0, -2.0], [-2.0, 2.0], [-2.0, -2.0]])


def rank_sum(rng: Generator) -> list[float]:
    first = rng.normal(rng.normal(0, 0.7, (2, 1)), 1.0, (2, 5))
    w, v = rng.dirichlet(np.ones(5), size=2)
    apart = first[0][:, None] - first[1]
    pairs = np.outer(w, v)
    better, worse = float(pairs[apart > 0.5].sum()), float(pairs[apart < -0.5].sum())
    sizes = rng.choice([2, 6, 20], size=2)
    a, b = (np.append(x, rng.choice(x, size=n, p=p)) for x, n, p in zip(first, sizes, (w, v), strict=True))
    found = bayes.rank_sum(a, b, rope=0.5, strength=1e-9, draws=1000, rng=rng)
    theta = (better, 1 - better - worse, worse)
    return [rank(better, found.points[:, 0], rng), region(found.most_probable, theta, rng)]


def friedman(rng: Generator) -> list[float]:
    theta = rng.dirichlet(np.full(6, 0.5))  # strength 3 over the six orders
    ranks = _ORDERS[rng.choice(6, size=rng.choice([2, 6, 20]), p=theta)]
    found = bayes.friedman(-ranks, strength=3.0, draws=1000, rng=rng)
    true = theta @ _ORDERS
    apart = found.draws[:, 0] - found.draws[:, 1]
    return [rank(float(true[1] - true[0]), apart, rng), which(list(found.p_best), int(true.argmin()), rng)]


def several_sign(rng: Generator) -> list[float]:
    theta = rng.dirichlet(np.ones(5))  # one unit of each pattern; the prior's own is the first
    more = _PATTERNS[rng.choice(5, size=rng.choice([3, 10, 30]), p=theta)]
    found = bayes.several_sign(np.concatenate([_PATTERNS[1:], more]), [1.0, 1.0])
    up = found.dominates
    names = [tuple("equivalent" if x == 0 else "better" if x > 0 else "worse" for x in p) for p in _PATTERNS]
    # Equal parameters have equal probabilities, so the answer is known by the sorted parameters.
    key = tuple(sorted(found.alpha.values()))
    if key not in _LARGEST:
        _LARGEST[key] = {found.alpha[name]: value for name, value in found.most_probable.items()}
    p = [_LARGEST[key][found.alpha[name]] for name in names]
    return [float(betainc(up.a, up.b, theta[1])), which(p, int(theta.argmax()), rng)]


def censored_sign(rng: Generator) -> list[float]:
    theta = rng.dirichlet(np.ones(3))
    d = [2.0, -2.0, *rng.choice([2.0, 0.0, -2.0], size=rng.choice([3, 10, 30]), p=theta)]
    return [region(_known(bayes.censored_sign(d, d, 1.0)), theta, rng)]


def censored_signed_rank(rng: Generator) -> list[float]:
    first = rng.normal(rng.normal(0, 0.7), rng.choice([0.3, 1.0]), 6)
    z = np.append(0.0, first)
    w = rng.dirichlet(np.append(0.5, np.ones(6)))
    two, pairs = z[:, None] + z, np.outer(w, w)
    better, worse = pairs[two > 1.0].sum(), pairs[two < -1.0].sum()
    d = np.append(first, rng.choice(z, size=rng.choice([2, 6, 20]), p=w))
    found = bayes.censored_signed_rank(d, d, 0.5, draws=1000, rng=rng)
    return [region(_known(found), (better, 1 - better - worse, worse), rng)]


def _known(found: RegionRanges) -> Probabilities:
    """Where nothing is unknown both ends are the same."""
    return Probabilities(better=found.better[0], equivalent=found.equivalent[0], worse=found.worse[0])


_RANGE = "no value is censored, so both ends of the range equal the posterior"

RANKS = (
    Model(
        method="rank_sum",
        quantities=("theta better", "most probable"),
        how="the posterior after five units of each model is the prior for the others",
        pit=rank_sum,
    ),
    Model(
        method="friedman",
        quantities=("a difference of mean ranks", "which is best"),
        how="the shares of the six orders of three models were drawn from the prior of strength 3, 2 to "
        "20 tasks",
        pit=friedman,
    ),
    Model(
        method="several_sign",
        quantities=("share where A dominates", "most probable"),
        how="two measures; the posterior after one unit of each of five patterns is the prior for the others",
        pit=several_sign,
        replications=50_000,
    ),
    Model(
        method="censored_sign", quantities=("most probable",), how=f"as `sign`; {_RANGE}", pit=censored_sign
    ),
    Model(
        method="censored_signed_rank",
        quantities=("most probable",),
        how=f"as `signed_rank`; {_RANGE}",
        pit=censored_signed_rank,
    ),
)
