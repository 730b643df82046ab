"""The plots of a report as files: the most used ones or all; many plots are drawn by several processes."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from ropewalk.cli.show import progress
from ropewalk.errors import OptionError, RopewalkError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.results import Report
    from ropewalk.results.comparison import Comparison

FORMATS = ("png", "svg", "pdf")
_MOST = 60  # most pairs, and most models with a reliability diagram
_LONGEST = 40  # most letters of a model's name in a file name
_USED = ("forest", "posterior")
_USED_OF_ALL = ("leaderboard", "verdict_matrix", "critical_difference")
_STEMS = {
    "verdict_matrix": "verdicts",
    "task_matrix": "models-by-tasks",
    "critical_difference": "critical-difference",
}
_SHARE = 20  # least plots per process, because starting one takes as long as ten plots


class Job(NamedTuple):
    """A plot to draw: its file name, the kind of its subject, the index of the subject, and its kind."""

    stem: str
    of: Literal["pair", "models", "reliability"]
    place: int
    kind: str


class Drawn(NamedTuple):
    """The files drawn, how many more `--all` would draw, and the number of pairs beyond the limit."""

    files: list[Path]
    more: int
    beyond: int

    def text(self, folder: Path) -> str:
        """Return a short text on what was written."""
        n = len(self.files)
        said = f"{folder} ({n} plot{'s' if n != 1 else ''}"
        if self.more:
            said += f"; {self.more} more with --all"
        if self.beyond:
            said += f"; the last {self.beyond:,} pairs are not drawn"
        return said + ")"


def draw_all(report: Report, folder: Path, *, everything: bool = False, form: str = "png") -> Drawn:
    """Draw the plots of a report into a folder.

    Parameters
    ----------
    report : Report
        What was found.
    folder : Path
        Where the files go; it is made if it does not exist.
    everything : bool, default False
        By default the leaderboard, the verdict matrix and the critical-difference diagram, and of every pair
        that is decided or was asked for its forest plot and its posterior, as far as these exist. With True
        all plots of all pairs, ranks, models by tasks and reliability diagrams as well.
    form : {"png", "svg", "pdf"}, default "png"
        Format of the files.

    Returns
    -------
    Drawn
        The plots, in the order of the report; `captions.txt` has the captions of those of pairs.

    Raises
    ------
    OptionError
        If the folder cannot be made or a file cannot be written.
    """
    from ropewalk import plot
    from ropewalk.disk import write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot create {folder}: {error.strerror}") from error
    every, used = jobs(report), jobs(report, everything=False)
    chosen = every if everything else used
    _draw(report, chosen, folder, form)
    captions = [
        f"{job.stem}.{form}: {plot.caption(report.answers[job.place], job.kind)}"
        for job in chosen
        if job.of == "pair"
    ]
    write(folder / "captions.txt", "\n\n".join(captions) + "\n")
    files = [folder / f"{job.stem}.{form}" for job in chosen]
    return Drawn(files, more=len(every) - len(chosen), beyond=max(len(report.answers) - _MOST, 0))


def jobs(report: Report, *, everything: bool = True) -> list[Job]:
    """Return the plots of a report, those of pairs first.

    With many tasks the pairs are those over all tasks, whose plots show each task as well.
    """
    from ropewalk import plot
    from ropewalk.results.report_plots import of_all_models

    found = []
    shown = report.answers[:_MOST]
    for i, c in enumerate(shown):
        # Numbered as in the report, because shortened names of two pairs may be equal.
        parts = ["overall"] if report.overall else []
        parts += [f"{i + 1:02d}"] if len(shown) > 1 else []
        parts += [f"{in_a_path(c.a)}-vs-{in_a_path(c.b)}"]
        kinds = plot.kinds(c)
        if not everything:
            kinds = [kind for kind in kinds if kind in _USED and (_asked_for(report) or _is_decided(c))]
        found += [Job("-".join([*parts, kind]), "pair", i, kind) for kind in kinds]
    together = [kind for kind in of_all_models(report) if everything or kind in _USED_OF_ALL]
    found += [Job(_STEMS.get(kind, kind), "models", 0, kind) for kind in together]
    if everything and report.probabilities:
        models = report.probabilities[0].models[:_MOST]
        found += [
            Job(f"reliability-{i + 1:02d}-{in_a_path(model)}", "reliability", i, "")
            for i, model in enumerate(models)
        ]
    return found


def in_a_path(name: str) -> str:
    """Return a model's name as part of a file name: letters, digits, and inner dots.

    >>> in_a_path("../gpt-4o (2024)"), in_a_path("模型")
    ('gpt_4o_2024', 'model')
    """
    kept = re.sub(r"[^A-Za-z0-9.]+", "_", name)[:_LONGEST].strip("._")
    return kept or "model"


def _asked_for(report: Report) -> bool:
    """Whether the user chose the pairs: there is only one, or not every pair was compared."""
    models = len({name for c in report.answers for name in (c.a, c.b)})
    return models == 2 or report.reference is not None or len(report.answers) < models * (models - 1) // 2


def _is_decided(c: Comparison) -> bool:
    return c.verdict.name != "undecided"


def _figure(report: Report, job: Job) -> Figure:
    from ropewalk import plot

    if job.of == "pair":
        return plot.draw(report.answers[job.place], job.kind)
    if job.of == "reliability":
        return report.plot_reliability(report.probabilities[0].models[job.place])
    return report.plot(job.kind)


def draw_as_everywhere() -> None:
    """Ignore a `matplotlibrc` in the working directory, which may start LaTeX, and open no window."""
    os.environ["MPLBACKEND"] = "agg"  # also if it names a backend that matplotlib does not know
    if Path("matplotlibrc").exists():
        import matplotlib as mpl

        mpl.rcdefaults()


def _write(report: Report, some: Sequence[Job], folder: Path, form: str) -> None:
    from ropewalk import plot
    from ropewalk.disk import write
    from ropewalk.plot.style import settings
    from ropewalk.threads import one_thread

    with settings(), one_thread():  # once for all processes; each gets one core
        for job in progress("drawing")(some, len(some)):
            write(folder / f"{job.stem}.{form}", plot.render(_figure(report, job), f".{form}"))


def processes(plots: int) -> int:
    """Return the number of processes for a number of plots."""
    return max(1, min(os.cpu_count() or 1, plots // _SHARE))


def _draw(report: Report, some: Sequence[Job], folder: Path, form: str) -> None:
    """Draw in this process and, if worthwhile, in others: each of k processes draws every k-th pair.

    Several plots of a pair share the posteriors of its tasks, which a process computes once.
    """
    n = processes(len(some))
    if n == 1:
        _write(report, some, folder, form)
        return
    shown = list(dict.fromkeys((job.of, job.place) for job in some))
    by = {one: k % n for k, one in enumerate(shown)}
    first, *rest = ([job for job in some if by[job.of, job.place] == k] for k in range(n))
    with ThreadPoolExecutor(n - 1) as pool:
        others = [pool.submit(_elsewhere, pickle.dumps((report, part, folder, form))) for part in rest]
        _write(report, first, folder, form)
        for other in others:
            other.result()


def _elsewhere(packed: bytes) -> None:
    """Start another process that draws."""
    # -P: never import a module from the working directory, which may hold untrusted files.
    child = subprocess.run(
        [sys.executable, "-P", "-c", "from ropewalk.cli.figures import serve; serve()"],
        input=packed,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p or str(Path.cwd()) for p in sys.path)},
        check=False,
    )
    if child.returncode:
        raise RopewalkError(
            f"a process that draws plots ended with exit code {child.returncode}",
            hint="See its message above.",
        )
    error = pickle.loads(child.stdout)  # noqa: S301  # from our own child
    if error is not None:
        raise error


def serve() -> None:
    """Run in another process: draw the plots received, and answer with the error or None."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of a library must not be read as an answer
    error = None
    draw_as_everywhere()
    try:
        _write(*pickle.load(sys.stdin.buffer))  # noqa: S301  # from our own parent
    except RopewalkError as raised:
        error = raised
    with sink:
        pickle.dump(error, sink)
