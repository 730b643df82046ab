"""Many models: Friedman and Nemenyi, all pairs by a Bayesian test, the model confidence set, evalstats."""

from __future__ import annotations

import contextlib
import io
import itertools
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from harness import Peer, Row, Settings, beside, process, score_table, task

_NAMES = list("abcdef")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@task("scipy", quick=True)
def friedman(settings: Settings) -> Iterable[Row]:
    from scipy import stats

    from ropewalk import nhst

    for tasks, models in ((50, 6), (1_000, 100)):
        yield from beside(
            f"friedman_{models}x{tasks}",
            f"Friedman test, {models} models x {tasks:,} tasks",
            data=lambda seed, shape=(tasks, models): score_table(*shape, seed, best=0.01),
            ours=nhst.friedman,
            answer=lambda r: r.p_value,
            peers={
                "scipy": Peer(
                    package="scipy",
                    work=lambda z: stats.friedmanchisquare(*z.T),
                    answer=lambda r: r.pvalue,
                    loses="the ranks are most of the work; ours has Iman and Davenport's F as well",
                )
            },
            repeats=settings.repeats,
        )


@task("scikit_posthocs")
def nemenyi(settings: Settings) -> Iterable[Row]:
    import scikit_posthocs
    from scipy import stats

    from ropewalk import nhst

    yield from beside(
        "nemenyi_6x50",
        "Friedman test, then Nemenyi's p-values of all pairs, 6 models x 50 tasks",
        data=lambda seed: score_table(50, 6, seed),
        ours=lambda z: (nhst.friedman(z), nhst.nemenyi(z)),
        answer=lambda r: r[1].p_values,
        peers={
            "posthocs": Peer(
                package="scikit-posthocs",
                work=lambda z: (stats.friedmanchisquare(*z.T), scikit_posthocs.posthoc_nemenyi_friedman(z)),
                answer=lambda r: r[1].to_numpy(),
                within=1e-8,
                loses="both spend their time in SciPy's studentized range",
            )
        },
        repeats=settings.repeats,
    )


@task("autorank")
def nemenyi_autorank(settings: Settings) -> Iterable[Row]:
    """Its frequentist path on data that are not normal: Friedman, Nemenyi's critical difference."""
    import pandas as pd
    from autorank import autorank

    from ropewalk import nhst

    def data(seed: int) -> np.ndarray:
        z = score_table(50, 6, seed)
        z[:, 0] = np.exp(30 * (z[:, 0] - 0.8))  # far from normal, so that autorank takes the ranks
        return z

    def theirs(z: np.ndarray) -> Any:
        with quiet():
            return autorank(pd.DataFrame(z, columns=_NAMES), verbose=False)

    yield from beside(
        "nemenyi_6x50",
        "Friedman test and Nemenyi's critical difference, 6 models x 50 tasks",
        data=data,
        ours=lambda z: (nhst.friedman(z), nhst.nemenyi(z)),
        answer=lambda r: [r[0].p_value, r[1].critical_difference],
        peers={
            "autorank": Peer(
                package="autorank",
                work=theirs,
                answer=lambda r: [r.pvalue, r.cd],
                why="autorank takes the critical value from a table with three digits; ours is computed.",
            )
        },
        repeats=settings.repeats,
        note="autorank also tests for normality and gives intervals of the medians",
    )


@task("autorank")
def bayesian_autorank(settings: Settings) -> Iterable[Row]:
    """Every pair by the signed-rank test with 50,000 draws; ours gives the joint posterior too."""
    import pandas as pd
    from autorank import autorank

    from ropewalk import bayes

    pairs = list(itertools.combinations(range(6), 2))
    options = {"approach": "bayesian", "rope": 0.01, "rope_mode": "absolute", "nsamples": 50_000}

    def theirs(z: np.ndarray) -> Any:
        with quiet():
            return autorank(pd.DataFrame(z, columns=_NAMES), verbose=False, **options).posterior_matrix

    def cells(matrix: Any) -> list[float]:
        out = []
        for i, j in pairs:
            a, b = _NAMES[i], _NAMES[j]
            there = isinstance(matrix.loc[a, b], tuple)  # (the second is smaller, equal, larger)
            out += matrix.loc[a, b] if there else matrix.loc[b, a][::-1]
        return [float(p) for p in out]

    def ours(z: np.ndarray) -> list[float]:
        board = bayes.joint(z)
        board.practically_best(0.01)
        out = []
        for i, j in pairs:
            p = bayes.signed_rank(z[:, i] - z[:, j], 0.01, draws=50_000).most_probable
            out += [p.better, p.equivalent, p.worse]
        return out

    yield from beside(
        "bayesian_6x50",
        "6 models x 50 tasks: all 15 pairs by the Bayesian signed-rank test, 50,000 draws",
        data=lambda seed: score_table(50, 6, seed),
        ours=ours,
        answer=lambda p: p,
        peers={"autorank": Peer(package="autorank", work=theirs, answer=cells, within=0.02)},
        repeats=2,
        note="ours includes the joint posterior of all six; the probabilities agree within Monte Carlo error",
    )


