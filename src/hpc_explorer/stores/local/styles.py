"""How a file spells the literals of each predicate: its style, the number of decimals that it pads them to."""

from __future__ import annotations

import re
from collections import Counter

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.local.spellings import can_be_padded, stored_form

ANY = -1
"""A spelling that conforms to every style: it is the engine's own and has no decimals."""

OWN = -2
"""A spelling that conforms to no style."""

# Plain decimal numbers short enough that the engine's value gives the same digits back: 15 digits for a double and 6
# for a float (IEEE 754), 18 before and after the decimal point for a decimal. Minus zero is no decimal of its own.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.(\d+))?\Z")
_DIGITS = {XSD.double: 15, XSD.float: 6, XSD.decimal: 18}
_MINUS_ZERO = re.compile(r"-0(?:\.0+)?\Z")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:[0-5]\d(?:\.(\d{1,9}))?Z?\Z")


def style_range(literal: Literal) -> tuple[int, bool]:
    """The decimals of a literal, and whether it fits only this style or every style up to it.

    Returns:
        `(n, True)`: it fits style n only; `(n, False)`: styles 0 to n; or `ANY` or `OWN`.
    """
    datatype, value = literal.datatype, literal.value
    if datatype in _DIGITS:
        match = _NUMBER.match(value)
        if match is not None:
            digits = len(value) - value.count("-") - value.count(".")
            if digits > _DIGITS[datatype] or (datatype == XSD.decimal and _MINUS_ZERO.match(value)):
                match = None
    elif datatype == XSD.dateTime:
        match = _DATE_TIME.match(value)
    else:
        return (0 if stored_form(literal) == literal else OWN), False
    if match is None:
        return (ANY if not can_be_padded(value) and stored_form(literal) == literal else OWN), False
    decimals = match[1]
    if decimals is None:
        return 0, False
    return len(decimals), decimals.endswith("0")


Key = tuple[NamedNode, NamedNode]
"""A predicate and a datatype."""


class StyleCount:
    """Counts the spellings of each predicate and datatype to choose their style."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[Key, tuple[int, bool]]] = Counter()

    def see(self, key: Key, conforms: tuple[int, bool], number: int = 1) -> None:
        """Count literals."""
        self._seen[key, conforms] += number

    def chosen(self) -> dict[Key, int]:
        """The most frequent style of each key."""
        styles: dict[Key, int] = {}
        by_key: dict[Key, dict[tuple[int, bool], int]] = {}
        for (key, conforms), number in self._seen.items():
            by_key.setdefault(key, {})[conforms] = number
        for key, counts in by_key.items():
            candidates = {0, *(decimals for decimals, _ in counts if decimals > 0)}
            styles[key] = max(
                sorted(candidates),
                key=lambda style: sum(number for conforms, number in counts.items() if fits(conforms, style)),
            )
        return styles

    def departing(self, styles: dict[Key, int]) -> dict[Key, dict[tuple[int, bool], int]]:
        """The number of literals of each range that do not fit the style of their key."""
        found: dict[Key, dict[tuple[int, bool], int]] = {}
        for (key, conforms), number in self._seen.items():
            if not fits(conforms, styles[key]):
                found.setdefault(key, {})[conforms] = number
        return found


def fits(conforms: tuple[int, bool], style: int) -> bool:
    """Whether a range includes a style."""
    decimals, only = conforms
    if decimals < 0:
        return decimals == ANY
    return decimals == style if only else decimals >= style
