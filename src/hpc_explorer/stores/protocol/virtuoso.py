"""Workarounds for Virtuoso 7 where it deviates from SPARQL 1.1 and its protocol.

It is recognized by the header `Server`. Faults that cannot be worked around (integers beyond 64 bits, paths through a
cycle, blank nodes in INSERT DATA) are listed in `docs/decisions/0015-virtuoso.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation

from hpc_explorer.errors import EndpointTooSlow
from hpc_explorer.rdf.datatypes import NUMBERS
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Term, Triple

MANY_TRIPLES = 1_000
"""No server is known to cut off an answer with fewer triples than this."""

_TRUTHS = {"1": "true", "0": "false"}

# Its DESCRIBE also returns incoming links, and nothing at all for some resources.
_DESCRIBE_MODE = 'define sql:describe-mode "CBD"\n'

KEPT_AS_NUMBERS = NUMBERS | {XSD.boolean}
"""The datatypes that it keeps as numbers, truth values among them."""

_TIMES = frozenset((XSD.dateTime, XSD.dateTimeStamp))

_IN_TURN = NamedNode("urn:hpc-explorer:push")
"""The statement that an update adds and removes, so that others wait for its end."""


def is_virtuoso(headers: Mapping[str, str]) -> bool:
    """Whether a response with these headers comes from Virtuoso."""
    return headers.get("server", "").startswith("Virtuoso")


def check_complete(headers: Mapping[str, str], address: str) -> None:
    """Reject incomplete results of a query that hit the server's time limit.

    Raises:
        EndpointTooSlow: it is such a result ("anytime query").
    """
    if headers.get("x-sql-state", "") == "S1TAT":
        raise EndpointTooSlow(
            "the endpoint reached its time limit and sent a part of the results", address, "narrow the query"
        )


def respelled(term: Term | Triple) -> Term | Triple:
    """Restore a boolean, which its JSON results spell "1" or "0"."""
    if isinstance(term, Literal) and term.datatype == XSD.boolean and term.value in _TRUTHS:
        return Literal(_TRUTHS[term.value], datatype=XSD.boolean)
    return term


def as_requested(term: Term | Triple, asked: Collection[Term]) -> Term | Triple:
    """Restore a boolean that VALUES turned into a number."""
    if isinstance(term, Literal) and term.datatype == XSD.integer and term.value in _TRUTHS and term not in asked:
        truth = Literal(_TRUTHS[term.value], datatype=XSD.boolean)
        return truth if truth in asked else term
    return term


def confuses(one: Term, other: Term) -> bool:
    """Whether Virtuoso stores two different terms as one; it keeps the first.

    An update that replaces one by the other would remove both.
    """
    if not isinstance(one, Literal) or not isinstance(other, Literal) or one == other:
        return False
    if one.language is not None or other.language is not None:
        languages = [(literal.language or "").lower() for literal in (one, other)]
        return one.value == other.value and languages[0] == languages[1]
    if one.datatype in KEPT_AS_NUMBERS and other.datatype in KEPT_AS_NUMBERS:
        numbers = _number(one), _number(other)
        return None not in numbers and numbers[0] == numbers[1]
    if one.datatype in _TIMES and other.datatype in _TIMES:
        times = _time(one), _time(other)
        return None not in times and times[0] == times[1]
    return False


def _number(literal: Literal) -> Decimal | None:
    try:
        return Decimal({"true": "1", "false": "0"}.get(literal.value, literal.value))
    except InvalidOperation:
        return None


def _time(literal: Literal) -> datetime | None:
    try:
        return datetime.fromisoformat(literal.value)
    except ValueError:
        return None


def serialised(update: str, graphs: Iterable[GraphName]) -> str:
    """An update that waits for concurrent updates of the same graphs made by this function.

    Each request is one transaction and reads the state before concurrent ones, so two requests could both find their
    conditions true. A row inserted and deleted in the transaction is locked until its end and never visible to others.
    """
    row = f"{_IN_TURN} {RDF.value} 1"
    locks = (f"{{ GRAPH {graph} {{ {row} }} }}" for graph in sorted(set(graphs), key=str))
    return "".join(f"INSERT DATA {lock} ;\nDELETE DATA {lock} ;\n" for lock in locks) + update


class PlainLabels:
    """A stream that corrects invalid blank node labels in its JSON results.

    Args:
        read: returns the next bytes, at most as many as requested; empty at the end.
    """

    # This prefix is unambiguous: quotation marks within texts are escaped.
    _ODD, _PLAIN = b'"bnode", "value": "nodeID://', b'"bnode", "value": "'

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._ready = self._held = b""

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes; a possible start of a label is held back."""
        while not self._ready:
            more = self._read(size)
            if not more:
                self._ready, self._held = self._held, b""
                break
            text = (self._held + more).replace(self._ODD, self._PLAIN)
            whole = max(len(text) - len(self._ODD) + 1, 0)
            self._ready, self._held = text[:whole], text[whole:]
        given, self._ready = self._ready[:size], self._ready[size:]
        return given


def with_plain_descriptions(query: str) -> str:
    """The query with an option that makes DESCRIBE return the statements of a resource and its nested blank nodes."""
    return _DESCRIBE_MODE + query if "describe" in query.lower() else query


def rows_query(number: int) -> str:
    """A query whose response headers show whether the row limit is below `number`.

    The response to a truncated CONSTRUCT does not show it.
    """
    return f"SELECT ?s WHERE {{ ?s ?p ?o }} LIMIT {number + 1}"
