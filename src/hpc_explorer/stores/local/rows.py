"""The rows of a SELECT query from the local engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from pyoxigraph import QueryResultsFormat, QuerySolutions

from hpc_explorer.rdf.sparql_shape import in_order_of_query
from hpc_explorer.rdf.terms import Term, Triple
from hpc_explorer.stores.base import Limits, Row
from hpc_explorer.stores.query_faults import named_damage

# Number of rows between two checks of the limits.
_CHECK_EVERY = 1024

ROWS_FORMAT = QueryResultsFormat.TSV
"""How rows are written for another process of this program: the form the engine reads back fastest."""


class LocalRows:
    """The solutions of a SELECT on a local store, streamed.

    Args:
        query: its text, for the order of the columns.
    """

    def __init__(self, solutions: QuerySolutions, limits: Limits, query: str) -> None:
        self._solutions = solutions
        self._limits = limits
        self._names = tuple(variable.value for variable in solutions.variables)
        self.variables = in_order_of_query(query, self._names)
        self.limited = False

    def __iter__(self) -> Iterator[Row]:
        with named_damage():
            for number, solution in enumerate(self._solutions):
                if number % _CHECK_EVERY == 0:
                    self._limits.check()
                row: dict[str, Term | Triple] = {}
                for name, term in zip(self._names, solution, strict=True):
                    if term is not None:
                        row[name] = term
                yield row

    def write(self, stream: BinaryIO) -> None:
        """Write all rows in `ROWS_FORMAT` as they are found, instead of iterating."""
        self._solutions.serialize(stream, ROWS_FORMAT)
