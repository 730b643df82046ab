"""Members of a zip archive that a stranger wrote: bounded in number and size, never written to the disk."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ropewalk.errors import MissingExtraError, ReadError, short
from ropewalk.read.formats.file import File, parse

_MOST_MEMBERS = 200_000
_MOST_BYTES = 1 << 30  # of all members that are read together
_MOST_RATIO = 250  # JSON of one sentence a thousand times over packs to less than this
_SMALL = 1 << 20  # nothing that unpacks to less is a bomb


class Archive:
    """The JSON members of one archive."""

    def __init__(self, archive: Any, name: str) -> None:
        self._archive = archive
        self._name = name
        self._left = _MOST_BYTES
        self.names: tuple[str, ...] = tuple(dict.fromkeys(archive.namelist()))
        if len(archive.infolist()) > _MOST_MEMBERS:
            raise ReadError(f"{short(name)} has more than {_MOST_MEMBERS:,} members")

    def json(self, member: str) -> Any:
        """One member, the last of its name; what its header claims about its size is not believed."""
        info = self._archive.getinfo(member)
        most = min(self._left, max(_SMALL, _MOST_RATIO * info.compress_size))
        with self._archive.open(info) as stream:
            content = stream.read(most + 1)
        if len(content) > most:
            raise ReadError(
                f"{short(self._name)}: the member {short(member)} unpacks to more than {most:,} bytes",
                hint="The file is not read further: no evaluation log is packed like this.",
            )
        self._left -= len(content)
        return parse(content, f"{self._name}, {member}")


@contextmanager
def opened(file: File) -> Iterator[Archive]:
    """Open a zip archive; members may be packed with zstd where Python can unpack that."""
    module = _zipfile()
    try:
        with module.ZipFile(file.path) as archive:
            yield Archive(archive, file.name)
    except NotImplementedError:
        raise MissingExtraError(
            f"{short(file.name)} is packed with zstd, which this Python cannot unpack",
            hint="pip install backports.zstd (Python 3.14 needs nothing).",
        ) from None
    except (module.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as problem:
        if isinstance(problem, ReadError):
            raise
        raise ReadError(
            f"{short(file.name)} cannot be read as a zip archive: {short(problem)}",
            hint="Was the file written to its end?",
        ) from None


def _zipfile() -> Any:
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        return zipfile
    try:
        from backports.zstd import zipfile as with_zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return zipfile
    return with_zstd
