"""Every layout in every form gives the same data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from reproduce import published
from ropewalk.data import Counts, Predictions, Scores
from ropewalk.errors import CellError, ColumnError, DataError, OptionError
from ropewalk.read import read
from ropewalk.sums import Sums

Source = Callable[[dict[str, list[Any]]], Any]
FileMaker = Callable[[dict[str, list[Any]], str], Path]
Write = Callable[..., str]


def scores_of(source: Any, **options: Any) -> Scores:
    data = read(source, **options)
    assert isinstance(data, Scores)
    return data


def predictions_of(source: Any, **options: Any) -> Predictions:
    data = read(source, **options)
    assert isinstance(data, Predictions)
    return data


# --- scores ---


def test_long_folds(as_source: Source) -> None:
    columns: dict[str, list[Any]] = {"model": [], "dataset": [], "repeat": [], "fold": [], "accuracy": []}
    value = iter(np.random.default_rng(0).integers(50, 99, size=100) / 100)
    for model in ("svm", "forest"):
        for task in ("iris", "wine"):
            for repeat in (1, 2):
                for fold in (1, 2, 3):
                    for name, cell in zip(
                        columns, (model, task, repeat, fold, float(next(value))), strict=True
                    ):
                        columns[name].append(cell)
    s = scores_of(as_source(columns))
    assert s.models == ("svm", "forest")
    assert (s.metric, s.higher_is_better) == ("accuracy", True)
    assert (s.design.unit, s.design.folds, s.design.repeats, s.design.rho) == (
        "fold",
        3,
        2,
        pytest.approx(1 / 3),
    )
    assert [t.name for t in s.tasks] == ["iris", "wine"]
    assert s.tasks[0].units.tolist() == ["1/1", "1/2", "1/3", "2/1", "2/2", "2/3"]
    expected = np.array(columns["accuracy"]).reshape(2, 2, 6)
    np.testing.assert_array_equal(s.tasks[1].values, expected[:, 1].T)
    assert s.audit.paired == 12
    assert "paired on `repeat` and `fold`" in s.audit.notes
    assert "higher is better (from the name `accuracy`)" in s.audit.notes


def test_long_ids_in_any_order(as_source: Source) -> None:
    s = scores_of(
        as_source(
            {
                "id": [3, 1, 2, 1, 2, 3, 4],
                "model": ["a", "a", "a", "b", "b", "b", "b"],
                "loss": [0.3, 0.1, 0.2, 1.5, 2.5, 3.5, 4.5],
            }
        )
    )
    assert s.tasks[0].units.tolist() == ["3", "1", "2"]
    assert s.tasks[0].values.tolist() == [[0.3, 3.5], [0.1, 1.5], [0.2, 2.5]]
    assert (s.metric, s.higher_is_better, s.design.unit) == ("loss", False, "example")
    assert [(d.reason, d.units) for d in s.audit.dropped] == [("only in b", 1)]


def test_wide(as_source: Source) -> None:
    s = scores_of(as_source({"id": ["x", "y", "z"], "svm": [0.5, 1.0, 0.0], "forest": [1, 0, 1]}))
    assert s.models == ("svm", "forest")
    assert s.tasks[0].units.tolist() == ["x", "y", "z"]
    assert s.tasks[0].values.tolist() == [[0.5, 1], [1, 0], [0, 1]]
    assert s.metric == "score"
    assert "higher is better (assumed)" in s.audit.notes
    assert "models: columns `svm`, `forest`" in s.audit.notes


def test_the_models_may_stand_in_a_column_called_task(as_file: FileMaker) -> None:
    # Two files with the same models are two tasks, named after the files: not written over the models.
    table = {"fold": [1, 1, 2, 2], "task": ["svm", "forest"] * 2, "score": [0.7, 0.8, 0.6, 0.9]}
    s = scores_of([as_file(table, "one"), as_file(table, "two")], model="task")
    assert s.models == ("svm", "forest")
    assert [task.name for task in s.tasks] == ["one", "two"]


def test_wide_without_ids_is_paired_by_row(as_source: Source) -> None:
    s = scores_of(as_source({"svm": [0.5, 1.0], "forest": [1.0, 0.0]}), higher_is_better=False)
    assert s.tasks[0].units.tolist() == ["1", "2"]
    said = ("models: columns `svm`, `forest`", "paired by row", "lower is better (set by you)")
    assert s.audit.notes == said


def test_one_row_per_task(as_source: Source) -> None:
    """Demsar's table: data sets down, algorithms across."""
    s = scores_of(as_source({"Data set": ["iris", "wine"], "C4.5": [0.9, 0.8], "NB": [0.7, 0.95]}))
    assert s.design.unit == "task"
    assert len(s.tasks) == 1
    assert s.tasks[0].name is None
    assert s.tasks[0].units.tolist() == ["iris", "wine"]
    long = scores_of(
        as_source(
            {"Dataset": ["iris", "iris", "wine", "wine"], "Method": list("abab"), "AUC": [0.1, 0.2, 0.3, 0.4]}
        )
    )
    assert (long.design.unit, long.metric) == ("task", "AUC")
    assert long.tasks[0].values.tolist() == [[0.1, 0.2], [0.3, 0.4]]


