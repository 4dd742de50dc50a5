"""A SELECT's text with a LIMIT in it, so that a store finds no more rows than are wanted."""

from __future__ import annotations

from itertools import pairwise

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens


def limited(text: str, most: int) -> str:
    """The query with at most so many rows; one with a smaller LIMIT of its own stays as it is.

    Args:
        text: a SELECT, whole and well-formed.
    """
    outer = _outer_tokens(text)
    for place, token in enumerate(outer[:-1]):
        number = outer[place + 1]
        if token.is_word("LIMIT") and number.kind is TokenKind.NUMBER:
            if int(number.text) <= most:
                return text
            return f"{text[: number.start]}{most}{text[number.end :]}"
    # VALUES behind the query stands behind its LIMIT (SPARQL 1.1 Query, section 19.8, rule 7).
    body = next((place for place, token in enumerate(outer) if token.is_sign("}")), len(outer))
    values = next((token for token in outer[body:] if token.is_word("VALUES")), None)
    if values is None:
        return f"{text}\nLIMIT {most}"
    return f"{text[: values.start]}LIMIT {most}\n{text[values.start :]}"


def own_limit(text: str) -> int | None:
    """The LIMIT of the query itself; None where it has none."""
    outer = _outer_tokens(text)
    for token, number in pairwise(outer):
        if token.is_word("LIMIT") and number.kind is TokenKind.NUMBER:
            return int(number.text)
    return None


def _outer_tokens(text: str) -> list[Token]:
    """The tokens outside of all braces, with the braces."""
    outer, depth = [], 0
    for token in meaning_tokens(text):
        if token.is_sign("{"):
            depth += 1
        if depth == 0 or (depth == 1 and token.is_sign("{", "}")):
            outer.append(token)
        if token.is_sign("}"):
            depth -= 1
    return outer
