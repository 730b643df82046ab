"""The prior of nu: the two answers for nbc - aode that Benavoli et al. 2017 give without saying so."""

from __future__ import annotations

import pytest

from reproduce import published
from ropewalk import bayes
from ropewalk.bayes.nu_priors import NU_PRIORS
from ropewalk.errors import OptionError


def test_benavoli_table_12_was_made_with_other_bounds_than_the_text_prints() -> None:
    tasks = [*published.differences("nbc", "aode").values()]
    text, table = NU_PRIORS["benavoli2017-text"], NU_PRIORS["benavoli2017-code"]
    assert (text, table) == (((0.5, 5.0), (0.05, 0.15)), ((1.0, 2.0), (0.01, 0.1)))
    found = bayes.hierarchical_t_range(tasks, 0.01, rho=0.1, constant="benavoli2017", bounds=[text, table])
    by_text, by_table = (r.most_probable for r in found.regions)
    assert (by_text.equivalent, by_text.worse) == pytest.approx((0.37, 0.63), abs=0.01)
    assert (by_table.equivalent, by_table.worse) == pytest.approx((0.277, 0.723), abs=0.01)
    assert found.most_probable("worse") == (by_text.worse, by_table.worse)


def test_no_bounds() -> None:
    with pytest.raises(OptionError, match="no bounds are given"):
        bayes.hierarchical_t_range([[0.1, 0.2], [0.3, 0.1]], 0.01, bounds=[])


def test_both_bounds_reach_the_test() -> None:
    tasks, alpha = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03]], (1.0, 2.0)
    betas = ((0.01, 0.1), (0.9, 1.0))
    found = bayes.hierarchical_t_range(tasks, 0.01, bounds=[(alpha, beta) for beta in betas])
    for beta, regions in zip(betas, found.regions, strict=True):
        alone = bayes.hierarchical_t(tasks, alpha=alpha, beta=beta).next_task(0.01)
        assert regions.mean == alone.mean
    assert abs(found.regions[0].mean.better - found.regions[1].mean.better) > 1e-3


def test_the_range_leans_on_the_other_tasks_unless_the_authors_way_is_asked_for() -> None:
    tasks, bounds = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.1, 0.1, 0.1]], [((0.5, 5.0), (0.05, 0.15))]
    (found,) = bayes.hierarchical_t_range(tasks, 0.001, bounds=bounds).regions
    assert found.mean == bayes.hierarchical_t(tasks).next_task(0.001).mean
    (theirs,) = bayes.hierarchical_t_range(tasks, 0.001, constant="benavoli2017", bounds=bounds).regions
    alone = bayes.hierarchical_t(tasks, constant="benavoli2017", rope=0.001)
    assert theirs.mean == alone.next_task(0.001).mean
    assert theirs.mean != found.mean
