"""An experiment written down as TOML: every key, and every mistake."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.model_selection import ParameterGrid

from ropewalk.errors import DataError, OptionError, ReadError, RopewalkError
from ropewalk.experiment.file import read_experiment
from tests.experiment.toml_files import DATA, read

ALGORITHMS = """
[algorithms]
bayes = "sklearn.naive_bayes.GaussianNB"
tree = { class = "sklearn.tree.DecisionTreeClassifier", max_depth = 3 }
"""


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a,g,y\n1,p,0\n2,p,1\n3,q,0\n4,q,1\n")
    found = read(
        tmp_path,
        """
        design = "5x2cv"
        metrics = ["accuracy", "log_loss"]
        seed = 7
        stratified = false
        calibrate = "platt"
        keep_predictions = true
        timeout = 2.5
        store = "out"

        [algorithms]
        bayes = "sklearn.naive_bayes.GaussianNB"

        [algorithms.svm]
        steps = ["sklearn.preprocessing.StandardScaler", "sklearn.svm.SVC"]
        select = { svc__C = [1, 10] }

        [algorithms.boost]
        class = "sklearn.ensemble.AdaBoostClassifier"
        n_estimators = 5
        estimator = { class = "sklearn.tree.DecisionTreeClassifier", max_depth = 2 }

        [datasets]
        wine = "wine"
        mine = { file = "mine.csv", groups = "g" }
        pairs = { sklearn = "digits", classes = [3, 8] }
        fast = { sklearn = "diabetes", above = "median" }

        [compare]
        rope = [-0.01, 0.02]
        reference = "bayes"
        threshold = 0.9
        metric = "log_loss"
        method = ["auto", "signed_rank"]
        """,
    )
    s = found.setup
    assert [a.name for a in s.algorithms] == ["bayes", "svm", "boost"]
    assert [d.n for d in s.datasets] == [178, 4, 357, 442]
    assert s.algorithms[1].grid == {"svc__C": [1, 10]}
    assert s.algorithms[2].estimator.estimator.max_depth == 2
    assert (s.design, s.metrics, s.seed, s.stratified) == ("5x2cv", ("accuracy", "log_loss"), 7, False)
    assert (s.calibrate, s.keep, s.timeout) == ("platt", True, 2.5)
    assert found.store == tmp_path / "out"
    assert found.compare["rope"] == (-0.01, 0.02)


def test_little_has_to_be_said(tmp_path: Path) -> None:
    found = read(tmp_path, ALGORITHMS + DATA)
    assert found.setup.count == 200
    assert found.store == tmp_path / "e-results"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (DATA, "no algorithms are given", "GaussianNB"),
        (ALGORITHMS, "no datasets are given", 'wine = "wine"'),
        ("desing = '10x10cv'" + ALGORITHMS + DATA, 'there is no key "desing"', 'Did you mean "design"?'),
        ("design = 10" + ALGORITHMS + DATA, "design is 10, which is not text", "10x10cv"),
        ("design = '10x'" + ALGORITHMS + DATA, 'there is no design "10x"', "one of these"),
        ("metrics = 'accuracy'" + ALGORITHMS + DATA, "metrics is accuracy, which is not a list", "log_loss"),
        ("metrics = [1]" + ALGORITHMS + DATA, "metrics is not a list of names", "accuracy"),
        ("metrics = ['acuracy']" + ALGORITHMS + DATA, 'there is no metric "acuracy"', 'mean "accuracy"'),
        ("seed = 1.5" + ALGORITHMS + DATA, "seed is 1.5, which is not a whole number", "0"),
        ("seed = true" + ALGORITHMS + DATA, "seed is True, which is not a whole number", "0"),
        ("stratified = 1" + ALGORITHMS + DATA, "stratified is 1, which is not true or false", "true"),
        ("calibrate = 'x'" + ALGORITHMS + DATA, "calibrate is x", "platt"),
        ("keep_predictions = 'yes'" + ALGORITHMS + DATA, "which is not true or false", "true"),
        ("timeout = '1 h'" + ALGORITHMS + DATA, "timeout is 1 h, which is not a number", "60"),
        ("store = 3" + ALGORITHMS + DATA, "store is 3, which is not text", "results"),
        ("algorithms = ['svm']" + DATA, "algorithms is ['svm'], which is not a table", "GaussianNB"),
        (ALGORITHMS + DATA + "[compare]\nrop = 1", 'there is no key "rop" in [compare]', 'mean "rope"'),
        (ALGORITHMS + DATA + "[compare]\nthreshold = 'x'", "threshold in [compare] is x", "0.95"),
        (ALGORITHMS + DATA + "[compare]\nmethod = [1]", "method in [compare] is not a list of names", "auto"),
    ],
)
def test_every_key_has_its_message(tmp_path: Path, text: str, message: str, hint: str) -> None:
    with pytest.raises(OptionError) as caught:
        read(tmp_path, text)
    assert message in caught.value.what
    assert hint in caught.value.hint
    assert caught.value.where[0] == "in e.toml"


@pytest.mark.parametrize(
    ("spec", "message", "hint"),
    [
        ("3", "the data set is 3", "mine.csv"),
        ("{ target = 'y' }", "the data set has 0 sources", '"file"'),
        ("{ sklearn = 'wine', file = 'x.csv' }", "the data set has 2 sources", '"file"'),
        ("{ sklearn = 'wein' }", 'ships no data set "wein"', 'mean "wine"'),
        ("{ sklearn = 'wine', target = 'y' }", '"target" is for files', "Leave it out"),
        ("{ sklearn = 'wine', clases = [1] }", 'there is no key "clases"', 'mean "classes"'),
        ("{ sklearn = 'wine', classes = 1 }", "classes is 1, which is not a list", "[3, 8]"),
        ("{ sklearn = 'wine', classes = [7] }", 'has no class "7"', "Known"),
        ("{ sklearn = 'wine', above = [1] }", "above is [1], which is not a number", "median"),
        ("{ sklearn = 'diabetes', above = 'mean' }", "above is mean", "median"),
        ("{ file = 'mine.csv', drop = [1] }", "drop is not a list of names", '["id"]'),
        ("'mine.csv'", "there is no file", ""),
        ("{ folder = 'nowhere' }", "cannot be read", ""),
    ],
)
def test_every_mistake_in_a_data_set_has_its_message(
    tmp_path: Path, spec: str, message: str, hint: str
) -> None:
    with pytest.raises(RopewalkError) as caught:
        read(tmp_path, ALGORITHMS + f"[datasets]\nit = {spec}\n")
    assert message in caught.value.what
    assert hint in caught.value.hint
    assert caught.value.where[1] == "at datasets.it"


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is not TOML") as caught:
        read(tmp_path, "design = \nseed = 0")
    assert "line 1" in str(caught.value)
    with pytest.raises(ReadError, match="there is no file") as caught:
        read_experiment(tmp_path / "f.toml")
    assert 'Did you mean "e.toml"?' in caught.value.hint


def test_a_regression_target_with_a_metric_of_classes(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="214 different values") as caught:
        read(tmp_path, ALGORITHMS + "[datasets]\nd = 'diabetes'\n")
    assert 'above = "median"' in caught.value.hint


ROOT = Path(__file__).parents[2]


def test_the_example_has_five_algorithms_on_ten_real_tasks() -> None:
    found = read_experiment(ROOT / "examples" / "five_algorithms.toml")
    assert len(found.setup.algorithms) == 5
    assert {d.name: d.n for d in found.setup.datasets} == {
        "iris": 150,
        "wine": 178,
        "breast_cancer": 569,
        "digits_even": 1797,
        "digits_3_8": 357,
        "digits_4_9": 361,
        "digits_1_7": 361,
        "digits_small": 901,
        "iris_hard": 100,
        "diabetes": 442,
    }
    assert found.setup.count == 5_000
    assert found.compare == {"rope": 0.01, "method": ["auto", "signed_rank"]}


def test_the_file_of_the_page_is_read(tmp_path: Path) -> None:
    """docs/experiment.md: every block of TOML, the first as it stands."""
    page = (ROOT / "docs" / "experiment.md").read_text()
    first, select, data, sources = re.findall(
        r"^```toml.*?\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL
    )
    rows = "".join(f"{i},{i * 7 % 5},h{i % 4},{i % 2}\n" for i in range(40))
    (tmp_path / "patients.csv").write_text("id,age,hospital,sick\n" + rows)
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "one.csv").write_text("a,b,target\n" + "".join(f"{i},1,{i % 2}\n" for i in range(40)))
    found = read(tmp_path, first)
    assert [d.name for d in found.setup.datasets] == ["wine", "patients", "uci/one"]
    assert [a.name for a in read(tmp_path, sources).setup.algorithms] == ["forest", "bayes"]
    (chosen,) = read(tmp_path, select + DATA).setup.algorithms
    assert len(ParameterGrid(dict(chosen.grid))) == 6
    assert [d.n for d in read(tmp_path, ALGORITHMS + "[datasets]\n" + data).setup.datasets] == [
        357,
        1797,
        442,
    ]


@pytest.mark.proof
def test_the_command_of_the_example_on_the_page(tmp_path: Path) -> None:
    """As docs/experiment.md types it, in a folder with the examples."""
    page = (ROOT / "docs" / "experiment.md").read_text(encoding="utf-8")
    line = next(found for found in page.splitlines() if found.startswith("ropewalk run examples/five"))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    command = [sys.executable, "-m", *shlex.split(line)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    for end in ("", "-signed_rank"):
        assert f"Wrote report{end}.html, plots{end} (" in done.stdout + done.stderr
        assert (tmp_path / f"report{end}.html").stat().st_size > 100_000
        assert {p.suffix for p in (tmp_path / f"plots{end}").iterdir()} == {".png", ".txt"}
