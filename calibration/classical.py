"""Every classical test: its false positives and its power, compared with other packages."""

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

# Why another package gives a different p-value on the same data, according to its code.
WHY = {
    (
        "wilcoxon",
        "scipy",
    ): "with ties and 14 differences or more, SciPy uses the normal approximation; ours is exact",
    (
        "wilcoxon",
        "pingouin",
    ): "it applies a continuity correction, and uses the normal approximation if values tie",
    (
        "wilcoxon",
        "autorank",
    ): "it uses a t-test if normality is not rejected, and otherwise a one-sided Wilcoxon "
    "test in the direction of the data, which doubles the rate of false positives",
    (
        "wilcoxon",
        "evalstats",
    ): "it refuses fewer than 15 items, and uses SciPy's normal approximation if values tie",
    (
        "rank_sum",
        "scipy",
    ): "it is exact only up to 8 units per model and without ties; ours is exact up to 50 units and with "
    "ties",
    ("permutation", "scipy"): "it draws different random signs, and doubles the smaller tail",
    ("permutation", "mlxtend"): "it draws different random signs, even where all of them could be enumerated",
    (
        "corrected_t",
        "mlxtend k-fold t",
    ): "it assumes independent folds, and does not offer the corrected test",
    (
        "cluster_t",
        "statsmodels (default, normal)",
    ): "it uses a normal quantile, although few clusters call for Student's t",
    ("mcnemar", "mlxtend (corrected)"): "it divides 1 by 0 for a model and itself, so p = 0; it also uses "
    "the corrected chi² below 25 disagreements",
    ("mcnemar", "mlxtend (exact)"): "it is exact at any size; ours uses the corrected chi² from 25 "
    "disagreements",
    ("mcnemar", "statsmodels (exact)"): "it is exact at any size; ours uses the corrected chi² from 25 "
    "disagreements",
    ("mcnemar", "statsmodels (corrected)"): "it divides 1 by 0 for a model and itself, so p = 0; it also "
    "uses the corrected chi² below 25 disagreements",
    (
        "mcnemar",
        "statsmodels (uncorrected)",
    ): "it has no continuity correction, so its rate is closer to 5% and sometimes above",
    (
        "delong",
        "MLstatkit",
    ): "for a model and itself the variance is 0, so it switches to a bootstrap whose draws are all "
    "equal: p = 0",
    ("friedman", "autorank"): "it tests for normality first, and uses an ANOVA if normality is not rejected",
    (
        "anova",
        "pingouin (auto)",
    ): "it corrects by epsilon if Mauchly's test rejects; ours reports both p-values",
    (
        "model_confidence_set",
        "arch",
    ): "it draws different bootstrap samples, and does not add 1 to the counts",
}


def studies() -> list[Study]:
    """All studies, in the order of the page."""
    return [*pairs.studies(), *scorers.studies(), *tables.studies()]


def public_tests() -> list[str]:
    """The tests that `ropewalk.nhst` exports: every function."""
    return sorted(name for name in nhst.__all__ if inspect.isfunction(getattr(nhst, name)))


def measure(scale: float) -> dict[str, Any]:
    """One row for each test, setting and package, and the packages that are not installed."""
    every = studies()
    rows = [row for study in every for row in run(study, scale)]
    absent = sorted({s.module for study in every for s in study.sides if not s.installed})
    return {"rows": rows, "absent": absent}


def excess(row: Row) -> float:
    """By how many Monte Carlo errors a rate of false positives is above 5%."""
    return float((row["at_0.05"] - 0.05) / np.sqrt(0.05 * 0.95 / row["replications"]))


def null(rows: Iterable[Row], *, side: str = "ropewalk", holds: bool | None = None) -> list[Row]:
    """The rows in which the null hypothesis is true."""
    return [
        r for r in rows if not r["effect"] and r["side"] == side and (holds is None or r["holds"] == holds)
    ]


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _at(row: Row) -> str:
    return f"{_percent(row['at_0.05'])} ± {_percent(row['error'])}"


