"""The published JSON Schema names every field of the document.

Besides the reports here, tests/conftest.py holds every document that a test of the suite renders against it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import fastjsonschema
import pytest

import ropewalk as rw


def document() -> dict[str, Any]:
    return json.loads(rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}).to_json())


def test_a_report_follows_the_schema(follows_schema: Callable[[dict[str, Any]], None]) -> None:
    follows_schema(document())


@pytest.mark.parametrize("where", [[], ["audit"], ["comparisons", 0], ["comparisons", 0, "rope"]])
def test_a_field_that_the_schema_does_not_name_is_noticed(
    where: list[Any], follows_schema: Callable[[dict[str, Any]], None]
) -> None:
    changed = document()
    part: Any = changed
    for key in where:
        part = part[key]
    part["undocumented"] = 1
    with pytest.raises(fastjsonschema.JsonSchemaValueException, match=r"undocumented|additional"):
        follows_schema(changed)


def test_a_missing_field_and_a_wrong_type_are_noticed(
    follows_schema: Callable[[dict[str, Any]], None],
) -> None:
    changed = document()
    del changed["comparisons"][0]["verdict"]
    with pytest.raises(fastjsonschema.JsonSchemaValueException, match="verdict"):
        follows_schema(changed)
    changed = document()
    changed["metric"]["higher_is_better"] = "yes"
    with pytest.raises(fastjsonschema.JsonSchemaValueException, match="higher_is_better"):
        follows_schema(changed)


def test_every_field_is_described() -> None:
    def without(part: Any, path: str) -> list[str]:
        missing = []
        for name, field in part.get("properties", {}).items():
            if "$ref" not in field and not field.get("description"):
                missing.append(f"{path}.{name}")
            missing += without(field, f"{path}.{name}") + without(field.get("items", {}), f"{path}.{name}[]")
        return missing

    from importlib.resources import files

    schema = json.loads((files("ropewalk.report") / "ropewalk-1.schema.json").read_text(encoding="utf-8"))
    assert [m for part in (schema, *schema["$defs"].values()) for m in without(part, "")] == []
