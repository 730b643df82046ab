"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ropewalk.errors import OptionError


def write(path: Path, content: str | bytes) -> Path:
    """Write beside the target first, then move into place: a crash leaves the old file as it was."""
    data = content.encode() if isinstance(content, str) else content
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    except OSError as error:
        raise OptionError(
            f"{path} cannot be written: {error.strerror}",
            hint="Give a path in a folder that exists and that you may write to.",
        ) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)  # mkstemp's 0600 would hide the report from colleagues
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise OptionError(f"{path} cannot be written: {error.strerror}") from error
    return path
