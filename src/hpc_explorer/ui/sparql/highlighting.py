"""Syntax highlighting for SPARQL, with a contrast of at least 4.5:1."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from hpc_explorer.query.completion.expected_syntax import KEYWORDS
from hpc_explorer.query.sparql.functions import AGGREGATES, FUNCTIONS, UPDATES
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, sparql_tokens
from hpc_explorer.ui.widgets.theme import current_theme, on_theme

COLOURS: Mapping[str, Mapping[str, str]] = {
    "light": {
        "keyword": "#1f56c4",
        "function": "#74228b",
        "variable": "#8a3800",
        "name": "#005f66",
        "iri": "#1a7037",
        "string": "#1a6a2c",
        "number": "#7a4a00",
        "comment": "#545d68",
    },
    "dark": {
        "keyword": "#82aaff",
        "function": "#d9a3e6",
        "variable": "#f2b07e",
        "name": "#7fd1d6",
        "iri": "#98d3a0",
        "string": "#a5d69a",
        "number": "#e5b45a",
        "comment": "#a3acb7",
    },
}
"""The colours of token roles, by theme."""

_ROLES = {
    TokenKind.VARIABLE: "variable",
    TokenKind.BLANK: "variable",
    TokenKind.NAME: "name",
    TokenKind.IRI: "iri",
    TokenKind.STRING: "string",
    TokenKind.LANGUAGE: "string",
    TokenKind.NUMBER: "number",
    TokenKind.COMMENT: "comment",
}
_KEYWORDS = KEYWORDS | UPDATES
_FUNCTIONS = frozenset(AGGREGATES) | frozenset(FUNCTIONS)

# The state of a block that ends inside a long string, by its quotes.
_LONG = {"'''": 1, '"""': 2}
_QUOTES = {state: quotes for quotes, state in _LONG.items()}


def role_of(token: Token) -> str:
    """The colour role of a token; empty for plain text."""
    if token.kind is TokenKind.WORD:
        word = token.text.upper()
        return "keyword" if token.text == "a" or word in _KEYWORDS else "function" if word in _FUNCTIONS else ""
    if token.kind is TokenKind.UNKNOWN and token.text[:1] in "\"'":
        return "string"
    return _ROLES.get(token.kind, "")


class SparqlHighlighter(QSyntaxHighlighter):
    """Highlights a document."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self._dress()
        on_theme(self._dress)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._formats = {}
        for role, colour in COLOURS["dark" if current_theme().name == "dark" else "light"].items():
            made = QTextCharFormat()
            made.setForeground(QColor(colour))
            if role == "keyword":
                made.setFontWeight(QFont.Weight.DemiBold)
            self._formats[role] = made
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        start = 0
        self.setCurrentBlockState(0)
        quotes = _QUOTES.get(self.previousBlockState())
        if quotes is not None:
            end = text.find(quotes)
            start = len(text) if end < 0 else end + len(quotes)
            self.setFormat(0, start, self._formats["string"])
            if end < 0:
                self.setCurrentBlockState(self.previousBlockState())
                return
        for token in sparql_tokens(text[start:]):
            role = role_of(token)
            if role:
                self.setFormat(start + token.start, len(token.text), self._formats[role])
            if token.kind is TokenKind.UNKNOWN and token.text[:3] in _LONG:
                self.setCurrentBlockState(_LONG[token.text[:3]])
