"""The shipped sums of published results: made by a script, and enough to stand in for the folds."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from reproduce import benavoli, lacoste, published, sum_folds, textbook, williams
from ropewalk import nhst


def test_the_script_sums_the_folds(tmp_path: Path) -> None:
    # Oracle: NumPy's covariance of the same scores.
    rng = np.random.default_rng(0)
    scores = np.round(rng.uniform(60, 90, (20, 2)), 3)
    rows = ["model,task,repeat,fold,score"]
    for k, model in enumerate(("p", "q")):
        rows += [f"{model},iris,{i // 10},{i % 10},{x:.3f}" for i, x in enumerate(scores[:, k])]
    raw, out = tmp_path / "raw.csv", tmp_path / "sums.csv"
    raw.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with out.open("w", encoding="utf-8") as file:
        sum_folds.write(((t, sum_folds.sums(s)) for t, s in sum_folds.read(raw).items()), file)
    header, line = out.read_text(encoding="utf-8").splitlines()
    assert header == "task,folds,mean p,mean q,p x p,p x q,q x q"
    products = np.cov(scores.T) * 19
    expected = [20, *scores.mean(axis=0), products[0, 0], products[0, 1], products[1, 1]]
    assert line.split(",")[0] == "iris"
    assert [float(x) for x in line.split(",")[1:]] == pytest.approx(expected, rel=1e-10)


def test_the_shipped_table() -> None:
    sets = published.data_sets()
    assert (len(sets), {d.folds for d in sets}) == (54, {published.RUNS * published.FOLDS})
    # Classifiers that never differ do so exactly (14 data sets of j48 and j48gr).
    assert sum(s.m2 == 0 for s in published.differences("j48", "j48gr").values()) == 14
    # A matrix of cross-products has no negative eigenvalue.
    for d in sets:
        matrix = np.array(
            [[float(d.products[a, b]) for b in published.CLASSIFIERS] for a in published.CLASSIFIERS]
        )
        assert np.linalg.eigvalsh(matrix).min() >= -1e-9 * matrix.max()


def test_benavoli_table_7() -> None:
    # Mean difference of accuracy in percent, nbc minus aode; the paper shortens some names.
    printed = [row["table 7: mean difference"] for row in published.table("benavoli2017_tables_2_and_7")]
    assert 100 * published.mean_differences("nbc", "aode") == pytest.approx(
        [float(x) for x in printed], abs=5.1e-4
    )


@pytest.mark.parametrize("data", published.data_sets(), ids=lambda d: d.name)
def test_folds_that_stand_in(data: published.DataSet) -> None:
    x = published.stand_in(data)
    assert x.shape == (100, 5)
    assert x.min() >= 0
    assert x.max() <= 100
    assert x.mean(axis=0) == pytest.approx([float(data.means[m]) for m in published.CLASSIFIERS])
    r = x - x.mean(axis=0)
    names = published.CLASSIFIERS
    expected = np.array([[float(data.products[a, b]) for b in names] for a in names])
    np.testing.assert_allclose(r.T @ r, expected, atol=1e-9 * expected.max())


def test_the_range_of_a_wilcoxon_test_over_rounded_risks() -> None:
    # Oracle: random risks that round to the printed ones; near an end of theirs, p is near an end.
    rng = np.random.default_rng(0)
    a, b = (lacoste.risks(m) for m in ("svm", "ann"))
    low, high = lacoste.wilcoxon_range("svm", "ann")
    found = []
    for k in range(600):
        steps = rng.uniform(-0.0005, 0.0005, (2, a.size))
        if k % 3:  # most of the mistakes of one model rounded up, those of the other rounded down
            steps = np.abs(steps) ** 0.1 * 0.0005**0.9 * np.array([[1.0], [-1.0]]) * (-1) ** k
        d = np.maximum(b + steps[1], 0.0) - np.maximum(a + steps[0], 0.0)
        equal = (a == b) & (rng.random(a.size) < 0.3)
        found.append(1 - nhst.wilcoxon(np.where(equal, 0.0, d)).p_value)
    assert low <= min(found) < low + 0.06
    assert high - 0.06 < max(found) <= high


def test_what_made_table_9_of_benavoli() -> None:
    # Oracle: the printed table. With z0 = 0 and strength 0.5, as its text says, it is missed by up to 0.022.
    for row in published.table("benavoli2017_pairs"):
        x = published.mean_differences(row["a"], row["b"])
        found = benavoli.half_on_each_side(x, 0.4)
        printed = [float(v) for v in row["table 9"].split()]
        assert [found.better, found.equivalent, found.worse] == pytest.approx(printed, abs=0.006)


def test_what_explains_table_4_of_lacoste() -> None:
    notes = {row.what: row.note for row in lacoste.section().rows if row.where == "Table 4"}
    assert len(notes) == 6
    assert [key.split()[1] for key, note in notes.items() if ": agrees" in note] == ["ann"]
    assert [key for key, note in notes.items() if "not explained" in note] == [
        "Wilcoxon, ann - adaBoost: 1 - p"
    ]


# --- the page ---------------------------------------------------------------------------------------------

SECTIONS = {
    "benavoli": lambda: [benavoli.section()],
    "lacoste": lambda: [lacoste.section()],
    "williams": williams.sections,
    "textbook": lambda: [textbook.section()],
}
NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")
PAGE = (Path(__file__).parents[1] / "docs" / "reproduced.md").read_text(encoding="utf-8")


def agree(one: str, other: str) -> bool:
    """The same words, and numbers that differ by a rounding of the third digit or of machine precision."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    values = ((float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs)
    return all(abs(a - b) <= max(0.0021, 0.02 * abs(a)) for a, b in values)


@pytest.mark.parametrize("paper", SECTIONS)
@pytest.mark.few(1)
def test_the_page_is_what_the_script_writes(paper: str) -> None:
    for section in SECTIONS[paper]():
        start = PAGE.index(f"## {section.title}\n")
        end = PAGE.find("\n## ", start + 3)
        shown = PAGE[start : end if end > 0 else None].strip().splitlines()
        written = section.text().strip().splitlines()
        assert len(shown) == len(written)
        for a, b in zip(shown, written, strict=True):
            assert agree(a, b), f"run python -m reproduce.page > docs/reproduced.md\n{a}\n{b}"


def test_every_row_that_can_be_computed_is() -> None:
    # Only what needs data that nobody printed is left out, and the row says which.
    missing = [line for line in PAGE.splitlines() if "cannot be computed" in line]
    assert len(missing) == 7
    assert all(line.split("|")[5].strip() for line in missing)


def test_a_page_with_another_number_is_noticed() -> None:
    assert agree("| a | 0.123 / 1e-06 |", "| a | 0.124 / 1e-06 |")
    assert not agree("| a | 0.123 |", "| a | 0.129 |")
    assert not agree("| a | 0.123 |", "| b | 0.123 |")
