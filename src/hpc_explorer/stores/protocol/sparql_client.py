"""A client of the SPARQL 1.1 Protocol for queries and updates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

from pyoxigraph import QueryTriples
from pyoxigraph import Store as Engine

from hpc_explorer.errors import AnswerLimited, EndpointRefused, ExplorerError, QuerySyntaxError, Unsupported
from hpc_explorer.rdf.sparql_shape import check_size, refuse_update_from_elsewhere, without_calls
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens, unescaped_local
from hpc_explorer.rdf.terms import Triple
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache
from hpc_explorer.stores.protocol.cached_client import CachedClient
from hpc_explorer.stores.protocol.credentials import Credentials, split_credentials
from hpc_explorer.stores.protocol.http import HttpClient, Login, Timeouts, no_login
from hpc_explorer.stores.protocol.http_messages import HttpRequest
from hpc_explorer.stores.protocol.sparql_results import (
    DOCUMENT_ACCEPT,
    ROWS_ACCEPT,
    ROWS_FORMATS,
    TRIPLES_ACCEPT,
    TRIPLES_FORMATS,
    Answer,
    RemoteRows,
    read_rows,
    read_triples,
    wrong_type,
)
from hpc_explorer.stores.protocol.virtuoso import MANY_TRIPLES, check_complete, rows_query, with_plain_descriptions
from hpc_explorer.stores.query_faults import query_syntax_error

# Maximum length of a query sent by GET, which caches support; longer ones are posted.
_LONGEST_GET = 2_000

Fields = tuple[tuple[str, str], ...]
"""Names and values of a request beside its query, such as the graphs of its dataset."""


class SparqlClient:
    """Sends requests to one endpoint; arguments as for `RemoteStore` and `HttpClient`.

    Attributes:
        address: the address for queries, without credentials.
        http: the caching client.
        is_virtuoso: whether Virtuoso sent the last response.
    """

    def __init__(
        self,
        address: str,
        update_address: str | None,
        credentials: Credentials | None,
        patience: Timeouts,
        login: Login = no_login,
        cache: AnswerCache | None = None,
        refresh: bool = False,
        may_ask: Callable[[str], bool] = lambda address: True,
    ) -> None:
        self.address, told = split_credentials(address)
        self.update_address = update_address
        client = HttpClient(
            self.address, credentials=credentials or told, patience=patience, login=login, may_ask=may_ask
        )
        self.http = CachedClient(client, cache, refresh=refresh)
        self.is_virtuoso = False

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def select(self, query: str, limits: Limits, dataset: Fields = ()) -> RemoteRows:
        """The solutions of a SELECT query.

        Raises:
            QuerySyntaxError: the endpoint rejects the query, or it is not a SELECT.
            ServerError: the endpoint does not answer in time.
        """
        answer, found = self._rows(query, limits, dataset)
        if isinstance(found, bool):
            answer.close()
            raise QuerySyntaxError("not a SELECT query", "", "begin it with SELECT")
        # Virtuoso also returns triples as rows.
        if answer.is_virtuoso and found == ("s", "p", "o") and _asks_for_triples(query):
            answer.close()
            raise QuerySyntaxError("a query for triples, not for rows", "", "begin it with SELECT or ASK")
        return RemoteRows(found, answer, limits, query)

    def ask(self, query: str, limits: Limits, dataset: Fields = ()) -> bool:
        """The answer of an ASK query.

        Raises:
            QuerySyntaxError, ServerError: as for `select`.
        """
        answer, found = self._rows(query, limits, dataset)
        if isinstance(found, bool):
            answer.keep()
        answer.close()
        if not isinstance(found, bool):
            raise QuerySyntaxError("not an ASK query", "", "begin it with ASK")
        return found

    def holds(self, where: str, limits: Limits) -> bool:
        """Whether a pattern has a solution."""
        return self.ask(f"ASK {{ {where} }}", limits)

    def construct(self, query: str, limits: Limits, dataset: Fields = ()) -> Iterator[Triple]:
        """The triples of a CONSTRUCT or DESCRIBE query.

        Raises:
            QuerySyntaxError, ServerError: as for `select`.
            AnswerLimited: after the last triple, if the endpoint may have truncated the result.
        """
        if self.is_virtuoso:
            # Virtuoso may answer with triples that describe the rows, or with a web page.
            if _asks_for_triples(query) is False:
                raise _not_for_triples()
            query = with_plain_descriptions(query)
        answer = self._send(query, TRIPLES_ACCEPT, limits, dataset)
        format = TRIPLES_FORMATS.get(answer.media_type)
        if format is None:
            answer.close()
            if answer.media_type in ROWS_FORMATS:
                raise _not_for_triples()
            raise wrong_type(answer.media_type, self.address)
        triples = read_triples(answer, format, limits)
        return self._perhaps_limited(triples, limits) if answer.is_virtuoso else triples

    def _perhaps_limited(self, triples: Iterator[Triple], limits: Limits) -> Iterator[Triple]:
        """Iterate triples; raise at the end if their number reaches Virtuoso's row limit."""
        number = 0
        for triple in triples:
            number += 1
            yield triple
        if number >= MANY_TRIPLES:
            answer = self._send(rows_query(number), ROWS_ACCEPT, limits, ())
            answer.close()
            if answer.row_limit is not None and number >= answer.row_limit:
                what = f"the answer is perhaps cut off: the endpoint gives at most {answer.row_limit:,} solutions"
                raise AnswerLimited(what, self.address, "ask for less at once")

    def document(self, address: str, limits: Limits) -> Iterator[Triple]:
        """Load an RDF document from the server, with caching.

        Raises:
            ServerError: there is no document.
        """
        request = HttpRequest("GET", address, DOCUMENT_ACCEPT)
        answer = Answer(self.http.open(request, limits, question=f"{DOCUMENT_ACCEPT}\n{address}"), address)
        format = TRIPLES_FORMATS.get(answer.media_type)
        if format is None:
            answer.close()
            raise wrong_type(answer.media_type, address)
        return read_triples(answer, format, limits)

    def update(self, text: str, limits: Limits) -> None:
        """Execute a SPARQL 1.1 Update at the endpoint. It is sent only once.

        Raises:
            QuerySyntaxError: the text is not SPARQL 1.1 Update.
            Unsupported: the endpoint is read-only.
        """
        if self.update_address is None:
            raise Unsupported("this endpoint is opened for reading only", self.address, "")
        request = HttpRequest(
            "POST", self.update_address, "*/*", text.encode(), "application/sparql-update; charset=utf-8", safe=False
        )
        try:
            self.http.open(request, limits).close()
        except EndpointRefused:
            _look_for_syntax_error(lambda engine: _read_update(engine, text))
            raise

    def _send(self, query: str, accept: str, limits: Limits, dataset: Fields) -> Answer:
        fields = urlencode((("query", query), *dataset))
        separator = "&" if "?" in self.address else "?"
        if len(fields) <= _LONGEST_GET:
            request = HttpRequest("GET", f"{self.address}{separator}{fields}", accept)
        else:
            request = HttpRequest(
                "POST", self.address, accept, fields.encode("ascii"), "application/x-www-form-urlencoded"
            )
        question = "\n".join((accept, urlencode(dataset), canonical_query(query))) if always_the_same(query) else ""
        try:
            answer = self.http.open(request, limits, question=question)
        except EndpointRefused:
            _look_for_syntax_error(lambda engine: _read_query(engine, query))
            raise
        try:
            check_complete(answer.headers, self.address)
        except BaseException:
            answer.close()
            raise
        read = Answer(answer, self.address)
        self.is_virtuoso = read.is_virtuoso
        return read

    def _rows(self, query: str, limits: Limits, dataset: Fields) -> tuple[Answer, tuple[str, ...] | bool]:
        """The rows of a SELECT with its variables, or the boolean of an ASK."""
        answer = self._send(query, ROWS_ACCEPT, limits, dataset)
        try:
            format = ROWS_FORMATS.get(answer.media_type)
            if format is None:
                if answer.media_type in TRIPLES_FORMATS:
                    raise QuerySyntaxError("a query for triples, not for rows", "", "begin it with SELECT or ASK")
                raise wrong_type(answer.media_type, self.address)
            return answer, read_rows(answer, format)
        except BaseException:
            answer.close()
            raise


