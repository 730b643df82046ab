"""The pictures of the README and of the first page: the page of the README's first example in Chromium. `make picture`.

report.png is light, report-dark.png is dark: the site shows the one that suits its mode.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.test_docs import readme_files

WIDTH, MARGIN = 980, 16


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with contextlib.chdir(folder):
            readme_files()
        command = ["compare", "svm.csv", "forest.csv", "--rope", "0.01", "--html", "report.html"]
        subprocess.run([sys.executable, "-m", "ropewalk", *command], cwd=folder, check=True)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme, name in (("light", "report.png"), ("dark", "report-dark.png")):
            tab = browser.new_page(
                viewport={"width": WIDTH, "height": 1600}, color_scheme=scheme, device_scale_factor=1.5
            )
            tab.goto((Path(folder) / "report.html").as_uri())
            verdict = tab.get_by_text("Verdict:").first.bounding_box()
            assert verdict is not None
            seen = {"x": 0, "y": 0, "width": WIDTH, "height": verdict["y"] + verdict["height"] + MARGIN}
            tab.screenshot(path=Path(__file__).with_name(name), clip=seen)
        browser.close()


if __name__ == "__main__":
    main()
