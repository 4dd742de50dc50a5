"""Suggest a mapping from column names and values, using an ontology.

A property is suggested only if the heading has the words of its label or name, and values and unit fit. Otherwise it is
offered with a question mark. Guesses are marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from urllib.parse import quote

from hpc_explorer.annotate.tables.column_rules import NUMBERS, FindNamed, column_rules, is_date_of_two_readings
from hpc_explorer.annotate.tables.fitting import Fitting
from hpc_explorer.annotate.tables.mapping import ColumnRule, TableFormat, TableMapping
from hpc_explorer.annotate.tables.reading import Table
from hpc_explorer.annotate.tables.rows import TableRow
from hpc_explorer.annotate.tables.subjects import Full, Subjects
from hpc_explorer.annotate.tables.template import ROW_NUMBER, Template, parse_template
from hpc_explorer.annotate.units import unit_in_table
from hpc_explorer.errors import InvalidIri
from hpc_explorer.ontology.labels import local_name, search_words
from hpc_explorer.ontology.schema import PropertyInfo
from hpc_explorer.rdf.namespaces import HPC, WELL_KNOWN, XSD, PrefixMap
from hpc_explorer.rdf.quantities import Unit
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

SAMPLE = 500
"""The number of rows to examine first; of the others only values are kept that the first ones do not allow for."""

_CHECK_EVERY = 1_000

_KEY_WORDS = frozenset({"id", "key", "number", "no", "nr", "identifier", "name"})
_BRACKETS = re.compile(r"(.*\S)\s*[\[(]([^\[\]()]+)[\])]\s*\Z")
_BEHIND = re.compile(r"(.*[^\s,/_])(?:_|,\s*|\s+in\s+|\s+/\s*|\s+)(\S+)\Z")
NAMESPACE = "https://example.org/tables/"
"""The default namespace of tables."""

# The most candidate key columns that are read in full.
_MOST_KEYS = 4
# The least number of columns that match properties of a class for it to be suggested.
_FEWEST_OF_CLASS = 3

Superclasses = Callable[[NamedNode], frozenset[NamedNode]]
"""The superclasses of a class, including itself."""


@dataclass(frozen=True)
class Suggestion:
    """A suggested mapping.

    Args:
        mapping: converts every readable row.
        remarks: sentences about what to review.
        offers: rules for columns whose heading matches a property but whose values do not fit.
    """

    mapping: TableMapping
    remarks: tuple[str, ...]
    offers: Mapping[str, ColumnRule]


def suggest_mapping(
    table: Table,
    properties: Iterable[PropertyInfo],
    units: Mapping[NamedNode, Unit],
    kinds: Mapping[NamedNode, NamedNode],
    find_named: FindNamed = lambda _: None,
    superclasses: Superclasses = lambda cls: frozenset({cls}),
    limits: Limits = NO_LIMITS,
) -> Suggestion:
    """Suggest a mapping from a table's headings and values.

    Args:
        table: a newly opened table; it is opened again to read all rows.
        properties: the candidates.
        units: the candidates.
        kinds: the kind of quantity by property, if known.
        find_named: finds existing resources by name.

    Raises:
        SourceSyntaxError: damaged table.
        Cancelled, DeadlineExceeded: by the limits.
    """
    all_rows = table.rows()
    rows = [row for row in islice(all_rows, SAMPLE) if not row.fault]
    found_rules = column_rules(table, rows, cache(find_named), limits)
    columns, values = tuple(found_rules.rules), found_rules.values
    absent, numbers = found_rules.absent, found_rules.numbers
    own = own_namespace(table.path)
    by_words = _by_words(properties)
    fitting = Fitting(kinds, units, own)
    remarks: list[str] = []
    if table.format.heading > 1:
        remarks.append(f"Row {table.format.heading} is used as the heading.")
    if table.units:
        remarks.append("The row below the heading is used as the units of the columns.")
    rules: dict[str, tuple[ColumnRule, ...]] = {}
    offers: dict[str, ColumnRule] = {}
    matched: list[PropertyInfo] = []
    taken: dict[NamedNode, str] = {}
    for name in columns:
        kind = found_rules.rules[name]
        if kind.absent is not None:
            (odd,) = kind.absent - absent
            remarks.append(f"{name!r}: all but {odd!r} are numbers; it is used as a missing value.")
        is_number = kind.datatype in NUMBERS
        heading, unit = _heading(name, units, numeric=is_number)
        if is_number and name in table.units:
            unit = unit_in_table(table.units[name])
        found = by_words.get(_words(heading)) or by_words.get(_words(name))
        own_rule = replace(kind, property=_own_property(f"{own}#", heading, name, taken))
        if unit is not None:
            datatype = XSD.double if kind.datatype == XSD.double else XSD.decimal
            own_rule = replace(own_rule, datatype=datatype, unit=unit)
        rule = own_rule
        if found is None:
            remarks.append(f"{name!r}: no property is called so; it gets a property of the table's own.")
        else:
            fit = fitting.fit(found, own_rule, name, is_empty=not values[name])
            if not fit.doubt and found.term in taken:
                fit = replace(fit, doubt=f"{taken[found.term]!r} says it already")
            if fit.doubt:
                offers[name] = fit.rule
                term = PrefixMap(WELL_KNOWN).short(found.term.value)
                doubt = f"{fit.doubt[:1].upper()}{fit.doubt[1:]}"
                own_one = "until you say so, it gets a property of the table's own"
                remarks.append(f"{name!r}: does it mean {term}? {doubt}; {own_one}.")
            else:
                matched.append(found)
                rule = fit.rule
        remarks += (f"{name!r}: {remark}" for remark in _remarks(rule, values[name]))
        rules[name] = (rule,)
        taken.setdefault(rule.property, name)
    within = f"{own}/{quote(table.format.sheet, safe='')}" if len(table.sheets) > 1 else own
    subject = _subject(within, columns, rows, all_rows, absent, limits)
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
    return Suggestion(mapping, tuple(remarks), offers)


def _own_property(namespace: str, heading: str, name: str, taken: Mapping[NamedNode, str]) -> NamedNode:
    """A unique property in the table's namespace, named after its heading."""
    made = (NamedNode(namespace + text) for text in (term_name(heading), term_name(name)))
    numbered = (NamedNode(f"{namespace}{term_name(heading)}{number}") for number in count(2))
    return next(term for term in chain(made, numbered) if term not in taken)


