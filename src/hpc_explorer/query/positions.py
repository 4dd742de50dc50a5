"""Where a cursor stands in a SPARQL text that is still being written (grammar: SPARQL 1.1 Query, section 19.8).

The text is read token by token with no more grammar than is needed to say what may come next. What is broken or not yet
there is passed over, so that every text has a reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from hpc_explorer.rdf.sparql_tokens import NO_MEANING, Token, TokenKind, sparql_tokens


class Spot(Enum):
    """What may come next."""

    START = "a declaration or the form of the query"
    PREFIX_NAME = "a prefix to be declared"
    PREFIX_IRI = "the IRI of a declaration"
    SELECT = "a column"
    CONSTRUCT = "the template of CONSTRUCT"
    DESCRIBE = "what is to be described"
    DATASET = "a graph to ask"
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
    MODIFIERS = "what is done with the solutions"
    GROUP_BY = "what is grouped by"
    ORDER_BY = "what is sorted by"
    NUMBER = "a number"
    DATATYPE = "a datatype"
    NOWHERE = "nothing: a comment, a string, a number"


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple as it is written.

    Args:
        subject, value: the texts of the terms; of what stands in brackets, a name of its own.
        path: the texts of the terms and signs of the predicate.
    """

    subject: str
    path: tuple[str, ...]
    value: str


@dataclass(frozen=True)
class Position:
    """A place in a text.

    Args:
        start, end: what a completion takes the place of, in characters.
        typed: what somebody has begun to write there; empty where nothing.
        subject, path: of the triple in which it stands, as texts; empty where in none.
        statements: the triples of the text, those behind the cursor among them.
        variables: the variables of the text in the order in which they come, without the one being written.
        prefixes: those that the text declares.
        before, after: the tokens beside it.
        compared: the variable of which a value can stand there: it is compared with it, or VALUES lists it.
        in_group: whether it is inside braces.
    """

    spot: Spot
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


