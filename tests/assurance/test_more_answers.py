"""Futures of a McNemar test: against exact posteriors, the paper's scaling, and examples one by one."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance import Answers, Edges, Rule, assurance
from ropewalk.assurance.more_answers import accuracy_regions
from ropewalk.decide import in_scores, on_phi, probabilities

SHARE = Edges(low=-0.1, high=0.1, relative=True)
ACCURACY = Edges(low=-0.01, high=0.01)
# Williams 2026 Table 1: n00, n01, n10, n11.
TABLE = {
    "de-en": (18, 63, 66, 183),
    "da-en": (54, 159, 198, 589),
    "es-en": (58, 175, 149, 478),
    "fr-en": (79, 180, 167, 574),
    "it-en": (36, 202, 167, 595),
    "id-en": (52, 185, 193, 570),
    "nl-en": (68, 195, 176, 561),
    "sv-en": (48, 156, 133, 423),
    "tr-en": (19, 64, 30, 103),
    "tr-de": (39, 113, 103, 298),
    "zh-en": (19, 44, 46, 92),
}


def design(name: str, edges: Edges) -> Answers:
    n00, n01, n10, n11 = TABLE[name]
    return Answers(n01=n01, n10=n10, same=n00 + n11, edges=edges)


def test_counts_times_ten_as_in_the_paper() -> None:
    # Oracle: Williams 2026 sec. 6.2, "Scaling the dataset size".
    verdicts = {name: int(Rule()(design(name, SHARE).scaled(10))[0]) for name in TABLE}
    equivalent = {"de-en", "id-en", "zh-en", "fr-en", "nl-en", "tr-de"}
    undecided = {"da-en", "es-en", "it-en", "sv-en"}
    expected = {name: 1 if name in equivalent else 3 if name in undecided else 2 for name in TABLE}
    assert verdicts == expected


def test_the_regions_on_phi_are_those_of_mcnemar() -> None:
    for name, (n00, n01, n10, n11) in TABLE.items():
        posterior = bayes.mcnemar(n01, n10)
        rope = on_phi(posterior.mean, (n01 + n10) / (n00 + n01 + n10 + n11), -0.1, 0.1)
        p = probabilities(posterior, rope)
        d = design(name, SHARE)
        np.testing.assert_allclose(d.regions(d.start(1))[:, 0], [p.better, p.equivalent, p.worse], atol=1e-10)


@pytest.mark.parametrize(
    ("most", "error"), [(30, 2e-7), (60, 2e-3), (300, 5e-4), (3_000, 1e-4), (300_000, 2e-5)]
)
def test_the_regions_in_accuracy_are_those_of_the_exact_posterior(most: int, error: float) -> None:
    # Oracle: bayes.accuracy_difference, integrated to 1e-10. Up to 58 disagreements the same integral on
    # fewer nodes; above that Edgeworth's series, whose error falls with the counts.
    rng = np.random.default_rng(most)
    rope = in_scores(-0.03, 0.02, "given")
    for _ in range(15):
        n01, n10 = (int(k) for k in rng.integers(most // 6, most // 2, 2))
        same = int(rng.integers(most, 8 * most))
        p = probabilities(bayes.accuracy_difference(same, n01, n10, 0), rope)
        found = accuracy_regions(
            np.array([n01 + 1.0]), np.array([n10 + 1.0]), np.array([same + 2.0]), -0.03, 0.02
        )
        np.testing.assert_allclose(found[:, 0], [p.better, p.equivalent, p.worse], atol=error)


@pytest.mark.parametrize("edges", [SHARE, ACCURACY])
def test_the_chance_is_that_of_examples_simulated_one_by_one(edges: Edges) -> None:
    # Oracle: brute force: (theta01, theta10, rest) from the Dirichlet, every example drawn, real posteriors.
    rng = np.random.default_rng(5)
    n01, n10, same, more, runs = 30, 52, 318, 1_200, 1_000
    decided = 0
    for _ in range(runs):
        theta = rng.dirichlet([1 + n01, 1 + n10, 2 + same])
        outcome = rng.choice(3, size=more, p=theta)
        k01, k10 = n01 + int(np.sum(outcome == 0)), n10 + int(np.sum(outcome == 1))
        rest = n01 + n10 + same + more - k01 - k10
        if edges.relative:
            posterior = bayes.mcnemar(k01, k10)
            p = probabilities(posterior, on_phi(posterior.mean, 0.2, -0.1, 0.1))
        else:
            p = probabilities(bayes.accuracy_difference(rest, k01, k10, 0), in_scores(-0.01, 0.01, "given"))
        decided += max(p.better, p.equivalent, p.worse) >= 0.95
    found = assurance(Answers(n01=n01, n10=n10, same=same, edges=edges), Rule(), more=[more], draws=20_000)
    assert 0.1 < found.decided[0] < 0.95
    p, q = decided / runs, float(found.decided[0])
    assert abs(p - q) < 4 * np.sqrt(q * (1 - q) * (1 / runs + 1 / 20_000))


@pytest.mark.parametrize("edges", [SHARE, ACCURACY])
def test_the_edge_of_the_rope_is_on_the_edge(edges: Edges) -> None:
    d = Answers(n01=30, n10=52, same=318, edges=edges)
    for times, region in ((0.0, 1), (1.0, 1), (1.01, 0), (-1.01, 2)):
        assert d.region(d.at_edge(times, 2)).tolist() == [region, region]
    rate, phi = d.at_edge(1.0, 1)
    if edges.relative:
        assert 0.5 - phi[0] == pytest.approx(0.1 * np.sqrt(phi[0] * (1 - phi[0])), abs=1e-15)
    else:
        assert rate[0] * (1 - 2 * phi[0]) == pytest.approx(0.01, abs=1e-15)


def test_swapping_the_models_mirrors_the_regions() -> None:
    one = Answers(n01=30, n10=52, same=318, edges=Edges(low=-0.02, high=0.01))
    other = Answers(n01=52, n10=30, same=318, edges=Edges(low=-0.01, high=0.02))
    np.testing.assert_allclose(
        one.regions(one.start(1))[:, 0], other.regions(other.start(1))[::-1, 0], atol=1e-12
    )
