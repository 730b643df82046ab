"""The Bayesian McNemar test against Table 1 of Williams 2026 and against Dirichlet draws."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.decide import by_threshold, cohens_g, on_phi, probabilities
from ropewalk.errors import CellError
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


@pytest.mark.parametrize("bad", [-1, 0.5, np.nan, np.inf])
def test_counts_are_whole_numbers(bad: float) -> None:
    with pytest.raises(CellError, match="A count is a whole number"):
        bayes.mcnemar(bad, 3)
    with pytest.raises(CellError, match="n11 is"):
        bayes.accuracy_difference(1, 2, 3, bad)


def test_a_count_that_no_float_can_hold() -> None:
    assert bayes.mcnemar(2**53, 2**53).mean == 0.5
    with pytest.raises(CellError, match=r"up to 9,007,199,254,740,992"):
        bayes.mcnemar(2**53 + 1, 3)
