"""Data or stated numbers -> Plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.compare import DataOptions, compare
from ropewalk.errors import OptionError, did_you_mean
from ropewalk.options import seed_of, with_options_of, with_suggestions

if TYPE_CHECKING:
    from ropewalk.decide import RopeLike
    from ropewalk.plan.result import Plan
    from ropewalk.plan.sequential import Sequential
    from ropewalk.plan.stated import Stated

_MOST = 10  # most undecided pairs in one plan
UNITS = ("example", "fold", "seed", "task", "cluster")


class Planner:
    """How much more data would decide: `plan(data)`, and `plan.sequential(data)` for data in batches.

    `ropewalk.plan` is the one instance of this class.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.plan(difference=0.02, sd=0.3, rope=0.01).pairs[0].directions[0].needed
    5600
    """

    @with_suggestions
    @usual_arithmetic
    @with_options_of(compare, DataOptions)
    def __call__(
        self,
        data: Any = None,
        *,
        difference: float | None = None,
        sd: float | None = None,
        accuracy: tuple[float, float] | None = None,
        disagreement: float | None = None,
        unsure: float = 0.0,
        examples: int = 0,
        rope: RopeLike = "auto",
        threshold: float = 0.95,
        loss_matrix: Sequence[Sequence[float]] | None = None,
        assurance: float = 0.8,
        costs: Mapping[str, float] | None = None,
        more: Sequence[int] | None = None,
        prior_sd: float | None = None,
        draws: int = 4_000,
        rng: int | np.random.Generator = 0,
        **options: Unpack[DataOptions],
    ) -> Plan:
        """Estimate how many more examples, folds, seeds, tasks or clusters would give a verdict.

        Give either the results of a first run, or numbers that are expected.

        Parameters
        ----------
        data : path, list of paths, frame, dict, array, Scores, Predictions, Counts or Summed, optional
            Results so far: anything that `ropewalk.compare` takes.
        difference : float, optional
            Stated advantage of A over B, with `sd`, in place of data.
        sd : float, optional
            Stated standard deviation of the differences of single units.
        accuracy : (float, float), optional
            Stated accuracies of A and of B, with `disagreement`, in place of data.
        disagreement : float, optional
            Stated share of examples on which exactly one model is right.
        unsure : float, default 0.0
            Standard deviation of the stated difference, if it is uncertain itself.
        examples : int, default 0
            Number of examples already seen, for stated numbers.
        rope : float, (float, float), str or Rope, default "auto"
            Differences that do not matter, as for `ropewalk.compare`.
        threshold : float, default 0.95
            Probability that a verdict needs.
        loss_matrix : 4 x 3 array, optional
            Losses of the decisions better, equivalent, worse and undecided (rows) where A is better,
            equivalent or worse (columns). They then decide in place of `threshold`.
        assurance : float, default 0.8
            Probability of a verdict that the plan aims for.
        costs : dict, optional
            Price of one more "example", "fold", "seed", "task" or "cluster".
        more : sequence of int, optional
            Numbers of further units to look at. By default they follow from the data.
        prior_sd : float, optional
            Spread, in score units, of the differences that are plausible before the data. By default 0.015
            for a metric from 0 to 1, and otherwise a twentieth of the standard deviation of the differences
            (half of it for tasks, folds and training runs); infinite is a flat prior.
        draws : int, default 4000
            Number of simulated futures.
        rng : int or numpy.random.Generator, default 0
            Random seed, or a generator from which a seed is drawn. The plan records the seed.

        Returns
        -------
        Plan
            For each pair that is undecided, how many more units of each kind decide it, at which chance and
            price.

        Raises
        ------
        OptionError
            If both data and stated numbers are given, or neither; or if an option makes no sense.
        DataError
            If the data cannot be read or paired.

        See Also
        --------
        ropewalk.compare : The verdict on the data at hand.

        Notes
        -----
        assurance(m) = Pr(the rule decides | m more units) over the posterior predictive distribution: the
        share of simulated futures, each with parameters drawn from the posterior under the prior advantage ~
        N(0, prior_sd²), in which the verdict on the old and the new data together is better, equivalent or
        worse. The verdict itself is that of `compare`, without this prior.

        The plan assumes that further units are like those at hand, and that differences of about `prior_sd`
        are plausible before the data. It states chances, not guarantees.

        References
        ----------
        O'Hagan, Stevens & Campbell (2005), doi:10.1002/pst.175.
        Kruschke (2018), doi:10.1177/2515245918771304.

        Examples
        --------
        >>> import ropewalk as rw
        >>> found = rw.plan(difference=0.02, sd=0.3, rope=0.01)
        >>> found.pairs[0].directions[0].needed
        5600
        >>> print(found.pairs[0].sentence)
        About 5,600 examples would decide between A and B with probability 0.8.
        """
        from ropewalk.assurance import Rule
        from ropewalk.decide import RopeRequest
        from ropewalk.plan.pairs import PlanOptions, of_design, of_report
        from ropewalk.plan.result import Plan
        from ropewalk.plan.stated import Stated

        stated = Stated(
            difference=difference,
            sd=sd,
            accuracy=accuracy,
            disagreement=disagreement,
            unsure=unsure,
            examples=examples,
        )
        _check(data, stated.is_given, options)
        if not 0 < assurance < 1:
            raise OptionError(f"assurance is {assurance}", hint="Give a chance between 0 and 1, such as 0.8.")
        rng = seed_of(rng)
        prices = dict(costs or {})
        for unit, price in prices.items():
            if unit not in UNITS:
                raise OptionError(
                    f'there is no unit "{unit}" that could have a cost', hint=did_you_mean(unit, UNITS)
                )
            if not 0 <= price < float("inf"):
                raise OptionError(f"the price of one {unit} is {price}", hint="Give a number, 0 or more.")
        loss = None if loss_matrix is None else tuple(tuple(row) for row in loss_matrix)
        wanted = PlanOptions(
            rule=Rule(threshold=threshold, loss=loss),
            chance=assurance,
            costs=prices,
            more=None if more is None else tuple(more),
            draws=draws,
            rng=rng,
            prior_sd=_checked(prior_sd, stated),
        )
        left_out = 0
        cautions: tuple[str, ...] = ()
        if stated.is_given:
            design, of = stated.design(RopeRequest.parse(rope))
            pairs = [of_design(design, of, wanted)]
        else:
            report = compare(
                data, rope=rope, threshold=threshold, loss_matrix=loss_matrix, rng=rng, **options
            )
            answers = report.overall or report.comparisons
            undecided = [c for c in answers if c.verdict.name == "undecided"]
            chosen = undecided[:_MOST] or answers[:1]
            left_out = max(len(undecided) - _MOST, 0)
            pairs = [of_report(c, wanted) for c in chosen]
            cautions = (*report.audit.cautions, *report.audit.warnings)
        return Plan(
            pairs=tuple(pairs),
            threshold=threshold,
            chance=assurance,
            draws=draws,
            seed=rng,
            left_out=left_out,
            cautions=cautions,
        )

    @with_suggestions
    @usual_arithmetic
    @with_options_of(compare, DataOptions)
    def sequential(
        self,
        data: Any = None,
        *,
        batches: int = 20,
        batch_size: int = 100,
        difference: float | None = None,
        sd: float | None = None,
        accuracy: tuple[float, float] | None = None,
        disagreement: float | None = None,
        unsure: float = 0.0,
        examples: int = 0,
        rope: RopeLike = "auto",
        threshold: float = 0.95,
        prior_sd: float | None = None,
        draws: int = 4_000,
        rng: int | np.random.Generator = 0,
        **options: Unpack[DataOptions],
    ) -> Sequential:
        """Stop after the first batch that decides: how often that goes wrong, and what it saves.

        Parameters
        ----------
        data : path, list of paths, frame, dict, array, Scores, Predictions, Counts or Summed, optional
            Results so far: anything that `ropewalk.compare` takes.
        batches : int, default 20
            Highest number of batches.
        batch_size : int, default 100
            Number of units in a batch.
        difference, sd, accuracy, disagreement, unsure, examples : optional
            Stated numbers in place of data, as for `ropewalk.plan`.
        rope : float, (float, float), str or Rope, default "auto"
            Differences that do not matter, as for `ropewalk.compare`.
        threshold : float, default 0.95
            Probability that a verdict needs.
        prior_sd : float, optional
            Spread of the differences that are plausible before the data, as for `ropewalk.plan`.
        draws : int, default 4000
            Number of simulated runs for each truth.
        rng : int or numpy.random.Generator, default 0
            Random seed, or a generator from which a seed is drawn.

        Returns
        -------
        Sequential
            For each truth the share of runs that stop with each verdict and the mean number of units spent;
            `keeping` is the threshold that keeps wrong claims at 5%.

        Raises
        ------
        OptionError
            If both data and stated numbers are given, or neither; or if an option makes no sense.

        Notes
        -----
        For each truth (no difference, the edge of the ROPE, twice and four times the edge, and what the data
        or the stated numbers expect) `draws` runs of `batches` batches of `batch_size` units are simulated.

        Looking at a posterior repeatedly does not invalidate it. But if the true advantage lies on the edge
        of the ROPE, the chance of a wrong "better" at some look grows with the number of looks.

        It assumes independent units: examples, seeds or cluster means of one pair of models on one task. Do
        not use it for folds of cross-validation, for tasks, or for several training runs crossed with
        examples.

        References
        ----------
        Kruschke (2015), Doing Bayesian Data Analysis, sec. 13.3.
        Rouder (2014), doi:10.3758/s13423-014-0595-4.

        Examples
        --------
        >>> import ropewalk as rw
        >>> found = rw.plan.sequential(accuracy=(0.87, 0.85), disagreement=0.1, rope=0.01, draws=300)
        >>> found.keeping > 0.95
        True
        """
        from ropewalk.assurance import Rule
        from ropewalk.decide import RopeRequest
        from ropewalk.plan.pairs import only_design, stated_prior
        from ropewalk.plan.sequential import run
        from ropewalk.plan.stated import Stated

        stated = Stated(
            difference=difference,
            sd=sd,
            accuracy=accuracy,
            disagreement=disagreement,
            unsure=unsure,
            examples=examples,
        )
        _check(data, stated.is_given, options)
        for name, value in (("batches", batches), ("batch_size", batch_size), ("draws", draws)):
            if isinstance(value, bool) or value != int(value) or value < 1:
                raise OptionError(f"{name} is {value}", hint="Give a whole number, 1 or more.")
        rule, spread, rng = Rule(threshold=threshold), _checked(prior_sd, stated), seed_of(rng)
        cautions: tuple[str, ...] = ()
        if stated.is_given:
            design, of = stated.design(RopeRequest.parse(rope))
            if design.n:
                design = replace(design, prior_sd=stated_prior(design, spread).sd)
            a, b = "A", "B"
        else:
            report = compare(data, rope=rope, threshold=threshold, rng=rng, **options)
            design, of, a, b = only_design(report, spread)
            cautions = (*report.audit.cautions, *report.audit.warnings)
        return run(
            design,
            of,
            a=a,
            b=b,
            rule=rule,
            batches=batches,
            size=batch_size,
            draws=draws,
            rng=rng,
            cautions=cautions,
        )


def _checked(prior_sd: float | None, stated: Stated) -> float | None:
    """Check the spread of the prior: a positive number, and unused for stated numbers without examples."""
    if prior_sd is None:
        return None
    if isinstance(prior_sd, bool) or not prior_sd > 0:
        raise OptionError(
            f"prior_sd is {prior_sd}",
            hint="Give the spread of plausible differences in score units, such as 0.015, or inf (flat).",
        )
    if stated.is_given and not stated.examples:
        raise OptionError(
            "prior_sd needs data, but the stated numbers are treated as exact",
            hint="Give examples= (--examples) if they were measured, or unsure= (--unsure).",
        )
    return float(prior_sd)


def _check(data: Any, stated: bool, options: Mapping[str, Any]) -> None:
    """Check that either data (possibly from a query) or stated numbers are given."""
    has_data = data is not None or options.get("query") is not None
    if not has_data and not stated:
        raise OptionError(
            "there is nothing to plan from",
            hint="Give results of a pilot (a file, a frame, scores), or expected numbers: difference= "
            "and\nsd=, or accuracy= and disagreement=.",
        )
    if has_data and stated:
        raise OptionError("both data and stated numbers are given", hint="Give only one of them.")
    if stated and options:
        raise OptionError(
            f'the option "{next(iter(options))}" needs data', hint="Omit it, or give the results."
        )


plan = Planner()
