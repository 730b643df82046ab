"""The two papers of Williams, line by line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaln

from reproduce import published
from reproduce.rows import Row, Section, several, three
from ropewalk import bayes, decide, nhst
from ropewalk.posterior import Probabilities
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums

N = 176
NOT_PUBLISHED = "The scores of the mice are not published."

ABOUT = """\
*Use Bayesian paired tests to improve the comparison of machine learning models.* The scores of the first
example (mice in cages, N = 176) are not published; what follows from the printed mean over standard deviation
d is computed from it. The second example has its counts in Table 1. The three probabilities are those that
the first model is practically better, equivalent and worse."""
ABOUT_REVIEW = """\
*A review of and best practices for comparing machine learning models* has the same two examples, with Fig. 4
and the appendices in addition."""


def sections() -> list[Section]:
    return [
        Section(
            title="Williams, Bayesian paired tests",
            about=ABOUT,
            rows=[*_mice(), *_languages(), *_times_ten(), *_hierarchy()],
        ),
        Section(title="Williams (2026), review", about=ABOUT_REVIEW, rows=[*_review()]),
    ]


# --- 176 mice and snippets ---------------------------------------------------------------------------------


def _at(d: float, n: int) -> tuple[Probabilities, float]:
    """Mean d and standard deviation 1 of n differences: probabilities with a ROPE of 0.1 sd, and p."""
    sums = Sums(n=n, mean=d, m2=float(n - 1))
    p = decide.probabilities(bayes.t(sums), decide.in_scores(-0.1, 0.1, "given"))
    return p, nhst.paired_t(sums).p_value


def _mice() -> Iterator[Row]:
    p, test = _at(0.53, N)
    yield Row(
        where="sec. 6.1, Fig. 1",
        what="LgR - SVM from d = 0.53: t, p",
        printed="7.06, 3.7e-11",
        ours=f"{0.53 * np.sqrt(N):.2f}, {test:.1e}",
        note="t = 7.06 is d = 0.532; the print has two digits of d.",
    )
    yield Row(where="sec. 6.1, Fig. 1", what="LgR - SVM", printed="1.0 / 0.0 / 0.0", ours=three(p))
    yield Row(
        where="sec. 6.1, Fig. 1",
        what="LgR - SVM: median and mean difference; robust t",
        printed="0.51, 0.34; 1.0 / 0.0 / 0.0",
        ours="cannot be computed",
        note=NOT_PUBLISHED,
    )
    d = float(brentq(lambda x: _at(x, 6 * N)[1] - 0.0324, 0.05, 0.08))
    for where, factor, printed_p, printed in (
        ("sec. 6.1, Fig. 2", 1, "0.38", "0.326 / 0.660 / 0.014"),
        ("sec. 6.1, 6 N", 6, "0.0324", "0.134 / 0.866 / 0.000"),
        ("sec. 6.1, 15 N", 15, "0.0007", "0.040 / 0.960 / 0.000"),
    ):
        (rounded, p_rounded), (exact, p_exact) = _at(0.066, factor * N), _at(d, factor * N)
        yield Row(
            where=where,
            what="LgR - MLP: p",
            printed=printed_p,
            ours=f"{p_exact:.4f}",
            note=f"from d = {d:.5f}, which the printed p of 0.0324 gives; {p_rounded:.4f} from d = 0.066",
        )
        yield Row(
            where=where,
            what="LgR - MLP",
            printed=printed,
            ours=three(exact),
            note=f"{three(rounded)} from d = 0.066",
        )
    yield Row(
        where="sec. 6.1, Fig. 2",
        what="LgR - MLP: t, d",
        printed="0.87, 0.066 (negligible)",
        ours=f"{d * np.sqrt(N):.2f}, {d:.3f} ({decide.cohens_d(Sums(n=N, mean=d, m2=N - 1.0)).label})",
    )
    yield Row(
        where="sec. 6.1",
        what="LgR - MLP, robust t",
        printed="0.339 / 0.643 / 0.018",
        ours="cannot be computed",
        note=NOT_PUBLISHED + " The robust t needs every difference.",
    )
    yield Row(
        where="sec. 6.1",
        what="after Platt scaling: LgR against MLP, NB and SVM",
        printed="all undecided",
        ours="cannot be computed",
        note=NOT_PUBLISHED + " `--calibrate platt` does the same on data of your own.",
    )


# --- eleven language pairs ---------------------------------------------------------------------------------


def counts() -> dict[str, tuple[int, int, int, int]]:
    """n00, n01, n10, n11 by language pair; the first digit is the GNN."""
    rows = published.table("williams_table_1")
    return {r["pair"]: (int(r["n00"]), int(r["n01"]), int(r["n10"]), int(r["n11"])) for r in rows}


def _mcnemar(n01: int, n10: int) -> Probabilities:
    posterior = bayes.mcnemar(n01, n10)
    return decide.probabilities(posterior, decide.on_phi(posterior.mean, 1.0, -0.1, 0.1))


def _languages() -> Iterator[Row]:
    printed = {"da-en": "0.571 / 0.429 / 0.00004", "tr-en": "0.000005 / 0.004 / 0.996"}
    for pair, (_, n01, n10, _) in counts().items():
        p, g = _mcnemar(n01, n10), decide.cohens_g(n01, n10)
        digits = 6 if pair in printed else 3
        yield Row(
            where="sec. 6.2, Table 1" + (", Fig. 3" if pair in printed else ""),
            what=f"{pair}: GNN better / equivalent / worse",
            printed=printed.get(pair, "undecided"),
            ours=three(p, digits),
            note=f"p {nhst.mcnemar(n01, n10).p_value:.4f}, g {g.value:+.3f} ({g.label})",
        )
    wins = sum(n10 > n01 for _, n01, n10, _ in counts().values())
    yield Row(
        where="sec. 6.2",
        what="pairs on which the GNN is more accurate",
        printed="4 of 11",
        ours=f"{wins} of 11",
    )
    p = [nhst.mcnemar(*counts()[pair][1:3]).p_value for pair in ("da-en", "tr-en")]
    yield Row(
        where="sec. 6.2",
        what="McNemar p of da-en and tr-en; of the others",
        printed="0.045, 0.00067; above 0.05",
        ours=f"{p[0]:.4f}, {p[1]:.5f}; above 0.05",
        note="The statistic with its continuity correction is 1444/357; the print is off in the last digit.",
    )
    means = [bayes.mcnemar(*counts()[pair][1:3]).mean for pair in ("da-en", "tr-en")]
    yield Row(
        where="Fig. 3",
        what="posterior mean of phi, da-en and tr-en",
        printed="0.45, 0.68",
        ours=several(means, 2),
    )
    g = [abs(decide.cohens_g(*counts()[pair][1:3]).value) for pair in ("da-en", "tr-en")]
    yield Row(
        where="sec. 6.2",
        what="Cohen's g of da-en and tr-en",
        printed="0.055 (small), 0.18 (medium)",
        ours=several(g),
    )


def _times_ten() -> Iterator[Row]:
    verdicts: dict[str, list[str]] = {"better": [], "equivalent": [], "worse": [], "undecided": []}
    for pair, (_, n01, n10, _) in counts().items():
        verdicts[decide.by_threshold(_mcnemar(10 * n01, 10 * n10))].append(pair)
    rejected = [k for k, n in counts().items() if nhst.mcnemar(10 * n[1], 10 * n[2]).p_value < 0.05]
    yield Row(
        where="sec. 6.2, counts x 10",
        what="pairs with p < 0.05",
        printed="8 of 11",
        ours=f"{len(rejected)} of 11",
    )
    for name, printed in (
        ("equivalent", "de-en, id-en, zh-en, fr-en, nl-en, tr-de"),
        ("worse", "tr-en"),
        ("undecided", "da-en, es-en, it-en, sv-en"),
    ):
        yield Row(
            where="sec. 6.2, counts x 10", what=f"GNN {name}", printed=printed, ours=", ".join(verdicts[name])
        )


def _hierarchy() -> Iterator[Row]:
    n01, n10 = (np.array([n[k] for n in counts().values()]) for k in (1, 2))
    fitted = bayes.hierarchical_mcnemar(n01, n10)
    yield Row(
        where="sec. 6.2, Fig. 3(c)",
        what="mean of phi on the next task",
        printed="0.521",
        ours=f"{fitted.phi_next.mean:.3f}",
    )
    yield Row(
        where="sec. 6.2, Fig. 3(c)",
        what="next task: GNN better / equivalent / worse",
        printed="0.053 / 0.737 / 0.210",
        ours=three(fitted.next_task().mean),
        note="The print comes from samples.",
    )
    y, density, joint = population(n01, n10)
    below, above = np.searchsorted(y, [3.0, 8.0])
    mode = y[np.unravel_index(joint.argmax(), joint.shape)[1]]
    yield Row(
        where="sec. 6.2",
        what="log(a + b): joint mode with log(a/b), and probability between 3 and 8",
        printed="5.28; most of it",
        ours=f"{mode:.2f}, {density[below:above].sum():.2f}",
        note=f"The mode of log(a + b) by itself is {y[np.argmax(density)]:.2f}.",
    )
    test = nhst.friedman(np.stack([-n01, -n10], axis=1))
    yield Row(
        where="sec. 6.2",
        what="Friedman: chi², p",
        printed="0.818, 0.366",
        ours=f"{test.statistic:.3f}, {test.p_value:.3f}",
    )


def population(n01: Floats, n10: Floats) -> tuple[Floats, Floats, Floats]:
    """log(a + b), its posterior, and the joint posterior with logit(a/(a + b)), on a plain grid.

    phi_i ~ Beta(a, b), p(a, b) proportional to (a + b)^(-5/2): in these coordinates the prior is
    (a + b)^(-1/2) a b / (a + b)².
    """
    x, y = np.linspace(-1.0, 1.0, 401), np.linspace(-1.0, 16.0, 1701)
    share, total = 1 / (1 + np.exp(-x))[:, None], np.exp(y)
    a, b = share * total, (1 - share) * total
    log_p = -0.5 * y + np.log(share * (1 - share))
    for k, m in zip(n01, n10, strict=True):
        log_p = log_p + betaln(a + k, b + m) - betaln(a, b)
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    return y, p.sum(axis=0), p


# --- the review --------------------------------------------------------------------------------------------


def _review() -> Iterator[Row]:
    yield Row(
        where="sec. 6.1, 6.2, Figs. 1 to 3, Table 1",
        what="the numbers of the other paper",
        printed="the same",
        ours="as above",
    )
    yield Row(
        where="sec. 6.1",
        what="LgR scores by class: mean and sd",
        printed="-2.69, 1.50 and -0.07, 0.14",
        ours="cannot be computed",
        note=NOT_PUBLISHED,
    )
    n01, n10 = (np.array([n[k] for n in counts().values()]) for k in (1, 2))
    y, density, joint = population(n01, n10)
    beyond = float(np.exp(y[np.searchsorted(np.cumsum(density), 1 - 0.0221)]))
    middle = np.linspace(-1.0, 1.0, 401)[np.argmax(joint.sum(axis=1))]
    yield Row(
        where="Fig. 4(a)",
        what="samples of (a, b): share beyond the corner; a and b nearly equal",
        printed="221 of 10,000; a plot",
        ours=f"2.21% of the posterior has a + b above {beyond:,.0f}; the mode of a/b is {np.exp(middle):.2f}",
        note="The corner of the plot is not printed.",
    )
    yield Row(where="Fig. 4(b)", what="phi on the next task", printed="as Fig. 3(c)", ours="as above")
    gaps = paired_identities()
    yield Row(
        where="App. A, eq. 17, 18",
        what="squared errors of two models: the noise cancels in their difference",
        printed="an identity",
        ours=f"largest gap on 1,000 simulated examples: {gaps[0]:.0e}",
    )
    yield Row(
        where="App. B, eq. 22 to 24",
        what="model effects of a two-way ANOVA of mean squared errors do not contain the noise",
        printed="an identity",
        ours=f"largest gap to `nhst.anova`: {gaps[1]:.0e}",
    )


def paired_identities() -> tuple[float, float]:
    """The largest deviations from eq. 18 and eq. 24, on simulated predictions."""
    rng = np.random.default_rng(0)
    mu, noise = rng.normal(size=1000), rng.gamma(2.0, size=1000)
    f = mu + rng.normal(scale=[[0.5], [0.7], [0.9]], size=(3, 1000))
    y = mu + rng.normal(size=1000) * np.sqrt(noise)
    left = (f[0] - y) ** 2 - (f[1] - y) ** 2
    right = (f[0] - mu) ** 2 - (f[1] - mu) ** 2 + 2 * (f[1] - f[0]) * (y - mu)
    delta = (f - mu) ** 2
    effects = delta.mean(axis=1) - delta.mean()
    found = nhst.anova((delta + noise).T).effects
    return float(np.abs(left - right).max()), float(np.abs(np.asarray(found) - effects).max())
