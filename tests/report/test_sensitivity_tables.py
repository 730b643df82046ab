"""How the verdict depends on the ROPE, the threshold and the prior: the rows, the lines, the tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.bayes.poisson_binomial import wins
from ropewalk.decide import by_threshold, in_scores, probabilities, scaled
from ropewalk.methods.varied import sensitivities, zones
from ropewalk.outcomes import Outcomes
from ropewalk.report import Report
from ropewalk.report.sensitivity_tables import flips_text, many_text, prior_text, tables
from ropewalk.results.comparison import Comparison

Made = Callable[[str], Report]
ONE_NUMBER = ["accuracy_difference", "t", "robust_t", "correlated_t", "bootstrap", "crossed"]
WITH_PRIORS = {
    "mcnemar": ["uniform", "Jeffreys", "sceptical"],
    "accuracy_difference": ["uniform", "Jeffreys", "sceptical"],
    "t": ["flat", "flat in sd", "sceptical"],
    "correlated_t": ["flat", "flat in sd", "sceptical"],
    "clusters": ["flat", "flat in sd", "sceptical"],
    "ess": ["flat", "flat in sd", "sceptical"],
    "robust_t": ["flat", "sceptical"],
    "crossed": ["flat", "sceptical"],
    "sign": ["no difference", "for a", "for b"],
    "signed_rank": ["no difference", "for a", "for b"],
    "bootstrap": ["none", "sceptical"],
    "cluster_bootstrap": ["none", "sceptical"],
    "hierarchical_t": [
        "published text",
        "published tables",
        "exponential",
        "gamma",
        "normal tasks",
        "heavy tails",
        "sceptical",
    ],
    "hierarchical_mcnemar": ["diffuse", "proper", "sceptical"],
    "hierarchical_accuracy": ["diffuse", "proper", "sceptical"],
    "poisson_binomial": ["uniform", "Jeffreys", "sceptical"],
}


def one(report: Report) -> Comparison:
    (c,) = report.overall or report.comparisons
    return c


# --- the ROPE ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ONE_NUMBER)
def test_a_rope_on_the_other_side_gives_the_other_verdict(made: Made, name: str) -> None:
    """Oracle: the verdict at a ROPE a little beyond each of the edges that are printed."""
    c = one(made(name))
    found = re.findall(
        r"(undecided|equivalent) with a ROPE (?:of |(below ))±([\d.e-]+)( or wider)?", flips_text(c)
    )
    assert found
    for then, below, edge, _ in found:
        half = float(edge) * (0.98 if below else 1.02)  # three digits are printed
        p = probabilities(c.posterior, in_scores(-half, half, "given"))  # type: ignore[arg-type]
        assert by_threshold(p, 0.95) == then != c.verdict.name


@pytest.mark.parametrize("name", ["likeliest", "sign"])
def test_also_where_there_is_no_formula_for_the_edge(made: Made, name: str) -> None:
    """Oracle: the test itself with a ROPE just inside and just outside."""
    c = one(made(name))
    edges = [(low, before, after) for (before, _, low), (after, _, _) in pairwise(zones(c))]
    assert edges
    for times, before, after in edges:
        for k, wanted in ((0.99, before), (1.01, after)):
            rope = scaled(c.rope, k * times)
            p = (
                c.evidence.fitted.next_task(rope)  # type: ignore[union-attr]
                if name == "likeliest"
                else rw.bayes.sign(c.evidence.d, rope)  # type: ignore[union-attr]
            )
            assert by_threshold(p.most_probable, 0.95) == wanted


def test_of_a_sampled_test_to_its_noise(made: Made) -> None:
    """Oracle: the signed-rank test with all its draws and another seed, 5 % beyond the edge."""
    c = one(made("signed_rank"))
    (_, _, edge), (after, *_) = zones(c)
    for times, wanted in ((0.95 * edge, "undecided"), (1.05 * edge, after)):
        rope = scaled(c.rope, times)
        p = rw.bayes.signed_rank(c.evidence.d, rope, rng=7).most_probable  # type: ignore[union-attr]
        assert by_threshold(p, 0.95) == wanted
    assert after == "equivalent"


@pytest.mark.parametrize("name", WITH_PRIORS)
def test_a_wider_rope_is_never_less_equivalent(made: Made, name: str) -> None:
    """And better and worse end no higher than they began; with its own ROPE it is the answer itself."""
    c = (made(name).overall or made(name).comparisons)[0]
    rows = c.sensitivity.ropes
    assert [row.times for row in rows] == [0, 0.25, 0.5, 1, 2, 4]
    equal = [row.p.equivalent for row in rows]
    assert all(x <= y + 0.004 for x, y in pairwise(equal))  # signed_rank is sampled
    assert rows[-1].p.better <= rows[0].p.better
    assert rows[-1].p.worse <= rows[0].p.worse
    assert rows[3].p == c.verdict.probabilities
    assert (rows[3].low, rows[3].high) == pytest.approx((c.rope.low, c.rope.high))
    for row in rows:
        assert row.p.better + row.p.equivalent + row.p.worse == pytest.approx(1)
        assert row.verdict == by_threshold(row.p, 0.95)


def test_the_rows_of_a_t_test_are_tails_of_a_student(made: Made) -> None:
    """Oracle: scipy.stats with the mean and the standard deviation of the differences."""
    from scipy import stats

    c = one(made("t"))
    d = c.evidence.d  # type: ignore[union-attr]
    student = stats.t(d.size - 1, d.mean(), d.std(ddof=1) / np.sqrt(d.size))
    for row in c.sensitivity.ropes:
        half = row.times * 0.1 * d.std(ddof=1)
        assert row.p.better == pytest.approx(student.sf(half), abs=1e-12)
        assert row.p.worse == pytest.approx(student.cdf(-half), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("no_rope", "no ROPE to vary: none was used"),
    ],
)
def test_what_has_no_rope_says_so(made: Made, name: str, note: str) -> None:
    c = one(made(name))
    assert c.sensitivity.ropes == ()
    assert note in [n.text for n in c.sensitivity.notes]
    assert "a ROPE" not in flips_text(c)
    assert note in made(name).to_markdown()


def test_another_reading_than_can_be_computed_again_is_not_varied(made: Made) -> None:
    c = one(made("t"))
    other = replace(c, verdict=replace(c.verdict, better=0.2, equivalent=0.5, worse=0.3))
    assert other.sensitivity.ropes == ()
    assert "the ROPE was not varied, because the data would have to be read again" in [
        n.text for n in other.sensitivity.notes
    ]


def test_on_phi_the_edges_are_those_of_phi(made: Made) -> None:
    text = flips_text(one(made("mcnemar")))
    assert re.match(
        r"the verdict would be GNN better with a ROPE below phi 0\.\d{3} to 0\.\d{3}; equivalent", text
    )
    assert "Sensitivity" in made("hierarchical_mcnemar").to_markdown()


def test_the_nearest_comes_first() -> None:
    """Equivalent now: first where it is undecided, then where it is better."""
    rng = np.random.default_rng(0)
    d = rng.normal(size=400)
    d = 0.1 + 0.5 * (d - d.mean()) / d.std()
    text = flips_text(one(rw.compare({"a": d, "b": np.zeros(400)}, rope=1.0)))
    assert re.fullmatch(
        r"the verdict would be undecided with a ROPE below ±(\S+); a better with a ROPE below ±(\S+)", text
    )
    wide, narrow = re.findall(r"±([\d.]+)", text)
    assert float(wide) > float(narrow)


# --- the threshold -------------------------------------------------------------------------------------


def test_every_threshold_gives_the_verdict_of_the_rule(each: Report) -> None:
    """Oracle: `by_threshold` itself, also just below and just above the highest threshold that decides."""
    for c in (each.overall or each.comparisons)[:3]:
        found = c.sensitivity
        if c.verdict.decided_by.least is None:
            assert found.thresholds == ()
            continue
        p = c.verdict.probabilities
        assert {row.threshold: row.verdict for row in found.thresholds} == {
            t: by_threshold(p, t) for t in (0.8, 0.9, 0.95, 0.99)
        }
        highest = found.decided_up_to
        if highest is None:
            assert max(p.better, p.equivalent, p.worse) <= 0.5
            continue
        assert by_threshold(p, highest) != "undecided"
        if highest < 1:
            assert by_threshold(p, np.nextafter(highest, 1)) == "undecided"


def test_the_threshold_that_is_printed_decides(made: Made) -> None:
    """Rounded down where it is still to be reached, and up where it is too much."""
    undecided, decided = one(made("accuracy_difference")), one(made("no_rope"))
    (down,) = re.findall(r"GNN better with a threshold of ([\d.]+) or lower", flips_text(undecided))
    assert by_threshold(undecided.verdict.probabilities, float(down)) == "better"
    assert float(down) == pytest.approx(undecided.verdict.better, abs=1e-3)
    (up,) = re.findall(r"undecided with a threshold above ([\d.]+)", flips_text(decided))
    assert by_threshold(decided.verdict.probabilities, float(up) + 1e-9) == "undecided"
    assert float(up) == pytest.approx(decided.verdict.better, abs=1e-3)


def test_a_loss_matrix_leaves_no_threshold(made: Made) -> None:
    c = one(made("loss_matrix"))
    assert c.verdict.decided_by.least is None
    assert flips_text(c) == ""
    assert zones(c) == ()
    assert "flips if" not in made("loss_matrix").to_text()
    assert "no threshold to vary: a loss matrix decides" in [n.text for n in c.sensitivity.notes]
    assert all(row.verdict is None for row in (*c.sensitivity.ropes, *c.sensitivity.priors))
    assert prior_text(c) == "P(GNN better) is 0.92 to 0.94 under 3 priors (uniform, Jeffreys, sceptical)"


# --- the prior -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_PRIORS)
def test_every_method_has_priors_with_a_reason_each(made: Made, name: str) -> None:
    c = one(made(name))
    found = c.sensitivity.priors
    assert [row.name for row in found] == WITH_PRIORS[name]
    assert found[0].p == c.verdict.probabilities
    assert len({row.why for row in found}) == len(found)
    for row in found:
        assert row.p.better + row.p.equivalent + row.p.worse == pytest.approx(1)
        assert row.verdict == by_threshold(row.p, 0.95)
    if found[-1].name == "sceptical" and not c.rope.is_point:
        lead = max(("better", "worse"), key=lambda side: getattr(found[0].p, side))
        assert getattr(found[-1].p, lead) < getattr(found[0].p, lead)
    assert "\n  Prior " in made(name).to_text()


def test_counts_under_other_priors_are_betas(made: Made) -> None:
    """Oracle: scipy.stats.beta with the counts and the prior added by hand; GNN is wrong alone 159 times."""
    from scipy import stats

    c = one(made("mcnemar"))
    assert isinstance(c.evidence, Outcomes)
    _, jeffreys, sceptical = c.sensitivity.priors
    more = 0.1 * (159 + 198) / 2
    for row, a, b in ((jeffreys, 159.5, 198.5), (sceptical, 160 + more, 199 + more)):
        beta = stats.beta(a, b)
        assert row.p.better == pytest.approx(beta.cdf(c.rope.low), abs=1e-12)
        assert row.p.worse == pytest.approx(beta.sf(c.rope.high), abs=1e-12)


def test_a_table_under_other_priors_is_a_dirichlet(made: Made) -> None:
    """Oracle: 400,000 draws of numpy's Dirichlet, within five standard errors."""
    c = one(made("accuracy_difference"))
    e = c.evidence
    assert isinstance(e, Outcomes)
    n = np.array([e.n00, e.n01, e.n10, e.n11], dtype=float)
    split = np.array([e.n00, (e.n01 + e.n10) / 2, (e.n01 + e.n10) / 2, e.n11])
    for row, prior in zip(c.sensitivity.priors[1:], (np.full(4, 0.5), 1 + 0.1 * split), strict=True):
        draws = np.random.default_rng(0).dirichlet(n + prior, 400_000)
        d = draws[:, 2] - draws[:, 1]
        assert row.p.better == pytest.approx(np.mean(d > 0.01), abs=5 * 0.5 / np.sqrt(400_000))