def test_booleans_are_right_and_wrong(as_source: Source) -> None:
    s = scores_of(
        as_source({"question_id": [1, 2, 1, 2], "system": list("aabb"), "correct": [True, False, True, True]})
    )
    assert s.is_binary
    assert (s.metric, s.higher_is_better) == ("accuracy", True)
    assert s.counts("a", "b") == (0, 1, 0, 1)


def test_seeds(as_source: Source) -> None:
    s = scores_of(as_source({"model": list("aabb"), "seed": [7, 8, 8, 7], "rmse": [1.0, 2.0, 3.0, 4.0]}))
    assert s.design.unit == "seed"
    assert s.tasks[0].units.tolist() == ["7", "8"]
    assert s.differences("a", "b").tolist() == [3.0, 1.0]


def test_score_files(as_file: FileMaker) -> None:
    a = as_file({"id": ["p", "q", "r"], "nll": [1.0, 2.0, 3.0]}, "svm")
    b = as_file({"id": ["r", "q", "s"], "nll": [0.5, 0.25, 9.0]}, "forest")
    s = scores_of([a, b])
    assert s.models == ("svm", "forest")
    assert s.tasks[0].values.tolist() == [[2.0, 0.25], [3.0, 0.5]]
    assert [d.units for d in s.audit.dropped] == [1, 1]
    assert {d.reason.partition("/")[0] for d in s.audit.dropped} <= {"only in ", "only in …"}
    assert {d.reason.rpartition("/")[2] for d in s.audit.dropped} == {a.name, b.name}
    assert [i.path for i in s.audit.inputs] == [str(a), str(b)]
    assert all(len(i.sha256) == 64 for i in s.audit.inputs)


def test_dict_and_array_and_frame_agree() -> None:
    import pandas as pd
    import polars as pl

    x = np.array([[0.5, 0.25], [1.0, 0.125], [0.0, 3.0]])
    forms = [
        {"A": x[:, 0], "B": x[:, 1]},
        {"A": x[:, 0].tolist(), "B": tuple(x[:, 1])},
        {"A": pd.Series(x[:, 0]), "B": pd.Series(x[:, 1])},
        {"A": pl.Series(x[:, 0]), "B": pl.Series(x[:, 1])},
        x,
        x.tolist(),
        pd.DataFrame(x, columns=["A", "B"]),
        pl.DataFrame(x, schema=["A", "B"]),
    ]
    for form in forms:
        s = scores_of(form)
        assert s.models == ("A", "B")
        assert s.tasks[0].units.tolist() == ["1", "2", "3"]
        np.testing.assert_array_equal(s.tasks[0].values, x)
        assert s.audit.inputs == ()


def test_data_pass_through() -> None:
    s = scores_of({"a": [1, 2], "b": [3, 4]})
    assert read(s) is s


def test_five_classifiers_on_54_data_sets(folds_path: Path) -> None:
    s = scores_of(folds_path)
    assert (len(s.models), len(s.tasks), s.audit.paired) == (5, 54, 5400)
    assert s.design.describe() == "10 x 10-fold cross-validation"
    for task, d in published.differences("nbc", "aode").items():
        found = Sums.of(s.differences("nbc", "aode", task) / 100)
        assert (found.mean, found.m2) == pytest.approx((d.mean, d.m2), rel=1e-9, abs=1e-13)


