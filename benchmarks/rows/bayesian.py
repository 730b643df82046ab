"""Correlated t, signed-rank, robust t and hierarchical tests, beside baycomp and its Stan."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from harness import Peer, Row, Settings, beside, process, span, task, timed, times

_BOUNDS: dict[str, Any] = {"alpha": (1.0, 2.0), "beta": (0.01, 0.1)}  # of the prior of nu, as baycomp has it


@task("baycomp")
def correlated_t(settings: Settings) -> Iterable[Row]:
    """Ten runs of ten folds; both are exact."""
    import baycomp

    from ropewalk import bayes

    def ours(d: np.ndarray) -> list[float]:
        posterior = bayes.t(d, rho=0.1)
        better, worse = float(posterior.sf(0.001)), float(posterior.cdf(-0.001))
        return [better, 1 - better - worse, worse]

    yield from beside(
        "correlated_t_100",
        "Bayesian correlated t-test, 10 x 10 folds",
        data=lambda seed: np.random.default_rng(seed).normal(0.002, 0.01, 100),
        ours=ours,
        answer=lambda p: p,
        peers={
            "baycomp": Peer(
                package="baycomp",
                work=lambda d: baycomp.CorrelatedTTest.probs(d, np.zeros(100), rope=0.001, runs=10),
                answer=lambda p: p,
                loses="a handful of sums and two Student tails: what is left is the checking of the input",
            )
        },
        repeats=settings.repeats,
    )


@task("baycomp")
def signed_rank(settings: Settings) -> Iterable[Row]:
    import baycomp

    from ropewalk import bayes

    for units, draws, repeats in ((54, 150_000, 5), (1_000, 2_000, 3)):
        yield from beside(
            f"signed_rank_{units}",
            f"Bayesian signed-rank test, {units:,} units, {draws:,} draws",
            data=lambda seed, units=units: np.random.default_rng(seed).normal(0.15, 1.0, units),
            ours=lambda d, draws=draws: bayes.signed_rank(d, 0.1, draws=draws),
            answer=lambda r: [r.most_probable.worse, r.most_probable.equivalent, r.most_probable.better],
            peers={
                # Its left is its first argument, which is zero here: our "worse".
                "baycomp": Peer(
                    package="baycomp",
                    work=lambda d, draws=draws: baycomp.SignedRankTest.probs(
                        np.zeros(d.size), d, rope=0.1, nsamples=draws, random_state=0
                    ),
                    within=5 * np.sqrt(2 * 0.25 / draws),
                )
            },
            repeats=repeats if not settings.quick else 1,
            note="the probabilities agree within the Monte Carlo error of both",
        )


@task()
def signed_rank_memory(settings: Settings) -> Iterable[Row]:
    draws = 1_000 if settings.quick else 10_000
    code = (
        "import numpy as np\nfrom ropewalk import bayes\n"
        f"bayes.signed_rank(np.random.default_rng(0).normal(0.01, 1, 100_000), 0.1, draws={draws})"
    )
    seconds, megabytes, _ = process(["-c", code])
    yield Row(
        name="signed_rank_100000",
        what=f"Bayesian signed-rank test, 100,000 units, {draws:,} draws",
        figures={"megabytes": megabytes, "seconds": seconds},
        text=f"{megabytes:.0f} MB peak memory, {seconds:.1f} s",
        note="memory does not grow with the draws; baycomp would need 80 GB for 100,000 x 100,000 products",
    )


@task(quick=True)
def robust_t(settings: Settings) -> Iterable[Row]:
    from ropewalk import bayes

    d = np.random.default_rng(0).standard_t(3, 1_000_000) + 0.01
    seconds = [timed(lambda: bayes.robust_t(d))[0] for _ in range(3)]
    yield Row(
        name="robust_t_million",
        what="Bayesian robust t-test, a million differences",
        figures={"seconds": statistics.median(seconds)},
        text=span(seconds),
        note="no other package integrates it exactly",
    )


def many_tasks(tasks: int, units: int) -> list[np.ndarray]:
    """Tasks of one population: means around 0.01, each with its own spread."""
    rng = np.random.default_rng(tasks * units)
    means, spreads = 0.01 + 0.02 * rng.standard_t(5, tasks), rng.uniform(0.01, 0.05, tasks)
    return [m + s * rng.normal(size=units) for m, s in zip(means, spreads, strict=True)]


def nbc_and_aode() -> tuple[np.ndarray, str]:
    """Accuracy differences, 54 data sets x 100 folds, with the sums of those of Benavoli et al. (2017)."""
    from reproduce import published

    a, b = (published.CLASSIFIERS.index(name) for name in ("nbc", "aode"))
    folds = np.stack([published.stand_in(data) / 100 for data in published.data_sets()])
    return folds[:, :, a] - folds[:, :, b], "nbc and aode on 54 data sets x 100 folds"


@task("baycomp", "stan")
def hierarchical_stan(settings: Settings) -> Iterable[Row]:
    """baycomp with PyStan once, up to a limit of time; ropewalk before and after it."""
    from ropewalk import bayes

    d, what = nbc_and_aode()

    def ours() -> Any:
        return (
            bayes.hierarchical_t(list(d), rho=0.1, constant="benavoli2017", rope=0.01, **_BOUNDS)
            .next_task(0.01)
            .most_probable
        )

    ours()
    runs = [timed(ours) for _ in range(3)]
    # baycomp writes a pickle into the working directory, so it runs in one of its own.
    np.save(settings.folder / "tasks.npy", d)
    code = (
        "import json, numpy as np\nfrom baycomp.multiple import HierarchicalTest, Posterior\n"
        "d = np.load('tasks.npy')\n"
        # Its sampler's own 4 x 10,000 draws; HierarchicalTest.probs takes five times as many and as long.
        "p = Posterior(HierarchicalTest.sample(d, np.zeros_like(d), 0.01, runs=10)).probs(True)\n"
        "print('ANSWER', json.dumps([float(v) for v in p]))"
    )
    start, theirs = time.perf_counter(), None
    run = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=settings.folder,
        start_new_session=True,  # its chains are processes of their own, and have to end with it
    )
    try:
        said, _ = run.communicate(timeout=settings.stan_limit)
        theirs = json.loads(said.split("ANSWER")[1])
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    taken = time.perf_counter() - start
    runs += [timed(ours) for _ in range(3)]
    ratios, p = [taken / t for t, _ in runs], runs[0][1]
    differs = ""
    note = f"{span([t for t, _ in runs])} against {taken:.0f} s, including compilation"
    if theirs is None:
        note = f"Stan was stopped after {taken:.0f} s without an answer, so the ratio is a lower bound"
    else:
        # baycomp's first is the left one practically larger: our "better".
        gaps = [abs(x - y) for x, y in zip((p.better, p.equivalent, p.worse), theirs, strict=True)]
        note += f"; the probabilities are {max(gaps):.3f} apart"
        if max(gaps) > 0.02:  # Stan's own Monte Carlo error is up to 0.01
            differs = f"ours {p.better:.3f} / {p.equivalent:.3f} / {p.worse:.3f}, Stan's " + " / ".join(
                f"{v:.3f}" for v in theirs
            )
    yield Row(
        name="hierarchical_t_stan",
        what=f"hierarchical t-test, {what}; Stan with 4 chains of 10,000 draws",
        peer="baycomp 1.0.3 with PyStan 3.10.0",
        figures={"ratio": statistics.median(ratios), "seconds": statistics.median(t for t, _ in runs)},
        text=times(ratios),
        note=note,
        differs=differs,
    )


@task(quick=True)
def hierarchical_units(settings: Settings) -> Iterable[Row]:
    """The cost does not depend on the units of a task once their sums are taken."""
    from ropewalk import bayes
    from ropewalk.sums import Sums

    few, many = ([Sums.of(x) for x in many_tasks(54, k)] for k in (100, 100_000))
    ratios = []
    for _ in range(3):
        one, other = (timed(lambda d=d: bayes.hierarchical_t(d, rho=0.1))[0] for d in (few, many))
        ratios.append(other / one)
    yield Row(
        name="hierarchical_t_units",
        what="hierarchical t-test, 54 tasks: 100,000 units per task against 100, from their sums",
        figures={"ratio_of_times": statistics.median(ratios)},
        text=f"{statistics.median(ratios):.2f} times the cost",
        note="only n, mean and M2 of each task are used",
    )
