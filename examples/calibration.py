"""Calibrate before you compare probabilities: logistic regression and a support vector machine.

usage: python examples/calibration.py [FOLDER]

A support vector machine outputs scores, not probabilities. Squeezed between 0 and 1 they look like probabilities,
and a comparison by log loss penalizes the model for something it never claimed. Williams ("A review of and best
practices for comparing machine learning models", sec. 6.1) finds logistic regression clearly better than the SVM
by log loss, and no verdict once both are calibrated by Platt scaling. Two data sets that ship with scikit-learn:
breast cancer shows the same; on the digits, calibration reveals that the SVM is better. With a FOLDER, the
reliability diagrams of the SVM are written there.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import ropewalk as rw
from ropewalk.data import Audit
from ropewalk.data.arrays import strings
from ropewalk.plot.reliability import reliability

MODELS = {"LgR": LogisticRegression(max_iter=2000), "SVM": SVC()}


def decision_scores(x: np.ndarray, y: np.ndarray, classes: tuple[str, str]) -> rw.Predictions:
    """Train on one half and score the other half; y is the index of the truth in `classes`."""
    train, test = train_test_split(np.arange(len(y)), test_size=0.5, random_state=0, stratify=y)
    outputs = {}
    for name, model in MODELS.items():
        fitted = make_pipeline(StandardScaler(), model).fit(x[train], y[train])
        outputs[name] = fitted.decision_function(x[test])
    return rw.Predictions(
        models=tuple(MODELS),
        units=strings(test),
        truth=strings(classes)[y[test]],
        outputs=outputs,
        kind="scores",
        classes=classes,
        audit=Audit(paired=len(test)),
    )


def squeezed(scores: rw.Predictions) -> rw.Predictions:
    """Treat every score as log-odds: right for logistic regression, arbitrary for the SVM."""
    p = {m: 1 / (1 + np.exp(-scores.positive_score(m))) for m in scores.models}
    return replace(
        scores, kind="probabilities", outputs={m: np.column_stack([1 - v, v]) for m, v in p.items()}
    )


def tell(when: str, predictions: rw.Predictions, loss: str | None) -> None:
    scored = predictions.scores(loss)
    report = rw.compare(scored)
    means = "  ".join(
        f"{m} {v:.3f}" for m, v in zip(scored.models, scored.tasks[0].values.mean(axis=0), strict=True)
    )
    v = report.comparisons[0].verdict
    print(
        f"  {scored.metric:<12} {when:<10} {means}   {v.better:.3f} / {v.equivalent:.3f} / {v.worse:.3f}   {v.name}"
    )


def main(folder: Path | None) -> None:
    x, y = load_breast_cancer(return_X_y=True)
    digits, digit = load_digits(return_X_y=True)
    tasks = {
        "breast cancer": decision_scores(x, 1 - y, ("benign", "malignant")),
        "digits": decision_scores(digits, digit % 2, ("even", "odd")),
    }
    for title, scores in tasks.items():
        before, after = squeezed(scores), scores.calibrated("platt")
        print(f"{title}, {len(scores.units)} test examples; LgR better / equivalent / worse than SVM")
        for loss in ("log", "brier"):
            tell("squeezed", before, loss)
            tell("calibrated", after, loss)
        # The threshold, too, is chosen on other rows than those compared.
        labels = scores.at_threshold(fpr=0.08)
        tell("at FPR 8%", labels, None)
        print(f"  {after.audit.notes[-1]}\n  {labels.audit.notes[-1]}\n")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            name = folder / f"reliability-{title.replace(' ', '-')}.png"
            name.write_bytes(rw.plot.render(reliability(before, "SVM", after=after), ".png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
