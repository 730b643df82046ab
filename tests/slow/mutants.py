"""Would the tests notice a mistake? Mutants of `bayes`, `nhst` and `decide`, made by mutmut, run by hand.

    python tests/slow/mutants.py FOLDER [--sample 45] [--only bayes/t.py nhst/sign.py] [--seed 0]

mutmut (3.8.0; with pytest 8, which it needs) writes every mutant of a function into one file, and a variable
of the environment says which is in force. Here a sample of each module is drawn, and each mutant is run in a
fork of one process, which has imported everything, against the tests of its module: tests/bayes/test_t.py
for bayes/t.py, and the laws in tests/contract. The first test that fails kills it. FOLDER gets a copy of the
sources and the tests, and results.json; a second call goes on where the first one stopped. docs/mutants.md
has what came out and why survivors are no mistakes.

Left out: texts and whatever stands inside a `raise`; annotations and decorators; defaults, which mutmut hands
to every mutant as they were; values replaced by None, which nearly always fail at once and say little about
the tests. mutmut does not touch what stands outside of functions, nor decorated functions.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ROOMS = ("bayes", "nhst", "decide")
LAWS = {"bayes": "test_laws.py", "nhst": "test_laws_nhst.py", "decide": "test_laws_decide.py"}
OF_OTHERS = {  # modules that tests of other names try as well
    "accuracy_difference": ("mcnemar",),
    "beta_population": ("hierarchical_accuracy", "hierarchical_mcnemar"),
    "censored_sign": ("censored",),
    "censored_signed_rank": ("censored",),
    "intervals": ("censored",),
    "nu_priors": ("hierarchical_t_range",),
    "region_draws": ("region_draws", "signed_rank", "rank_sum", "friedman"),
    "contrasts": ("joint", "joint_tasks"),
    "correlations": ("t", "joint"),
    "cross_sums": ("cross_sums", "joint", "joint_tasks"),
    "edges": ("sign", "signed_rank"),
    "empirical_bernstein": ("betting",),
    "five_by_two": ("five_by_two_t", "five_by_two_f"),
    "matrices": ("friedman", "nemenyi"),
    "prior": ("sign", "mcnemar"),
    "quadrature": ("quadrature", "hierarchical_mcnemar"),
    "student_hierarchy": ("hierarchical_t",),
    "student_surface": ("hierarchical_t",),
    "model_population": ("model_population", "joint", "joint_tasks"),
    "task_checks": ("joint_tasks",),
    "task_gaps": ("joint_tasks",),
    "variance_ratios": ("crossed",),
    "wealth": ("betting",),
}
CONFIG = """[mutmut]
source_paths=src
only_mutate=
    {modules}
