"""Section 6 of Lacoste, Laviolette & Marchand 2012: which test of many tasks can be trusted to be sure?

A context is a distribution over tasks, and a task a multinomial (only A wrong, only B wrong, both alike).
From each context N tasks of n examples are drawn, the three tests answer "A" or "B" with a confidence, and
the area under the ROC curve says how far a confident answer is more often right than a hesitant one.

What the paper leaves open, and how it is read here:
- Its figures are pictures; N and n along their axes are not in the text. Here N runs from 3 to 50 at
  n = 1001, and n from 31 to 10001 at N = 21; the claims of the text are checked, not the curves' height.
- No answer (as many wins as losses): a coin is thrown, at the confidence 1 - p, which is the lowest there is.
  The paper swaps A and B at random for the same end. To leave such draws out would cost the two classical
  tests up to 0.07 with few tasks or an even N, and nothing the Poisson-binomial test.
- The recursion for Wilcoxon's null distribution starts at 1 where it should start at 1/2, so that the printed
  p-values are twice too large. That moves no AUC, which sees their order only.
- Ranks that tie are shared, but the null distribution is that of ranks without ties, at the integer below: as
  printed, and not as `nhst.wilcoxon`, which counts the sign patterns of the ranks as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc
from scipy.stats import rankdata

from canvas import canvas
from prose import paragraph
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

METHODS = ("Poisson-binomial", "Wilcoxon", "sign")
_DRAWS = 100_000  # as in the paper
_BATCH = 10_000

# Lacoste et al. 2012 Table 5: kh + 1, kg + 1, n - kh - kg + 1 of svm (h) and Parzen windows (g).
_TABLE_5 = """11 14 1223, 12 20 1232, 10 16 4078, 13 15 1228, 31 17 320, 22 22 148, 27 35 154, 14 18 112,
17 25 286, 24 17 151, 149 240 5555, 16 30 762, 19 14 791, 11 16 237, 79 127 3834, 15 20 1213, 10 11 803,
15 15 122, 11 29 176, 14 18 352, 46 64 410, 31 1019 2694"""


class Context(NamedTuple):
    """A mixture of Dirichlet distributions over (only A wrong, only B wrong, both alike)."""

    parameters: Floats
    weights: Floats

    @property
    def truth(self) -> int:
        """+1 where A is better on more than half of the tasks (Lacoste et al. 2012 eq. 2), else -1."""
        a, b = self.parameters[:, 0], self.parameters[:, 1]
        return 1 if self.weights @ betainc(a, b, 0.5) > 0.5 else -1

    def draw(
        self, rng: np.random.Generator, *, draws: int, tasks: int, examples: int
    ) -> tuple[Counts, Counts]:
        """How many examples only A, and only B, gets wrong: draws x tasks each."""
        kind = rng.choice(len(self.weights), (draws, tasks), p=self.weights)
        gamma = rng.standard_gamma(self.parameters[kind])
        counts = rng.multinomial(examples, gamma / gamma.sum(axis=-1, keepdims=True))
        return counts[..., 0], counts[..., 1]


CONTEXTS = {
    "one Dirichlet": Context(np.array([[100.0, 110.0, 790.0]]), np.ones(1)),
    "bimodal": Context(np.array([[100.0, 140.0, 9760.0], [1400.0, 1000.0, 7600.0]]), np.array([2, 1]) / 3),
    "22 Dirichlets": Context(
        np.array([row.split() for row in _TABLE_5.split(",")], dtype=float), np.full(22, 1 / 22)
    ),
}
_MANY = (3, 5, 7, 10, 14, 21, 30, 40, 50)
_DEEP = (31, 101, 301, 1001, 3001, 10001)
# (figure, context, N, n): the bimodal context has no figure, but one sentence.
DESIGNS = (
    *((3, "one Dirichlet", tasks, 1001) for tasks in _MANY),
    *((4, "22 Dirichlets", tasks, 1001) for tasks in _MANY),
    *((5, "22 Dirichlets", 21, examples) for examples in _DEEP),
    (0, "bimodal", 14, 100_001),
)


def poisson_binomial(a: Counts, b: Counts) -> tuple[Floats, Floats]:
    """Pr(A better in the context) for each row (Lacoste et al. 2012), as an answer and a confidence."""
    p = betainc(a + 1.0, b + 1.0, 0.5)  # Theorem 4.1 with a uniform prior
    draws, tasks = p.shape
    q = np.zeros((draws, tasks + 1))
    q[:, 0] = 1
    for i in range(tasks):
        lost, won = 1 - p[:, i, None], p[:, i, None]
        q[:, 1:] = q[:, 1:] * lost + q[:, :-1] * won
        q[:, :1] *= lost
    k = np.arange(tasks + 1)
    better = q @ betainc(1.0 + tasks - k, 1.0 + k, 0.5)
    return np.sign(better - 0.5), np.maximum(better, 1 - better)


def sign(a: Counts, b: Counts) -> tuple[Floats, Floats]:
    """The sign test (Lacoste et al. 2012 sec. 6.1): the answer, and 1 - p."""
    won, lost = np.sum(b > a, axis=1), np.sum(b < a, axis=1)
    fewer, used = np.minimum(won, lost), won + lost
    p = 2 * np.where(fewer < used, betainc(np.maximum(used - fewer, 1), fewer + 1, 0.5), 1.0)
    return np.sign(won - lost).astype(float), 1 - p


def wilcoxon(a: Counts, b: Counts) -> tuple[Floats, Floats]:
    """The signed-rank test (Lacoste et al. 2012 sec. 6.2): the answer, and 1 - p."""
    d = (b - a).astype(float)
    size = np.where(d == 0, np.inf, np.abs(d))  # zeros rank last, where they disturb nobody
    ranks = np.where(d == 0, 0.0, rankdata(size, axis=1))
    plus, minus = (np.sum(ranks * side, axis=1) for side in (d > 0, d < 0))
    smaller, used = np.floor(np.minimum(plus, minus)).astype(int), np.sum(d != 0, axis=1)
    tail, chances = np.ones(len(d)), np.ones(1)
    for n in range(1, d.shape[1] + 1):
        gap = np.zeros(n)
        chances = (np.concatenate([chances, gap]) + np.concatenate([gap, chances])) / 2
        tail[used == n] = np.cumsum(chances)[smaller[used == n]]
    return np.sign(plus - minus), 1 - 2 * tail


_TESTS = dict(zip(METHODS, (poisson_binomial, wilcoxon, sign), strict=True))


def auc(right: Floats, wrong: Floats) -> tuple[float, float]:
    """The chance that a right answer has more confidence than a wrong one, and its error (DeLong)."""
    right, wrong = np.sort(np.round(right, 12)), np.sort(np.round(wrong, 12))
    if min(right.size, wrong.size) < 2:
        return float("nan"), float("nan")

    def share_below(of: Floats, values: Floats) -> Floats:
        return (np.searchsorted(of, values, "left") + np.searchsorted(of, values, "right")) / (2 * of.size)

    above, below = share_below(wrong, right), share_below(right, wrong)
    error = np.sqrt(above.var(ddof=1) / right.size + below.var(ddof=1) / wrong.size)
    return float(above.mean()), float(error)


def simulate(context: Context, *, tasks: int, examples: int, draws: int, seed: int = 0) -> dict[str, Any]:
    """For each test its AUC, Monte Carlo error, and how often it errs, at all and above 0.85 and 0.90."""
    rng = np.random.default_rng([seed, tasks, examples])
    found: dict[str, list[tuple[Floats, Floats, Floats]]] = {name: [] for name in METHODS}
    for start in range(0, draws, _BATCH):
        a, b = context.draw(rng, draws=min(_BATCH, draws - start), tasks=tasks, examples=examples)
        for name, test in _TESTS.items():
            answer, confidence = test(a, b)
            coin = rng.choice([-1.0, 1.0], answer.size)
            found[name].append((answer, np.where(answer == 0, coin, answer), confidence))
    out = {}
    for name, parts in found.items():
        own, answer, confidence = (np.concatenate(column) for column in zip(*parts, strict=True))
        right = answer == context.truth
        area, error = auc(confidence[right], confidence[~right])
        answered, _ = auc(confidence[right & (own != 0)], confidence[~right & (own != 0)])
        out[name] = {
            "auc": area,
            "auc_answered": answered,  # draws without an answer left out
            "error": error,
            "wrong": float(np.mean(~right)),
            "wrong_above_0.85": float(np.mean(~right & (confidence > 0.85))),
            "wrong_above_0.90": float(np.mean(~right & (confidence > 0.90))),
        }
    return out


def measure(scale: float) -> dict[str, Any]:
    """Figures 3, 4 and 5, and the sentence on the bimodal context."""
    draws = max(int(_DRAWS * scale), 1_000)
    rows = [
        {
            "figure": figure,
            "context": name,
            "tasks": tasks,
            "examples": examples,
            "tests": simulate(CONTEXTS[name], tasks=tasks, examples=examples, draws=draws),
        }
        for figure, name, tasks, examples in DESIGNS
    ]
    return {"draws": draws, "rows": rows}


def _of(figures: dict[str, Any], figure: int) -> list[dict[str, Any]]:
    return [row for row in figures["rows"] if row["figure"] == figure]


def _at(figures: dict[str, Any], figure: int, tasks: int) -> dict[str, Any]:
    return next(dict(row["tests"]) for row in _of(figures, figure) if row["tasks"] == tasks)


def _table(rows: list[dict[str, Any]], along: str) -> list[str]:
    return [
        f"| {along} | {' | '.join(METHODS)} |",
        f"| {'--- | ' * (1 + len(METHODS))}".rstrip(),
        *(
            f"| {row[along]} | "
            + " | ".join(f"{row['tests'][m]['auc']:.3f} ± {row['tests'][m]['error']:.3f}" for m in METHODS)
            + " |"
            for row in rows
        ),
    ]


def _cautious(rows: list[dict[str, Any]]) -> tuple[int, int]:
    """On how many designs the Poisson-binomial test above 0.85 errs less than both others above 0.90."""
    fewer = [
        row["tests"]["Poisson-binomial"]["wrong_above_0.85"]
        <= min(row["tests"][m]["wrong_above_0.90"] for m in ("Wilcoxon", "sign"))
        for row in rows
    ]
    return sum(fewer), len(fewer)


def text(figures: dict[str, Any]) -> str:
    """The section of the page."""
    bimodal = _of(figures, 0)[0]["tests"]
    cautious, designs = _cautious(figures["rows"])
    return "\n".join(
        [
            "## Many tasks: the simulations of Lacoste, Laviolette & Marchand (2012)",
            "",
            paragraph(
                "We repeated the simulations in section 6 of the paper, which introduced the "
                "Poisson-binomial",
                "test. A *context* is a distribution of tasks for which the better algorithm is known. N "
                "tasks",
                "of n examples are drawn from it, and each test says which algorithm is better and how",
                "confident it is. The tables have the AUC: the probability that a correct answer has more",
                f"confidence than a wrong one, from {figures['draws']:,} draws, ± one Monte Carlo error.",
            ),
            "",
            "![AUC of three tests over many tasks](img/calibration/poisson-binomial.png)",
            "",
            paragraph(
                "**Figure 3** of the paper: one Dirichlet distribution (100, 110, 790), n = 1001. The paper",
                "says that the Poisson-binomial test always beats the sign test, and that Wilcoxon's test,",
                "whose assumption of symmetry holds here, is equally good. We find the same for N = 10 and",
                "above. With 3 or 5 tasks, both classical tests do worse, because their p-values have few",
                "possible values.",
            ),
            "",
            *_table(_of(figures, 3), "tasks"),
            "",
            paragraph(
                "**Figure 4** of the paper: the 22 Dirichlet distributions of its Table 5, n = 1001. The "
                "paper",
                "says that the Poisson-binomial test is the most appropriate. We find that it beats both",
                "others for every N. Wilcoxon's test beats the sign test except for N = 10 and 14, where the",
                "two are equal. With an even N the sign test has ties, which it decides by a coin toss "
                "at the",
                "lowest confidence, and this helps it: without the ties, its AUC at N = 10 is",
                f"{_at(figures, 4, 10)['sign']['auc_answered']:.3f}, and that of Wilcoxon's test",
                f"{_at(figures, 4, 10)['Wilcoxon']['auc_answered']:.3f}.",
            ),
            "",
            *_table(_of(figures, 4), "tasks"),
            "",
            paragraph(
                "**Figure 5** of the paper: the same context, with N = 21 tasks of n examples. With "
                "small test",
                "sets, Wilcoxon's test and the Poisson-binomial test are nearly equal. With large test sets",
                "the skew of the differences matters, and Wilcoxon's test is no better than the sign test.",
            ),
            "",
            *_table(_of(figures, 5), "examples"),
            "",
            paragraph(
                "**The bimodal context** (N = 14, n = 100001): A is slightly better on two tasks out of "
                "three",
                "and much worse on the third. The paper reports an AUC of 0.334 for Wilcoxon's test, "
                "which is",
                "worse than a coin toss, and above 0.8 for the other two. We find",
                ", ".join(f"{m} {bimodal[m]['auc']:.3f} ± {bimodal[m]['error']:.3f}" for m in METHODS) + ".",
            ),
            "",
            paragraph(
                "Section 7 of the paper remarks that the Poisson-binomial test with a threshold of 0.85 is",
                "wrong less often than the others with a threshold of 0.90. This holds in",
                f"{cautious} of our {designs} designs.",
            ),
            "",
            paragraph(
                "Three details are our own choices. The paper does not print the values of N and n on its",
                "axes, so we chose them. A draw with as many wins as losses is decided by a coin toss at the",
                "lowest confidence; without such draws, the AUC of the two classical tests would be up "
                "to 0.07",
                "lower. Wilcoxon's null distribution starts from 1/2, not from 1 as printed, which "
                "changes no",
                "AUC.",
            ),
            "",
        ]
    )


def draw(figures: dict[str, Any], folder: Path) -> None:
    """Figures 3, 4 and 5 side by side."""
    looks = dict(zip(METHODS, ((BETTER.ink, "o"), (WORSE.ink, "s"), (EQUIVALENT.ink, "^")), strict=True))
    panels = (
        (3, "tasks", "Figure 3: one Dirichlet", "tasks N, of 1001 examples"),
        (4, "tasks", "Figure 4: 22 Dirichlets", "tasks N, of 1001 examples"),
        (5, "examples", "Figure 5: 22 Dirichlets", "examples n of each of 21 tasks"),
    )
    with canvas(folder / "poisson-binomial.png", columns=3, size=(9.6, 3.2)) as axes:
        for ax, (figure, along, title, label) in zip(axes[0], panels, strict=True):
            rows = _of(figures, figure)
            x = [row[along] for row in rows]
            for name, (colour, mark) in looks.items():
                y = [row["tests"][name]["auc"] for row in rows]
                ax.plot(x, y, mark, ls="-", lw=1.4, ms=4, color=colour, label=name)
            ax.set_xscale("log")
            ax.set_xticks(x, [f"{v:,}" if v < 3000 else f"{v // 1000}k" for v in x])
            ax.minorticks_off()
            ax.set(title=title, xlabel=label, ylim=(0.6, 1.005))
        axes[0][0].set_ylabel("AUC of the confidence")
        axes[0][0].legend(fontsize=8.5, frameon=False, loc="lower right")
