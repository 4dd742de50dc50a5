"""What imports what: no cycle, no long chain, and no large library before it is needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import hpc_explorer

ROOT = Path(hpc_explorer.__file__).parent
LONGEST = 22
"""The longest chain of imports at the top of modules (issue 18)."""

LARGE = {
    "PySide6",
    "duckdb",
    "lark",
    "numpy",
    "onnx",
    "pandas",
    "pyarrow",
    "pyld",
    "rdflib",
    "requests",
    "scipy",
    "sklearn",
}

Imports = dict[str, set[str]]


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _statements(body: list[ast.stmt], *, in_functions: bool) -> Iterator[ast.stmt]:
    for one in body:
        if isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test):
            continue
        yield one
        if in_functions or not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            for block in ("body", "orelse", "finalbody", "handlers"):
                yield from _statements(getattr(one, block, []), in_functions=in_functions)


@cache
def _trees() -> dict[str, ast.Module]:
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")}


def _imports(*, in_functions: bool) -> Imports:
    trees = _trees()
    found: Imports = {name: set() for name in trees}
    for name, tree in trees.items():
        for one in _statements(tree.body, in_functions=in_functions):
            if isinstance(one, ast.Import):
                found[name] |= {alias.name for alias in one.names} & trees.keys()
            elif isinstance(one, ast.ImportFrom) and one.module is not None:
                inside = {f"{one.module}.{alias.name}" for alias in one.names} & trees.keys()
                found[name] |= inside or {one.module} & trees.keys()
    return found


def longest_chain(imports: Imports) -> list[str]:
    """The longest chain of imports.

    Raises:
        AssertionError: there is a cycle.
    """
    chains: dict[str, list[str]] = {}

    def chain(name: str, above: tuple[str, ...]) -> list[str]:
        assert name not in above, f"a cycle: {' → '.join((*above, name))}"
        if name not in chains:
            below = [chain(other, (*above, name)) for other in sorted(imports[name])]
            chains[name] = [name, *max(below, key=len, default=[])]
        return chains[name]

    return max((chain(name, ()) for name in imports), key=len)


@pytest.mark.slow
def test_no_module_imports_itself_by_way_of_others() -> None:
    assert longest_chain(_imports(in_functions=True))


@pytest.mark.slow
def test_no_chain_of_imports_is_long() -> None:
    chain = longest_chain(_imports(in_functions=False))
    assert len(chain) <= LONGEST, "\n".join(chain)


def test_a_cycle_and_the_longest_chain_are_found() -> None:
    assert longest_chain({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == ["a", "b", "c"]
    with pytest.raises(AssertionError, match="a → b → a"):
        longest_chain({"a": {"b"}, "b": {"a"}})


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("info", "sample:xplacer"),
        ("lineage", "sample:xplacer", "decisionTree.onnx"),
        ("query", "sample:xplacer", "--text", "SELECT ?s { ?s a hpc:AIModel }"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_imports_no_large_library_that_it_does_not_need(words: tuple[str, ...]) -> None:
    code = (
        "import sys\nfrom hpc_explorer.__main__ import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert "hpc_explorer" in done.stderr
    assert done.stdout
    assert not LARGE & set(done.stderr.split())