def test_a_column_of_metrics(csv_file: Write) -> None:
    text = "model,task,metric,value\n"
    text += "".join(
        f"{m},{t},{k},{ord(m) + i}\n" for m in "ab" for t in "xyz" for i, k in enumerate(["f1", "loss"])
    )
    path = csv_file(text)
    with pytest.raises(
        ColumnError, match=r'several metrics: "f1", "loss"\n\n  Say which: score="f1" \(--score f1\)'
    ):
        read(path)
    s = scores_of(path, score="loss")
    assert (s.metric, s.higher_is_better) == ("loss", False)
    assert s.tasks[0].values.tolist() == [[98, 99]] * 3
    with pytest.raises(ColumnError, match=r'no column and no metric `lss`\n\n  Did you mean "loss"'):
        read(path, score="lss")


def test_a_column_of_one_metric(csv_file: Write) -> None:
    s = scores_of(csv_file("model,task,metric,value\na,x,rmse,1\nb,x,rmse,2\na,y,rmse,3\nb,y,rmse,4\n"))
    assert (s.metric, s.higher_is_better) == ("rmse", False)


def test_scores_called_after_their_models(csv_file: Write) -> None:
    s = scores_of(
        [csv_file("id,svm\n1,.5\n2,.6\n", "svm.csv"), csv_file("id,forest\n1,.7\n2,.8\n", "forest.csv")]
    )
    assert (s.models, s.metric) == (("svm", "forest"), "score")
    long = scores_of(csv_file("model,id,points\na,1,5\nb,1,6\na,2,7\nb,2,8\n", "long.csv"))
    assert long.metric == "points"


def test_many_models_in_a_wide_table(csv_file: Write) -> None:
    names = [f"m{i}" for i in range(20)]
    s = scores_of(csv_file(",".join(names) + "\n" + (",".join(["1"] * 20) + "\n") * 20))
    assert s.audit.notes[0] == "models: 20 columns"


def test_rows_are_counted_as_in_the_file_after_a_metric_was_chosen(csv_file: Write) -> None:
    path = csv_file(
        "model,task,metric,value\na,x,f1,1\na,x,loss,oops\nb,x,f1,1\nb,x,loss,2\na,y,f1,\nb,y,f1,3\n"
    )
    with pytest.raises(DataError, match=r"row 5 \(line 6\): empty"):
        read(path, score="f1")


def test_sizes_of_test_and_training_sets(csv_file: Write) -> None:
    path = csv_file("model,fold,n_train,n_test,acc\na,1,90,10,.5\na,2,90,10,.6\nb,1,90,10,.7\nb,2,90,10,.8\n")
    s = scores_of(path)
    assert (s.design.n_test, s.design.n_train, s.design.rho) == (10, 90, 0.1)
    assert s.models == ("a", "b")


def test_sizes_that_are_none(csv_file: Write) -> None:
    path = csv_file("model,fold,n_train,n_test,acc\na,1,90,0,.5\na,2,90,10,.6\nb,1,90,10,.7\nb,2,90,10,.8\n")
    with pytest.raises(DataError, match=r'column `n_test` holds no size\n\n  row 1 \(line 2\): "0"'):
        read(path)


def test_many_folds_without_repeats_are_asked_about(csv_file: Write) -> None:
    rows = "".join(f"{m},{k},0.5\n" for m in "ab" for k in range(100))
    s = scores_of(csv_file("model,fold,acc\n" + rows))
    assert s.design.folds == 100
    assert "100 folds and no repeats" in s.audit.warnings[0]


def test_folds_numbered_through_the_repeats(csv_file: Write) -> None:
    rows = "".join(f"{m},{k // 5},{k},0.5\n" for m in "ab" for k in range(10))
    s = scores_of(csv_file("model,run,fold,acc\n" + rows))
    assert (s.design.folds, s.design.repeats) == (5, 2)
    assert not s.audit.warnings


def test_a_split_called_test_is_no_fold(csv_file: Write) -> None:
    s = scores_of(csv_file("model,seed,split,acc\na,1,test,.5\na,2,test,.6\nb,1,test,.7\nb,2,test,.8\n"))
    assert s.design.unit == "seed"


def test_seed_that_never_changes_is_ignored(csv_file: Write) -> None:
    s = scores_of(csv_file("model,fold,seed,acc\na,1,0,.5\na,2,0,.6\nb,1,0,.7\nb,2,0,.8\n"))
    assert (s.design.unit, s.design.folds, s.tasks[0].units.tolist()) == ("fold", 2, ["1", "2"])


