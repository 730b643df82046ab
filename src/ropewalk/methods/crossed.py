"""Several training runs of each model on the same examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.assurance import Edges, Normal
from ropewalk.assurance.more_runs import MoreRuns
from ropewalk.decide import cohens_d, probabilities
from ropewalk.errors import MethodError, short
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, estimate, second_opinion
from ropewalk.methods.futures import Directions
from ropewalk.methods.method import QUADRATURE, Method, MethodText, register
from ropewalk.methods.pair import Ask, Kind, Pair
from ropewalk.methods.t import rope_of
from ropewalk.posterior import JointPosterior, Point
from ropewalk.results.comparison import Check, Comparison
from ropewalk.results.evidence import Seeds
from ropewalk.sums import Sums

_QUARTILES = 1.3489795003921634  # distance between the quartiles of a standard normal distribution


def fit(pair: Pair) -> bayes.Crossed:
    """Fit the crossed random effects of seeds and examples."""
    if pair.runs is None:
        raise MethodError(
            "crossed needs several training runs of a model on the same examples",
            hint="Name the columns of examples and seeds: unit= and seed= (--unit, --seed).",
        )
    return bayes.crossed(pair.runs.a, b=pair.runs.b, paired=pair.runs.paired)


def as_sums(fitted: bayes.Crossed) -> Sums:
    """Sums of independent units with the same mean and the same standard deviation of the mean.

    They pass the uncertainty over seeds and examples on to a test over many tasks.
    """
    n = max(2, round(fitted.effective_n))
    if isinstance(fitted.posterior, Point):
        return Sums(n=n, mean=fitted.posterior.mean, m2=0.0)
    low, high = fitted.posterior.interval(0.5)  # quartiles: the sd does not exist for few seeds
    scale = (high - low) / 2 / float(bayes.t(Sums(n=n, mean=0.0, m2=float(n * (n - 1)))).quantile(0.75))
    return Sums(n=n, mean=fitted.posterior.mean, m2=scale**2 * n * (n - 1))


def as_cross_sums(fitted: JointPosterior, n: int, run: Sequence[int], models: int) -> bayes.CrossSums:
    """The same for all models at once: n units whose differences vary as those of the models `run` do.

    E with E_ii + E_jj - 2 E_ij = (quartile distance of the difference / that of a normal)² for every pair is
    -C Q C/2 with the centering matrix C and the squares Q; what all models share cancels over tasks.
    """
    k, x = len(run), fitted.draws
    squares = np.zeros((k, k))
    for i in range(k - 1):
        low, high = np.quantile(x[:, i, None] - x[:, i + 1 :], [0.25, 0.75], axis=0)
        squares[i, i + 1 :] = squares[i + 1 :, i] = ((high - low) / _QUARTILES) ** 2
    centring = np.eye(k) - 1 / k
    value, vector = np.linalg.eigh(-0.5 * centring @ squares @ centring)
    E = (vector * np.maximum(value, 0.0)) @ vector.T
    mean, m2 = np.full(models, np.nan), np.full((models, models), np.nan)
    mean[run], m2[np.ix_(run, run)] = fitted.mean, E * n * (n - 1)
    return bayes.CrossSums(n=n, mean=mean, m2=m2)


class CrossedEffects(Method):
    """Crossed random effects: the advantage over other seeds and other examples."""

    name = "crossed"
    title = "crossed random effects"
    card = bayes.crossed
    takes_runs = True
    varies_training = True
    grows_by = "seeds or examples"
    default_for: ClassVar[Mapping[Kind, str]] = {
        "runs": "crossed random effects, because there are several training runs on the same examples"
    }

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        fitted = fit(pair)
        assert pair.runs is not None
        rope = rope_of(pair, ask.rope)
        classical: list[nhst.TestResult] = []
        if min(fitted.seeds) > 1 and not isinstance(fitted.posterior, Point):
            test = nhst.quasi_f(pair.runs.a - pair.runs.b) if pair.runs.paired else _unpaired(pair)
            classical.append(test)
        e, p = pair.evidence, probabilities(fitted.posterior, rope)
        fixed = second_opinion(
            "t-test with the seeds fixed",
            pair,
            p,
            probabilities(bayes.t(pair.d), rope),
            ask,
            because="it treats these training runs as the only ones",
            alarming=False,
        )
        return Answer(
            posterior=fitted.posterior,
            estimate=estimate("mean advantage over seeds and examples", fitted.posterior),
            rope=rope,
            p=p,
            effect=cohens_d(pair.sums),
            classical=classical,
            checks=[*_checks(pair, fitted), fixed],
            evidence=Seeds(d=pair.d, mean_a=e.mean_a, mean_b=e.mean_b, fitted=fitted),
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name="crossed random effects of training runs and examples",
            prior="all effects are assumed normal, with a prior flat in the mean and in the logarithms of "
            "the expected mean squares",
            sources=("box1973", "rasmussen1996"),
            computed=QUADRATURE,
            about="over other training runs and examples ",
            varies="the training runs and the sampling of the examples",
        )

    def directions(self, c: Comparison) -> Directions:
        """More training runs, more examples, or both."""
        e = cast("Seeds", c.evidence)
        f, edges = e.fitted, Edges(low=c.rope.low, high=c.rope.high)
        if min(f.seeds) < 2:
            note = (
                "with a single training run of a model, nothing is known about how runs vary; train a "
                "second one"
            )
            sums = Sums.of(e.d)
            designs = (Normal(unit="example", sums=sums, edges=edges),) if sums.m2 > 0 else ()
            return Directions(designs=designs, notes=(note,))
        if f.residual.ss <= 0 or any(k.ss <= 0 for k in f.effects):
            note = "seeds or examples do not vary, so nothing is known about further ones"
            return Directions(designs=(), notes=(note,))
        both = "" if len(f.effects) == 2 else ", the same number for both models"
        return Directions(
            designs=(
                MoreRuns(fitted=f, edges=edges, unit="seed"),
                MoreRuns(fitted=f, edges=edges, unit="example"),
            ),
            draws=2_000,
            step=2.0,
            notes=(f"a further seed is one more training run of each model{both}, on all examples",),
            together=lambda seeds: MoreRuns(fitted=f, edges=edges, unit="example", along=seeds),
        )


def _unpaired(pair: Pair) -> nhst.TestResult:
    assert pair.runs is not None
    return nhst.quasi_f(pair.runs.a, b=pair.runs.b)


def _checks(pair: Pair, fitted: bayes.Crossed) -> list[Check]:
    a, b = fitted.seeds
    how = "paired by seed" if pair.runs is not None and pair.runs.paired else "not paired"
    found = [
        Check(
            name="number of seeds",
            kind="sample size",
            ok=min(a, b) >= 3 or min(a, b) == 1,  # a single seed has its own warning
            text=f"{a} of {short(pair.a)} and {b} of {short(pair.b)}, {how}"
            + (": two are too few to estimate how runs vary" if min(a, b) == 2 else ""),
            numbers={"seeds_a": float(a), "seeds_b": float(b)},
        ),
        checks.enough(fitted.examples, 10, pair.unit + "s"),
    ]
    whose = [short(m) for m, seeds in zip((pair.a, pair.b), fitted.seeds, strict=True) if seeds == 1]
    if whose:
        text = f"only one run of {' and of '.join(whose)}, so {fitted.one_seed_means}"
        found.append(Check(name="one seed", kind="sample size", ok=False, text=text))
    m, after = fitted.shares.of_mean, fitted.next
    if m.seed + m.example + m.residual > 0:
        found += [
            Check(
                name="uncertainty of the mean",
                kind="replication",
                ok=True,
                text=f"seeds contribute {m.seed:.0%} of the variance, examples {m.example:.0%}, the rest "
                f"{m.residual:.0%}",
                numbers={"seed": m.seed, "example": m.example, "residual": m.residual},
            ),
            Check(
                name="what to replicate next",
                kind="replication",
                ok=True,
                text=f"{after.better}: twice the seeds would leave {after.seeds:.0%} of the variance, twice "
                f"the examples {after.examples:.0%}",
                numbers={"seeds": after.seeds, "examples": after.examples},
            ),
        ]
    return found


register(CrossedEffects())
