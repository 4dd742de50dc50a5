"""Small graphs for tests, written as Turtle."""

from __future__ import annotations

import io

from hpc_explorer.rdf.formats import TURTLE

from hpc_explorer.rdf.namespaces import WELL_KNOWN
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local import LocalStore

GRAPH = NamedNode("urn:test:graph")

_PREFIXES = "".join(f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in WELL_KNOWN.items())


def ex(name: str) -> NamedNode:
    """A node of the namespace that `ex:` stands for in `store_of`."""
    return NamedNode(f"http://example.org/{name}")


def store_of(*documents: str) -> LocalStore:
    """A store with each Turtle document in a graph of its own; well-known prefixes and `ex:` are declared."""
    store = LocalStore.in_memory()
    for number, turtle in enumerate(documents):
        text = f"{_PREFIXES}@prefix ex: <http://example.org/> .\n{turtle}"
        graph = GRAPH if number == 0 else NamedNode(f"{GRAPH.value}:{number}")
        store.bulk_load(io.BytesIO(text.encode()), TURTLE, graph)
        store.settle([graph])
    return store
