"""DeLong's test and the bootstrap of AUROC."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

import numpy as np

from harness import Peer, Row, Settings, beside, process, span, task, timed, times, two_scorers


@task("MLstatkit")
def delong(settings: Settings) -> Iterable[Row]:
    """Statistic, p-value, both AUROCs and an interval from each; the p-value is compared."""
    from MLstatkit import Delong_test

    from ropewalk import nhst

    def ours(given: Any) -> nhst.DelongResult:
        result = nhst.delong(*given)
        result.confidence_interval(0.95)
        return result

    for digits, shown in ((None, "no ties"), (3, "scores rounded to three digits")):
        yield from beside(
            "delong_20000" if digits is None else "delong_20000_tied",
            f"DeLong's test, 20,000 rows, {shown}",
            data=lambda seed, digits=digits: two_scorers(20_000, seed, digits),
            ours=ours,
            answer=lambda r: r.p_value,
            peers={
                "mlstatkit": Peer(
                    package="MLstatkit", work=lambda g: Delong_test(*g), answer=lambda r: r[1], within=1e-7
                )
            },
            repeats=settings.repeats,
        )


@task(quick=True)
def delong_million(settings: Settings) -> Iterable[Row]:
    from ropewalk import nhst

    given = two_scorers(1_000_000, 0)
    seconds = [timed(lambda: nhst.delong(*given))[0] for _ in range(3)]
    yield Row(
        name="delong_million",
        what="DeLong's test, a million rows",
        figures={"seconds": statistics.median(seconds)},
        text=span(seconds),
        note="it sorts twice; a table of all pairs would have 10^12 cells",
    )


@task("sklearn", quick=True)
def bootstrap_auroc(settings: Settings) -> Iterable[Row]:
    """The Bayesian bootstrap of AUROC beside the obvious loop over scikit-learn's weighted roc_auc_score."""
    from sklearn.metrics import roc_auc_score

    from ropewalk import bayes

    rows, draws, loops = (20_000, 1_000, 10) if settings.quick else (100_000, 4_000, 20)
    y, a, b = two_scorers(rows, 0)

    def loop(seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        found = []
        for _ in range(loops):
            w = rng.standard_exponential(rows)
            found.append(roc_auc_score(y, a, sample_weight=w) - roc_auc_score(y, b, sample_weight=w))
        return np.array(found)

    ratios, seconds, one, sample = [], [], [], []
    for seed in range(3):
        own, posterior = timed(lambda seed=seed: bayes.bootstrap("auroc", y, a, b, draws=draws, rng=seed))
        theirs, found = timed(lambda seed=seed: loop(seed))
        seconds.append(own)
        one.append(theirs / loops)
        ratios.append(one[-1] * draws / own)
        sample.append(found)
    drawn = np.concatenate(sample)
    apart = abs(drawn.mean() - posterior.mean) / (posterior.sd / np.sqrt(drawn.size))
    _, megabytes, _ = process(
        [
            "-c",
            f"import numpy as np\nfrom ropewalk import bayes\nrng = np.random.default_rng(0)\n"
            f"y = rng.integers(0, 2, {rows})\na, b = (k * y + rng.normal(size={rows}) for k in (1.5, 1.4))\n"
            f"bayes.bootstrap('auroc', y, a, b, draws={draws})",
        ]
    )
    yield Row(
        name="bootstrap_auroc",
        what=f"Bayesian bootstrap of AUROC, {rows:,} rows x {draws:,} draws",
        peer="a loop over scikit-learn",
        figures={"ratio": statistics.median(ratios), "seconds": max(seconds), "megabytes": megabytes},
        text=f"{times(ratios)}, {span(seconds)}, {megabytes:.0f} MB peak memory",
        note=f"{span(one)} for one draw of the loop, of which {drawn.size} were timed; "
        f"the means are {apart:.1f} standard errors apart",
        differs=f"ours {posterior.mean:.6g}, the loop's {drawn.mean():.6g}" if apart > 5 else "",
    )
