"""Names of estimators and their parameters, as they stand in a file -> estimators."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

from ropewalk.errors import OptionError, did_you_mean, listed, short

_PATH = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+")
# A cache on disk is read with pickle, so a file must not be able to set one.
_FORBIDDEN = "memory"


def build(spec: Any, *, allow: Sequence[str] = ()) -> Any:
    """An estimator from its class and parameters, or a pipeline from a list of steps.

    Classes must be estimators from scikit-learn or from the packages in `allow`; nothing else can be
    imported.

    >>> build("sklearn.naive_bayes.GaussianNB")
    GaussianNB()
    >>> build([{"class": "sklearn.preprocessing.StandardScaler"}, {"class": "sklearn.svm.SVC", "C": 10}])
    Pipeline(steps=[('standardscaler', StandardScaler()), ('svc', SVC(C=10))])
    """
    if isinstance(spec, str):
        return _made(spec, {}, allow)
    if isinstance(spec, list) or (isinstance(spec, dict) and set(spec) == {"steps"}):
        steps = spec if isinstance(spec, list) else spec["steps"]
        if not isinstance(steps, list) or not steps:
            raise OptionError(
                f"steps is {short(steps)}", hint="Give a list of estimators; the last one predicts."
            )
        from sklearn.pipeline import make_pipeline

        return make_pipeline(*(build(step, allow=allow) for step in steps))
    if not isinstance(spec, dict) or not isinstance(spec.get("class"), str):
        raise OptionError(
            f"{short(spec)} does not name an estimator",
            hint='Give its class, such as "sklearn.svm.SVC"; a table with parameters,\n'
            '{ class = "sklearn.svm.SVC", C = 10 }; or a list of these, which is a pipeline.',
        )
    return _made(spec["class"], {k: v for k, v in spec.items() if k != "class"}, allow)


def _made(path: str, parameters: dict[str, Any], allow: Sequence[str]) -> Any:
    found = _class(path, allow)
    known = [p for p in inspect.signature(found.__init__).parameters if p != "self"]
    check_parameters(parameters)
    for name in parameters:
        if name not in known:
            raise OptionError(
                f'{found.__name__} has no parameter "{short(name)}"', hint=did_you_mean(name, known)
            )
    inner = {k: _value(v, allow) for k, v in parameters.items()}
    try:
        return found(**inner)
    except Exception as error:  # noqa: BLE001  # whatever a constructor says of its parameters
        raise OptionError(f"{found.__name__} cannot be created: {short(error, 200)}") from None


def check_parameters(value: Any) -> None:
    """Refuse the one parameter that a file may not set, also in a table nested in tables or lists.

    Raises
    ------
    OptionError
        If a table anywhere in `value` has it, also as the parameter of an estimator inside (`svc__memory`).
    """
    if isinstance(value, dict):
        for name, inside in value.items():
            if str(name).rpartition("__")[2] == _FORBIDDEN:
                raise OptionError(
                    f'"{short(name)}" cannot be set in a file',
                    hint="It would read a cache from disk, which can contain arbitrary code.",
                )
            check_parameters(inside)
    elif isinstance(value, list):
        for inside in value:
            check_parameters(inside)


def _value(value: Any, allow: Sequence[str]) -> Any:
    """Return a parameter; a table with a class becomes a nested estimator."""
    return build(value, allow=allow) if isinstance(value, dict) and "class" in value else value


def _class(path: str, allow: Sequence[str]) -> Any:
    from importlib import import_module

    from sklearn.base import BaseEstimator

    packages = ("sklearn", *allow)
    if not _PATH.fullmatch(path):
        raise OptionError(f'"{short(path)}" is not the path of a class', hint=_hint(path))
    package = path.partition(".")[0]
    if package not in packages:
        raise OptionError(
            f'"{short(path)}" is not in {listed(packages)}',
            hint=f"Code of another package runs only if you allow it: --allow-import {short(package)}.",
        )
    module, _, name = path.rpartition(".")
    try:
        found = getattr(import_module(module), name, None)
    except ImportError as error:
        raise OptionError(f'"{short(path)}" cannot be imported: {short(error)}', hint=_hint(path)) from None
    # Names imported there from elsewhere do not count: the defining module must be in an allowed package.
    own = str(getattr(found, "__module__", "")).partition(".")[0] in packages
    if not (inspect.isclass(found) and own and _is_estimator(found, BaseEstimator, package)):
        raise OptionError(f'"{short(path)}" is not an estimator', hint=_hint(path))
    return found


def _is_estimator(found: type, base: type, package: str) -> bool:
    if package == "sklearn":
        return issubclass(found, base) and not inspect.isabstract(found)
    return callable(getattr(found, "fit", None))


def _hint(path: str) -> str:
    """Suggest the scikit-learn estimator that may be meant, with its full path."""
    from sklearn.utils import all_estimators

    known = {name: f"{c.__module__}.{name}" for name, c in all_estimators()}
    # sklearn.svm._classes.SVC is imported as sklearn.svm.SVC
    public = {name: re.sub(r"\._\w+", "", full) for name, full in known.items()}
    last = path.rpartition(".")[2]
    by_case = {name.lower(): name for name in public}
    name = by_case.get(last.lower())
    return f'Did you mean "{public[name]}"?' if name else did_you_mean(path, public.values())
