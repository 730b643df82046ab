"""Simulation-based calibration: a truth drawn from the prior lies anywhere in the posterior alike."""

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
BINS = 40  # kept; the chi-square test has half as many
LEAST = 0.001  # no p-value may be below
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
    """The places of the truth, replications x quantities, and how many data sets the method refused."""
    rng = np.random.default_rng([SEED, crc32(f"{model.method}: {model.quantities}".encode())])
    places: list[list[float]] = []
    refused = 0
    while len(places) < replications:
        try:
            places.append(list(model.pit(rng)))
        except MethodError:  # by a look at the data alone
            refused += 1
    return np.array(places), refused


def summary(u: NDArray[np.float64]) -> dict[str, Any]:
    """How uniform places between 0 and 1 are, and how many lie in the central 95 and 50%."""
    n = u.size
    counts = np.histogram(u, BINS, (0.0, 1.0))[0]
    twenty = counts.reshape(-1, 2).sum(axis=1)
    chi2 = float(np.sum((twenty - n / 20) ** 2) / (n / 20))
    x = np.sort(u)
    far = float(np.max(np.maximum(np.arange(1, n + 1) / n - x, x - np.arange(n) / n)))
    return {
        "n": n,
        "chi2_p": float(chdtrc(19, chi2)),
        # Stephens 1970: Kolmogorov's limit serves a finite n with this factor.
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
    found = (
        f"The smallest of {2 * len(exact)} p-values is {_p(worst):.2g} (`{worst['method']}`, "
        f"{worst['quantity']}); a test fails below {LEAST}. The 95% coverage furthest from nominal is "
        f"{100 * far['cover95']:.1f}%, "
        f"{_deviation(far):.1f} standard errors off (`{far['method']}`, {far['quantity']})."
    )
    if refused:
        found += f" Data sets that a method refused, and that were replaced: {', '.join(refused)}."
    near = "Some methods are also used where their model holds only approximately:"
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
        "### What was drawn",
        _DRAWN,
        "\n".join(drawn),
    ]
    return "\n\n".join(blocks)


_ASKED = """\
If the truth is drawn from the prior and the data from the truth, the rank of the truth within its posterior
is uniform (simulation-based calibration, Talts et al. 2018, arXiv:1804.06788). The table shows two tests of
uniformity, chi-square over twenty bins and Kolmogorov-Smirnov, and the share of 95% and 50% intervals that
contain the truth, ± one Monte Carlo standard error."""
_PICTURE = """\
The share of truths below each point of the posterior, minus the expected share. For a calibrated method, 99
of
100 curves stay within the gray band. A curve that crosses zero in the middle means intervals of the wrong
width; an arch means bias. Dashed curves are the approximate cases in the second table."""
_DRAWN = """\
An improper prior cannot be sampled, so it is replaced by something that keeps the ranks uniform. A location
and scale with their invariant prior are fixed, because the posterior is calibrated at any one value. A log-
uniform variance ratio is truncated far out, and data sets near the truncation are discarded, based on the
data alone. For a Dirichlet process, the posterior after the first few units serves as the prior for the
rest."""


def _p(row: dict[str, Any]) -> float:
    return float(min(row["chi2_p"], row["ks_p"]))


def _deviation(row: dict[str, Any]) -> float:
    return float(abs(row["cover95"] - 0.95) / error(0.95, row["n"]))


def _table(rows: list[dict[str, Any]]) -> str:
    head = "| method | quantity | simulations | chi-square p | KS p | 95% interval | 50% interval |"
    return "\n".join([head, "|" + " --- |" * 7, *map(_line, rows)])


def draw(figures: dict[str, Any], folder: Path) -> None:
    """One panel a method: the distribution function of the places minus that of uniform ones."""
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
    """How far the share of truths below each point is from what it should be, a line for each quantity."""
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
