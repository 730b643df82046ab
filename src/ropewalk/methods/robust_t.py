"""The robust Bayesian t-test: differences with heavy tails."""

from __future__ import annotations

from ropewalk import bayes
from ropewalk.decide import cohens_d, probabilities
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.method import QUADRATURE, Method, MethodText, register
from ropewalk.methods.pair import Ask, Pair
from ropewalk.methods.t import classical, rope_of
from ropewalk.results.comparison import Comparison


class RobustT(Method):
    """The robust t-test: differences follow a Student distribution."""

    name = "robust_t"
    title = "robust Bayesian t-test"
    card = bayes.robust_t
    independent = True
    answers = ("average",)

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        posterior = bayes.robust_t(pair.d, counts=pair.counts)
        rope = rope_of(pair, ask.rope)
        return Answer(
            posterior=posterior,
            estimate=estimate("center of the advantage", posterior),
            rope=rope,
            p=probabilities(posterior, rope),
            effect=cohens_d(pair.sums),
            classical=classical(pair),
            checks=[checks.enough(pair.n, 10, pair.unit + "s")],
            evidence=pair.evidence,
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior="the differences follow a Student distribution, with a prior flat in its center and in the "
            "logarithm of its scale, and Gamma(2, 0.1) on its degrees of freedom minus one",
            sources=("kruschke2013", "juarez2010"),
            computed=QUADRATURE,
            varies=f"the sampling of the {c.unit}s",
        )


register(RobustT())
