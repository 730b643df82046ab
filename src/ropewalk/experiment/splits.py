"""Which rows train and which rows test: splits by scikit-learn, the same for every algorithm."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from ropewalk.data.arrays import Ints, Strings
from ropewalk.data.design import Design
from ropewalk.errors import DataError, OptionError, short

Kind: TypeAlias = Literal["cv", "splits", "seeds", "sets", "sources"]

FORMS = (
    '"10x10cv": 10 times 10-fold cross-validation; "10cv" once, "5x2cv" for the 5x2cv tests',
    '"20x0.9": 20 random splits, with nine tenths of the rows for training',
    '"10seeds": one split with four fifths for training, and ten seeds; "10seeds@0.7" for another share',
    '"10sets": one test set with a fifth of the rows, the rest split into ten training sets; "10sets@0.7"',
    '"5x4x3sources": every combination of 5 random splits, 4 seeds and 3 hyperparameter draws',
)
SOURCES = ("split", "seed", "hyperparameter draw")
_SHARE = 0.8  # share of training rows, if a design with one test set does not state it
_MOST = 100_000
_MOST_FOLDS = 100  # folds that a random split of groups consists of, so its share is accurate to 1/100


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The training and test rows; `seed` is for anything that an algorithm draws at random.

    `draw` is the seed of a random search among the parameter combinations; with -1, all of them are tried.
    """

    repeat: int
    fold: int
    seed: int
    train: Ints
    test: Ints
    draw: int = -1

    @property
    def digest(self) -> str:
        """Return a hash of the rows, which identifies the split."""
        content = hashlib.sha256(np.array([len(self.train), len(self.test)], dtype="<i8").tobytes())
        for rows in (self.train, self.test):
            content.update(np.ascontiguousarray(rows, dtype="<i8").tobytes())
        return content.hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPlan:
    """How often a data set is split, and how.

    Parameters
    ----------
    kind : str
        Kind of design.
    repeats : int
        Number of repeats.
    folds : int, default 0
        Number of folds.
    train : float, default 0.0
        Share of the rows that train, where there are no folds.
    stratified : bool, default True
        Whether classes have the same share in every part. Rows of one group stay together in any case.
    levels : tuple of int, default ()
        Number of levels of each source, where several are varied.

    Examples
    --------
    >>> from ropewalk.experiment import SplitPlan
    >>> SplitPlan.parse("10x10cv")
    SplitPlan(kind='cv', repeats=10, folds=10, train=0.0, stratified=True)
    >>> SplitPlan.parse("20x0.9").count
    20
    """

    kind: Kind
    repeats: int
    folds: int = 0
    train: float = 0.0
    stratified: bool = True
    levels: tuple[int, ...] = field(default=(), repr=False)

    @classmethod
    def parse(cls, text: str, *, stratified: bool = True) -> SplitPlan:
        """Read a design by its name.

        Parameters
        ----------
        text : str
            Such as "10x10cv", "20x0.9", "10seeds", "10sets" or "5x4x3sources".
        stratified : bool, default True
            Whether classes have the same share in every part.

        Returns
        -------
        SplitPlan
            The plan.

        Raises
        ------
        OptionError
            If there is no such design.
        """
        name = str(text).replace(" ", "").lower()
        plan = None
        if found := re.fullmatch(r"(?:(\d{1,6})x)?(\d{1,6})cv", name):
            plan = cls(kind="cv", repeats=int(found[1] or 1), folds=int(found[2]), stratified=stratified)
        elif found := re.fullmatch(r"(\d{1,6})x(0?\.\d+)", name):
            plan = cls(kind="splits", repeats=int(found[1]), train=float(found[2]), stratified=stratified)
        elif found := re.fullmatch(r"(\d{1,6})(seeds|sets)(?:@(0?\.\d+))?", name):
            share = float(found[3] or _SHARE)
            kind: Kind = "seeds" if found[2] == "seeds" else "sets"
            plan = cls(kind=kind, repeats=int(found[1]), train=share, stratified=stratified)
        elif found := re.fullmatch(r"(\d{1,6})x(\d{1,6})x(\d{1,6})sources(?:@(0?\.\d+))?", name):
            levels = int(found[1]), int(found[2]), int(found[3])
            share, runs = float(found[4] or _SHARE), levels[0] * levels[1] * levels[2]
            plan = cls(kind="sources", repeats=runs, train=share, stratified=stratified, levels=levels)
            if levels[0] < 2 or sum(n > 1 for n in levels) < 2:
                raise OptionError(
                    f'the design "{short(text)}" has too few levels',
                    where=FORMS,
                    hint="Give at least two splits, and two levels of one other source.",
                )
        if plan is None:
            raise OptionError(f'there is no design "{short(text)}"', where=FORMS, hint="Give one of these.")
        enough = plan.folds >= 2 if plan.kind == "cv" else 0 < plan.train < 1
        if not enough or plan.repeats < 1 or not 2 <= plan.count <= _MOST:
            raise OptionError(
                f'the design "{short(text)}" makes {plan.count:,} fits of an algorithm on a data set',
                where=FORMS,
                hint=f"A comparison needs 2 to {_MOST:,}, and cross-validation at least 2 folds.",
            )
        return plan

    @property
    def count(self) -> int:
        """Number of splits of a data set."""
        return self.repeats * (self.folds or 1)

    @property
    def independent(self) -> int:
        """Number of units of a comparison: all splits, or the splits whose other sources are averaged."""
        return self.levels[0] if self.kind == "sources" else self.count

    @property
    def one(self) -> str:
        """Name of one repeat."""
        return {"cv": "repeat", "splits": "split", "seeds": "seed", "sets": "set", "sources": "run"}[
            self.kind
        ]

    def design(self, train: int, test: int) -> Design:
        """Design of a comparison on these splits.

        Parameters
        ----------
        train, test : int
            Number of rows that train and that test.

        Returns
        -------
        Design
            With the correlation between folds: 1/k for k folds; n_test/(n_test + n_train) between random
            splits; none for runs on one split and for training sets that share no row (Nadeau & Bengio 2003).
        """
        if self.kind == "cv":
            return Design(unit="fold", folds=self.folds, repeats=self.repeats)
        if self.kind in ("splits", "sources"):
            return Design(unit="fold", repeats=self.independent, n_test=test, n_train=train)
        return Design(unit="seed", repeats=self.repeats)

    def splits(
        self, n: int, *, classes: Ints | None, groups: Strings | None, seed: int, name: str = ""
    ) -> Iterator[Split]:
        """Split n rows: the same for the same rows and seed, whatever is fitted to them.

        Parameters
        ----------
        n : int
            Number of rows.
        classes : ndarray of int or None
            Class of each row.
        groups : ndarray of str or None
            Group of each row.
        seed : int
            Random seed.
        name : str, default ""
            Name of the data set, for messages.

        Yields
        ------
        object
            Rows that train (`train`), and rows that test (`test`).

        Examples
        --------
        >>> import numpy as np
        >>> from ropewalk.experiment import SplitPlan
        >>> y = np.array([0, 0, 0, 1, 1, 1])
        >>> [s.test.tolist() for s in SplitPlan.parse("3cv").splits(6, classes=y, groups=None, seed=0)]
        [[0, 5], [1, 4], [2, 3]]
        """
        inside = f' of data set "{short(name)}"' if name else ""
        rows = SplitRows(n=n, classes=classes if self.stratified else None, groups=groups, inside=inside)
        self._enough(rows)
        if self.kind == "cv":
            for r in range(self.repeats):
                for k, (train, test) in enumerate(rows.folds(self.folds, _number(seed, r, 0, 4))):
                    yield _split(seed, r, k, train, test)
        elif self.kind == "splits":
            for r in range(self.repeats):
                yield _split(seed, r, 0, *rows.halves(self.train, _number(seed, r, 0, 4)))
        elif self.kind == "sources":
            yield from self._combined(rows, seed)
        else:
            train, test = rows.halves(self.train, _number(seed, 0, 0, 4))
            sets = [train] * self.repeats
            if self.kind == "sets":
                parts = rows.only(train).folds(self.repeats, _number(seed, 0, 0, 5))
                sets = [train[own] for _, own in parts]
            for r, chosen in enumerate(sets):
                yield _split(seed, r, 0, chosen, test)

    def _combined(self, rows: SplitRows, seed: int) -> Iterator[Split]:
        """Yield every combination of splits, seeds and draws; a level is the same wherever it occurs."""
        splits, seeds, draws = self.levels
        for s in range(splits):
            train, test = rows.halves(self.train, _number(seed, s, 0, 4))
            for k in range(seeds):
                for h in range(draws):
                    made = _split(seed, (s * seeds + k) * draws + h, 0, train, test)
                    searched = _number(seed, h, 0, 3) if draws > 1 else -1
                    yield replace(made, seed=_number(seed, k, 0, 2), draw=searched)

    def _enough(self, rows: SplitRows) -> None:
        needed = {"cv": self.folds, "sets": self.repeats + 1}.get(self.kind, 2)
        if rows.units < needed:
            raise DataError(
                f"the {rows.units:,} {rows.called}{rows.inside} are too few for {needed:,} parts",
                hint=f"Use fewer parts, or leave out the data set; {rows.called} are never split.",
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplitRows:
    """Rows as scikit-learn's splitters see them, with classes to balance and groups to keep whole."""

    n: int
    classes: Ints | None
    groups: Strings | Ints | None
    inside: str = ""  # name of the data set, for messages

    @property
    def called(self) -> str:
        """Return what is split, for messages: groups, or rows without groups."""
        return "rows" if self.groups is None else "groups"

    @property
    def units(self) -> int:
        """Return the number of groups, or of rows without groups."""
        return self.n if self.groups is None else len(np.unique(self.groups))

    def only(self, rows: Ints) -> SplitRows:
        """Select some of the rows."""
        return replace(
            self,
            n=len(rows),
            classes=None if self.classes is None else self.classes[rows],
            groups=None if self.groups is None else self.groups[rows],
        )

    def folds(self, count: int, seed: int) -> list[tuple[Ints, Ints]]:
        """Return training and test rows of each fold."""
        from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

        plain, grouped = (
            (KFold, GroupKFold) if self.classes is None else (StratifiedKFold, StratifiedGroupKFold)
        )
        return self._by((plain if self.groups is None else grouped)(count, shuffle=True, random_state=seed))

    def halves(self, train: float, seed: int) -> tuple[Ints, Ints]:
        """Return training and test rows of one random split."""
        from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

        if self.classes is not None and self.groups is not None:
            return self._stratified_groups(train, seed)
        if self.groups is not None:
            kind = GroupShuffleSplit
        else:
            kind = ShuffleSplit if self.classes is None else StratifiedShuffleSplit
        tests = min(max(round(self.units * (1 - train)), 1), self.units - 1)
        (found,) = self._by(kind(1, test_size=tests, random_state=seed))
        return np.sort(found[0]), np.sort(found[1])

    def _stratified_groups(self, train: float, seed: int) -> tuple[Ints, Ints]:
        """Draw a random split with balanced classes and whole groups, which scikit-learn does not have.

        It consists of some of scikit-learn's folds. They are drawn at random, because the group with the most
        uneven classes is always in the first fold.
        """
        most = min(self.units, _MOST_FOLDS)
        share = Fraction(1 - train).limit_denominator(most)
        share = min(max(share, Fraction(1, most)), Fraction(most - 1, most))
        folds = self.folds(share.denominator, seed)
        chosen = np.random.default_rng(seed).permutation(share.denominator)[: share.numerator]
        test = np.sort(np.concatenate([folds[k][1] for k in chosen]))
        return np.setdiff1d(np.arange(self.n), test), test

    def _by(self, splitter: Any) -> list[tuple[Ints, Ints]]:
        """Return the splits of the rows by a splitter."""
        y = np.zeros(self.n, dtype=np.intp) if self.classes is None else self.classes
        with warnings.catch_warnings():
            # Some folds have no row of a class with fewer rows than folds. The metric handles this:
            # it either has a value on them or not.
            warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
            try:
                return list(splitter.split(np.zeros(self.n), y, self.groups))
            except ValueError as error:
                raise DataError(
                    f"the {self.called}{self.inside} cannot be split: {error}",
                    hint="Use fewer parts, leave out rare classes, or do not stratify: stratified = false.",
                ) from error


def _split(seed: int, repeat: int, fold: int, train: Ints, test: Ints) -> Split:
    return Split(repeat=repeat, fold=fold, seed=_number(seed, repeat, fold, 1), train=train, test=test)


def _number(seed: int, *key: int) -> int:
    """Derive a seed from the experiment's seed and a position; 31 bits, which every library accepts."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1)[0] >> 1)