@task("arch")
def model_confidence_set(settings: Settings) -> Iterable[Row]:
    import pandas as pd
    from arch.bootstrap import MCS

    from ropewalk import nhst

    def losses(n: int, k: int, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        return rng.normal(1, 0.5, (n, 1)) + rng.normal(0, 0.3, (n, k)) + np.linspace(0, 0.1, k)

    def theirs(given: np.ndarray, method: str) -> np.ndarray:
        found = MCS(pd.DataFrame(given), size=0.1, reps=2_000, block_size=5, method=method, seed=0)
        found.compute()
        return found.pvalues["Pvalue"].sort_index().to_numpy()

    for n, k in ((500, 8), (10_000, 20)):
        for method, statistic in (("R", "range"), ("max", "max")):
            yield from beside(
                f"mcs_{statistic}_{k}x{n}",
                f"model confidence set, {statistic} statistic, {k} models x {n:,} rows, 2,000 draws",
                data=lambda seed, shape=(n, k): losses(*shape, seed),
                ours=lambda z, statistic=statistic: nhst.model_confidence_set(
                    z, alpha=0.1, block=5, draws=2_000, statistic=statistic
                ),
                answer=lambda r: r.p_values,
                peers={
                    "arch": Peer(
                        package="arch",
                        work=lambda z, method=method: theirs(z, method),
                        within=5 * np.sqrt(2 * 0.25 / 2_000),
                        loses="the draws of the blocks, which both make, are nearly all of the time",
                    )
                },
                repeats=3,
                note="the p-values agree within the Monte Carlo error of both",
            )


@task("evalstats")
def beside_evalstats(settings: Settings) -> Iterable[Row]:
    """A table of scores of models on the same items: every pair, its difference, interval and p-value."""
    import evalstats
    import pandas as pd

    import ropewalk

    def table(items: int, models: int, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        base = rng.normal(size=(items, 1))
        z = 1 / (1 + np.exp(-base - 0.7 * rng.normal(size=(items, models)) - np.linspace(0, 0.3, models)))
        item, model = np.divmod(np.arange(z.size), models)
        return pd.DataFrame({"model": [f"m{j}" for j in model], "item": item, "score": z.ravel()})

    def theirs(given: Any) -> list[dict[str, Any]]:
        with quiet():
            found = evalstats.compare(evalstats.load_from(given), factors="model").to_dict()["pairwise"]
        return sorted(found, key=lambda row: (row["a"], row["b"]))

    def their_answer(pairs: list[dict[str, Any]]) -> list[float]:
        # Of several models its p-values are adjusted (Romano-Wolf); of two they are Wilcoxon's, like ours.
        alone = [pairs[0]["p_value"]] if len(pairs) == 1 else []
        return [row["diff"] for row in pairs] + alone

    def our_answer(report: Any) -> list[float]:
        pairs = sorted(report.comparisons, key=lambda c: (c.a, c.b))
        alone = [c.p_value for c in pairs[0].classical if c.name == "Wilcoxon"] if len(pairs) == 1 else []
        return [c.posterior.mean for c in pairs] + alone

    for items, models in ((500, 2), (500, 6), (2_000, 6)):
        yield from beside(
            f"evalstats_{models}x{items}",
            f"{models} models on {items:,} items, scores between 0 and 1: all pairs, from the table",
            data=lambda seed, shape=(items, models): table(*shape, seed),
            ours=lambda given: ropewalk.compare(given, unit="item"),
            answer=our_answer,
            peers={
                "evalstats": Peer(
                    package="evalstats",
                    work=theirs,
                    answer=their_answer,
                    loses="ours also checks the pairing and the order of the rows, and adds a robust t-test",
                )
            },
            repeats=3,
            note="the same differences"
            + (" and Wilcoxon's p-value" if models == 2 else "; ours with the joint posterior of all models"),
        )


@task()
def hundred_models(settings: Settings) -> Iterable[Row]:
    """A hundred models on fifty tasks of a thousand examples: each against the best, and the joint model."""
    code = (
        "import numpy as np, ropewalk as rw\n"
        "from ropewalk.data import Audit, Design, Scores, TaskScores\n"
        "rng = np.random.default_rng(0)\nskill = rng.normal(0, 0.1, 100)\n"
        "units = [str(i) for i in range(1000)]\n"
        "def task(t):\n"
        "    own = skill + rng.normal(0, 0.05, 100)\n"
        "    z = rng.normal(size=(1000, 1)) + own + rng.normal(size=(1000, 100))\n"
        "    return TaskScores(name=f't{t}', units=units, values=z)\n"
        "data = Scores(models=tuple(f'm{i}' for i in range(100)), tasks=tuple(map(task, range(50))),\n"
        "              metric='reward', higher_is_better=True, design=Design(unit='example'),\n"
        "              audit=Audit(paired=50_000))\n"
        "report = rw.compare(data, rope=0.05)\nassert len(report.overall) == 99\nreport.to_text()"
    )
    seconds, megabytes, _ = process(["-c", code])
    yield Row(
        name="hundred_models",
        what="100 models x 50 tasks x 1,000 examples: each against the best, joint model, report",
        figures={"seconds": seconds, "megabytes": megabytes},
        text=f"{seconds:.1f} s, {megabytes:.0f} MB peak memory",
        note="the whole process, including making the data; no other package has a joint model",
    )
