"""What can be told of a SPARQL text from its tokens alone, before an engine or a parser sees it.

How large it is, whether it names its own dataset, where it calls other servers, and in which order it names variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hpc_explorer.errors import QuerySyntaxError, Unsupported
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens

MOST_NESTED = 100
"""So many brackets may be open at once. The engine's parser ends the process at about 2,000."""

MOST_PARTS = 1_000
"""So many parts (groups, triples, operators, steps of paths) a text may have. The engine ends the process at 2,000 to
5,000 triples or MINUS, for it handles each within the one before. The rows of VALUES do not count."""

_PAIRS = {"{": "}", "(": ")", "[": "]", "<<": ">>"}
_CLOSING = frozenset(_PAIRS.values())
_PARTS = frozenset(("+", "-", "*", "/", "|", "||", "&&", "=", "!=", "<", ">", "<=", ">=", "!", "^", ".", ";", *_PAIRS))
_OPERANDS = frozenset(
    (
        TokenKind.IRI,
        TokenKind.NAME,
        TokenKind.STRING,
        TokenKind.NUMBER,
        TokenKind.VARIABLE,
        TokenKind.BLANK,
        TokenKind.LANGUAGE,
    )
)


def check_size(text: str) -> None:
    """Refuse a text that is too large for parsers and engines that go one level deeper at each part.

    Raises:
        QuerySyntaxError: more than `MOST_NESTED` brackets are open at once, or it has more than `MOST_PARTS` parts.
    """
    # A short text cannot be too large, and nearly all are short.
    if len(text) <= MOST_NESTED or (
        sum(map(text.count, ("{", "(", "[", "<<", "!"))) <= MOST_NESTED
        and len(text) <= 2 * MOST_PARTS  # each part has an operand
    ):
        return
    opened: list[str] = []
    negations = parts = 0
    data_at: int | None = None
    before: Token | None = None
    for token in meaning_tokens(text):
        sign = token.text if token.kind is TokenKind.SIGN else ""
        negations = negations + 1 if sign == "!" else 0
        if sign in _PAIRS:
            opened.append(sign)
        elif sign in _CLOSING and opened:
            opened.pop()
            if data_at is not None and len(opened) <= data_at and sign == "}":
                data_at = None
        if len(opened) + negations > MOST_NESTED:
            raise _too_large(text, token, f"more than {MOST_NESTED} brackets or negations in one another")
        if token.is_word("VALUES", "DATA"):
            data_at = len(opened)
        if data_at is None and _is_part(token, sign, before, opened):
            parts += 1
        if parts > MOST_PARTS:
            raise _too_large(text, token, f"more than {MOST_PARTS:,} patterns, operators and steps")
        before = token


def _is_part(token: Token, sign: str, before: Token | None, opened: Sequence[str]) -> bool:
    within = opened[-1] if opened else ""
    if sign == ",":
        # An argument of a function is no part; another object of a triple is one.
        return within != "("
    if sign:
        return sign in _PARTS
    # The members of a list, which become two triples each.
    return (
        within == "("
        and token.kind in _OPERANDS
        and before is not None
        and (before.kind in _OPERANDS or before.is_sign(*_CLOSING) or before.is_word("TRUE", "FALSE"))
    )


def _too_large(text: str, token: Token, what: str) -> QuerySyntaxError:
    return QuerySyntaxError(f"the query is too large: {what}", place_of(text, token.start), "ask for less at once")


def place_of(text: str, at: int) -> str:
    """A place in a text as errors name it: `line 1, column 1` for the character 0."""
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def prologue_of(text: str, tokens: Sequence[Token]) -> str:
    """The declarations of PREFIX and BASE that a text begins with (SPARQL 1.1 Query, section 4.1)."""
    form = next((one for one in tokens if one.kind is TokenKind.WORD and not one.is_word("PREFIX", "BASE")), None)
    return text if form is None else text[: form.start]


def _holds_word(text: str, word: str) -> Callable[[Token], bool] | None:
    """Whether a token is a keyword; None where no token of the text can be.

    The engine needs no white space behind a keyword: it reads `trueSERVICE` as two words.
    """
    if word not in text.upper():
        return None
    return lambda token: token.kind is TokenKind.WORD and word in token.text.upper()


# The dataset


@dataclass(frozen=True)
class DatasetClause:
    """The dataset that a query names (SPARQL 1.1 Query, section 13.2), each graph as the text spells it."""

    default: tuple[str, ...]
    named: tuple[str, ...]


