"""Run the calls of other packages that the pages here show, and keep what they print: `make peers`.

Every block `python peer=NAME` or `r peer=NAME` is run after the blocks `python data` before it on its page. The site shows what
is kept in recorded.json, and is not built if a call, or the data before it, has changed since. A call in R needs R and the
package, which pip does not install; without them what was recorded before is kept.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "_ext"))

from page_blocks import blocks, peer_calls  # noqa: E402


def main() -> None:
    recorded: dict[str, dict[str, Any]] = {}
    before = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
    os.environ.update(COLUMNS="80", NO_COLOR="1")
    warnings.simplefilter("ignore")
    for page in sorted(HERE.glob("*.md")):
        names: dict[str, Any] = {}
        text = page.read_text(encoding="utf-8")
        hashes = {block.first: digest for block, digest in peer_calls(text)}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for block in blocks(text):
                if "peer" not in block.options and "data" not in block.options:
                    continue
                peer = block.options.get("peer", "")
                if block.language == "r":
                    found = in_r(block.body, peer)
                    if found is None:
                        recorded[peer] = before[peer]
                        print(f"--- {peer} is not installed in R: its output is kept")
                        continue
                    which, prints = found
                else:
                    which = version(peer) if peer else ""
                    with contextlib.redirect_stdout(io.StringIO()) as out:
                        exec(compile(block.body, page.name, "exec"), names)  # noqa: S102  # our own page
                    prints = out.getvalue()
                if peer:
                    kept = recorded.setdefault(peer, {"version": which, "outputs": {}})
                    kept["outputs"][block.body] = {"prints": prints, "run": hashes[block.first]}
                    print(f"--- {peer} {which}\n{prints}")
    kept_text = json.dumps(recorded, indent=2, ensure_ascii=False, sort_keys=True)
    (HERE / "recorded.json").write_text(kept_text + "\n", encoding="utf-8")


def in_r(code: str, package: str) -> tuple[str, str] | None:
    """The version of a package of R, and what a call prints; None without R or the package."""
    program = shutil.which("Rscript")
    if program is None:
        return None

    def said(script: str, *, check: bool) -> str:
        command = [program, "-e", script]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=check).stdout

    which = said(f'cat(as.character(packageVersion("{package}")))', check=False)
    return (which, said(code, check=True)) if which else None


if __name__ == "__main__":
    main()
