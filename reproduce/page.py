"""Write docs/reproduced.md: every table, figure and number of the documents behind ropewalk, next to ours.

    python -m reproduce.page > docs/reproduced.md

Everything comes from the figures in reproduce/figures and calibration/figures; nothing is downloaded.
"""

from __future__ import annotations

import sys

from reproduce import benavoli, lacoste, textbook, williams
from reproduce.rows import Section

HEAD = """\
# The tables of the papers, recomputed

ropewalk implements five documents. This page has every table, figure and number that they print, what comes
out here, and why the two differ where they do. It is written by `python -m reproduce.page` from the small
tables of figures in `reproduce/figures`, and a test writes it again and compares, so that it cannot go stale.
`reproduce/sum_folds.py` makes the largest of these tables from raw cross-validation results.

An empty last column means that nothing differs beyond rounding. "Cannot be computed" means that the numbers
it needs are not printed anywhere.
"""


def sections() -> list[Section]:
    return [benavoli.section(), lacoste.section(), *williams.sections(), textbook.section()]


def page() -> str:
    return "\n".join([HEAD, *(section.text() for section in sections())])


if __name__ == "__main__":
    sys.stdout.write(page())
