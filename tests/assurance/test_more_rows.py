"""More rows in every cluster: against rows simulated one by one."""

from __future__ import annotations

import numpy as np

from ropewalk import bayes
from ropewalk.assurance import Edges, Rule, assurance
from ropewalk.assurance.more_rows import MoreRows
from ropewalk.decide import in_scores, probabilities
from ropewalk.sums import Sums

ROPE = Edges(low=-0.01, high=0.01)


def test_the_chance_is_that_of_rows_simulated_one_by_one() -> None:
    # Oracle: brute force. tau² from its posterior; given it the effect of each cluster is normal around its
    # shrunken mean (flat in the mean of all, so the common part is drawn as well); then every row.
    rng = np.random.default_rng(6)
    G, m, more, within = 40, 5, 20, 0.2**2
    means = 0.02 + 0.03 * rng.standard_normal(G) + np.sqrt(within / m) * rng.standard_normal(G)
    sums, rope = Sums.of(means), in_scores(-0.01, 0.01, "given")
    runs, decided = 1_500, 0
    for _ in range(runs):
        tau = max(sums.m2 / rng.chisquare(G - 1), within / m)
        between = tau - within / m
        centre = sums.mean + np.sqrt(tau / G) * rng.standard_normal()
        k = between / tau
        effects = centre + k * (means - centre) + np.sqrt(between * (1 - k)) * rng.standard_normal(G)
        new = effects[:, None] + np.sqrt(within) * rng.standard_normal((G, more))
        p = probabilities(bayes.t((m * means + new.sum(axis=1)) / (m + more)), rope)
        decided += max(p.better, p.equivalent, p.worse) >= 0.95
    found = assurance(
        MoreRows(sums=sums, rows=m, within=within, edges=ROPE), Rule(), more=[more], draws=20_000
    )
    p, q = decided / runs, float(found.decided[0])
    assert 0.05 < q < 0.95
    assert abs(p - q) < 4 * np.sqrt(q * (1 - q) * (1 / runs + 1 / 20_000))


def test_endless_rows_leave_the_clusters_a_sample() -> None:
    design = MoreRows(sums=Sums(n=20, mean=0.02, m2=0.03), rows=10, within=0.01, edges=ROPE)
    found = assurance(design, Rule())
    assert found.limit < 1
    assert found.settles is not None
    assert abs(sum(found.settles) - 1) < 1e-9
