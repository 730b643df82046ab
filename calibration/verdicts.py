"""How often every default method gives each verdict, and how often the verdict is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from canvas import canvas
from prose import paragraph
from ropewalk.plot.style import BETTER, EQUIVALENT, HAIR, INK, QUIET, WORSE
from verdict_studies import STUDIES, Study

SEED = 1
ALLOWED = 0.05
CLEAR = 3.0  # Monte Carlo standard errors above 5% that count as more than 5%


def measure(scale: float) -> dict[str, Any]:
    return {"seed": SEED, "studies": [_measured(study, scale) for study in STUDIES]}


def _measured(study: Study, scale: float) -> dict[str, Any]:
    """The shares, as setting x size x effect x verdict."""
    replications = max(round(study.replications * scale), 20)
    shares = []
    for setting in study.settings:
        by_size = []
        for n in study.sizes:
            rng = np.random.default_rng([SEED, crc32(f"{study.method}: {study.data}, {setting}".encode()), n])
            found = study.simulate(rng, setting, n, study.effects, replications)
            by_size.append(np.round(found, 4).tolist())
        shares.append(by_size)
        at = np.array(by_size)[:, study.effects.index(study.edge), 0]
        print(
            f"verdicts: {study.method}, {study.data}, {setting}: better at the edge {at}",
            file=sys.stderr,
            flush=True,
        )
    return {
        "method": study.method,
        "data": study.data,
        "unit": study.unit,
        "settings": study.settings,
        "sizes": study.sizes,
        "effects": study.effects,
        "edge": study.edge,
        "replications": replications,
        "shares": shares,
    }


# --- what is wrong ------------------------------------------------------------------------------------------


def wrong(study: dict[str, Any]) -> NDArray[np.float64]:
    """Share of wrong verdicts, setting x size x effect.

    Up to the edge "better" and "worse" are both wrong, and the more frequent one counts, because 5% are
    allowed for each. Beyond the edge "equivalent" and "worse" are wrong, and count together.
    """
    better, equivalent, worse, _ = np.moveaxis(np.array(study["shares"]), -1, 0)
    inside = np.array(study["effects"]) <= study["edge"]
    return np.asarray(np.where(inside, np.maximum(better, worse), equivalent + worse))


def limit(study: dict[str, Any]) -> float:
    """5% plus what chance may add."""
    return float(ALLOWED + CLEAR * np.sqrt(ALLOWED * (1 - ALLOWED) / study["replications"]))


def exceeded(study: dict[str, Any]) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Each setting in which more than 5% are wrong inside the ROPE, with the largest share for each size."""
    inside = np.array(study["effects"]) <= study["edge"]
    for setting, share in zip(study["settings"], wrong(study)[:, :, inside].max(axis=2), strict=True):
        if np.any(share > limit(study)):
            yield setting, share


# --- the page -----------------------------------------------------------------------------------------------


def text(figures: dict[str, Any]) -> str:
    studies = figures["studies"]
    return "\n\n".join(["## Verdicts", _ASKED, *_overview(studies), *map(_section, studies)])


_ASKED = """\
Every default method was run on data with a known effect, with a threshold of 0.95. The effect is given as a
multiple of the edge of the ROPE: at 0 the models are equal, at 1 A is better by the largest difference that
is still practically equivalent, and above 1 A is really better. Up to the edge, "better" and "worse" are both
wrong, and the larger of the two shares counts. Beyond the edge, "equivalent" and "worse" are wrong.

There are two exceptions. `signed_rank`, and `hierarchical_t` in its second study, report the most probable
region; their edge is the shift of the population at which "better" and "equivalent" are equally probable.
Tests without a ROPE have the share of tasks that A wins as the effect, with an edge of 0.5."""


def _overview(studies: list[dict[str, Any]]) -> list[str]:
    """The settings in which more than 5% are wrong, with the shares."""
    found = [(study, *each) for study in studies for each in exceeded(study)]
    count = (
        f"We tried {sum(len(s['settings']) for s in studies)} settings. In {len(found)} of them, more "
        "than 5% "
        "of the verdicts are wrong for some effect inside or at the edge of the ROPE, by more than "
        f"{CLEAR:.0f} Monte Carlo standard errors. In most of these settings an assumption of the method is "
        "violated. The assumptions hold in the first setting of every study. There `t` is wrong slightly "
        "more often than 5%, because its default ROPE, 0.1 standard deviations, is estimated from the data: "
        "5.7% with 5 units, 5.6% with 10 and 5.1% with 1,000 (from the noncentral t distribution)."
    )
    rows = ["| method | data | setting | share of wrong verdicts |", "| --- | --- | --- | --- |"]
    for study, setting, share in found:
        cells = [
            f"{_percent(x)} at {n:,}" for n, x in zip(study["sizes"], share, strict=True) if x > limit(study)
        ]
        when = f"{', '.join(cells)} {study['unit']}"
        rows.append(f"| `{study['method']}` | {_data(study)} | {setting} | {when} |")
    return ["### Where more than 5% are wrong", paragraph(count), "\n".join(rows)]