def test_examples_under_several_seeds_are_runs_of_their_models(csv_file: Write) -> None:
    rows = "".join(f"{m},{seed},{i},{(i + seed) % 2}\n" for m in "ab" for seed in (1, 2) for i in range(3))
    s = scores_of(csv_file("model,seed,id,correct\n" + rows))
    task = s.tasks[0]
    assert s.models == ("a", "b")
    assert task.units.tolist() == ["0", "1", "2"]
    assert task.runs is not None
    assert task.runs.seeds == (("1", "2"), ("1", "2"))
    assert task.runs.values[0].tolist() == [[1, 0], [0, 1], [1, 0]]
    assert task.values.tolist() == [[0.5, 0.5]] * 3
    assert "2 training runs of every model, with the same seeds" in s.audit.notes


def test_seeds_may_differ_between_models(csv_file: Write) -> None:
    rows = [f"{m},{seed},{i},yes,{'yes' if (i + seed) % 3 else 'no'}" for i in range(4)
            for m, seeds in (("a", (1, 2, 3)), ("b", (7, 9))) for seed in seeds]  # fmt: skip
    rows += [f"a,1,{i},no,no" for i in (8, 9)]  # two examples that only one run has seen
    p = read(csv_file("model,seed,id,truth,prediction\n" + "\n".join(rows) + "\n"))
    assert isinstance(p, Predictions)
    s = p.scores()
    assert s.tasks[0].runs is not None
    assert [v.shape for v in s.tasks[0].runs.values] == [(4, 3), (4, 2)]
    assert not s.tasks[0].runs.paired(0, 1)
    assert [(d.reason, d.units) for d in p.audit.dropped] == [("only in a (seed 1)", 2)]
    assert "training runs: a 3, b 2" in s.audit.notes


def test_runs_of_one_model_alone(csv_file: Write) -> None:
    rows = "".join(f"{seed},{i},{i % 2}\n" for seed in (1, 2) for i in range(3))
    with pytest.raises(DataError, match="one model"):
        read(csv_file("seed,id,svm\n" + rows))


def test_a_saved_row_number_is_no_id(csv_file: Write) -> None:
    """pandas' to_csv writes one unless told not to."""
    s = scores_of(csv_file(",model,fold,acc\n0,a,1,.5\n1,a,2,.6\n2,b,1,.7\n3,b,2,.8\n"))
    assert s.design.unit == "fold"
    wide = scores_of(csv_file(",a,b\n0,.5,.6\n1,.7,.8\n", "wide.csv"))
    assert wide.models == ("a", "b")
    assert wide.tasks[0].units.tolist() == ["0", "1"]


def test_files_with_the_same_models_are_tasks(csv_file: Write) -> None:
    paths = [
        csv_file(f"model,fold,acc\na,1,.{k}1\na,2,.{k}2\nb,1,.{k}3\nb,2,.{k}4\n", f"{n}.csv")
        for k, n in ((5, "iris"), (6, "wine"))
    ]
    s = scores_of(paths)
    assert [t.name for t in s.tasks] == ["iris", "wine"]
    assert s.tasks[1].values.tolist() == [[0.61, 0.63], [0.62, 0.64]]


def test_long_files_of_one_model_each(csv_file: Write) -> None:
    paths = [csv_file(f"model,fold,acc\n{m},1,.5\n{m},2,.6\n", f"{m}.csv") for m in "ab"]
    assert scores_of(paths).models == ("a", "b")


def test_the_spread_of_a_score_is_no_score(csv_file: Write) -> None:
    s = scores_of(csv_file("model,dataset,acc,acc_std\na,x,.1,1\nb,x,.2,1\na,y,.3,1\nb,y,.4,1\n"))
    assert s.metric == "acc"
    assert s.tasks[0].values.tolist() == [[0.1, 0.2], [0.3, 0.4]]


def test_clusters_of_a_column(csv_file: Write) -> None:
    path = csv_file("id,group,cluster,a,b\n1,g,p,0,1\n2,g,p,1,1\n3,h,q,1,0\n")
    s = scores_of(path, model=["a", "b"])
    assert s.tasks[0].clusters is not None
    assert s.tasks[0].clusters.tolist() == ["p", "p", "q"]
    grouped = scores_of(path, model=["a", "b"], cluster="group")
    assert grouped.tasks[0].clusters is not None
    assert grouped.tasks[0].clusters.tolist() == ["g", "g", "h"]
    assert "clusters: `group`" in grouped.audit.notes


def test_words_in_a_wide_table_are_left_out_and_said(csv_file: Write) -> None:
    s = scores_of(csv_file("id,prompt,a,b\n1,hello,0,1\n2,bye,1,1\n"))
    assert s.models == ("a", "b")
    assert "left out: `prompt` (no numbers)" in s.audit.notes


