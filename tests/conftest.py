"""What several test files share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from hypothesis import settings

from reproduce import published
from ropewalk.data import Audit, Counts, TaskCounts

settings.register_profile("ropewalk", deadline=None, print_blob=True)  # machines are shared and noisy
settings.load_profile("ropewalk")

# Williams, Table 1: n00, n01, n10, n11 for eleven language pairs; A is the GNN, B the LLM.
TABLE_1 = {
    "de-en": (18, 63, 66, 183),
    "da-en": (54, 159, 198, 589),
    "es-en": (58, 175, 149, 478),
    "fr-en": (79, 180, 167, 574),
    "it-en": (36, 202, 167, 595),
    "id-en": (52, 185, 193, 570),
    "nl-en": (68, 195, 176, 561),
    "sv-en": (48, 156, 133, 423),
    "tr-en": (19, 64, 30, 103),
    "tr-de": (39, 113, 103, 298),
    "zh-en": (19, 44, 46, 92),
}


@pytest.fixture(scope="session")
def table_1() -> dict[str, tuple[int, int, int, int]]:
    return TABLE_1


@pytest.fixture(scope="session")
def languages(table_1: dict[str, tuple[int, int, int, int]]) -> Counts:
    """The same as data."""
    rows = [TaskCounts(name=k, n00=v[0], n01=v[1], n10=v[2], n11=v[3]) for k, v in table_1.items()]
    return Counts(a="GNN", b="LLM", tasks=tuple(rows), audit=Audit(paired=sum(r.n for r in rows)))


@pytest.fixture(scope="session")
def folds_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folds with the sums of those of Benavoli et al. 2017: five classifiers, 54 data sets, 10 x 10 folds."""
    return published.write_stand_in(tmp_path_factory.mktemp("published") / "five_classifiers.csv")


@pytest.fixture(scope="session")
def follows_schema() -> Callable[[dict[str, Any]], None]:
    """Hold a document against the published JSON Schema, with fields that it does not name as errors."""

    def strict(part: Any) -> Any:
        if isinstance(part, list):
            return [strict(value) for value in part]
        if not isinstance(part, dict):
            return part
        closed = {"additionalProperties": False} if "properties" in part else {}
        return {key: strict(value) for key, value in part.items()} | closed

    text = (files("ropewalk.report") / "ropewalk-1.schema.json").read_text(encoding="utf-8")
    schema = strict(json.loads(text))
    del schema["$id"]  # it names the format, and is no address to fetch from
    return fastjsonschema.compile(schema)


@pytest.fixture(scope="session", autouse=True)
def _documents_follow_the_schema(follows_schema: Callable[[dict[str, Any]], None]) -> Iterator[None]:
    """Every JSON document of the suite follows the schema."""
    from ropewalk.report import json as writer

    def checked(report: Any) -> str:
        text = render(report)
        follows_schema(json.loads(text))
        return text

    render = writer.render
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "render", checked)
        yield
