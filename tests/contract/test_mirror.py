"""Tests lie where what they test lies: `report/text.py` has `tests/report/test_text.py`."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "ropewalk"
# Modules that are tested through others only. None is added here: write or move its tests.
THROUGH_OTHERS = """
analysis/asked_metric.py analysis/chosen_pairs.py analysis/learned_predictions.py
analysis/one_task.py analysis/reporting.py analysis/wanted.py analysis/widths.py cli/check.py
cli/metrics.py cli/show.py data/audit.py data/binned.py data/coverage.py data/duplicates.py
data/order.py data/ranges.py data/runs.py data/scale.py data/summed.py
data/vetting.py data/known_direction.py decide/sensitivity.py errors.py experiment/columns.py
experiment/forecast.py experiment/setup.py methods/effective_size.py methods/futures.py
methods/given_prior.py methods/joint_models.py methods/more_needed.py methods/pair.py
methods/plausible.py methods/unvaried.py methods/varied.py metrics/dominance.py metrics/numbers.py
metrics/resample.py outcomes.py plot/grid.py plot/legend.py plot/looks.py posterior/advantage.py
posterior/own_draws.py posterior/own_pairs.py posterior/rate_table.py read/alignment.py
read/attempts.py read/block.py read/cluster.py read/database.py read/fold_design.py read/gaps.py
read/in_memory.py read/in_place.py read/keys.py read/labels.py read/log.py read/odd_columns.py
read/outputs.py read/parquet.py read/pick.py read/prediction_layout.py read/predictions.py
read/probabilities.py read/read.py read/runs.py read/same_content.py read/same_labels.py
read/scan.py read/score_layout.py read/scores.py read/sides.py read/table.py read/typed.py
read/worst.py report/appendix.py report/audit_lines.py report/compose.py report/document.py
report/html/blocks.py report/json.py report/markdown.py report/text.py
results/all_models.py results/asks.py results/comparison.py results/headline.py
results/mean_ranks.py results/task_table.py understood.py version.py
"""


def test_every_module_has_its_test_file() -> None:
    modules = {p.relative_to(SOURCE) for p in SOURCE.rglob("*.py") if not p.name.startswith("__")}
    missing = {str(m) for m in modules if not (TESTS / m.parent / f"test_{m.name}").exists()}
    assert missing - set(THROUGH_OTHERS.split()) == set()
    assert set(THROUGH_OTHERS.split()) <= {str(m) for m in modules}
