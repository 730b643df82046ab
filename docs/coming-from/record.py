"""Run the calls of other packages that the pages here show, and keep what they print: `make peers`.

Every block `python peer=NAME` is run after the blocks `python data` before it on its page. The site shows what is kept in
recorded.json, and is not built if a call, or the data before it, has changed since.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
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
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    exec(compile(block.body, page.name, "exec"), names)  # noqa: S102  # our own page
                if "peer" in block.options:
                    peer = block.options["peer"]
                    kept = recorded.setdefault(peer, {"version": version(peer), "outputs": {}})
                    kept["outputs"][block.body] = {"prints": out.getvalue(), "run": hashes[block.first]}
                    print(f"--- {peer} {version(peer)}\n{out.getvalue()}")
    kept_text = json.dumps(recorded, indent=2, ensure_ascii=False, sort_keys=True)
    (HERE / "recorded.json").write_text(kept_text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
