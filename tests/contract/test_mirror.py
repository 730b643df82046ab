"""Tests lie where what they test lies: `report/text.py` has `tests/report/test_text.py`."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "ropewalk"
# Modules that are tested through others only. None is added here: write or move its tests.
THROUGH_OTHERS = """
analysis/asked_metric.py analysis/chosen_pairs.py analysis/learned_predictions.py
analysis/one_task.py analysis/wanted.py cli/check.py cli/metrics.py decide/sensitivity.py
experiment/columns.py experiment/forecast.py plot/grid.py plot/legend.py plot/looks.py
read/alignment.py read/block.py read/database.py read/fold_design.py read/gaps.py read/keys.py
read/labels.py read/log.py read/outputs.py read/parquet.py read/prediction_layout.py
read/predictions.py read/probabilities.py read/runs.py read/same_content.py read/same_labels.py
read/scan.py read/score_layout.py read/scores.py read/sides.py read/table.py read/typed.py
read/worst.py report/appendix.py report/audit_lines.py report/compose.py report/document.py
report/html/blocks.py report/markdown.py results/all_models.py results/asks.py results/mean_ranks.py
results/task_table.py
"""


def test_every_module_has_its_test_file() -> None:
    modules = {p.relative_to(SOURCE) for p in SOURCE.rglob("*.py") if not p.name.startswith("__")}
    missing = {str(m) for m in modules if not (TESTS / m.parent / f"test_{m.name}").exists()}
    assert missing - set(THROUGH_OTHERS.split()) == set()
    assert set(THROUGH_OTHERS.split()) <= {str(m) for m in modules}
