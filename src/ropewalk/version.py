"""The version, in a module that imports nothing else."""

VERSION = "0.1.0"
