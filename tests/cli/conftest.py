"""The command line by the name that its tests have for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def run(command: Callable[..., tuple[int, str, str]]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    return command
