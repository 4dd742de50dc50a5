"""The algebra of a SPARQL query (SPARQL 1.1, section 18.2), as RDFLib reads it, and what can be seen in it at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hpc_explorer.stores.columns.relation import NotByColumns


@lru_cache(maxsize=64)
def parsed(query: str) -> Any:
    """The algebra of a SELECT query.

    Raises:
        NotByColumns: it is no SELECT, or the parser, which reads SPARQL 1.1 only, does not know it.
    """
    from pyparsing.exceptions import ParseException
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        algebra = translateQuery(parseQuery(query)).algebra
    except (ParseException, Exception) as error:  # noqa: BLE001  # the parser raises bare exceptions too
        raise NotByColumns(f"the parser says {error}") from None
    if algebra.name != "SelectQuery" or algebra.datasetClause:
        raise NotByColumns("no SELECT over the merge of all graphs")
    return algebra


def asked_for(algebra: Any) -> frozenset[str]:
    """The variables that stand elsewhere than in one group of patterns only."""
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
                    # What is joined is one group of patterns.
                    look(value, group if node.name == "Join" and key in ("p1", "p2") else id(value))
        elif isinstance(node, (list, tuple)):
            for part in node:
                look(part, group)
        elif isinstance(node, dict):
            for key in node:
                look(key, group)

    look(algebra, 0)
    return frozenset(elsewhere | {name for name, groups in in_groups.items() if len(groups) > 1})


def operands_of(node: Any) -> list[Any]:
    """What a join joins, however deep in one another; what is none is its only operand."""
    if node.name == "Join":
        return [*operands_of(node.p1), *operands_of(node.p2)]
    return [node]


def is_true(expression: Any) -> bool:
    """Whether it is the condition that an optional part without one has."""
    return getattr(expression, "name", "") == "TrueFilter"
