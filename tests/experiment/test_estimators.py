"""Estimators that a file names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ropewalk.errors import OptionError
from ropewalk.experiment.estimators import build
from tests.experiment.toml_files import DATA, read


@pytest.mark.parametrize(
    ("spec", "message", "hint"),
    [
        ('"SVC"', '"SVC" is not the path of a class', '"sklearn.svm.SVC"'),
        ('"sklearn.svm.SVM"', '"sklearn.svm.SVM" is not an estimator', "sklearn.svm.SV"),
        ('"sklearn.svm.svc"', "is not an estimator", '"sklearn.svm.SVC"'),
        ('"sklearn.smv.SVC"', "cannot be imported", '"sklearn.svm.SVC"'),
        ('"os.system"', '"os.system" is not in "sklearn"', "--allow-import os"),
        ('"sklearn.datasets.load_iris"', "is not an estimator", ""),
        ('"sklearn.base.inspect"', "is not an estimator", ""),
        ('"sklearn.utils.Bunch"', "is not an estimator", ""),
        ('"sklearn._config.os"', "is not the path of a class", ""),
        ("3", "3 does not name an estimator", '"sklearn.svm.SVC"'),
        ("{ C = 3 }", "does not name an estimator", "class ="),
        ("[]", "steps is []", "list of estimators"),
        ('{ class = "sklearn.svm.SVC", c = 3 }', 'SVC has no parameter "c"', '"C"'),
        (
            '{ class = "sklearn.svm.SVC", select = 3 }',
            "select is 3, which is not a table",
            "C = [0.1, 1, 10]",
        ),
        (
            '{ class = "sklearn.svm.SVC", select = { C = 3 } }',
            'the values of "C" to choose from are 3',
            "[0.1, 1, 10]",
        ),
        ('{ class = "sklearn.svm.SVC", select = { D = [3] } }', 'has no parameter "D" to choose', "C"),
        (
            '{ class = "sklearn.pipeline.Pipeline", steps = [], memory = "/tmp/x" }',
            '"memory" cannot be set in a file',
            "arbitrary code",
        ),
        (
            '{ steps = ["sklearn.svm.SVC"], select = { memory = ["/tmp/x"] } }',
            '"memory" cannot be set in a file',
            "arbitrary code",
        ),
        ('"sklearn.preprocessing.StandardScaler"', "without predict", "fit and predict"),
    ],
)
def test_every_mistake_in_an_algorithm_has_its_message(
    tmp_path: Path, spec: str, message: str, hint: str
) -> None:
    with pytest.raises(OptionError) as caught:
        read(tmp_path, f"[algorithms]\nit = {spec}\n" + DATA)
    assert message in caught.value.what
    assert hint in caught.value.hint
    assert caught.value.where[1] == "at algorithms.it"


def test_another_package_has_to_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a file that is read runs none of its code before."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "strange_pkg.py").write_text(
        "class It:\n    def fit(self, X, y): return self\n    def predict(self, X): return [0] * len(X)\n"
        "from os import system\n"
    )
    spec = "[algorithms]\nit = 'strange_pkg.It'\n" + DATA
    with pytest.raises(OptionError, match=r'"strange_pkg\.It" is not in "sklearn"') as caught:
        read(tmp_path, spec)
    assert "--allow-import strange_pkg" in caught.value.hint
    assert "strange_pkg" not in sys.modules
    assert type(read(tmp_path, spec, "strange_pkg").setup.algorithms[0].estimator).__name__ == "It"
    with pytest.raises(OptionError, match="is not an estimator"):
        read(tmp_path, spec.replace("It", "system"), "strange_pkg")


def test_a_constructor_that_complains(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.naive_bayes import GaussianNB

    def complain(self: object, *, priors: object = None) -> None:
        raise TypeError("no priors today")

    monkeypatch.setattr(GaussianNB, "__init__", complain)
    with pytest.raises(OptionError, match="GaussianNB cannot be created: no priors today"):
        build("sklearn.naive_bayes.GaussianNB")
