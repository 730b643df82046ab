"""Pairs out of one joint model of all models over the tasks."""

from __future__ import annotations

from ropewalk import bayes
from ropewalk.decide import Note
from ropewalk.methods.method import Method, MethodText, PriorAnswer, register
from ropewalk.results.comparison import Comparison


class JointTasks(Method):
    """Not asked for by name: the answer where there are more pairs than can be fitted one by one."""

    name = "joint_tasks"
    card = bayes.joint_tasks
    one_task = False
    joint = True

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name="Bayesian t-test on the means of the tasks, each pair on its own",
            prior="flat in the mean advantage and in the logarithm of its spread over the tasks",
            sources=("geisser1963", "benavoli2017"),
            computed="in closed form",
            about="on average over tasks ",
            varies="the choice of the tasks and of the units within them",
            reading="the chance of each on average over tasks:",
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        text = "no prior to vary: this pair comes out of one model of all pairs; compare it by itself"
        return Note(about="prior", text=text)

    def plots(self, c: Comparison) -> list[str]:
        return super().plots(c)[:-1]


register(JointTasks())
