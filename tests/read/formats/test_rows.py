"""Rows of logs: the latest run counts."""

from __future__ import annotations

import pytest

from ropewalk.errors import ColumnError
from ropewalk.read import read
from tests.read.formats.harness import (
    LATER,
    N,
    Out,
    right,
    scores,
    values,
)


def test_the_latest_run_counts(out: Out) -> None:
    old = {m: [r | {"exact_match": 0.0} for r in rows] for m, rows in out.rows.items()}
    Out(root=out.root, rows=old).write()
    s = scores(out.write(date=LATER))
    assert values(s, "org/good") == [right("good", i) for i in range(N)]
    assert any(n.startswith("2 older files of the same model and task not read") for n in s.audit.notes)


def test_a_field_of_the_document_is_a_cluster(out: Out) -> None:
    for r in (r for rows in out.rows.values() for r in rows):
        r["doc"] |= {"passage": r["doc_id"] // 4, "text": "long " * 100}
    s = scores(out.write(), cluster="passage")
    assert s.tasks[0].clusters is not None
    assert len(set(s.tasks[0].clusters)) == N // 4
    with pytest.raises(ColumnError, match="no column `text`"):
        read(out.root, cluster="text")
