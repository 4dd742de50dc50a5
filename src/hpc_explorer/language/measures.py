"""Find numbers, quantities and times in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from hpc_explorer.language.chart import Edge, Lexeme
from hpc_explorer.language.lexicon import number_words
from hpc_explorer.language.words import (
    SentenceToken,
    TokenKind,
)
from hpc_explorer.rdf.quantities import Unit, known_units

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip


@dataclass(frozen=True)
class Period:
    """A day, month or year: the first moment, and the first after it, in ISO 8601."""

    first: str
    after: str


@dataclass(frozen=True)
class Quantity:
    """A number with a unit."""

    number: Decimal
    unit: Unit


def measures(tokens: Sequence[SentenceToken], at: int) -> Iterator[Edge]:
    """The numbers, quantities and times that begin at a token."""
    token = tokens[at]
    period = _period(tokens, at)
    if period is not None:
        end, span = period
        yield _edge(at, end, "period", span, 0.0 if end > at + 1 or token.kind is TokenKind.DATE else 0.2,
                         "a time")  # fmt: skip
    number = number_words().get(token.key) if token.kind is TokenKind.WORD else None
    amount: Decimal | None = Decimal(number) if number is not None else None
    if token.kind is TokenKind.NUMBER and token.text.count(".") <= 1:
        amount = Decimal(token.text.replace(",", ""))
    glued = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z]\w*)", token.text) if token.kind is TokenKind.WORD else None
    if glued:
        for unit in _units_named(glued[2]):
            yield _edge(at, at + 1, "quantity", Quantity(Decimal(glued[1]), unit), 0.0, unit.label)
    if amount is None:
        return
    yield _edge(at, at + 1, "number", amount, 0.1 if number is not None else 0.0, "a number")
    for end in range(at + 2, min(len(tokens), at + 4) + 1):
        text = "".join(one.text for one in tokens[at + 1 : end])
        spaced = " ".join(one.text for one in tokens[at + 1 : end])
        for unit in dict.fromkeys((*_units_named(text), *_units_named(spaced))):
            yield _edge(at, end, "quantity", Quantity(amount, unit), 0.0, unit.label)
        if text in ("%", "percent"):
            yield _edge(at, end, "number", amount / 100, 0.3, "per cent")
            yield _edge(at, end, "number", amount, 0.4, "per cent")


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


def _units_named(text: str) -> tuple[Unit, ...]:
    """The units of a name; capitals count where they tell "MW" from "mW"."""
    found = _units().get(text.casefold(), ())
    exact = tuple(unit for unit in found if text in (unit.symbol, unit.ucum, unit.other_name))
    return exact or found


def _period(tokens: Sequence[SentenceToken], at: int) -> tuple[int, Period] | None:
    """The time that begins at a token, and where it ends."""
    words = [token.key for token in tokens[at : at + 4]]
    token = tokens[at]
    try:
        if token.kind is TokenKind.DATE:
            if len(token.text) == 7:
                year, month = map(int, token.text.split("-"))
                return at + 1, _month(year, month)
            if len(token.text) == 10:
                return at + 1, _day(date.fromisoformat(token.text))
            moment = datetime.fromisoformat(token.text.replace("Z", "+00:00"))
            return at + 1, Period(moment.isoformat(), (moment + timedelta(seconds=1)).isoformat())
        if words[0] in _MONTHS:
            rest = [word for word in words[1:] if word]
            if (
                len(rest) >= 2
                and rest[0].rstrip("stndrh").isdigit()
                and re.fullmatch(r"[12]\d{3}", rest[-1 if len(rest) < 3 else 1])
            ):
                day = int(re.sub(r"\D", "", rest[0]))
                return at + 3, _day(date(int(rest[1]), _MONTHS[words[0]], day))
            if rest and re.fullmatch(r"[12]\d{3}", rest[0]):
                return at + 2, _month(int(rest[0]), _MONTHS[words[0]])
            if len(words) > 2 and tokens[at + 1].text == "," and re.fullmatch(r"[12]\d{3}", words[2] or ""):
                return at + 3, _month(int(words[2]), _MONTHS[words[0]])
        is_day_first = len(words) >= 3 and words[1] in _MONTHS and re.fullmatch(r"\d{1,2}(st|nd|rd|th)?", words[0])
        if is_day_first and re.fullmatch(r"[12]\d{3}", words[2]):
            return at + 3, _day(date(int(words[2]), _MONTHS[words[1]], int(re.sub(r"\D", "", words[0]))))
        if token.kind is TokenKind.NUMBER and re.fullmatch(r"(19|20)\d\d", token.text):
            year = int(token.text)
            return at + 1, Period(f"{year:04}-01-01", f"{year + 1:04}-01-01")
    except (ValueError, OverflowError):
        return None
    return None


def _day(day: date) -> Period:
    return Period(day.isoformat(), (day + timedelta(days=1)).isoformat())


def _month(year: int, month: int) -> Period:
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Period(f"{date(year, month, 1)}", f"{date(following[0], following[1], 1)}")
