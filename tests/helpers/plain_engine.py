"""The reference for each number that is shown: a store of the bare engine, asked in texts that a test writes itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyoxigraph

PREFIXES = """PREFIX ex: <http://example.org/> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


class PlainEngine:
    """A store of the bare engine: its default graph is the merge of all graphs, in which a triple stands once."""

    def __init__(self, quads: Iterable[pyoxigraph.Quad]) -> None:
        self._store = pyoxigraph.Store()
        for quad in quads:
            self._store.add(quad)
            self._store.add(pyoxigraph.Quad(quad.subject, quad.predicate, quad.object))

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of a SELECT query."""
        return [tuple(row) for row in self._store.query(PREFIXES + text)]  # type: ignore[union-attr, arg-type]  # solutions

    def number(self, text: str) -> int:
        """The one number that a query gives."""
        ((number,),) = self.rows(text)
        return int(number.value)

    def numbers(self, text: str) -> dict[Any, int]:
        """The numbers of a query that gives a term and a number in each row, but for zeros."""
        found = {term: int(number.value) for term, number in self.rows(text)}
        return {term: number for term, number in found.items() if number}
