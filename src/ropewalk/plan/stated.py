"""Designs from numbers that are stated instead of measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import OptionError

if TYPE_CHECKING:
    from ropewalk.assurance import Answers, Normal
    from ropewalk.decide import Rope, RopeRequest

_MOST_SDS = 3.0  # number of standard deviations that single units hardly exceed


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """An expected difference and its spread, or two accuracies and how often the models disagree.

    `examples` is the number of examples on which these numbers were measured; without it they are the truth,
    with `unsure` as the standard deviation of the difference.
    """

    difference: float | None = None
    sd: float | None = None
    accuracy: tuple[float, float] | None = None
    disagreement: float | None = None
    unsure: float = 0.0
    examples: int = 0

    @property
    def is_given(self) -> bool:
        return any(x is not None for x in (self.difference, self.sd, self.accuracy, self.disagreement))

    def __post_init__(self) -> None:
        if not self.is_given:
            return
        if self.accuracy is not None and (self.difference is not None or self.sd is not None):
            raise OptionError(
                "both accuracies and a difference are given",
                hint="Give accuracy= and disagreement= for right and wrong answers, difference= and sd= for "
                "real-valued scores.",
            )
        if isinstance(self.examples, bool) or self.examples != int(self.examples) or self.examples < 0:
            raise OptionError(
                f"examples is {self.examples}", hint="Give the number of examples already seen: 0 or more."
            )
        if not (np.isfinite(self.unsure) and self.unsure >= 0):
            raise OptionError(
                f"unsure is {self.unsure}",
                hint="Give the standard deviation of the expected difference, 0 or more.",
            )
        if self.accuracy is None:
            self._check_difference()
        else:
            self._check_accuracy(*self.accuracy)

    def _check_difference(self) -> None:
        if self.difference is None or self.sd is None:
            missing = "sd" if self.sd is None else "difference"
            raise OptionError(
                f"a plan from stated numbers needs {missing} as well",
                hint="Give difference= (the expected mean advantage) and sd= (standard deviation of the "
                "differences of single units); or accuracy= and disagreement=.",
            )
        if not np.isfinite(self.difference):
            raise OptionError(f"difference is {self.difference}", hint="Give a number, such as 0.02.")
        if not (np.isfinite(self.sd) and self.sd > 0):
            raise OptionError(
                f"sd is {self.sd}",
                hint="Give the standard deviation of the differences of single units, above 0.",
            )
        if self.examples == 1:
            raise OptionError("examples is 1", hint="One example has no spread. Give 0, or 2 or more.")

    def _check_accuracy(self, a: float, b: float) -> None:
        if not (0 <= a <= 1 and 0 <= b <= 1):
            raise OptionError(
                f"the accuracies are {a:g} and {b:g}", hint="Give two proportions between 0 and 1: 0.87,0.85."
            )
        if self.disagreement is None:
            raise OptionError(
                "a plan from accuracies needs the rate of disagreement as well",
                hint="Give disagreement=, the proportion of examples on which exactly one of the two is "
                "right.",
            )
        least, most = abs(a - b), min(a + b, 2 - a - b)
        if not (least <= self.disagreement <= most) or self.disagreement == 0:
            raise OptionError(
                f"models with accuracies {a:g} and {b:g} cannot disagree on {self.disagreement:g} of the "
                "examples",
                hint=f"It must be between {least:.4g} (the difference) and {most:.4g}.",
            )
        if self.unsure:
            raise OptionError(
                "unsure can be used with difference, not with accuracies",
                hint="Give examples= instead, the number of examples that the accuracies come from.",
            )

    def _check_rope(self, request: RopeRequest) -> None:
        """Raise an error if the ROPE contains everything that was stated, because it decides nothing."""
        width, sd = request.half_width, self.sd or 0.0
        too_wide = width >= 0.5 if self.accuracy is not None else width >= _MOST_SDS * sd
        if request.kind == "score" and too_wide:
            of = (
                "the range of an accuracy" if self.accuracy is not None else f"a standard deviation of {sd:g}"
            )
            raise OptionError(
                f"a ROPE of {width:g} is too wide for {of}: every outcome would be equivalent",
                hint="Give the ROPE in score units: one percentage point is 0.01.",
            )

    def design(self, request: RopeRequest) -> tuple[Normal | Answers, Rope]:
        """Return the design, and the ROPE with which it is compared."""
        from ropewalk.assurance import Answers, Edges, Normal
        from ropewalk.decide import PhiScale, ScoreScale, resolve_rope
        from ropewalk.sums import Sums

        self._check_rope(request)
        if self.accuracy is not None:
            assert self.disagreement is not None, "checked before"
            a, b = self.accuracy
            rate, phi = self.disagreement, 0.5 * (1 - (a - b) / self.disagreement)
            rope = resolve_rope(request, PhiScale(phi=phi, disagreement=rate))
            edges = Edges.of(rope, float(np.sqrt(phi * (1 - phi))))
            n01 = round(self.examples * rate * phi)
            n10 = round(self.examples * rate) - n01
            same = self.examples - n01 - n10
            return Answers(n01=n01, n10=n10, same=same, edges=edges, disagreement=rate, phi=phi), rope
        assert self.difference is not None
        assert self.sd is not None
        rope = resolve_rope(request, ScoreScale(metric="score", sd=self.sd))
        edges = Edges.of(rope, self.sd)
        sums = None
        if self.examples:
            sums = Sums(n=self.examples, mean=self.difference, m2=self.sd**2 * (self.examples - 1))
        design = Normal(
            unit="example", sums=sums, edges=edges, mu=self.difference, sd=self.sd, unsure=self.unsure
        )
        return design, rope
