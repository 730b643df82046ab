"""Every classical test: how often it claims what is not so and finds what is, beside its peers."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import classical_pictures as pictures
from prose import paragraph
from ropewalk import nhst
from studies import pairs, scorers, tables
from studies.study import Study, run

Row = dict[str, Any]

# Why a peer answers otherwise than we do on the same data; read against its code.
WHY = {
    (
        "wilcoxon",
        "scipy",
    ): "from 14 differences on SciPy takes the normal form where values tie; ours stays exact",
    ("wilcoxon", "pingouin"): "a continuity correction, and the normal form with ties",
    ("wilcoxon", "autorank"): "a t test where normality is not rejected, else Wilcoxon's one-sided in the "
    "direction that the data have: twice the level",
    ("wilcoxon", "evalstats"): "refuses below 15 items; with ties SciPy's normal form",
    (
        "rank_sum",
        "scipy",
    ): "exact only up to 8 units per model and without ties; ours up to 50 units and with ties",
    ("permutation", "scipy"): "different random signs, and twice the smaller tail",
    ("permutation", "mlxtend"): "different random signs, even where all could be enumerated",
    ("corrected_t", "mlxtend k-fold t"): "assumes independent folds; the corrected test is not offered",
    (
        "cluster_t",
        "statsmodels (default, normal)",
    ): "a normal quantile, although few clusters call for Student's t",
    ("mcnemar", "mlxtend (corrected)"): "a model against itself is 1/0, so p = 0; also corrects below 25",
    ("mcnemar", "mlxtend (exact)"): "exact at any size; ours uses the corrected chi² from 25 on",
    ("mcnemar", "statsmodels (exact)"): "exact at any size; ours uses the corrected chi² from 25 on",
    ("mcnemar", "statsmodels (corrected)"): "a model against itself is 1/0, so p = 0; also corrects below 25",
    ("mcnemar", "statsmodels (uncorrected)"): "no continuity correction: closer to 5%, and sometimes above",
    (
        "delong",
        "MLstatkit",
    ): "the variance is 0, so it switches to a bootstrap in which every draw is the same: p = 0",
    ("friedman", "autorank"): "tests for normality first, and uses an ANOVA if it does not reject it",
    ("anova", "pingouin (auto)"): "corrects by epsilon if Mauchly's test rejects; ours reports both p-values",
    ("model_confidence_set", "arch"): "different bootstrap draws, and no + 1",
}


def studies() -> list[Study]:
    """All of them, in the order of the page."""
    return [*pairs.studies(), *scorers.studies(), *tables.studies()]


def public_tests() -> list[str]:
    """The tests that `ropewalk.nhst` exports: every function."""
    return sorted(name for name in nhst.__all__ if inspect.isfunction(getattr(nhst, name)))


def measure(scale: float) -> dict[str, Any]:
    """Rows, one for each test, setting and side; and the peers that are not installed."""
    every = studies()
    rows = [row for study in every for row in run(study, scale)]
    absent = sorted({s.module for study in every for s in study.sides if not s.installed})
    return {"rows": rows, "absent": absent}


def excess(row: Row) -> float:
    """By how many Monte Carlo errors a rate of false claims is above 5%."""
    return float((row["at_0.05"] - 0.05) / np.sqrt(0.05 * 0.95 / row["replications"]))


def null(rows: Iterable[Row], *, side: str = "ropewalk", holds: bool | None = None) -> list[Row]:
    """Those in which nothing is to be found."""
    return [
        r for r in rows if not r["effect"] and r["side"] == side and (holds is None or r["holds"] == holds)
    ]


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _at(row: Row) -> str:
    return f"{_percent(row['at_0.05'])} ± {_percent(row['error'])}"


def _summary(rows: list[Row]) -> list[str]:
    out = [
        "| test | assumptions hold, at most | replications | at 1% | assumption violated, at most |",
        "| --- | --- | --- | --- | --- |",
    ]
    for test in dict.fromkeys(r["test"] for r in rows):
        own = [r for r in rows if r["test"] == test]
        held, broken = (
            max(null(own, holds=h), key=lambda r: r["at_0.05"], default=None) for h in (True, False)
        )
        assert held is not None  # every study has one
        out.append(
            f"| `{test}` | {_at(held)} ({held['setting']}, n = {held['n']:,}) | {held['replications']:,} "
            f"| {_percent(held['at_0.01'])} | "
            + (
                f"{_percent(broken['at_0.05'])} ({broken['setting']}, n = {broken['n']:,})"
                if broken
                else "none studied"
            )
            + " |"
        )
    return out


def _others(rows: list[Row]) -> list[Row]:
    """Peers whose rate of false claims is not ours: by a point or more, and by more than chance can do.

    Chance is that of a sign test: where the two disagree, either may be the one that claims.
    """
    out = []
    for r in rows:
        if r["peer"] and not r["effect"] and r.get("refused") != 1:
            apart = abs(r["at_0.05"] - r["ours_at_0.05"])
            if apart >= 0.01 and apart > 2 * np.sqrt(r["disagrees"] / r["replications"]):
                out.append(r)
    return out


def _peers(rows: list[Row]) -> list[str]:
    """The table of those that differ, why they do, and who agrees."""
    others = sorted(_others(rows), key=lambda r: -abs(r["at_0.05"] - r["ours_at_0.05"]))
    apart = dict.fromkeys((r["test"], r["side"]) for r in rows if r["peer"] and r["differs"])
    if not apart:
        return []
    return [
        "Packages whose rate of false positives differs from ours by a point or more on the same data:",
        "",
        "| test | package | setting | n | theirs | ours | data sets | p-values differ | conclusions differ |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| `{r['test']}` | {r['side']} | {r['setting']} | {r['n']:,} | {_at(r)} "
            f"| {_percent(r['ours_at_0.05'])} | {r['replications']:,} | {100 * r['differs']:.0f}% "
            f"| {100 * r['disagrees']:.1f}% |"
            for r in others
        ),
        "",
        "Why p-values differ:",
        "",
        *(f"- `{test}`, {side}: {WHY.get((test, side), 'not known')}." for test, side in apart),
        "",
        paragraph(f"The same p-value as ours on every data set: {_agree(rows)}."),
        "",
        "![Type I error of peers and of ropewalk on the same draws](img/calibration/classical-peers.png)",
        "",
    ]


def _agree(rows: list[Row]) -> str:
    """The peers that say the same as we do throughout."""
    peers = dict.fromkeys((r["test"], r["side"]) for r in rows if r["peer"])
    apart = {(r["test"], r["side"]) for r in rows if r["peer"] and r["differs"]}
    return ", ".join(f"{side} (`{test}`)" for test, side in peers if (test, side) not in apart)


def _full(study: Study, rows: list[Row]) -> list[str]:
    own = [r for r in rows if r["test"] == study.test]
    sides = list(dict.fromkeys(r["side"] for r in own if not r["effect"]))
    cells = {(r["setting"], r["n"], r["side"]): r for r in own if not r["effect"]}
    out = [
        f"**`{study.test}`**: {study.claim}. {study.note}".rstrip(),
        "",
        f"| setting | n | {' | '.join(sides)} | ours at 1% |",
        f"| {'--- | ' * (len(sides) + 3)}".rstrip(),
    ]
    for first in null(own):
        line = [first["setting"] + ("" if first["holds"] else " ✗"), f"{first['n']:,}"]
        for side in sides:
            line.append(_cell(cells.get((first["setting"], first["n"], side))))
        out.append(f"| {' | '.join(line)} | {_percent(first['at_0.01'])} |")
    return [*out, "", *_found([r for r in own if r["effect"] and r["side"] == "ropewalk"]), ""]


def _cell(r: Row | None) -> str:
    if r is None:
        return ""
    if r["peer"] and not r["differs"]:
        return "same"
    if r.get("refused") == 1:
        return "no p-value"
    return _at(r) if r["peer"] else _percent(r["at_0.05"])


def _found(rows: list[Row]) -> list[str]:
    """The power, a line for each kind of data and effect."""
    kinds = dict.fromkeys((r["setting"], r["effect"]) for r in rows)
    return [
        f"- power, {setting}, effect {effect:g}: "
        + ", ".join(
            f"{100 * r['at_0.05']:.0f}% (n = {r['n']:,})"
            for r in rows
            if (r["setting"], r["effect"]) == (setting, effect)
        )
        for setting, effect in kinds
    ]


def text(figures: dict[str, Any]) -> str:
    """The section of the page."""
    rows = figures["rows"]
    above = [r for r in null(rows, holds=True) if excess(r) > 4]
    missing = ", ".join(figures["absent"])
    lines = [
        "## Classical tests: false positives",
        "",
        paragraph(
            "Every test of `ropewalk.nhst` on data in which the null hypothesis is true: the",
            "percentage of p-values",
            "at or below 5%, ± one Monte Carlo error, from up to 10,000 data sets per row (fewer for",
            "tests that",
            "use random draws). A valid test has 5 or less. Less than 5 means that it is conservative: exact",
            "tests on few or tied values cannot reach exactly 5. In the last column, an assumption",
            "named on the",
            "test's card is violated.",
        ),
        "",
        *_summary(rows),
        "",
        (
            "No test exceeds 5% by more than four Monte Carlo errors if its assumptions hold."
            if not above
            else paragraph(
                "Above 5% by more than four Monte Carlo errors although the assumptions hold:",
                "; ".join(f"`{r['test']}` {_at(r)} ({r['setting']}, n = {r['n']:,})" for r in above) + ".",
            )
        ),
        "",
        "![Type I error of every classical test](img/calibration/classical-null.png)",
        "",
        "### Compared with other packages, on the same data",
        "",
        *([f"Not installed when this was measured: {missing}.", ""] if missing else []),
        *_peers(rows),
        "### Power",
        "",
        paragraph(
            "The share of p-values at or below 5% when there is an effect, against the sample size or",
            "the effect.",
            "Dashed: a second version of the same test.",
        ),
        "",
        "![Power of every classical test](img/calibration/classical-power.png)",
        "",
        "### All figures",
        "",
        paragraph(
            "False positives in percent at the 5% level. ✗ marks a setting in which an assumption is",
            "violated;",
            '"same" means that the package gave our p-value on every data set it was run on (fewer',
            "than ours).",
        ),
        "",
    ]
    for study in studies():
        lines += _full(study, rows)
    return "\n".join(lines).rstrip() + "\n"


def draw(figures: dict[str, Any], folder: Path) -> None:
    """Three pictures: false claims, those of the peers, and power."""
    rows = figures["rows"]
    pictures.false_claims(null(rows), folder / "classical-null.png")
    if _others(rows):
        pictures.beside(_others(rows), folder / "classical-peers.png")
    pictures.power([r for r in rows if r["effect"]], folder / "classical-power.png")
