"""A file that may be of a known format: its first bytes, and the rest when it is asked for."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.content import (
    SMALL,
    broken_zip,
    content,
    is_json,
    parsed_size,
    room_for_packed_values,
    room_for_values,
    room_unpacked,
)

GZIP = b"\x1f\x8b"
# File types that users often try first, and their first bytes.
_MAGIC = {
    b"PK\x03\x04": "a broken zip archive or workbook",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x93NUMPY": "a NumPy array",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
}
EXPORT = "Give CSV, TSV, Parquet or JSON lines."
_HEAD = 65_536
_CHUNK = 1 << 18  # bytes hashed at a time
_PIECE = 1 << 12  # bytes unpacked at a time
_decoded = json.JSONDecoder().decode  # json.loads would detect the encoding of every line


@dataclass(frozen=True, kw_only=True)
class File:
    """A file: `name` is its name in messages, `stem` the name of a model in it."""

    path: str
    name: str
    stem: str
    shown: str | None = None  # path in reports, if it was unpacked from an archive

    @cached_property
    def head(self) -> bytes:
        """Return the first bytes; none of a pipe, which can be read only once, or of an unreadable file.

        If the file is packed by gzip, these are the first bytes of its content.
        """
        try:
            if not Path(self.path).is_file():
                return b""
            with Path(self.path).open("rb") as stream:
                found = stream.read(_HEAD)
            return gunzip(found, _HEAD) if found.startswith(GZIP) else found
        except OSError:
            return b""

    @cached_property
    def tail(self) -> bytes:
        """Return the last bytes, where Parquet stores the names of its columns."""
        try:
            with Path(self.path).open("rb") as stream:
                stream.seek(max(0, Path(self.path).stat().st_size - _HEAD))
                return stream.read(_HEAD)
        except OSError:
            return b""

    def content(self) -> tuple[bytes, Input]:
        """Return the whole content and its hash. It is not cached: a folder of logs may exceed the memory."""
        try:
            found = content(self.path)
        except OSError as problem:
            raise ReadError(f"{short(self.name)} cannot be opened: {problem.strerror or problem}") from None
        source = Input(path=self.shown or self.path, sha256=hashlib.sha256(found).hexdigest())
        if not found.startswith(GZIP):
            return found, source
        most = room_unpacked(len(found))
        unpacked = gunzip(found, most + 1, name=self.name)
        if len(unpacked) > most:
            raise ReadError(
                f"{short(self.name)} unpacks to more than {most:,} bytes",
                hint="No table is compressed like this.",
            )
        if is_json(unpacked) and parsed_size(unpacked) > room_for_packed_values():
            raise too_much_memory(self.name, parsed_size(unpacked), hint="Unpack it first: gunzip.")
        return unpacked, source

    def source(self, *, is_text: bool = False) -> Input:
        """Hash the file without loading it whole; a text with a zero byte is binary and is not read."""
        digest = hashlib.sha256()
        try:
            with Path(self.path).open("rb") as stream:
                while part := stream.read(_CHUNK):
                    if is_text and b"\x00" in part:
                        raise ReadError(f"{short(self.name)} is a binary file, not a table of text")
                    digest.update(part)
        except OSError as problem:
            raise ReadError(f"{short(self.name)} cannot be opened: {problem.strerror or problem}") from None
        return Input(path=self.shown or self.path, sha256=digest.hexdigest())

    def json(self) -> tuple[Any, Input]:
        """Parse one JSON document."""
        found, source = self.content()
        return parse(found, self.name), source

    def json_lines(self) -> tuple[Iterator[tuple[int, dict[str, Any]]], Input]:
        """Return the objects of JSON lines, each with its line number."""
        found, source = self.content()
        return _objects(found, self.name), source


@contextmanager
def opened_zip(path: str, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; a broken one is a ReadError, whenever that shows."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except broken_zip() as problem:
        if isinstance(problem, ReadError):
            raise
        raise ReadError(
            f"{short(name)} cannot be read as a zip archive: {short(problem)}", hint="Is the file complete?"
        ) from None


def gunzip(packed: bytes, most: int, *, name: str | None = None) -> bytes:
    """Unpack at most this number of bytes from gzip; with `name`, a broken file is an error."""
    out, rest = bytearray(), memoryview(packed)
    member, whole = zlib.decompressobj(wbits=31), False
    try:
        while rest and len(out) < most:
            # Read in small pieces: the data after a member are copied, and a file may hold a million members.
            piece = rest[:_PIECE]
            out += member.decompress(piece, most - len(out))
            rest = rest[len(piece) - len(member.unused_data) :]
            whole = member.eof
            if whole:
                member = zlib.decompressobj(wbits=31)
    except zlib.error as problem:
        if name is not None:
            raise ReadError(f"{short(name)} cannot be decompressed by gzip: {short(problem)}") from None
    if name is not None and not whole and len(out) < most:
        raise ReadError(
            f"{short(name)} is compressed by gzip and incomplete", hint="Was it copied completely?"
        )
    return bytes(out)


def decoded(content: bytes, name: str) -> str:
    """Decode a text file: UTF-8, or UTF-16 with a byte order mark."""
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise ReadError(f"{short(name)} is {what}, not a table of text", hint=EXPORT)
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))  # Excel calls this encoding "Unicode text"
    if b"\x00" in content and not utf16:
        raise ReadError(f"{short(name)} is a binary file, not a table of text", hint=EXPORT)
    try:
        return content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise ReadError(
            f"{short(name)} is not UTF-8 text",
            where=[f"line {line:,}: byte 0x{content[problem.start]:02x}"],
            hint="Save it as UTF-8: iconv -f latin1 -t utf-8 OLD > NEW.",
        ) from None


def _objects(content: bytes, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    start, number = 0, 0
    while start < len(content):
        # Only a line feed ends a line: JSON strings may contain every other separator.
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        line = content[start:end]
        start, number = end + 1, number + 1
        if not line or line.isspace():
            continue
        try:
            row = _decoded(str(line, "utf-8")) if len(line) <= SMALL else None
        except (ValueError, RecursionError):
            row = None
        if row is None:  # too long, in another encoding, or broken: inspect it more closely
            row = parse(line, f"{short(name)}, line {number:,}")
        if not isinstance(row, dict):
            raise ReadError(f"{short(name)}, line {number:,}: not an object", hint="Each line must be one.")
        yield number, row


def too_much_memory(place: str, size: int, *, hint: str) -> ReadError:
    """Return the error for JSON that would take too much memory as Python values."""
    return ReadError(f"{short(place)} would take too much memory: {size:,} bytes", hint=hint)


def parse(content: bytes, place: str, most: int | None = None) -> Any:
    """Parse untrusted JSON: any problem is a ReadError.

    `most` is the number of bytes it may take as Python values, by default half of the machine's memory, which
    a small file cannot fill.
    """
    if (most is not None or len(content) > SMALL) and parsed_size(content) > (
        room_for_values() if most is None else most
    ):
        raise too_much_memory(
            place,
            parsed_size(content),
            hint="No evaluation log has that many empty values, so the file is not read further.",
        )
    try:
        return json.loads(content)
    except RecursionError:
        raise ReadError(
            f"{short(place)}: nested too deeply", hint="No evaluation tool writes this."
        ) from None
    except ValueError as error:  # also bytes that are not UTF-8, and numbers with thousands of digits
        why = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
        raise ReadError(
            f"{short(place)}: not valid JSON ({short(why)})", hint="Is the file complete?"
        ) from None


def canonical(value: Any, place: str) -> str:
    """Return text that is the same for equal values."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    except RecursionError:
        raise ReadError(
            f"{short(place)}: nested too deeply", hint="No evaluation tool writes this."
        ) from None


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def plain_number(value: Any) -> float | None:
    """Return a JSON number, true or false as a number; None for everything else.

    >>> plain_number(True), plain_number(0.5), plain_number("0.5"), plain_number([1])
    (1.0, 0.5, None, None)
    """
    if not isinstance(value, (bool, int, float)):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number with hundreds of digits
        return None


def as_dict(value: Any) -> dict[str, Any]:
    """Return a value as an object; in an untrusted file it may be anything."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a value as an array; in an untrusted file it may be anything."""
    return value if isinstance(value, list) else []
