"""The methods, one file each: suitability, answer, wording, other ROPEs and priors, and plans."""

from importlib import import_module
from pkgutil import iter_modules

from ropewalk.methods.method import (
    Method,
    MethodText,
    Suitability,
    asks_of,
    by_preference,
    default_of,
    default_over,
    known,
    method_of,
    quickest_over_tasks,
    register,
    title_of,
    unregister,
)

__all__ = [
    "Method",
    "MethodText",
    "Suitability",
    "asks_of",
    "by_preference",
    "default_of",
    "default_over",
    "known",
    "method_of",
    "quickest_over_tasks",
    "register",
    "title_of",
    "unregister",
]

for _module in iter_modules(__path__):  # each module of this folder registers its method
    import_module(f"{__name__}.{_module.name}")
