"""The window, the command line and the Python interface call no function that takes a store (decision 0063)."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import hpc_explorer

ROOT = Path(hpc_explorer.__file__).parent
CORE = ("annotate", "canvas", "fair", "interchange", "language", "lineage", "monitor", "ontology", "query", "stores")


@cache
def functions_of_stores(module: Path) -> set[str]:
    """The functions of a module with a parameter of the type Store."""
    return {
        node.name
        for node in ast.parse(module.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(one.annotation is not None and "Store" in ast.unparse(one.annotation) for one in node.args.args)
    }


def imports_of(module: Path) -> list[tuple[str, str]]:
    """The names that a module imports from the core, with their modules."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
        if node.module.startswith(tuple(f"hpc_explorer.{floor}" for floor in CORE))
    ]


def file_of(module: str) -> Path:
    place = ROOT.parent / module.replace(".", "/")
    return place.with_suffix(".py") if place.with_suffix(".py").exists() else place / "__init__.py"


def test_the_front_ends_call_no_function_that_takes_a_store() -> None:
    taking = {
        f"{front}: {module}.{name}"
        for floor in ("ui", "cli", "api")
        for front in sorted((ROOT / floor).rglob("*.py"))
        for module, name in imports_of(front)
        if name in functions_of_stores(file_of(module))
    }
    assert not taking


def test_functions_that_take_a_store_are_recognised() -> None:
    assert {"trace"} <= functions_of_stores(ROOT / "lineage" / "trace" / "trace.py")
    assert functions_of_stores(ROOT / "query" / "building" / "focus.py") == set()
