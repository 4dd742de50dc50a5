"""A canonical text for queries that differ only in white space, comments and prefix names.

Queries with the same canonical text have the same answer, but not conversely. Texts with constructs outside the tokens
of SPARQL 1.1 Query (section 19.8), such as code point escapes or relative IRIs of prefixes, are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens, unescaped_local

_ABSOLUTE = re.compile(r"<[A-Za-z][A-Za-z0-9+.\-]*:[^<>]*>")
_CODE_POINT = re.compile(r"\\[uU]")

# Functions with a different value at each call (SPARQL 1.1 Query, sections 17.4.2 to 17.4.5).
_CHANGING = frozenset(("NOW", "RAND", "UUID", "STRUUID"))


def canonical_query(text: str) -> str:
    """The canonical text of a query, used as a cache key."""
    tokens = _tokens(text)
    if tokens is None:
        return text
    return _without_prefixes(tokens) or " ".join(token.text for token in tokens)


def always_the_same(text: str) -> bool:
    """Whether the answer depends on the data only: the query calls no function such as NOW or RAND."""
    tokens = _tokens(text)
    if tokens is None:
        return not any(name in text.upper() for name in _CHANGING)
    return not any(token.is_word(*_CHANGING) for token in tokens)


def _tokens(text: str) -> list[Token] | None:
    """The tokens without white space and comments; None if the text cannot be tokenized."""
    if _CODE_POINT.search(text):
        return None
    tokens = meaning_tokens(text)
    return None if any(token.kind is TokenKind.UNKNOWN for token in tokens) else tokens


def _without_prefixes(tokens: list[Token]) -> str | None:
    """The tokens on one line with full IRIs for prefixed names; None if that could change the meaning."""
    prefixes: dict[str, str] = {}
    place = 0
    while place < len(tokens) and tokens[place].is_word("PREFIX"):
        declared = tokens[place + 1 : place + 3]
        if [token.kind for token in declared] != [TokenKind.NAME, TokenKind.IRI]:
            return None
        name, iri = declared
        if not name.text.endswith(":") or not _ABSOLUTE.fullmatch(iri.text) or name.text in prefixes:
            return None
        prefixes[name.text] = iri.text[1:-1]
        place += 3
    body = tokens[place:]
    if any(token.is_word("BASE", "PREFIX") for token in body):
        return None
    words: list[str] = []
    for word in _expanded(body, prefixes):
        if word is None:
            return None
        words.append(word)
    return " ".join(words)


def _expanded(tokens: list[Token], prefixes: dict[str, str]) -> Iterator[str | None]:
    for token in tokens:
        if token.kind is not TokenKind.NAME:
            yield token.text
            continue
        prefix, colon, local = token.text.partition(":")
        start = prefixes.get(prefix + colon)
        yield None if start is None else "<" + start + unescaped_local(local) + ">"