def dataset_clause(text: str) -> DatasetClause | None:
    """What FROM and FROM NAMED say in a text; None where neither is there."""
    is_from = _holds_word(text, "FROM")
    if is_from is None:
        return None
    tokens = meaning_tokens(text)
    default: list[str] = []
    named: list[str] = []
    is_there = False
    for at, token in enumerate(tokens):
        if is_from(token):
            is_there = True
            is_named = at + 1 < len(tokens) and tokens[at + 1].is_word("NAMED")
            term = at + 1 + is_named
            if term < len(tokens):
                (named if is_named else default).append(tokens[term].text)
    return DatasetClause(tuple(default), tuple(named)) if is_there else None


# Calls of other servers


@dataclass(frozen=True)
class ServiceCall:
    """A part of a query that another server is to answer (SPARQL 1.1 Federated Query, section 2).

    Args:
        address: as the text spells it: an IRI, a prefixed name, or a variable.
        group: what is asked there, in its braces.
        start: where the call begins, at its keyword.
        group_start: where the group begins.
        end: where it ends.
        is_silent: whether a failure counts as an answer that says nothing.
        is_outer: whether it stands in no other call.
    """

    address: str
    group: str
    start: int
    group_start: int
    end: int
    is_silent: bool
    is_outer: bool

    @property
    def has_variable(self) -> bool:
        """Whether each solution names a server of its own."""
        return self.address[:1] in "?$"


def service_calls(text: str) -> tuple[ServiceCall, ...]:
    """The calls of other servers in a text, in its order.

    Raises:
        QuerySyntaxError: a word of the text may be such a call, and is written so that this program cannot tell.
    """
    is_call = _holds_word(text, "SERVICE")
    if is_call is None:
        return ()
    tokens = meaning_tokens(text)
    return tuple(_calls(text, tokens, is_call))


def _calls(text: str, tokens: Sequence[Token], is_call: Callable[[Token], bool]) -> Iterator[ServiceCall]:
    outer = 0
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.UNKNOWN and "SERVICE" in token.text.upper():
            raise QuerySyntaxError("a string is not closed", place_of(text, token.start), "close it")
        if not is_call(token):
            continue
        rest = tokens[at + 1 : at + 4]
        is_silent = bool(rest) and rest[0].is_word("SILENT")
        address, opening = (*rest[is_silent:], None, None)[:2]
        end = None if opening is None or not opening.is_sign("{") else _closing(tokens, at + 2 + is_silent)
        if (
            not token.is_word("SERVICE")
            or address is None
            or address.kind not in (TokenKind.IRI, TokenKind.NAME, TokenKind.VARIABLE)
            or opening is None
            or end is None
        ):
            raise QuerySyntaxError(
                "SERVICE cannot be read here", place_of(text, token.start), "write SERVICE <address> { what to ask }"
            )
        yield ServiceCall(
            address.text,
            text[opening.start : end],
            token.start,
            opening.start,
            end,
            is_silent,
            token.start >= outer,
        )
        outer = max(outer, end)


def _closing(tokens: Sequence[Token], at: int) -> int | None:
    """Where the group ends that begins with a token; None where nothing closes it."""
    depth = 0
    for token in tokens[at:]:
        depth += token.is_sign("{") - token.is_sign("}")
        if depth == 0:
            return token.end
    return None


def without_calls(text: str) -> str:
    """The text with what is asked of other servers asked here: no place in it moves, and an engine asks no server.

    It is for engines that are to read a text over an empty graph.

    Raises:
        QuerySyntaxError: as `service_calls`.
    """
    for call in service_calls(text):
        text = text[: call.start] + " " * (call.group_start - call.start) + text[call.group_start :]
    return text


def refuse_update_from_elsewhere(text: str) -> None:
    """Refuse an update that would fetch something: LOAD, or SERVICE.

    Raises:
        Unsupported: it would.
    """
    for word in ("LOAD", "SERVICE"):
        is_there = _holds_word(text, word)
        if is_there is not None and any(map(is_there, meaning_tokens(text))):
            raise Unsupported(f"an update with {word} would ask another server", "", "open what it names as a source")


# The order of columns


def in_order_of_query(text: str, variables: Sequence[str]) -> tuple[str, ...]:
    """The columns of `SELECT *` in the order in which the text first names their variables; others as they are.

    SPARQL 1.1 Query, section 16.1, leaves that order open.
    """
    if "*" not in text:
        return tuple(variables)
    tokens = meaning_tokens(text)
    select = next((at for at, token in enumerate(tokens) if token.is_word("SELECT")), len(tokens))
    behind = [token for token in tokens[select + 1 : select + 3] if not token.is_word("DISTINCT", "REDUCED")]
    if not behind or not behind[0].is_sign("*"):
        return tuple(variables)
    first: dict[str, int] = {}
    for token in tokens[select:]:
        if token.kind is TokenKind.VARIABLE:
            first.setdefault(token.text[1:], len(first))
    return tuple(sorted(variables, key=lambda name: first.get(name, len(first))))
