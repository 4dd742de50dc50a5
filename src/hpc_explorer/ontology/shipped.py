"""The ontologies that ship with the program, as a read-only store.

They define terms that a graph uses without defining them; the graph's own definitions take precedence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hpc_explorer.rdf.namespaces import QUDT
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore


@cache
def shipped_ontology() -> LocalStore:
    """The HPC ontology, PROV-ML, the alignments and the units, each in its own graph. Cached."""
    store = LocalStore.in_memory()
    for file in sorted(shipped_folder("ontology").glob("*.ttl")):
        load_content(store, read_source(file), NamedNode(f"urn:hpc-explorer:ontology:{file.stem}"))
    return store


@cache
def property_kinds() -> Mapping[NamedNode, NamedNode]:
    """The kind of quantity, such as time, by property."""
    pairs = ((quad.subject, quad.object) for quad in shipped_ontology().match(None, QUDT.hasQuantityKind))
    return {term: kind for term, kind in pairs if isinstance(term, NamedNode) and isinstance(kind, NamedNode)}