use_git_change_detection=false
"""
GENERATE = """
from mutmut.__main__ import Path, copy_also_copy_files, copy_src_dir, create_mutants, makedirs
from mutmut.__main__ import set_mutant_under_test, setup_source_paths
set_mutant_under_test("mutant_generation")
makedirs(Path("mutants"), exist_ok=True)
copy_src_dir()
copy_also_copy_files()
setup_source_paths()
create_mutants(1)
"""


def prepared(folder: Path, only: list[str]) -> Path:
    """Sources, tests and mutants in a folder of their own; the tests are always those of now.

    The mutants are those of the modules that the first call asks for.
    """
    skip = shutil.ignore_patterns("__pycache__", ".venv", "slow", "browser")
    if not (folder / "mutants").exists():
        shutil.copytree(ROOT / "src", folder / "src", ignore=skip)
        shutil.copytree(ROOT / "tests", folder / "tests", ignore=skip)
        (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
        modules = [f"src/ropewalk/{module}" for module in only or [f"{room}/*" for room in ROOMS]]
        (folder / "setup.cfg").write_text(CONFIG.format(modules="\n    ".join(modules)))
        subprocess.run([sys.executable, "-c", GENERATE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for part in ("tests", "reproduce"):
        shutil.copytree(ROOT / part, folder / "mutants" / part, ignore=skip, dirs_exist_ok=True)
    return folder / "mutants"


def first_difference(a: ast.AST, b: ast.AST, above: tuple[Any, ...] = ()) -> Any:
    """The nodes in which two trees differ, and the nodes above them with the fields that lead there."""
    if type(a) is not type(b):
        return a, b, above
    for name, x in ast.iter_fields(a):
        y = getattr(b, name)
        here = (*above, (a, name))
        if isinstance(x, list) and len(x) != len(y):
            return a, b, here
        for p, q in zip(x, y, strict=True) if isinstance(x, list) else [(x, y)]:
            if isinstance(p, ast.AST) and isinstance(q, ast.AST):
                if (found := first_difference(p, q, here)) is not None:
                    return found
            elif isinstance(p, ast.AST) or isinstance(q, ast.AST) or p != q:
                return a, b, here
    return None


def wanted(original: ast.FunctionDef, mutant: ast.FunctionDef) -> bool:
    mutant.name = original.name
    found = first_difference(original, mutant)
    if found is None:
        return False
    a, b, above = found
    left_out = ("annotation", "returns", "decorator_list", "defaults", "kw_defaults")
    if any(isinstance(node, ast.Raise) or field in left_out for node, field in above):
        return False
    text = isinstance(a, ast.Constant) and isinstance(a.value, str)
    nothing = isinstance(b, ast.Constant) and b.value in (None, "")
    return not (text or nothing)


def mutants(at: Path) -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """Of each module its name, the mutants that are wanted, and what each of them changes."""
    for meta in sorted(at.glob("src/ropewalk/*/*.py.meta")):
        keys = json.loads(meta.read_text())["exit_code_by_key"]
        tree = ast.parse(meta.with_suffix("").read_text())
        functions = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        changed = {}
        for key in keys:
            name = key.rsplit(".", 1)[1]
            original, mutant = functions[name.rsplit("__mutmut_", 1)[0] + "__mutmut_orig"], functions[name]
            if wanted(original, mutant):
                before, after = (ast.unparse(f).splitlines() for f in (original, mutant))
                changed[key] = " ".join(d for d in difflib.ndiff(before, after) if d[0] in "+-")
        yield f"{meta.parent.name}/{meta.name.removesuffix('.meta')}", list(changed), changed


def tests_of(module: str, at: Path, *, laws: bool) -> list[str]:
    room, name = module.removesuffix(".py").split("/")
    names = dict.fromkeys((name, *OF_OTHERS.get(name, ())))  # its own first: they are the quickest
    files = [f"tests/{room}/test_{n}.py" for n in names]
    of_room = [f"tests/contract/{LAWS[room]}"] if laws and room in LAWS else []
    return [f for f in (*files, *of_room) if (at / f).exists()]


def run(mutant: str, files: list[str], limit: float) -> int:
    """The exit code of pytest in a fork with this mutant in force: 0 where it survives, -1 past the limit."""
    import pytest

    child = os.fork()
    if child == 0:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.environ["MUTANT_UNDER_TEST"] = mutant
        code = 99
        try:
            code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *files]))
        finally:
            os._exit(code)
    start = time.monotonic()
    while time.monotonic() - start < limit:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def said(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--sample", type=int, default=45, help="mutants of each module at most")
    options.add_argument("--only", nargs="*", default=[], help="modules, such as bayes/t.py")
    options.add_argument("--own", action="store_true", help="the tests of the module only, not the laws")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    at = prepared(given.folder.absolute(), given.only)
    # One thread, and no plugin that complains of being imported before the fork.
    os.environ.update(MUTANT_UNDER_TEST="", OMP_NUM_THREADS="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    os.chdir(at)
    sys.path[:0] = [str(at / "src"), str(at)]
    for module in ("hypothesis", "mpmath", "scipy.stats", "scipy.optimize", "ropewalk.compare"):
        importlib.import_module(module)
    kept = given.folder / "results.json"
    results: dict[str, int] = json.loads(kept.read_text()) if kept.exists() else {}
    said("| module | mutants | run | killed | survived |\n| --- | --- | --- | --- | --- |")
    for module, all_of_it, changed in mutants(at):
        if given.only and module not in given.only:
            continue
        files = tests_of(module, at, laws=not given.own)
        start = time.monotonic()
        if run("", files, 1_000):
            sys.exit(f"{module}: its tests fail without any mutant: {files}")
        limit = 20 + 4 * (time.monotonic() - start)
        chosen = random.Random(given.seed).sample(all_of_it, min(len(all_of_it), given.sample))
        for mutant in chosen:
            if mutant not in results:
                results[mutant] = run(mutant, files, limit)
                kept.write_text(json.dumps(results))
        survived = [m for m in chosen if results[m] == 0]
        counts = len(all_of_it), len(chosen), len(chosen) - len(survived), len(survived)
        said(f"| {module} | {' | '.join(map(str, counts))} |")
        for mutant in survived:
            said(f"    {mutant.rsplit('.', 1)[1]}: {changed[mutant]}")


if __name__ == "__main__":
    main()
