"""A plan in batches: look after each, stop when the rule decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.assurance import Answers, Normal, Rule
from ropewalk.assurance.looks import SequentialLooks, Stopped, looks
from ropewalk.errors import OptionError, short
from ropewalk.report.document import Document, Headline, Lines, ReportTable, cautions
from ropewalk.report.json import json_text
from ropewalk.results.rendered import Rendered
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.decide import Rope

WRONG = 0.05  # accepted rate of wrong "better" verdicts at the edge of the ROPE
_TRUTHS = (
    ("no difference", 0.0),
    ("at the edge", 1.0),
    ("twice the edge", 2.0),
    ("four times the edge", 4.0),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scenario:
    """One truth, and how runs end under it.

    Parameters
    ----------
    name : str
        The truth, in words.
    stopped : object
        How runs end that stop at the threshold.
    kept : object
        How runs end that stop at the stricter threshold.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.plan.sequential(difference=0.02, sd=0.3, rope=0.01, batches=5, draws=100)
    >>> found.scenarios[0].name
    'no difference'
    """

    name: str
    stopped: Stopped
    kept: Stopped


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sequential(Rendered):
    """Consequences of looking after every batch and stopping at the first verdict.

    Parameters
    ----------
    a, b : str
        The two models.
    unit : str
        Kind of unit.
    rope : Rope
        Region of practical equivalence.
    n : int
        Number of units at the start.
    batches, size : int
        Number of batches, and of units in each.
    threshold : float
        Probability that a verdict needs.
    keeping : float
        Threshold at which a wrong "better" at the edge of the ROPE stays at 5% over all looks.
    scenarios : tuple of Scenario
        Truths that were simulated; the last is what the data or the stated numbers expect.
    draws : int
        Number of simulated runs for each truth.
    seed : int
        Random seed.
    cautions : tuple of str, default ()
        What could reverse the verdict; shown first.

    See Also
    --------
    ropewalk.plan.sequential : Makes it.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.plan.sequential(difference=0.02, sd=0.3, rope=0.01, batches=5, draws=100)
    >>> found.batches, found.size
    (5, 100)
    """

    a: str
    b: str
    unit: str
    rope: Rope
    n: int
    batches: int
    size: int
    threshold: float
    keeping: float
    scenarios: tuple[Scenario, ...]
    draws: int
    seed: int
    cautions: tuple[str, ...] = ()

    @property
    def edge(self) -> Stopped:
        """How runs end at the edge of the ROPE, where wrong verdicts are the most frequent."""
        return self.scenarios[1].stopped

    @property
    def sentence(self) -> str:
        """Effect of stopping early, in one sentence."""
        s, most = self.scenarios[-1].stopped, self.batches * self.size
        return (
            f"With a stop at the first verdict, on average {s.units:,.0f} of at most {most:,} {self.unit}s "
            f"are used, and {1 - s.verdicts[3]:.0%} of the simulated runs reach a verdict."
        )

    @property
    def error(self) -> float:
        """Largest Monte Carlo standard error of a share."""
        return 0.5 / float(np.sqrt(self.draws))

    def _document(self) -> Document:
        since = f" after the {self.n:,} at hand (for the last row)" if self.n else ""
        how = (
            f"{self.batches} looks, one after every {self.size:,} {self.unit}s{since}; ROPE "
            f"{self.rope.in_scores}; {short(self.a)} against {short(self.b)}."
        )
        about = (
            f"once: the chance of a verdict with a single look at all {self.batches * self.size:,}. Each "
            f"proportion is accurate to ±{self.error:.3f} (one standard error, {self.draws:,} runs, seed "
            f"{self.seed})."
        )
        return Document(
            blocks=(
                *cautions(self.cautions),
                Headline(text=self.sentence),
                Lines(lines=(how,)),
                _table(self.scenarios, f"stop at {self.threshold:.15g}", self.unit, kept=False),
                Lines(lines=(self._growth(),)),
                _table(self.scenarios, f"stop at {self.keeping:.4g}", self.unit, kept=True),
                Lines(lines=(about,)),
            )
        )

    def _growth(self) -> str:
        """Return how wrong verdicts at the edge grow with looks, and which threshold limits them."""
        w = self.edge.wrong_by_look
        at = sorted({1, 2, 5, 10, self.batches} & set(range(1, self.batches + 1)))
        grown = ", ".join(f"{w[k - 1]:.3f} after {k}" for k in at)
        return (
            f"At the edge of the ROPE, wrong verdicts become more frequent with every look: {grown}; a "
            f"single look at the end would have {self.edge.wrong_once:.3f}. A threshold of "
            f'{self.keeping:.4g} keeps a wrong "better" there at {WRONG:.0%} over all {self.batches} '
            "looks:"
        )

    def to_json(self) -> str:
        """Render the answer as JSON: schema ropewalk-plan-sequential/1.

        Returns
        -------
        str
            A JSON document.
        """
        content = {
            "schema": "ropewalk-plan-sequential/1",
            "a": self.a,
            "b": self.b,
            "cautions": list(self.cautions),
            "unit": self.unit,
            "n": self.n,
            "batches": self.batches,
            "batch_size": self.size,
            "rope": {"low": self.rope.low, "high": self.rope.high, "scale": self.rope.scale},
            "threshold": self.threshold,
            "keeping": {"rate": WRONG, "threshold": self.keeping},
            "sentence": self.sentence,
            "truths": [
                {"truth": s.name, "at_threshold": _ends(s.stopped), "at_keeping": _ends(s.kept)}
                for s in self.scenarios
            ],
            "error": self.error,
            "provenance": {"ropewalk": VERSION, "seed": self.seed, "draws": self.draws},
        }
        return json_text(content)

    def plot(self, *, style: str = "screen") -> Figure:
        """Draw how wrong verdicts grow with the number of looks.

        Parameters
        ----------
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.
        """
        from ropewalk.plot.looks import looks

        return looks(self, style=style)

    def __repr__(self) -> str:
        return f"<ropewalk plan in batches: {self.sentence}>"


def run(
    design: Normal | Answers,
    rope: Rope,
    *,
    a: str,
    b: str,
    rule: Rule,
    batches: int,
    size: int,
    draws: int,
    rng: int,
    cautions: tuple[str, ...] = (),
) -> Sequential:
    """Simulate every truth; fixed ones start without data, expected ones continue from the data."""
    if design.edges.low == design.edges.high:
        raise OptionError(
            "a sequential plan needs a ROPE of positive width", hint="Give rope= (--rope), such as 0.01."
        )
    if isinstance(design, Normal) and size < 2:
        raise OptionError(f"batch_size is {size}", hint="A batch needs at least 2 units with real scores.")
    generator = np.random.default_rng(rng)
    fresh = design.blank
    if isinstance(design, Normal) and isinstance(fresh, Normal) and design.sums is not None:
        fresh = Normal(
            unit=design.unit, sums=None, edges=design.edges, mu=design.sums.mean, sd=design.sums.sd
        )
    found: list[tuple[str, SequentialLooks]] = []
    for name, times in _TRUTHS:
        truth = design.at_edge(times, draws)
        region = np.full(draws, 1 if times <= 1 else 0)
        found.append((name, looks(fresh, truth, region, batches=batches, size=size, rng=generator)))
    expected = design.truths(draws, generator)
    going_on = looks(design, expected, design.region(expected), batches=batches, size=size, rng=generator)
    found.append(("as observed" if design.n else "as stated", going_on))
    keeping = found[1][1].keeping(WRONG)
    stricter = Rule(threshold=max(keeping, rule.threshold))
    return Sequential(
        a=a,
        b=b,
        unit=design.unit,
        rope=rope,
        n=design.n,
        batches=batches,
        size=size,
        threshold=rule.threshold,
        keeping=keeping,
        scenarios=tuple(
            Scenario(name=name, stopped=k.stopped(rule), kept=k.stopped(stricter)) for name, k in found
        ),
        draws=draws,
        seed=rng,
        cautions=cautions,
    )


def _table(scenarios: tuple[Scenario, ...], title: str, unit: str, *, kept: bool) -> ReportTable:
    rows = []
    for s in scenarios:
        e = s.kept if kept else s.stopped
        shares = (*(f"{p:.3f}" for p in (*e.verdicts, e.wrong)), f"{e.units:,.0f}", f"{1 - e.once[3]:.2f}")
        rows.append((s.name, *shares))
    columns = (title, "better", "equiv.", "worse", "undecided", "wrong", f"{unit}s", "once")
    return ReportTable(columns=columns, numeric=(False, *[True] * 7), rows=tuple(rows))


def _ends(e: Stopped) -> dict[str, Any]:
    better, equivalent, worse, undecided = (float(v) for v in e.verdicts)
    return {
        "better": better,
        "equivalent": equivalent,
        "worse": worse,
        "undecided": undecided,
        "wrong": e.wrong,
        "mean_units": e.units,
        "wrong_by_look": [float(w) for w in e.wrong_by_look],
        "one_look": {"decided": float(1 - e.once[3]), "wrong": e.wrong_once},
    }
