"""The rule of each column from its values: datatype, date and number format, missing values, links and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.annotate.tables.cells import CellFault, literal_of, resource_of
from hpc_explorer.annotate.tables.mapping import ColumnRule, NumberFormat
from hpc_explorer.annotate.tables.reading import Table, open_table
from hpc_explorer.annotate.tables.rows import TableRow
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Limits

# How often a table is read to find values that a rule does not allow for, and the most that are kept of a column each
# time.
_MOST_READINGS = 4
_MOST_MISFITS = 50
# The most values of a column that are remembered because they fit.
_MOST_KNOWN = 1_000

_CHECK_EVERY = 1_000

ABSENT = frozenset(
    {"None", "none", "N/A", "n/a", "n.a.", "#N/A", "NA", "NULL", "Null", "null", "NaN", "nan", "nil", "-", "--", "?"}
)
"""Common texts for missing values."""

_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
_DATATYPES = (XSD.integer, XSD.decimal, XSD.double, XSD.date, XSD.dateTime)
NUMBERS = (XSD.integer, XSD.decimal, XSD.double)
_NUMBER_FORMATS = (NumberFormat(), NumberFormat(thousands=".", decimal=","))
_DATES = (
    "%d.%m.%Y",
    "%Y/%m/%d",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
)
_TIMES = ("%H:%M", "%H:%M:%S")

# The most distinct texts that are searched as resource names.
_MOST_NAMES = 50

FindNamed = Callable[[str], NamedNode | None]
"""Finds the one resource of a name."""


@dataclass(frozen=True)
class ColumnRules:
    """The rules of a table's columns.

    Args:
        rules: by column, without the property.
        values: the values by column from which the rules were derived.
        absent: texts for missing values.
        two_ways: columns of text that are dates in which day and month could be either.
    """

    rules: Mapping[str, ColumnRule]
    values: Mapping[str, Sequence[str]]
    absent: frozenset[str]
    numbers: NumberFormat
    two_ways: frozenset[str]

    def takes(self, name: str, text: str) -> bool:
        """Whether the rule of a column allows for a value that is not missing."""
        rule = self.rules.get(name)
        if rule is None or not self.values[name]:
            return False
        if rule.absent is not None and text in rule.absent:
            return True
        if rule.lookup is not None:
            return text in rule.lookup
        if rule.iri:
            return _names_a_thing(text)
        if rule.datatype == XSD.string:
            # A column of dates that can be read two ways is text until one of them can be read one way only.
            return name not in self.two_ways or _is_two_ways(text, self.numbers)
        if rule.datatype == XSD.boolean:
            return text.casefold() in ("true", "false")
        if rule.datatype in NUMBERS and _LEADING_ZERO.match(text):
            return False
        if rule.datatype == XSD.integer and self.numbers.decimal in text:
            return False
        return _is(text, rule.datatype, self.numbers, rule.date_format)


def _is_two_ways(text: str, numbers: NumberFormat) -> bool:
    return is_date_of_two_readings([text]) and _kind([text], numbers, lambda _: None).datatype == XSD.string


def _kinds(texts: Mapping[str, Sequence[str]], mixed: frozenset[str], find_named: FindNamed) -> ColumnRules:
    """The rules of columns with these texts."""
    absent = frozenset(text for found in texts.values() for text in found if text in ABSENT) | {""}
    values = {name: [text for text in found if text not in absent] for name, found in texts.items()}
    numbers = _numbers(found for name, found in values.items() if name not in mixed)
    rules: dict[str, ColumnRule] = {}
    for name, found in values.items():
        odd = "" if name in mixed else _odd_text(found, numbers)
        if name in mixed:
            rules[name] = ColumnRule(RDF.value, XSD.string)
        else:
            rules[name] = _kind([text for text in found if text != odd], numbers, find_named)
        if odd:
            rules[name] = replace(rules[name], absent=absent | {odd})
    texts_only = (name for name, rule in rules.items() if rule == ColumnRule(RDF.value, XSD.string))
    two_ways = frozenset(name for name in texts_only if name not in mixed and is_date_of_two_readings(values[name]))
    return ColumnRules(rules, values, absent, numbers, two_ways)


def column_rules(table: Table, first: Sequence[TableRow], find_named: FindNamed, limits: Limits) -> ColumnRules:
    """The rules of columns that allow for every value of the table, not only for those of the first rows."""
    columns = table.columns or tuple(dict.fromkeys(name for row in first for name in row.cells))
    texts = {name: [text.strip() for row in first for text in row.cells.get(name, ())] for name in columns}
    kinds = _kinds(texts, frozenset(), find_named)
    for _ in range(_MOST_READINGS):
        misfits = _misfits(table, kinds, limits)
        if not misfits:
            return kinds
        for name, found in misfits.items():
            texts.setdefault(name, []).extend(found)
        kinds = _kinds(texts, frozenset(), find_named)
    # What still does not fit is text.
    return _kinds(texts, frozenset(misfits), find_named)


def _misfits(table: Table, kinds: ColumnRules, limits: Limits) -> dict[str, list[str]]:
    """Values by column that the rule of the column does not allow for."""
    found: dict[str, dict[str, None]] = {}
    taken: dict[str, set[str]] = {}
    with open_table(table.path, table.format) as again:
        for number, row in enumerate(again.rows()):
            if number % _CHECK_EVERY == 0:
                limits.check("looking at the values of the columns")
            if row.fault:
                continue
            for name, cell in row.cells.items():
                known = taken.setdefault(name, set())
                for text in map(str.strip, cell):
                    if text in known or text in kinds.absent:
                        continue
                    if text not in ABSENT and kinds.takes(name, text):
                        if len(known) < _MOST_KNOWN:
                            known.add(text)
                    elif len(own := found.setdefault(name, {})) < _MOST_MISFITS:
                        own[text] = None
    return {name: list(own) for name, own in found.items()}


def _numbers(columns: Iterable[Sequence[str]]) -> NumberFormat:
    """The number format of most numeric columns; English if ambiguous."""
    found = list(columns)

    def score(numbers: NumberFormat) -> int:
        return sum(1 for values in found if values and all(_is(text, XSD.decimal, numbers) for text in values))

    return max(_NUMBER_FORMATS, key=score)


def _odd_text(values: Sequence[str], numbers: NumberFormat) -> str:
    """The only text without a digit in a numeric column, such as `not measured`; may be empty."""
    others = {text for text in values if not _is(text, XSD.double, numbers)}
    odd = next(iter(others)) if len(others) == 1 else ""
    is_rare = 2 * values.count(odd) < len(values) if odd else False
    return odd if is_rare and not any(sign.isdigit() for sign in odd) else ""


def _kind(values: Sequence[str], numbers: NumberFormat, find_named: FindNamed) -> ColumnRule:
    """The rule for a column's values, without the property."""
    rule = ColumnRule(RDF.value, _datatype(values, numbers))
    if rule.datatype != XSD.string or not values:
        return rule
    for date_format, datatype in _date_formats():
        if all(_is(text, datatype, numbers, date_format) for text in values):
            # If no day exceeds 12, the order of day and month is unknown: the column stays text.
            other = _other_order(date_format)
            if other and all(_is(text, datatype, numbers, other) for text in values):
                return rule
            return replace(rule, datatype=datatype, date_format=date_format)
    if all(_names_a_thing(text) for text in values):
        return replace(rule, iri=True)
    names = dict.fromkeys(values)
    if len(names) <= _MOST_NAMES and not any(text.isdigit() for text in names):
        found = {name: find_named(name) for name in names}
        resources = {name: resource for name, resource in found.items() if resource is not None}
        if len(resources) == len(names):
            return replace(rule, lookup=resources)
    return rule


