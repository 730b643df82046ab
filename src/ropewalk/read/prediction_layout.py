"""Which columns are the predictions, and of which models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ropewalk.data.odd_columns import is_called_truth
from ropewalk.data.scores import distinct_models
from ropewalk.errors import ColumnError, DataError, listed, short
from ropewalk.read.block import Place
from ropewalk.read.labels import truth_labels
from ropewalk.read.odd_columns import refuse_odd
from ropewalk.read.outputs import class_columns
from ropewalk.read.roles import Roles, written
from ropewalk.read.table import Table, as_text, has_numbers


def prediction_columns(roles: Roles, classes: list[str]) -> tuple[str, ...]:
    """Return the column of predictions, or one probability column per class; empty if there is none."""
    predicted = roles.one("prediction")
    if predicted is not None:
        return (predicted,)
    by_class = class_columns(list(roles.table.columns), classes)
    if by_class:
        return tuple(by_class.values())
    probability = roles.one("probability")
    if probability is not None:
        return (probability,)
    rest = roles.rest(without=("truth", "score"))
    if len(rest) > 1:
        raise ColumnError(
            f"{short(roles.table.name)} has several columns that could be the prediction: "
            + ", ".join(f"`{short(c)}`" for c in rest[:12]),
            hint="Call the column `prediction`, or leave the others out.",
        )
    return tuple(rest)


def wide_predictions(roles: Roles) -> tuple[Place, list[str]]:
    """Read a table with the truth and one column per model, and note the columns left out."""
    table, listed_models = roles.table, roles.options.model_columns
    scores = roles.found["score"]
    truth = roles.one("truth")
    assert truth is not None
    classes = truth_labels([(table, truth)], roles.options)
    by_class = class_columns(roles.rest(without=("truth",)), classes)
    single = [*roles.found["prediction"], *roles.found["probability"], *by_class.values()]
    models = list(listed_models) if listed_models is not None else roles.rest(without=("truth", "score"))
    words = [] if listed_models is not None else [c for c in models if _is_no_prediction(table, c, classes)]
    if len(models) - len(words) >= 2:
        models = [c for c in models if c not in words]
    if listed_models is None and (single or len(models) < 2):
        raise DataError(
            f"{short(table.name)} has predictions of only one model, in {_columns(single or models)}"
            if single or models
            else f"{short(table.name)} has a truth and no predictions",
            hint="A comparison needs two models: give the other model's file too, or a table with the truth\n"
            'and one column per model; list those with model=["svm", "forest"] (--model svm --model forest).',
        )
    distinct_models(tuple(models))
    if listed_models is None:
        _refuse_another_truth(roles, truth, models)
        refuse_odd(table, [m for m in models if has_numbers(table.columns[m])], of="the predictions")
    notes = []
    aside = [] if listed_models is not None else [*scores, *(c for c in words if c not in models)]
    if aside:
        notes.append("left out: " + ", ".join(f"`{short(c)}`" for c in aside[:8]) + " (no predictions)")
    return roles.place({m: (m,) for m in models}, truth=truth), notes


def _refuse_another_truth(roles: Roles, truth: str, models: Sequence[str]) -> None:
    """Raise an error if a column that would be a model is named like a truth, but another truth was given."""
    table = roles.table
    usual = Roles(table, replace(roles.options, truth=None)).found["truth"]
    found = [m for m in models if m in usual or is_called_truth(m)]
    if found:
        rest = [m for m in models if m not in found]
        listing = " ".join(f"--model {short(m)}" for m in rest[:4]) or "--model A --model B"
        raise ColumnError(
            f"{short(table.name)}: `{short(found[0])}` would be compared as a model, and its name is that of "
            "a truth",
            where=[f"truth: `{short(truth)}`", f"columns that would be compared: {listed(models, most=12)}"],
            hint=f"If it is the truth: {written('truth', found[0])}. Or list the models: {listing} "
            "(model=[...]).",
        )


def _is_no_prediction(table: Table, column: str, classes: Sequence[str]) -> bool:
    """Whether a column has only words that are not labels of the truth in any spelling."""
    cells = table.columns[column]
    if has_numbers(cells):
        return False
    known = {c.strip().lower() for c in classes}
    return not any(c.strip().lower() in known for c in dict.fromkeys(as_text(cells).tolist()))


def _columns(names: Sequence[str]) -> str:
    return ", ".join(f"`{short(n)}`" for n in names[:5]) + (", …" if len(names) > 5 else "")
