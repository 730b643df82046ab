"""Five times two halves."""

from __future__ import annotations

import pytest

from ropewalk.nhst import five_by_two_f, five_by_two_t

BOTH = pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
