"""Parse the results of an endpoint while they are received."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pyoxigraph import QueryResultsFormat, QuerySolutions, RdfFormat, parse, parse_query_results

from hpc_explorer.errors import AnswerDamaged, ExplorerError, NotAnEndpoint
from hpc_explorer.rdf.sparql_shape import in_order_of_query
from hpc_explorer.rdf.terms import BlankNode, Term, Triple
from hpc_explorer.stores.base import Limits, Row
from hpc_explorer.stores.protocol.http_errors import check_limits
from hpc_explorer.stores.protocol.http_messages import HttpAnswer
from hpc_explorer.stores.protocol.virtuoso import MANY_TRIPLES, PlainLabels, is_virtuoso, respelled

ROWS_ACCEPT = (
    "application/sparql-results+json, application/sparql-results+xml;q=0.8, application/n-triples;q=0.1, */*;q=0.01"
)
TRIPLES_ACCEPT = "application/n-triples, text/turtle;q=0.9, application/sparql-results+json;q=0.1, */*;q=0.01"
DOCUMENT_ACCEPT = "text/turtle, application/n-triples, application/rdf+xml;q=0.9"
ROWS_FORMATS = {
    "application/sparql-results+json": QueryResultsFormat.JSON,
    "application/json": QueryResultsFormat.JSON,
    "application/sparql-results+xml": QueryResultsFormat.XML,
}
TRIPLES_FORMATS = {
    "application/n-triples": RdfFormat.N_TRIPLES,
    "text/turtle": RdfFormat.TURTLE,
    "application/rdf+xml": RdfFormat.RDF_XML,
}

# Headers by which Virtuoso marks incomplete results.
_PARTIAL = ("x-sql-state", "x-sql-message")

# Exceptions of the engine's parsers and of the stream they read.
_READING_ERRORS = (SyntaxError, ValueError, OSError, RuntimeError, ExplorerError)


class Answer:
    """The body of a response as a stream for the engine's parsers; keeps the original errors.

    Attributes:
        address: where it comes from.
        row_limit: the endpoint's row limit, if it reports one (Virtuoso).
        is_virtuoso: whether Virtuoso sent it.
    """

    def __init__(self, answer: HttpAnswer, address: str) -> None:
        self._answer = answer
        self.address = address
        self._failure: BaseException | None = None
        self._made: Any = None
        self.media_type = answer.media_type
        limit = answer.headers.get("x-sparql-maxrows", "")
        self.row_limit = int(limit) if limit.isdigit() else None
        self.is_virtuoso = is_virtuoso(answer.headers)
        self._read = PlainLabels(answer.read).read if self.is_virtuoso else answer.read

    def readable(self) -> bool:
        """Whether it can be read, for the stream protocol."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read bytes; errors are stored, because the engine would replace them."""
        try:
            return self._read(size)
        except BaseException as error:
            self._failure = error
            raise

    def read_by(self, reader: Callable[[Answer], object]) -> None:
        """Parse this stream with one of the engine's parsers; the result is kept here until the response is closed.

        The engine's objects must be released in the thread that created them, so they must not be left to the garbage
        collector.
        """
        try:
            self._made = reader(self)
        except _READING_ERRORS as error:
            raise self._named(error) from None

    def head(self) -> tuple[str, ...] | bool:
        """The variables of a SELECT, or the boolean of an ASK."""
        if isinstance(self._made, QuerySolutions):
            return tuple(variable.value for variable in self._made.variables)
        return bool(self._made)

    def items(self) -> Iterator[Any]:
        """The parsed items, parsed on demand."""
        while self._made is not None:
            try:
                item = next(self._made)
            except StopIteration:
                return
            except _READING_ERRORS as error:
                raise self._named(error) from None
            yield item

    def _named(self, error: Exception) -> BaseException:
        failure, self._failure = self._failure, None
        if failure is not None:
            return failure
        return AnswerDamaged("the answer is cut off or damaged", self.address, "try again")

    def keep(self) -> None:
        """Mark the response as complete and valid, so that it is cached."""
        if not any(header in self._answer.headers for header in _PARTIAL):
            self._answer.keep()

    def close(self) -> None:
        """Close the connection and the parser."""
        self._made = None
        self._answer.close()


class _OwnBlankNodes:
    """Gives the blank nodes of a result unique labels."""

    def __init__(self) -> None:
        self._names: dict[str, BlankNode] = {}

    def of(self, term: Term | Triple) -> Term | Triple:
        """The term, with a unique label if it is a blank node."""
        if not isinstance(term, BlankNode):
            return term
        return self._names.setdefault(term.value, BlankNode())


class RemoteRows:
    """The solutions of a SELECT at an endpoint, parsed while they are received.

    Args:
        names: the columns in the endpoint's order.
        query: its text, for the displayed order of the columns.

    Attributes:
        limited: after the last row: whether the endpoint truncated the result.
    """

    def __init__(self, names: tuple[str, ...], answer: Answer, limits: Limits, query: str) -> None:
        self.variables = in_order_of_query(query, names)
        self._names = names
        self.limited = False
        self._answer = answer
        self._limits = limits

    def __iter__(self) -> Iterator[Row]:
        own = _OwnBlankNodes()
        number = 0
        try:
            for solution in self._answer.items():
                number += 1
                check_limits(self._limits, self._answer.address)
                row: dict[str, Term | Triple] = {}
                for name, term in zip(self._names, solution, strict=True):
                    if term is not None:
                        row[name] = own.of(respelled(term) if self._answer.is_virtuoso else term)
                yield row
            self.limited = self._answer.row_limit is not None and number >= self._answer.row_limit
            if not self.limited:
                self._answer.keep()
        finally:
            self._answer.close()


def read_triples(answer: Answer, format: RdfFormat, limits: Limits) -> Iterator[Triple]:
    """The triples of a CONSTRUCT or DESCRIBE; blank nodes get unique labels."""
    try:
        answer.read_by(
            lambda stream: parse(stream, format=format, base_iri=answer.address, rename_blank_nodes=True)  # type: ignore[arg-type]  # a stream
        )
        number = 0
        for quad in answer.items():
            number += 1
            check_limits(limits, answer.address)
            yield quad.triple
        # Virtuoso may have truncated results of this size.
        if not (answer.is_virtuoso and number >= MANY_TRIPLES):
            answer.keep()
    finally:
        answer.close()


def read_rows(answer: Answer, format: QueryResultsFormat) -> tuple[str, ...] | bool:
    """Start parsing the result of a SELECT or ASK: its variables or its boolean."""
    answer.read_by(lambda stream: parse_query_results(stream, format=format))  # type: ignore[arg-type]  # a stream
    return answer.head()


def wrong_type(media_type: str, address: str) -> NotAnEndpoint:
    """The error for a response that is not a SPARQL result."""
    what = "a web page" if media_type == "text/html" else media_type or "something without a content type"
    return NotAnEndpoint(
        f"the server sent {what} instead of SPARQL results", address, "give the address of an endpoint"
    )
