"""ropewalk run: an experiment from a file, trained, recorded and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ropewalk.cli.paths import verbose_option
from ropewalk.cli.report_files import ReportFiles, deliver, report_files
from ropewalk.cli.shared_options import as_json_option
from ropewalk.cli.show import progress
from ropewalk.cli.streams import printing_to_standard_error, say
from ropewalk.errors import MissingExtraError, OptionError

if TYPE_CHECKING:
    from ropewalk.experiment import Experiment
    from ropewalk.experiment.file import ExperimentFile

_PATH = click.Path(path_type=Path)
_GAPS = 3  # most missing fits named before the report


@click.command()
@click.argument("file", type=_PATH, metavar="EXPERIMENT.toml")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Print the number of fits and the expected time, without running anything.",
)
@click.option(
    "--jobs", type=int, default=-1, metavar="N", help="Number of fits in parallel.  [default: one per core]"
)
@click.option("--dask", metavar="ADDRESS", help="Run on this Dask cluster, such as tcp://HOST:8786.")
@click.option(
    "--store",
    type=_PATH,
    metavar="DIR",
    help="Folder for the results.  [default: as in EXPERIMENT.toml, or EXPERIMENT-results next to it]",
)
@click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    help="Time limit of a single fit.  [default: as in EXPERIMENT.toml, or none]",
)
@click.option("--retry-failed", is_flag=True, help="Run failed fits again.")
@click.option("--repair", is_flag=True, help="Set aside unreadable results and compute them again.")
@click.option(
    "--allow-import",
    "allow",
    multiple=True,
    metavar="PACKAGE",
    help="Allow estimators from this package; can be repeated.",
)
@click.option(
    "--metric",
    metavar="METRIC",
    help="Metric to compare by, if there are several.  [default: as in EXPERIMENT.toml, or the first]",
)
@click.option(
    "--rope",
    metavar="X",
    help="Differences that do not matter: 0.01, -0.005,0.02, 0.1sd (standard deviations) or auto.  "
    "[default: as in EXPERIMENT.toml]",
)
@click.option(
    "--reference",
    metavar="ALGORITHM",
    help="Compare every algorithm only with this one.  [default: as in EXPERIMENT.toml]",
)
@click.option(
    "--method",
    multiple=True,
    metavar="METHOD",
    help="Method of comparison (see `ropewalk methods`); can be repeated.  [default: as in EXPERIMENT.toml]",
)
@as_json_option
@report_files
@verbose_option
def run(
    file: Path,
    dry_run: bool,
    jobs: int,
    dask: str | None,
    store: Path | None,
    timeout: float | None,
    retry_failed: bool,
    repair: bool,
    allow: tuple[str, ...],
    as_json: bool,
    out: ReportFiles,
    method: tuple[str, ...],
    verbose: bool,
    **asked: Any,
) -> None:
    """Train and compare the algorithms in EXPERIMENT.toml.

    Finished fits are saved immediately. If interrupted, the same command resumes where it stopped.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "experiments need scikit-learn", hint="pip install 'ropewalk[sklearn]'"
        ) from error
    from ropewalk.experiment.cross_validate import carry_out
    from ropewalk.experiment.file import read_experiment

    out.check([file])
    experiment = read_experiment(file, allow=allow, store=store)
    if timeout is not None:
        experiment = replace(experiment, setup=replace(experiment.setup, timeout=timeout))
    questions = {**experiment.compare, **{k: v for k, v in asked.items() if v is not None}}
    in_file = questions.pop("method", "auto")
    methods = method or ((in_file,) if isinstance(in_file, str) else tuple(in_file))
    if as_json and len(methods) > 1:
        raise OptionError(
            "--json prints a single document, but several methods were given", hint="Give a single --method."
        )
    if dry_run:
        _forecast(experiment, jobs)
        return
    if not as_json:
        say(f"{_size(experiment)}; results in {experiment.store}", err=True)
    with printing_to_standard_error():
        result = carry_out(
            experiment.setup,
            store=experiment.store,
            retry_failed=retry_failed,
            repair=repair,
            jobs=jobs,
            dask=dask,
            progress=_progress(experiment.setup.count, quiet=as_json),
            tell=lambda message: say(f"warning: {message}", err=True),
        )
    _too_few(result)
    _tell_gaps(result, questions.get("metric"))
    for i, one in enumerate(methods):
        report = result.compare(**questions, method=one, progress=progress("comparing"))
        # The files of a second method are next to those of the first, with the method in their names.
        files = out.called(one) if i else out
        title = f"--- Method {one} " + "-" * max(0, 48 - len(one)) if i else ""
        deliver(report, files, as_json=as_json, verbose=verbose, title=title)
    if report.variation and not as_json:
        from ropewalk.experiment.variation_text import variation_text

        click.echo(variation_text(report.variation, metric=report.metric))
    if out.plots and result.plan.kind in ("seeds", "sets"):
        _draw_seeds(result, questions.get("metric"), out.plots / f"seeds.{out.form}")


