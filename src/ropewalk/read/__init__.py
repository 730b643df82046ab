"""Files and frames -> the data model."""

from ropewalk.read.read import read

__all__ = ["read"]