def _section(study: dict[str, Any]) -> str:
    edge, bound, n = study["effects"].index(study["edge"]), limit(study), study["replications"]
    error = np.sqrt(ALLOWED * (1 - ALLOWED) / n)
    at_edge = [f"| setting | {' | '.join(f'{size:,}' for size in study['sizes'])} |"]
    at_edge.append("| --- |" + " --- |" * len(study["sizes"]))
    for setting, row in zip(study["settings"], wrong(study), strict=True):
        cells = (f"**{_percent(x)}**" if x > bound else _percent(x) for x in row[:, edge])
        at_edge.append(f"| {setting} | {' | '.join(cells)} |")
    said = [f"| {study['unit']} | {' | '.join(_effect(study, e) for e in study['effects'])} |"]
    said.append("| --- |" + " --- |" * len(study["effects"]))
    for size, row in zip(study["sizes"], study["shares"][0], strict=True):
        cells = (" / ".join(f"{100 * x:.0f}" for x in cell[:3]) for cell in row)
        said.append(f"| {size:,} | {' | '.join(cells)} |")
    picture = f"Wrong and right verdicts against the true effect, by setting and number of {study['unit']}"
    blocks = [
        f"### `{study['method']}`: {_data(study)}",
        f"![{picture}](img/calibration/{_file(study)})",
        f"Share of wrong verdicts at the edge, by the number of {study['unit']} ({n:,} simulations per "
        "cell; a "
        f"share of 5% has a standard error of {100 * error:.1f} points):",
        "\n".join(at_edge),
        f"Verdicts in the setting *{study['settings'][0]}*, in percent: better / equivalent / worse. The "
        "others "
        "are undecided.",
        "\n".join(said),
    ]
    return "\n\n".join(blocks)


def _data(study: dict[str, Any]) -> str:
    """The data of a study. Its random numbers depend on the stored text, which therefore stays as it is."""
    return str(study["data"]).replace(" a training run", " per training run").replace(" a task", " per task")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _effect(study: dict[str, Any], effect: float) -> str:
    return f"share {effect:g}" if study["edge"] != 1 else f"{effect:g} × the edge"


def _file(study: dict[str, Any]) -> str:
    """The name of the plot; if a method has several studies, it says on which scale they are."""
    apart = next((word for word in ("phi", "average") if word in study["data"]), "")
    words = f"{study['method']} {study['unit']} {apart}".replace(",", "").split()
    return f"verdicts-{'-'.join(words)}.png"


def draw(figures: dict[str, Any], folder: Path) -> None:
    for study in figures["studies"]:
        _draw(study, folder / _file(study))


def _draw(study: dict[str, Any], path: Path) -> None:
    """Wrong verdicts above, right ones below, against the true effect, with a line for each size."""
    from matplotlib.colors import LinearSegmentedColormap

    effects, columns = study["effects"], len(study["settings"])
    better, equivalent = (np.array(study["shares"])[..., i] for i in (0, 1))
    right = np.where(np.array(effects) <= study["edge"], equivalent, better)
    shades = LinearSegmentedColormap.from_list("sizes", [EQUIVALENT.fill, BETTER.fill, BETTER.ink])
    top = max(0.12, 1.1 * float(wrong(study).max()))
    with canvas(path, rows=2, columns=columns, size=(7.2, 3.1)) as axes:
        for k, setting in enumerate(study["settings"]):
            for ax, shares in ((axes[0, k], wrong(study)[k]), (axes[1, k], right[k])):
                for i, (size, row) in enumerate(zip(study["sizes"], shares, strict=True)):
                    ink = shades(i / max(len(study["sizes"]) - 1, 1))
                    ax.plot(effects, row, color=ink, lw=1.2, marker="o", ms=2.5, label=f"{size:,}")
                ax.axvline(study["edge"], color=HAIR, lw=0.6, ls=":")
                ax.tick_params(labelsize=7, length=2)
                shown = [e for e in effects if columns < 4 or e == int(e) or study["edge"] != 1]
                ax.set_xticks(shown, [f"{e:g}" for e in shown])
            axes[0, k].axhline(ALLOWED, color=WORSE.ink, lw=0.8)
            axes[0, k].set(ylim=(0, top))
            axes[1, k].set(ylim=(-0.03, 1.03))
            axes[0, k].set_title(_balanced(setting, 36 - 4 * columns), fontsize=8, color=INK)
            for ax in axes[:, k]:
                ax.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g}%")
                ax.label_outer()
        axes[0, 0].set_ylabel("wrong verdicts", fontsize=8)
        axes[1, 0].set_ylabel("right verdicts", fontsize=8)
        what = "true effect / edge of the ROPE" if study["edge"] == 1 else "share of tasks that A wins"
        axes[0, 0].figure.supxlabel(what, fontsize=8)
        handles, sizes = axes[0, 0].get_legend_handles_labels()
        axes[0, 0].figure.legend(
            handles,
            sizes,
            title=study["unit"].replace(" of ", "\nof "),
            loc="outside right center",
            fontsize=7,
            title_fontsize=7,
            frameon=False,
            labelcolor=QUIET,
        )


def _balanced(words: str, width: int) -> str:
    """The words on as few lines as `width` allows, with lines as short as possible."""
    words = words.replace(" %", "\u00a0%")
    lines = len(wrap(words, width))
    return "\n".join(next(found for w in range(5, width + 1) if len(found := wrap(words, w)) == lines))
