"""The Bayesian t-test on autocorrelated rows, with their effective sample size."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from ropewalk import bayes
from ropewalk.decide import Note, series_summary
from ropewalk.errors import MethodError
from ropewalk.methods.answer import Answer
from ropewalk.methods.mean_row import mean_row, needs_rows
from ropewalk.methods.method import FLAT, Method, MethodText, PriorAnswer, register
from ropewalk.methods.pair import Ask, Pair
from ropewalk.methods.t import student_priors
from ropewalk.posterior import Student
from ropewalk.results.comparison import Check, Comparison


class EffectiveSize(Method):
    """The Bayesian t-test on the ordered rows, with their effective sample size."""

    name = "ess"
    title = "Bayesian t-test on the effective sample size"
    card = bayes.ess_t
    about_rows = True

    def problem(self, pair: Pair) -> MethodError | None:
        d = pair.d if pair.clusters is None else pair.clusters.d
        known = pair.counts is None and d.size > 0
        return super().problem(pair) or (None if known or pair.whole else needs_rows(self.name))

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        d, series = (pair.d, None) if pair.clusters is None else (pair.clusters.d, pair.clusters.names)
        found = series_summary(d, series=series)
        if found.n_eff <= 1:
            raise MethodError(
                f"the {found.n:,} rows are so strongly correlated that they carry the information of a "
                "single row",
                hint="Name the column that holds the clusters with cluster= (--cluster) to compare cluster "
                "means.",
            )
        inside = f" within {found.series:,} series" if series is not None else " in file order"
        worth = Check(
            name="effective sample size",
            kind="dependence",
            ok=True,
            text=f"{found.n:,} rows{inside} carry the information of {found.n_eff:,.0f} independent ones "
            f"(correlation of neighboring rows {found.lag1:+.2f}, {found.lags} lags)",
            numbers={"n_eff": found.n_eff, "lag1": found.lag1, "design_effect": found.design_effect},
        )
        return replace(mean_row(pair, ask, bayes.ess_t(d, n_eff=found.n_eff), [worth]), dependence=found)

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior=f"the differences are assumed normal and autocorrelated, with {FLAT}",
            sources=("kish1965", "geyer1992"),
            varies=f"the sampling of the {c.unit}s",
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        return student_priors(c, cast("Student", c.posterior))

    def at_once(self, c: Comparison) -> bool:
        return True


register(EffectiveSize())
