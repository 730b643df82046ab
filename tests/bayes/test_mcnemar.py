"""The Bayesian McNemar test against Table 1 of Williams 2026 and against Dirichlet draws."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.decide import by_threshold, cohens_g, in_scores, on_phi, probabilities
from ropewalk.errors import CellError, OptionError
from ropewalk.posterior import Probabilities

Table = dict[str, tuple[int, int, int, int]]


def on_phi_by_p1(n01: int, n10: int) -> Probabilities:
    posterior = bayes.mcnemar(n01, n10)
    return probabilities(posterior, on_phi(posterior.mean, 0.3, -0.1, 0.1))


def test_williams_section_6_2(table_1: Table) -> None:
    _, n01, n10, _ = table_1["da-en"]
    p = on_phi_by_p1(n01, n10)
    assert (p.better, p.equivalent) == pytest.approx((0.571, 0.429), abs=5e-4)
    assert p.worse == pytest.approx(0.00004, abs=5e-6)
    _, n01, n10, _ = table_1["tr-en"]
    p = on_phi_by_p1(n01, n10)
    assert p.better == pytest.approx(0.000005, abs=5e-7)
    assert (p.equivalent, p.worse) == pytest.approx((0.004, 0.996), abs=5e-4)


def test_williams_only_turkish_english_is_decided(table_1: Table) -> None:
    verdicts = {k: by_threshold(on_phi_by_p1(n01, n10)) for k, (_, n01, n10, _) in table_1.items()}
    assert verdicts.pop("tr-en") == "worse"
    assert set(verdicts.values()) == {"undecided"}


def test_williams_ten_times_the_counts(table_1: Table) -> None:
    verdicts = {k: by_threshold(on_phi_by_p1(10 * n01, 10 * n10)) for k, (_, n01, n10, _) in table_1.items()}
    equivalent = {"de-en", "id-en", "zh-en", "fr-en", "nl-en", "tr-de"}
    assert {k for k, v in verdicts.items() if v == "equivalent"} == equivalent
    assert {k for k, v in verdicts.items() if v == "worse"} == {"tr-en"}
    assert {k for k, v in verdicts.items() if v == "undecided"} == {"da-en", "es-en", "it-en", "sv-en"}


def test_williams_effect_sizes(table_1: Table) -> None:
    effects = {k: cohens_g(n01, n10) for k, (_, n01, n10, _) in table_1.items()}
    assert abs(effects["da-en"].value) == pytest.approx(0.055, abs=5e-4)
    assert abs(effects["tr-en"].value) == pytest.approx(0.18, abs=5e-3)
    assert effects.pop("da-en").label == "small"
    assert effects.pop("tr-en").label == "medium"
    assert {e.label for e in effects.values()} == {"negligible"}


@pytest.mark.parametrize("counts", [(54, 159, 198, 589), (3, 0, 2, 5), (0, 0, 0, 4)])
def test_accuracy_difference_agrees_with_dirichlet_draws(counts: tuple[int, int, int, int]) -> None:
    posterior = bayes.accuracy_difference(*counts)
    theta = np.random.default_rng(2).dirichlet(np.array(counts) + 1.0, size=400_000)
    draws = theta[:, 2] - theta[:, 1]
    p = probabilities(posterior, in_scores(-0.01, 0.01, "given"))
    shares = [np.mean(draws > 0.01), np.mean(np.abs(draws) <= 0.01), np.mean(draws < -0.01)]
    np.testing.assert_allclose([p.better, p.equivalent, p.worse], shares, atol=4 * 0.5 / np.sqrt(len(draws)))


def test_sign_of_the_difference_is_phi() -> None:
    # The advantage is T (1 - 2 phi): it is positive exactly where phi < 1/2.
    above = float(bayes.accuracy_difference(54, 159, 198, 589).sf(0.0))
    assert above == pytest.approx(float(bayes.mcnemar(159, 198).cdf(0.5)), rel=1e-12)


@pytest.mark.parametrize("bad", [-1, 0.5, np.nan, np.inf])
def test_counts_are_whole_numbers(bad: float) -> None:
    with pytest.raises(CellError, match="A count is a whole number"):
        bayes.mcnemar(bad, 3)
    with pytest.raises(CellError, match="n11 is"):
        bayes.accuracy_difference(1, 2, 3, bad)


def test_priors_are_positive() -> None:
    with pytest.raises(OptionError, match="prior n10 is 0"):
        bayes.mcnemar(1, 2, prior=(1.0, 0.0))
    with pytest.raises(OptionError, match="prior n00 is -1"):
        bayes.accuracy_difference(1, 2, 3, 4, prior=(-1.0, 1.0, 1.0, 1.0))


def test_each_part_of_a_prior_goes_to_its_own_count() -> None:
    """Dirichlet algebra: E theta = (prior + n)/total, and phi ~ Beta(prior01 + n01, prior10 + n10)."""
    found = bayes.accuracy_difference(5, 6, 7, 8, prior=(1, 2, 4, 9))
    assert found.mean == pytest.approx(((4 + 7) - (2 + 6)) / 42, rel=1e-12)
    assert (found.a01, found.a10, found.same) == (8, 11, 23)
    assert bayes.mcnemar(3, 4, prior=(2, 5)).mean == pytest.approx(5 / 14, rel=1e-12)


@pytest.mark.parametrize("place", range(4))
def test_every_count_and_every_part_of_the_prior_is_looked_at(place: int) -> None:
    name = ("n00", "n01", "n10", "n11")[place]
    counts, prior = [3, 4, 5, 6], [1.0, 1.0, 1.0, 1.0]
    counts[place] = -1
    with pytest.raises(CellError, match=f"{name} is -1"):
        bayes.accuracy_difference(*counts)
    prior[place] = 0.0
    with pytest.raises(OptionError, match=f"the prior {name} is 0.0"):
        bayes.accuracy_difference(3, 4, 5, 6, prior=tuple(prior))
    if name in ("n01", "n10"):
        with pytest.raises(CellError, match=f"{name} is -1"):
            bayes.mcnemar(*counts[1:3])
        with pytest.raises(OptionError, match=f"the prior {name} is 0.0"):
            bayes.mcnemar(4, 5, prior=tuple(prior[1:3]))


def test_a_count_that_no_float_can_hold() -> None:
    assert bayes.mcnemar(2**53, 2**53).mean == 0.5
    with pytest.raises(CellError, match=r"up to 9,007,199,254,740,992"):
        bayes.mcnemar(2**53 + 1, 3)
