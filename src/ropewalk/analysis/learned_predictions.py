"""Calibration or a threshold that is learned from rows other than those compared."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ropewalk.analysis.reporting import report_on
from ropewalk.analysis.wanted import Wanted
from ropewalk.data import Predictions
from ropewalk.decide import probabilities
from ropewalk.errors import OptionError
from ropewalk.methods.answer import decide
from ropewalk.methods.pair import Ask
from ropewalk.results import Report
from ropewalk.results.comparison import Check, Comparison
from ropewalk.results.formatting import three, verdict_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Learn:
    """What to learn from the predictions, and from which rows; by default nothing."""

    calibrate: str | None
    fpr: float | None
    cost_fp: float | None
    cost_fn: float | None
    held_out: tuple[str, str] | None  # the column and the value that mark held-out rows
    rng: int

    @property
    def cuts(self) -> bool:
        """Whether a threshold is to be learned."""
        return any(x is not None for x in (self.fpr, self.cost_fp, self.cost_fn))

    @property
    def is_asked(self) -> bool:
        return self.cuts or self.calibrate is not None or self.held_out is not None

    def report(self, given: Predictions, wanted: Wanted) -> Report:
        """Report on the transformed predictions; after a calibration also on the original ones."""
        rows = None if self.held_out is None else self.held_out[1]
        if self.calibrate is not None and self.cuts:
            raise OptionError(
                "both a calibration and a threshold were requested",
                hint="A threshold is chosen on the scores themselves. Omit the calibration.",
            )
        if self.calibrate is not None:
            after = report_on(given.calibrated(self.calibrate, rows=rows, rng=self.rng), wanted)
            if given.kind != "probabilities":
                return after
            same = given if given.split is None else given.subset(given.split != rows)
            return _before_and_after(report_on(same, wanted), after, wanted.ask)
        if self.cuts:
            cut = given.at_threshold(
                fpr=self.fpr, cost_fp=self.cost_fp, cost_fn=self.cost_fn, rows=rows, rng=self.rng
            )
            if self.cost_fp is not None and self.cost_fn is not None and wanted.loss is None:
                negative, positive = cut.classes
                costs = {(negative, positive): self.cost_fp, (positive, negative): self.cost_fn}
                wanted = replace(wanted, loss=costs)
            return report_on(cut, wanted)
        if rows is not None:
            raise OptionError(
                "rows are held out, but nothing is fitted on them",
                hint="Set what to fit: calibrate= (--calibrate), fpr= (--threshold-at-fpr) or the costs.",
            )
        return report_on(given, wanted)


def _before_and_after(before: Report, after: Report, ask: Ask) -> Report:
    """Report after calibration; each comparison also has its answer from before, with the same ROPE."""

    def told(c: Comparison, old: Comparison) -> Comparison:
        v = old.verdict
        if old.rope.scale == c.rope.scale and not hasattr(old.posterior, "most_probable"):
            v = decide(c.a, c.b, probabilities(old.posterior, c.rope), ask)
        text = f"{verdict_text(c, v.name)} ({three(c.a, c.b, v, ask.rule.least)}), "
        text += "the same verdict" if v.name == c.verdict.name else f"{verdict_text(c)} after it"
        return replace(
            c, checks=[*c.checks, Check(name="before calibration", kind="calibration", ok=True, text=text)]
        )

    return replace(
        after,
        comparisons=[told(c, old) for c, old in zip(after.comparisons, before.comparisons, strict=True)],
        overall=[told(c, old) for c, old in zip(after.overall, before.overall, strict=True)],
        probabilities=(*before.probabilities, *after.probabilities),
    )
