"""What a paper says of each method: one table of short texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is said of a method: its name, its model with the prior, how it is computed.

    `about` stands before "A is better than B", where the probabilities are of more than the advantage itself;
    `varies` is what the error bars are made of. The first model is the first of a pair.
    """

    name: str
    prior: str
    computed: str = "in closed form"
    about: str = ""
    varies: str = "the choice of the {unit}s"


_QUADRATURE = "by numerical integration, without sampling"
_FLAT = "a prior flat in the mean and in the logarithm of the standard deviation"

METHODS: dict[str, Words] = {
    "mcnemar": Words(
        name="the Bayesian McNemar test",
        prior="phi, the share of the first model's mistakes among the {unit}s on which the two disagree, has "
        "a Beta(1, 1) prior",
    ),
    "accuracy_difference": Words(
        name="the Bayesian McNemar test on the difference in {metric}",
        prior="the four outcomes of a pair (each model right or wrong) have a Dirichlet(1, 1, 1, 1) prior",
        computed=_QUADRATURE,
    ),
    "t": Words(name="the Bayesian t-test", prior=f"the differences are taken as normal, with {_FLAT}"),
    "correlated_t": Words(
        name="the Bayesian correlated t-test",
        prior=f"the differences are taken as normal{{rho}}, with {_FLAT}",
        varies="the choice of the {unit}s, with what they share allowed for",
    ),
    "robust_t": Words(
        name="the robust Bayesian t-test",
        prior="the differences follow a Student distribution, with a prior flat in its centre and in the "
        "logarithm of its scale, and Gamma(2, 0.1) on its degrees of freedom less one",
        computed=_QUADRATURE,
    ),
    "sign": Words(
        name="the Bayesian sign test",
        prior="the chances of better, equivalent and worse have a Dirichlet prior worth one {unit} in the "
        "ROPE",
        computed=_QUADRATURE,
        about="the likeliest outcome for one {unit} is that ",
    ),
    "signed_rank": Words(
        name="the Bayesian signed-rank test",
        prior="the differences have a Dirichlet-process prior of strength 0.5 at no difference",
        computed="by Monte Carlo (150,000 draws)",
        about="the likeliest outcome for the mean of two {unit}s is that ",
    ),
    "bootstrap": Words(
        name="the Bayesian bootstrap",
        prior="the {unit}s have Dirichlet(1, ..., 1) weights, the same for both models, and the scores no "
        "parametric model",
        computed="by Monte Carlo (4,000 draws)",
    ),
    "crossed": Words(
        name="crossed random effects of training runs and examples",
        prior="all effects are taken as normal, with a prior flat in the mean and in the logarithms of the "
        "expected mean squares",
        computed=_QUADRATURE,
        about="over other training runs and examples ",
        varies="the training runs and the choice of the examples",
    ),
    "ess": Words(
        name="the Bayesian t-test on the effective sample size",
        prior=f"the differences are taken as normal and autocorrelated, with {_FLAT}",
    ),
    "hierarchical_t": Words(
        name="the hierarchical Bayesian t-test",
        prior="the differences within a task are taken as normal{rho} and the tasks' means as a Student "
        "sample, with priors flat in the mean over tasks and in all standard deviations, and Gamma(a, b) on "
        "the degrees of freedom less one, a uniform on (0.5, 5) and b on (0.05, 0.15)",
        computed=_QUADRATURE,
        about="the likeliest outcome on a new task is that ",
        varies="the choice of the tasks and of the units within them",
    ),
    "hierarchical_mcnemar": Words(
        name="the hierarchical Bayesian McNemar test",
        prior="phi, the share of the first model's mistakes among the examples on which the two disagree, "
        "has a Beta(a, b) distribution over the tasks, with a prior proportional to (a + b)^(-5/2)",
        computed=_QUADRATURE,
        about="on a new task ",
        varies="the choice of the tasks and of the examples within them",
    ),
    "poisson_binomial": Words(
        name="the Poisson-binomial test",
        prior="the share of all tasks of this kind on which the first model is better has a Beta(1, 1) "
        "prior, and each task enters by its own probability that the first model is better",
        about="on more than half of all tasks of this kind ",
        varies="the choice of the tasks and of the units within them",
    ),
    "joint_tasks": Words(
        name="one joint model of all models over the tasks",
        prior="task effects and the models' deviations on a task are taken as normal, with a prior flat in "
        "the tasks' levels and of the inverse-variance kind on the spread",
        computed="by independent draws after numerical integration over the variances",
        about="on average over tasks ",
        varies="the choice of the tasks and of the units within them",
    ),
}

QUESTIONS = {
    "Q1": "which of these trained models predicts better on this task",
    "Q2": "which learning algorithm is better on this task",
    "Q3": "which model is better over tasks of this kind",
}
JOINT = {
    "unstructured": "a multivariate Student posterior of all means with an unstructured covariance",
    "pooled": "a joint posterior in which the models' means are partially pooled",
    "tasks": "a joint normal model with random model-by-task effects",
    "tasks, pooled": "a joint normal model with random model-by-task effects and partially pooled means",
    "bootstrap": "the Bayesian bootstrap with the same weights for all models",
    "runs": "a joint normal model of training runs and examples with an unstructured covariance over models",
    "Plackett-Luce": "a Plackett-Luce model of the ranks with Gamma(1, 1) worths",
}