def _not_for_triples() -> QuerySyntaxError:
    return QuerySyntaxError("not a CONSTRUCT or DESCRIBE query", "", "begin it with CONSTRUCT or DESCRIBE")


def _asks_for_triples(query: str) -> bool | None:
    """Whether it is a CONSTRUCT or DESCRIBE; None if the local engine cannot parse it."""
    try:
        check_size(query)
        return isinstance(Engine().query(without_calls(query)), QueryTriples)
    except (QuerySyntaxError, SyntaxError, OSError, RuntimeError, ValueError):
        return None


def _look_for_syntax_error(work: Callable[[Engine], object]) -> None:
    """Raise the syntax error that the local engine finds in a rejected text, if any.

    Args:
        work: parses the text with an engine; raises a named error if no engine may do so.
    """
    try:
        work(Engine())
    except SyntaxError as error:
        raise query_syntax_error(error) from None
    except (ExplorerError, OSError, RuntimeError, ValueError):
        return


def _read_query(engine: Engine, text: str) -> None:
    check_size(text)
    engine.query(without_calls(text))


def _read_update(engine: Engine, text: str) -> None:
    check_size(text)
    refuse_update_from_elsewhere(text)
    engine.update(text)


_ABSOLUTE = re.compile(r"<[A-Za-z][A-Za-z0-9+.\-]*:[^<>]*>")
_CODE_POINT = re.compile(r"\\[uU]")

