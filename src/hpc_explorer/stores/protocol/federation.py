"""Federated queries (`SERVICE`, SPARQL 1.1 Federated Query).

The engine never gets a SERVICE call, because it would contact any server and could not be stopped. This module queries
the allowed servers, each call once and as a whole (section 2.4 of that recommendation), and inserts the results as
VALUES. All other requests are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from pyoxigraph import Store as Engine

from hpc_explorer.errors import AnswerLimited, InvalidIri, QuerySyntaxError, ServerError, ServerNotAllowed, Unsupported
from hpc_explorer.rdf.sparql_shape import ServiceCall, check_size, prologue_of, service_calls, without_calls
from hpc_explorer.rdf.sparql_tokens import meaning_tokens
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term, Triple
from hpc_explorer.stores.base import Limits, Row
from hpc_explorer.stores.protocol.http_errors import check_limits
from hpc_explorer.stores.query_faults import query_syntax_error

ANY_SERVER = "all"
"""Among the allowed servers of `Limits`: each is allowed."""

MOST_ROWS = 100_000
"""The maximum number of rows from another server; larger answers are rejected."""

# Seconds for the whole answer of another server.
_PATIENCE = 120.0

BLANK_NODE = NamedNode("urn:hpc-explorer:blank-node")
"""A function that `LocalStore` gives its engine: blank nodes cannot be written in VALUES, see `blank_node_of`."""

_BLANK = "urn:hpc-explorer:blank-node:"


def host_of(address: str) -> str:
    """The host of an address for permissions, with its port if given: `example.org:8890`."""
    return urlsplit(address).netloc.rpartition("@")[2].lower()


def servers_asked(query: str) -> tuple[str, ...]:
    """The hosts that a query would contact, in order, without duplicates.

    Raises:
        QuerySyntaxError: an address in it cannot be read.
        Unsupported: a server is named by a variable.
        InvalidIri: an address is not valid for requests.
    """
    calls = service_calls(query)
    return tuple(dict.fromkeys(map(host_of, _addresses(query, calls))))


def answered_elsewhere(query: str, limits: Limits) -> str:
    """Replace the SERVICE parts of a query by the results of their servers.

    Raises:
        ServerNotAllowed: the limits exclude one of the servers; no request is sent.
        QuerySyntaxError: the query is too large, or cannot be read.
        Unsupported, InvalidIri: as `servers_asked`.
        ServerError: a server fails or returns too much, and the call is not SILENT.
    """
    check_size(query)
    calls = service_calls(query)
    if not calls:
        return query
    addresses = _addresses(query, calls)
    refused = [host for host in dict.fromkeys(map(host_of, addresses)) if not _allows(limits, host)]
    if refused:
        raise ServerNotAllowed(
            "the query asks another server (SERVICE), which is not allowed",
            ", ".join(refused),
            f"allow it with --allow-service {refused[0]}",
        )
    try:
        Engine().query(without_calls(query))
    except SyntaxError as error:
        raise query_syntax_error(error) from None
    prologue = prologue_of(query, meaning_tokens(query))
    pieces: list[str] = []
    done = 0
    for number, (call, address) in enumerate(zip(calls, addresses, strict=True)):
        if call.is_outer:
            pieces += [query[done : call.start], _answer(call, address, prologue, number, limits)]
            done = call.end
    return "".join([*pieces, query[done:]])


def terms_meant(query: str, written: Sequence[str]) -> list[NamedNode]:
    """Resolve terms of a query with its prefixes and base.

    Raises:
        QuerySyntaxError: not an IRI, or an undeclared prefix.
    """
    prologue = prologue_of(query, meaning_tokens(query))
    try:
        rows = Engine().query(f"{prologue}\nSELECT ?it {{ VALUES ?it {{ {' '.join(written)} }} }}")
    except SyntaxError as error:
        raise query_syntax_error(error) from None
    return [row["it"] for row in rows]  # type: ignore[union-attr]  # a SELECT gives solutions


def blank_node_of(term: Term) -> Term:
    """The function `BLANK_NODE`: convert an IRI made by `_answer` back to a blank node; other terms are unchanged."""
    if isinstance(term, NamedNode) and term.value.startswith(_BLANK):
        return BlankNode(term.value.removeprefix(_BLANK))
    return term


def _addresses(query: str, calls: Sequence[ServiceCall]) -> list[str]:
    for call in calls:
        if call.has_variable:
            raise Unsupported(
                "a variable as the server of SERVICE is not supported", call.address, "write the address there"
            )
    addresses = [term.value for term in terms_meant(query, [call.address for call in calls])] if calls else []
    for address in addresses:
        if urlsplit(address).scheme not in ("http", "https") or not host_of(address):
            raise InvalidIri("not the address of a server", address, "use an address that begins with http or https")
    return addresses


def _allows(limits: Limits, host: str) -> bool:
    return host in limits.servers or ANY_SERVER in limits.servers


def _answer(call: ServiceCall, address: str, prologue: str, number: int, limits: Limits) -> str:
    """The replacement of a call: the rows of the server, or an empty binding after a silent failure."""
    # Loaded on demand: few queries call another server, and every local store loads this module.
    from hpc_explorer.stores.protocol.http import Timeouts
    from hpc_explorer.stores.protocol.sparql_client import SparqlClient

    query = f"{prologue}SELECT * WHERE {call.group}"
    # A server does not know the prefixes of the query.
    names = [name.value for name in Engine().query(without_calls(query)).variables]  # type: ignore[union-attr]  # a SELECT
    patience = Timeouts(whole=_PATIENCE)
    client = SparqlClient(address, None, None, patience, may_ask=lambda target: _allows(limits, host_of(target)))
    try:
        rows = client.select(query, limits)
        found: list[Row] = []
        for row in rows:
            found.append(row)
            if len(found) > MOST_ROWS:
                break
        if rows.limited or len(found) > MOST_ROWS:
            raise AnswerLimited(
                f"the answer to SERVICE is cut off at {min(len(found), MOST_ROWS):,} rows", address, "ask it for less"
            )
        return _values(names, found, number)
    except AnswerLimited:
        raise
    except QuerySyntaxError as error:
        raise ServerError(
            f"the server cannot read the query of SERVICE ({error.what})", address, error.remedy
        ) from None
    except ServerError:
        check_limits(limits, address)
        if call.is_silent:
            return _values(names, [{}], number)
        raise
    finally:
        client.close()


def _values(variables: Sequence[str], rows: Iterable[Row], number: int) -> str:
    """Rows as a group of a query."""
    with_blanks: dict[str, None] = {}

    def term(name: str, value: Term | Triple | None) -> str:
        if value is None:
            return "UNDEF"
        if isinstance(value, BlankNode):
            with_blanks[name] = None
            return f"<{_BLANK}{value.value}>"
        if not isinstance(value, (NamedNode, Literal)):
            raise Unsupported("a server answered SERVICE with a quoted triple", "", "ask it for terms")
        return str(value)

    lines = [f"({' '.join(term(name, row.get(name)) for name in variables)})" for row in rows]
    own = {name: f"{name}_{number}_as_sent" for name in with_blanks}
    head = " ".join(f"?{own.get(name, name)}" for name in variables)
    values = f"VALUES ({head}) {{ {' '.join(lines)} }}"
    if not own:
        return f"{{ {values} }}"
    shown = " ".join(f"({BLANK_NODE}(?{own[name]}) AS ?{name})" if name in own else f"?{name}" for name in variables)
    return f"{{ SELECT {shown} {{ {values} }} }}"
