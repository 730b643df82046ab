"""One topic a file; importing them enters their rows into `harness.TASKS`."""

from rows import auroc, bayesian, classical, command, files, many, scaling, waiting

__all__ = ["auroc", "bayesian", "classical", "command", "files", "many", "scaling", "waiting"]