def _date_formats() -> Iterator[tuple[str, NamedNode]]:
    for date_format in _DATES:
        yield date_format, XSD.date
        for time in _TIMES:
            yield f"{date_format} {time}", XSD.dateTime


def _other_order(date_format: str) -> str:
    """The format with day and month swapped; empty if that is impossible."""
    first, second = date_format[:2], date_format[3:5]
    if {first, second} != {"%d", "%m"} or date_format[2] == ".":
        return ""
    return second + date_format[2] + first + date_format[5:]


def _names_a_thing(text: str) -> bool:
    try:
        resource_of(text)
    except CellFault:
        return False
    return True


def is_date_of_two_readings(values: Sequence[str]) -> bool:
    return bool(values) and any(
        all(_is(text, datatype, _NUMBER_FORMATS[0], date_format) for text in values)
        for date_format, datatype in _date_formats()
    )


def _datatype(values: Sequence[str], numbers: NumberFormat) -> NamedNode:
    """The narrowest datatype of all values; text if there are none or digits are not numbers."""
    if not values or any(_LEADING_ZERO.match(text) for text in values):
        return XSD.string
    if {text.casefold() for text in values} <= {"true", "false"}:
        return XSD.boolean
    for datatype in _DATATYPES:
        # 1.0 is an integer too, but a column that writes it so has decimals.
        if datatype == XSD.integer and any(numbers.decimal in text for text in values):
            continue
        if all(_is(text, datatype, numbers) for text in values):
            return datatype
    return XSD.string


def _is(text: str, datatype: NamedNode, numbers: NumberFormat, date_format: str = "") -> bool:
    try:
        literal_of(text, datatype, numbers, date_format)
    except CellFault:
        return False
    return True
