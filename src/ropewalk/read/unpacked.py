"""A zip archive of a folder of logs, unpacked into a folder of its own for as long as it is read."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

from ropewalk.disk import temporary_folder
from ropewalk.errors import ReadError, short
from ropewalk.read.content import is_json, parsed_size, room_for_packed_values, room_unpacked
from ropewalk.read.formats.file import opened_zip, too_much_memory

_ZIP = b"PK\x03\x04"
_MOST_MEMBERS = 100_000
_CHUNK = 1 << 20


@contextmanager
def unpacked(paths: Sequence[str]) -> Iterator[dict[str, str]]:
    """Unpack archives of folders: the folder with their content, and the name to show for it."""
    with ExitStack() as stack:
        found: dict[str, str] = {}
        for path in paths:
            if is_folder_archive(path):
                folder = stack.enter_context(temporary_folder()).resolve()
                _extract(path, folder)
                found[path] = str(folder)
        yield found


def is_folder_archive(path: str) -> bool:
    """Whether it is a zip archive that is neither an inspect_ai log nor a workbook."""
    if Path(path).suffix.lower() != ".zip" or not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(len(_ZIP)) == _ZIP


def top_folder(root: str) -> str:
    """Return the folder that was packed: archives often contain nothing else."""
    folder = Path(root)
    while len(entries := list(folder.iterdir())) == 1 and entries[0].is_dir():
        (folder,) = entries
    return str(folder)


def _extract(path: str, folder: Path) -> None:
    """Extract every member below the folder: no links, no path outside it, limited in size."""
    with opened_zip(path, path) as archive:
        members = [m for m in archive.infolist() if m.filename and not m.is_dir()]
        if len(members) > _MOST_MEMBERS:
            raise ReadError(f"{short(path)} has more than {_MOST_MEMBERS:,} files")
        left = room_unpacked(Path(path).stat().st_size)
        values = 0  # bytes that the JSON files take as Python values
        for member in members:
            name = PurePosixPath(member.filename.replace("\\", "/"))
            drive = any(PureWindowsPath(part).drive for part in name.parts)
            if drive or name.is_absolute() or ".." in name.parts or "\x00" in member.filename:
                raise ReadError(
                    f"{short(path)}: the member {short(member.filename)} points outside the archive"
                )
            if any(part.startswith((".", "__MACOSX")) for part in name.parts):
                continue  # not read from folders either
            target = folder.joinpath(*name.parts)
            left -= _written(archive, member, target, left, path)
            values += _values(target)
            if values > room_for_packed_values():
                raise too_much_memory(path, values, hint="Unpack it first, and give the folder.")


def _values(path: Path) -> int:
    """Return the bytes that a file takes as Python values, if it is JSON."""
    with path.open("rb") as file:
        part = file.read(_CHUNK)
        if not is_json(part):
            return 0
        size = 0
        while part:
            size += parsed_size(part)
            part = file.read(_CHUNK)
        return size


def _written(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most: int, path: str) -> int:
    """Write a member and return its size; the size claimed in its header is not trusted."""
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(member) as stream, target.open("xb") as file:
        while part := stream.read(_CHUNK):
            size += len(part)
            if size > most:
                raise ReadError(
                    f"{short(path)} is too large when unpacked",
                    hint="No folder of logs is compressed like this, so the file is not read further.",
                )
            file.write(part)
    return size
