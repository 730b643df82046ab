"""The default ROPE of scores that have no range is said before the result, in every output."""

from __future__ import annotations

import numpy as np

import ropewalk as rw


def test_a_default_in_standard_deviations_is_said_first() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(300, 40, 80)
    report = rw.compare({"a": x, "b": x + rng.normal(0, 1, 80)}, rho=0, higher_is_better=True)
    said = "the default ROPE for these scores is 0.1 standard deviations"
    assert [c for c in report.audit.cautions if said in c]
    text, markdown, page = str(report), report.to_markdown(), report.to_html()
    for out in (text, markdown):
        assert said in " ".join(out.split())[:400]
        assert out.index("default ROPE for these") < out.lower().index("verdict")
    assert page.index("default ROPE for these") < page.index('id="answer"')


def test_a_given_rope_needs_no_caution() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(300, 40, 80)
    report = rw.compare({"a": x, "b": x + 1}, rho=0, higher_is_better=True, rope=0.5)
    assert report.audit.cautions == ()
