"""The syntax expected after each token of a SPARQL text (grammar: SPARQL 1.1 Query, section 19.8).

The reader knows only as much grammar as necessary and skips errors and missing parts, so it accepts every text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind


class ExpectedSyntax(Enum):
    """The syntax expected next."""

    START = "a declaration or the form of the query"
    PREFIX_NAME = "a prefix to be declared"
    PREFIX_IRI = "the IRI of a declaration"
    SELECT = "a column"
    CONSTRUCT = "the template of CONSTRUCT"
    DESCRIBE = "a resource to describe"
    DATASET = "a graph to query"
    GROUP = "the opening of a group"
    PATTERN = "a subject, or the keyword of a pattern"
    PREDICATE = "a property"
    OBJECT = "a value"
    AFTER_OBJECT = "the end of a triple"
    CONSTRAINT = "a condition"
    EXPRESSION = "a part of an expression"
    GRAPH = "the name of a graph"
    VALUES = "the variables of VALUES"
    DATA = "a row of VALUES"
    MODIFIERS = "a solution modifier"
    GROUP_BY = "a grouping key"
    ORDER_BY = "a sort key"
    NUMBER = "a number"
    DATATYPE = "a datatype"
    NOWHERE = "nothing: a comment, a string, a number"


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple as texts.

    Args:
        subject, value: the texts of the terms; a generated name for brackets.
        path: the texts of the terms and signs of the predicate.
    """

    subject: str
    path: tuple[str, ...]
    value: str


@dataclass
class _Frame:
    """An open bracket, group or query.

    Args:
        closer: the closing token; empty for the whole text.
        is_path, is_list: whether it holds a part of a path, or the members of a list.
        is_query: whether it is a subquery.
    """

    closer: str
    spot: ExpectedSyntax
    subject: str = ""
    path: list[str] = field(default_factory=list)
    is_path: bool = False
    is_list: bool = False
    is_query: bool = False


_AFTER_WORD = {
    "PREFIX": ExpectedSyntax.PREFIX_NAME,
    "BASE": ExpectedSyntax.PREFIX_IRI,
    "SELECT": ExpectedSyntax.SELECT,
    "ASK": ExpectedSyntax.GROUP,
    "CONSTRUCT": ExpectedSyntax.CONSTRUCT,
    "DESCRIBE": ExpectedSyntax.DESCRIBE,
    "FROM": ExpectedSyntax.DATASET,
    "WHERE": ExpectedSyntax.GROUP,
    "FILTER": ExpectedSyntax.CONSTRAINT,
    "BIND": ExpectedSyntax.CONSTRAINT,
    "OPTIONAL": ExpectedSyntax.GROUP,
    "MINUS": ExpectedSyntax.GROUP,
    "UNION": ExpectedSyntax.GROUP,
    "EXISTS": ExpectedSyntax.GROUP,
    "GRAPH": ExpectedSyntax.GRAPH,
    "SERVICE": ExpectedSyntax.GRAPH,
    "VALUES": ExpectedSyntax.VALUES,
    "GROUP": ExpectedSyntax.GROUP_BY,
    "ORDER": ExpectedSyntax.ORDER_BY,
    "HAVING": ExpectedSyntax.CONSTRAINT,
    "LIMIT": ExpectedSyntax.NUMBER,
    "OFFSET": ExpectedSyntax.NUMBER,
}

KEYWORDS = frozenset(_AFTER_WORD) | {
    "DISTINCT", "REDUCED", "NAMED", "BY", "ASC", "DESC", "AS", "NOT", "IN", "UNDEF", "SILENT", "TRUE", "FALSE",
    "SEPARATOR",
}  # fmt: skip
"""The keywords of SPARQL 1.1 Query other than functions."""

_SOLUTIONS = (ExpectedSyntax.MODIFIERS, ExpectedSyntax.GROUP_BY, ExpectedSyntax.ORDER_BY, ExpectedSyntax.NUMBER)


