"""One comparison of every kind that a picture has to cope with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.analysis.across_tasks import compare_on_tasks
from ropewalk.analysis.one_task import compare_pair
from ropewalk.data import Design
from ropewalk.decide import RopeRequest, Rule
from ropewalk.methods.pair import Ask, Pair, TaskPairs
from ropewalk.outcomes import Outcomes
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import Differences
from ropewalk.sums import Sums

LONG_A = "meta-llama/Meta-Llama-3.1-405B-Instruct-turbo-quantized-v2.1"
LONG_B = "organisation_with_a_very_long_name/forest_of_1000_deep_trees"
assert len(LONG_A) == len(LONG_B) == 60


def normal(n: int, mean: float, sd: float) -> np.ndarray:
    """A normal sample with exactly this mean and standard deviation."""
    z = np.random.default_rng(0).standard_normal(n)
    return mean + sd * (z - z.mean()) / z.std(ddof=1)


def _ask(method: str = "auto", rope: Any = "auto", question: Any = None) -> Ask:
    return Ask(method=method, rope=RopeRequest.parse(rope), rule=Rule(), rng=0, question=question)


def _pair(evidence: Any, d: np.ndarray, **more: Any) -> Pair:
    options: dict[str, Any] = {"a": "forest", "b": "svm", "task": None, "metric": "accuracy", "points": 0.0}
    options |= {"design": Design(unit="example")} | more
    return Pair(evidence=evidence, d=d, sums=Sums.of(d), rho=options["design"].rho, ordered=False, **options)


def _scored(d: Any, **more: Any) -> Pair:
    d = np.asarray(d, dtype=np.float64)
    return _pair(Differences(d=d, mean_a=0.8, mean_b=0.8 - float(d.mean())), d, **more)


def _counted(n00: int, n01: int, n10: int, n11: int, **more: Any) -> Pair:
    d = np.repeat([0.0, -1.0, 1.0], [n00 + n11, n01, n10])
    return _pair(Outcomes(n00=n00, n01=n01, n10=n10, n11=n11), d, **more)


def scored(d: Any, *, method: str = "auto", rope: Any = "auto", **more: Any) -> Comparison:
    """A comparison of real-valued scores."""
    return compare_pair(_scored(d, **more), _ask(method, rope))


def counted(*counts: int, method: str = "auto", rope: Any = "auto", **more: Any) -> Comparison:
    """A comparison of right and wrong answers: n00, n01, n10, n11."""
    return compare_pair(_counted(*counts, **more), _ask(method, rope))


def scored_over(tasks: Any, *, method: str = "auto", rope: Any = "auto", **more: Any) -> Comparison:
    """A comparison over many tasks of real-valued scores: {task: differences}."""
    question = more.pop("question", None)
    pairs = [_scored(d, task=task, **more) for task, d in tasks.items()]
    return compare_on_tasks(TaskPairs(pairs=pairs), _ask(method, rope, question))


def counted_over(tasks: Any, *, method: str = "auto", rope: Any = "0.1sd", **more: Any) -> Comparison:
    """A comparison over many tasks of right and wrong answers: {task: (n00, n01, n10, n11)}."""
    question = more.pop("question", "next" if rope == "0.1sd" and method == "auto" else None)
    pairs = [_counted(*counts, task=task, **more) for task, counts in tasks.items()]
    return compare_on_tasks(TaskPairs(pairs=pairs), _ask(method, rope, question))


_TASKS = {"design": Design(unit="task"), "points": 0.01}
_HEAVY = np.random.default_rng(3).standard_t(1.5, 300) * 0.05 + 0.02

CASES: dict[str, Callable[[], Comparison]] = {
    "better": lambda: scored(normal(200, 0.03, 0.1), metric="log-loss", rope=0.01),
    "undecided": lambda: scored(normal(200, 0.013, 0.12), rope=0.01, task="gsm8k"),
    "equivalent": lambda: scored(normal(2000, 0.001, 0.1), rope=0.01),
    "worse": lambda: scored(normal(100, -0.05, 0.1), rope=(-0.005, 0.02)),
    "phi": lambda: counted(90, 74, 97, 939, rope="0.1sd"),
    "phi at the edge": lambda: counted(1, 0, 3, 6, rope="0.1sd"),
    "counts in scores": lambda: counted(90, 74, 97, 939, rope=0.01),
    "point": lambda: scored([0.02] * 10, rope=0.01, design=Design(unit="fold", folds=10)),
    "identical": lambda: scored([0.0] * 1200),
    "the same answers": lambda: counted(200, 0, 0, 1000),
    "identical scores": lambda: scored([0.0] * 10, rope=0.01),
    "signed rank": lambda: scored(normal(54, 0.012, 0.03), method="signed_rank", **_TASKS),
    "sign": lambda: scored(normal(54, 0.012, 0.03), method="sign", **_TASKS),
    "sign, none worse": lambda: scored(normal(12, 0.08, 0.01), method="sign", **_TASKS),
    "robust": lambda: scored(_HEAVY, rope=0.01, method="robust_t", metric="reward"),
    "heavy tails": lambda: scored(_HEAVY, rope=0.01, metric="reward"),
    "far and narrow": lambda: scored(normal(5000, 0.3, 0.02), rope=0.01),
    "sliver": lambda: scored(normal(20, 0.05, 0.5), rope=0.005, metric="rmse"),
    "no rope": lambda: scored(normal(20, 0.05, 0.5), rope=0),
    "one-sided rope": lambda: scored(normal(20, 0.05, 0.05), rope=(0.0, 0.04)),
    "two units": lambda: scored([0.01, 0.05], rope=0.01, design=Design(unit="seed")),
    "percent": lambda: scored(
        normal(100, 1.9, 3.0), points=1.0, design=Design(unit="fold", folds=10, repeats=10)
    ),
    "long names": lambda: scored(
        normal(200, 0.013, 0.12), rope=0.01, a=LONG_A, b=LONG_B, metric="m" * 60, task="t" * 60
    ),
    "long names on phi": lambda: counted(90, 74, 97, 939, a=LONG_A, b=LONG_B, rope="0.1sd"),
    "long names of shares": lambda: scored(
        normal(54, 0.012, 0.03), method="sign", a=LONG_A, b=LONG_B, **_TASKS
    ),
    "odd names": lambda: scored(
        normal(200, 0.03, 0.1), rope=0.01, a="$x_1$ {\\frac}", b="a\nb\\$%漢 " + "z" * 10_000, metric="f_$1$"
    ),
    "tiny": lambda: scored(normal(50, 3e-8, 1e-7), rope=1e-8, metric="mse"),
    "huge": lambda: scored(normal(50, 3e8, 1e9), rope=1e8, metric="cost"),
}

# Ten folds each, in percent; the last task is far from the others.
_MEANS = {"wine": 2.1, "iris": 0.2, "glass": -0.4, "sonar": 1.2, "yeast": 3.0, "credit": -12.0}
_FOLDS = {name: normal(10, mean, 1.0 + 0.3 * i) for i, (name, mean) in enumerate(_MEANS.items())}
_PERCENT = {"points": 1.0, "design": Design(unit="fold", folds=10)}
# Williams 2026, Table 1, some of it.
_PAIRS = {
    "de-en": (18, 63, 66, 183),
    "da-en": (54, 159, 198, 589),
    "es-en": (58, 175, 149, 478),
    "it-en": (36, 202, 167, 595),
    "tr-en": (19, 64, 30, 103),
    "zh-en": (19, 44, 46, 92),
}


def _subjects(n: int) -> dict[str, tuple[int, int, int, int]]:
    """Counts of n tasks with 5 to 100 disagreements."""
    random = np.random.default_rng(n)
    total = random.integers(5, 100, n)
    wrong = random.binomial(total, random.beta(8, 10, n))
    return {
        f"mmlu_subject_{i + 1}": (50, int(w), int(t - w), 200)
        for i, (w, t) in enumerate(zip(wrong, total, strict=True))
    }


def _renamed(name: str, task: str, **more: Any) -> Comparison:
    """A case with other names, without computing it again."""
    c = _case(name)
    names = [task.format(i) for i in range(c.n)]
    return replace(c, evidence=replace(c.evidence, names=names), **more)


OVER: dict[str, Callable[[], Comparison]] = {
    "tasks": lambda: scored_over(_FOLDS, question="likeliest", **_PERCENT),
    "tasks on phi": lambda: counted_over(_PAIRS, a="GNN", b="LLM"),
    "tasks by accuracy": lambda: counted_over(_PAIRS, a="GNN", b="LLM", rope="auto"),
    "54 tasks": lambda: counted_over(_subjects(54)),
    "200 tasks": lambda: counted_over(_subjects(200)),
    "long names of tasks": lambda: _renamed("tasks", "benchmark/" * 12 + "{}", a=LONG_A, b=LONG_B),
    "odd names of tasks": lambda: _renamed("tasks on phi", "$x_{}$\n\\{{漢 _", a="$x_1$", b="漢"),
    "tasks by sign": lambda: scored_over(_FOLDS, method="sign", **_PERCENT),
    "tasks by poisson_binomial": lambda: scored_over(_FOLDS, method="poisson_binomial", **_PERCENT),
}


@lru_cache
def _case(name: str) -> Comparison:
    return (CASES | OVER)[name]()


@pytest.fixture
def case() -> Callable[[str], Comparison]:
    """The comparison of a name."""
    return _case


@cache
def _drawn(name: str, kind: str, style: str = "screen") -> Any:
    return plot.draw(_case(name), kind, style=style)


@pytest.fixture
def drawn() -> Callable[..., Any]:
    """The figure of a case, drawn once for all tests of a file."""
    return _drawn


@pytest.fixture(scope="module", autouse=True)
def _figures_are_forgotten(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each takes megabytes, and time wherever Python looks for garbage."""
    yield
    for function in (_drawn, *vars(request.module).values()):
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `every` runs for all cases of one task, with `over` for those of many."""
    for fixture, names in (("every", CASES), ("over", OVER)):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, [pytest.param(name, id=name) for name in names])


@pytest.fixture(name="scored")
def _scored_fixture() -> Callable[..., Comparison]:
    return scored


@pytest.fixture(name="counted")
def _counted_fixture() -> Callable[..., Comparison]:
    return counted


@pytest.fixture(name="scored_over")
def _scored_over_fixture() -> Callable[..., Comparison]:
    return scored_over


@pytest.fixture(name="counted_over")
def _counted_over_fixture() -> Callable[..., Comparison]:
    return counted_over


@pytest.fixture
def texts() -> Callable[[Any], list[str]]:
    """All words of a figure, each as one line."""
    from matplotlib.text import Text

    def all_texts(figure: Any) -> list[str]:
        found = [t.get_text() for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        return [text.replace("\n", " ").replace("\xa0", " ") for text in found]

    return all_texts
