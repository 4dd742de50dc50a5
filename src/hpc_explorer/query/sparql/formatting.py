"""Format a SPARQL text: only the white space between tokens and comments changes.

Unlike `writing`, which writes a model, this takes any text, valid or not.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, sparql_tokens

_STEP = "  "
_FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_PROLOGUE = ("PREFIX", "BASE")
_BEGINNINGS = (
    *("FROM", "WHERE", "OPTIONAL", "FILTER", "BIND", "MINUS", "GRAPH", "SERVICE", "VALUES"),
    *("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"),
)
_BEFORE_PARENTHESIS = ("FILTER", "AS", "IN", "BY", "HAVING", "VALUES", "SELECT", "DISTINCT", "REDUCED", "UNION", "A")
_OPERATORS = ("=", "!=", "<", ">", "<=", ">=", "&&", "||", "{", "}")
_TIGHT = frozenset((TokenKind.SIGN, TokenKind.UNKNOWN, TokenKind.LANGUAGE))


def formatted(text: str) -> str:
    """Format a text with a line for each pattern; a text whose tokens would change is returned unchanged."""
    result = _Layout().laid_out(text)
    return result if _kept(result) == _kept(text) else text


def _kept(text: str) -> list[str]:
    return [token.text.rstrip() for token in sparql_tokens(text) if token.kind is not TokenKind.SPACE]


@dataclass
class _Layout:
    """The formatted text so far, and the state of the formatter."""

    written: list[str] = field(default_factory=list)
    braces: list[bool] = field(default_factory=list)
    """The open braces; True for the data of VALUES."""
    brackets: int = 0
    is_values: bool = False
    """Between VALUES and its data."""
    is_condition: bool = False
    """After FILTER or BIND; its closing parenthesis ends the line."""
    is_listing: bool = False
    """After a `;`: further lines of a subject follow."""
    is_beside: bool = False
    """The last comment follows other text on its line."""
    ends_line: bool = False
    """The next token begins a line."""

    def laid_out(self, text: str) -> str:
        before: Token | None = None
        gap = ""
        for token in sparql_tokens(text):
            if token.kind is TokenKind.SPACE:
                gap += token.text
                continue
            self._add(before, gap, token)
            before, gap = token, ""
        return "".join(self.written).strip()

    def _add(self, before: Token | None, gap: str, token: Token) -> None:
        is_short = token.is_sign("}") and before is not None and self._closes_short_data(before)
        if token.is_sign("}"):
            self._close()
        if is_short:
            self.written.append(" ")
        elif before is not None:
            self.written.append(self._between(before, gap, token))
        self.written.append(token.text.rstrip() if token.kind is TokenKind.COMMENT else token.text)
        self._pass(token)

    def _between(self, before: Token, gap: str, token: Token) -> str:
        """The white space between two tokens."""
        if token.kind is TokenKind.COMMENT:
            self.is_beside = "\n" not in gap
            if self.is_beside:
                return "  "
        if before.kind is TokenKind.COMMENT or token.kind is TokenKind.COMMENT or self._breaks(before, token):
            is_inner = before.is_sign("{") or token.is_sign("}")
            is_apart = gap.count("\n") > 1 or (
                token.is_word(*_FORMS) and not self.braces and (before.kind is not TokenKind.COMMENT or self.is_beside)
            )
            indent = _STEP * (len(self.braces) + (self.is_listing and not token.is_sign("}")))
            return ("\n\n" if is_apart and not is_inner else "\n") + indent
        return " " if self._is_apart(before, gap, token) else ""

    def _breaks(self, before: Token, token: Token) -> bool:
        """Whether a token begins a line."""
        if self.brackets:
            return False
        if token.is_sign(".", ";", ",") or (before.is_sign("{") and token.is_sign("}")):
            return False
        if self.braces and self.braces[-1]:
            return token.is_sign("(")
        if token.is_sign("{"):
            return self.ends_line or before.is_sign("{")
        if token.is_word("UNION"):
            return False
        if token.is_word(*_PROLOGUE, *_FORMS, *_BEGINNINGS):
            return not before.is_word("NOT", "EXISTS")
        return self.ends_line or token.is_sign("}")

    def _is_apart(self, before: Token, gap: str, token: Token) -> bool:
        """Whether a space separates two tokens on a line."""
        if token.is_sign(",", ")") or before.is_sign("("):
            return False
        if before.is_sign(",") or token.is_sign("[", ";", ".", "]") or before.is_sign("[", ";"):
            return True
        if token.is_sign(*_OPERATORS) or before.is_sign(*_OPERATORS):
            return True
        if token.is_sign("("):
            if before.kind is TokenKind.WORD:
                return before.is_word(*_BEFORE_PARENTHESIS)
            return bool(gap) or before.kind is TokenKind.VARIABLE
        is_tight = before.kind in _TIGHT or token.kind in _TIGHT
        return bool(gap) or not is_tight

    def _pass(self, token: Token) -> None:
        """Update the state after a token."""
        self.ends_line = False
        if token.is_sign("{"):
            self.braces.append(self.is_values)
            self.is_values = self.is_condition = self.is_listing = False
            self.ends_line = not self.braces[-1]
        elif token.is_sign("}"):
            self.ends_line = True
        elif token.is_sign("(", "["):
            self.brackets += 1
        elif token.is_sign(")", "]"):
            self.brackets = max(self.brackets - 1, 0)
            self.ends_line = token.text == ")" and self.is_condition and not self.brackets
            self.is_condition &= not self.ends_line
        elif token.is_sign(".", ";") and not self.brackets and self.braces:
            self.is_listing = token.text == ";"
            self.ends_line = True
        elif token.is_word("FILTER", "BIND"):
            self.is_condition, self.is_listing = True, False
        elif token.is_word("VALUES"):
            self.is_values, self.is_listing = True, False
        elif token.is_word(*_BEGINNINGS):
            self.is_listing = False

    def _closes_short_data(self, before: Token) -> bool:
        """Whether this closes the data of one variable, which are on one line."""
        return (
            bool(self.braces) and self.braces[-1] and before.kind is not TokenKind.COMMENT and not before.is_sign(")")
        )

    def _close(self) -> None:
        if self.braces:
            self.braces.pop()
        self.is_listing = self.is_condition = False
