"""Descriptions of the joint posteriors of all models for a paper, one line each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JointModel:
    """Name of a joint posterior as used in a sentence, and the keys of its sources."""

    name: str
    sources: tuple[str, ...]


# Keyed by the `model` of a joint posterior.
JOINT_MODELS = {
    "unstructured": JointModel(
        name="a multivariate Student posterior of all means with an unstructured covariance",
        sources=("geisser1963",),
    ),
    "pooled": JointModel(
        name="a multivariate normal model of all means, with the models drawn from one population of "
        "unknown spread",
        sources=("geisser1963", "zellner1986", "dawid1981"),
    ),
    "tasks": JointModel(
        name="a multivariate Student posterior of all means over the tasks with an unstructured covariance",
        sources=("geisser1963",),
    ),
    "tasks, pooled": JointModel(
        name="a multivariate normal model of the task means, with the models drawn from one population of "
        "unknown spread",
        sources=("geisser1963", "zellner1986", "dawid1981"),
    ),
    "these tasks": JointModel(
        name="the weighted sum of the posteriors of all means on the individual tasks",
        sources=("geisser1963",),
    ),
    "bootstrap": JointModel(
        name="the Bayesian bootstrap with the same weights for all models", sources=("rubin1981",)
    ),
    "bootstrap, pooled": JointModel(
        name="the Bayesian bootstrap with the same weights for all models, with the models drawn from one "
        "population of unknown spread",
        sources=("rubin1981", "zellner1986", "dawid1981"),
    ),
    "runs, pooled": JointModel(
        name="a joint normal model of training runs and examples, with the models drawn from one population "
        "of unknown spread",
        sources=("box1973", "geisser1963", "zellner1986", "dawid1981"),
    ),
    "runs": JointModel(
        name="a joint normal model of training runs and examples with an unstructured covariance over models",
        sources=("box1973", "geisser1963"),
    ),
    "Plackett-Luce": JointModel(
        name="a Plackett-Luce model of the ranks with Gamma(1, 1) worths",
        sources=("plackett1975", "caron2012"),
    ),
}
