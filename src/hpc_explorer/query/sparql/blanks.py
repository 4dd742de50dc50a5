"""Putting terms into the blanks of a SPARQL text, so that they stay terms whatever they hold.

The text is cut into tokens by the grammar's own rules (SPARQL 1.1 Query, section 19.8); only variables are replaced,
never what stands in a string, an IRI, a comment or an escape. A term is written in full by the engine that also reads
it, so nothing in it can end it early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hpc_explorer.errors import WrongParameter
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from hpc_explorer.rdf.terms import Literal, NamedNode

# A backslash with a `u` behind it, and all other escapes, which are passed over.
_ESCAPE = re.compile(r"\\\\[uU]|\\.", re.DOTALL)
_BEFORE_U = {"\\\\u": "\\\\\\u0075", "\\\\U": "\\\\\\u0055"}


def variables(text: str) -> tuple[str, ...]:
    """The names of the variables of a SPARQL text, each once, in the order in which they first stand there."""
    return tuple(dict.fromkeys(name for name in _names(text)))


def _names(text: str) -> Iterator[str]:
    for token in sparql_tokens(text):
        if token.kind is TokenKind.VARIABLE:
            yield token.text[1:]


def filled(text: str, values: Mapping[str, NamedNode | Literal]) -> str:
    """The text with terms in place of some variables, `?name` and `$name` alike, which SPARQL holds to be the same.

    Raises:
        WrongParameter: a value is neither an IRI nor a literal.
    """
    written = {name: sparql_term(value) for name, value in values.items()}
    return "".join(
        written.get(token.text[1:], token.text) if token.kind is TokenKind.VARIABLE else token.text
        for token in sparql_tokens(text)
    )


def sparql_term(term: object) -> str:
    r"""A term as SPARQL text, on one line.

    SPARQL lets an engine decode `\uXXXX` before it reads anything else (section 19.2). A backslash before a `u` is
    therefore written so that it means the same either way.

    Raises:
        WrongParameter: it is neither an IRI nor a literal.
    """
    if isinstance(term, NamedNode):
        return str(term)
    if isinstance(term, Literal):
        return _ESCAPE.sub(lambda escape: _BEFORE_U.get(escape[0], escape[0]), str(term))
    raise WrongParameter("a blank node cannot be asked about", str(term), "choose a resource that has an IRI")