def _progress(count: int, *, quiet: bool) -> Callable[[Iterable[Any], int], Iterable[Any]]:
    """A progress bar over the fits, after the number of fits that are already finished."""

    def wrap(items: Iterable[Any], left: int) -> Iterable[Any]:
        if left < count and not quiet:
            rest = f"{left:,} to go" if left else "nothing left to do"
            say(f"{count - left:,} of them are already finished; {rest}", err=True)
        return progress("fitting")(items, left)

    return wrap


def _size(experiment: ExperimentFile) -> str:
    s = experiment.setup
    algorithms, datasets, splits = len(s.algorithms), len(s.datasets), s.plan.count
    what = "runs" if s.plan.kind == "sources" else "splits"
    return (
        f"{s.count:,} fits: {algorithms} algorithm{'s' if algorithms > 1 else ''} on {datasets} data "
        f"set{'s' if datasets > 1 else ''}, {splits} {what} each ({s.design})"
    )


def _too_few(result: Experiment) -> None:
    if len(result.models) < 2:
        raise OptionError(
            f"there is only one algorithm, {result.models[0]}, so there is nothing to compare",
            where=[f"its {len(result.fits):,} fits are recorded in {result.folder}"],
            hint="Add another algorithm to the file; finished fits are kept.",
        )


def _tell_gaps(result: Experiment, metric: str | None) -> None:
    """Print the fits without a score, because the first screen of a report may have no room for them."""
    from ropewalk.experiment.missing import gap_warnings

    gaps = gap_warnings(result.missing(metric))
    for text in gaps[:_GAPS]:
        say(f"warning: {text}", err=True)
    if len(gaps) > _GAPS:
        say(f"{len(gaps) - _GAPS:,} more such warnings: --verbose", err=True)


def _draw_seeds(result: Experiment, metric: str | None, file: Path) -> None:
    from ropewalk import plot
    from ropewalk.disk import write

    write(file, plot.render(result.plot_seeds(metric), file.suffix))


def _forecast(experiment: ExperimentFile, jobs: int) -> None:
    from ropewalk.experiment.cross_validate import workers
    from ropewalk.experiment.forecast import forecast

    with printing_to_standard_error():
        found = forecast(experiment.setup, experiment.store)
    many = workers(jobs)
    say(_size(experiment))
    if found.done:
        say(f"{found.done:,} of them are already in {experiment.store}")
    least = "at least " if found.at_least else ""
    say(f"{least}about {_duration(found.seconds / many)} with {many} at a time")
    for text in found.failing:
        say(f"will fail: {text}")


def _duration(seconds: float) -> str:
    """Return a duration in words."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= 1.5 * size or size == 1:
            count = max(1, round(seconds / size))
            return f"{count} {name}{'s' if count > 1 else ''}"
    raise AssertionError("seconds are the smallest unit")
