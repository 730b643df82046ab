"""Files opened in place, read as the reader of small files would read them.

No engine has to guess: the delimiter and the names come from our own reader of text, quotes
are double quotes, and every cell of a CSV file stays text until its column is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ropewalk.disk import temporary_folder
from ropewalk.errors import ReadError
from ropewalk.read.csv import Dialect, dialect
from ropewalk.read.database import database, exact_pattern, failures, first_line, quoted
from ropewalk.read.formats import File

_MEMORY = "1200MB"  # memory that DuckDB may use before it spills to disk
_PARQUET = b"PAR1"
_DATES = ("date", "time", "timestamp", "interval", "uuid")  # text that DuckDB would rewrite


def dialect_of(file: File) -> Dialect | None:
    """Return how the text of a file is split into cells; None if only the reader of whole files can tell."""
    cut = max(file.head.rfind(b"\n"), file.head.rfind(b"\r"))
    if cut < 0 or b"\x00" in file.head:
        return None
    try:
        text = file.head[: cut + 1].decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    found = dialect(text, name=file.name)
    folded = {h.casefold() for h in found.header}
    # DuckDB does not distinguish ID from id, and has no unnamed columns.
    return found if len(folded) == len(found.header) and "" not in folded else None


@contextmanager
def scanner() -> Iterator[Any]:
    """Open a DuckDB connection that spills to disk if memory runs out."""
    with (
        temporary_folder() as folder,
        database(memory_limit=_MEMORY, temp_directory=str(folder)) as connection,
    ):
        try:
            yield connection
        except failures() as problem:
            raise ReadError(
                "the files cannot be read",
                where=[first_line(problem, longest=200)],
                hint="Is the file complete, and does every row have the same columns?",
            ) from None


def scanned(connection: Any, file: File) -> Any | None:
    """Return a relation over one file; None if DuckDB would read it differently."""
    exact = exact_pattern(file.path)
    if file.head.startswith(_PARQUET):
        return connection.from_parquet(exact)
    start = file.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"[":
        return None
    if start == b"{":
        return _json(connection, exact)
    found = dialect_of(file)
    return None if found is None else csv_cells(connection, file, found)


def csv_cells(connection: Any, file: File, found: Dialect, *, spaces: bool = True) -> Any:
    """Return a relation over the cells of a CSV file, all text; `spaces` may follow delimiters."""
    columns = ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in found.header)
    # Like our reader, skip the spaces after a delimiter; a cell with only spaces is empty.
    cells = ", ".join(
        f"nullif(ltrim({quoted(name)}, ' '), '') as {quoted(name)}"
        if spaces and found.delimiter != "\t"
        else quoted(name)
        for name in found.header
    )
    # With query parameters, DuckDB before 2.0 would read the whole file at once.
    path, delimiter = (quoted(text, mark="'") for text in (exact_pattern(file.path), found.delimiter))
    return connection.sql(
        f"select {cells} from read_csv({path}, auto_detect = false, strict_mode = true, "
        f"null_padding = false, delim = {delimiter}, quote = '\"', escape = '\"', header = true, "
        f"skip = {found.skipped}, columns = {{{columns}}})"
    )


def _json(connection: Any, exact: str) -> Any | None:
    """Infer types and keys from all lines, not from the first; text that looks like a date stays text."""
    twice = connection.sql(
        "select count(*) from read_json_objects(?, format = 'newline_delimited') "
        "where len(json_keys(json)) <> len(list_distinct(json_keys(json)))",
        params=[exact],
    ).fetchall()[0][0]
    if twice:
        return None  # the other reader reports the line
    path = quoted(exact, mark="'")
    guessed = connection.sql(
        f"select * from read_json({path}, format = 'newline_delimited', sample_size = -1)"
    )
    kinds = {
        name: "VARCHAR" if str(kind).lower().startswith(_DATES) else str(kind)
        for name, kind in zip(guessed.columns, guessed.types, strict=True)
    }
    columns = ", ".join(f"{quoted(name)}: {quoted(kind, mark=chr(39))}" for name, kind in kinds.items())
    cells = ", ".join(
        f"{quoted(name)} ->> '$' as {quoted(name)}" if kind == "JSON" else quoted(name)
        for name, kind in kinds.items()
    )
    return connection.sql(
        f"select {cells} from read_json({path}, format = 'newline_delimited', columns = {{{columns}}})"
    )
