"""What can be added to a comparison: one design for each direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ropewalk import bayes
from ropewalk.assurance import Answers, Design, Edges, Normal
from ropewalk.assurance.curve import MOST, STEP
from ropewalk.assurance.more_rows import MoreRows
from ropewalk.assurance.more_runs import Runs
from ropewalk.assurance.more_task_counts import MoreTaskCounts
from ropewalk.assurance.more_tasks import MoreTasks
from ropewalk.assurance.resampled_tasks import Resampled
from ropewalk.decide import ClusterSummary
from ropewalk.posterior import Probabilities
from ropewalk.posterior.base import Floats
from ropewalk.report.planned import design_of
from ropewalk.results.comparison import Comparison, Hierarchy, Seeds
from ropewalk.sums import Sums

_TEST_DRAWS = 300  # of a signed-rank test: of so many futures each needs no more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Options:
    """The directions in which a comparison can grow.

    What takes long to simulate has at most so many `draws`, goes no further than `times` what is there, and
    in longer steps. `together` gives the design along the second direction with so many of the first.
    """

    designs: tuple[Design, ...]
    draws: int = 100_000
    times: int = MOST
    step: float = STEP
    notes: tuple[str, ...] = ()
    together: Callable[[int], Design] | None = None


def options_of(c: Comparison) -> Options:
    """Every direction that is known for the method of a comparison."""
    e = c.evidence
    if isinstance(e, Seeds):
        return _seeds(c, e)
    if isinstance(e, Hierarchy):
        return _tasks(c, e)
    if c.method in ("signed_rank", "sign"):
        return _one_number(c)
    design = design_of(c)
    if design is None:
        return Options(designs=(), notes=(f"it is not known how to plan for {c.method}",))
    return (
        _clusters(c, design) if c.unit == "cluster" else Options(designs=(design,), notes=_notes(c, design))
    )


def _notes(c: Comparison, design: Normal | Answers) -> tuple[str, ...]:
    if design.limited:
        return (
            f"repeats share their data, so what all {c.unit}s have in common stays unknown; more data sets, "
            "or a larger one, would tell more",
        )
    if c.method in ("robust_t", "ess", "bootstrap", "joint_tasks"):
        return (
            f"approximate: the posterior of {c.method} is taken to narrow like that of a t-test with the "
            "same mean and standard deviation",
        )
    return ()


def _clusters(c: Comparison, design: Normal | Answers) -> Options:
    """More clusters like those at hand; or more rows in each of them."""
    note = "a further cluster is taken to have as many rows as those at hand"
    found = c.dependence
    if (
        c.method != "t"
        or not isinstance(found, ClusterSummary)
        or not isinstance(design, Normal)
        or design.sums is None
    ):
        return Options(designs=(design,), notes=(*_notes(c, design), note))
    rows, icc = found.n / found.clusters, min(max(found.icc, 0.0), 1.0)
    within = (1 - icc) * design.sums.sd**2 / (icc + (1 - icc) / rows)  # s² = s_b² + s_w²/m
    if within == 0:
        return Options(designs=(design,), notes=(note,))
    more_rows = MoreRows(sums=design.sums, rows=rows, within=within, edges=design.edges)
    return Options(
        designs=(design, more_rows),
        notes=(note, f"a further row means one in each of the {design.n:,} clusters"),
    )


def _seeds(c: Comparison, e: Seeds) -> Options:
    """More training runs, more examples, or both."""
    f = e.fitted
    edges = Edges(low=c.rope.low, high=c.rope.high)
    if min(f.seeds) < 2:
        note = "with one training run of a model nothing can be said about more of them: train a second one"
        sums = Sums.of(e.d)
        designs = (Normal(unit="example", sums=sums, edges=edges),) if sums.m2 > 0 else ()
        return Options(designs=designs, notes=(note,))
    if f.residual.ss <= 0 or any(k.ss <= 0 for k in f.effects):
        return Options(
            designs=(), notes=("seeds or examples never vary, so nothing is known of more of them",)
        )
    both = "" if len(f.effects) == 2 else ": as many more of both models"
    return Options(
        designs=(Runs(fitted=f, edges=edges, unit="seed"), Runs(fitted=f, edges=edges, unit="example")),
        draws=2_000,
        step=2.0,
        notes=(f"a further seed is one more training run of each model{both}, on all examples",),
        together=lambda seeds: Runs(fitted=f, edges=edges, unit="example", along=seeds),
    )


def _tasks(c: Comparison, e: Hierarchy) -> Options:
    """More tasks of the same population, each like one of those at hand."""
    note = "a further task is taken to be as large, and as noisy, as one of those at hand"
    if isinstance(e.fitted, bayes.HierarchicalT):
        design: Design = MoreTasks(fitted=e.fitted, low=c.rope.low, high=c.rope.high)
        return Options(designs=(design,), draws=1_000, times=64, step=2.0, notes=(note,))
    m = e.fitted.phi_next.mean
    design = MoreTaskCounts(
        fitted=e.fitted, sizes=tuple(e.n), edges=Edges.of(c.rope, float(np.sqrt(m * (1 - m))))
    )
    return Options(
        designs=(design,),
        draws=1_000,
        times=64,
        step=2.0,
        notes=(note, "a single next task stays uncertain even when the population is known"),
    )


def _one_number(c: Comparison) -> Options:
    """The same test on collections drawn by the Bayesian bootstrap."""
    edges = (c.rope.low, c.rope.high)

    def signed_rank(x: Floats) -> Probabilities:
        return bayes.signed_rank(x, edges, draws=_TEST_DRAWS).most_probable

    def sign(x: Floats) -> Probabilities:
        return bayes.sign(x, edges).most_probable

    test = signed_rank if c.method == "signed_rank" else sign
    values = getattr(c.evidence, "d", np.empty(0))
    note = "further units are drawn from those at hand (Bayesian bootstrap): of a few that is a rough guess"
    design = Resampled(values=values, test=test, unit=c.unit)
    return Options(designs=(design,), draws=200, times=16, step=2.0, notes=(note,))
