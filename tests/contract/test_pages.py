"""Files that the pages about the house name are there."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from ropewalk.cli import main

ROOT = Path(__file__).parents[2]
PLACEHOLDERS = {"x", "my_test", "test_my_test"}


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    named = set(re.findall(r"`([a-z_/]+\.py)`", (ROOT / page).read_text(encoding="utf-8")))
    missing = {
        name
        for name in named
        if Path(name).stem not in PLACEHOLDERS
        and not (ROOT / name).exists()
        and not (ROOT / "src" / "ropewalk" / name).exists()
    }
    assert len(named) > 5
    assert not missing


PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *(p for folder in ("start", "tutorials", "coming-from") for p in ROOT.glob(f"docs/{folder}/*.md")),
    *ROOT.glob("docs/_ext/*.py"),
    ROOT / "Makefile",
]
NAMED = re.compile(
    r"(?<![\w./])(?:tests|src|docs|calibration|examples|reproduce|benchmarks)/[\w./-]+\.(?:py|md|toml|json|txt|csv)\b"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_path_that_a_page_names_leads_to_a_file(page: Path) -> None:
    """A row of docs/faults.md is worth as much as the test that it names."""
    named = {name for name in NAMED.findall(page.read_text(encoding="utf-8")) if "_build" not in name}
    missing = {name for name in named if Path(name).stem not in PLACEHOLDERS and not (ROOT / name).exists()}
    assert not missing


def test_the_listing_of_the_architecture_is_the_tree() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listing = page.split("src/ropewalk/\n")[1].split("```")[0]
    listed = {line.split()[0].rstrip("/") for line in listing.splitlines()}
    there = {p.name for p in (ROOT / "src" / "ropewalk").iterdir() if p.is_dir() or p.suffix == ".py"}
    assert listed == there - {"__init__.py", "__main__.py", "__pycache__"}


def test_a_change_touches_three_files_at_most() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (an? .*) \| (.*) \|$", page.split("| change | files |")[1], flags=re.MULTILINE)
    assert len(rows) == 10
    assert all(1 <= len(files.split(", ")) <= 3 for _, files in rows)


HOPS = re.findall(
    r"^\| (\d+) \| (.*) \| .* \| (.*) \|$",
    (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)


def test_a_command_takes_ten_hops_at_most() -> None:
    assert [hop for hop, _, _ in HOPS] == [str(k + 1) for k in range(len(HOPS))]
    assert 0 < len(HOPS) <= 10


def test_the_walk_goes_through_these_files_with_these_types(tmp_path, monkeypatch) -> None:
    """The command of the page is run, and every function that returns is noted."""
    monkeypatch.chdir(tmp_path)
    for name, right in (("a", 4), ("b", 3)):
        rows = [f"{i},{i % 2},{i % 2 if i % 5 < right else 1 - i % 2}" for i in range(100)]
        Path(f"{name}.csv").write_text("\n".join(["id,truth,prediction", *rows]) + "\n")
    files, types = set(), set()

    def note(frame: FrameType, event: str, result: object) -> None:
        file, _, module = frame.f_code.co_filename.rpartition("/src/ropewalk/")
        made = frame.f_locals.get("self") if frame.f_code.co_name == "__init__" else result
        if event == "return" and (file or made is not result):
            files.add(module)
            parts = made if isinstance(made, tuple) else (made,)
            types.update(kind.__name__ for part in parts for kind in type(part).__mro__)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        with pytest.raises(SystemExit) as end:
            main(["compare", "a.csv", "b.csv", "--rope", "0.01", "--html", "r.html"])
    finally:
        sys.setprofile(before)
    assert not end.value.code
    for hop, where, passed_on in HOPS:
        assert set(re.findall(r"`([a-z_/]+\.py)`", where)) <= files, hop
        # These are predictions, and the page says what scores would be.
        assert set(re.findall(r"`([A-Z]\w+)`", passed_on)) - {"Scores"} <= types, hop
    assert Path("r.html").stat().st_size > 50_000
