"""Replace variables of a SPARQL text by terms, safely for any term.

The text is split into tokens by the SPARQL grammar (SPARQL 1.1 Query, section 19.8); only variables are replaced, not
the contents of strings, IRIs and comments. The engine that reads the text also writes the terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hpc_explorer.errors import WrongParameter
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from hpc_explorer.rdf.terms import Literal, NamedNode

# A backslash followed by `u`, and all other escapes, which are skipped.
_ESCAPE = re.compile(r"\\\\[uU]|\\.", re.DOTALL)
_BEFORE_U = {"\\\\u": "\\\\\\u0075", "\\\\U": "\\\\\\u0055"}


def variables(text: str) -> tuple[str, ...]:
    """The names of the variables of a SPARQL text, each once, in order of first use."""
    names = (token.text[1:] for token in sparql_tokens(text) if token.kind is TokenKind.VARIABLE)
    return tuple(dict.fromkeys(names))


def filled(text: str, values: Mapping[str, NamedNode | Literal]) -> str:
    """Replace variables by terms; `?name` and `$name` are the same variable.

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

    SPARQL lets an engine decode `\uXXXX` before anything else (section 19.2), so a backslash before a `u` is written in
    a form that both readings understand.

    Raises:
        WrongParameter: it is neither an IRI nor a literal.
    """
    if isinstance(term, NamedNode):
        return str(term)
    if isinstance(term, Literal):
        return _ESCAPE.sub(lambda escape: _BEFORE_U.get(escape[0], escape[0]), str(term))
    raise WrongParameter("a blank node cannot be asked about", str(term), "choose a resource that has an IRI")