# --- predictions ---


def test_wide_labels(as_source: Source) -> None:
    p = predictions_of(
        as_source(
            {
                "id": [1, 2, 3],
                "label": ["cat", "dog", "cat"],
                "svm": ["cat", "cat", "cat"],
                "forest": ["dog", "dog", "cat"],
            }
        )
    )
    assert (p.kind, p.classes, p.models) == ("labels", ("cat", "dog"), ("svm", "forest"))
    assert p.truth.tolist() == ["cat", "dog", "cat"]
    assert p.outputs["forest"].tolist() == ["dog", "dog", "cat"]
    assert p.scores().counts("svm", "forest") == (0, 1, 1, 1)
    assert p.audit.notes == (
        "truth: `label`",
        "predictions are labels, from the 2 classes of `label`",
        "paired on `id`",
    )


def test_whole_numbers_are_labels_however_they_are_written(as_source: Source) -> None:
    p = predictions_of(as_source({"y_true": [0, 1, 2], "a": [0.0, 1.0, 1.0], "b": ["0", "1", "2"]}))
    assert (p.kind, p.classes) == ("labels", ("0", "1", "2"))
    assert p.scores().counts("a", "b") == (0, 1, 0, 2)


def test_long_labels(as_source: Source) -> None:
    p = predictions_of(
        as_source(
            {
                "model": list("aabb"),
                "id": ["x", "y", "y", "x"],
                "target": [True, False, False, True],
                "prediction": [True, True, False, False],
            }
        )
    )
    assert p.units.tolist() == ["x", "y"]
    assert p.outputs["b"].tolist() == ["False", "False"]
    assert p.scores().counts("a", "b") == (0, 1, 1, 0)


def test_prediction_files(as_file: FileMaker) -> None:
    a = as_file({"id": [1, 2, 3, 4], "gold": list("xyxy"), "pred": list("xxxx")}, "svm")
    b = as_file({"id": [5, 4, 3, 2, 1], "gold": list("xyxyx"), "pred": list("xyxyy")}, "forest")
    p = predictions_of([a, b])
    assert p.models == ("svm", "forest")
    assert p.units.tolist() == ["1", "2", "3", "4"]
    assert p.outputs["forest"].tolist() == ["y", "y", "x", "y"]
    assert [d.units for d in p.audit.dropped] == [1]
    assert p.audit.paired == 4


def test_truth_in_one_file_or_in_its_own(csv_file: Write) -> None:
    truth = csv_file("id,label\n1,x\n2,y\n3,x\n", "truth.csv")
    a = csv_file("id,prediction\n1,x\n2,x\n4,x\n", "a.csv")
    b = csv_file("id,prediction\n1,x\n2,y\n4,y\n", "b.csv")
    p = predictions_of([truth, a, b])
    assert p.models == ("a", "b")
    assert p.units.tolist() == ["1", "2"]
    assert sorted(d.units for d in p.audit.dropped) == [1, 1]
    with_truth = csv_file("id,label,prediction\n1,x,x\n2,y,x\n", "c.csv")
    assert predictions_of([with_truth, b]).models == ("c", "b")


def test_the_only_other_column_is_the_prediction(csv_file: Write) -> None:
    a = csv_file("id,label,svm\n1,x,x\n2,y,x\n", "run1.csv")
    b = csv_file("id,label,forest\n1,x,x\n2,y,y\n", "run2.csv")
    assert predictions_of([a, b]).models == ("run1", "run2")


def test_regression(as_source: Source) -> None:
    p = predictions_of(
        as_source({"id": [1, 2, 3], "y": [1.5, 2.0, 3.0], "ridge": [1, 2, 4], "knn": [1.5, 2.25, 3.0]})
    )
    assert p.kind == "numbers"
    assert p.truth.tolist() == [1.5, 2.0, 3.0]
    assert p.scores().tasks[0].values.tolist() == [[0.25, 0], [0, 0.0625], [1, 0]]


def test_probabilities_of_the_positive_class(as_source: Source) -> None:
    p = predictions_of(
        as_source({"id": [1, 2, 3], "y_true": [0, 1, 1], "a": [0.25, 0.5, 1.0], "b": [0.0, 1.0, 0.75]})
    )
    assert (p.kind, p.classes) == ("probabilities", ("0", "1"))
    assert p.outputs["a"].tolist() == [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]]
    assert 'probabilities of "1": the predictions lie between 0 and 1' in p.audit.notes


