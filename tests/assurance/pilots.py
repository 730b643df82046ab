"""Pilots whose futures are known."""

from __future__ import annotations

import numpy as np

# Williams 2026 Table 1.
N01 = np.array([63, 159, 175, 180, 202, 185, 195, 156, 64, 113, 44])


N10 = np.array([66, 198, 149, 167, 167, 193, 176, 133, 30, 103, 46])


SAME = np.array([201, 643, 536, 653, 631, 622, 629, 471, 122, 337, 111])