def test_the_prior_observation_of_the_sign_test_is_put_where_it_says(made: Made) -> None:
    c = one(made("sign"))
    rope, d = (c.rope.low, c.rope.high), c.evidence.d  # type: ignore[union-attr]
    for row, place in zip(c.sensitivity.priors, ("equivalent", "better", "worse"), strict=True):
        assert row.p == rw.bayes.sign(d, rope, place=place).most_probable  # type: ignore[arg-type]


def test_and_that_of_the_signed_rank_test(made: Made) -> None:
    """Oracle: `signed_rank` with z0 at the infinities and another seed, within five standard errors."""
    c = one(made("signed_rank"))
    rope, d = (c.rope.low, c.rope.high), c.evidence.d  # type: ignore[union-attr]
    for row, z0 in zip(c.sensitivity.priors, (0.0, np.inf, -np.inf), strict=True):
        p = rw.bayes.signed_rank(d, rope, z0=z0, rng=3).most_probable
        assert row.p.better == pytest.approx(p.better, abs=5 * 0.5 / np.sqrt(20_000))
        assert row.p.worse == pytest.approx(p.worse, abs=5 * 0.5 / np.sqrt(20_000))


@pytest.mark.parametrize("which", [0, 1])
def test_the_poisson_binomial_test_under_other_priors(made: Made, which: int) -> None:
    """Oracle: the wins of `poisson_binomial`, with a Beta of that prior for each number of them."""
    from scipy.stats import beta

    report = made("poisson_binomial")
    ahead = [1 - float(rw.bayes.t(c.evidence.d, rho=0.2).cdf(0.0)) for c in report.comparisons]  # type: ignore[union-attr]
    prior = (0.5, 1 + 0.05 * len(ahead))[which]
    weights = wins(np.array(ahead))
    won, all_of = np.arange(weights.size), weights.size - 1
    expected = float(weights @ beta.sf(0.55, prior + won, prior + all_of - won))
    assert one(report).sensitivity.priors[1 + which].p.better == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("identical", "no prior to vary: the scores do not vary, and the answer rests on their range"),
    ],
)
def test_what_has_no_prior_says_so(made: Made, name: str, note: str) -> None:
    c = (made(name).overall or made(name).comparisons)[0]
    assert c.sensitivity.priors == ()
    assert prior_text(c) == note


