"""Parameters of priors are positive numbers."""

from __future__ import annotations

import pytest

from ropewalk import bayes
from ropewalk.errors import CellError, OptionError


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
