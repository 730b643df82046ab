"""The result files of known tools, recognized by their content: one file for each format.

A format is a module, or any object, with three names:

    NAME: str                                        what messages and notes call it
    recognises(file: File) -> bool                   from the file's first bytes (and its name)
    tables(files: Sequence[File]) -> list[Table]     long tables, each with its Log

A new one is a file in this folder and a line in FORMATS. Another package adds one as an entry
point of the group "ropewalk.readers"; docs/formats.md has an example.
"""

from ropewalk.read.formats.file import File
from ropewalk.read.formats.registry import FORMATS, Format, format_of, known_formats
from ropewalk.read.formats.rows import log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

__all__ = ["FORMATS", "File", "Format", "Log", "Table", "format_of", "known_formats", "log_table"]
