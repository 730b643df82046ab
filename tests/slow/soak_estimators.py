"""Estimators that hang or take their process down now and then, as long as a file says so."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

from sklearn.naive_bayes import GaussianNB


class Flaky(GaussianNB):
    """Naive Bayes; where the file `faults` exists it sleeps, hangs (1 of 300) or dies (1 of 300)."""

    def __init__(self, *, faults: str = "", var_smoothing: float = 1e-9) -> None:
        super().__init__(var_smoothing=var_smoothing)
        self.faults = faults

    def fit(self, X: Any, y: Any) -> Any:
        if Path(self.faults).exists():
            chance = random.SystemRandom().random()
            if chance < 1 / 300:
                time.sleep(30)
            elif chance > 1 - 1 / 300:
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(random.SystemRandom().random() * 0.05)
        return super().fit(X, y)
