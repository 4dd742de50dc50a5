"""What the tokens of a SPARQL text show before it is parsed.

Its size, its dataset clauses, its calls of other servers, and the order of its variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hpc_explorer.errors import QuerySyntaxError, Unsupported
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens

MOST_NESTED = 100
"""Limit of nested brackets. The engine's parser crashes at about 2,000."""

MOST_PARTS = 1_000
"""Limit of parts: groups, triples, operators and path steps. The engine nests them and crashes at 2,000 to 5,000
triples or MINUS. Rows of VALUES do not count."""

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
    """Refuse a text that is too large for recursive parsers.

    Raises:
        QuerySyntaxError: more than `MOST_NESTED` nested brackets, or more than `MOST_PARTS` parts.
    """
    # Most texts are short enough to skip the check.
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
            raise _too_large(text, token, f"more than {MOST_NESTED} nested brackets or negations")
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
        # Arguments of functions are not parts; further objects of a triple are.
        return within != "("
    if sign:
        return sign in _PARTS
    # Each member of a list becomes two triples.
    return (
        within == "("
        and token.kind in _OPERANDS
        and before is not None
        and (before.kind in _OPERANDS or before.is_sign(*_CLOSING) or before.is_word("TRUE", "FALSE"))
    )


def _too_large(text: str, token: Token, what: str) -> QuerySyntaxError:
    return QuerySyntaxError(f"the query is too large: {what}", place_of(text, token.start), "ask for less at once")


def place_of(text: str, at: int) -> str:
    """A position for error messages: `line 1, column 1` for character 0."""
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def prologue_of(text: str, tokens: Sequence[Token]) -> str:
    """The PREFIX and BASE declarations at the start of a text (SPARQL 1.1 Query, section 4.1)."""
    form = next((one for one in tokens if one.kind is TokenKind.WORD and not one.is_word("PREFIX", "BASE")), None)
    return text if form is None else text[: form.start]


def _holds_word(text: str, word: str) -> Callable[[Token], bool] | None:
    """Whether a token is a keyword; None if no token of the text can be one.

    The engine accepts keywords without white space: it reads `trueSERVICE` as two words.
    """
    if word not in text.upper():
        return None
    return lambda token: token.kind is TokenKind.WORD and word in token.text.upper()


# The dataset


@dataclass(frozen=True)
class DatasetClause:
    """The dataset of a query (SPARQL 1.1 Query, section 13.2), with graphs as spelled in the text."""

    default: tuple[str, ...]
    named: tuple[str, ...]


def dataset_clause(text: str) -> DatasetClause | None:
    """The dataset from FROM and FROM NAMED; None if the text has neither."""
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
    """A SERVICE call (SPARQL 1.1 Federated Query, section 2).

    Args:
        address: an IRI, a prefixed name or a variable, as spelled in the text.
        group: the graph pattern in braces.
        start: position of the keyword.
        group_start: position of the group.
        end: position after the call.
        is_silent: whether SILENT is given.
        is_outer: whether it is not inside another call.
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
        """Whether the server is given by a variable."""
        return self.address[:1] in "?$"


def service_calls(text: str) -> tuple[ServiceCall, ...]:
    """The SERVICE calls of a text, in order.

    Raises:
        QuerySyntaxError: a word may be a SERVICE call, but the text cannot be parsed there.
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
    """The end of the group that starts at a token; None if it is not closed."""
    depth = 0
    for token in tokens[at:]:
        depth += token.is_sign("{") - token.is_sign("}")
        if depth == 0:
            return token.end
    return None


def without_calls(text: str) -> str:
    """The text with its SERVICE calls made local, so that an engine contacts no server. Positions do not change.

    For parsing a text over an empty graph.

    Raises:
        QuerySyntaxError: as `service_calls`.
    """
    for call in service_calls(text):
        text = text[: call.start] + " " * (call.group_start - call.start) + text[call.group_start :]
    return text


def refuse_update_from_elsewhere(text: str) -> None:
    """Refuse an update with LOAD or SERVICE.

    Raises:
        Unsupported: the update has one of them.
    """
    for word in ("LOAD", "SERVICE"):
        is_there = _holds_word(text, word)
        if is_there is not None and any(map(is_there, meaning_tokens(text))):
            raise Unsupported(f"an update with {word} would ask another server", "", "open what it names as a source")


# The order of columns


def in_order_of_query(text: str, variables: Sequence[str]) -> tuple[str, ...]:
    """The columns of `SELECT *` in order of first appearance in the text; other columns as they are.

    SPARQL 1.1 Query, section 16.1, does not define an order.
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