def test_probabilities_of_every_class(as_file: FileMaker) -> None:
    a = as_file(
        {
            "id": [1, 2],
            "label": ["cat", "dog"],
            "p_cat": [0.5, 0.25],
            "p_dog": [0.5, 0.5],
            "p_emu": [0.0, 0.25],
        },
        "a",
    )
    b = as_file({"id": [2, 1], "p_emu": [0.25, 0.0], "p_dog": [0.75, 1.0], "p_cat": [0.0, 0.0]}, "b")
    p = predictions_of([a, b])
    assert (p.kind, p.classes) == ("probabilities", ("cat", "dog", "emu"))
    assert p.outputs["b"].tolist() == [[0, 1, 0], [0, 0.75, 0.25]]


def test_columns_called_like_the_classes(csv_file: Write) -> None:
    a = csv_file("id,label,cat,dog\n1,cat,.5,.5\n2,dog,.25,.75\n", "a.csv")
    b = csv_file("id,label,Cat,Dog\n1,cat,1,0\n2,dog,0,1\n", "b.csv")
    assert predictions_of([a, b]).outputs["b"].tolist() == [[1, 0], [0, 1]]


def test_tasks_of_predictions(csv_file: Write) -> None:
    p = predictions_of(csv_file("task,id,label,a,b\nt,1,x,x,y\nu,1,y,x,y\nu,2,y,y,y\n"))
    assert [(t.name, t.units.tolist()) for t in p.scores().tasks] == [("t", ["1"]), ("u", ["1", "2"])]


def test_scores_beside_wide_predictions_are_left_out_and_said(csv_file: Write) -> None:
    p = predictions_of(csv_file("id,label,loss,a,b\n1,x,1,x,y\n2,y,2,x,y\n"), truth="label")
    assert p.models == ("a", "b")
    assert "left out: `loss` (no predictions)" in p.audit.notes


def test_an_explicit_score_makes_it_scores(csv_file: Write) -> None:
    path = csv_file("model,id,label,prediction,loss\na,1,x,x,.1\na,2,y,x,.9\nb,1,x,y,.8\nb,2,y,y,.3\n")
    assert predictions_of(path).kind == "labels"
    assert scores_of(path, score="loss").differences("a", "b").tolist() == pytest.approx([0.7, -0.6])


# --- counts ---


def test_counts(as_source: Source, table_1: dict[str, tuple[int, int, int, int]]) -> None:
    columns: dict[str, list[Any]] = {"dataset": list(table_1)}
    for k, name in enumerate(("n00", "n01", "n10", "n11")):
        columns[name] = [row[k] for row in table_1.values()]
    c = read(as_source(columns))
    assert isinstance(c, Counts)
    assert (c.a, c.b) == ("A", "B")
    assert {t.name: (t.n00, t.n01, t.n10, t.n11) for t in c.tasks} == table_1
    assert c.audit.paired == sum(map(sum, table_1.values()))


def test_models_that_are_listed_are_in_one_file(csv_file: Write) -> None:
    a, b = csv_file("a,b\n1,2\n", "1.csv"), csv_file("a,b\n1,2\n", "2.csv")
    with pytest.raises(OptionError, match="columns were listed as models, but there are 2 files"):
        read([a, b], model=["a", "b"])


def test_each_task_has_its_own_number_of_folds(csv_file: Write) -> None:
    # 1/k of each task (Nadeau & Bengio 2003): 5 folds 0.2, 10 folds 0.1, whatever the other tasks have.
    rows = [
        f"{model},{task},{fold},{0.5 + 0.01 * fold}"
        for model in "ab"
        for task, k in (("wine", 5), ("iris", 10))
        for fold in range(k)
    ]
    s = scores_of(csv_file("model,task,fold,acc\n" + "\n".join(rows) + "\n"))
    assert [s.design_of(t).rho for t in s.tasks] == [0.2, 0.1]
    assert s.describe_design() == "5-fold cross-validation or 10-fold cross-validation"


def test_each_task_has_its_own_sizes(csv_file: Write) -> None:
    rows = [
        f"{model},{task},{fold},{test},{train},0.{fold}"
        for model in "ab"
        for task, test, train in (("wine", 10, 90), ("iris", 30, 70))
        for fold in range(1, 4)
    ]
    s = scores_of(csv_file("model,task,fold,n_test,n_train,acc\n" + "\n".join(rows) + "\n"))
    assert [s.design_of(t).rho for t in s.tasks] == [0.1, 0.3]