def _lies(table: Table) -> TableFormat:
    """The layout for a mapping, without what would be detected again."""
    sheet = table.format.sheet if len(table.sheets) > 1 else ""
    return TableFormat(sheet=sheet, heading=table.format.heading, units=table.format.units)


def _class(matched: Sequence[PropertyInfo], superclasses: Superclasses) -> NamedNode:
    """The class with most of these properties; a row of a table if ambiguous."""
    domains = [{*info.domains, *info.domain_includes} for info in matched]
    own = {cls for found in domains for cls in found if cls.value.startswith(HPC)}
    votes = {cls: sum(1 for found in domains if found & superclasses(cls)) for cls in own}
    most = max(votes.values(), default=0)
    # A subclass has at least as many matching properties as its superclass.
    best = [cls for cls in own if votes[cls] == most]
    narrowest = [cls for cls in best if not any(cls in superclasses(other) - {other} for other in best)]
    clear = most >= _FEWEST_OF_CLASS and 2 * most >= len(matched) and len(narrowest) == 1
    return narrowest[0] if clear else HPC.TableRow


def _remarks(rule: ColumnRule, values: Sequence[str]) -> Iterator[str]:
    if not values:
        yield "no value in the table; it is treated as text."
    if rule.lookup is not None:
        yield "its values are names of resources that are open; other texts will be rejected."
    if rule.datatype == XSD.string and rule.lookup is None and not rule.iri and is_date_of_two_readings(values):
        yield "dates in which day and month could be either; say the `date format`."


def _words(text: str) -> frozenset[str]:
    return frozenset(search_words(text).casefold().split())


