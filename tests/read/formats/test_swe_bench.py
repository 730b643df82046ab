"""Reports and submissions of SWE-bench."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ropewalk.errors import ReadError
from ropewalk.read import read
from tests.read.formats.written import means, scores

IDS = [f"django__django-{i}" for i in range(10)]


def swe_report(resolved: list[int], submitted: int = 10) -> str:
    """What the harness writes (schema version 2)."""
    done, good = IDS[:submitted], [IDS[i] for i in resolved]
    return json.dumps(
        {
            "total_instances": len(IDS),
            "submitted_instances": submitted,
            "completed_instances": submitted,
            "resolved_instances": len(good),
            "unresolved_instances": submitted - len(good),
            "empty_patch_instances": 0,
            "error_instances": 0,
            "completed_ids": done,
            "incomplete_ids": IDS[submitted:],
            "empty_patch_ids": [],
            "submitted_ids": done,
            "resolved_ids": good,
            "unresolved_ids": [i for i in done if i not in good],
            "error_ids": [],
            "schema_version": 2,
        },
        indent=4,
    )


def test_swe_bench_reports(tmp_path: Path) -> None:
    (tmp_path / "gpt.run1.json").write_text(swe_report([0, 1, 2, 3, 4]))
    (tmp_path / "claude.run1.json").write_text(swe_report([0, 2, 4, 6], submitted=8))
    s = scores(tmp_path)
    assert s.models == ("claude.run1", "gpt.run1")
    assert s.audit.paired == 10
    assert means(s) == {"claude.run1": 0.4, "gpt.run1": 0.5}
    assert "claude.run1: 2 instances were not run or not listed, counted as not resolved" in s.audit.notes
    assert s.audit.warnings == ()


def test_swe_bench_submissions(tmp_path: Path) -> None:
    """Folders of the leaderboard name what was resolved; nobody's failures are in none of them."""
    for name, resolved in (("20240402_sweagent", [0, 1, 2]), ("20250101_other", [1, 2, 3, 4])):
        folder = tmp_path / name / "results"
        folder.mkdir(parents=True)
        lists = {"no_generation": [IDS[9]], "no_logs": [], "resolved": [IDS[i] for i in resolved]}
        (folder / "results.json").write_text(json.dumps(lists, indent=2))
        (folder / "resolved_by_repo.json").write_text(json.dumps({"django/django": {"resolved": 3}}))
    s = scores(tmp_path)
    assert s.models == ("20240402_sweagent", "20250101_other")
    assert s.audit.paired == 6
    assert means(s) == {"20240402_sweagent": 3 / 6, "20250101_other": 4 / 6}
    assert all("shares are too high" in w for w in s.audit.warnings)
    (tmp_path / "20240402_sweagent" / "results" / "results.json").write_text(
        '{"no_generation": [1], "resolved": [2]}'
    )
    with pytest.raises(ReadError, match="is not a list of instance ids"):
        read(tmp_path)
