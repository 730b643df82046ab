"""Each pair of many models over the tasks: the t-test on the means of the tasks."""

from __future__ import annotations

from ropewalk import bayes
from ropewalk.decide import Note
from ropewalk.methods.method import FLAT, Method, MethodText, PriorAnswer, register
from ropewalk.methods.t import student_priors
from ropewalk.posterior import Student
from ropewalk.results.comparison import Comparison


class JointTasks(Method):
    """Not asked for by name: the answer where three and more models are compared over tasks."""

    name = "joint_tasks"
    card = bayes.joint_tasks
    one_task = False
    joint = True
    answers = ("average",)

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name="the Bayesian t-test on the means of the tasks",
            prior=f"the differences are taken as normal, with {FLAT}",
            sources=("geisser1963", "benavoli2017"),
            computed="in closed form",
            varies="the choice of the tasks and of the units within them",
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        if isinstance(c.posterior, Student):
            return student_priors(c, c.posterior)
        text = "no prior to vary: these two share too few tasks, and are compared through other models"
        return Note(about="prior", text=text)

    def at_once(self, c: Comparison) -> bool:
        return isinstance(c.posterior, Student)


register(JointTasks())
