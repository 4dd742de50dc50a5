"""Find numbers, quantities and times in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from hpc_explorer.language.chart import Edge, Lexeme
from hpc_explorer.language.lexicon import number_words
from hpc_explorer.language.periods import Clock, PartPeriod, Period, times
from hpc_explorer.language.words import SentenceToken, TokenKind
from hpc_explorer.rdf.quantities import Unit, known_units

_PLACES = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
FRACTION, PERCENT = "a fraction of 1", "per cent"
_KINDS = {Period: "period", PartPeriod: "partperiod", Clock: "clock"}


@dataclass(frozen=True)
class Quantity:
    """A number with a unit."""

    number: Decimal
    unit: Unit


def measures(tokens: Sequence[SentenceToken], at: int) -> Iterator[Edge]:
    """The numbers, quantities and times that begin at a token."""
    token = tokens[at]
    for end, time, price in times(tokens, at):
        yield _edge(at, end, _KINDS[type(time)], time, price, "a time")
    is_pronoun = token.key == "one" and at > 0 and tokens[at - 1].key in ("the", "this", "that", "which")
    number = number_words().get(token.key) if token.kind is TokenKind.WORD and not is_pronoun else None
    amount: Decimal | None = Decimal(number) if number is not None else None
    if token.kind is TokenKind.NUMBER and token.text.count(".") <= 1:
        amount = Decimal(token.text.replace(",", ""))
    glued = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z]\w*)", token.text) if token.kind is TokenKind.WORD else None
    if glued:
        for unit in units_named(glued[2]):
            yield _edge(at, at + 1, "quantity", Quantity(Decimal(glued[1]), unit), 0.0, unit.label)
    ordinal = re.fullmatch(r"(\d+)(st|nd|rd|th)", token.key)
    place = ordinal[1] if ordinal else _PLACES.get(token.key)
    if place is not None:
        yield _edge(at, at + 1, "ordinal", Decimal(place), 0.1, "a place in an order")
    yield from _one_or_half(tokens, at)
    if amount is None:
        return
    yield _edge(at, at + 1, "number", amount, 0.1 if number is not None else 0.0, "a number")
    for end in range(at + 2, min(len(tokens), at + 4) + 1):
        text = "".join(one.text for one in tokens[at + 1 : end])
        spaced = " ".join(one.text for one in tokens[at + 1 : end])
        for unit in dict.fromkeys((*units_named(text), *units_named(spaced))):
            yield _edge(at, end, "quantity", Quantity(amount, unit), 0.0, unit.label)
        if text in ("%", "percent"):
            yield _edge(at, end, "number", amount / 100, 0.3, FRACTION)
            yield _edge(at, end, "number", amount, 0.4, PERCENT)


def _one_or_half(tokens: Sequence[SentenceToken], at: int) -> Iterator[Edge]:
    """A day; half a megabyte."""
    is_half = tokens[at].key == "half"
    place = at + 1 if is_half else at
    if len(tokens) > place + 1 and tokens[place].key in ("a", "an"):
        for end in range(place + 2, min(len(tokens), place + 3) + 1):
            name = " ".join(one.key for one in tokens[place + 1 : end])
            for unit in units_named(name) if len(name) > 2 else ():
                yield _edge(at, end, "quantity", Quantity(Decimal("0.5" if is_half else 1), unit), 0.2, unit.label)


def _edge(start: int, end: int, kind: str, meaning: object, price: float, words: str) -> Edge:
    return Edge(start, end, kind, meaning, price, (Lexeme(start, end, "value", words),))


@lru_cache(maxsize=1)
def _units() -> Mapping[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for unit in known_units().values():
        names = {unit.symbol, unit.label, unit.other_name, unit.label + "s", unit.ucum, unit.symbol.replace("/s", "s")}
        if unit.symbol.endswith("LOP/s"):
            names |= {unit.symbol.replace("LOP/s", "LOPS"), unit.symbol.replace("LOP/s", "lops")}
        for name in names:
            if name and name != "%":
                key = name.casefold()
                found[key] = (*found.get(key, ()), unit) if unit not in found.get(key, ()) else found[key]
    return found


def units_named(text: str) -> tuple[Unit, ...]:
    """The units of a name; capitals count where they tell "MW" from "mW"."""
    found = _units().get(text.casefold(), ())
    exact = tuple(unit for unit in found if text in (unit.symbol, unit.ucum, unit.other_name))
    return exact or found
