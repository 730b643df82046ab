"""A posterior that is certain."""

from __future__ import annotations

from ropewalk.posterior import Point


def test_point_is_certain() -> None:
    point = Point(at=0.2)
    assert (point.mean, point.sd) == (0.2, 0.0)
    assert (float(point.cdf(0.2)), float(point.sf(0.2))) == (1.0, 0.0)
    assert (float(point.cdf(0.1)), float(point.sf(0.1))) == (0.0, 1.0)
    assert point.hdi(0.9) == (0.2, 0.2)
    assert point.interval(0.9) == (0.2, 0.2)
    assert float(point.pdf(0.3)) == 0.0
    assert set(point.sample(3)) == {0.2}
