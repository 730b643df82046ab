"""One pair of models over many tasks: what to expect on the next task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.analysis.one_task import compare_pair
from ropewalk.bayes.poisson_binomial import wins
from ropewalk.data import SEVERAL, Design
from ropewalk.data.scores import without_rounding
from ropewalk.decide import PhiScale, Rope, ScoreScale, cohens_d, on_advantage, probabilities, resolve_rope
from ropewalk.errors import MethodError, short
from ropewalk.methods import checks
from ropewalk.methods.pair import Answer, Ask, Pair, comparison, estimate, second_opinion
from ropewalk.methods.single_units import by_regions
from ropewalk.posterior import BetaMixture, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check, Comparison, Correlation, Hierarchy, Outcomes, OverTasks
from ropewalk.sums import Sums

_DIFFERENT = 30.0  # tasks whose scales differ by more than this are hardly of one population
_SECOND_DRAWS = 10_000  # of the second opinion: its error is at most 0.005, and it is printed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Over:
    """A and B on every task, one `Pair` each, in the order of the tasks."""

    pairs: Sequence[Pair]

    @property
    def names(self) -> list[str]:
        return [p.task or "" for p in self.pairs]

    @property
    def means(self) -> Floats:
        """The mean advantage on each task."""
        means = np.array([p.sums.mean for p in self.pairs])
        # A mean adds up the rounding of many units: a hundred times that of one difference is taken off.
        largest = [float(np.abs(p.d).max()) for p in self.pairs if p.d.size]
        return without_rounding(means, 100 * max(largest)) if largest else means

    @property
    def are_outcomes(self) -> bool:
        return all(isinstance(p.evidence, Outcomes) for p in self.pairs)

    @property
    def evidence(self) -> OverTasks:
        return OverTasks(
            names=self.names,
            n=[p.n for p in self.pairs],
            d=self.means,
            mean_a=float(np.mean([p.evidence.mean_a for p in self.pairs])),
            mean_b=float(np.mean([p.evidence.mean_b for p in self.pairs])),
        )

    @property
    def as_pair(self) -> Pair:
        """The tasks as the units of one pair: what the tests on task means see."""
        return replace(
            self.pairs[0],
            task=None,
            design=Design(unit="task"),
            evidence=self.evidence,
            d=self.means,
            sums=Sums.of(self.means),
            rho=0.0,
            ordered=False,
            clusters=None,
            runs=None,
            whole=None,
            examples=None,
            counts=None,
        )


def compare_over(over: Over, ask: Ask) -> Comparison:
    """Choose, run, check, decide, for the next task."""
    method, why = choose_over(over, ask)
    if all(p.alike for p in over.pairs):
        return compare_pair(over.as_pair, replace(ask, method="signed_rank"))  # alike everywhere
    answer = OVER_METHODS[method](over, ask)
    found = [*answer.checks, *_commensurate(over)]
    if not any(check.kind == "sample size" for check in found):
        found = [checks.enough(len(over.pairs), 5, "tasks"), *found]
    return comparison(over.as_pair, ask, method, why, answer, found)


def choose_over(over: Over, ask: Ask) -> tuple[str, str]:
    """The method over the tasks and the reason for it."""
    if ask.method in OVER_METHODS:
        return ask.method, "asked for"
    if over.pairs[0].metric == SEVERAL:
        return "poisson_binomial", (
            "the metric differs from task to task, so their scores do not compare: Poisson-binomial test"
        )
    # The hierarchical McNemar posterior exists only if some task has both kinds of disagreement.
    one_sided = over.are_outcomes and not any(p.outcomes.n01 and p.outcomes.n10 for p in over.pairs)
    if one_sided:
        return "signed_rank", (
            "on no task is each model right where the other is wrong, so the hierarchical McNemar posterior "
            "does not exist: Bayesian signed-rank test over the tasks"
        )
    if over.are_outcomes and ask.rope.kind != "score":
        return "hierarchical_mcnemar", "0/1 outcomes on many tasks: hierarchical Bayesian McNemar test"
    if over.are_outcomes:
        return "hierarchical_t", "accuracies on many tasks, ROPE in accuracy: hierarchical Bayesian t-test"
    return "hierarchical_t", f"{_designs(over)} on many tasks: hierarchical Bayesian t-test"


def _designs(over: Over) -> str:
    """How the units were drawn, with the correlation that goes with it, which may differ by task."""
    if not any(p.rho for p in over.pairs):
        return "scores"
    low, high = min(p.rho for p in over.pairs), max(p.rho for p in over.pairs)
    if low < high:
        return f"designs that differ, correlation {low:.3g} to {high:.3g}"
    return f"{over.pairs[0].design.describe()}, correlation {high:.3g}"


# --- the methods ---------------------------------------------------------------------------------------


def _hierarchical_t(over: Over, ask: Ask) -> Answer:
    rope = _rope(over, ask)
    edges = (rope.low, rope.high)
    fitted = bayes.hierarchical_t(
        [p.sums for p in over.pairs],
        rho=[p.rho for p in over.pairs],
        rope=None if rope.is_point else edges,
        names=over.names,
        # mu0 ~ U(-1, 1) for a metric between 0 and 1 (Benavoli et al. 2017), 100 in percent.
        scale=100 * over.pairs[0].points or None,
    )
    regions = fitted.next_task(edges)
    light = bayes.signed_rank(over.means, edges, draws=_SECOND_DRAWS, rng=ask.rng)
    notes = [Check(name="assumed", kind="stated", ok=True, text=note) for note in fitted.notes]
    return Answer(
        posterior=fitted.next,
        estimate=estimate("mean advantage over tasks", fitted.mean_advantage),
        rope=rope,
        p=regions.most_probable,
        effect=cohens_d(over.means),
        classical=[nhst.wilcoxon(over.means), nhst.sign(over.means)],
        checks=[
            _integrated(regions.error),
            *notes,
            second_opinion(
                "signed-rank over task means",
                over.as_pair,
                regions.most_probable,
                light.most_probable,
                ask,
                because="it does not see the spread within tasks",
                alarming=False,
                error=light.error,
            ),
        ],
        evidence=_hierarchy(over, regions, fitted),
        correlation=_correlation(over),
    )


def _hierarchical_mcnemar(over: Over, ask: Ask) -> Answer:
    if ask.rope.kind == "score":
        raise MethodError(
            "hierarchical_mcnemar works on phi, and the ROPE was given in accuracy",
            hint='Give the ROPE as a share of a standard deviation ("0.1sd"), or use hierarchical_t.',
        )
    tables = [p.outcomes for p in over.pairs]
    n01, n10 = np.array([o.n01 for o in tables]), np.array([o.n10 for o in tables])
    fitted = bayes.hierarchical_mcnemar(n01, n10)
    disagreement = float((n01 + n10).sum() / sum(o.n for o in tables))
    rope = resolve_rope(ask.rope, PhiScale(phi=fitted.phi_next.mean, disagreement=disagreement))
    regions = fitted.next_task((rope.low, rope.high))
    return Answer(
        posterior=fitted.phi_next,
        estimate=estimate("phi on the next task", fitted.phi_next),
        rope=rope,
        p=regions.mean,
        effect=cohens_d(over.means),
        classical=[nhst.wilcoxon(over.means), nhst.sign(over.means)],
        checks=[
            _integrated(regions.error),
            second_opinion(
                "sign test over task means",
                over.as_pair,
                regions.mean,
                bayes.sign(over.means, on_advantage(rope, disagreement)).mean,
                ask,
                because="it counts every task as one, whatever the number of its examples",
                alarming=False,
            ),
        ],
        evidence=_hierarchy(over, regions, fitted),
    )


def _signed_rank(over: Over, ask: Ask) -> Answer:
    rope = _rope(over, ask)
    regions = bayes.signed_rank(over.means, (rope.low, rope.high), rng=ask.rng)
    return by_regions(over.as_pair, rope, regions, nhst.wilcoxon(over.means), ask)


def _sign(over: Over, ask: Ask) -> Answer:
    rope = _rope(over, ask)
    regions = bayes.sign(over.means, (rope.low, rope.high))
    return by_regions(over.as_pair, rope, regions, nhst.sign(over.means), ask)


def _poisson_binomial(over: Over, ask: Ask) -> Answer:
    """P3 sec. 5: the share of tasks of the context on which A is better is a mixture of Betas; no ROPE."""
    each = np.array([_ahead(pair) for pair in over.pairs])
    p = wins(each)
    won = np.arange(p.size)
    posterior = BetaMixture.of(p, a=won + 1.0, b=p.size - won)
    rope = Rope(
        low=0.5, high=0.5, scale="share", source="not used by this test", in_scores="none", origin="unused"
    )
    ahead = probabilities(posterior, rope)
    beside = second_opinion(
        "sign test over task means",
        over.as_pair,
        ahead,
        bayes.sign(over.means, 0.0).most_probable,
        ask,
        because="it takes the better model of each task for certain",
        alarming=False,
    )
    return Answer(
        posterior=posterior,
        estimate=estimate(f"share of tasks on which {short(over.pairs[0].a)} is better", posterior),
        rope=rope,
        p=ahead,
        effect=cohens_d(over.means),
        classical=[nhst.sign(over.means)],
        checks=[beside, _decided(each)],
        evidence=over.evidence,
    )


OVER_METHODS: dict[str, Callable[[Over, Ask], Answer]] = {
    "hierarchical_t": _hierarchical_t,
    "hierarchical_mcnemar": _hierarchical_mcnemar,
    "signed_rank": _signed_rank,
    "sign": _sign,
    "poisson_binomial": _poisson_binomial,
}


# --- what they share -----------------------------------------------------------------------------------


def _hierarchy(
    over: Over, regions: WeightedRegions, fitted: bayes.HierarchicalT | bayes.HierarchicalMcNemar
) -> Hierarchy:
    e = over.evidence
    return Hierarchy(
        names=e.names, n=e.n, d=e.d, mean_a=e.mean_a, mean_b=e.mean_b, next_task=regions, fitted=fitted
    )


def _decided(ahead: Floats) -> Check:
    """Tasks that say little count about half for each model, whoever is ahead there (docs/calibration.md)."""
    unsure = int(np.sum((ahead > 0.1) & (ahead < 0.9)))
    many = 2 * unsure > ahead.size
    price = (
        ": if one model's wins are clear and its losses are not, it may be claimed in 12 to 39 %, not in 5 %"
    )
    return Check(
        name="tasks that decide",
        ok=not many,
        text=f"{unsure} of {ahead.size} count about half for each model" + (price if many else ""),
        numbers={"unsure": float(unsure)},
    )


def _ahead(pair: Pair) -> float:
    """Pr(A better than B) on one task: P3 theorem 4.1 for counts, the t posterior for real scores."""
    if isinstance(pair.evidence, Outcomes):
        return float(bayes.mcnemar(pair.evidence.n01, pair.evidence.n10).cdf(0.5))
    if pair.alike:
        return 0.5  # alike: neither is ahead
    if pair.whole:
        return float(pair.whole.posterior.sf(0.0))
    return float(bayes.t(pair.sums, rho=pair.rho).sf(0.0))


def _rope(over: Over, ask: Ask) -> Rope:
    """The ROPE on the mean advantage; a standard deviation is that within tasks."""
    first, sums = over.pairs[0], [p.sums for p in over.pairs]
    freedom = sum(s.n - 1 for s in sums)
    within = np.sqrt(sum(s.m2 for s in sums) / freedom) if freedom else Sums.of(over.means).sd
    levels = [abs(p.evidence.mean_a + p.evidence.mean_b) / 2 for p in over.pairs]
    level = float(np.mean(levels)) if first.whole else None
    scale = ScoreScale(metric=first.metric, sd=float(within), points=first.points, level=level)
    return resolve_rope(ask.rope, scale)


def _correlation(over: Over) -> Correlation | None:
    low, high = min(p.rho for p in over.pairs), max(p.rho for p in over.pairs)
    return Correlation(unit=over.pairs[0].unit, low=low, high=high) if high else None


def _integrated(error: float) -> Check:
    return Check(
        name="integrated, not sampled",
        kind="numerical error",
        ok=error < 1e-3,
        text=f"the probabilities are good to about {error:.0e}",
        numbers={"error": error},
    )


def _commensurate(over: Over) -> list[Check]:
    """Tasks on scales of their own: a warning, and the test that does not mind."""
    if over.pairs[0].points or over.are_outcomes:
        return []  # a metric bounded by 0 and 1 (or 100) means the same everywhere
    scales = np.array([p.sums.sd for p in over.pairs if p.n > 1 and not p.alike])
    scales = scales[scales > 0]
    if scales.size < 2:
        return []
    low, high = np.quantile(scales, [0.1, 0.9])
    apart = float(high / low)
    return [
        Check(
            name="tasks of one scale",
            ok=apart <= _DIFFERENT,
            text=f"the spread of the differences varies {apart:.3g}-fold between tasks"
            + (
                "" if apart <= _DIFFERENT else ": if their scores do not compare, use method poisson_binomial"
            ),
            numbers={"ratio": apart},
        )
    ]
