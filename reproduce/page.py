"""Write docs/reproduced.md: every table, figure and number of the documents behind ropewalk, next to ours.

    python -m reproduce.page > docs/reproduced.md

Everything comes from the figures in reproduce/figures and calibration/figures; nothing is downloaded.
"""

from __future__ import annotations

import sys

from reproduce import benavoli, lacoste, textbook, williams
from reproduce.rows import Section

HEAD = """\
# Reproduced tables

ropewalk implements the methods of five documents. This page lists every table, figure and number in them, our
result, and the reason for any difference. `python -m reproduce.page` writes it from the small tables in
`reproduce/figures`, and a test writes it again and compares, so it cannot go out of date.
`reproduce/sum_folds.py` makes the largest of these tables from raw cross-validation results.

An empty last column means that nothing differs beyond rounding. "Cannot be computed" means that the required
numbers are not published.
"""


def sections() -> list[Section]:
    return [benavoli.section(), lacoste.section(), *williams.sections(), textbook.section()]


def page() -> str:
    return "\n".join([HEAD, *(section.text() for section in sections())])


if __name__ == "__main__":
    sys.stdout.write(page())
