"""Simulation-based calibration: the rank of a truth drawn from the prior is uniform in its posterior."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, kolmogorov

from canvas import canvas
from prose import paragraph
from ropewalk.errors import MethodError
from ropewalk.plot.style import BAND, BETTER, HAIR, QUIET, WORSE
from sbc_models import MODELS, Model

SEED = 1
BINS = 40  # stored; the chi-square test uses half as many
LEAST = 0.001  # a smaller p-value fails
_BAND = 1.628  # of sqrt(n) times the largest deviation: the 99% quantile of Kolmogorov's distribution


def measure(scale: float) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for model in MODELS:
        places, refused = simulate(model, max(round(model.replications * scale), 20))
        for quantity, u in zip(model.quantities, places.T, strict=True):
            row = {"method": model.method, "quantity": quantity, "exact": model.exact, "refused": refused}
            rows.append(row | summary(u))
            print("sbc: " + _line(rows[-1]), file=sys.stderr, flush=True)
    return {"seed": SEED, "rows": rows}


def simulate(model: Model, replications: int) -> tuple[NDArray[np.float64], int]:
    """The places of the truth (replications x quantities), and how many data sets the method refused."""
    rng = np.random.default_rng([SEED, crc32(f"{model.method}: {model.quantities}".encode())])
    places: list[list[float]] = []
    refused = 0
    while len(places) < replications:
        try:
            places.append(list(model.pit(rng)))
        except MethodError:  # depends on the data alone, so it does not bias the ranks
            refused += 1
    return np.array(places), refused


def summary(u: NDArray[np.float64]) -> dict[str, Any]:
    """Tests of uniformity of places between 0 and 1, and the shares in the central 95% and 50%."""
    n = u.size
    counts = np.histogram(u, BINS, (0.0, 1.0))[0]
    twenty = counts.reshape(-1, 2).sum(axis=1)
    chi2 = float(np.sum((twenty - n / 20) ** 2) / (n / 20))
    x = np.sort(u)
    far = float(np.max(np.maximum(np.arange(1, n + 1) / n - x, x - np.arange(n) / n)))
    return {
        "n": n,
        "chi2_p": float(chdtrc(19, chi2)),
        # Stephens (1970): with this factor, Kolmogorov's limit holds for finite n.
        "ks_p": float(kolmogorov(far * (np.sqrt(n) + 0.12 + 0.11 / np.sqrt(n)))),
        "cover95": float(np.mean(np.abs(u - 0.5) <= 0.475)),
        "cover50": float(np.mean(np.abs(u - 0.5) <= 0.25)),
        "counts": counts.tolist(),
    }


def _line(row: dict[str, Any]) -> str:
    n = row["n"]
    cells = (
        f"`{row['method']}`",
        row["quantity"],
        f"{n:,}",
        f"{row['chi2_p']:.3f}",
        f"{row['ks_p']:.3f}",
        f"{100 * row['cover95']:.1f} ± {100 * error(0.95, n):.1f}%",
        f"{100 * row['cover50']:.1f} ± {100 * error(0.5, n):.1f}%",
    )
    return f"| {' | '.join(cells)} |"


def error(share: float, n: int) -> float:
    """The Monte Carlo standard error of a share."""
    return float(np.sqrt(share * (1 - share) / n))


def text(figures: dict[str, Any]) -> str:
    rows = figures["rows"]
    exact = [row for row in rows if row["exact"]]
    worst = min(exact, key=_p)
    far = max(exact, key=_deviation)
    refused = [f"`{r['method']}` {r['refused']:,}" for r in exact if r["refused"]]
    count = "No" if _p(worst) >= LEAST else "At least one"
    found = (
        f"{count} method of the first table fails: the smallest of its {2 * len(exact)} p-values is "
        f"{_p(worst):.2g} (`{worst['method']}`, {worst['quantity']}), and a method fails below {LEAST}. The "
        f"95% interval that is furthest off contains the truth in {100 * far['cover95']:.1f}% of cases "
        f"(`{far['method']}`, {far['quantity']}; {_deviation(far):.1f} standard errors)."
    )
    if refused:
        found += f" Data sets that a method refused were replaced: {', '.join(refused)}."
    near = "Some methods are also used on data for which their model holds only approximately:"
    drawn = [f"- `{m.method}` ({', '.join(m.quantities)}): {m.how}." for m in MODELS]
    picture = (
        "![Share of truths below each point minus the expected share, by method](img/calibration/sbc.png)"
    )
    blocks = [
        "## Posteriors",
        _ASKED,
        paragraph(found),
        picture,
        _PICTURE,
        _table(exact),
        near,
        _table([row for row in rows if not row["exact"]]),
        "### How the data were drawn",
        _DRAWN,
        "\n".join(drawn),
    ]
    return "\n\n".join(blocks)


_ASKED = """\
Draw a true value from the prior, draw data from it, and compute the posterior. If the posterior is right, a
95% interval contains the true value in 95% of such cases, and the true value is equally likely to fall into
any tenth (or twentieth) of the posterior: its rank is uniform. This is simulation-based calibration (Talts et
al. 2018, arXiv:1804.06788). The tables have the p-values of two tests of uniformity (chi-square with twenty
bins, and Kolmogorov-Smirnov, KS) and the share of 95% and 50% intervals that contained the true value, ± one
standard error."""
_PICTURE = """\
How to read the plot: each curve shows the share of true values below a point of the posterior, minus the
expected share. Of 100 curves of calibrated methods, 99 stay inside the gray band. A curve that crosses zero
in the middle means that intervals have the wrong width, and an arch means bias. Dashed curves belong to the
second table."""
_DRAWN = """\
This list is for statisticians who want to check the simulations. Nothing can be drawn from an improper
prior, so each is replaced by something that keeps the ranks uniform. A location and scale with their
invariant prior are fixed, because the posterior is calibrated at any value. A log-uniform variance ratio is
truncated at a very large value, and data sets near the truncation are discarded, based on the data alone. For
a Dirichlet process, the posterior after the first few units is used as the prior for the others."""


def _p(row: dict[str, Any]) -> float:
    return float(min(row["chi2_p"], row["ks_p"]))


def _deviation(row: dict[str, Any]) -> float:
    return float(abs(row["cover95"] - 0.95) / error(0.95, row["n"]))


def _table(rows: list[dict[str, Any]]) -> str:
    head = "| method | quantity | simulations | chi-square p | KS p | 95% interval | 50% interval |"
    return "\n".join([head, "|" + " --- |" * 7, *map(_line, rows)])


def draw(figures: dict[str, Any], folder: Path) -> None:
    """One panel for each method: the distribution function of the places minus the uniform one."""
    methods: dict[str, list[dict[str, Any]]] = {}
    for row in figures["rows"]:
        methods.setdefault(row["method"], []).append(row)
    columns = 4
    lines = -(-len(methods) // columns)
    with canvas(folder / "sbc.png", rows=lines, columns=columns, size=(7.2, 1.25 * lines + 0.2)) as axes:
        for ax, (method, rows) in zip(axes.flat, methods.items(), strict=False):
            panel(ax, rows)
            ax.set_title(method, fontsize=8)
            ax.tick_params(labelsize=7, length=2)
        for ax in list(axes.flat)[len(methods) :]:
            ax.set_visible(False)
        for ax in axes.flat:
            ax.label_outer()
        for ax in axes[-2:, :].flat:  # above an empty panel too
            ax.tick_params(labelbottom=ax.get_visible())
        axes[lines // 2, 0].set_ylabel("share below, minus expected", fontsize=8, color=QUIET)


def panel(ax: Any, rows: list[dict[str, Any]]) -> None:
    """The share of truths below each point minus the expected share, with a line for each quantity."""
    at = np.linspace(0.0, 1.0, BINS + 1)
    band = _BAND / np.sqrt(min(row["n"] for row in rows))
    ax.axhspan(-band, band, color=BAND, lw=0)
    ax.axhline(0, color=HAIR, lw=0.6)
    for row in rows:
        below = np.concatenate([[0.0], np.cumsum(row["counts"])]) / row["n"]
        ink, style = (BETTER.ink, "-") if row["exact"] else (WORSE.ink, "--")
        ax.plot(at, below - at, color=ink, ls=style, lw=1.1)
    ax.set(xlim=(0, 1), ylim=(-0.14, 0.14), yticks=[-0.1, 0, 0.1])
    ax.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
