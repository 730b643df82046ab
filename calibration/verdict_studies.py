"""Every method that a comparison picks by itself, on data that break what it assumes.

A study has a method, and for each setting and each size a number of simulations; for each true effect it
tells how often "better", "equivalent", "worse" and "undecided" are said at a threshold of 0.95. Effects are
multiples of the edge: 1 is the largest difference at which A is not practically better. For a mean that is
the half width of the ROPE. Where the most probable region on a new task is asked for, it is the shift of the
population at which "better" and "equivalent" are equally probable. The tests without a ROPE have the
true share of tasks that A wins in place of an effect, and one half as the edge.

Methods whose posterior moves along with the data are fitted once, and the ROPE is moved instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from scipy.special import betainc, ndtr, ndtri, stdtr

from rank_studies import RANK_STUDIES
from ropewalk import bayes
from ropewalk.errors import MethodError
from ropewalk.methods.shared_spread import shared
from ropewalk.posterior import Posterior
from ropewalk.sums import Sums
from study import FEW_EFFECTS, SHARE_OF_SD, SHARES, Floats, Study, said

Noise: TypeAlias = Callable[[Generator, tuple[int, ...]], Floats]


# --- noise with mean 0 and standard deviation 1 ------------------------------------------------------------


def normal(rng: Generator, shape: tuple[int, ...]) -> Floats:
    return rng.normal(size=shape)


def heavy(rng: Generator, shape: tuple[int, ...]) -> Floats:
    return np.asarray(rng.standard_t(3, shape) / np.sqrt(3))


def skewed(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """Exponential, the long tail on A's side."""
    return np.asarray(rng.standard_exponential(shape) - 1)


def skewed_against(rng: Generator, shape: tuple[int, ...]) -> Floats:
    return -skewed(rng, shape)


