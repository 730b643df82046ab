"""Cross-validation of real algorithms on real rows with permuted labels, so that none is better.

The truth is known exactly. Every fold has equally many rows of both classes, so that every algorithm has an
expected accuracy of 1/2, and any two an expected difference of 0. (In unbalanced folds, an algorithm that
prefers the majority class of its training rows would do worse than 1/2, because the test fold then has fewer
rows of that class.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canvas import canvas
from prose import paragraph
from ropewalk import bayes, decide, nhst
from ropewalk.plot.style import BETTER, HAIR, INK, WORSE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Predict = Callable[[Floats, Ints, Floats], Ints]  # training rows, their labels, test rows -> labels

ROWS = 100
ROPE = 0.01
_PERMUTATIONS = 300  # of each data set


def folds(y: Ints, k: int, rng: np.random.Generator) -> Iterator[tuple[Ints, Ints]]:
    """Training and test rows of k folds, each with as many of every class."""
    parts = [np.split(rng.permutation(np.flatnonzero(y == c)), k) for c in (0, 1)]
    for test in (np.concatenate(pair) for pair in zip(*parts, strict=True)):
        yield np.setdiff1d(np.arange(y.size), test, assume_unique=True), test


def differences(x: Floats, y: Ints, a: Predict, b: Predict, k: int, rng: np.random.Generator) -> list[float]:
    """A's accuracy less B's on each of k folds."""
    out = []
    for train, test in folds(y, k, rng):
        right = [np.mean(model(x[train], y[train], x[test]) == y[test]) for model in (a, b)]
        out.append(float(right[0] - right[1]))
    return out


def discriminant(x: Floats, y: Ints, new: Floats) -> Ints:
    """Linear discriminant analysis for equal classes, the covariance shrunk by a tenth to a round one."""
    low, high = x[y == 0].mean(axis=0), x[y == 1].mean(axis=0)
    within = x - np.where(y[:, np.newaxis] == 1, high, low)
    covariance = within.T @ within / (y.size - 2)
    size = covariance.shape[0]
    shrunk = 0.9 * covariance + 0.1 * np.trace(covariance) / size * np.eye(size)
    return ((new - (low + high) / 2) @ np.linalg.solve(shrunk, high - low) > 0).astype(int)


def naive_bayes(x: Floats, y: Ints, new: Floats) -> Ints:
    """Gaussian naive Bayes for equal classes."""
    floor = 1e-9 * x.var(axis=0).max()  # as scikit-learn has it
    log = []
    for c in (0, 1):
        own = x[y == c]
        variance = own.var(axis=0) + floor
        log.append(-0.5 * (np.log(variance) + (new - own.mean(axis=0)) ** 2 / variance).sum(axis=1))
    return (log[1] > log[0]).astype(int)


def _cases() -> dict[str, tuple[Floats, str, str, Predict, Predict]]:
    """Two classes of each data set, 50 rows of each, standardised; and the two algorithms."""
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine
    from sklearn.tree import DecisionTreeClassifier

    def rows(load: Any, classes: tuple[int, int]) -> Floats:
        x, y = load(return_X_y=True)
        x = np.concatenate([x[y == c][: ROWS // 2] for c in classes])
        x = x[:, np.std(x, axis=0) > 0]
        return np.asarray((x - x.mean(axis=0)) / x.std(axis=0))

    def tree(x: Floats, y: Ints, new: Floats) -> Ints:
        model = DecisionTreeClassifier(random_state=0)
        # Told not to check its input, it wants the numbers as it stores them; that saves half of the time.
        model.fit(x.astype(np.float32), y, check_input=False)
        return np.asarray(model.predict(new.astype(np.float32), check_input=False))

    linear, trees = ("linear discriminant", discriminant), ("decision tree", tree)
    bayesian = ("naive Bayes", naive_bayes)
    return {
        name: (rows(load, classes), a[0], b[0], a[1], b[1])
        for name, load, classes, a, b in (
            ("breast cancer", load_breast_cancer, (0, 1), bayesian, trees),
            ("wine", load_wine, (0, 1), linear, bayesian),
            ("digits 3 and 8", load_digits, (3, 8), linear, trees),
        )
    }


# Each takes 10 x 10 differences of 10-fold and 5 x 2 of 2-fold cross-validation.
TESTS: dict[str, Callable[[Floats, Floats], float]] = {
    "paired t, 10 folds": lambda ten, two: nhst.paired_t(ten[0]).p_value,
    "corrected t, 10 folds": lambda ten, two: nhst.corrected_t(ten[0], rho=0.1).p_value,
    "paired t, 10 x 10 folds": lambda ten, two: nhst.paired_t(ten.ravel()).p_value,
    "corrected t, 10 x 10 folds": lambda ten, two: nhst.corrected_t(ten.ravel(), rho=0.1).p_value,
    "5x2cv t": lambda ten, two: nhst.five_by_two_t(two).p_value,
    "5x2cv F": lambda ten, two: nhst.five_by_two_f(two).p_value,
}
NAIVE = ("paired t, 10 folds", "paired t, 10 x 10 folds")


def _verdict(d: Floats) -> str:
    rope = decide.in_scores(-ROPE, ROPE, "given")
    return decide.by_threshold(decide.probabilities(bayes.t(d, rho=0.1), rope))


def correlation(tables: Floats) -> float:
    """The correlation of the folds that explains how far their mean varies from one permutation to the next.

    Var(mean) = v (1/n + (n - 1)/n rho), E s² = v (1 - rho) for n equally correlated numbers; solved for rho.
    """
    d = tables.reshape(len(tables), -1)
    n = d.shape[1]
    ratio = float(np.mean(d.mean(axis=1) ** 2) / np.mean(d.var(axis=1, ddof=1)))  # the mean is known to be 0
    return (ratio - 1 / n) / (ratio + (n - 1) / n)


def measure(scale: float) -> dict[str, Any]:
    """For every data set the share of p-values at or below 5 and 1%, and of each verdict."""
    try:
        import sklearn
    except ImportError:
        return {"absent": ["scikit-learn"], "cases": []}
    count = max(int(_PERMUTATIONS * scale), 5)
    cases = []
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        for name, (x, name_a, name_b, a, b) in _cases().items():
            tens, twos = [], []
            for permutation in range(count):
                rng = np.random.default_rng(permutation)
                y = rng.permutation(np.repeat([0, 1], ROWS // 2))
                tens.append([differences(x, y, a, b, 10, rng) for _ in range(10)])
                twos.append([differences(x, y, a, b, 2, rng) for _ in range(5)])
            cases.append({"data": name, "a": name_a, "b": name_b, **summary(np.array(tens), np.array(twos))})
    return {"absent": [], "cases": cases}


def summary(tens: Floats, twos: Floats) -> dict[str, Any]:
    """Rates from the differences of all permutations."""
    p = {name: np.array([test(*d) for d in zip(tens, twos, strict=True)]) for name, test in TESTS.items()}
    said = [_verdict(d.ravel()) for d in tens]
    return {
        "permutations": len(tens),
        "mean": float(tens.mean()),
        "mean_error": float(tens.mean(axis=(1, 2)).std(ddof=1) / np.sqrt(len(tens))),
        "correlation": correlation(tens),
        "at_0.05": {name: float(np.mean(v <= 0.05)) for name, v in p.items()},
        "at_0.01": {name: float(np.mean(v <= 0.01)) for name, v in p.items()},
        "verdicts": {v: said.count(v) / len(said) for v in ("better", "equivalent", "worse", "undecided")},
    }


def pooled(cases: list[dict[str, Any]], name: str, level: str = "at_0.05") -> tuple[float, float]:
    """The rate over all data sets, and its Monte Carlo error."""
    total = sum(case["permutations"] for case in cases)
    rate = sum(case["permutations"] * case[level][name] for case in cases) / total
    return rate, float(np.sqrt(max(rate * (1 - rate), 1 / total) / total))


def text(figures: dict[str, Any]) -> str:
    """The section of the page."""
    head = "## Cross-validation with permuted labels: the corrected t against the naive one"
    cases = figures["cases"]
    if not cases:
        return f"{head}\n\nNot measured: scikit-learn was not installed.\n"
    names = [case["data"] for case in cases]
    lines = [
        head,
        "",
        paragraph(
            "Here real algorithms are compared on real data, but the labels were shuffled, so that nothing",
            "can be learned and no algorithm is better. A difference that a test finds is a false positive.",
            f"Each data set has {ROWS} rows, half of them in each class, also within every fold, so that "
            "every",
            "algorithm has an expected accuracy of exactly 1/2. The labels of each data set were shuffled",
            f"{cases[0]['permutations']:,} times. Two schemes were used: 10-fold cross-validation "
            "repeated ten",
            "times, and 2-fold cross-validation repeated five times.",
        ),
        "",
        *(
            f"- {c['data']}: {c['a']} against {c['b']}; mean difference {100 * c['mean']:+.2f} ± "
            f"{100 * c['mean_error']:.2f} points, correlation of the folds {c['correlation']:.2f}."
            for c in cases
        ),
        "",
        "False positives in percent at the 5% level, for each data set and for all of them (pooled, ± "
        "one Monte",
        "Carlo error):",
        "",
        f"| test | {' | '.join(names)} | pooled | pooled, at 1% |",
        f"| {'--- | ' * (len(names) + 3)}".rstrip(),
    ]
    for test in TESTS:
        rate, error = pooled(cases, test)
        each = " | ".join(f"{100 * c['at_0.05'][test]:.1f}" for c in cases)
        low, _ = pooled(cases, test, "at_0.01")
        lines.append(f"| {test} | {each} | {100 * rate:.1f} ± {100 * error:.1f} | {100 * low:.1f} |")
    better, worse, equal, open_ = (
        pooled([{**c, "at_0.05": c["verdicts"]} for c in cases], v)[0]
        for v in ("better", "worse", "equivalent", "undecided")
    )
    lines += [
        "",
        "![Claims of a difference between algorithms on permuted labels](img/calibration/permuted.png)",
        "",
        paragraph(
            f"With the Bayesian correlated t-test (`bayes.t` with rho = 0.1), a ROPE of ±{ROPE:g} and the "
            "10 x 10",
            f'folds, the verdict was wrongly "better" in {100 * better:.1f}% of permutations and wrongly '
            '"worse"',
            f'in {100 * worse:.1f}%. It was "equivalent" in {100 * equal:.1f}% and undecided in',
            f"{100 * open_:.1f}%: {ROWS} rows are not enough to show that two algorithms are within a "
            "point of",
            "each other.",
        ),
        "",
        paragraph(
            "The naive t-test (*paired t*) treats the folds as independent, although their training sets",
            "overlap, and more repetitions make it worse. mlxtend's `paired_ttest_kfold_cv` is the naive "
            "test",
            "of the first row. The corrected test assumes that two folds have a correlation of",
            "n_test/(n_test + n_train) = 0.1; the list above shows the actual correlations.",
        ),
    ]
    return "\n".join(lines) + "\n"


def draw(figures: dict[str, Any], folder: Path) -> None:
    """One line for each test, one mark for each data set, and a bar for all of them."""
    cases = figures["cases"]
    if not cases:
        return
    with canvas(folder / "permuted.png", size=(7.2, 3.0)) as axes:
        ax = axes[0][0]
        for i, test in enumerate(TESTS):
            tint = WORSE if test in NAIVE else BETTER
            rate, error = pooled(cases, test)
            ax.barh(i, rate, height=0.6, color=tint.fill)
            ax.errorbar(rate, i, xerr=2 * error, color=tint.ink, lw=1.2, capsize=2)
            for case, mark in zip(cases, "os^", strict=True):
                ax.plot(
                    case["at_0.05"][test],
                    i,
                    mark,
                    color=INK,
                    ms=3.5,
                    label=case["data"] if i == 0 else None,
                    ls="",
                )
        ax.axvline(0.05, color=HAIR, lw=1)
        ax.set_yticks(range(len(TESTS)), list(TESTS))
        ax.set(ylim=(len(TESTS) - 0.4, -0.6), xlabel="false positives at 5%")
        ax.xaxis.set_major_formatter(lambda v, _: f"{100 * v:.0f}%")
        ax.legend(fontsize=8, frameon=False, loc="lower right")
