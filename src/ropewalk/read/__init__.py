"""Files and frames -> the data model."""

from ropewalk.read.read import read
from ropewalk.read.sides import Sides, read_sides

__all__ = ["Sides", "read", "read_sides"]
