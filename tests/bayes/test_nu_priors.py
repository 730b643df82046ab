"""Named priors of the degrees of freedom."""

from __future__ import annotations

import pytest

from reproduce import published
from ropewalk import bayes
from ropewalk.bayes.nu_priors import NU_PRIORS
from ropewalk.errors import OptionError


@pytest.mark.proof
def test_a_named_prior_is_its_bounds() -> None:
    tasks = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03]]
    for name, (alpha, beta) in NU_PRIORS.items():
        named = bayes.hierarchical_t(tasks, prior=name).next_task(0.01).mean
        assert named == bayes.hierarchical_t(tasks, alpha=alpha, beta=beta).next_task(0.01).mean
    default = bayes.hierarchical_t(tasks).next_task(0.01).mean
    assert default == bayes.hierarchical_t(tasks, prior="benavoli2017-text").next_task(0.01).mean
    with pytest.raises(OptionError, match='the prior is "benavoli2017"'):
        bayes.hierarchical_t(tasks, prior="benavoli2017")


def test_the_priors_that_benavoli_et_al_cite_are_in_the_range() -> None:
    # Sec. 4.3.1: Gamma(1, 0.0345) and Gamma(2, 0.1). The mean of nu - 1 is 29 and 20.
    assert [a[0] / b[0] for a, b in (NU_PRIORS["kruschke2013"], NU_PRIORS["juarez2010"])] == pytest.approx(
        [29, 20], abs=0.02
    )
    found = bayes.hierarchical_t_range([*published.differences("nbc", "aode").values()], 0.01, rho=0.1)
    assert set(NU_PRIORS.values()) <= set(found.bounds)
    low, high = found.most_probable("worse")
    assert low < 0.63 < 0.72 < high + 0.01