def very_skewed_against(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """Log-normal with sigma = 1, the long tail on B's side."""
    return np.asarray((np.exp(0.5) - np.exp(rng.normal(size=shape))) / np.sqrt((np.e - 1) * np.e))


def failing(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """One in ten is a failure, five standard deviations of the others below them."""
    low = rng.random(shape) < 0.1
    return np.asarray((rng.normal(size=shape) - 5 * low + 0.5) / np.sqrt(1 + 25 * 0.09))


NOISE: dict[str, Noise] = {
    "normal": normal,
    "heavy tails (t, 3 df)": heavy,
    "skew, long tail for A": skewed,
    "skew, long tail for B": skewed_against,
    "strong skew, long tail for B": very_skewed_against,
    "one in ten fails": failing,
}


# --- one task ----------------------------------------------------------------------------------------------


def by_t(x: Floats, half: float | Floats, truth: Floats, *, rho: float = 0.0) -> Floats:
    """`bayes.t` for every row of x at once; `half` is the ROPE of each row, `truth` each true effect."""
    n = x.shape[1]
    m, s = x.mean(axis=1), x.std(axis=1, ddof=1)
    scale = s * np.sqrt(1 / n + rho / (1 - rho))
    centre = m + truth[:, None]
    return said(stdtr(n - 1, (centre - half) / scale), stdtr(n - 1, (-half - centre) / scale))


def t(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """Examples with the default ROPE, a tenth of the standard deviation that is seen."""
    x = NOISE[setting](rng, (replications, n))
    return by_t(x, SHARE_OF_SD * x.std(axis=1, ddof=1), SHARE_OF_SD * np.array(effects))


def clusters(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """Ten rows in each of n clusters, correlation 0.3."""
    shared = np.sqrt(0.3) * rng.normal(size=(replications, n, 1))
    rows = shared + np.sqrt(0.7) * rng.normal(size=(replications, n, 10))
    ignored = setting == "clusters ignored"
    x = rows.reshape(replications, -1) if ignored else rows.mean(axis=2)
    true_sd = 1.0 if ignored else np.sqrt(0.3 + 0.07)
    return by_t(x, SHARE_OF_SD * x.std(axis=1, ddof=1), SHARE_OF_SD * true_sd * np.array(effects))


TRUE_RHO = {"as assumed, 0.1": 0.1, "independent": 0.0, "0.2": 0.2, "0.5": 0.5}


def folds(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """Ten folds, once to ten times; a ROPE of half the standard deviation of a fold."""
    rho = TRUE_RHO[setting]
    common = np.sqrt(rho) * rng.normal(size=(replications, 1))
    x = common + np.sqrt(1 - rho) * rng.normal(size=(replications, n))
    return by_t(x, 0.5, 0.5 * np.array(effects), rho=0.1)


def seeds(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """One score for each training run; a ROPE of one standard deviation of a run."""
    return by_t(NOISE[setting](rng, (replications, n)), 1.0, np.array(effects))


DISAGREEMENT = {
    "20% disagreement": 0.2,
    "5% disagreement": 0.05,
    "accuracies near 1: 1% disagreement": 0.01,
    "20%, in clusters of 5": 0.2,
}
# |phi - 1/2| = 0.1 sqrt(phi (1 - phi)) at the edge of a ROPE of 0.1 sd.
PHI_EDGE = 0.05 / np.sqrt(1 + SHARE_OF_SD**2)


def mcnemar(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    out = []
    for effect in effects:
        phi = 0.5 - effect * PHI_EDGE
        disagree = rng.binomial(n, DISAGREEMENT[setting], replications)
        if "clusters" in setting:  # correlation 0.2 between the mistakes of a cluster
            groups = np.maximum(disagree // 5, 1)
            one = rng.beta(4 * phi, 4 * (1 - phi), (replications, groups.max()))
            wrong = rng.binomial(5, one) * (np.arange(groups.max()) < groups[:, None])
            disagree, n01 = 5 * groups, wrong.sum(axis=1)
        else:
            n01 = rng.binomial(disagree, phi)
        a, b = 1.0 + n01, 1.0 + disagree - n01
        mean = a / (a + b)
        half = SHARE_OF_SD * np.sqrt(mean * (1 - mean))
        out.append(said(betainc(a, b, 0.5 - half), betainc(b, a, 0.5 - half)))
    return np.array(out)


def accuracy_difference(
    rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int
) -> Floats:
    """The ROPE is one point of accuracy."""
    rate, r = DISAGREEMENT[setting], 0.01
    out = []
    for effect in effects:
        lead = effect * r
        counts = rng.multinomial(n, [(rate - lead) / 2, (rate + lead) / 2, 1 - rate], replications)
        each, which = np.unique(counts, axis=0, return_inverse=True)
        p = np.empty((len(each), 2))
        for i, (n01, n10, same) in enumerate(each.tolist()):
            posterior = bayes.accuracy_difference(0, n01, n10, same)
            p[i] = posterior.sf(r), posterior.cdf(-r)
        out.append(said(*p[which.ravel()].T))
    return np.array(out)


def crossed(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """n seeds on 40 examples, with a residual of one; a ROPE of 0.3."""
    r, better, worse = 0.3, [], []
    for _ in range(replications):
        seed_sd = 0.0 if "do not matter" in setting else 0.5
        of_seeds = (heavy if "heavy" in setting else normal)(rng, (n, 1))
        of_examples = (very_skewed_against if "skew" in setting else normal)(rng, (1, 40))
        d = seed_sd * of_seeds + of_examples + rng.normal(size=(n, 40))
        one = _moved(bayes.crossed(d).posterior, r, r * np.array(effects))
        better.append(one[0])
        worse.append(one[1])
    return said(np.transpose(better), np.transpose(worse))


def _moved(posterior: Posterior, r: float, effects: Floats) -> tuple[Floats, Floats]:
    """The probabilities of better and worse if the data were larger by each effect."""
    return posterior.sf(r - effects), posterior.cdf(-r - effects)


def bootstrap(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """The AUROC of two models around 0.85 with correlated scores; the ROPE is one point of a hundred."""
    positive = 0.1 if "one in ten" in setting else 0.5
    r, out = 0.01, []
    for effect in effects:
        # AUROC = Phi(distance/sqrt 2) of two normal distributions.
        gap_a, gap_b = np.sqrt(2) * ndtri(0.85 + effect * r), np.sqrt(2) * ndtri(0.85)
        p: list[tuple[float, float]] = []
        while len(p) < replications:
            y = (rng.random(n) < positive).astype(int)
            if y.sum() < 2:
                continue
            shared = np.sqrt(0.7) * rng.normal(size=n)
            a, b = (gap * y + shared + np.sqrt(0.3) * rng.normal(size=n) for gap in (gap_a, gap_b))
            found = bayes.bootstrap("auroc", y, a, b, draws=400, rng=rng)
            p.append((float(found.sf(r)), float(found.cdf(-r))))
        out.append(said(*np.transpose(p)))
    return np.array(out)


# --- many tasks --------------------------------------------------------------------------------------------


def edge(x: Floats, r: float) -> float:
    """The shift of a population x at which "better" and "equivalent" are equally probable for one of it."""
    low, high = 0.0, 4 * r
    for _ in range(40):
        c = 0.5 * (low + high)
        low, high = (low, c) if np.mean(x + c > r) > np.mean(np.abs(x + c) <= r) else (c, high)
    return 0.5 * (low + high)


_MANY = 400_000  # of a population whose edge is looked for


def of_tasks(setting: str) -> Noise:
    """The advantages of a population of tasks; unequal ones are mixed of narrow and wide."""
    if setting == "unequal tasks":
        return lambda rng, shape: np.where(rng.random(shape) < 0.2, 2.0, 0.5) * rng.normal(size=shape)
    return NOISE[setting]


def signed_rank(
    rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int
) -> Floats:
    """One number a task, with the half width of the ROPE as sd; the mean of two tasks is judged."""
    noise, r = of_tasks(setting), 1.0
    two = noise(rng, (2, _MANY)).mean(axis=0)
    shift = edge(two, r)
    out = []
    for effect in effects:
        p = []
        for x in noise(rng, (replications, n)):
            found = bayes.signed_rank(x + effect * shift, r, draws=2000, rng=rng).most_probable
            p.append((found.better, found.worse))
        out.append(said(*np.transpose(p)))
    return np.array(out)


def sign(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """Ranks on n tasks: Pr(theta_better > theta_worse), each with half of the prior's unit."""
    out = []
    for share in effects:
        q: float | Floats = share
        if setting == "tasks in families of 5":  # correlation 0.3 within a family
            families = -(-n // 5)
            q = np.repeat(rng.beta(share * 7 / 3, (1 - share) * 7 / 3, (replications, families)), 5, axis=1)[
                :, :n
            ]
        won = (rng.random((replications, n)) < q).sum(axis=1)
        better = betainc(n - won + 0.5, won + 0.5, 0.5)
        out.append(said(better, 1 - better))
    return np.array(out)


CLEAR = {
    "wins and losses clear": (4.0, 4.0),
    "both hardly seen": (0.7, 0.7),
    "wins clear, losses hardly seen": (4.0, 0.7),
}


def poisson_binomial(
    rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int
) -> Floats:
    """Each task shows its advantage, of so many standard errors, with one standard error."""
    clear_win, clear_loss = CLEAR[setting]
    out = []
    for share in effects:
        won = rng.random((replications, n)) < share
        z = np.where(won, clear_win, -clear_loss) + rng.normal(size=won.shape)
        better = np.array([bayes.poisson_binomial(p) for p in ndtr(z)])
        out.append(said(better, 1 - better))
    return np.array(out)


def hierarchical_t(
    rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int
) -> Floats:
    """The average over tasks, which is asked by default; the ROPE is one sd of the tasks."""
    found = []
    for _ in range(replications):
        x = _of_ten(rng, setting, n)
        sums, _ = shared([Sums.of(row) for row in x], [*x])  # as in a report
        fitted = bayes.hierarchical_t(sums, scale=100.0, tolerance=1e-2)
        found.append(_moved(fitted.mean_advantage, 1.0, np.array(effects)))
    return said(*np.transpose(found, (1, 2, 0)))


def hierarchical_t_likeliest(
    rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int
) -> Floats:
    """The likeliest outcome on a new task; the ROPE is one sd of the tasks."""
    r = 1.0
    truth = edge(_population(setting)(rng, (_MANY,)), r) * np.array(effects)
    low, high = -r - truth, r - truth
    better: list[Floats] = []
    worse: list[Floats] = []
    while len(better) < replications:
        try:
            rows = [Sums.of(row) for row in _of_ten(rng, setting, n)]
            fitted = bayes.hierarchical_t(rows, scale=100.0, tolerance=1e-2)
        except MethodError:
            continue
        one = fitted.most_probable(low, high)
        better.append(one[0])
        worse.append(one[1])
    return said(np.transpose(better), np.transpose(worse))


_OF_TASKS = ("normal", "heavy tails (t, 3 df)", "strong skew, long tail for B", "unequal variances")
_OF_UNITS = "units with strong skew, long tail for B"
RELATED = "tasks that vary more have larger advantages"


def _population(setting: str) -> Noise:
    return of_tasks("normal" if setting in ("unequal variances", _OF_UNITS, RELATED) else setting)


def _of_ten(rng: Generator, setting: str, n: int) -> Floats:
    """n tasks of ten units, with a mean of 0; a unit varies twice as much as a task."""
    sd = 2.0 * np.exp(rng.normal(0, 1, (n, 1))) if setting == "unequal variances" else 2.0
    units = very_skewed_against if setting == _OF_UNITS else normal
    means = _population(setting)(rng, (n, 1))
    if setting == RELATED:
        sd = 2.0 * np.exp(means)
    return np.asarray(means + sd * units(rng, (n, 10)))


# a + b of the Beta from which the phi of the tasks come
PHI_SPREAD = {"tasks alike": 400.0, "tasks differ": 40.0, "two kinds of tasks": 400.0}


def hierarchical_mcnemar(
    rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int
) -> Floats:
    """n tasks with 100 disagreements each; the verdict goes by the mean of phi over tasks, the default."""
    size, out = PHI_SPREAD[setting], []
    for effect in effects:
        mean = 0.5 - effect * PHI_EDGE
        p: list[tuple[float, float]] = []
        while len(p) < replications:
            apart = 0.08 * rng.choice([-1, 1], n) if setting == "two kinds of tasks" else 0.0
            phi = rng.beta(size * (mean + apart), size * (1 - mean - apart), n)
            n01 = rng.binomial(100, phi)
            fitted = bayes.hierarchical_mcnemar(n01, 100 - n01)
            found, m = fitted.mean_phi, fitted.phi_next.mean
            half = SHARE_OF_SD * np.sqrt(m * (1 - m))
            p.append((float(found.cdf(0.5 - half)), float(found.sf(0.5 + half))))
        out.append(said(*np.transpose(p)))
    return np.array(out)


STUDIES = (
    Study(
        method="t",
        data="real-valued scores of examples, default ROPE",
        unit="examples",
        settings=tuple(list(NOISE)[:5]),
        sizes=(10, 30, 100, 300, 1000),
        simulate=t,
        replications=10_000,
    ),
    Study(
        method="t",
        data="examples in clusters, default ROPE",
        unit="clusters of ten",
        settings=("cluster means", "clusters ignored"),
        sizes=(5, 10, 30, 100),
        simulate=clusters,
        replications=10_000,
    ),
    Study(
        method="t",
        data="one score a training run",
        unit="runs",
        settings=("normal", "heavy tails (t, 3 df)", "one in ten fails"),
        sizes=(3, 5, 10, 30),
        simulate=seeds,
        replications=10_000,
    ),
    Study(
        method="correlated_t",
        data="folds of cross-validation; the true correlation of two folds",
        unit="folds",
        settings=tuple(TRUE_RHO),
        sizes=(10, 30, 100),
        simulate=folds,
        replications=10_000,
    ),
    Study(
        method="mcnemar",
        data="right or wrong, a ROPE of 0.1 sd on phi",
        unit="examples",
        settings=tuple(DISAGREEMENT),
        sizes=(100, 300, 1000, 3000, 10_000),
        simulate=mcnemar,
        replications=10_000,
    ),
    Study(
        method="mcnemar",
        data="right or wrong, a ROPE of one point of accuracy",
        unit="examples",
        settings=tuple(list(DISAGREEMENT)[:2]),
        sizes=(100, 300, 1000, 3000, 10_000),
        simulate=accuracy_difference,
        replications=1000,
    ),
    Study(
        method="crossed",
        data="several training runs on the same examples",
        unit="runs",
        settings=("normal", "runs do not matter", "runs with heavy tails", "examples with strong skew"),
        sizes=(3, 5, 10),
        simulate=crossed,
        replications=300,
    ),
    Study(
        method="bootstrap",
        data="AUROC, a ROPE of one point",
        unit="examples",
        settings=("half of them positive", "one in ten positive"),
        sizes=(50, 100, 300, 1000),
        simulate=bootstrap,
        replications=300,
        effects=FEW_EFFECTS,
    ),
    Study(
        method="signed_rank",
        data="one number a task",
        unit="tasks",
        settings=("normal", "heavy tails (t, 3 df)", "strong skew, long tail for B", "unequal tasks"),
        sizes=(3, 5, 10, 30),
        simulate=signed_rank,
        replications=300,
    ),
    Study(
        method="sign",
        data="ranks on tasks, no ROPE",
        unit="tasks",
        settings=("independent tasks", "tasks in families of 5"),
        sizes=(3, 5, 6, 10, 30, 100),
        simulate=sign,
        replications=10_000,
        effects=SHARES,
        edge=0.5,
    ),
    Study(
        method="poisson_binomial",
        data="tasks with metrics of their own, no ROPE",
        unit="tasks",
        settings=tuple(CLEAR),
        sizes=(5, 10, 30),
        simulate=poisson_binomial,
        replications=2000,
        effects=SHARES,
        edge=0.5,
    ),
    Study(
        method="hierarchical_t",
        data="ten units on each of several tasks, the average over tasks",
        unit="tasks",
        settings=(*_OF_TASKS, _OF_UNITS, RELATED),
        sizes=(5, 10, 20),
        simulate=hierarchical_t,
        replications=200,
    ),
    Study(
        method="hierarchical_t",
        data="ten units on each of several tasks",
        unit="tasks",
        settings=_OF_TASKS,
        sizes=(3, 5, 10),
        simulate=hierarchical_t_likeliest,
        replications=600,
    ),
    Study(
        method="hierarchical_mcnemar",
        data="right or wrong on several tasks, a ROPE of 0.1 sd on phi",
        unit="tasks",
        settings=tuple(PHI_SPREAD),
        sizes=(3, 5, 10),
        simulate=hierarchical_mcnemar,
        replications=150,
        effects=FEW_EFFECTS,
    ),
    *RANK_STUDIES,
)