def _summary(rows: list[Row]) -> list[str]:
    out = [
        "| test | highest rate if the assumptions hold | data sets | at the 1% level | "
        "highest rate if one is violated |",
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
    """Packages whose rate of false positives differs from ours by a point or more, and by more than chance.

    Chance is judged by a sign test on the data sets for which the two conclusions differ.
    """
    out = []
    for r in rows:
        if r["peer"] and not r["effect"] and r.get("refused") != 1:
            apart = abs(r["at_0.05"] - r["ours_at_0.05"])
            if apart >= 0.01 and apart > 2 * np.sqrt(r["disagrees"] / r["replications"]):
                out.append(r)
    return out


def _peers(rows: list[Row]) -> list[str]:
    """The table of packages that differ, the reasons, and the packages that agree."""
    others = sorted(_others(rows), key=lambda r: -abs(r["at_0.05"] - r["ours_at_0.05"]))
    apart = dict.fromkeys((r["test"], r["side"]) for r in rows if r["peer"] and r["differs"])
    if not apart:
        return []
    return [
        "The table lists packages whose rate of false positives (in percent) differs from ours by a point or",
        "more. The last two columns show on how many data sets the p-values differ, and on how many one test",
        "rejects at the 5% level and the other does not.",
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
        "Why the p-values differ:",
        "",
        *(f"- `{test}`, {side}: {WHY.get((test, side), 'unknown')}." for test, side in apart),
        "",
        paragraph(f"These packages gave the same p-value as ours on every data set: {_agree(rows)}."),
        "",
        "![Type I error of peers and of ropewalk on the same draws](img/calibration/classical-peers.png)",
        "",
    ]


def _agree(rows: list[Row]) -> str:
    """The packages with the same p-value on every data set."""
    peers = dict.fromkeys((r["test"], r["side"]) for r in rows if r["peer"])
    apart = {(r["test"], r["side"]) for r in rows if r["peer"] and r["differs"]}
    return ", ".join(f"{side} (`{test}`)" for test, side in peers if (test, side) not in apart)


def _full(study: Study, rows: list[Row]) -> list[str]:
    own = [r for r in rows if r["test"] == study.test]
    sides = list(dict.fromkeys(r["side"] for r in own if not r["effect"]))
    cells = {(r["setting"], r["n"], r["side"]): r for r in own if not r["effect"]}
    out = [
        f"**`{study.test}`** claims: {study.claim}. {study.note}".rstrip(),
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
    """The power, with a line for each kind of data and effect."""
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
            "A false positive is a p-value at or below 5% although the models are equally good. A valid test",
            "has at most 5% of them. A test with fewer is conservative: exact tests on few or tied values",
            "cannot reach exactly 5%. The table has the rates of every test of `ropewalk.nhst` in percent,",
            "± one Monte Carlo error, from up to 10,000 data sets (fewer for tests that use random "
            "draws). In",
            "the last column, an assumption that the test's card names is violated.",
        ),
        "",
        *_summary(rows),
        "",
        (
            "If its assumptions hold, no test exceeds 5% by more than four Monte Carlo errors."
            if not above
            else paragraph(
                "These tests exceed 5% by more than four Monte Carlo errors although their assumptions hold:",
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
            "Power is the chance of finding a difference that exists: the share of p-values at or below 5%.",
            "The plot shows it against the sample size or the size of the difference. Dashed lines are a",
            "second version of the same test.",
        ),
        "",
        "![Power of every classical test](img/calibration/classical-power.png)",
        "",
        "### All figures",
        "",
        paragraph(
            "Each table shows false positives in percent at the 5% level. Above it is the claim that the",
            "test makes when it rejects, which is false in all of these settings. ✗ marks a setting that",
            'violates an assumption. "same" means that the package gave our p-value on every data set on',
            "which it was run (fewer than ours).",
        ),
        "",
    ]
    for study in studies():
        lines += _full(study, rows)
    return "\n".join(lines).rstrip() + "\n"


def draw(figures: dict[str, Any], folder: Path) -> None:
    """Three plots: false positives, those of other packages, and power."""
    rows = figures["rows"]
    pictures.false_claims(null(rows), folder / "classical-null.png")
    if _others(rows):
        pictures.beside(_others(rows), folder / "classical-peers.png")
    pictures.power([r for r in rows if r["effect"]], folder / "classical-power.png")
