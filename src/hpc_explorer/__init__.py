"""HPC Explorer: trace, ask, annotate, check and hand over RDF graphs about models, data and machines.

    import hpc_explorer as hx

    with hx.open("sample:xplacer") as g:
        print(g.lineage("decisionTree.onnx"))
        print(g.query("SELECT ?name { ?m a hpc:AIModel ; hpc:name ?name }"))

What is in `__all__` is public: it changes only with a new minor version, and CHANGELOG.md says how. Everything else may
change at any time. The parts are imported when they are first used. See docs/guide/python.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hpc_explorer import capture, errors
    from hpc_explorer.api.answers import (
        Answer,
        Assessment,
        Comparison,
        Description,
        Findings,
        Impact,
        Recipe,
    )
    from hpc_explorer.api.asked import Asked
    from hpc_explorer.api.editing import Edit
    from hpc_explorer.api.graph import Graph
    from hpc_explorer.api.lineage import Lineage, Step
    from hpc_explorer.api.opening import open
    from hpc_explorer.api.statements import Statements, describe_model, read_table
    from hpc_explorer.api.tables import Resources, Rows
    from hpc_explorer.api.values import Resource
    from hpc_explorer.errors import Cancelled, ExplorerError, InputError, StoreError

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Asked",
    "Assessment",
    "Cancelled",
    "Comparison",
    "Description",
    "Edit",
    "ExplorerError",
    "Findings",
    "Graph",
    "Impact",
    "InputError",
    "Lineage",
    "Recipe",
    "Resource",
    "Resources",
    "Rows",
    "Statements",
    "Step",
    "StoreError",
    "capture",
    "describe_model",
    "errors",
    "open",
    "read_table",
]

_PLACES = {
    **dict.fromkeys(
        ("Answer", "Assessment", "Comparison", "Description", "Findings", "Impact", "Recipe"), "api.answers"
    ),
    **dict.fromkeys(("Cancelled", "ExplorerError", "InputError", "StoreError"), "errors"),
    **dict.fromkeys(("Lineage", "Step"), "api.lineage"),
    **dict.fromkeys(("Resources", "Rows"), "api.tables"),
    **dict.fromkeys(("Statements", "describe_model", "read_table"), "api.statements"),
    "Asked": "api.asked",
    "Edit": "api.editing",
    "Graph": "api.graph",
    "Resource": "api.values",
    "open": "api.opening",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    from importlib import import_module

    if name in ("capture", "errors"):
        return import_module(f"{__name__}.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    except ModuleNotFoundError as error:
        # The distribution of the recorder has only `capture`.
        raise AttributeError(f"{__name__}.{name} needs {error.name}: pip install hpc-explorer") from error
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
