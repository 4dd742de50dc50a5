"""The syntactic context of a cursor in a SPARQL text that is being written.

The token at the cursor is separated from complete ones; `expected_syntax.py` reads these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hpc_explorer.query.completion.expected_syntax import KEYWORDS, ExpectedSyntax, Statement, TokenReader
from hpc_explorer.rdf.sparql_tokens import NO_MEANING, Token, TokenKind, sparql_tokens


@dataclass(frozen=True)
class CursorContext:
    """The context of a cursor.

    Args:
        start, end: the range that a completion replaces, in characters.
        typed: the partial token at the cursor; may be empty.
        subject, path: of the triple around the cursor, as texts; empty outside of triples.
        statements: the triples of the text, including those after the cursor.
        variables: the variables of the text in order, without the one being written.
        prefixes: the declared prefixes.
        before, after: the adjacent tokens.
        compared: the variable that is compared with a value here, or listed by VALUES.
        in_group: whether it is inside braces.
    """

    spot: ExpectedSyntax
    start: int
    end: int
    typed: str = ""
    subject: str = ""
    path: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    variables: tuple[str, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    before: Token | None = None
    after: Token | None = None
    in_group: bool = False
    compared: str = ""


def cursor_context_at(text: str, cursor: int) -> CursorContext:
    """The context at a cursor.

    Args:
        cursor: an offset in characters; clipped to the text.
    """
    cursor = max(0, min(cursor, len(text)))
    everything = list(sparql_tokens(text))
    tokens = [token for token in everything if token.kind not in NO_MEANING]
    start, end, is_free = _being_written(text, cursor, everything)
    reader = TokenReader()
    before = [token for token in tokens if token.end <= start]
    after = [token for token in tokens if token.start >= end]
    for token in before:
        reader.take(token)
    frame = reader.frame
    spot = ExpectedSyntax.NOWHERE if not is_free else ExpectedSyntax.DATATYPE if reader.awaits_datatype else frame.spot
    subject, path, in_group = frame.subject, tuple(frame.path), any(one.closer == "}" for one in reader.frames)
    reader.awaits_datatype = False
    if start < end:
        # The partial token stands for a term; its text is ignored.
        reader.take(Token(TokenKind.BLANK, "", start))
    elif after and "\n" in text[cursor : after[0].start]:
        reader.begin_line()
    for token in after:
        reader.take(token)
    return CursorContext(
        spot,
        start,
        end,
        text[start : min(end, cursor)],
        subject,
        path,
        tuple(one for one in reader.statements if one.subject and one.value and "" not in one.path),
        tuple(reader.variables),
        reader.prefixes,
        before[-1] if before else None,
        after[0] if after else None,
        in_group,
        _compared(spot, before),
    )


_WRITTEN = (TokenKind.WORD, TokenKind.NAME, TokenKind.VARIABLE, TokenKind.IRI)
_ALONE = (TokenKind.COMMENT, TokenKind.STRING, TokenKind.NUMBER, TokenKind.LANGUAGE, TokenKind.BLANK)
_OPEN_IRI = re.compile(r"<[^<>\"{}|^`\\\x00-\x20]*\Z")
_REST_OF_IRI = re.compile(r"[^<>\"{}|^`\\\x00-\x20]*>?")
_OPERANDS = (TokenKind.VARIABLE, TokenKind.NUMBER, TokenKind.STRING, TokenKind.IRI, TokenKind.NAME)


def _being_written(text: str, cursor: int, tokens: Sequence[Token]) -> tuple[int, int, bool]:
    """The partial token at the cursor with its range, and whether it can be completed."""
    at = next((number for number, token in enumerate(tokens) if token.start < cursor <= token.end), None)
    if at is None:
        return cursor, cursor, True
    token = tokens[at]
    opened = _OPEN_IRI.search(text, 0, cursor)
    if opened is not None and not _is_less_than(tokens, opened.start()):
        rest = _REST_OF_IRI.match(text, cursor)
        end = rest.end() if rest is not None and rest[0].endswith(">") else cursor
        return opened.start(), max(end, token.end if token.kind is TokenKind.IRI else end), True
    if token.kind in _ALONE:
        return cursor, cursor, False
    if token.kind is TokenKind.UNKNOWN and token.text[:1] in "\"'":
        return token.start, cursor, True
    if token.kind in _WRITTEN:
        first = _first_word(tokens, at)
        return first, token.end, True
    if token.kind is TokenKind.SPACE and "\n" not in text[token.start : cursor] and at > 0:
        first = _first_word(tokens, at - 1) if _is_search_word(tokens[at - 1]) else cursor
        return first, cursor, True
    if token.text in ("?", "$") and not _follows_closely(tokens, at):
        return token.start, token.end, True
    return cursor, cursor, True


def _is_less_than(tokens: Sequence[Token], start: int) -> bool:
    """Whether a `<` is an operator: an IRI does not follow a value."""
    at = next((number for number, token in enumerate(tokens) if token.start == start), None)
    if at is None:
        return True
    if tokens[at].kind is TokenKind.IRI:
        return False
    before = [token for token in tokens[:at] if token.kind not in NO_MEANING]
    depth = 0
    for token in before:
        depth = 0 if token.is_sign("{", "}") else depth + token.is_sign("(") - token.is_sign(")")
    return bool(before) and depth > 0 and (before[-1].kind in _OPERANDS or before[-1].is_sign(")"))


def _follows_closely(tokens: Sequence[Token], at: int) -> bool:
    """Whether a `?` is a path operator: it directly follows a term or bracket."""
    return at > 0 and (tokens[at - 1].kind in (TokenKind.NAME, TokenKind.IRI) or tokens[at - 1].is_sign(")"))


def _is_search_word(token: Token) -> bool:
    return token.kind is TokenKind.WORD and token.text != "a" and token.text.upper() not in KEYWORDS


def _first_word(tokens: Sequence[Token], at: int) -> int:
    """The start of the words of a name search, such as "target mach": words that are not keywords."""
    if tokens[at].kind is not TokenKind.WORD:
        return tokens[at].start
    while (
        at > 1
        and tokens[at - 1].kind is TokenKind.SPACE
        and "\n" not in tokens[at - 1].text
        and _is_search_word(tokens[at - 2])
    ):
        at -= 2
    return tokens[at].start


def _compared(spot: ExpectedSyntax, before: Sequence[Token]) -> str:
    """The variable that is compared with a value after these tokens, or whose values are listed."""
    at = len(before) - 1
    if spot is ExpectedSyntax.EXPRESSION and at > 0 and before[at].is_sign("=", "!="):
        return _variable(before[at - 1])
    passed = 0
    while at >= 0 and (before[at].kind in _VALUES or before[at].is_sign(",")):
        passed += before[at].kind in _VALUES
        at -= 1
    if spot is ExpectedSyntax.EXPRESSION and at > 1 and before[at].is_sign("(") and before[at - 1].is_word("IN"):
        return _variable(before[at - 2 - before[at - 2].is_word("NOT")])
    if spot is not ExpectedSyntax.DATA:
        return ""
    is_row = at >= 0 and before[at].is_sign("(")
    opened = next((number for number in range(at, 0, -1) if before[number].is_sign("{")), 0)
    if not opened or not is_row:
        return _variable(before[opened - 1]) if opened and before[opened - 2].is_word("VALUES") else ""
    names: list[str] = []
    for token in reversed(before[: opened - 1]):
        if token.kind is not TokenKind.VARIABLE:
            break
        names.insert(0, _variable(token))
    return names[passed] if passed < len(names) else ""


_VALUES = (TokenKind.NAME, TokenKind.IRI, TokenKind.STRING, TokenKind.NUMBER, TokenKind.WORD)


def _variable(token: Token) -> str:
    return f"?{token.text[1:]}" if token.kind is TokenKind.VARIABLE else ""