def test_a_dict_of_frames_is_one_frame_per_model() -> None:
    svm = pd.DataFrame({"id": [1, 2, 3], "truth": ["x", "y", "x"], "prediction": ["x", "x", "x"]})
    forest = pd.DataFrame({"id": [3, 2, 1], "prediction": ["y", "y", "x"]})
    for source, names in (
        ({"svm": svm, "forest": forest}, ("svm", "forest")),
        ([svm, forest], ("frame 1", "frame 2")),
        ([pl.from_pandas(svm), pl.from_pandas(forest)], ("frame 1", "frame 2")),
    ):
        p = predictions_of(source)
        assert p.models == names
        assert p.scores().counts(*names) == (0, 1, 1, 1)


def test_a_model_that_was_not_run_on_a_task_leaves_a_gap(csv_file: Write) -> None:
    cells = {"a": "xyz", "b": "xyz", "c": "xz", "d": "y"}
    rows = [f"{m},{t},{i},{0.5 + i / 10}" for m, tasks in cells.items() for t in tasks for i in range(3)]
    s = scores_of(csv_file("model,task,fold,acc\n" + "\n".join(rows) + "\n"))
    assert s.models == ("a", "b", "c", "d")
    assert s.has_gaps
    there = {t.name: np.isfinite(t.values).all(axis=0).tolist() for t in s.tasks}
    assert there == {
        "x": [True, True, True, False],
        "y": [True, True, False, True],
        "z": [True, True, True, False],
    }
    assert s.shares("a", "c", s.task("x"))
    assert not s.shares("c", "d", s.task("x"))
    assert any("not run on some of the 3 tasks: c on 1 (y), d on 2 (x, z)" in w for w in s.audit.warnings)
    with pytest.raises(DataError, match="a and d have no scores in common"):
        s.differences("a", "d", "x")


def test_one_number_per_task_may_have_gaps(csv_file: Write) -> None:
    rows = "a,x,.5\na,y,.6\na,z,.7\nb,x,.6\nb,y,.7\nb,z,.8\nc,x,.1\nc,z,.2\n"
    s = scores_of(csv_file("model,task,acc\n" + rows))
    assert s.design.unit == "task"
    assert np.isnan(s.tasks[0].values).tolist() == [[False] * 3, [False, False, True], [False] * 3]
    assert s.differences("a", "c").tolist() == [0.4, 0.5]


def test_with_two_models_a_task_that_one_lacks_is_dropped(csv_file: Write) -> None:
    s = scores_of(csv_file("model,task,acc\na,x,.5\na,y,.6\na,z,.7\nb,x,.6\nb,z,.8\n"))
    assert not s.has_gaps
    assert s.tasks[0].units.tolist() == ["x", "z"]


def said_of(cells: dict[str, str], *, n: int = 4) -> list[str]:
    """Long predictions: model, task, id, truth, prediction; cells has the tasks of each model."""
    return [
        f"{m},{t},{i},{'yes' if i % 2 else 'no'},{'yes' if (i + len(m)) % 3 else 'no'}"
        for m, tasks in cells.items() for t in tasks for i in range(n)
    ]  # fmt: skip


def test_a_gap_in_predictions(csv_file: Write) -> None:
    rows = said_of({"a": "xyz", "b": "xyz", "c": "xz", "d": "y"})
    p = predictions_of(csv_file("model,task,id,truth,prediction\n" + "\n".join(rows) + "\n"))
    assert p.has_gaps
    assert {str(part.tasks[0]): part.models for part in p.by_task()} == {
        "x": ("a", "b", "c"),
        "y": ("a", "b", "d"),
        "z": ("a", "b", "c"),
    }
    assert p.audit.paired == 12
    assert p.audit.dropped == ()
    assert "models that were not run on some of the 3 tasks: c on 1 (y), d on 2 (x, z)" in p.audit.warnings


def test_a_gap_in_files_of_predictions(csv_file: Write) -> None:
    cells = {"a": "xy", "b": "xy", "c": "x"}
    paths = [
        csv_file(
            "task,id,truth,prediction\n"
            + "\n".join(r.partition(",")[2] for r in said_of({m: tasks})) + "\n",
            f"{m}.csv",
        )
        for m, tasks in cells.items()
    ]  # fmt: skip
    p = predictions_of(paths)
    assert [part.models for part in p.by_task()] == [("a", "b", "c"), ("a", "b")]


