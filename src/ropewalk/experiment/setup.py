"""The setup of an experiment: algorithms, data sets, splits and metrics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ropewalk.errors import OptionError, listed, short
from ropewalk.experiment.algorithms import Algorithm
from ropewalk.experiment.datasets import Dataset
from ropewalk.experiment.splits import Split, SplitPlan
from ropewalk.experiment.work import Calibrate, Work
from ropewalk.metrics import Metric, metric_for
from ropewalk.version import VERSION

_CLASSES, _NUMBERS = ("labels", "scores", "probabilities"), ("numbers",)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """Everything that determines the results of an experiment, and nothing else."""

    algorithms: tuple[Algorithm, ...]
    datasets: tuple[Dataset, ...]
    design: str
    stratified: bool = True
    metrics: tuple[str, ...]
    seed: int = 0
    calibrate: Calibrate = "auto"
    keep: bool = False
    timeout: float = 0.0

    def __post_init__(self) -> None:
        for what, found in (("algorithm", self.algorithms), ("data set", self.datasets)):
            names = [x.name for x in found]
            if not names:
                raise OptionError(f"there is no {what}", hint=f"Give at least one {what}.")
            if any(not isinstance(n, str) or not n for n in names):
                raise OptionError(f"the names {listed(names)} are not all text", hint=f"Name every {what}.")
            if len(set(names)) < len(names):
                twice = next(n for n in names if names.count(n) > 1)
                raise OptionError(
                    f'two {what}s are called "{short(twice)}"', hint="Give them different names."
                )
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise OptionError(f"seed is {short(self.seed)}", hint="Give a whole number, such as 0.")
        if self.calibrate not in ("auto", "platt", "none"):
            raise OptionError(
                f"calibrate is {short(self.calibrate)}",
                hint='Give "platt" (every algorithm), "auto" (those without probabilities where a metric '
                'needs\nthem) or "none".',
            )
        limit = self.timeout
        if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not 0 <= limit < 1e9:
            raise OptionError(f"timeout is {short(limit)}", hint="Give seconds for one fit; 0: no limit.")
        _check_metrics(self.metrics)
        for data in self.datasets:
            data.check_classes() if self.classes else data.check_numbers()
        self.plan  # noqa: B018  # a bad design fails now

    @property
    def plan(self) -> SplitPlan:
        return SplitPlan.parse(self.design, stratified=self.stratified)

    @property
    def classes(self) -> bool:
        """Whether classes are predicted, and not numbers."""
        return metric_for(self.metrics[0]).takes in _CLASSES

    @property
    def count(self) -> int:
        """Return the number of fits."""
        return len(self.algorithms) * len(self.datasets) * self.plan.count

    def splits(self, data: Dataset) -> Iterator[Split]:
        """Return the splits of a data set, the same for every algorithm."""
        codes = data.codes if self.classes else None
        return self.plan.splits(data.n, classes=codes, groups=data.groups, seed=self.seed, name=data.name)

    def work(self) -> Iterator[tuple[Dataset, Work]]:
        """Yield every fit: the first split of every data set, then the second, ...

        In this order, half of the run is half of everything. The remaining time can be estimated well, and
        the results of a stopped run can be compared.
        """
        for splits in zip(*map(self.splits, self.datasets), strict=True):
            for data, split in zip(self.datasets, splits, strict=True):
                for algorithm in self.algorithms:
                    yield (
                        data,
                        Work(
                            algorithm=algorithm,
                            task=data.name,
                            data=data.digest,
                            split=split,
                            metrics=self.metrics,
                            labels=data.labels if self.classes else None,
                            calibrate=self.calibrate,
                            keep=self.keep,
                            timeout=self.timeout,
                        ),
                    )

    def manifest(self) -> dict[str, Any]:
        """Return the experiment as JSON, with which a results folder must agree."""
        import sklearn

        return {
            "design": self.design,
            "stratified": self.stratified,
            "seed": self.seed,
            "metrics": list(self.metrics),
            "calibrate": self.calibrate,
            "keep": self.keep,
            "algorithms": {a.name: {"digest": a.digest, "made of": a.described} for a in self.algorithms},
            "datasets": {
                d.name: {
                    "digest": d.digest,
                    "rows": d.n,
                    "classes": list(d.classes) if self.classes else None,
                }
                for d in self.datasets
            },
            "versions": {"ropewalk": VERSION, "scikit-learn": sklearn.__version__},
        }


def _check_metrics(names: tuple[str, ...]) -> None:
    if not names:
        raise OptionError("there is no metric", hint='Give at least one: metrics = ["accuracy"].')
    found: dict[str, Metric] = {}
    for name in names:
        metric = metric_for(name)
        if not isinstance(name, str) or metric.takes not in (*_CLASSES, *_NUMBERS):
            raise OptionError(
                f'the metric "{short(metric.name)}" needs more than a prediction for each row',
                hint="Keep the predictions, and compute it afterwards: compare(predictions, metric=...).",
            )
        if metric.name in [m.name for m in found.values()]:
            raise OptionError(f'the metric "{short(name)}" is given twice', hint="Give it once.")
        found[name] = metric
    kinds = {name: m.takes in _NUMBERS for name, m in found.items()}
    if len(set(kinds.values())) > 1:
        of_classes = listed([n for n, number in kinds.items() if not number])
        raise OptionError(
            "metrics for classes and metrics for numbers were both given",
            where=[f"of classes: {of_classes}", f"of numbers: {listed([n for n, x in kinds.items() if x])}"],
            hint="An experiment predicts either classes or numbers.",
        )
