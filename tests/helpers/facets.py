"""Stores that facets are asked of, and all that a click tells."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from hpc_explorer.query.facets.click_plan import Facet, FacetResult, SchemaTerms, ask_click
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.store import ColumnStore
from hpc_explorer.stores.local.local import LocalStore


@contextmanager
def with_columns(store: LocalStore) -> Iterator[ColumnStore]:
    """The store with its facts by column."""
    with tempfile.TemporaryDirectory() as folder:
        build_columns(store, Path(folder) / "columns.db")
        columns = Columns(Path(folder) / "columns.db")
        try:
            yield ColumnStore(store, columns)
        finally:
            columns.close()


def clicked(
    store: Store,
    query: QueryModel,
    focus: Variable,
    *,
    visible: Collection[Facet] = tuple(Facet),
    known: SchemaTerms | None = None,
    limits: Limits = NO_LIMITS,
) -> dict[Facet, FacetResult]:
    """What is told last of each facet, the facets in the order in which they came."""
    found: dict[Facet, FacetResult] = {}

    def tell(part: FacetResult) -> None:
        found[part.facet] = part

    ask_click(store, query, focus, tell, visible=visible, known=known, limits=limits)
    return found
