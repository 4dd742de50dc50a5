"""Measure how many faults the tests find: faults are put into the code one at a time, and the tests near it are run.

    python packaging/mutants.py --area lineage --sample 60 --seed 1

The faults ("mutants") are mutmut's: it changes what functions do, not tables outside of them. Faults in what runs while
modules are imported count as not found, as they are put in only after that. Areas, their tests and their goals stand in
mutant_areas.toml. A copy of the project is mutated, in .mutants/AREA; the checkout itself stays as it is. Exit code 1:
an area is below its goal.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

ROOT = Path(__file__).resolve().parents[1]
AREAS = Path(__file__).with_name("mutant_areas.toml")
RUN = Path(__file__).with_name("mutmut_run.py")
COPIED = ("src", "tests", "ontology", "sample_graphs", "benchmarks", "docs", "pyproject.toml")
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
"""What the lines begin with in which mutmut says that it still works."""
SURVIVED = (0, 5, 33)
"""mutmut's codes for a fault that no test found: the tests passed, or no test comes by."""
UNTRIED = (None, 255)
"""Its codes for a fault that was not tried, 255 where pytest did not find a test."""

UNSEEN_CALLS = {
    "fsync": "that a file is on the disk is seen only when the machine loses power",
    "check": "limits.check stops what runs too long: a matter of time",
    "cast": "tells the type checker something, and does nothing",
    "debug": "a line of the log",
    "info": "a line of the log",
    "warning": "a line of the log",
    "TypeVar": "tells the type checker something",
    "cache": "remembers an answer, and changes none",
    "lru_cache": "remembers an answer, and changes none",
}
"""Calls whose faults no test of behaviour can see, and why: faults in them are not tried."""


@dataclass(frozen=True)
class Area:
    """Files whose tests are measured; `goal` is in percent."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    goal: int


@dataclass(frozen=True)
class Measured:
    """What was made from an area: faults in all, those that were tried, and the diffs of those that no test found."""

    area: Area
    known: int
    tried: int
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        """The faults that were found, in percent of those that were tried."""
        return 100 * (self.tried - len(self.survivors)) / self.tried if self.tried else 100.0


def areas() -> dict[str, Area]:
    """The areas of mutant_areas.toml."""
    read = tomllib.loads(AREAS.read_text(encoding="utf-8"))
    return {name: Area(name, tuple(told["files"]), tuple(told["tests"]), told["goal"]) for name, told in read.items()}


QUICK_FIRST = """

def pytest_collection_modifyitems(items):
    import json

    stats = Path("mutmut-stats.json")
    took = json.loads(stats.read_text("utf-8"))["duration_by_test"] if stats.exists() else {}
    items.sort(key=lambda item: took.get(item.nodeid, 0))


def pytest_make_parametrize_id(val):
    return repr(val) if isinstance(val, bytes) else None
"""
"""A fault is found by the first test that fails: the quick ones are tried first.

