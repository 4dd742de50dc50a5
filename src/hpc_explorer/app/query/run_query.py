"""Ask: a SPARQL text, answered as a table, a yes or no, or triples."""

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
    """The answer of a SPARQL 1.1 query over the merge of all open graphs.

    Prefixes that the query uses and does not declare are taken from the sources and the well-known ones. With limits,
    the query ends within moments when they say so, whatever the engine does: it is answered in a process of its own.

    Args:
        progress: told of what has to be done before the query can be answered.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it would change the graph.
        MemoryExceeded, ReaderFailed: the process in which it was answered ended.
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
    """The hosts that a query would ask with SERVICE from here; none where an endpoint is open, which asks them itself.

    A text that cannot be read asks none.
    """
    if session.store.capabilities.remote:
        return ()
    try:
        return servers_asked(with_prefixes(text, session.prefixes))
    except ExplorerError:
        return ()


def prepare_queries(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> None:
    """Do now what the next query with limits would have to wait for: have its process ready, with the graph as it is.

    Raises:
        MemoryExceeded: the graph in memory is too large to be copied.
    """
    store = session.stoppable_store
    if isinstance(store, StoppableStore):
        store.prepare(progress=progress, limits=limits)


def start_queries(session: Session) -> None:
    """Have the process for the next query with limits started, without waiting for it: somebody is about to ask."""
    store = session.stoppable_store
    if isinstance(store, StoppableStore):
        store.start()


def store_for(session: Session, progress: Progress, limits: Limits) -> Store:
    """What answers a query: a call that nobody can stop needs no process that can be killed."""
    if limits.cancel is None and limits.deadline is None:
        return session.with_columns(session.store)
    prepare_queries(session, progress=progress, limits=limits)
    return session.with_columns(session.stoppable_store)


def query_form(text: str) -> str:
    """SELECT, ASK, CONSTRUCT or DESCRIBE.

    Raises:
        QuerySyntaxError: it is none of these.
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
    """The query with the prefixes declared that it uses and does not declare itself, on its first line.

    They stand before the text on one line, so that line numbers in error messages stay true.
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
    """Have the place of a fault in a text with prefixes be that in the text as it was written.

    Args:
        complete: what `with_prefixes` makes of the text.

    Raises:
        QuerySyntaxError: as it came, but for the place.
    """
    added = len(complete) - len(text)
    try:
        yield
    except QuerySyntaxError as error:
        where = _ON_FIRST_LINE.sub(lambda found: f"line 1, column {max(1, int(found[1]) - added)}", error.where)
        raise QuerySyntaxError(error.what, where, error.remedy) from None
