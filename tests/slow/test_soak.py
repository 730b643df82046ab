"""The soak: ten minutes of faults, and the same bytes as without any."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = os.environ.get("ROPEWALK_SOAK", "600")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes cannot be found here")
def test_two_thousand_fits_under_every_fault(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("soak.py")), str(tmp_path), SECONDS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3 * float(SECONDS) + 1_800)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["lost"] == 0
    assert found["damaged"] == 0
    assert found["rows and different rows"] == [2_000, 2_000]
    assert found["predictions kept"] == 2_000
    assert found["temporary files left"] == []
    assert found["same bytes as without faults"]
    assert found["same bytes a second time"]
