"""Tables that are refused as they were understood: other columns than models, counts, rows for training."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

import numpy as np

from ropewalk.data.odd_columns import (
    MAY_BE_TRUTH,
    OUTPUT_OR_SCORE,
    TESTED,
    TRAINED,
    ColumnFacts,
    are_flags,
    are_splits,
    benchmarks,
    correlated,
    is_called_count,
    is_called_total,
    is_called_truth,
    odd_ones,
)
from ropewalk.errors import ColumnError, listed, short
from ropewalk.read.roles import Roles, compact, written
from ropewalk.read.table import Table, as_text, has_numbers, parsed


def _facts(table: Table, column: str) -> ColumnFacts | None:
    """Return facts about a numeric column; None if it has no numbers."""
    return ColumnFacts.of(column, parsed(table.columns[column]))


def refuse_transposed(table: Table, columns: Sequence[str], *, keyed: bool) -> None:
    """Refuse a table without ids and with more columns than rows: its columns are probably not models."""
    if not keyed and len(columns) > table.height:
        raise ColumnError(
            f"{short(table.name)} was understood as {len(columns):,} models and {table.height:,} units: is "
            "it the other way round?",
            where=[f"models: {listed(columns, most=6)}"],
            hint="Give one row per unit and one column per model: transpose the table. If the columns are\n"
            "the models, list them: --model A --model B (model=[...]), or add a column `id`.",
        )


def refuse_other_things(table: Table, columns: Sequence[str]) -> None:
    """Raise an error if the columns are benchmarks, parts of the data, or classes that the rows name too."""
    tests, name = benchmarks(columns), short(table.name)
    as_models = "If the columns are the models, list them: --model A --model B (model=[...])."
    if tests:
        raise ColumnError(
            f"{name} has columns named after benchmarks ({listed(tests, most=6)}), not after models",
            hint="Transpose the table: one row per task and one column per model; or give the columns\n"
            f"`model`, `task` and `score`. {as_models}",
        )
    if are_splits(columns):
        raise ColumnError(
            f"{name} has columns named after parts of the data ({listed(columns)}), not after models",
            hint=f"Give the scores of each model on the same part. {as_models}",
        )
    if table.height == len(columns) and any(set(as_text(c)) == set(columns) for c in table.columns.values()):
        raise ColumnError(
            f"{name} has the same names for its rows and its columns: it looks like a confusion matrix, or "
            "like a table of all pairs",
            where=[f"names: {listed(columns, most=6)}"],
            hint="Give one row per example: the columns `id`, `truth` and one of predictions for each "
            f"model,\nor scores. {as_models}",
        )


def refuse_row_per_model(table: Table, model: str | None, columns: Sequence[str], *, keyed: bool) -> None:
    """Refuse a table with one row per model and several columns of numbers: it is transposed."""
    if keyed or (table.height > 1 if model is None else table.comes_back(model)):
        return
    models = [] if model is None else [f"`{short(model)}`: {listed(table.columns[model].tolist())}"]
    raise ColumnError(
        f"{short(table.name)} has one row per model and one column per unit: it is transposed",
        where=[*models, f"units: {listed(columns)}"],
        hint="Transpose the table: one row per unit and one column per model. If the columns are metrics,\n"
        "there is one number per model, which cannot be compared: give the scores per example, fold or task.",
    )


def refuse_training_rows(table: Table, given: Collection[str]) -> None:
    """Raise an error if a column says that some rows are training data and others are not."""
    for column, cells in table.columns.items():
        first = str(cells[0]).strip().lower() if len(cells) and cells.dtype == object else ""
        if column in given or first not in TRAINED | TESTED:
            continue
        words = {value.strip().lower() for (value,) in table.distinct(column)}
        if words <= TRAINED | TESTED and words & TRAINED and words & TESTED:
            raise ColumnError(
                f"{short(table.name)} holds rows of the training data: `{short(column)}` is "
                f"{listed(sorted(words))}",
                hint="Keep the rows that the models were not trained on.",
            )


def refuse_counts(table: Table, score: str) -> None:
    """Raise an error if one column counts right answers and another one the number of answers."""
    if not is_called_count(score):
        return
    values = parsed(table.columns[score])
    if not np.all(np.isfinite(values)) or values.max(initial=0.0) <= 1 or np.any(values != np.floor(values)):
        return
    for column in table.columns:
        if is_called_total(column):
            totals = parsed(table.columns[column])
            if np.all(totals >= values):
                raise ColumnError(
                    f"{short(table.name)}: `{short(score)}` is a count out of `{short(column)}`",
                    hint=f"Divide it by `{short(column)}` and call the column `accuracy`.\n"
                    "One row per example would be better still.",
                )


def refuse_words(table: Table, score: str) -> None:
    """Raise an error if a column named like a score, such as `correct`, has words: probably right answers."""
    cells = table.columns[score]
    if has_numbers(cells):
        return
    words = sorted(set(as_text(cells).tolist()) - {""})
    if len(words) > 1 and not are_flags(words) and not any(w.strip()[:1].isdigit() for w in words):
        raise ColumnError(
            f"{short(table.name)}: `{short(score)}` has no numbers, but {listed(words)}",
            hint=f"If these are the right answers, name the column: {written('truth', score)}.\n"
            "If they are grades, write them as numbers.",
        )


def refuse_output_next_to_truth(roles: Sequence[Roles]) -> None:
    """Raise an error if a column `score` next to a truth may contain predictions and not scores."""
    for one in roles:
        for truth, score in product(one.found["truth"][:1], one.found["score"]):
            if compact(score) in OUTPUT_OR_SCORE and _may_be_output(one.table, score, truth):
                said, name, answer = map(short, (score, one.table.name, truth))
                raise ColumnError(
                    f"{name}: is `{said}` a score or a prediction? `{answer}` looks like the truth",
                    hint=f'If `{said}` is what the model predicts: truth="{answer}", score="{said}" '
                    f"(--truth {answer} --score {said}).\n"
                    f"If it says how good each answer is: {written('score', score)}.",
                )


def _may_be_output(table: Table, score: str, truth: str) -> bool:
    """Whether a column could contain probabilities of two classes, or numeric predictions."""
    said = parsed(table.columns[score])
    known = np.isfinite(said)
    classes = set(as_text(table.columns[truth])[known].tolist()) - {""}
    correct = parsed(table.columns[truth])
    if not np.all(np.isfinite(correct[known])):  # words
        return len(classes) == 2 and bool(np.any((said[known] != 0) & (said[known] != 1)))
    return len(classes) == 2 or bool(correlated(said[known], correct[known]))


def refuse_odd(table: Table, columns: Sequence[str], *, of: str = "the scores") -> None:
    """Raise an error that lists the columns to be compared and asks which are the models."""
    if len(columns) < 2:
        return
    found = [f for c in columns if (f := _facts(table, c)) is not None]
    odd = odd_ones(found) if len(found) > 1 else {}
    if not odd:
        return
    rest = [c for c in columns if c not in odd]
    rest = rest if len(rest) > 1 else list(columns)
    listing = " ".join(f"--model {short(c)}" for c in rest[:4])
    names = ", ".join(f'"{short(c)}"' for c in rest[:4])
    truth = next((c for c, reason in odd.items() if reason == MAY_BE_TRUTH), None)
    settle = [
        f"List the models: {listing} (model=[{names}]).",
        f"If {'one of the columns' if truth is None else f'`{short(truth)}`'} is the truth, name it: "
        f"{'--truth COLUMN (truth=COLUMN)' if truth is None else written('truth', truth)}.",
    ]
    raise ColumnError(
        f"{short(table.name)}: {', '.join(f'`{short(c)}`' for c in list(odd)[:4])} "
        f"{'does' if len(odd) == 1 else 'do'} not look like {of} of a model",
        where=[
            *(f"`{short(c)}`: {reason}" for c, reason in list(odd.items())[:4]),
            f"columns that would be compared: {listed(columns, most=12)}",
        ],
        hint="\n".join(settle if truth is None else settle[::-1]),
    )


def likely_truth(table: Table, models: Collection[str]) -> str | None:
    """Find an unused column with the name of a truth and with values like those of the models' columns."""
    own = [f for m in models if (f := _facts(table, m)) is not None]
    if len(own) < len(models) or any(f.fractions for f in own):
        return None
    low, high = min(f.low for f in own), max(f.high for f in own)
    for column in table.columns:
        if column in models or not is_called_truth(column):
            continue
        facts = _facts(table, column)
        if facts is not None and not facts.fractions and facts.distinct > 1 and facts.low >= low:
            return column if facts.high <= high else None
    return None


def read_as_scores(column: str, models: Collection[str]) -> str:
    """Return the caution if models' columns are read as scores next to a possible truth."""
    own = ", ".join(f"`{short(m)}`" for m in list(models)[:4])
    return (
        f"the values of {own} are read as scores, and the column `{short(column)}` next to them may "
        f"be the truth: if it is, name it: {written('truth', column)}; if it is not, leave it out."
    )
