"""A mapping to begin with: what the names and first values of columns suggest, against the terms of an ontology.

A property is suggested only where the words of a column's heading are those of its label or name; what is a guess is
said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from hpc_explorer.annotate.tables.cells import CellFault, literal_of, resource_of
from hpc_explorer.annotate.tables.mapping import ColumnRule, NumberFormat, TableFormat, TableMapping
from hpc_explorer.annotate.tables.reading import Table
from hpc_explorer.annotate.tables.template import ROW_NUMBER, Template, parse_template
from hpc_explorer.ontology.labels import local_name, search_words
from hpc_explorer.ontology.schema import PropertyInfo
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, XSD
from hpc_explorer.rdf.quantities import Unit
from hpc_explorer.rdf.terms import NamedNode

SAMPLE = 500
"""How many rows are looked at."""

ABSENT = frozenset(
    {"None", "none", "N/A", "n/a", "n.a.", "#N/A", "NA", "NULL", "Null", "null", "NaN", "nan", "nil", "-", "--", "?"}
)
"""What people write where there is no value."""

_KEY_WORDS = frozenset({"id", "key", "number", "no", "nr", "identifier", "name"})
_BRACKETS = re.compile(r"(.*\S)\s*[\[(]([^\[\]()]+)[\])]\s*\Z")
_BEHIND = re.compile(r"(.*[^\s,/_])(?:_|,\s*|\s+in\s+|\s+/\s*|\s+)(\S+)\Z")
_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
_DATATYPES = (XSD.integer, XSD.decimal, XSD.double, XSD.date, XSD.dateTime)
_NUMBERS = (XSD.integer, XSD.decimal, XSD.double)
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
NAMESPACE = "https://example.org/tables/"
"""What the IRIs of tables begin with until somebody chooses another."""


# So many different texts are looked up among the names of resources.
_MOST_NAMES = 50
# A class is suggested where so many columns are properties of its things.
_FEWEST_OF_CLASS = 3

FindNamed = Callable[[str], NamedNode | None]
"""Finds the one resource of a name."""

Superclasses = Callable[[NamedNode], frozenset[NamedNode]]
"""All superclasses of a class, and itself."""


@dataclass(frozen=True)
class Suggestion:
    """A mapping to begin with.

    Args:
        mapping: it converts the rows that were looked at.
        remarks: what a person should look at, each a sentence.
    """

    mapping: TableMapping
    remarks: tuple[str, ...]


def suggest_mapping(
    table: Table,
    properties: Iterable[PropertyInfo],
    units: Mapping[NamedNode, Unit],
    find_named: FindNamed = lambda _: None,
    superclasses: Superclasses = lambda cls: frozenset({cls}),
) -> Suggestion:
    """What a table's headings and first rows suggest.

    Args:
        table: an open table, of which nothing was read yet.
        properties: those that may be suggested.
        units: those that may be suggested.
        find_named: finds resources that there are already, which cells may name.
        superclasses: those of a class, itself among them.

    Raises:
        SourceSyntaxError: the table is damaged.
    """
    rows = [row for row in islice(table.rows(), SAMPLE) if not row.fault]
    columns = table.columns or tuple(dict.fromkeys(name for row in rows for name in row.cells))
    texts = {name: [text.strip() for row in rows for text in row.cells.get(name, ())] for name in columns}
    absent = frozenset(text for found in texts.values() for text in found if text in ABSENT) | {""}
    values = {name: [text for text in found if text not in absent] for name, found in texts.items()}
    numbers = _numbers(values.values())
    own = own_namespace(table.path)
    by_words = _by_words(properties)
    remarks: list[str] = []
    if table.format.heading > 1:
        remarks.append(f"Row {table.format.heading} is taken for the one that names the columns.")
    rules: dict[str, tuple[ColumnRule, ...]] = {}
    matched: list[PropertyInfo] = []
    for name in columns:
        odd = _odd_text(values[name], numbers)
        kind = _kind([text for text in values[name] if text != odd], numbers, find_named)
        if odd:
            kind = replace(kind, absent=absent | {odd})
            remarks.append(f"{name!r}: all but {odd!r} are numbers; it is taken for no value.")
        heading, unit = _heading(name, units, numeric=kind.datatype in _NUMBERS)
        found = by_words.get(_words(heading)) or by_words.get(_words(name))
        if found is None:
            rule = replace(kind, property=NamedNode(f"{own}#{term_name(heading)}"))
            remarks.append(f"{name!r}: no property is called so; it gets one of the table's own.")
        else:
            matched.append(found)
            rule = replace(kind, property=found.term)
            if QUDT.QuantityValue in found.ranges and unit is None:
                remarks.append(f"{name!r}: {found.label} is a quantity, and the heading names no unit that is known.")
        if unit is not None:
            datatype = XSD.double if rule.datatype == XSD.double else XSD.decimal
            rule = replace(rule, datatype=datatype, unit=unit)
        remarks += (f"{name!r}: {remark}" for remark in _remarks(rule, values[name]))
        rules[name] = (rule,)
    subject = _subject(own, columns, texts, len(rows))
    if not subject.columns:
        remarks.append("No column names its rows; their numbers do.")
    cls = _class(matched, superclasses)
    if cls != HPC.TableRow:
        remarks.append(f"Most columns are properties of {local_name(cls.value)}: a row is taken for one.")
    mapping = TableMapping(
        subject=subject,
        classes=(cls,),
        columns=rules,
        absent=absent,
        numbers=numbers,
        prefixes={"t": f"{own}#"},
        table=_lies(table),
    )
    return Suggestion(mapping, tuple(remarks))


def _lies(table: Table) -> TableFormat:
    """What a mapping should say of how the table lies: only what would not be found out again."""
    sheet = table.format.sheet if len(table.sheets) > 1 else ""
    return TableFormat(sheet=sheet, heading=table.format.heading)


def _class(matched: Sequence[PropertyInfo], superclasses: Superclasses) -> NamedNode:
    """The class whose things have most of these properties; a row of a table where that is not clear."""
    domains = [{*info.domains, *info.domain_includes} for info in matched]
    own = {cls for found in domains for cls in found if cls.value.startswith(HPC)}
    votes = {cls: sum(1 for found in domains if found & superclasses(cls)) for cls in own}
    most = max(votes.values(), default=0)
    # Of a class and its superclass the narrower one has the more properties, or as many.
    best = [cls for cls in own if votes[cls] == most]
    narrowest = [cls for cls in best if not any(cls in superclasses(other) - {other} for other in best)]
    clear = most >= _FEWEST_OF_CLASS and 2 * most >= len(matched) and len(narrowest) == 1
    return narrowest[0] if clear else HPC.TableRow


def _numbers(columns: Iterable[Sequence[str]]) -> NumberFormat:
    """How most columns of numbers are written; as in English where that cannot be told."""
    found = list(columns)

    def score(numbers: NumberFormat) -> int:
        return sum(1 for values in found if values and all(_is(text, XSD.decimal, numbers) for text in values))

    return max(_NUMBER_FORMATS, key=score)


def _odd_text(values: Sequence[str], numbers: NumberFormat) -> str:
    """The one text without a digit in a column of numbers, such as `not measured`; empty where there is none."""
    others = {text for text in values if not _is(text, XSD.double, numbers)}
    odd = next(iter(others)) if len(others) == 1 else ""
    is_rare = 2 * values.count(odd) < len(values) if odd else False
    return odd if is_rare and not any(sign.isdigit() for sign in odd) else ""


def _kind(values: Sequence[str], numbers: NumberFormat, find_named: FindNamed) -> ColumnRule:
    """What the values of a column are, of a property that is yet to be found."""
    rule = ColumnRule(RDF.value, _datatype(values, numbers))
    if rule.datatype != XSD.string or not values:
        return rule
    for date_format, datatype in _date_formats():
        if all(_is(text, datatype, numbers, date_format) for text in values):
            # Whether day or month comes first cannot be seen where no day is beyond the twelfth: it stays text.
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
    """The same with day and month the other way round; empty where it has the month in letters or the year first."""
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


def _remarks(rule: ColumnRule, values: Sequence[str]) -> Iterator[str]:
    if not values:
        yield "no value in the rows that were looked at; it is taken for text."
    if rule.lookup is not None:
        yield "its values are names of resources that are open; other texts will be rejected."
    if rule.datatype == XSD.string and rule.lookup is None and not rule.iri and _two_ways(values):
        yield "dates in which day and month could be either; say the `date format`."


def _two_ways(values: Sequence[str]) -> bool:
    return bool(values) and any(
        all(_is(text, datatype, _NUMBER_FORMATS[0], date_format) for text in values)
        for date_format, datatype in _date_formats()
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(search_words(text).casefold().split())


def _by_words(properties: Iterable[PropertyInfo]) -> dict[frozenset[str], PropertyInfo]:
    """The properties by the words of their labels and names; of those alike, the one that is spelled as is usual."""
    found: dict[frozenset[str], PropertyInfo] = {}
    names = {info: local_name(info.term.value) for info in properties}
    # `BeginMemoryAddress`, a spelling of a paper, after `beginMemoryAddress`; shorter names first.
    ordered = sorted(names, key=lambda info: (names[info][:1].isupper(), len(names[info]), info.term.value))
    for texts in ([info.label for info in ordered], [names[info] for info in ordered]):
        for info, text in zip(ordered, texts, strict=True):
            found.setdefault(_words(text), info)
    found.pop(frozenset(), None)
    return found


def _heading(name: str, units: Mapping[NamedNode, Unit], *, numeric: bool) -> tuple[str, NamedNode | None]:
    """A heading without its unit, and the unit: `Rmax [TFlop/s]`, `Power (kW)`, `size_GB`, `time in ms`."""
    if not numeric:
        return name, None
    found = _BRACKETS.match(name)
    unit = _unit(found[2], units) if found is not None else None
    if unit is None:
        # Behind a mere space or underscore only what is spelled as the unit is: `node_s` has seconds, `node_S` not.
        found = _BEHIND.match(name)
        unit = _unit(found[2], units, exact=True) if found is not None else None
    return (found[1], unit) if found is not None and unit is not None else (name, None)


def _unit(text: str, units: Mapping[NamedNode, Unit], *, exact: bool = False) -> NamedNode | None:
    """The unit of this symbol; where letters differ in case only, if that fits a single one."""
    symbol = re.sub(r"(?i)flops?(?:/s)?(?![a-z])", "flop/s", text.strip())
    symbol = re.sub(r"(?i)/watts?\Z", "/W", symbol)
    chosen = [iri for iri, unit in units.items() if unit.symbol == symbol]
    if not chosen and not exact:
        chosen = [iri for iri, unit in units.items() if unit.symbol.casefold() == symbol.casefold()]
    return chosen[0] if len(chosen) == 1 else None


def own_namespace(path: Path) -> str:
    """What the IRIs begin with that a table has of its own."""
    return NAMESPACE + quote(path.stem, safe="")


def term_name(heading: str) -> str:
    """A heading as the end of an IRI: `Power Source` is `powerSource`, `HPCG` is `hpcg`."""
    first, *others = search_words(heading).split() or ["column"]
    first = first.lower() if first.isupper() else first[:1].lower() + first[1:]
    return quote(first + "".join(word[:1].upper() + word[1:] for word in others), safe="")


def _datatype(values: Sequence[str], numbers: NumberFormat) -> NamedNode:
    """The narrowest datatype that all values have; text where there are none, or where digits are no number."""
    if not values or any(_LEADING_ZERO.match(text) for text in values):
        return XSD.string
    if {text.casefold() for text in values} <= {"true", "false"}:
        return XSD.boolean
    for datatype in _DATATYPES:
        # 1.0 is a whole number too, but a column that writes it so means more.
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


def _subject(own: str, columns: Sequence[str], texts: Mapping[str, Sequence[str]], rows: int) -> Template:
    """A template with the first column that is called like a key and has another value in each row."""
    for name in columns:
        found = texts[name]
        is_key = rows > 0 and len(found) == rows == len(set(found)) and not {"", ".", ".."} & set(found)
        if is_key and _words(name) & _KEY_WORDS and not {"{", "}"} & set(name):
            return parse_template(f"{own}/{{{name}}}")
    return parse_template(f"{own}/{{{ROW_NUMBER}}}")
