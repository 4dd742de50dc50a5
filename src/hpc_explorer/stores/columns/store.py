"""A store whose queries are answered from its columns, where these can for certain."""

from __future__ import annotations

import re

from hpc_explorer.stores.base import NO_LIMITS, Limits, Rows, Store
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.wrapper import StoreWrapper

# What makes a query worth its translation; from one thing to the next the triples are quicker.
_SUMS = re.compile(r"\b(COUNT|SUM|AVG|MIN|MAX|GROUP\s+BY)\b", re.IGNORECASE)


def is_for_columns(query: str) -> bool:
    """Whether a query is worth asking the columns."""
    return _SUMS.search(query) is not None


class ColumnStore(StoreWrapper):
    """The triples of a store, with its columns for `select`.

    What the columns do not answer for certain, the store of triples does; so the answers are the same, but for the
    order of rows that no order was asked for, the last digits of averages, and the datatype of sums over several ones.
    """

    def __init__(self, store: Store, columns: Columns) -> None:
        super().__init__(store)
        self.columns = columns

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        """The solutions of a SELECT query; if it sums something up, from the columns if they can."""
        if is_for_columns(query):
            try:
                return self.columns.select(query, limits=limits)
            except NotByColumns:
                pass
        return self._store.select(query, limits=limits)

    def close(self) -> None:
        """Give back both."""
        self.columns.close()
        super().close()
