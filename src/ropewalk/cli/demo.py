"""ropewalk demo: a real comparison end to end, on data that ships with scikit-learn."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import click

from ropewalk.cli.figures import draw_all
from ropewalk.cli.show import progress, show
from ropewalk.errors import MissingExtraError


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("ropewalk-demo"),
    show_default=True,
    help="Folder for predictions, report and plots.",
)
def demo(folder: Path) -> None:
    """Train four classifiers on handwritten digits and compare them.

    The demo needs scikit-learn.
    """
    import ropewalk
    from ropewalk.disk import write

    click.echo("Training four classifiers on half of scikit-learn's handwritten digits ...")
    table = _predictions()
    folder.mkdir(parents=True, exist_ok=True)
    predictions = write(folder / "predictions.csv", table)
    click.echo(f"Wrote {predictions}: the true digit and each model's prediction for the other half.")
    click.echo(f"\n$ ropewalk compare {predictions} --rope 0.01")
    report = ropewalk.compare(predictions, rope=0.01, progress=progress("comparing"))
    show(report)
    for name in ("report.json", "report.html", "report.md"):
        report.save(folder / name)
    drawn = draw_all(report, folder / "plots")
    click.echo(f"  results    {folder / 'report.json'}")
    click.echo(f"  plots      {folder / 'plots'} ({len(drawn.files)} PNG files, numbered as in the table)")
    click.echo(f"\nOpen the report in a browser: {folder / 'report.html'}")


def _predictions() -> str:
    """Return predictions of four classifiers on examples outside their training data, as CSV."""
    try:
        from sklearn.datasets import load_digits
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import train_test_split
        from sklearn.naive_bayes import GaussianNB
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC
    except ImportError as error:
        raise MissingExtraError(
            "the demo needs scikit-learn", hint="pip install 'ropewalk[sklearn]'"
        ) from error

    models: dict[str, Any] = {
        "naive_bayes": GaussianNB(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        "forest": RandomForestClassifier(n_estimators=200, random_state=0),
        "svm": make_pipeline(StandardScaler(), SVC()),
    }
    x, y = load_digits(return_X_y=True)
    rows = range(len(y))
    train, test = train_test_split(rows, test_size=0.5, random_state=0, stratify=y)
    answers = {name: model.fit(x[train], y[train]).predict(x[test]) for name, model in models.items()}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "truth", *answers])
    for k, i in enumerate(test):
        writer.writerow([i, y[i], *(answers[name][k] for name in answers)])
    return out.getvalue()
