"""What `read` takes and hands on; the sources themselves are tested in their own files."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ropewalk as rw
from ropewalk.errors import DataError, OptionError
from ropewalk.read import read

SCORES = {"svm": [0.81, 0.79, 0.84], "forest": [0.85, 0.80, 0.86]}


def test_data_that_were_read_are_returned_as_they_are() -> None:
    found = read(SCORES)
    assert read(found) is found


def test_it_is_the_public_function() -> None:
    assert rw.read is read


def test_a_word_for_missing_units_that_there_is_not() -> None:
    with pytest.raises(OptionError, match="missing"):
        read(SCORES, missing="best")  # type: ignore[arg-type]


def test_an_empty_list() -> None:
    with pytest.raises(DataError, match="there is nothing to read: the list is empty"):
        read([])


def test_the_readers_are_imported_when_something_is_read() -> None:
    """`import ropewalk` and `ropewalk --help` do without them: they are half of the package's own time."""
    code = (
        "import sys, ropewalk as rw\n"
        "assert [m for m in sys.modules if m.startswith('ropewalk.read.')] == ['ropewalk.read.read']\n"
        "rw.read({'a': [1, 0], 'b': [0, 1]})\n"
        "assert 'ropewalk.read.in_memory' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
