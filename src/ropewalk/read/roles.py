"""Which column plays which role, by the options given or by the column's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from ropewalk.data.coverage import Missing
from ropewalk.data.metrics import direction
from ropewalk.errors import ColumnError, OptionError, did_you_mean, listed, short
from ropewalk.read.block import Place
from ropewalk.read.table import Column, Table, as_text, has_numbers

# Names as normalized by `compact`: lower case, without spaces, underscores, hyphens and dots.
_NAMES: dict[str, str] = {
    "model": "model modelname modelid classifier algorithm method system learner estimator framework",
    "task": "task taskname dataset datasetname benchmark",
    "unit": """id unit unitid example exampleid sampleid sample rowid uid docid instanceid instance
               questionid itemid item caseid qid imageid promptid recordid""",
    "truth": """truth label ytrue target gold y true actual groundtruth truelabel goldlabel labeltrue
                actuallabel targetlabel""",
    "prediction": """prediction predictions pred preds ypred predicted output yhat predictedlabel predlabel
                     labelpred predictedclass""",
    "probability": """probability prob proba p yprob yproba yscore p1 prob1 proba1 confidence
                      probability1 ppos probpos probapos""",
    "score": "score scores testscore value correct iscorrect metricvalue",
    "metric": "metric metricname measure",
    "repeat": "repeat rep repetition repeatid",
    "fold": "fold cvfold foldid kfold",
    "seed": "seed randomstate randomseed",
    "attempt": "attempt attemptid attemptno trial trialid generationid sampleindex sampleno",
    "cluster": "cluster",
    "split": "",  # only on request: a column of that name may also be the fold
}
UNNAMED = ("", "unnamed:0")  # an unnamed index, as pandas writes it
# Names that are used only if there is no better one.
_WEAK: dict[str, tuple[str, ...]] = {
    "unit": (*UNNAMED, "index"),
    "fold": ("split",),
    "repeat": ("run",),
}
# For example, accuracy_std next to accuracy is not a second score.
_SPREAD = re.compile(r"(?i)(^|[^a-z])(std|sd|stdev|stderr|se|sem|var|ci|lower|upper)($|[^a-z])")
# Properties that rows share: a column so named is a cluster if the user says so, and rarely a model.
_SHARED = """group session subject patient user person document passage story speaker author conversation
             dialogue topic site hospital account chat client customer family household school slide store
             thread video"""
_TEST_SIZE = ("ntest", "testsize", "numberoftestinginstances")
_TRAIN_SIZE = ("ntrain", "trainsize", "numberoftraininginstances")

KEYS = ("task", "unit", "repeat", "fold", "seed", "attempt")
_OPTIONS = ("model", "task", "unit", "score", "truth", "cluster", "repeat", "fold", "seed", "split")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options about the columns."""

    model: str | Sequence[str] | None = None
    task: str | None = None
    unit: str | None = None
    score: str | None = None
    truth: str | None = None
    cluster: str | None = None
    repeat: str | None = None
    fold: str | None = None
    seed: str | None = None
    split: str | None = None
    statistics: Sequence[str] | None = None
    higher_is_better: bool | None = None
    by_position: bool = False
    labels: Sequence[object] | None = None
    positive: object | None = None
    sheet: str | None = None
    pick: str | None = None  # the requested metric, which the data may contain already
    missing: Missing | None = None
    complete: str | None = None  # units that this model lacks are dropped, whatever `missing` says

    @property
    def given(self) -> dict[str, str]:
        """Return the options that name a single column."""
        named = {role: getattr(self, role) for role in _OPTIONS}
        if self.model_columns is not None:
            del named["model"]
        return {role: str(name) for role, name in named.items() if name is not None}

    @property
    def model_columns(self) -> tuple[str, ...] | None:
        """Return the model columns of a wide table, if the user listed them."""
        if self.model is None or isinstance(self.model, str) or not isinstance(self.model, Iterable):
            return None
        return tuple(map(str, self.model))


