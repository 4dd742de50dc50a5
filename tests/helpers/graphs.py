"""Small graphs for tests, written as Turtle."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

from hpc_explorer.rdf.namespaces import WELL_KNOWN
from hpc_explorer.rdf.syntax.formats import Format
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore

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
        load_content(store, read_bytes(text.encode(), name="test.ttl", base="http://example.org/"), graph)
        store.settle([graph])
    return store


def text_of(quads: Iterable[Quad], format: Format, prefixes: Mapping[str, str] = WELL_KNOWN) -> str:
    """The quads as `write_quads` writes them."""
    written = io.BytesIO()
    write_quads(quads, written, format, prefixes)
    return written.getvalue().decode("utf-8")
