from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.errors import ColumnError, ReadError
from ropewalk.read.csv import from_csv
from ropewalk.read.table import Table


def table(content: str) -> Table:
    return from_csv(content, name="t.csv", stem="t")


def cells(content: str) -> dict[str, list[str]]:
    return {name: column.tolist() for name, column in table(content).columns.items()}


@pytest.mark.parametrize(
    "content",
    [
        "id,a\n1,x\n2,y\n",
        "id,a\r\n1,x\r\n2,y",
        "id\ta\n1\tx\n2\ty\n",
        "id;a\n1;x\n2;y\n",
        "id|a\n1|x\n2|y\n",
        "id, a\n1, x\n2, y\n",
        '"id","a"\n"1","x"\n"2","y"\n',
        "\n\nid,a\n1,x\n2,y\n\n\n",
        "id,a\n\n1,x\n\n2,y\n",
        "id,a,\n1,x,\n2,y,\n",
        "id,a\r1,x\r2,y\r",
    ],
)
def test_ways_to_write_one_table(content: str) -> None:
    assert cells(content) == {"id": ["1", "2"], "a": ["x", "y"]}


def test_delimiters_inside_fields() -> None:
    assert cells('id;a\n1;"x;y"\n2;0,5\n') == {"id": ["1", "2"], "a": ["x;y", "0,5"]}
    assert cells("id\ttext\n1\ta,b,c\n2\td,e,f\n") == {"id": ["1", "2"], "text": ["a,b,c", "d,e,f"]}
    assert cells('id,text\n1,"two\nlines"\n2,"say ""hi"""\n')["text"] == ["two\nlines", 'say "hi"']


def test_lines_are_those_of_the_file() -> None:
    read = table('\nid,a\n1,x\n\n2,"y\nz"\n3,w\n')
    assert read.lines is not None
    assert read.lines.tolist() == [3, 5, 7]
    plain = table("\n\nid,a\n1,x\n2,y\n")
    assert plain.lines is not None
    assert plain.lines.tolist() == [4, 5]
    assert plain.places([0, 1]) == "rows 1, 2 (lines 4, 5)"
    assert plain.places([1]) == "row 2 (line 5)"


def test_blank_lines_of_one_column_are_empty_cells() -> None:
    assert cells("prediction\na\n\nb\n\n\n") == {"prediction": ["a", "", "b"]}


def test_thousands_of_columns() -> None:
    names = [f"m{i}" for i in range(3000)]
    content = ",".join(names) + "\n" + "\n".join(",".join(["0.5"] * 3000) for _ in range(5))
    assert len(table(content).columns) == 3000


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("id,a\n", ReadError, "t.csv has a header and no rows"),
        ("id,a,a\n1,2,3\n", ColumnError, 't.csv has more than one column called "a"'),
        (
            "id,a\n1,2\n3\n4,5,6\n",
            ReadError,
            r"t.csv has 2 columns, but some .*\n\n  row 2 \(line 3\): 1 fields\n  row 3 \(line 4\): 3 fields",
        ),
        (
            'id,a\n1,"2\n3,4\n',
            ReadError,
            r"unexpected end of data\n\n  line 3\n\n  Look for a quotation mark",
        ),
        ('id,a\n1,"2"x\n3,4\n', ReadError, "cannot be read as a table: ',' expected after '\"'"),
        ("0.5,0.6\n0.7,0.8\n", ReadError, "the first line of t.csv holds numbers, not names of columns"),
        ("1\n0\n", ReadError, "the first line of t.csv holds numbers"),
    ],
)
def test_bad_text(content: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        table(content)


CELL = st.text(st.sampled_from('ab1.,;"\n\r\t |é'), max_size=4)


@given(
    st.integers(1, 4).flatmap(
        lambda w: st.lists(st.lists(CELL, min_size=w, max_size=w), min_size=2, max_size=5)
    )
)
def test_what_the_standard_library_writes_is_read_back(rows: list[list[str]]) -> None:
    """Oracle: the cells themselves, written with csv.writer (all quoted, so that nothing is guessed).

    No reader keeps the spaces that a cell begins with, as not all of them see whether there were quotes.
    """
    header = [f"column {i}" for i in range(len(rows[0]))]
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    assert cells(buffer.getvalue()) == {h: [r[i].lstrip(" ") for r in rows] for i, h in enumerate(header)}


PLAIN = st.text(st.sampled_from("ab1.é-"), min_size=1, max_size=4)


@given(
    st.integers(2, 4).flatmap(
        lambda w: st.lists(st.lists(PLAIN, min_size=w, max_size=w), min_size=1, max_size=6)
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_the_fast_way_reads_the_same(rows: list[list[str]], end: str) -> None:
    """Oracle: the slow way, which a quoted header brings about."""
    header = [f"c{i}" for i in range(len(rows[0]))]
    plain = end.join(",".join(row) for row in [header, *rows])
    quoted = end.join(",".join(row) for row in [[f'"{h}"' for h in header], *rows])
    fast, slow = table(plain), table(quoted)
    for name in header:
        np.testing.assert_array_equal(fast.columns[name], slow.columns[name])
    np.testing.assert_array_equal(fast.lines, slow.lines)  # type: ignore[arg-type]


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_cell_may_be_long(quote: str) -> None:
    """The standard library stops at 131,072 characters, and its limit is that of the whole process."""
    before = csv.field_size_limit()
    table = from_csv(f"id,a\n1,{quote}{'x' * 140_000}{quote}\n", name="t.csv", stem="t")
    assert len(table.columns["a"][0]) == 140_000
    assert csv.field_size_limit() == before
