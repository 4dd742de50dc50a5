"""Add a LIMIT to a SELECT."""

from __future__ import annotations

from itertools import pairwise

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens


def limited(text: str, most: int) -> str:
    """A valid SELECT with at most `most` rows; a smaller LIMIT of its own stays."""
    outer = _outer_tokens(text)
    number = _limit_number(outer)
    if number is not None:
        return text if int(number.text) <= most else f"{text[: number.start]}{most}{text[number.end :]}"
    # VALUES comes after LIMIT (SPARQL 1.1 Query, section 19.8, rule 7).
    body = next((place for place, token in enumerate(outer) if token.is_sign("}")), len(outer))
    values = next((token for token in outer[body:] if token.is_word("VALUES")), None)
    if values is None:
        return f"{text}\nLIMIT {most}"
    return f"{text[: values.start]}LIMIT {most}\n{text[values.start :]}"


def own_limit(text: str) -> int | None:
    """The LIMIT of the outer query, if any."""
    number = _limit_number(_outer_tokens(text))
    return None if number is None else int(number.text)


def _limit_number(outer: list[Token]) -> Token | None:
    return next((two for one, two in pairwise(outer) if one.is_word("LIMIT") and two.kind is TokenKind.NUMBER), None)


def _outer_tokens(text: str) -> list[Token]:
    """The tokens outside of all braces, and the outer braces."""
    outer, depth = [], 0
    for token in meaning_tokens(text):
        if token.is_sign("{"):
            depth += 1
        if depth == 0 or (depth == 1 and token.is_sign("{", "}")):
            outer.append(token)
        if token.is_sign("}"):
            depth -= 1
    return outer
