"""Where in a query which keywords can stand (grammar: SPARQL 1.1 Query, section 19.8)."""

from __future__ import annotations

from hpc_explorer.query.completion.cursor_context import Position
from hpc_explorer.query.completion.expected_syntax import Spot

_IN_GROUP = (
    ("OPTIONAL", "may be there"),
    ("FILTER", "has to be true"),
    ("BIND", "a new variable"),
    ("VALUES", "any of these"),
    ("MINUS", "must not be there"),
    ("GRAPH", "in a named graph"),
    ("SERVICE", "at another endpoint"),
    ("SELECT", "a query in the query"),
)
_ENDINGS = (
    ("GROUP BY", "one row for each"),
    ("HAVING", "which groups"),
    ("ORDER BY", "sorted"),
    ("LIMIT", "so many rows"),
    ("OFFSET", "without the first rows"),
    ("VALUES", "any of these"),
)
_FORMS = (
    ("SELECT", "rows"),
    ("ASK", "yes or no"),
    ("CONSTRUCT", "triples that are built"),
    ("DESCRIBE", "triples about resources"),
    ("PREFIX", "a short name of a namespace"),
    ("BASE", "what relative IRIs begin with"),
)
_KEYWORDS_AT: dict[Spot, tuple[tuple[str, str], ...]] = {
    Spot.START: _FORMS,
    Spot.SELECT: (("DISTINCT", "each row once"), ("REDUCED", ""), ("WHERE", ""), ("FROM", "a graph to ask")),
    Spot.DESCRIBE: (("WHERE", ""), ("FROM", "a graph to ask")),
    Spot.CONSTRUCT: (("WHERE", ""),),
    Spot.DATASET: (("NAMED", "for GRAPH"),),
    Spot.GROUP: (("WHERE", ""), ("FROM", "a graph to ask")),
    Spot.PATTERN: _IN_GROUP,
    Spot.AFTER_OBJECT: _IN_GROUP,
    Spot.PREDICATE: (("a", "is an instance of"),),
    Spot.OBJECT: (("true", ""), ("false", "")),
    Spot.CONSTRAINT: (("EXISTS", "is there"), ("NOT EXISTS", "is not there")),
    Spot.EXPRESSION: (
        ("EXISTS", "is there"),
        ("NOT EXISTS", "is not there"),
        ("IN", "is one of"),
        ("NOT IN", "is none of"),
        ("AS", "under the name"),
        ("DISTINCT", "each value once"),
        ("true", ""),
        ("false", ""),
    ),
    Spot.GRAPH: (("SILENT", "without it if it fails"),),
    Spot.DATA: (("UNDEF", "anything"), ("true", ""), ("false", "")),
    Spot.MODIFIERS: _ENDINGS,
    Spot.GROUP_BY: (*_ENDINGS, ("BY", "")),
    Spot.ORDER_BY: (("ASC", "the least first"), ("DESC", "the most first"), *_ENDINGS, ("BY", "")),
}


def keywords_at(at: Position) -> tuple[tuple[str, str], ...]:
    """The keywords that can stand at a position."""
    words = _KEYWORDS_AT.get(at.spot, ())
    if awaits_by(at):
        return (("BY", ""),)
    if at.spot is Spot.PATTERN and at.before is not None and at.before.is_sign("}"):
        return (("UNION", "or"), *words)
    if at.spot is Spot.PREDICATE and at.path:
        return ()
    return words


def awaits_by(at: Position) -> bool:
    """Whether it stands between `GROUP` or `ORDER` and `BY`."""
    before = at.before
    return at.spot in (Spot.GROUP_BY, Spot.ORDER_BY) and before is not None and before.is_word("GROUP", "ORDER")
