"""SPARQL tokens (SPARQL 1.1 Query, section 19.8).

Any text can be tokenised: unknown input, such as an unclosed string, becomes a token of its own kind. The joined tokens
equal the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple


class TokenKind(Enum):
    """What a token is."""

    SPACE = "space"
    COMMENT = "comment"
    IRI = "iri"
    STRING = "string"
    VARIABLE = "variable"
    BLANK = "blank"
    LANGUAGE = "language"
    NUMBER = "number"
    NAME = "name"
    """A prefixed name, or a prefix alone, such as `hpc:` in its declaration."""
    WORD = "word"
    """A keyword, the name of a function, `a`, `true` or `false`."""
    SIGN = "sign"
    UNKNOWN = "unknown"


NO_MEANING = frozenset((TokenKind.SPACE, TokenKind.COMMENT))
"""Kinds that a parser skips."""


class Token(NamedTuple):
    """A token.

    Args:
        text: the characters of the token.
        start: its position in the text, from 0.
    """

    kind: TokenKind
    text: str
    start: int

    @property
    def end(self) -> int:
        """The position after its last character."""
        return self.start + len(self.text)

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these keywords, given in capitals; case is ignored."""
        return self.kind is TokenKind.WORD and self.text.upper() in words

    def is_sign(self, *signs: str) -> bool:
        """Whether it is one of these symbols."""
        return self.kind is TokenKind.SIGN and self.text in signs


_LETTER = r"\w\u00B7\u203F\u2040\-"
_LOCAL = r"(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])"
_LOCAL_INNER = rf"(?:[{_LETTER}.:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%])"
_LOCAL_LAST = rf"(?:[{_LETTER}:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%])"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<comment>\#[^\r\n]*)
  | (?P<iri><[^<>"{{}}|^`\\\x00-\x20]*>)
  | (?P<string>'''(?:(?:'|'')?(?:[^'\\]|\\.))*''' | \"\"\"(?:(?:"|"")?(?:[^"\\]|\\.))*\"\"\"
        | '(?:[^'\\\r\n]|\\.)*' | "(?:[^"\\\r\n]|\\.)*")
  | (?P<open>'''.*|\"\"\".*|'[^\r\n]*|"[^\r\n]*)
  | (?P<variable>[?$][\w\u00B7\u203F\u2040]+)
  | (?P<blank>_:\w(?:[{_LETTER}.]*[{_LETTER}])?)
  | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<number>\d+\.\d*[eE][+-]?\d+|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>(?:[^\W\d_](?:[{_LETTER}.]*[{_LETTER}])?)?:(?:{_LOCAL}(?:{_LOCAL_INNER}*{_LOCAL_LAST})?)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<sign>\^\^|&&|\|\||!=|<=|>=|<<|>>|[{{}}()\[\].,;*/+\-|^?!=<>])
  | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LOCAL_ESCAPE = re.compile(r"\\(.)")
_NO_MEANING = frozenset(kind.value for kind in NO_MEANING)
_KINDS = {kind.value: kind for kind in TokenKind} | {"open": TokenKind.UNKNOWN}


def sparql_tokens(text: str) -> Iterator[Token]:
    """All tokens of a text, including white space and comments."""
    return (_token(found) for found in _TOKEN.finditer(text))


def meaning_tokens(text: str) -> list[Token]:
    """The tokens without white space and comments."""
    return [_token(found) for found in _TOKEN.finditer(text) if found.lastgroup not in _NO_MEANING]


def unescaped_local(text: str) -> str:
    """The local part of a prefixed name, without escapes such as `\\/`."""
    return _LOCAL_ESCAPE.sub(r"\1", text)


def _token(found: re.Match[str]) -> Token:
    return Token(_KINDS[found.lastgroup or "unknown"], found[0], found.start())
