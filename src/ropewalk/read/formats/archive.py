"""Members of an untrusted zip archive: bounded in number and size, never written to the disk."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ropewalk.errors import MissingExtraError, ReadError, short
from ropewalk.read.content import parsed_size, room_for_packed_values, room_unpacked
from ropewalk.read.formats.file import File, opened_zip, parse

_MOST_MEMBERS = 200_000
_MOST_BYTES = 1 << 30  # limit for all members that are read together
_ZSTD = 93  # number of the compression method in a zip file
_MOST_FRAMES = 100  # each frame costs a copy of the rest
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTD)
_LOCAL = 30  # bytes of a member's local header, which ends with the lengths of its name and extra field


@dataclass(slots=True)
class Room:
    """Bytes left for the values of all archives in one call."""

    left: int = field(default_factory=room_for_packed_values)


class Archive:
    """The JSON members of one archive."""

    def __init__(self, archive: zipfile.ZipFile, name: str, room: Room) -> None:
        self._archive = archive
        self._name = name
        self._left = _MOST_BYTES
        self._room = room
        self.names: tuple[str, ...] = tuple(dict.fromkeys(archive.namelist()))
        if len(archive.infolist()) > _MOST_MEMBERS:
            raise ReadError(f"{short(name)} has more than {_MOST_MEMBERS:,} members")

    def json(self, member: str, *, keep: Sequence[str] | None = None) -> Any:
        """Parse one member, the last with this name, without trusting the size in its header.

        Only the entries in `keep` of an object stay in memory. The total over all members is limited.
        """
        info = self._archive.getinfo(member)
        if info.compress_type not in _METHODS:
            raise ReadError(
                f"{short(self._name)}: the member {short(member)} is compressed by method "
                f"{info.compress_type}",
                hint="Evaluation logs are compressed by deflate or zstd.",
            )
        most = min(self._left, room_unpacked(info.compress_size))
        if info.compress_type == _ZSTD:
            content = _unpacked(self._packed(info, most), most + 1, self._name)
            if len(content) <= most and zlib.crc32(content) != info.CRC:
                raise zipfile.BadZipFile(f"bad CRC-32 of the member {short(member)}")
        else:
            with self._archive.open(info) as stream:
                content = stream.read(most + 1)
        if len(content) > most:
            raise ReadError(
                f"{short(self._name)}: the member {short(member)} unpacks to more than {most:,} bytes",
                hint="No evaluation log is compressed like this, so the file is not read further.",
            )
        self._left -= len(content)
        value = parse(content, f"{self._name}, {member}", self._room.left)
        if keep is not None and isinstance(value, dict):
            value = {key: value[key] for key in keep if key in value}
            content = json.dumps(value).encode()
        self._room.left -= parsed_size(content)
        return value

    def _packed(self, info: zipfile.ZipInfo, most: int) -> bytes:
        """Return the packed bytes of a member, at most `most`."""
        stream: Any = self._archive.fp
        stream.seek(info.header_offset)
        head = stream.read(_LOCAL)
        if len(head) < _LOCAL or info.flag_bits & 1:
            raise zipfile.BadZipFile("a member is cut short or encrypted")
        name, extra = (int.from_bytes(head[i : i + 2], "little") for i in (26, 28))
        stream.seek(name + extra, 1)
        packed: bytes = stream.read(min(info.compress_size, most))
        return packed


@contextmanager
def opened(file: File, room: Room) -> Iterator[Archive]:
    """Open a zip archive whose values share `room` with other archives."""
    with opened_zip(file.path, file.name) as archive:
        yield Archive(archive, file.name, room)


def _unpacked(packed: bytes, most: int, name: str) -> bytes:
    """Unpack zstd data frame by frame, at most `most` bytes.

    The standard zipfile module unpacks everything that a piece of the file contains, whatever size is
    requested: 4 kB can become 130 MB.
    """
    zstd = _zstd()
    if zstd is None:
        raise MissingExtraError(
            f"{short(name)} is compressed with zstd, which this Python cannot decompress",
            hint="pip install backports.zstd (Python 3.14 needs nothing).",
        )
    out = b""
    for _ in range(_MOST_FRAMES):
        if not packed or len(out) >= most:
            return out
        frame = zstd.ZstdDecompressor()
        try:
            out += frame.decompress(packed, max_length=most - len(out))
        except zstd.ZstdError as problem:
            raise zipfile.BadZipFile(short(problem)) from None
        if not frame.eof and len(out) < most:
            raise zipfile.BadZipFile("a member ends before its data do")
        packed = frame.unused_data
    raise zipfile.BadZipFile(f"a member has more than {_MOST_FRAMES} frames")


def _zstd() -> Any:
    """Return the module that unpacks zstd; None if there is none."""
    from importlib import import_module

    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    return None