def _by_words(properties: Iterable[PropertyInfo]) -> dict[frozenset[str], PropertyInfo]:
    """The properties by the words of their labels and names; on a tie, the usual spelling wins.

    A property without a range, such as a deprecated spelling, is replaced by its equivalent.
    """
    found: dict[frozenset[str], PropertyInfo] = {}
    names = {info: local_name(info.term.value) for info in properties}
    by_term = {info.term: info for info in names}
    # `BeginMemoryAddress`, a spelling of a paper, after `beginMemoryAddress`; shorter names first.
    ordered = sorted(names, key=lambda info: (names[info][:1].isupper(), len(names[info]), info.term.value))
    for texts in ([info.label for info in ordered], [names[info] for info in ordered]):
        for info, text in zip(ordered, texts, strict=True):
            same = (by_term[term] for term in info.equivalents if term in by_term and by_term[term].ranges)
            found.setdefault(_words(text), info if info.ranges else next(same, info))
    found.pop(frozenset(), None)
    return found


def _heading(name: str, units: Mapping[NamedNode, Unit], *, numeric: bool) -> tuple[str, NamedNode | None]:
    """A heading without its unit, and the unit: `Rmax [TFlop/s]`, `Power (kW)`, `size_GB`, `time in ms`."""
    if not numeric:
        return name, None
    found = _BRACKETS.match(name)
    unit = _unit(found[2], units) if found is not None else None
    if unit is None:
        # After a space or underscore the case of the unit must match: `node_s` has seconds, `node_S` not.
        found = _BEHIND.match(name)
        unit = _unit(found[2], units, exact=True) if found is not None else None
    return (found[1], unit) if found is not None and unit is not None else (name, None)


def _unit(text: str, units: Mapping[NamedNode, Unit], *, exact: bool = False) -> NamedNode | None:
    """The unit of a symbol; ignoring case if that is unambiguous."""
    symbol = re.sub(r"(?i)flops?(?:/s)?(?![a-z])", "flop/s", text.strip())
    symbol = re.sub(r"(?i)/watts?\Z", "/W", symbol)
    chosen = [iri for iri, unit in units.items() if unit.symbol == symbol]
    if not chosen and not exact:
        chosen = [iri for iri, unit in units.items() if unit.symbol.casefold() == symbol.casefold()]
    return chosen[0] if len(chosen) == 1 else None


def own_namespace(path: Path) -> str:
    """The namespace of a table."""
    return NAMESPACE + quote(path.stem, safe="")


def term_name(heading: str) -> str:
    """The local name for a heading: `Power Source` is `powerSource`, `HPCG` is `hpcg`."""
    first, *others = search_words(heading).split() or ["column"]
    first = first.lower() if first.isupper() else first[:1].lower() + first[1:]
    return quote(first + "".join(word[:1].upper() + word[1:] for word in others), safe="")


def _subject(
    within: str,
    columns: Sequence[str],
    first: Sequence[TableRow],
    others: Iterator[TableRow],
    absent: frozenset[str],
    limits: Limits,
) -> Template:
    """A template with the first key-like column whose values are unique in the table.

    Args:
        within: the namespace.
        first: the rows read so far.
        others: the remaining rows, read only while a key is possible.
        absent: texts for missing values.
    """
    names = (name for name in columns if _words(name) & _KEY_WORDS and not {"{", "}"} & set(name))
    found = (_Key(within, name, absent) for name in names)
    keys = list(islice((key for key in found if first and all(map(key.takes, first))), _MOST_KEYS))
    for number, row in enumerate(others):
        if number % _CHECK_EVERY == 0:
            limits.check("looking for a column that names the rows")
        if not row.fault:
            keys = [key for key in keys if key.takes(row)]
        if not keys:
            break
    return keys[0].template if keys else parse_template(f"{within}/{{{ROW_NUMBER}}}")


class _Key:
    """A candidate key column with 16 bytes per value."""

    def __init__(self, within: str, name: str, absent: frozenset[str]) -> None:
        self.template = parse_template(f"{within}/{{{name}}}")
        self._absent = absent
        self._met = Subjects()

    def takes(self, row: TableRow) -> bool:
        """Whether the column identifies this row uniquely so far."""

        def text_of(name: str) -> str:
            text = row.text(name)
            return "" if text in self._absent else text

        try:
            return self._met.earlier(self.template.fill(row.number, text_of).value, row.number) is None
        except (InvalidIri, Full):
            return False
