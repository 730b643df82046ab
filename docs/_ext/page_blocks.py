"""The fenced blocks of a page, and how each is executed. The site runs them; tests/test_docs.py holds the rules.

The first word after the fence says what happens, and a reader of the plain file sees an ordinary block:

- `python`: executed in the namespace of the page, in a folder of the page's own.
- `console`: each line that starts with "$ " is run in that folder. Its output is made by the build, not written here.
- `toml FILE`, `csv FILE`, `python FILE`: written into the folder as FILE.
- `python peer=NAME`, `r peer=NAME`: a call of another package. It was run by `make peers`, which keeps its output.
- anything else (`shell`, `r`, `text`, `toml` without a file, ...): not run here. `NOT_RUN` has to give the reason, and a
  page with a block that is neither run nor listed there is not built.

A comment `<!-- python ... -->` is executed and not shown. Options follow the language: `exit=1` (the exit code of the
last command), `keep=REGEX` (show these lines of the output, and "…" for the rest), `expect="a|b"` (the output has to
contain a and b, because the text around it says so), `hide` (do not show the output), `publish=FILE` (copy this file into
the site and link to it), `data` (`make peers` runs this block too).
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

NOT_RUN = {
    ("start/install", "pip install ."): "`make installed` types it",
    ("start/install", "pip install '.[sklearn]' pandas"): "`make installed` types it",
    ("experiment", "pip install '.[sklearn]'"): "`make installed` types it",
    (
        "experiment",
        "dask scheduler",
    ): "needs a cluster; tests/experiment/test_cluster.py runs it on one",
    (
        "experiment",
        "ropewalk run examples/five_algorithms.toml",
    ): "takes minutes; tests/experiment/test_file.py runs it among the proofs",
    ("experiment", "[algorithms.svm]"): "a part of a file; tests/experiment/test_file.py reads it",
    ("experiment", "threes = "): "a part of a file; tests/experiment/test_file.py reads it",
    ("experiment", 'design = "5x4x3sources"'): "tests/experiment/test_file.py reads it",
    ("formats", "lm_eval_out/"): "a listing of a folder; tests/read/formats/test_page.py reads such a folder",
    ("formats", "[project.entry-points"): "tests/read/formats/test_page.py installs it",
    ("architecture", "src/ropewalk/"): "a listing of a folder; tests/contract/test_pages.py compares it",
    (
        "in-place",
        "ropewalk compare a.parquet b.parquet --dask",
    ): "needs a cluster; tests/read/test_cluster.py runs it on one",
}
OPTIONS = ("exit", "keep", "expect", "hide", "publish", "peer", "data")
_FENCE = re.compile(r"^(?P<fence>```+|:::+)(?P<info>.*)$")


@dataclass(frozen=True)
class Block:
    """One fenced block, or one comment that is executed."""

    language: str
    file: str
    options: dict[str, str]
    body: str
    first: int  # the line of the fence, counted from 0
    last: int
    hidden: bool = False


def blocks(text: str) -> Iterator[Block]:
    """Every block of a page, first to last."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        comment = lines[at].startswith("<!-- python")
        fence = _FENCE.match(lines[at])
        if not (comment or fence):
            at += 1
            continue
        close = "-->" if comment else fence["fence"]  # type: ignore[index]
        info = lines[at].removeprefix("<!-- ") if comment else fence["info"].strip()  # type: ignore[index]
        end = next((k for k in range(at + 1, len(lines)) if lines[k].rstrip() == close), None)
        if end is None:
            raise ValueError(f"line {at + 1}: the block that starts with {lines[at]!r} does not end")
        yield _block(info, "\n".join(lines[at + 1 : end]), at, end, hidden=comment)
        at = end + 1


def _block(info: str, body: str, first: int, last: int, *, hidden: bool) -> Block:
    if info.startswith("{"):  # a directive of Sphinx
        return Block(info, "", {}, body, first, last)
    language, *rest = shlex.split(info) or [""]
    files = [word for word in rest if "=" not in word and word not in OPTIONS]
    options = dict(word.partition("=")[::2] for word in rest if word not in files)
    unknown = set(options) - set(OPTIONS)
    if unknown or len(files) > 1:
        raise ValueError(f"line {first + 1}: {info!r} is not understood")
    return Block(language, "".join(files), options, body, first, last, hidden=hidden)


def peer_calls(text: str) -> Iterator[tuple[Block, str]]:
    """Every call of another package on a page, with a hash of the code that `make peers` runs up to it."""
    run = hashlib.sha256()
    for block in blocks(text):
        if "peer" in block.options or "data" in block.options:
            run.update(f"{block.body}\n".encode())
        if "peer" in block.options:
            yield block, run.hexdigest()


def not_run(page: str, block: Block) -> str | None:
    """Why a block of commands is not run, or None."""
    return next(
        (why for (p, start), why in NOT_RUN.items() if p == page and block.body.startswith(start)), None
    )


def directives(page: str, text: str) -> str:
    """The page with its plain blocks turned into the directives of `run_blocks`."""
    lines = text.splitlines()
    for block in reversed(list(blocks(text))):
        head = _directive(page, block)
        if head:
            lines[block.first : block.last + 1] = [*head, *block.body.splitlines(), "````"]
    return "\n".join(lines) + "\n"


def _directive(page: str, block: Block) -> list[str]:
    said = {key: value for key, value in block.options.items() if key not in ("peer", "data")}
    options = [f":{key}: {json.dumps(value)}" if value else f":{key}:" for key, value in said.items()]
    if block.file:
        return [f"````{{file}} {block.file}", f":language: {block.language}"]
    if "peer" in block.options:
        return [f"````{{peer-run}} {block.options['peer']}", f":language: {block.language}"]
    if block.language == "python":
        return ["````{python-run}", *([":hide-code:"] if block.hidden else []), *options]
    if block.language == "console":
        return ["````{console}", *options]
    if not (block.language.startswith("{") or not_run(page, block)):
        raise ValueError(f"{page}: this block is not run, and NOT_RUN has no reason:\n{block.body}")
    return []
