"""How often each verdict is said, and how often wrongly, by every method that is picked by default."""

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
CLEAR = 3.0  # Monte Carlo standard errors beyond which 5% are exceeded


def measure(scale: float) -> dict[str, Any]:
    return {"seed": SEED, "studies": [_measured(study, scale) for study in STUDIES]}


def _measured(study: Study, scale: float) -> dict[str, Any]:
    """Shares as setting x size x effect x verdict."""
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
    """Share of wrong claims, setting x size x effect.

    Up to the edge "better" and "worse" are both wrong, and the one that is said more often counts, because
    5% are allowed to each; beyond it "equivalent" and "worse" are, together.
    """
    better, equivalent, worse, _ = np.moveaxis(np.array(study["shares"]), -1, 0)
    inside = np.array(study["effects"]) <= study["edge"]
    return np.asarray(np.where(inside, np.maximum(better, worse), equivalent + worse))


def limit(study: dict[str, Any]) -> float:
    """5% and what chance may add to them."""
    return float(ALLOWED + CLEAR * np.sqrt(ALLOWED * (1 - ALLOWED) / study["replications"]))


def exceeded(study: dict[str, Any]) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Each setting in which more than 5% are wrong inside the ROPE, with the most for each size."""
    inside = np.array(study["effects"]) <= study["edge"]
    for setting, share in zip(study["settings"], wrong(study)[:, :, inside].max(axis=2), strict=True):
        if np.any(share > limit(study)):
            yield setting, share


# --- the page -----------------------------------------------------------------------------------------------


def text(figures: dict[str, Any]) -> str:
    studies = figures["studies"]
    return "\n\n".join(["## Verdicts", _ASKED, *_overview(studies), *map(_section, studies)])


_ASKED = """\
Every default method, on data with a known effect, at a threshold of 0.95. The effect is a multiple of the
edge: 1 is the half width of the ROPE, the largest difference at which A is not practically better than B.
(`signed_rank`, and `hierarchical_t` in its second study, ask for the most probable region; their edge is the
population shift at which "better" and "equivalent" are equally probable. Tests without a ROPE use the share
of tasks that A wins instead, with an edge of 0.5.) Up to the edge, "better" and "worse" are both wrong, and
the larger of the two shares counts. Beyond it, "equivalent" and "worse" are wrong."""


def _overview(studies: list[dict[str, Any]]) -> list[str]:
    """Where 5% are exceeded, by how much, and when."""
    found = [(study, *each) for study in studies for each in exceeded(study)]
    count = (
        f"In {len(found)} of {sum(len(s['settings']) for s in studies)} settings, more than 5% of the "
        "verdicts "
        "are wrong for some effect inside or at the edge of the ROPE (by more than "
        f"{CLEAR:.0f} Monte Carlo standard errors). In the first setting of each kind of data, the "
        "assumptions "
        "of the method hold. The default ROPE of `t`, 0.1 observed standard deviations, varies with "
        "the data, "
        "so even there the rate is slightly above 5%: 5.7% with 5 units, 5.6% with 10, 5.1% with 1,000 "
        "(noncentral t)."
    )
    rows = ["| method | data | setting | share of wrong verdicts |", "| --- | --- | --- | --- |"]
    for study, setting, share in found:
        cells = [
            f"{_percent(x)} at {n:,}" for n, x in zip(study["sizes"], share, strict=True) if x > limit(study)
        ]
        when = f"{', '.join(cells)} {study['unit']}"
        rows.append(f"| `{study['method']}` | {study['data']} | {setting} | {when} |")
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
    picture = f"Wrong and right claims against the true effect, by setting and number of {study['unit']}"
    blocks = [
        f"### `{study['method']}`: {study['data']}",
        f"![{picture}](img/calibration/{_file(study)})",
        f"Wrong claims at the edge, by the number of {study['unit']} ({n:,} simulations per cell; 5% has a "
        f"standard error of {100 * error:.1f} points):",
        "\n".join(at_edge),
        f"Verdicts in the setting *{study['settings'][0]}*, better / equivalent / worse in percent:",
        "\n".join(said),
    ]
    return "\n\n".join(blocks)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _effect(study: dict[str, Any], effect: float) -> str:
    return f"share {effect:g}" if study["edge"] != 1 else f"{effect:g} × the edge"


def _file(study: dict[str, Any]) -> str:
    """Of a method that has several studies, the pictures are told apart by what they count."""
    apart = next((word for word in ("phi", "average") if word in study["data"]), "")
    words = f"{study['method']} {study['unit']} {apart}".replace(",", "").split()
    return f"verdicts-{'-'.join(words)}.png"


def draw(figures: dict[str, Any], folder: Path) -> None:
    for study in figures["studies"]:
        _draw(study, folder / _file(study))


def _draw(study: dict[str, Any], path: Path) -> None:
    """Above the wrong claims, below the right ones, against the true effect; a line for each size."""
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
        axes[0, 0].set_ylabel("wrong claims", fontsize=8)
        axes[1, 0].set_ylabel("right claims", fontsize=8)
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
    """As few lines as `width` allows, and these as short as they can be."""
    words = words.replace(" %", "\u00a0%")
    lines = len(wrap(words, width))
    return "\n".join(next(found for w in range(5, width + 1) if len(found := wrap(words, w)) == lines))
