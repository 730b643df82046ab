"""Prose to paste: every method has its words, they say what was computed, and names stay names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ropewalk as rw
from ropewalk.methods import method_of
from ropewalk.report import Report
from ropewalk.report.prose import neurips_7, text_of
from ropewalk.report.references import entries

Made = Callable[[str], Report]


def item_7(report: Report) -> str:
    return text_of(neurips_7(report))


def test_every_method_has_its_words_and_sources(each: Report) -> None:
    for c in (*each.overall, *each.comparisons):
        text = method_of(c).describe(c)
        assert text.sources
        assert set(text.sources) <= set(entries())
        assert all((text.name, text.prior, text.computed, text.varies))


def test_every_report_has_methods_results_and_item_7(each: Report) -> None:
    for text in (each.methods_text(), each.results_text(), item_7(each)):
        assert text.endswith(".")
        assert not re.search(r"\.\.(?!\.)(?<!\.\.\.)|[{}]|  | nan| None|\(\)|: \.", text), text
        assert "significant" not in text.lower()


def test_the_methods_name_question_rule_software_and_seed(each: Report) -> None:
    text = each.methods_text()
    assert text.startswith("We ask which ")
    assert "higher is better" in text
    assert f"ropewalk {rw.__version__}, seed 0" in text
    assert "at least 0.95" in text or "lowest expected loss" in text
    assert "ROPE" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mcnemar", "Beta(1, 1) prior"),
        ("mcnemar", "a tenth of a standard deviation, half of a small effect (Kruschke 2018; Williams 2026)"),
        ("accuracy_difference", "Dirichlet(1, 1, 1, 1) prior"),
        ("accuracy_difference", "ROPE) of ±0.01 in score count as equivalent; we set this width"),
        ("t", "p-values of the paired t and Wilcoxon tests (Student 1908; Wilcoxon 1945)"),
        ("robust_t", "Gamma(2, 0.1) on its degrees of freedom minus one"),
        ("sign", "Dirichlet prior worth one example inside the ROPE"),
        ("signed_rank", "Dirichlet-process prior of strength 0.5"),
        ("correlated_t", "20 folds of 2 x 10-fold cross-validation"),
        ("correlated_t", "normal with correlation 0.1 between any two folds"),
        ("correlated_t", "one percentage point"),
        ("five_by_two", "correlation 0.5"),
        ("five_by_two", "corrected resampled t, 5x2cv t and 5x2cv F tests"),
        ("bootstrap", "the examples have Dirichlet(1, ..., 1) weights"),
        ("clusters", "The rows form 24 clusters, which are the units of the analysis"),
        ("cluster_bootstrap", "the clusters have Dirichlet(1, ..., 1) weights"),
        ("ess", "effective sample size"),
        ("crossed", "crossed random effects of training runs and examples"),
        ("hierarchical_t", "normal with correlation 0.2 between any two folds"),
        ("hierarchical_t", "On each individual task it was estimated with the Bayesian correlated t-test"),
        ("hierarchical_mcnemar", "(a + b)^(-5/2)"),
        ("hierarchical_accuracy", "the rate at which the two disagree on a task has a Beta(a, b)"),
        (
            "poisson_binomial",
            "(ROPE) of ±0.05 in the share of tasks won count as equivalent; this is five percentage points",
        ),
        ("many", "Across all 3 pairs we control the Bayesian false discovery rate"),
        ("many", "We also computed the model confidence set (Hansen et al. 2011)"),
        ("reference", "compare 2 models with a by score"),
        ("identical", "For models with identical scores, the proportions of units"),
        ("no_rope", "so models cannot be called equivalent"),
        ("loss_matrix", "the decision with the lowest expected loss (Benavoli et al. 2017)"),
    ],
)
def test_the_methods_paragraph_says(made: Made, name: str, said: str) -> None:
    assert said in made(name).methods_text()


@pytest.mark.parametrize("rho", [0.0, 0.05, 0.3])
def test_the_correlation_is_the_one_that_was_used(rho: float) -> None:
    """Oracle: the correlation given to compare, which overrides that of the design."""
    scores = {"a": [0.81, 0.84, 0.79, 0.86, 0.83, 0.8], "b": [0.8, 0.81, 0.8, 0.82, 0.79, 0.77]}
    design = rw.read(scores)
    text = rw.compare(design, rho=rho, method="correlated_t").methods_text()
    assert (f"with correlation {rho:g} between" in text) == (rho > 0)


def test_dropped_units_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,label,prediction\n1,x,x\n2,y,y\n3,x,y\n4,y,y\n5,x,x\n")
    (tmp_path / "b.csv").write_text("id,label,prediction\n1,x,y\n2,y,y\n3,x,x\n4,y,y\n")
    text = rw.compare([tmp_path / "a.csv", tmp_path / "b.csv"]).methods_text()
    assert re.search(r"We excluded 1 example \(only in .*a\.csv\)\.", text)


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("accuracy_difference", "GNN is better than LLM by more than 0.01"),
        ("mcnemar", "GNN is better than LLM by more than the ROPE"),
        ("no_rope", "GNN is better than LLM"),
        ("sign", "the likeliest outcome for one example is that a is better than b"),
        ("signed_rank", "the likeliest outcome for the mean of two tasks is that a is better than b"),
        ("crossed", "over other training runs and examples a is better than b"),
        ("hierarchical_t", "on average over tasks a is better than b"),
        ("likeliest", "the likeliest outcome on a new task is that a is better than b"),
        ("hierarchical_mcnemar", "on a new task A is better than B"),
        ("hierarchical_accuracy", "on average over tasks A is better than B by more than 0.01"),
        ("poisson_binomial", "on more than half of all tasks of this kind a is better than b"),
    ],
)
def test_the_results_give_the_three_probabilities(made: Made, name: str, about: str) -> None:
    """Oracle: the verdict, which the sentence must repeat to two decimals."""
    report = made(name)
    (c,) = report.overall or report.comparisons
    p = r"((?:less than |more than )?[\d.]+\d)"
    found = re.search(
        rf"The posterior probability is {p} that {re.escape(about)}.*?, "
        rf"(?:{p} that the two are practically equivalent, )?and {p} that \w+ is better",
        report.results_text(),
    )
    assert found, report.results_text()
    assert (found[2] is None) == c.rope.is_point
    for text, p in zip(
        found.groups(), (c.verdict.better, c.verdict.equivalent, c.verdict.worse), strict=True
    ):
        if text is not None:
            near = abs(float(text.split()[-1]) - p) <= 0.0101
            assert near if " than " in text else f"{p:.2f}" == text


def test_the_results_have_scores_interval_effect_and_p(made: Made) -> None:
    report = made("accuracy_difference")
    (c,) = report.comparisons
    text = report.results_text()
    assert "On 1,000 examples, the score was 0.787 for GNN and 0.748 for LLM" in text
    assert f"interval {c.estimate.low:.3f} to {c.estimate.high:.3f}" in text
    assert "No probability reaches the threshold of 0.95, so the comparison is undecided" in text
    assert "Cohen's g = 0.0546 in favor of GNN (small); for comparison, p = 0.044 (McNemar test)" in text


def test_of_crossed_runs_examples_and_runs_are_counted(made: Made) -> None:
    """Not the effective number of units, which is what n is."""
    report = made("crossed")
    said = "On 30 examples with 4 training runs of each model, the mean score was"
    assert report.results_text().startswith(said)
    assert "on the same 30 examples, with 4 training runs of each model." in report.methods_text()


def test_folds_and_clusters_say_what_they_are_made_of(made: Made) -> None:
    folds, clusters = made("correlated_t"), made("clusters")
    assert folds.results_text().startswith("Over 20 folds of 2 x 10-fold cross-validation, the mean ")
    assert clusters.results_text().startswith(
        f"On {clusters.audit.paired} examples in 24 clusters, the mean "
    )
    assert clusters.audit.paired > 24


def test_identical_models_have_the_probabilities_that_they_have_earned(made: Made) -> None:
    # Four examples: 1 - 0.99^7 within one point.
    text = made("identical").results_text()
    assert text.startswith(
        "On 4 examples, the mean score was 0.750 for a and 0.750 for b. a and b do not differ on any "
        "example. The estimated mean advantage is 0.000 (posterior mean; 95% highest-density interval "
        "-0.348 to "
        "0.348"
    )
    assert "0.07 that the two are practically equivalent" in text
    assert "the comparison is undecided" in text


def test_many_pairs_are_listed_with_their_verdicts(made: Made) -> None:
    report = made("many")
    text = report.results_text()
    for c in report.comparisons:
        if c.verdict.name in ("better", "worse"):
            ahead, behind = (c.a, c.b) if c.verdict.name == "better" else (c.b, c.a)
            assert f"{ahead} is better than {behind} (" in text
            size = re.escape(f"{abs(c.estimate.mean):.3g}, ")
            named = "(posterior mean of the difference )?"
            assert re.search(rf"{ahead} is better than {behind} \({named}{size}", text)
    decided = sum(c.verdict.name != "undecided" for c in report.comparisons)
    assert decided
    assert f"{decided} of the 3 pairs {'is' if decided == 1 else 'are'} decided: " in text


def test_the_results_of_many_models_have_every_mean_with_its_interval(made: Made) -> None:
    report = made("many")
    for m in report.models:
        assert f"{m.mean:.3f} ({m.low:.3f} to {m.high:.3f}) for {m.name}" in report.results_text()


def test_item_7_says_what_the_intervals_are_made_of(made: Made) -> None:
    assert "the sampling of the examples; the trained models are treated as fixed" in item_7(made("t"))
    assert "the training runs and the sampling of the examples." in item_7(made("crossed"))
    assert "the sampling of the tasks" in item_7(made("hierarchical_t"))
    assert "[table or figure]" in item_7(made("t"))  # what only the authors know


def test_names_with_braces_are_names() -> None:
    report = rw.compare({"{unit}": [1.0, 2.0, 4.0, 3.0], "{0}%s": [1.0, 1.0, 2.0, 2.0]})
    assert "{unit}" in report.results_text()
    assert "{0}%s" in report.results_text()
    assert report.methods_text()


def test_other_tests_are_not_assumptions(made: Made) -> None:
    """Item 7 is pasted into a paper: what was checked, and what was computed as well, are two sentences."""
    said = item_7(made("accuracy_difference"))
    assert said.endswith(
        "Assumptions checked: sample size; independence. Alternative analyses reported: t-test."
    )
