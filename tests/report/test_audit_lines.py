"""What was read and paired, in one line and the notes."""

from __future__ import annotations

from ropewalk.data import Audit, Dropped
from ropewalk.report.audit_lines import audit_lines


def test_units_tasks_folds_and_what_was_left_out() -> None:
    audit = Audit(
        paired=1200,
        dropped=(Dropped(reason="only in a.csv", units=3), Dropped(reason="only in b.csv", units=1000)),
        notes=("higher is better",),
    )
    lines = audit_lines(audit, unit="example", tasks=1, design="")
    assert lines == (
        "1,200 examples paired; 3 left out (only in a.csv); 1,000 left out (only in b.csv)",
        "higher is better",
    )
    (first, _) = audit_lines(Audit(paired=50, notes=("x",)), unit="fold", tasks=5, design="10-fold")
    assert first == "50 folds paired on 5 tasks (10-fold)"


def test_tasks_are_not_counted_on_themselves() -> None:
    assert audit_lines(Audit(paired=30), unit="task", tasks=30, design="tasks") == ("30 tasks paired",)