def test_counted_differences_are_as_good_as_read_ones_and_sums_are_not_enough() -> None:
    """The sign test of right and wrong answers has the three differences with their counts."""
    counts = rw.read({"a": [1, 1, 1, 0, 1, 0, 1, 1], "b": [0, 1, 1, 1, 1, 0, 0, 1]})
    for method in ("sign", "signed_rank"):
        c = one(rw.compare(counts, method=method, rope=0.1))
        assert isinstance(c.evidence, Outcomes)
        assert len(c.sensitivity.priors) == 3
        assert len(c.sensitivity.ropes) == 6
        known = rw.results.WholeSet(mean_a=0.8, mean_b=0.7, advantage=0.1)
        bare = replace(c, evidence=known)
        assert tuple(n.text for n in bare.sensitivity.notes) == (
            "the ROPE was not varied, because the data would have to be read again",
            "no prior to vary: only sums and counts of the differences were kept",
        )
        assert zones(bare) == ()


def test_many_units_leave_the_signed_rank_test_as_it_is(monkeypatch: pytest.MonkeyPatch, made: Made) -> None:
    from ropewalk.methods import signed_rank

    monkeypatch.setattr(signed_rank, "MOST_UNITS", 5)
    c = replace(one(made("signed_rank")), n=12)  # not the one that was asked before
    assert c.sensitivity.notes[1].text == (
        "no prior to vary: half a prior observation has no effect among 12 tasks"
    )


