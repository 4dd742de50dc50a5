"""Where Virtuoso 7 departs from SPARQL 1.1 and its protocol, and what is made of it.

It names itself in the header `Server` of each answer. What cannot be mended from outside (integers beyond 64 bits,
paths through a cycle, blank nodes in INSERT DATA) is listed in `docs/decisions/0015-virtuoso.md`.
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

# Its own DESCRIBE gives what links to the resource as well, and nothing at all of some resources.
_DESCRIBE_MODE = 'define sql:describe-mode "CBD"\n'

KEPT_AS_NUMBERS = NUMBERS | {XSD.boolean}
"""The datatypes that it keeps as numbers, truth values among them."""

_TIMES = frozenset((XSD.dateTime, XSD.dateTimeStamp))

_IN_TURN = NamedNode("urn:hpc-explorer:push")
"""What an update states for no time at all, so that others wait for its end."""


def is_virtuoso(headers: Mapping[str, str]) -> bool:
    """Whether an answer with these headers comes from a Virtuoso."""
    return headers.get("server", "").startswith("Virtuoso")


def check_complete(headers: Mapping[str, str], address: str) -> None:
    """Refuse an answer that holds what was found until the server's time was up: its counts are wrong.

    Raises:
        EndpointTooSlow: it is such an answer ("anytime query").
    """
    if headers.get("x-sql-state", "") == "S1TAT":
        raise EndpointTooSlow(
            "the endpoint's time for a query was up, and it gave a part of the answer only", address, "narrow the query"
        )


def respelled(term: Term | Triple) -> Term | Triple:
    """A term of its JSON rows, where a truth value is "1" or "0", as its other formats spell it."""
    if isinstance(term, Literal) and term.datatype == XSD.boolean and term.value in _TRUTHS:
        return Literal(_TRUTHS[term.value], datatype=XSD.boolean)
    return term


def as_requested(term: Term | Triple, asked: Collection[Term]) -> Term | Triple:
    """The truth value that was asked for, where VALUES made a number of it."""
    if isinstance(term, Literal) and term.datatype == XSD.integer and term.value in _TRUTHS and term not in asked:
        truth = Literal(_TRUTHS[term.value], datatype=XSD.boolean)
        return truth if truth in asked else term
    return term


def confuses(one: Term, other: Term) -> bool:
    """Whether it has one form for two different terms: of two such values it keeps the one that came first.

    An update that takes one out and puts the other in leaves neither.
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
    """An update that waits until others of its kind that change one of these graphs have ended, and begins then.

    A request is one transaction. What it reads is what was there before others that are under way, so two at the same
    moment would both find their conditions true. A row that was put in is locked to the end of the transaction, also if
    it is taken out again. Others never see it, and nothing of it stays.
    """
    row = f"{_IN_TURN} {RDF.value} 1"
    locks = (f"{{ GRAPH {graph} {{ {row} }} }}" for graph in sorted(set(graphs), key=str))
    return "".join(f"INSERT DATA {lock} ;\nDELETE DATA {lock} ;\n" for lock in locks) + update


class PlainLabels:
    """The bytes of its JSON rows, with labels of blank nodes that are labels.

    Args:
        read: gives the next bytes as they come, at most as many as it is told; none at the end.
    """

    # Nothing else begins so: a quotation mark within a text is escaped.
    _ODD, _PLAIN = b'"bnode", "value": "nodeID://', b'"bnode", "value": "'

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._ready = self._held = b""

    def read(self, size: int) -> bytes:
        """The next bytes, at most `size`; what may be the beginning of a label is held back."""
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
    """The query, under which a DESCRIBE gives what is stated of a resource, and of the blank nodes that hang on it."""
    return _DESCRIBE_MODE + query if "describe" in query.lower() else query


def rows_query(number: int) -> str:
    """A query whose answer tells in its head whether the server gives as many as `number` rows.

    A CONSTRUCT that was cut off does not tell.
    """
    return f"SELECT ?s WHERE {{ ?s ?p ?o }} LIMIT {number + 1}"