def position_at(text: str, cursor: int) -> Position:
    """The place of a cursor.

    Args:
        cursor: in characters from 0; beyond an end of the text, that end.
    """
    cursor = max(0, min(cursor, len(text)))
    everything = list(sparql_tokens(text))
    tokens = [token for token in everything if token.kind not in NO_MEANING]
    start, end, is_free = _being_written(text, cursor, everything)
    reader = _Reader()
    before = [token for token in tokens if token.end <= start]
    after = [token for token in tokens if token.start >= end]
    for token in before:
        reader.take(token)
    frame = reader.frame
    spot = Spot.NOWHERE if not is_free else Spot.DATATYPE if reader.awaits_datatype else frame.spot
    subject, path, in_group = frame.subject, tuple(frame.path), any(one.closer == "}" for one in reader.frames)
    reader.awaits_datatype = False
    if start < end:
        # What is being written stands for a term; its own text counts for nothing.
        reader.take(Token(TokenKind.BLANK, "", start))
    elif after and "\n" in text[cursor : after[0].start]:
        reader.begin_line()
    for token in after:
        reader.take(token)
    return Position(
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
    """What is being written at the cursor, from where to where, and whether something can be completed there."""
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
    """Whether a `<` compares, or is part of something else: what begins an IRI has no value before it."""
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
    """Whether a `?` is the sign of a path: it stands close behind a term or a bracket."""
    return at > 0 and (tokens[at - 1].kind in (TokenKind.NAME, TokenKind.IRI) or tokens[at - 1].is_sign(")"))


def _is_search_word(token: Token) -> bool:
    return token.kind is TokenKind.WORD and token.text != "a" and token.text.upper() not in KEYWORDS


def _first_word(tokens: Sequence[Token], at: int) -> int:
    """Where the words begin that a name is sought by, such as "target mach": words that SPARQL does not know."""
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


def _compared(spot: Spot, before: Sequence[Token]) -> str:
    """The variable that what stands behind these tokens is compared with, or that it is a value of."""
    at = len(before) - 1
    if spot is Spot.EXPRESSION and at > 0 and before[at].is_sign("=", "!="):
        return _variable(before[at - 1])
    passed = 0
    while at >= 0 and (before[at].kind in _VALUES or before[at].is_sign(",")):
        passed += before[at].kind in _VALUES
        at -= 1
    if spot is Spot.EXPRESSION and at > 1 and before[at].is_sign("(") and before[at - 1].is_word("IN"):
        return _variable(before[at - 2 - before[at - 2].is_word("NOT")])
    if spot is not Spot.DATA:
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


@dataclass
class _Frame:
    """Something that was opened and not yet closed.

    Args:
        closer: the sign that ends it; empty for the text itself.
        is_path, is_list: whether it holds a part of a path, or the members of a list.
        is_query: whether it is a query in the query.
    """

    closer: str
    spot: Spot
    subject: str = ""
    path: list[str] = field(default_factory=list)
    is_path: bool = False
    is_list: bool = False
    is_query: bool = False


_AFTER_WORD = {
    "PREFIX": Spot.PREFIX_NAME,
    "BASE": Spot.PREFIX_IRI,
    "SELECT": Spot.SELECT,
    "ASK": Spot.GROUP,
    "CONSTRUCT": Spot.CONSTRUCT,
    "DESCRIBE": Spot.DESCRIBE,
    "FROM": Spot.DATASET,
    "WHERE": Spot.GROUP,
    "FILTER": Spot.CONSTRAINT,
    "BIND": Spot.CONSTRAINT,
    "OPTIONAL": Spot.GROUP,
    "MINUS": Spot.GROUP,
    "UNION": Spot.GROUP,
    "EXISTS": Spot.GROUP,
    "GRAPH": Spot.GRAPH,
    "SERVICE": Spot.GRAPH,
    "VALUES": Spot.VALUES,
    "GROUP": Spot.GROUP_BY,
    "ORDER": Spot.ORDER_BY,
    "HAVING": Spot.CONSTRAINT,
    "LIMIT": Spot.NUMBER,
    "OFFSET": Spot.NUMBER,
}

KEYWORDS = frozenset(_AFTER_WORD) | {
    "DISTINCT", "REDUCED", "NAMED", "BY", "ASC", "DESC", "AS", "NOT", "IN", "UNDEF", "SILENT", "TRUE", "FALSE",
    "SEPARATOR",
}  # fmt: skip
"""The words of SPARQL 1.1 Query that are no functions."""

_SOLUTIONS = (Spot.MODIFIERS, Spot.GROUP_BY, Spot.ORDER_BY, Spot.NUMBER)


class _Reader:
    """Reads tokens, and knows after each what may come next."""

    def __init__(self) -> None:
        self.frames = [_Frame("", Spot.START)]
        self.statements: list[Statement] = []
        self.variables: dict[str, None] = {}
        self.prefixes: dict[str, str] = {}
        self.awaits_datatype = False
        self._prefix = ""

    @property
    def frame(self) -> _Frame:
        """What was opened last."""
        return self.frames[-1]

    def begin_line(self) -> None:
        """Take what comes next, on another line, for a new triple."""
        if self.frame.spot in (Spot.PREDICATE, Spot.OBJECT, Spot.AFTER_OBJECT) and self.frame.closer == "}":
            self.frame.spot = Spot.PATTERN

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
        elif frame.spot is Spot.PREFIX_NAME:
            self._prefix = text.partition(":")[0]
            frame.spot = Spot.PREFIX_IRI
        elif frame.spot is Spot.PREFIX_IRI:
            if token.kind is TokenKind.IRI:
                self.prefixes[self._prefix] = text[1:-1]
            frame.spot = Spot.START
        elif frame.spot in (Spot.PATTERN, Spot.AFTER_OBJECT):
            frame.subject, frame.path, frame.spot = text, [], Spot.PREDICATE
        elif frame.spot is Spot.PREDICATE:
            self._pathed().path.append(text)
            if not frame.is_path:
                frame.spot = Spot.OBJECT
        elif frame.spot is Spot.OBJECT:
            if not frame.is_list:
                self._state(text)
                if token.kind is TokenKind.NUMBER and text.endswith("."):
                    frame.spot = Spot.PATTERN
        elif frame.spot in (Spot.GRAPH, Spot.DATASET):
            frame.spot = Spot.GROUP
        elif frame.spot is Spot.NUMBER:
            frame.spot = Spot.MODIFIERS

    def _pathed(self) -> _Frame:
        """The frame of the triple whose path is being read."""
        return next((frame for frame in reversed(self.frames) if not frame.is_path), self.frame)

    def _state(self, value: str) -> None:
        frame = self.frame
        self.statements.append(Statement(frame.subject, tuple(frame.path), value))
        frame.spot = Spot.AFTER_OBJECT

    # Words

    def _word(self, token: Token) -> None:
        frame, word = self.frame, token.text.upper()
        if frame.spot is Spot.PREDICATE and token.text == "a":
            self._term(token)
        elif frame.closer == ")" and word != "EXISTS":
            return
        elif word in _AFTER_WORD:
            frame.is_query |= word == "SELECT"
            frame.spot = _AFTER_WORD[word]
        elif word in ("TRUE", "FALSE") and frame.spot is Spot.OBJECT:
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
        elif frame.spot is Spot.OBJECT and frame.path and sign in "/|*+?":
            frame.path.append(sign)
            frame.spot = Spot.PREDICATE if sign in "/|" else Spot.OBJECT
        elif frame.spot is Spot.PREDICATE and sign in ("^", "!", "/", "|", "*", "+", "?"):
            self._pathed().path.append(sign)
        elif sign in (".", ";", ",") and frame.closer in ("}", "]"):
            self._separate(sign)

    def _separate(self, sign: str) -> None:
        frame = self.frame
        if sign == "." and frame.closer == "}" and frame.spot is not Spot.DATA:
            frame.spot, frame.subject, frame.path = Spot.PATTERN, "", []
        elif sign == ";" and frame.subject:
            frame.spot, frame.path = Spot.PREDICATE, []
        elif sign == "," and frame.path:
            frame.spot = Spot.OBJECT

    def _open_brace(self) -> None:
        frame = self.frame
        if frame.spot is Spot.VALUES:
            frame.spot = Spot.PATTERN if frame.closer else Spot.MODIFIERS
            self.frames.append(_Frame("}", Spot.DATA))
            return
        if frame.spot is Spot.CONSTRUCT:
            frame.spot = Spot.GROUP
        elif frame.closer == ")":
            frame.spot = Spot.EXPRESSION
        elif not frame.closer or frame.spot in (Spot.SELECT, Spot.DESCRIBE):
            frame.spot = Spot.MODIFIERS
        elif frame.spot not in _SOLUTIONS:
            frame.spot = Spot.MODIFIERS if frame.is_query else Spot.PATTERN
        self.frames.append(_Frame("}", Spot.PATTERN))

    def _open_parenthesis(self, token: Token) -> None:
        frame, spot = self.frame, self.frame.spot
        if spot is Spot.PREDICATE:
            if not frame.is_path:
                frame.spot = Spot.OBJECT
            self.frames.append(_Frame(")", Spot.PREDICATE, frame.subject, is_path=True))
        elif spot in (Spot.PATTERN, Spot.AFTER_OBJECT):
            frame.subject, frame.path, frame.spot = f"({token.start}", [], Spot.PREDICATE
            self.frames.append(_Frame(")", Spot.OBJECT, is_list=True))
        elif spot is Spot.OBJECT:
            if not frame.is_list:
                self._state(f"({token.start}")
            self.frames.append(_Frame(")", Spot.OBJECT, is_list=True))
        elif spot in (Spot.VALUES, Spot.DATA):
            self.frames.append(_Frame(")", spot))
        else:
            if spot is Spot.CONSTRAINT:
                frame.spot = Spot.MODIFIERS if frame.is_query or not frame.closer else Spot.PATTERN
            self.frames.append(_Frame(")", Spot.EXPRESSION))

    def _open_bracket(self, token: Token) -> None:
        frame, name = self.frame, f"[{token.start}"
        if frame.spot in (Spot.PATTERN, Spot.AFTER_OBJECT):
            frame.subject, frame.path, frame.spot = name, [], Spot.PREDICATE
        elif frame.spot is Spot.OBJECT and not frame.is_list:
            self._state(name)
        self.frames.append(_Frame("]", Spot.PREDICATE, name))

    def _close(self, sign: str) -> None:
        """Leave what this sign closes, and what was opened in it and never closed; a brace is left by a brace only."""
        for at in range(len(self.frames) - 1, 0, -1):
            if self.frames[at].closer == sign:
                del self.frames[at:]
                return
            if self.frames[at].closer == "}":
                return
