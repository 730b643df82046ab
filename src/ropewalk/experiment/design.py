"""Which rows train and which rows test: the splits of a design, the same for every algorithm."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from ropewalk.data.arrays import Ints, Strings, strings
from ropewalk.data.design import Design
from ropewalk.data.held_out import Bools, dealt
from ropewalk.errors import DataError, OptionError, short

Kind: TypeAlias = Literal["cv", "splits", "seeds", "sets", "sources"]

FORMS = (
    '"10x10cv": 10 times 10-fold cross-validation; "10cv" once, "5x2cv" for the 5x2cv tests',
    '"20x0.9": 20 random splits, nine tenths of the rows train',
    '"10seeds": one split, four fifths train, ten seeds; "10seeds@0.7" for another share',
    '"10sets": one test set of a fifth, the rest cut into ten training sets; "10sets@0.7"',
    '"5x4x3sources": every combination of 5 random splits, 4 seeds and 3 hyperparameter draws',
)
SOURCES = ("split", "seed", "hyperparameter draw")
_SHARE = 0.8  # of the rows train, where a design with one test set does not say
_MOST = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Rows that train and rows that test; `seed` is that of whatever an algorithm draws at random.

    `draw` is the seed of a random search among the parameters to choose from; -1: all of them are tried.
    """

    repeat: int
    fold: int
    seed: int
    train: Ints
    test: Ints
    draw: int = -1

    @property
    def digest(self) -> str:
        """What tells this split from every other one: a hash of its rows."""
        content = hashlib.sha256(np.array([len(self.train), len(self.test)], dtype="<i8").tobytes())
        for rows in (self.train, self.test):
            content.update(np.ascontiguousarray(rows, dtype="<i8").tobytes())
        return content.hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How often a data set is split, and how.

    Classes have the same share in every part (`stratified`), and rows of one group never part.

    >>> Plan.parse("10x10cv")
    Plan(kind='cv', repeats=10, folds=10, train=0.0, stratified=True)
    >>> Plan.parse("20x0.9").count
    20
    """

    kind: Kind
    repeats: int
    folds: int = 0
    train: float = 0.0  # the share of the rows that train, where there are no folds
    stratified: bool = True
    levels: tuple[int, ...] = field(default=(), repr=False)  # of each source, where several are varied

    @classmethod
    def parse(cls, text: str, *, stratified: bool = True) -> Plan:
        """A design by its name."""
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
                    f'the design "{short(text)}" varies too little',
                    where=FORMS,
                    hint="Give two splits at least, and two levels of one other source.",
                )
        if plan is None:
            raise OptionError(f'there is no design "{short(text)}"', where=FORMS, hint="Give one of these.")
        enough = plan.folds >= 2 if plan.kind == "cv" else 0 < plan.train < 1
        if not enough or plan.repeats < 1 or not 2 <= plan.count <= _MOST:
            raise OptionError(
                f'the design "{short(text)}" makes {plan.count:,} fits of an algorithm on a data set',
                where=FORMS,
                hint=f"A comparison needs 2 at least, {_MOST:,} at most; a fold is one of 2 or more.",
            )
        return plan

    @property
    def count(self) -> int:
        """How many splits it makes of a data set."""
        return self.repeats * (self.folds or 1)

    @property
    def independent(self) -> int:
        """How many units a comparison has: all splits, or the splits whose other sources are averaged."""
        return self.levels[0] if self.kind == "sources" else self.count

    @property
    def one(self) -> str:
        """What one repeat is called."""
        return {"cv": "repeat", "splits": "split", "seeds": "seed", "sets": "set", "sources": "run"}[
            self.kind
        ]

    def design(self, train: int, test: int) -> Design:
        """What the comparison has to know of splits into so many rows.

        The correlation between folds is 1/k; between random splits n_test/(n_test + n_train); runs on one
        split, and training sets that share no row, have none (Nadeau & Bengio 2003).
        """
        if self.kind == "cv":
            return Design(unit="fold", folds=self.folds, repeats=self.repeats)
        if self.kind in ("splits", "sources"):
            return Design(unit="fold", repeats=self.independent, n_test=test, n_train=train)
        return Design(unit="seed", repeats=self.repeats)

    def splits(
        self, n: int, *, classes: Ints | None, groups: Strings | None, seed: int, name: str = ""
    ) -> Iterator[Split]:
        """The splits of n rows: the same for the same rows and seed, whatever is fitted to them.

        >>> y = np.array([0, 0, 0, 1, 1, 1])
        >>> [s.test.tolist() for s in Plan.parse("3cv").splits(6, classes=y, groups=None, seed=0)]
        [[0, 5], [1, 3], [2, 4]]
        """
        codes = np.zeros(n, dtype=np.intp) if classes is None or not self.stratified else classes
        # Zero-padded, so that the order of the names is that of the rows.
        members = strings(f"{i:012d}" for i in range(n)) if groups is None else groups
        self._enough(len(set(members)), name, grouped=groups is not None)
        if self.kind in ("seeds", "sets"):
            inside = self._drawn(members, codes, _random(seed))
            for r in range(self.repeats):
                yield _split(seed, r, 0, inside == (r if self.kind == "sets" else 0), inside == -1)
            return
        if self.kind == "sources":
            yield from self._combined(members, codes, seed)
            return
        for r in range(self.repeats):
            random = _random(seed, r)
            if self.kind == "cv":
                part = dealt(members, codes, self.folds, random)
                for k in range(self.folds):
                    yield _split(seed, r, k, part != k, part == k)
            else:
                inside = self._drawn(members, codes, random)
                yield _split(seed, r, 0, inside == 0, inside == -1)

    def _combined(self, members: Strings, codes: Ints, seed: int) -> Iterator[Split]:
        """Every combination of splits, seeds and draws; a level is the same wherever it occurs."""
        splits, seeds, draws = self.levels
        for s in range(splits):
            inside = self._drawn(members, codes, _random(seed, s))
            for k in range(seeds):
                for h in range(draws):
                    at = (s * seeds + k) * draws + h
                    made = _split(seed, at, 0, inside == 0, inside == -1)
                    searched = _number(seed, h, 0, 3) if draws > 1 else -1
                    yield replace(made, seed=_number(seed, k, 0, 2), draw=searched)

    def _drawn(self, members: Strings, codes: Ints, random: np.random.Generator) -> Ints:
        """The number of each row's training set, -1 in the test set; every class has its share of both."""
        n = len(set(members))
        rank = dealt(members, codes, n, random)  # a place of its own for each group: shuffled, by class
        tests = min(max(round(n * (1 - self.train)), 1), n - 1)
        start = random.integers(n)
        inside = np.where((rank * tests + tests + start) // n > (rank * tests + start) // n, -1, 0)
        if self.kind == "sets":
            learn = np.flatnonzero(inside == 0)
            inside[learn] = dealt(members[learn], codes[learn], self.repeats, random)
        return inside

    def _enough(self, units: int, name: str, *, grouped: bool) -> None:
        called = "groups" if grouped else "rows"
        inside = f' of data set "{short(name)}"' if name else ""
        needed = {"cv": self.folds, "sets": self.repeats + 1}.get(self.kind, 2)
        if units < needed:
            raise DataError(
                f"the {units:,} {called}{inside} do not make {needed:,} parts",
                hint=f"Take fewer parts, or leave out the data set; {called} are never cut.",
            )


def _random(seed: int, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _split(seed: int, repeat: int, fold: int, train: Bools, test: Bools) -> Split:
    return Split(
        repeat=repeat,
        fold=fold,
        seed=_number(seed, repeat, fold, 1),
        train=np.flatnonzero(train),
        test=np.flatnonzero(test),
    )


def _number(seed: int, *key: int) -> int:
    """A seed that follows from the experiment's seed and a place; 31 bits, which every library takes."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1)[0] >> 1)
