"""A reader of SPARQL tokens with the terms they mean and their errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NoReturn

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query.sparql.quantity_pattern import unused
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens, unescaped_local
from hpc_explorer.rdf.syntax.relative_iris import resolved
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

_CODE_POINT = re.compile(
    r"""(?P<kept>'''(?:(?:'|'')?(?:[^'\\]|\\.))*''' | \"\"\"(?:(?:"|"")?(?:[^"\\]|\\.))*\"\"\"
        | '(?:[^'\\\r\n]|\\.)*' | "(?:[^"\\\r\n]|\\.)*")
      | (?P<iri><[^<>"{}|^`\x00-\x20]*>)
      | (?P<comment>\#[^\r\n]*)
      | \\u(?P<four>[0-9A-Fa-f]{4}) | \\U(?P<eight>[0-9A-Fa-f]{8})""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", "\\": "\\", '"': '"', "'": "'"}
_END = Token(TokenKind.SPACE, "", -1)


class SparqlCursor:
    """Reads the tokens of one text from left to right.

    Args:
        text: the text; its escapes of code points are read first (section 19.2).
        prefixes: namespaces of undeclared prefixes.
    """

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self.text = with_code_points(text)
        self.tokens = meaning_tokens(self.text)
        self.at = 0
        self.declared: dict[str, str] = {}
        self.base = ""
        self.borrowed: set[str] = set()
        self.known = prefixes
        self._taken = {token.text[1:] for token in self.tokens if token.kind is TokenKind.VARIABLE}

    # What stands here.

    def peek(self, further: int = 0) -> Token:
        """The current or a later token; an empty one at the end."""
        place = self.at + further
        return self.tokens[place] if place < len(self.tokens) else _END

    def take(self) -> Token:
        """Return the current token and advance."""
        token = self.peek()
        if token is _END:
            self.fail("more")
        self.at += 1
        return token

    def word(self, *words: str) -> bool:
        """Consume one of these keywords if it is next."""
        found = self.peek().is_word(*words)
        self.at += found
        return found

    def sign(self, *signs: str) -> bool:
        """Consume one of these signs if it is next."""
        found = self.peek().is_sign(*signs)
        self.at += found
        return found

    def expect_sign(self, sign: str) -> None:
        """Consume a required sign.

        Raises:
            QuerySyntaxError: another token is next.
        """
        if not self.sign(sign):
            self.fail(f"'{sign}'")

    def expect_word(self, word: str) -> None:
        """Consume a required keyword.

        Raises:
            QuerySyntaxError: another token is next.
        """
        if not self.word(word):
            self.fail(word)

    # Faults.

    def fail(self, expected: str, token: Token | None = None) -> NoReturn:
        """Raise an error for the current or another token.

        Raises:
            QuerySyntaxError: always.
        """
        token = token or self.peek()
        if token is _END:
            reason = f"it ends where {expected} is expected"
        elif token.kind is TokenKind.UNKNOWN and token.text[0] in "'\"":
            reason = "this string is not closed"
        else:
            reason = f"expected {expected}, found '{' '.join(token.text.split())[:40]}'"
        raise self.fault(f"the query has a syntax error ({reason})", "correct it there", token)

    def fault(self, what: str, remedy: str, token: Token) -> QuerySyntaxError:
        """The error for a token, with line and column."""
        start = len(self.text.rstrip()) if token is _END else token.start
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        return QuerySyntaxError(what, f"line {line}, column {column}", remedy)

    # Pieces of the text.

    def piece(self, start: int, end: int) -> str:
        """The source of a range of tokens, without comments and with single spaces."""
        tokens = self.tokens[start:end]
        if not tokens:
            return ""
        written = [tokens[0].text]
        for before, token in pairwise(tokens):
            written.append(token.text if before.end == token.start else f" {token.text}")
        return "".join(written)

    def variables_in(self, start: int, end: int) -> tuple[Variable, ...]:
        """The distinct variables of a range of tokens."""
        names = (token.text[1:] for token in self.tokens[start:end] if token.kind is TokenKind.VARIABLE)
        return tuple(Variable(name) for name in dict.fromkeys(names))

    def parameters(self) -> Iterator[Variable]:
        """The variables of the text that begin with `$`; one may come twice."""
        for token in self.tokens:
            if token.kind is TokenKind.VARIABLE and token.text[0] == "$":
                yield Variable(token.text[1:])

    def new_variable(self, hint: str) -> Variable:
        """A variable that is not used in the text; each call returns another one."""
        name = unused(re.sub(r"\W", "_", hint), self._taken)
        self._taken.add(name)
        return Variable(name)

    # Terms.

    def variable(self) -> Variable | None:
        """Consume a variable if it is next."""
        if self.peek().kind is not TokenKind.VARIABLE:
            return None
        return Variable(self.take().text[1:])

    def expect_variable(self) -> Variable:
        """Consume a required variable."""
        return self.variable() or self.fail("a variable")

    def iri(self) -> NamedNode | None:
        """Consume an IRI or prefixed name if it is next.

        Raises:
            QuerySyntaxError: its prefix is not declared, or it is not a valid IRI.
        """
        token = self.peek()
        if token.kind not in (TokenKind.IRI, TokenKind.NAME):
            return None
        self.at += 1
        return self.named(token)

    def expect_iri(self) -> NamedNode:
        """Consume a required IRI."""
        return self.iri() or self.fail("an IRI")

    def named(self, token: Token) -> NamedNode:
        """The IRI of a token.

        Raises:
            QuerySyntaxError: its prefix is not declared, or it is not a valid IRI.
        """
        try:
            if token.kind is TokenKind.IRI:
                return resolved(token.text[1:-1], self.base)
            prefix, _, local = token.text.partition(":")
            return NamedNode(self._namespace(prefix, token) + unescaped_local(local))
        except ValueError:
            raise self.fault("the query has an IRI that is none", "write a whole IRI there", token) from None

    def _namespace(self, prefix: str, token: Token) -> str:
        namespace = self.declared.get(prefix)
        if namespace is None:
            namespace = self.known.get(prefix)
            if namespace is None:
                raise self.fault("the query uses an undeclared prefix", "declare it with PREFIX", token)
            self.borrowed.add(prefix)
        return namespace

    def literal(self) -> Literal | None:
        """Consume a literal if it is next, including a signed number."""
        token = self.peek()
        if token.kind is TokenKind.STRING:
            return self._string()
        if token.kind is TokenKind.NUMBER:
            self.at += 1
            return number(token.text)
        if token.is_sign("+", "-") and self.peek(1).kind is TokenKind.NUMBER:
            self.at += 2
            return number(token.text + self.tokens[self.at - 1].text)
        if token.is_word("TRUE", "FALSE"):
            self.at += 1
            return Literal(token.text.lower(), datatype=XSD.boolean)
        return None

    def _string(self) -> Literal:
        token = self.take()
        value = self.unescaped(token)
        behind = self.peek()
        try:
            if behind.kind is TokenKind.LANGUAGE:
                self.at += 1
                return Literal(value, language=behind.text[1:])
            if self.sign("^^"):
                return Literal(value, datatype=self.expect_iri())
        except ValueError:
            raise self.fault("the query has a literal that is none", "correct it there", token) from None
        return Literal(value)

    def expect_string(self) -> str:
        """Consume a required string."""
        if self.peek().kind is not TokenKind.STRING:
            self.fail("a string")
        return self.unescaped(self.take())

    def unescaped(self, token: Token) -> str:
        """The value of a string token.

        Raises:
            QuerySyntaxError: it has an invalid escape.
        """
        quotes = 3 if token.text[:3] in ("'''", '"""') and len(token.text) >= 6 else 1

        def value(escape: re.Match[str]) -> str:
            code = escape[1] or escape[2]
            if code:
                return _character(code) or self._wrong_escape(token)
            return _ESCAPED.get(escape[3]) or self._wrong_escape(token)

        return _ESCAPE.sub(value, token.text[quotes:-quotes])

    def _wrong_escape(self, token: Token) -> NoReturn:
        raise self.fault("the query has a string with an unknown escape", "write a backslash as \\\\", token)

    def graph_term(self) -> Variable | NamedNode | Literal | None:
        """Consume a variable, IRI or literal if it is next; `()` is the empty list."""
        if self.peek().is_sign("(") and self.peek(1).is_sign(")"):
            self.at += 2
            return RDF.nil
        return self.variable() or self.iri() or self.literal()


def number(text: str) -> Literal:
    """A number in its short form."""
    if "e" in text.lower():
        return Literal(text, datatype=XSD.double)
    return Literal(text, datatype=XSD.decimal if "." in text else XSD.integer)


def with_code_points(text: str) -> str:
    r"""The text with the `\uXXXX` outside of its strings as what they stand for; in strings they are read later."""
    if "\\u" not in text and "\\U" not in text:
        return text

    def decoded(found: re.Match[str]) -> str:
        code = found["four"] or found["eight"]
        if code:
            return _character(code) or found[0]
        if found["iri"]:
            return _ESCAPE.sub(lambda one: _character(one[1] or one[2] or "") or one[0], found["iri"])
        return found[0]

    return _CODE_POINT.sub(decoded, text)


def _character(code: str) -> str:
    """A character by its code point; empty where there is none."""
    value = int(code, 16) if code else 0x110000
    return "" if value > 0x10FFFF or 0xD800 <= value <= 0xDFFF else chr(value)
