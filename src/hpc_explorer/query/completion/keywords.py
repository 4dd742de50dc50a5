"""The keywords allowed at each position of a query (grammar: SPARQL 1.1 Query, section 19.8)."""

from __future__ import annotations

from hpc_explorer.query.completion.cursor_context import CursorContext
from hpc_explorer.query.completion.expected_syntax import ExpectedSyntax

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
_KEYWORDS_AT: dict[ExpectedSyntax, tuple[tuple[str, str], ...]] = {
    ExpectedSyntax.START: _FORMS,
    ExpectedSyntax.SELECT: (("DISTINCT", "each row once"), ("REDUCED", ""), ("WHERE", ""), ("FROM", "a graph to ask")),
    ExpectedSyntax.DESCRIBE: (("WHERE", ""), ("FROM", "a graph to ask")),
    ExpectedSyntax.CONSTRUCT: (("WHERE", ""),),
    ExpectedSyntax.DATASET: (("NAMED", "for GRAPH"),),
    ExpectedSyntax.GROUP: (("WHERE", ""), ("FROM", "a graph to ask")),
    ExpectedSyntax.PATTERN: _IN_GROUP,
    ExpectedSyntax.AFTER_OBJECT: _IN_GROUP,
    ExpectedSyntax.PREDICATE: (("a", "is an instance of"),),
    ExpectedSyntax.OBJECT: (("true", ""), ("false", "")),
    ExpectedSyntax.CONSTRAINT: (("EXISTS", "is there"), ("NOT EXISTS", "is not there")),
    ExpectedSyntax.EXPRESSION: (
        ("EXISTS", "is there"),
        ("NOT EXISTS", "is not there"),
        ("IN", "is one of"),
        ("NOT IN", "is none of"),
        ("AS", "under the name"),
        ("DISTINCT", "each value once"),
        ("true", ""),
        ("false", ""),
    ),
    ExpectedSyntax.GRAPH: (("SILENT", "without it if it fails"),),
    ExpectedSyntax.DATA: (("UNDEF", "anything"), ("true", ""), ("false", "")),
    ExpectedSyntax.MODIFIERS: _ENDINGS,
    ExpectedSyntax.GROUP_BY: (*_ENDINGS, ("BY", "")),
    ExpectedSyntax.ORDER_BY: (("ASC", "the least first"), ("DESC", "the most first"), *_ENDINGS, ("BY", "")),
}


def keywords_at(at: CursorContext) -> tuple[tuple[str, str], ...]:
    """The keywords that can stand at a position."""
    words = _KEYWORDS_AT.get(at.spot, ())
    if needs_by(at):
        return (("BY", ""),)
    if at.spot is ExpectedSyntax.PATTERN and at.before is not None and at.before.is_sign("}"):
        return (("UNION", "or"), *words)
    if at.spot is ExpectedSyntax.PREDICATE and at.path:
        return ()
    return words


def needs_by(at: CursorContext) -> bool:
    """Whether the position is between `GROUP` or `ORDER` and `BY`."""
    before = at.before
    return (
        at.spot in (ExpectedSyntax.GROUP_BY, ExpectedSyntax.ORDER_BY)
        and before is not None
        and before.is_word("GROUP", "ORDER")
    )