pytest cannot name a row of a table after bytes while `SAME_NAMES` holds.
"""

SAME_NAMES = ("-o", "disable_test_id_escaping_and_forfeit_all_rights_to_community_support=true")
"""mutmut collects the tests twice in a process, and pytest escapes the names in `ids` anew each time."""


# --- a copy that can be mutated -------------------------------------------------------------------------------------


class _DecoratorsBelow(cst.CSTTransformer):
    """Writes `@d def f` as `def f` and `f = d(f)`, which is the same: mutmut leaves decorated functions alone."""

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        decorators = [each.decorator for each in updated_node.decorators]
        names = [cst.Module([]).code_for_node(each) for each in decorators]
        if not names or any(name.endswith((".setter", "overload", "staticmethod", "classmethod")) for name in names):
            return updated_node
        value: cst.BaseExpression = cst.Name(updated_node.name.value)
        for decorator in reversed(decorators):
            value = cst.Call(decorator, [cst.Arg(value)])
        below = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(updated_node.name.value))], value)])
        return cst.FlattenSentinel([updated_node.with_changes(decorators=[]), below])


def copy_for(area: Area, folder: Path) -> None:
    """Put a copy of the project into `folder`, and tell mutmut there what to do."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    (folder / "shared").symlink_to(ROOT.parent / "shared")
    frame = folder / "tests/conftest.py"
    text = frame.read_text("utf-8").replace("\nGRACE = 60.0\n", "\nGRACE = 3.0\n")
    frame.write_text(text + QUICK_FIRST, "utf-8")
    files = [f"src/hpc_explorer/{name}" for name in area.files]
    for pattern in files:
        for file in folder.glob(pattern + "*" if pattern.endswith("*") else pattern):
            if file.suffix == ".py":
                file.write_text(cst.parse_module(file.read_text("utf-8")).visit(_DecoratorsBelow()).code, "utf-8")
    settings = {
        "source_paths": ["src"],
        "only_mutate": files,
        "also_copy": [name for name in COPIED if name not in ("src", "tests")],
        "pytest_add_cli_args": ["--hypothesis-profile=mutants", "-p", "no:cacheprovider", "--timeout=60", *SAME_NAMES],
        "pytest_add_cli_args_test_selection": list(area.tests),
        "process_isolation": "forkserver",
        "timeout_multiplier": 5,
        "timeout_constant": 10,
        "track_dependencies": False,
        "use_git_change_detection": False,
        "use_setproctitle": False,
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as out:
        out.write("\n[tool.mutmut]\n" + "\n".join(lines) + "\n")


# --- which faults are tried -----------------------------------------------------------------------------------------


def _difference(before: ast.AST, after: ast.AST, path: tuple[ast.AST, ...] = ()) -> tuple[ast.AST, ...]:
    """The nodes from `before` down to the smallest one that holds all that differs from `after`."""
    path = (*path, before)
    if type(before) is not type(after):
        return path
    differing: list[tuple[ast.AST, ast.AST]] = []
    for name in before._fields:
        old, new = getattr(before, name, None), getattr(after, name, None)
        olds, news = (each if isinstance(each, list) else [each] for each in (old, new))
        if len(olds) != len(news):
            return path
        for one, other in zip(olds, news, strict=True):
            if isinstance(one, ast.AST) and isinstance(other, ast.AST):
                if ast.dump(one) != ast.dump(other):
                    differing.append((one, other))
            elif one != other:
                return path
    return _difference(*differing[0], path) if len(differing) == 1 else path


def is_unseen(before: str, after: str) -> bool:
    """Whether no test of behaviour can see that the function `before` became `after`: the rule for what is not tried.

    These are faults in the calls of `UNSEEN_CALLS`, and in the words of an error or a log line (a text, or what is
    put into it; what a reader's `fail` gets first): that an error is raised, which and where, is tested; its words are
    not.
    """
    path = _difference(ast.parse(before), ast.parse(after))
    for node in path:
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in UNSEEN_CALLS or (called == "fail" and node.args and node.args[0] in path):
                return True
        if isinstance(node, ast.Raise) and node is not path[-1]:
            return True
    return False


def candidates(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each fault that mutmut made in `folder`, and its file."""
    for meta in sorted((folder / "mutants/src").rglob("*.py.meta")):
        for name in json.loads(meta.read_text("utf-8"))["exit_code_by_key"]:
            yield name, meta.with_suffix("").relative_to(folder / "mutants")


def chosen(folder: Path, sample: int | None, seed: int) -> tuple[list[str], int]:
    """The faults that are tried, and how many there are in all; `sample` None: all of them.

    A fault's place in the order hangs on its name and the seed alone, so that a change elsewhere moves no other fault.
    """
    from mutmut.mutation.diff_apply import read_functions_from_index

    known = sorted(candidates(folder), key=lambda one: hashlib.sha256(f"{seed} {one[0]}".encode()).digest())
    taken: list[str] = []
    for name, path in known:
        if sample is not None and len(taken) == sample:
            break
        both = read_functions_from_index(name, path)
        if both is None or not is_unseen(*(cst.Module([each]).code for each in both)):
            taken.append(name)
    return taken, len(known)


# --- trying them ----------------------------------------------------------------------------------------------------


MAKE = """
from mutmut.__main__ import copy_also_copy_files, copy_src_dir, create_mutants
copy_src_dir(), copy_also_copy_files(), create_mutants(1)
"""
"""Makes the faults, and tries none yet."""


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(Path.cwd() / "mutants/src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def measure(area: Area, sample: int | None, seed: int, jobs: int, again: bool) -> Measured:
    """Try the faults of an area, or a sample of them.

    Args:
        again: try only those of the last run that no test found; what was found then still counts as found.
    """
    folder = ROOT / ".mutants" / area.name
    last = folder.with_suffix(".json")
    told = json.loads(last.read_text("utf-8")) if again else None
    copy_for(area, folder)
    home = os.getcwd()
    os.chdir(folder)
    try:
        from mutmut.mutation.diff_apply import get_diff_for_mutant

        run = _python("-c", MAKE)
        if told is None:
            names, known = chosen(folder, sample, seed)
            tried = len(names)
        else:
            made = {name for name, _ in candidates(folder)}
            names, known, tried = [name for name in told["survivors"] if name in made], told["known"], told["tried"]
            (folder / "mutants/mutmut-stats.json").write_text(json.dumps(told["stats"]), "utf-8")
        run = _python(str(RUN), "run", "--max-children", str(jobs), *names)
        codes: dict[str, int | None] = dict.fromkeys(names)
        for meta in (folder / "mutants/src").rglob("*.py.meta"):
            codes |= json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
        if run.returncode or any(codes[name] in UNTRIED for name in names):
            told_lines = [line for line in run.stdout.splitlines() if line and line[0] not in SPINNER]
            sys.exit("\n".join([f"{area.name}: mutmut did not try every fault:", *told_lines]))
        paths = dict(candidates(folder))
        survivors = [name for name in names if codes[name] in SURVIVED]
        diffs = tuple(
            f"{name}{' (no test comes by)' if codes[name] != 0 else ''}\n{get_diff_for_mutant(name, path=paths[name])}"
            for name in sorted(survivors)
        )
        stats = json.loads((folder / "mutants/mutmut-stats.json").read_text("utf-8"))
        saved = {"known": known, "tried": tried, "survivors": survivors, "stats": stats}
        last.write_text(json.dumps(saved), "utf-8")
        return Measured(area, known, tried, diffs)
    finally:
        os.chdir(home)


def table(results: list[Measured]) -> str:
    """The results as lines of text."""
    lines = [f"{'area':<12}{'faults':>8}{'tried':>8}{'found':>8}{'survived':>10}{'share':>9}{'goal':>7}"]
    for one in results:
        lost = len(one.survivors)
        counts = f"{one.known:>8}{one.tried:>8}{one.tried - lost:>8}{lost:>10}"
        lines.append(f"{one.area.name:<12}{counts}{one.share:>7.1f} %{one.area.goal:>5} %")
    return "\n".join(lines)


def main() -> int:
    """Read the command line, try the faults, print the table and what survived."""
    known = areas()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--area", choices=sorted(known), action="append", help="an area; all of them, if none is named")
    parser.add_argument("--sample", type=int, help="how many faults of each area are tried; all, if not given")
    parser.add_argument("--seed", type=int, default=1, help="which ones are in the sample (1)")
    parser.add_argument("--jobs", type=int, default=1, help="how many faults are tried at a time (1)")
    parser.add_argument("--again", action="store_true", help="only what survived the last run of the area")
    told = parser.parse_args()
    results = []
    for name in told.area or sorted(known):
        results.append(measure(known[name], told.sample, told.seed, told.jobs, told.again))
        print("\n".join(results[-1].survivors), "\n", table(results[-1:]), sep="", flush=True)
    print(f"\nseed {told.seed}\n{table(results)}")
    return int(any(one.share < one.area.goal for one in results))


if __name__ == "__main__":
    sys.exit(main())
