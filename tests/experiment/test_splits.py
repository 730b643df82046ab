"""The splits of a design, and what the comparison is told of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import model_selection

from ropewalk.data.arrays import strings
from ropewalk.errors import DataError, OptionError
from ropewalk.experiment.splits import Split, SplitPlan, SplitRows

Y = np.repeat([0, 1, 2], [50, 30, 7])


def splits(design: str, *, y: np.ndarray = Y, groups: object = None, seed: int = 0) -> list[Split]:
    members = None if groups is None else strings(groups)
    return list(SplitPlan.parse(design).splits(len(y), classes=y, groups=members, seed=seed))


def test_folds_of_a_repeat_are_a_partition_and_repeats_differ() -> None:
    """Oracle: the definition of k-fold cross-validation."""
    found = splits("3x5cv")
    assert [(s.repeat, s.fold) for s in found] == [(r, k) for r in range(3) for k in range(5)]
    for r in range(3):
        tests = [s.test for s in found if s.repeat == r]
        assert sorted(np.concatenate(tests)) == list(range(len(Y)))
    for s in found:
        assert sorted(np.concatenate([s.train, s.test])) == list(range(len(Y)))
    assert len({s.digest for s in found}) == 15


@pytest.mark.parametrize("design", ["4x5cv", "8x0.8", "3seeds", "3sets@0.7"])
def test_every_class_has_its_share_of_every_part(design: str) -> None:
    """Oracle: the shares of the whole, but for one row more or less."""
    for s in splits(design):
        for part in (s.train, s.test):
            expected = np.bincount(Y) * len(part) / len(Y)
            assert np.abs(np.bincount(Y[part], minlength=3) - expected).max() <= 1.01


def test_without_stratification_classes_fall_as_they_may() -> None:
    plan = SplitPlan.parse("20x0.9", stratified=False)
    counts = {
        tuple(np.bincount(Y[s.test], minlength=3)) for s in plan.splits(87, classes=Y, groups=None, seed=0)
    }
    assert len(counts) > 3


@pytest.mark.parametrize("design", ["2x4cv", "5x0.75", "3seeds", "3sets"])
def test_a_group_is_never_on_both_sides(design: str) -> None:
    groups = np.arange(len(Y)) // 4
    for s in splits(design, groups=groups):
        assert not set(groups[s.train]) & set(groups[s.test])


def test_random_splits_have_exactly_the_share_asked_for() -> None:
    for s in splits("6x0.9"):
        assert len(s.test) == round(0.1 * len(Y))
        assert len(s.train) + len(s.test) == len(Y)


@pytest.mark.proof
def test_every_row_is_tested_equally_often() -> None:
    """Oracle: a binomial count; every row of a class has the same chance to be in the test set."""
    found = splits("2000x0.8")
    times = np.bincount(np.concatenate([s.test for s in found]), minlength=len(Y)) / 2000
    for k in range(3):
        share = times[k == Y]
        assert np.abs(share - share.mean()).max() < 5 * np.sqrt(0.2 * 0.8 / 2000)


def test_seeds_have_one_split_and_many_seeds() -> None:
    found = splits("5seeds")
    assert len({s.digest for s in found}) == 1
    assert len({s.seed for s in found}) == 5


def test_independent_training_sets_share_no_row_and_have_one_test_set() -> None:
    found = splits("4sets@0.7")
    assert len({tuple(s.test) for s in found}) == 1
    together = np.concatenate([s.train for s in found])
    assert len(set(together)) == len(together)
    assert len(together) + len(found[0].test) == len(Y)


def test_the_same_seed_gives_the_same_splits_and_another_one_others() -> None:
    assert [s.digest for s in splits("2x5cv")] == [s.digest for s in splits("2x5cv")]
    assert not {s.digest for s in splits("2x5cv")} & {s.digest for s in splits("2x5cv", seed=1)}


def test_the_hash_tells_training_from_test() -> None:
    rows = np.arange(4)
    a = Split(repeat=0, fold=0, seed=0, train=rows[:2], test=rows[2:])
    b = Split(repeat=0, fold=0, seed=0, train=rows[2:], test=rows[:2])
    c = Split(repeat=0, fold=0, seed=0, train=rows[:1], test=rows[1:])
    assert len({a.digest, b.digest, c.digest}) == 3


@pytest.mark.parametrize(
    ("design", "rho"),
    [
        ("10x10cv", 1 / 10),
        ("5x2cv", 1 / 2),
        ("7cv", 1 / 7),
        ("20x0.9", 9 / 87),
        ("9seeds", 0.0),
        ("4sets", 0.0),
    ],
)
def test_the_correlation_follows_from_the_design(design: str, rho: float) -> None:
    """Oracle: 1/k, n_test / (n_test + n_train) (Nadeau & Bengio 2003), 0 without shared training data."""
    first = splits(design)[0]
    assert SplitPlan.parse(design).design(len(first.train), len(first.test)).rho == pytest.approx(rho)


def test_five_times_two_folds_are_known_as_such() -> None:
    assert SplitPlan.parse("5x2cv").design(1, 1).is_five_by_two


@pytest.mark.parametrize("text", ["10x10", "cv", "10 folds", "", "x0.9", "3x1.5", "-1x2cv"])
def test_an_unknown_design_lists_those_that_there_are(text: str) -> None:
    with pytest.raises(OptionError, match="there is no design") as caught:
        SplitPlan.parse(text)
    assert '"10x10cv"' in str(caught.value)
    assert '"10seeds"' in str(caught.value)


@pytest.mark.parametrize("text", ["1x1cv", "0x10cv", "1x0.9", "1seeds", "3x0.0", "999999x10cv"])
def test_a_design_without_enough_fits_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="fits of an algorithm on a data set"):
        SplitPlan.parse(text)


def test_spaces_and_case_do_not_matter() -> None:
    assert SplitPlan.parse("10 x 10 CV") == SplitPlan.parse("10x10cv")


def test_too_few_rows_or_groups_are_an_error() -> None:
    with pytest.raises(DataError, match="the 87 rows are too few for 100 parts"):
        splits("100cv")
    with pytest.raises(DataError, match="the 3 groups are too few for 5 parts"):
        splits("5cv", groups=np.arange(len(Y)) % 3)


@pytest.mark.parametrize(
    ("stratified", "grouped", "folds", "random"),
    [
        (False, False, model_selection.KFold, model_selection.ShuffleSplit),
        (True, False, model_selection.StratifiedKFold, model_selection.StratifiedShuffleSplit),
        (False, True, model_selection.GroupKFold, model_selection.GroupShuffleSplit),
        (True, True, model_selection.StratifiedGroupKFold, None),
    ],
)
def test_splits_are_those_of_scikit_learn(stratified: bool, grouped: bool, folds: Any, random: Any) -> None:
    """Oracle: the splitter of that name, called by hand."""
    groups = strings(np.arange(len(Y)) // 3) if grouped else None
    rows = SplitRows(n=len(Y), classes=Y if stratified else None, groups=groups)
    theirs = folds(5, shuffle=True, random_state=8).split(Y, Y, groups)
    for (train, test), (a, b) in zip(rows.folds(5, 8), theirs, strict=True):
        assert train.tolist() == a.tolist()
        assert test.tolist() == b.tolist()
    if random is not None:
        units = len(set(groups)) if grouped else len(Y)
        ((a, b),) = random(1, test_size=round(units / 4), random_state=8).split(Y, Y, groups)
        train, test = rows.halves(0.75, 8)
        assert train.tolist() == sorted(a)
        assert test.tolist() == sorted(b)


@pytest.mark.parametrize(
    ("share", "parts", "seeds"),
    [
        (0.75, 1 / 4, 60),
        (0.7, 3 / 10, 30),
        (0.99, 1 / 29, 30),
        *(
            pytest.param(s, p, 400, marks=pytest.mark.proof)
            for s, p in ((0.75, 1 / 4), (0.7, 3 / 10), (0.99, 1 / 29))
        ),
    ],
)
def test_random_splits_of_groups_keep_the_share_and_the_classes(
    share: float, parts: float, seeds: int
) -> None:
    """29 groups of three: the share of groups is that asked for, to a group; so are those of the classes.

    Oracle: the shares; every group is tested equally often (a binomial count).
    """
    y = np.tile([0, 0, 1], 29)
    groups = np.arange(87) // 3
    rows = SplitRows(n=87, classes=y, groups=strings(groups))
    times = np.zeros(29)
    for seed in range(seeds):
        train, test = rows.halves(share, seed)
        assert sorted([*train, *test]) == list(range(87))
        assert abs(len(test) / 3 - 29 * parts) <= 1.01
        assert (y[test] == 0).sum() == 2 * (y[test] == 1).sum()
        times[np.unique(groups[test])] += 1
    expected = times.mean()
    assert np.abs(times - expected).max() < 5 * np.sqrt(expected)


def test_what_scikit_learn_cannot_split_is_an_error_that_says_why() -> None:
    rare = np.repeat(np.arange(10), 3)
    with pytest.raises(DataError, match="the rows cannot be split: n_splits=5 cannot be greater") as caught:
        splits("5cv", y=rare)
    assert "stratified = false" in caught.value.hint
    single = np.r_[Y, 3]
    with pytest.raises(DataError, match="the rows cannot be split: The least populated class"):
        splits("5x0.8", y=single)
    plan = SplitPlan.parse("5cv", stratified=False)
    assert len(list(plan.splits(30, classes=rare, groups=None, seed=0))) == 5
