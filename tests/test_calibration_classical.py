"""The classical calibration studies at a small scale: error rates of every test and of Lacoste et al. (2012).

Oracle throughout: data whose truth is known. All seeds are fixed; bounds are four Monte Carlo errors.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk import bayes, nhst

LAB = Path(__file__).parents[1] / "calibration"
TESTS = sorted(name for name in dir(nhst) if inspect.isfunction(getattr(nhst, name)))


@pytest.fixture(scope="module", autouse=True)
def on_path() -> Iterator[None]:
    sys.path.insert(0, str(LAB))
    yield
    sys.path.remove(str(LAB))


@pytest.fixture(scope="module")
def classical() -> Any:
    return importlib.import_module("classical")


@pytest.fixture(scope="module")
def permuted() -> Any:
    return importlib.import_module("permuted")


@pytest.fixture(scope="module")
def lacoste() -> Any:
    return importlib.import_module("poisson_binomial")


@pytest.fixture(scope="module")
def study_module() -> Any:
    return importlib.import_module("studies.study")


def stored(part: str) -> dict[str, Any]:
    """The figures of the full run."""
    path = LAB / "figures" / f"{part}.json"
    if not path.exists():
        pytest.skip(f"the full figures of {part} are not here: run calibration/run.py")
    return dict(json.loads(path.read_text()))


def study(classical: Any, test: str) -> Any:
    return next(s for s in classical.studies() if s.test == test)


def test_every_public_test_has_a_study(classical: Any) -> None:
    assert sorted(s.test for s in classical.studies()) == TESTS == classical.public_tests()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.few(3)
def test_no_test_claims_too_much_where_its_assumptions_hold(
    classical: Any, study_module: Any, test: str
) -> None:
    whole = study(classical, test)
    own = replace(whole, settings=[s for s in whole.settings if s.holds and not s.effect])
    rows = study_module.run(own, 0.03, least=25, peers=False)
    assert len(rows) == len(own.settings) > 0
    assert [r for r in rows if classical.excess(r) > 4] == []


@pytest.mark.parametrize("test", TESTS)
def test_every_study_breaks_an_assumption_and_asks_for_power(classical: Any, test: str) -> None:
    settings = study(classical, test).settings
    assert any(not s.holds for s in settings)
    assert any(s.effect for s in settings)


@pytest.mark.parametrize(
    ("test", "side", "at_least"),
    [
        ("corrected_t", "paired t, overlap ignored", 0.1),
        ("cluster_t", "paired t, clusters ignored", 0.2),
        ("adjust", "no adjustment", 0.15),
    ],
)
def test_a_broken_test_is_caught(
    classical: Any, study_module: Any, test: str, side: str, at_least: float
) -> None:
    whole = study(classical, test)
    broken = replace(
        whole,
        settings=[s for s in whole.settings if s.holds and not s.effect],
        sides=[s for s in whole.sides if s.name == side],
    )
    rows = study_module.run(broken, 0.05)
    assert all(r["at_0.05"] > at_least and classical.excess(r) > 4 for r in rows)


def test_power_grows_with_the_sample_and_with_the_effect(classical: Any, study_module: Any) -> None:
    whole = study(classical, "paired_t")
    own = replace(whole, settings=[s for s in whole.settings if s.effect and s.name == "normal"])
    power = {(r["effect"], r["n"]): r["at_0.05"] for r in study_module.run(own, 0.1, peers=False)}
    # Closed form (noncentral t): 0.2 at n = 100 is found in 51%, 0.5 at n = 30 in 75%, at n = 10 in 29%.
    for (effect, n), expected in {(0.2, 100): 0.508, (0.5, 30): 0.754, (0.5, 10): 0.293}.items():
        assert power[effect, n] == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 300))
    assert power[0.2, 10] < power[0.2, 30] < power[0.2, 100] < power[0.5, 100]


def test_scipy_has_the_same_p_values_on_the_same_draws(classical: Any, study_module: Any) -> None:
    whole = study(classical, "paired_t")
    own = replace(
        whole, settings=whole.settings[:3], sides=[s for s in whole.sides if s.module != "pingouin"]
    )
    rows = [r for r in study_module.run(own, 0.02) if r["side"] == "scipy"]
    assert [r["differs"] for r in rows] == [0.0, 0.0, 0.0]


def test_a_peer_that_is_not_installed_is_said_so(
    classical: Any, study_module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [
        study_module.Side(name="ropewalk", p_values=study_module.each(nhst.paired_t), replications=100),
        study_module.Side(name="ghost", module="no_such_package", p_values=len, replications=100),
    ]
    small = [replace(study(classical, "paired_t"), sides=sides)]
    monkeypatch.setattr(classical, "studies", lambda: small)
    figures = json.loads(json.dumps(classical.measure(0.02)))
    assert figures["absent"] == ["no_such_package"]
    assert {r["side"] for r in figures["rows"]} == {"ropewalk"}
    page = classical.text(figures)
    assert page.startswith("## ")
    assert "Not installed when this was measured: no_such_package." in page


def test_a_peer_that_refuses_claims_nothing(study_module: Any) -> None:
    def nothing(data: Any) -> Any:
        return np.full(len(data), np.nan)

    refusing = study_module.Study(
        test="paired_t",
        claim="",
        settings=[study_module.Setting(name="any", n=3, draw=lambda rng, count: rng.normal(size=(count, 3)))],
        sides=[
            study_module.Side(name="ropewalk", p_values=study_module.each(nhst.paired_t), replications=50),
            study_module.Side(name="shy", module="numpy", p_values=nothing, replications=50),
        ],
    )
    row = study_module.run(refusing, 1.0)[1]
    assert (row["refused"], row["at_0.05"], row["differs"]) == (1.0, 0.0, 1.0)


def test_full_figures_keep_the_promise(classical: Any) -> None:
    figures = stored("classical")
    rows = figures["rows"]
    assert sorted({r["test"] for r in rows}) == TESTS
    assert [r for r in classical.null(rows, holds=True) if classical.excess(r) > 4] == []
    apart = {(r["test"], r["side"]) for r in rows if r["peer"] and r["differs"]}
    assert sorted(apart - classical.WHY.keys()) == []  # nobody differs without a reason
    naive = classical.null(rows, side="paired t, overlap ignored")
    assert all(classical.excess(r) > 4 for r in naive if r["setting"] != "true correlation 0")


def test_folds_are_balanced(permuted: Any) -> None:
    y = np.random.default_rng(0).permutation(np.repeat([0, 1], 50))
    parts = list(permuted.folds(y, 10, np.random.default_rng(1)))
    assert all(y[test].sum() == 5 and y[train].sum() == 45 for train, test in parts)
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(100))


def test_the_algorithms_are_those_of_scikit_learn(permuted: Any) -> None:
    # Oracle: scikit-learn's predictions.
    pytest.importorskip("sklearn")
    from sklearn.covariance import ShrunkCovariance
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], 40))
    x, new = rng.normal(size=(80, 5)) + 0.5 * y[:, None], rng.normal(size=(200, 5))
    linear = LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=ShrunkCovariance(shrinkage=0.1))
    assert np.array_equal(permuted.discriminant(x, y, new), linear.fit(x, y).predict(new))
    assert np.array_equal(permuted.naive_bayes(x, y, new), GaussianNB().fit(x, y).predict(new))


def test_the_naive_t_is_caught_on_correlated_folds_and_the_corrected_is_not(permuted: Any) -> None:
    # Oracle: normal folds with the correlation 0.1 that the corrected t assumes, 400 times.
    rng = np.random.default_rng(0)
    tens = np.sqrt(0.1) * rng.normal(size=(400, 1, 1)) + np.sqrt(0.9) * rng.normal(size=(400, 10, 10))
    found = permuted.summary(0.1 * tens, rng.normal(size=(400, 5, 2)))
    bound = 0.05 + 4 * np.sqrt(0.05 * 0.95 / 400)
    assert all(rate > bound for name, rate in found["at_0.05"].items() if name in permuted.NAIVE)
    assert all(rate < bound for name, rate in found["at_0.05"].items() if name not in permuted.NAIVE)
    assert found["correlation"] == pytest.approx(0.1, abs=0.03)
    assert found["verdicts"]["better"] < bound


def test_permuted_labels_in_full(permuted: Any) -> None:
    figures = stored("permuted")
    assert [case["permutations"] for case in figures["cases"]] == [300, 300, 300]
    bound = 0.05 + 4 * np.sqrt(0.05 * 0.95 / 900)
    for name in permuted.TESTS:
        rate, _ = permuted.pooled(figures["cases"], name)
        assert (rate > bound) == (name in permuted.NAIVE)
    assert all(case["verdicts"][v] < 0.05 for case in figures["cases"] for v in ("better", "worse"))
    # The truth is a difference of exactly 0: no bias from the labels of the other folds.
    assert all(abs(case["mean"]) < 4 * case["mean_error"] for case in figures["cases"])


def counts(lacoste: Any, context: str, tasks: int, examples: int) -> Any:
    rng = np.random.default_rng(0)
    return lacoste.CONTEXTS[context].draw(rng, draws=40, tasks=tasks, examples=examples)


def test_the_three_tests_are_ours(lacoste: Any) -> None:
    # Oracle: the public functions, draw by draw; examples enough that hardly any difference ties.
    a, b = counts(lacoste, "22 Dirichlets", 9, 100_001)
    answer, confidence = lacoste.poisson_binomial(a, b)
    for i in range(len(a)):
        each = [
            bayes.mcnemar(int(n01), int(n10), prior=(1, 1)).cdf(0.5)
            for n01, n10 in zip(a[i], b[i], strict=True)
        ]
        better = bayes.poisson_binomial(each)
        assert (answer[i], confidence[i]) == (np.sign(better - 0.5), pytest.approx(max(better, 1 - better)))
        d = (b[i] - a[i]).astype(float)
        assert len(set(np.abs(d))) == 9
        assert lacoste.sign(a, b)[1][i] == pytest.approx(1 - nhst.sign(d).p_value)
        assert lacoste.wilcoxon(a, b)[1][i] == pytest.approx(1 - nhst.wilcoxon(d).p_value)


def areas(
    lacoste: Any, context: str, tasks: int, examples: int = 1001, draws: int = 10_000
) -> tuple[float, float, float]:
    found = lacoste.simulate(lacoste.CONTEXTS[context], tasks=tasks, examples=examples, draws=draws)
    binomial, wilcoxon, sign = (found[m]["auc"] for m in lacoste.METHODS)
    return binomial, wilcoxon, sign


@pytest.mark.parametrize("tasks", [5, 10, 21])
def test_lacoste_figure_3(lacoste: Any, tasks: int) -> None:
    # Lacoste et al. 2012, sec. 6.4: constantly ahead of the sign test; Wilcoxon's similar (symmetry holds).
    binomial, wilcoxon, sign = areas(lacoste, "one Dirichlet", tasks)
    assert binomial > sign + 0.02
    assert wilcoxon == pytest.approx(binomial, abs=0.015 if tasks >= 10 else 0.04)


@pytest.mark.parametrize("tasks", [7, 10, 21])
def test_lacoste_figure_4(lacoste: Any, tasks: int) -> None:
    # The order Poisson-binomial, Wilcoxon, sign; at an even N where draws without an answer are left out.
    found = lacoste.simulate(lacoste.CONTEXTS["22 Dirichlets"], tasks=tasks, examples=1001, draws=10_000)
    binomial, wilcoxon, sign = (found[m]["auc_answered"] for m in lacoste.METHODS)
    assert binomial > wilcoxon > sign
    assert binomial > found["sign"]["auc"]


@pytest.mark.parametrize(("examples", "ahead"), [(101, 0.0), (3001, 0.004)])
def test_lacoste_figure_5(lacoste: Any, examples: int, ahead: float) -> None:
    binomial, wilcoxon, sign = areas(lacoste, "22 Dirichlets", 21, examples)
    assert binomial > max(wilcoxon, sign) + ahead


def test_lacoste_bimodal(lacoste: Any) -> None:
    # Printed in sec. 6.4: 0.334 for Wilcoxon, over 0.8 for the others.
    found = lacoste.simulate(lacoste.CONTEXTS["bimodal"], tasks=14, examples=100_001, draws=20_000)
    assert found["Wilcoxon"]["auc"] == pytest.approx(0.334, abs=4 * found["Wilcoxon"]["error"])
    assert min(found[m]["auc"] for m in ("Poisson-binomial", "sign")) > 0.8


def test_lacoste_in_full(lacoste: Any) -> None:
    rows = stored("poisson_binomial")["rows"]
    for row in rows:
        binomial, wilcoxon, sign = (row["tests"][m]["auc"] for m in lacoste.METHODS)
        error = max(row["tests"][m]["error"] for m in lacoste.METHODS)
        assert binomial > sign
        assert binomial > wilcoxon - 2 * error  # level with it in Figure 3, ahead of it elsewhere
        if row["figure"] == 3 and row["tasks"] >= 10:
            assert wilcoxon == pytest.approx(binomial, abs=4 * error)
        if row["figure"] == 4:
            assert binomial > wilcoxon
            assert wilcoxon > sign - 2 * error
    bimodal = next(row for row in rows if row["context"] == "bimodal")["tests"]["Wilcoxon"]
    assert bimodal["auc"] == pytest.approx(0.334, abs=4 * bimodal["error"])


def test_auc_is_the_chance_of_more_confidence(lacoste: Any) -> None:
    # Oracle: all pairs.
    right, wrong = np.array([0.9, 0.8, 0.8, 0.3]), np.array([0.8, 0.1])
    pairs = [(r > w) + (r == w) / 2 for r in right for w in wrong]
    assert lacoste.auc(right, wrong)[0] == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("part", ["classical", "permuted", "poisson_binomial"])
@pytest.mark.few(1)
def test_a_stored_part_can_be_written_and_drawn(part: str, tmp_path: Path) -> None:
    figures = stored(part)
    module = importlib.import_module(part)
    page = module.text(figures)
    assert page.startswith("## ")
    if part == "classical":  # eighteen panels take a second; two are enough to see that they are drawn
        figures["rows"] = [r for r in figures["rows"] if r["test"] in ("mcnemar", "adjust")]
    module.draw(figures, tmp_path)
    drawn = {f"img/calibration/{path.name}" for path in tmp_path.glob("*.png")}
    assert drawn == {line.split("](")[1][:-1] for line in page.splitlines() if line.startswith("![")}
