"""Run a SPARQL text; the answer is a table, a truth value, or triples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError, QuerySyntaxError
from hpc_explorer.query.table import TermTable, table_of
from hpc_explorer.rdf.sparql_tokens import TokenKind, meaning_tokens, sparql_tokens
from hpc_explorer.rdf.terms import Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, Store, no_progress
from hpc_explorer.stores.local.stoppable import StoppableStore
from hpc_explorer.stores.protocol.federation import servers_asked

_FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_ON_FIRST_LINE = re.compile(r"line 1, column (\d+)")


def run_query(
    session: Session, text: str, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> TermTable | bool | tuple[Triple, ...]:
    """Run a SPARQL 1.1 query over the merge of all open graphs.

    Undeclared prefixes are taken from the sources and the well-known ones. With limits, a separate process answers the
    query, so that it can be stopped at any time.

    Args:
        progress: reports preparations.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it would change the graph.
        MemoryExceeded, ReaderFailed: the process ended.
    """
    complete = with_prefixes(text, session.prefixes)
    form = query_form(text)
    store = store_for(session, progress, limits)
    with places_of(text, complete):
        if form == "ASK":
            return store.ask(complete, limits=limits)
        if form in ("CONSTRUCT", "DESCRIBE"):
            return tuple(dict.fromkeys(store.construct(complete, limits=limits)))
        rows = store.select(complete, limits=limits)
    return table_of(rows)


def servers_of_query(session: Session, text: str) -> tuple[str, ...]:
    """The hosts that a query would ask with SERVICE; none for an invalid text, or at an endpoint, which asks itself."""
    if session.store.capabilities.remote:
        return ()
    try:
        return servers_asked(with_prefixes(text, session.prefixes))
    except ExplorerError:
        return ()


def prepare_queries(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> None:
    """Start the query process and give it the graph, before a query waits for it.

    Raises:
        MemoryExceeded: the graph in memory is too large to be copied.
    """
    store = session.stoppable_store
    if isinstance(store, StoppableStore):
        store.prepare(progress=progress, limits=limits)


def start_queries(session: Session) -> None:
    """Start the query process without waiting, because a query is about to come."""
    store = session.stoppable_store
    if isinstance(store, StoppableStore):
        store.start()


def store_for(session: Session, progress: Progress, limits: Limits) -> Store:
    """The store for a query: a process that can be stopped if there are limits, else the session's own."""
    if limits.cancel is None and limits.deadline is None:
        return session.with_columns(session.store)
    prepare_queries(session, progress=progress, limits=limits)
    return session.with_columns(session.stoppable_store)


def query_form(text: str) -> str:
    """The form of a query: SELECT, ASK, CONSTRUCT or DESCRIBE.

    Raises:
        QuerySyntaxError: it has none of these forms.
    """
    words = (
        token for token in sparql_tokens(text) if token.kind is TokenKind.WORD and not token.is_word("PREFIX", "BASE")
    )
    form = next(words, None)
    if form is None or not form.is_word(*_FORMS):
        raise QuerySyntaxError(
            "not a query", " ".join(text.split())[:60], "begin it with SELECT, ASK, CONSTRUCT or DESCRIBE"
        )
    return form.text.upper()


def with_prefixes(text: str, prefixes: Mapping[str, str]) -> str:
    """Declare the prefixes that a query uses without declaring them.

    The declarations go on the first line, so that line numbers in error messages stay correct.
    """
    declared: set[str] = set()
    used: set[str] = set()
    is_declaration = False
    for token in meaning_tokens(text):
        if token.kind is TokenKind.NAME:
            (declared if is_declaration else used).add(token.text.partition(":")[0])
        is_declaration = token.is_word("PREFIX")
    lines = [f"PREFIX {prefix}: <{prefixes[prefix]}>" for prefix in sorted(used - declared) if prefix in prefixes]
    return " ".join([*lines, text]) if lines else text


@contextmanager
def places_of(text: str, complete: str) -> Iterator[None]:
    """Correct the column in syntax errors for the prefixes added to the first line.

    Args:
        complete: the result of `with_prefixes` for the text.

    Raises:
        QuerySyntaxError: with the corrected place.
    """
    added = len(complete) - len(text)
    try:
        yield
    except QuerySyntaxError as error:
        where = _ON_FIRST_LINE.sub(lambda found: f"line 1, column {max(1, int(found[1]) - added)}", error.where)
        raise QuerySyntaxError(error.what, where, error.remedy) from None
