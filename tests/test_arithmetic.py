"""Whatever a program has set with numpy.seterr, a comparison gives the same answer."""

from __future__ import annotations

import numpy as np

import ropewalk as rw
from ropewalk.arithmetic import usual_arithmetic


def test_settings_that_raise_change_no_answer() -> None:
    """Oracle: the same documents under NumPy's own settings."""
    rng = np.random.default_rng(0)
    tables = (
        {
            "a": (rng.random(300) < 0.9).astype(int).tolist(),
            "b": (rng.random(300) < 0.7).astype(int).tolist(),
        },
        {"a": rng.normal(size=60).tolist(), "b": rng.normal(2, 1e-3, size=60).tolist()},
        {"a": (1e-200 * np.ones(50)).tolist(), "b": (1e-200 * rng.random(50)).tolist()},
    )
    for table in tables:
        expected = rw.compare(table, rope=0.01)
        with np.errstate(all="raise"):
            report = rw.compare(table, rope=0.01)
            assert report.to_json() == expected.to_json()
            assert report.to_html() == expected.to_html()
            assert report.to_latex() == expected.to_latex()
            assert np.geterr()["under"] == "raise"
    with np.errstate(all="raise"):
        plan = rw.plan(tables[1], rope=0.01, draws=200)
    assert plan.to_json() == rw.plan(tables[1], rope=0.01, draws=200).to_json()


def test_a_function_keeps_its_name_and_its_signature() -> None:
    from inspect import signature

    assert "rope" in signature(rw.compare).parameters
    assert usual_arithmetic(np.geterr)()["under"] == "ignore"
