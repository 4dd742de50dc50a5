"""Check a SPARQL text for errors, and explain which store answers it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hpc_explorer.app.query.run_query import places_of, query_form, with_prefixes
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError, QuerySyntaxError, StoreError
from hpc_explorer.query.sparql.functions import UPDATES
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.sparql_shape import without_calls
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.store import is_for_columns
from hpc_explorer.stores.local.local import LocalStore

_PLACE = re.compile(r"line (\d+), column (\d+)")


@dataclass(frozen=True)
class QueryFault:
    """An error in a query text, at a range of characters."""

    what: str
    start: int
    end: int


def query_fault(text: str, prefixes: Mapping[str, str]) -> QueryFault | None:
    """The first error in a query; None if it is correct or blank.

    Errors such as an unclosed bracket are reported where they begin. The local engine reads the rest; an endpoint may
    accept more.

    Args:
        prefixes: those that are declared automatically.
    """
    tokens = meaning_tokens(text)
    if not tokens:
        return None
    return _unclosed(tokens) or _update(tokens) or _undeclared(tokens, prefixes) or _unread(text, tokens, prefixes)


def _unclosed(tokens: list[Token]) -> QueryFault | None:
    opened: list[Token] = []
    pairs = {"{": "}", "(": ")", "[": "]"}
    for token in tokens:
        if token.kind is TokenKind.UNKNOWN and token.text[0] in "\"'":
            return QueryFault(f"the string is not closed: {token.text[0]} is missing", token.start, token.end)
        if token.is_sign(*pairs):
            opened.append(token)
        elif token.is_sign(*pairs.values()):
            if not opened or pairs[opened[-1].text] != token.text:
                return QueryFault(f"there is nothing open that {token.text} would close", token.start, token.end)
            opened.pop()
    if opened:
        last = opened[-1]
        return QueryFault(f"{last.text} is not closed: {pairs[last.text]} is missing", last.start, last.end)
    return None


def update_fault(text: str) -> QueryFault | None:
    """The error for a text that would change the graph; None for others."""
    return _update(meaning_tokens(text))


def _update(tokens: list[Token]) -> QueryFault | None:
    at = 0
    while at < len(tokens) and tokens[at].is_word("PREFIX", "BASE"):
        at += 3 if tokens[at].is_word("PREFIX") else 2
    if at < len(tokens) and tokens[at].is_word(*UPDATES):
        words = f"{tokens[at].text.upper()} would change the graph; only queries are allowed here"
        return QueryFault(words, tokens[at].start, tokens[at].end)
    return None


def _undeclared(tokens: list[Token], prefixes: Mapping[str, str]) -> QueryFault | None:
    declared = {
        name.text.partition(":")[0]
        for word, name in itertools.pairwise(tokens)
        if word.is_word("PREFIX") and name.kind is TokenKind.NAME
    }
    for token in tokens:
        prefix = token.text.partition(":")[0]
        if token.kind is TokenKind.NAME and prefix not in declared and prefix not in prefixes:
            return QueryFault(f"the prefix {prefix}: is not declared", token.start, token.start + len(prefix) + 1)
    return None


def _unread(text: str, tokens: list[Token], prefixes: Mapping[str, str]) -> QueryFault | None:
    """An error of the engine, in the words of this program's own reader if that fails too."""
    try:
        query_model(text, prefixes)
        own = None
    except QuerySyntaxError as error:
        own = _placed(error, text, tokens)
    complete = with_prefixes(text, prefixes)
    store = LocalStore.in_memory()
    try:
        form = query_form(text)
        # Calls to other servers are checked, but not made.
        complete = without_calls(complete)
        with places_of(text, complete):
            if form == "ASK":
                store.ask(complete)
            elif form == "SELECT":
                store.select(complete)
            else:
                store.construct(complete)
    except InputError as error:
        return own or _placed(error, text, tokens)
    except StoreError:
        return None
    finally:
        store.close()
    return None


_REASON = re.compile(r"the query has a syntax error \((.*)\)\Z", re.DOTALL)

# The engine's errors for queries that are valid syntax but make no sense.
_SENSELESS = (
    ("a variable that is unbound", "a column is neither grouped nor aggregated, or never has a value"),
    ("expected [_]", "a variable is assigned twice, or used where it has no value"),
)


def _placed(error: InputError, text: str, tokens: list[Token]) -> QueryFault:
    """An error with its range in the text."""
    reason = _REASON.match(error.what)
    what = reason[1] if reason is not None else f"{error.what}: {error.remedy}"
    what = next((words for sign, words in _SENSELESS if sign in what), what)
    found = _PLACE.search(error.where)
    if found is None:
        return QueryFault(what, tokens[0].start, tokens[0].end)
    line, column = int(found[1]), int(found[2])
    lines = text.split("\n")
    at = sum(len(one) + 1 for one in lines[: line - 1]) + max(0, column - 1)
    token = next((one for one in tokens if one.end > at), tokens[-1])
    return QueryFault(what, token.start, token.end)


@dataclass(frozen=True)
class HowAnswered:
    """How a query is answered.

    Args:
        by: a few words, such as "facts by column".
        why: one sentence.
        sql: the SQL of the columns.
        plan: the query plan of the columns' engine; empty elsewhere.
    """

    by: str
    why: str
    sql: str = ""
    plan: str = ""


def how_answered(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> HowAnswered:
    """Explain which store answers a query: an endpoint, the facts by column, or the triples.

    Raises:
        QuerySyntaxError: the text is not a query.
    """
    form = query_form(text)
    fault = query_fault(text, session.prefixes)
    if fault is not None and not session.store.capabilities.remote:
        raise QuerySyntaxError(fault.what, "", "correct it there")
    if session.store.capabilities.remote:
        name = session.sources[0].name if session.sources else "it"
        return HowAnswered("the endpoint", f"The whole query is sent to {name}, which answers it.")
    columns = session.columns
    if columns is None:
        return HowAnswered("the triples", "Only a workspace has facts by column; this graph is held as triples.")
    if form != "SELECT" or not is_for_columns(text):
        return HowAnswered("the triples", "It has no aggregates, and following links is faster with triples.")
    try:
        sql, plan = columns.explained(with_prefixes(text, session.prefixes), limits=limits)
    except NotByColumns as reason:
        return HowAnswered("the triples", f"The facts by column cannot answer it exactly: {reason}.")
    return HowAnswered("facts by column", "It has aggregates, which the columns are made for.", sql, plan)