class TokenReader:
    """Reads tokens and reports the syntax expected after each."""

    def __init__(self) -> None:
        self.frames = [_Frame("", ExpectedSyntax.START)]
        self.statements: list[Statement] = []
        self.variables: dict[str, None] = {}
        self.prefixes: dict[str, str] = {}
        self.awaits_datatype = False
        self._prefix = ""

    @property
    def frame(self) -> _Frame:
        """The innermost frame."""
        return self.frames[-1]

    def begin_line(self) -> None:
        """Start a new triple on a new line."""
        if (
            self.frame.spot in (ExpectedSyntax.PREDICATE, ExpectedSyntax.OBJECT, ExpectedSyntax.AFTER_OBJECT)
            and self.frame.closer == "}"
        ):
            self.frame.spot = ExpectedSyntax.PATTERN

    def take(self, token: Token) -> None:
        """Read one more token."""
        if token.kind is TokenKind.SIGN:
            self._sign(token)
        elif token.kind is TokenKind.WORD:
            self._word(token)
        elif token.kind is not TokenKind.LANGUAGE and not (token.kind is TokenKind.UNKNOWN and len(token.text) == 1):
            self._term(token)

    # Terms

    def _term(self, token: Token) -> None:
        frame, text = self.frame, token.text
        if token.kind is TokenKind.VARIABLE:
            text = "?" + text[1:]
            self.variables.setdefault(text)
        if self.awaits_datatype:
            self.awaits_datatype = False
        elif frame.spot is ExpectedSyntax.PREFIX_NAME:
            self._prefix = text.partition(":")[0]
            frame.spot = ExpectedSyntax.PREFIX_IRI
        elif frame.spot is ExpectedSyntax.PREFIX_IRI:
            if token.kind is TokenKind.IRI:
                self.prefixes[self._prefix] = text[1:-1]
            frame.spot = ExpectedSyntax.START
        elif frame.spot in (ExpectedSyntax.PATTERN, ExpectedSyntax.AFTER_OBJECT):
            frame.subject, frame.path, frame.spot = text, [], ExpectedSyntax.PREDICATE
        elif frame.spot is ExpectedSyntax.PREDICATE:
            self._pathed().path.append(text)
            if not frame.is_path:
                frame.spot = ExpectedSyntax.OBJECT
        elif frame.spot is ExpectedSyntax.OBJECT:
            if not frame.is_list:
                self._state(text)
                if token.kind is TokenKind.NUMBER and text.endswith("."):
                    frame.spot = ExpectedSyntax.PATTERN
        elif frame.spot in (ExpectedSyntax.GRAPH, ExpectedSyntax.DATASET):
            frame.spot = ExpectedSyntax.GROUP
        elif frame.spot is ExpectedSyntax.NUMBER:
            frame.spot = ExpectedSyntax.MODIFIERS

    def _pathed(self) -> _Frame:
        """The frame of the triple whose path is being read."""
        return next((frame for frame in reversed(self.frames) if not frame.is_path), self.frame)

    def _state(self, value: str) -> None:
        frame = self.frame
        self.statements.append(Statement(frame.subject, tuple(frame.path), value))
        frame.spot = ExpectedSyntax.AFTER_OBJECT

    # Words

    def _word(self, token: Token) -> None:
        frame, word = self.frame, token.text.upper()
        if frame.spot is ExpectedSyntax.PREDICATE and token.text == "a":
            self._term(token)
        elif frame.closer == ")" and word != "EXISTS":
            return
        elif word in _AFTER_WORD:
            frame.is_query |= word == "SELECT"
            frame.spot = _AFTER_WORD[word]
        elif word in ("TRUE", "FALSE") and frame.spot is ExpectedSyntax.OBJECT:
            self._term(token)

    # Signs

    def _sign(self, token: Token) -> None:
        sign, frame = token.text, self.frame
        if sign == "{":
            self._open_brace()
        elif sign == "(":
            self._open_parenthesis(token)
        elif sign == "[":
            self._open_bracket(token)
        elif sign in ("}", ")", "]"):
            self._close(sign)
        elif sign == "^^":
            self.awaits_datatype = True
        elif frame.spot is ExpectedSyntax.OBJECT and frame.path and sign in "/|*+?":
            frame.path.append(sign)
            frame.spot = ExpectedSyntax.PREDICATE if sign in "/|" else ExpectedSyntax.OBJECT
        elif frame.spot is ExpectedSyntax.PREDICATE and sign in ("^", "!", "/", "|", "*", "+", "?"):
            self._pathed().path.append(sign)
        elif sign in (".", ";", ",") and frame.closer in ("}", "]"):
            self._separate(sign)

    def _separate(self, sign: str) -> None:
        frame = self.frame
        if sign == "." and frame.closer == "}" and frame.spot is not ExpectedSyntax.DATA:
            frame.spot, frame.subject, frame.path = ExpectedSyntax.PATTERN, "", []
        elif sign == ";" and frame.subject:
            frame.spot, frame.path = ExpectedSyntax.PREDICATE, []
        elif sign == "," and frame.path:
            frame.spot = ExpectedSyntax.OBJECT

    def _open_brace(self) -> None:
        frame = self.frame
        if frame.spot is ExpectedSyntax.VALUES:
            frame.spot = ExpectedSyntax.PATTERN if frame.closer else ExpectedSyntax.MODIFIERS
            self.frames.append(_Frame("}", ExpectedSyntax.DATA))
            return
        if frame.spot is ExpectedSyntax.CONSTRUCT:
            frame.spot = ExpectedSyntax.GROUP
        elif frame.closer == ")":
            frame.spot = ExpectedSyntax.EXPRESSION
        elif not frame.closer or frame.spot in (ExpectedSyntax.SELECT, ExpectedSyntax.DESCRIBE):
            frame.spot = ExpectedSyntax.MODIFIERS
        elif frame.spot not in _SOLUTIONS:
            frame.spot = ExpectedSyntax.MODIFIERS if frame.is_query else ExpectedSyntax.PATTERN
        self.frames.append(_Frame("}", ExpectedSyntax.PATTERN))

    def _open_parenthesis(self, token: Token) -> None:
        frame, spot = self.frame, self.frame.spot
        if spot is ExpectedSyntax.PREDICATE:
            if not frame.is_path:
                frame.spot = ExpectedSyntax.OBJECT
            self.frames.append(_Frame(")", ExpectedSyntax.PREDICATE, frame.subject, is_path=True))
        elif spot in (ExpectedSyntax.PATTERN, ExpectedSyntax.AFTER_OBJECT):
            frame.subject, frame.path, frame.spot = f"({token.start}", [], ExpectedSyntax.PREDICATE
            self.frames.append(_Frame(")", ExpectedSyntax.OBJECT, is_list=True))
        elif spot is ExpectedSyntax.OBJECT:
            if not frame.is_list:
                self._state(f"({token.start}")
            self.frames.append(_Frame(")", ExpectedSyntax.OBJECT, is_list=True))
        elif spot in (ExpectedSyntax.VALUES, ExpectedSyntax.DATA):
            self.frames.append(_Frame(")", spot))
        else:
            if spot is ExpectedSyntax.CONSTRAINT:
                frame.spot = ExpectedSyntax.MODIFIERS if frame.is_query or not frame.closer else ExpectedSyntax.PATTERN
            self.frames.append(_Frame(")", ExpectedSyntax.EXPRESSION))

    def _open_bracket(self, token: Token) -> None:
        frame, name = self.frame, f"[{token.start}"
        if frame.spot in (ExpectedSyntax.PATTERN, ExpectedSyntax.AFTER_OBJECT):
            frame.subject, frame.path, frame.spot = name, [], ExpectedSyntax.PREDICATE
        elif frame.spot is ExpectedSyntax.OBJECT and not frame.is_list:
            self._state(name)
        self.frames.append(_Frame("]", ExpectedSyntax.PREDICATE, name))

    def _close(self, sign: str) -> None:
        """Close the frame of this token, including unclosed frames within; only a brace closes a brace."""
        for at in range(len(self.frames) - 1, 0, -1):
            if self.frames[at].closer == sign:
                del self.frames[at:]
                return
            if self.frames[at].closer == "}":
                return
