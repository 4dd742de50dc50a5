"""The names that a workspace keeps for searching, and those that its triples have."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

from hpc_explorer.app.workspace.states import StateFiles
from hpc_explorer.ontology.naming import label_entries
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.stores.base import Store
from hpc_explorer.stores.changes.manifest import read_manifest

Names = Counter[tuple[str, str, str, int]]
"""IRI, name, further words and rank; how often each is kept."""


def newest_state(workspace: Path) -> Path:
    """The folder of the newest state, which an open workspace may still be writing."""
    return max((workspace / "states").glob("[0-9]*"), key=lambda path: int(path.name))


def current_state(workspace: Path) -> Path:
    """The folder of the state that opens."""
    return workspace / "states" / str(read_manifest(workspace).state)


def kept_names(state: Path) -> Names:
    """The names in the index of a state."""
    database = sqlite3.connect(StateFiles(state).labels)
    try:
        rows = "SELECT iri, text, words, resource.rank FROM label JOIN resource ON id BETWEEN first AND last"
        return Counter(database.execute(rows))
    finally:
        database.close()


def names_made(store: Store, schema: SchemaIndex) -> Names:
    """The names of the triples of a store."""
    return Counter((entry.iri, entry.text, entry.words, entry.rank) for entry in label_entries(store, schema))