class Roles:
    """The columns of a table by role."""

    def __init__(self, table: Table, options: Options) -> None:
        self.table = table
        self.options = options
        taken = {c for c in options.given.values() if c in table.columns} | set(options.model_columns or ())
        self._compact = {c: compact(c) for c in table.columns}  # cached because every role checks each column
        self.found: dict[str, list[str]] = {}
        self.weak: set[str] = set()
        for role, names in _NAMES.items():
            chosen = options.given.get(role)
            if chosen is not None:
                self.found[role] = [chosen] if chosen in table.columns else []
            elif role == "model" and options.model_columns is not None:
                self.found[role] = []
            else:
                self.found[role] = self._named(role, names.split(), taken)
        if options.truth is not None and options.score is not None:
            # Values that are compared with a truth are predictions, whatever their column is called.
            self.found["prediction"], self.found["probability"] = self.found["score"], []
            self.found["score"] = []
        self.test_size = self._size(_TEST_SIZE, taken)
        self.train_size = self._size(_TRAIN_SIZE, taken)

    def _named(self, role: str, names: list[str], taken: set[str]) -> list[str]:
        free = [c for c in self.table.columns if c not in taken]
        strong = [c for c in free if self._compact[c] in names]
        if role == "score":
            named = set(strong)
            strong = [c for c in free if c in named or (direction(c) is not None and self._numeric(c))]
            strong = [c for c in strong if not _SPREAD.search(c)] or strong
        if strong:
            return strong
        weak = [c for c in free if self._compact[c] in _WEAK.get(role, ())]
        if role == "fold":  # a split called "test" is not a fold
            weak = [c for c in weak if _are_numbered(self.table.columns[c])]
        self.weak.update(weak)
        return weak

    def _numeric(self, column: str) -> bool:
        return has_numbers(self.table.columns[column])

    def _size(self, names: tuple[str, ...], taken: set[str]) -> str | None:
        return next((c for c in self.table.columns if self._compact[c] in names and c not in taken), None)

    def one(self, role: str) -> str | None:
        """Return the column of a role, if there is one; several raise an error that asks the user."""
        candidates = self.found[role]
        if len(candidates) > 1:
            raise ColumnError(
                f"{short(self.table.name)} has several columns that could be the {role}: "
                f"{', '.join(f'`{short(c)}`' for c in candidates[:12])}",
                hint=f"Say which: {written(role, candidates[0])}."
                if role in _OPTIONS
                else "Rename all but one of them.",
            )
        return candidates[0] if candidates else None

    def keys(self) -> dict[str, str]:
        """Return the columns that distinguish units."""
        return {role: c for role in KEYS if (c := self.one(role)) is not None}

    def place(
        self,
        columns: dict[str, tuple[str, ...]],
        *,
        keys: dict[str, str] | None = None,
        model: str | None = None,
        task: str | None = None,
        truth: str | None = None,
    ) -> Place:
        """Return the place of the columns, once the models' outputs are known."""
        sizes = (self.test_size, self.train_size) if self.test_size and self.train_size else None
        return Place(
            columns=columns,
            keys=self.keys() if keys is None else keys,
            model=model,
            task=task,
            cluster=self.one("cluster"),
            truth=truth,
            split=self.one("split"),
            sizes=sizes,
        )

    def rest(self, *, without: Sequence[str] = ()) -> list[str]:
        """Return the columns without a role; `without` names further roles to leave out."""
        roles = ("model", "cluster", "metric", "split", *KEYS, *without)
        used = {c for role in roles for c in self.found[role]} | {self.test_size, self.train_size}
        weak = {name for names in _WEAK.values() for name in names}
        used |= {c for c in self.table.columns if self._compact[c] in weak}
        left = [c for c in self.table.columns if c not in used]
        shared = shared_by_rows(self.table)
        return [c for c in left if c not in shared] or left


def shared_by_rows(table: Table) -> list[str]:
    """Return columns named like a property that rows share, if their values repeat."""
    names = {name + end for name in _SHARED.split() for end in ("", "id", "name")}
    named = [c for c in table.columns if compact(c) in names]
    return [c for c in named if table.comes_back(c)]


def may_be_key(column: str, options: Options) -> bool:
    """Whether a column may identify units, tasks, runs, clusters or models, by its name or as given."""
    known = [name for role in ("model", *KEYS, "cluster") for name in _NAMES[role].split()]
    weak = [name for names in _WEAK.values() for name in names]
    shared = [name + end for name in _SHARED.split() for end in ("", "id", "name")]
    given = {c for role, c in options.given.items() if role not in ("score", "truth")}
    return column in given or compact(column) in {*known, *weak, *shared}


def not_models(names: Sequence[str]) -> list[str]:
    """Return the names that denote a truth, an id, a task or a fold, and not a model.

    >>> not_models(["y_true", "svm", "forest", "Fold"])
    ['y_true', 'Fold']
    """
    known = {name for role in ("truth", "unit", "task", "fold") for name in _NAMES[role].split()}
    return [name for name in names if compact(name) in known]


def check_given(tables: Sequence[Table], options: Options) -> None:
    """Check that every column named by the user is in at least one of the tables."""
    columns = list(dict.fromkeys(c for t in tables for c in t.columns))
    skipped = {c: why for t in tables for c, why in t.skipped.items()}
    wanted = [*options.given.items(), *(("model", c) for c in options.model_columns or ())]
    wanted += [("statistics", c) for c in options.statistics or ()]
    for role, column in wanted:
        if column in columns:
            continue
        if role == "score" and any(compact(c) in _NAMES["metric"].split() for c in columns):
            continue  # it may name a metric, which `one_metric` checks
        if column in skipped:
            raise ColumnError(
                f"column `{short(column)}` {skipped[column]}", hint=f"Give another column: {written(role)}."
            )
        raise ColumnError(
            f"{_called(tables)} no column `{short(column)}`, which was given as {role}",
            hint=f"`seed` names the column with the seeds of training runs. A random seed is rng={column} "
            f"(--rng {column})."
            if role == "seed" and column.isdigit()
            else did_you_mean(column, columns),
        )
    twice = [c for c in options.given.values() if list(options.given.values()).count(c) > 1]
    if twice:
        roles = [role for role, c in options.given.items() if c == twice[0]]
        raise OptionError(
            f"column `{short(twice[0])}` was given as {' and as '.join(roles)}",
            hint="Give each column one role.",
        )


def no_column(tables: Sequence[Table], what: str, role: str) -> NoReturn:
    """Raise an error because no column has a role that the layout needs."""
    columns = list(dict.fromkeys(c for t in tables for c in t.columns))
    raise ColumnError(
        f"{_called(tables)} no column that is known as {what}",
        where=[f"columns: {listed(columns, most=12)}"],
        hint=f"Say which it is: {written(role)}.",
    )


def written(role: str, column: str = "COLUMN") -> str:
    """Return an option as written in Python and on the command line."""
    return f'{role}="{short(column)}" (--{role} {short(column)})'


def _called(tables: Sequence[Table]) -> str:
    return f"{short(tables[0].name)} has" if len(tables) == 1 else f"the {len(tables)} files have"


def compact(name: str) -> str:
    """Normalize a column's name for comparison: lower case, without spaces and punctuation."""
    return re.sub(r"[\s_.\-]+", "", name).lower()


def _are_numbered(cells: Column) -> bool:
    return all(re.search(r"\d$", item) for item in set(as_text(cells).tolist()))
