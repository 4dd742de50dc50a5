"""Parse a query to SPARQL algebra (SPARQL 1.1, section 18.2) with RDFLib, with helpers to inspect it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.rdf.sparql_shape import check_size, in_order_of_query
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.literals import DOUBLE_TEXT, MOMENT
from hpc_explorer.stores.columns.relation import NotByColumns

# Typed literals that mean the same after the parser has normalized them.
_KNOWN = re.compile(rf"[+-]?(\d+(\.\d*)?|\.\d+)\Z|{MOMENT}\Z|\d{{4}}-\d\d-\d\d\Z", re.ASCII)
_CONSTANTS = (TokenKind.NUMBER, TokenKind.STRING)
_DOUBLE = re.compile(rf"{DOUBLE_TEXT}\Z", re.ASCII)


@lru_cache(maxsize=64)
def parsed(query: str) -> Any:
    """Parse a query to SPARQL algebra (SPARQL 1.1, section 18.2) with RDFLib, with helpers to inspect it.

    Raises:
        NotByColumns: it is not a SELECT, or the parser, which supports SPARQL 1.1 only, may read it differently than
            the triple store.
    """
    from pyparsing.exceptions import ParseException
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        check_size(query)
    except QuerySyntaxError:
        raise NotByColumns("a query that is too large to be parsed") from None
    tokens = meaning_tokens(query)
    if any(token.is_word("SERVICE", "BASE") for token in tokens):
        raise NotByColumns("another service, or relative IRIs")
    try:
        algebra = translateQuery(parseQuery(query)).algebra
    except (ParseException, Exception) as error:  # noqa: BLE001  # the parser raises bare exceptions too
        raise NotByColumns(f"the parser fails: {error}") from None
    if algebra.name != "SelectQuery" or algebra.datasetClause:
        raise NotByColumns("no SELECT over the merge of all graphs")
    if _filters_by_constant(tokens):
        raise NotByColumns("a constant condition, which the parser drops if it is false")
    _must_be_valid(query)
    _must_be_read_as_written(tokens, algebra)
    order = in_order_of_query(query, [str(variable) for variable in algebra.PV])
    algebra["PV"] = sorted(algebra.PV, key=lambda variable: order.index(str(variable)))
    return algebra


def _must_be_valid(query: str) -> None:
    """Check the syntax by running the query on an empty store."""
    from pyoxigraph import Store

    try:
        Store().query(query)
    except SyntaxError:
        raise NotByColumns("the triple store rejects it") from None


def _must_be_read_as_written(tokens: Sequence[Token], algebra: Any) -> None:
    """Reject literals that the parser has normalized, unless the result is known to be equivalent."""
    read: set[str] | None = None
    for token, sign, datatype in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.kind is not TokenKind.STRING or not sign.text.startswith("^"):
            continue
        quotes = 3 if token.text[:3] in ('"""', "'''") else 1
        text = token.text[quotes:-quotes]
        if _KNOWN.match(text) or (datatype.text.rstrip(">").endswith("double") and _DOUBLE.match(text)):
            continue
        if read is None:
            read = set(_literals(algebra))
        if "\\" in text or text not in read:
            raise NotByColumns("a literal that the parser changes")


def _literals(node: Any) -> Iterator[str]:
    from rdflib import Literal as RdflibLiteral

    if isinstance(node, RdflibLiteral):
        yield str(node)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _literals(key)
            yield from _literals(value)
    elif isinstance(node, (list, tuple)):
        for part in node:
            yield from _literals(part)


def _filters_by_constant(tokens: Sequence[Token]) -> bool:
    for place, token in enumerate(tokens):
        if token.is_word("FILTER", "HAVING"):
            inside = next(number for number in range(place + 1, len(tokens)) if not tokens[number].is_sign("("))
            if tokens[inside].is_word("TRUE", "FALSE") or tokens[inside].kind in _CONSTANTS:
                behind = inside + {"^": 3, "@": 2}.get(tokens[inside + 1].text[:1], 1)
                if tokens[behind].is_sign(")"):
                    return True
    return False


def joined_variables(algebra: Any) -> frozenset[str]:
    """The variables that occur outside a single group of patterns."""
    from rdflib import Variable as RdflibVariable
    from rdflib.plugins.sparql.parserutils import CompValue

    elsewhere: set[str] = set()
    in_groups: dict[str, set[int]] = {}

    def look(node: Any, group: int) -> None:
        if isinstance(node, RdflibVariable):
            elsewhere.add(str(node))
        elif isinstance(node, CompValue):
            if node.name == "BGP":
                for triple in node.triples:
                    plain = isinstance(triple[1], str)
                    for term in (triple[0], triple[2]):
                        if isinstance(term, RdflibVariable):
                            in_groups.setdefault(str(term), set()).add(group)
                            if not plain:
                                elsewhere.add(str(term))
                return
            for key, value in node.items():
                if key != "_vars":
                    # A join is one group of patterns.
                    look(value, group if node.name == "Join" and key in ("p1", "p2") else id(value))
        elif isinstance(node, (list, tuple)):
            for part in node:
                look(part, group)
        elif isinstance(node, dict):
            for key in node:
                look(key, group)

    look(algebra, 0)
    return frozenset(elsewhere | {name for name, groups in in_groups.items() if len(groups) > 1})


def operation_of(node: Any) -> str:
    """The name of an algebra operation; the parser uses a list for VALUES without values."""
    return getattr(node, "name", "VALUES {}")


def operands_of(node: Any) -> list[Any]:
    """The operands of nested joins, flattened; any other node is its own only operand."""
    if operation_of(node) == "Join":
        return [*operands_of(node.p1), *operands_of(node.p2)]
    return [node]


def is_true(expression: Any) -> bool:
    """Whether this is the constant condition of an OPTIONAL without a filter."""
    return operation_of(expression) == "TrueFilter"


def own_term(term: Any) -> NamedNode | Literal:
    """A term of the parser as one of ours."""
    from rdflib import Literal as RdflibLiteral
    from rdflib import URIRef

    if isinstance(term, URIRef):
        return NamedNode(str(term))
    if isinstance(term, RdflibLiteral):
        if term.language:
            return Literal(str(term), language=term.language)
        return (
            Literal(str(term)) if term.datatype is None else Literal(str(term), datatype=NamedNode(str(term.datatype)))
        )
    raise NotByColumns(f"the term {term!r}")


def is_variable(expression: Any) -> bool:
    """Whether a piece of algebra is a variable."""
    from rdflib import Variable

    return isinstance(expression, Variable)


def term_of(expression: Any) -> NamedNode | Literal | None:
    """A constant of the parser as one of ours; None if it is not one."""
    from rdflib import Literal as RdflibLiteral
    from rdflib import URIRef

    return own_term(expression) if isinstance(expression, (URIRef, RdflibLiteral)) else None