def test_the_prior_that_changes_the_verdict_is_named() -> None:
    """A t-test just above 0.95, which scepticism brings below."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=60)
    z = (z - z.mean()) / z.std(ddof=1)
    c = one(rw.compare({"a": 0.33 + z, "b": np.zeros(60)}, rope=0.1))
    assert c.verdict.name == "better"
    text = prior_text(c)
    assert re.fullmatch(
        r"P\(a better\) is 0\.946 to 0\.96 under 3 priors \(flat, flat in sd, sceptical\); "
        r'the verdict is undecided with the prior "sceptical"',
        text,
    )
    assert (
        "the verdict is undecided with" in rw.compare({"a": 0.33 + z, "b": np.zeros(60)}, rope=0.1).to_text()
    )


# --- many pairs, tables, JSON --------------------------------------------------------------------------


def test_of_many_pairs_the_verdicts_that_would_change_are_counted() -> None:
    """Oracle: each pair by itself with another ROPE, or at another threshold."""
    rng = np.random.default_rng(3)
    scores = {f"m{i}": rng.normal(0.12 * i, 1, 80) for i in range(4)}
    report = rw.compare(scores, rope=0.1)
    text = many_text(report.comparisons)
    for rope, threshold, words in (
        (0.05, 0.95, "with half the ROPE"),
        (0.2, 0.95, "with twice the ROPE"),
        (0.1, 0.9, "at a threshold of 0.9"),
        (0.1, 0.99, "at a threshold of 0.99"),
    ):
        other = rw.compare(scores, rope=rope, threshold=threshold).comparisons
        changed = sum(
            x.verdict.name != y.verdict.name for x, y in zip(report.comparisons, other, strict=True)
        )
        assert re.search(rf"\b{changed} changes? {words}", text)
    assert text.startswith("of 6 verdicts, ")
    assert "under another prior" in text
    assert "  Sensitivity " in report.to_text()


def test_pairs_that_take_long_are_left_out_of_the_count_and_it_is_said(made: Made) -> None:
    answers = made("many_over_tasks").overall
    assert many_text(answers).endswith(". To vary ROPE and prior, compare a single pair: --pair A B")
    assert "ROPE," not in many_text(answers)
    found = sensitivities([*answers, *answers])
    assert [bool(s.priors) for s in found] == [True] * 3 + [False] * 3
    assert tuple(n.text for n in found[-1].notes) == (
        "the ROPE and the prior were not varied for this pair; compare it separately (--pair)",
    )
    assert len(found[-1].thresholds) == 4
    assert many_text([one(made("loss_matrix"))] * 2) == ""


def test_the_tables_of_a_document_in_full(made: Made) -> None:
    c = one(made("accuracy_difference"))
    markdown = made("accuracy_difference").to_markdown()
    assert "| ROPE | multiple | GNN better | equiv. | LLM better | verdict |" in markdown
    assert "| threshold | verdict |" in markdown
    assert "| sceptical | 0.921 | 0.073 | 0.006 | undecided |" in markdown
    assert "times" not in made("accuracy_difference").to_text()
    assert len(tables(c)) == 5
    assert r"prior & GNN better & equiv. & LLM better & verdict \\" in made("accuracy_difference").to_latex()
    page = made("accuracy_difference").to_html()
    assert '<div id="priors"></div>' in page
    assert "<td>±0.0025</td>" in page


@pytest.mark.few(10)
def test_json_has_it_in_every_comparison(each: Report) -> None:
    content = json.loads(each.to_json())
    for c in (*content["comparisons"], *content["overall"]):
        found = c["sensitivity"]
        assert list(found) == ["ropes", "thresholds", "decided_up_to", "priors", "notes"]
        for row in found["ropes"]:
            assert list(row) == ["times", "low", "high", "probability", "verdict"]
        for row in found["priors"]:
            assert list(row) == ["prior", "why", "probability", "verdict"]
        if found["priors"]:
            assert found["priors"][0]["probability"] == c["probability"]
        assert found["ropes"] or found["notes"]
        assert found["priors"] or found["notes"]