def test_with_two_models_a_task_of_predictions_that_one_lacks_is_dropped(csv_file: Write) -> None:
    rows = said_of({"a": "xyz", "b": "xz"})
    p = predictions_of(csv_file("model,task,id,truth,prediction\n" + "\n".join(rows) + "\n"))
    assert not p.has_gaps
    assert p.audit.left_out == 4
    assert any("1 task is left out entirely" in w and '"y"' in w for w in p.audit.warnings)


def test_a_task_that_only_one_of_three_has_is_dropped(csv_file: Write) -> None:
    rows = said_of({"a": "xy", "b": "xy", "c": "xyz"})
    p = predictions_of(csv_file("model,task,id,truth,prediction\n" + "\n".join(rows) + "\n"))
    assert [str(part.tasks[0]) for part in p.by_task()] == ["x", "y"]
    assert p.audit.left_out == 4


@pytest.mark.parametrize("empty", ["", "nan"])
def test_empty_cells_of_a_whole_task_in_a_wide_table_are_a_gap(csv_file: Write, empty: str) -> None:
    if empty:
        frame = pd.DataFrame(
            {
                "task": list("xxyy"),
                "truth": [0, 1, 0, 1],
                "a": [0.1, 0.9, 0.3, 0.4],
                "b": [0.2, 0.8, 0.6, 0.7],
                "c": [0.3, 0.6, np.nan, np.nan],
            }
        )
        p = predictions_of(frame)
    else:
        rows = "x,1,no,no,yes,no\nx,2,yes,yes,yes,no\ny,1,no,no,no,\ny,2,yes,no,yes,\n"
        p = predictions_of(csv_file("task,id,truth,a,b,c\n" + rows))
    assert p.models == ("a", "b", "c")
    assert [part.models for part in p.by_task()] == [("a", "b", "c"), ("a", "b")]
    assert any("not run on some of the 2 tasks: c on 1 (y)" in w for w in p.audit.warnings)


def test_empty_cells_of_a_whole_task_in_wide_scores_are_a_gap(csv_file: Write) -> None:
    rows = "x,1,.1,.2,.3\nx,2,.2,.1,.4\ny,1,.5,.6,\ny,2,.7,.8,\n"
    s = scores_of(csv_file("task,id,svm,knn,nb\n" + rows))
    assert s.metric == "score"
    assert np.isnan(s.task("y").values).tolist() == [[False, False, True]] * 2
    with pytest.raises(CellError, match=r"`nb` holds? no finite number\n\n  row 3"):  # half a task is no gap
        read(csv_file("task,id,svm,knn,nb\n" + rows.replace("y,2,.7,.8,", "y,2,.7,.8,.9"), "half.csv"))


def test_statistics_of_segments_may_have_gaps() -> None:
    rows = [(m, t, i, i + 1, i + 2) for m, tasks in (("a", "xy"), ("b", "xy"), ("c", "x")) for t in tasks
            for i in range(3)]  # fmt: skip
    p = predictions_of(pd.DataFrame(rows, columns=["model", "task", "id", "m", "n"]), statistics=["m", "n"])
    assert [part.models for part in p.by_task()] == [("a", "b", "c"), ("a", "b")]
    assert any("c on 1 (y)" in w for w in p.audit.warnings)


def _weighted(name: str) -> dict[str, list[Any]]:
    return {
        "id": [1, 2, 1, 2],
        "model": ["a", "a", "b", "b"],
        "acc": [0.1, 0.2, 0.2, 0.4],
        name: [1, 9, 1, 9],
    }


def test_a_column_of_weights_is_said_not_to_count(as_source: Source) -> None:
    columns = _weighted("weight")
    said = "`weight` is not used: every row counts the same"
    assert said in scores_of(as_source(columns)).audit.notes
    del columns["weight"]
    assert said not in scores_of(as_source(columns)).audit.notes


@pytest.mark.parametrize("name", ["Sample_Weight", "weights"])
def test_a_column_of_weights_has_other_names(name: str) -> None:
    said = f"`{name}` is not used: every row counts the same"
    assert said in scores_of(pd.DataFrame(_weighted(name))).audit.notes


def test_a_column_of_weights_where_the_rows_lie(csv_file: Write) -> None:
    path = csv_file("id,model,acc,weight\n1,a,0.1,1\n2,a,0.2,9\n1,b,0.2,1\n2,b,0.4,9\n")
    found = read(path, in_place=True)
    assert "`weight` is not used: every row counts the same" in found.audit.notes