# Functions with a different value at each call (SPARQL 1.1 Query, sections 17.4.2 to 17.4.5).
_CHANGING = frozenset(("NOW", "RAND", "UUID", "STRUUID"))


def canonical_query(text: str) -> str:
    """The canonical text of a query, used as a cache key."""
    tokens = _tokens(text)
    if tokens is None:
        return text
    return _without_prefixes(tokens) or " ".join(token.text for token in tokens)


def always_the_same(text: str) -> bool:
    """Whether the answer depends on the data only: the query calls no function such as NOW or RAND."""
    tokens = _tokens(text)
    if tokens is None:
        return not any(name in text.upper() for name in _CHANGING)
    return not any(token.is_word(*_CHANGING) for token in tokens)


def _tokens(text: str) -> list[Token] | None:
    """The tokens without white space and comments; None if the text cannot be tokenized."""
    if _CODE_POINT.search(text):
        return None
    tokens = meaning_tokens(text)
    return None if any(token.kind is TokenKind.UNKNOWN for token in tokens) else tokens


def _without_prefixes(tokens: list[Token]) -> str | None:
    """The tokens on one line with full IRIs for prefixed names; None if that could change the meaning."""
    prefixes: dict[str, str] = {}
    place = 0
    while place < len(tokens) and tokens[place].is_word("PREFIX"):
        declared = tokens[place + 1 : place + 3]
        if [token.kind for token in declared] != [TokenKind.NAME, TokenKind.IRI]:
            return None
        name, iri = declared
        if not name.text.endswith(":") or not _ABSOLUTE.fullmatch(iri.text) or name.text in prefixes:
            return None
        prefixes[name.text] = iri.text[1:-1]
        place += 3
    body = tokens[place:]
    if any(token.is_word("BASE", "PREFIX") for token in body):
        return None
    words: list[str] = []
    for word in _expanded(body, prefixes):
        if word is None:
            return None
        words.append(word)
    return " ".join(words)


def _expanded(tokens: list[Token], prefixes: dict[str, str]) -> Iterator[str | None]:
    for token in tokens:
        if token.kind is not TokenKind.NAME:
            yield token.text
            continue
        prefix, colon, local = token.text.partition(":")
        start = prefixes.get(prefix + colon)
        yield None if start is None else "<" + start + unescaped_local(local) + ">"
