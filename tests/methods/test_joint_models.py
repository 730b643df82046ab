"""Every joint posterior has its line, and every line its sources."""

from __future__ import annotations

import numpy as np

import ropewalk as rw
from ropewalk.methods.joint_models import JOINT_MODELS
from ropewalk.report.references import short_form


def test_sources_are_known() -> None:
    for model in JOINT_MODELS.values():
        assert model.name.startswith(("a ", "the "))
        assert all(short_form(source) for source in model.sources)


def test_the_posterior_of_a_report_has_its_line() -> None:
    rng = np.random.default_rng(0)
    report = rw.compare({m: rng.normal(size=40) for m in "abc"}, higher_is_better=True)
    assert report.board.posterior.model in JOINT_MODELS
