"""A mapping of a table's columns to statements about the thing of each row.

`mapping_file.py` reads and writes mappings as YAML (docs/decisions/0038-mappings.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hpc_explorer.annotate.tables.template import Template
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode


@dataclass(frozen=True)
class NumberFormat:
    """The number format of a table.

    Args:
        thousands: the group separator; may be empty.
        decimal: the decimal separator.
    """

    thousands: str = ","
    decimal: str = "."


@dataclass(frozen=True)
class TableFormat:
    """The layout of a table file; unset values are detected.

    Args:
        sheet: of a workbook; empty for the first.
        delimiter: the cell separator of a text file; empty to detect.
        encoding: Python's name; empty for UTF-8, UTF-16 or else Windows-1252.
        heading: the row number of the column names, from 1; 0 for none, `LIKELY_ROW` to detect it.
        units: whether the row below the heading has units.
    """

    sheet: str = ""
    delimiter: str = ""
    encoding: str = ""
    heading: int = 1
    units: bool = False


FOUND_OUT = TableFormat()
"""Detect everything; the first row is the heading."""

LIKELY_ROW = -1
"""Detect the heading row."""


@dataclass(frozen=True)
class ColumnRule:
    """The rule of a column.

    Args:
        property: the predicate.
        datatype: of the literal or the quantity's number.
        unit: if given, values are `qudt:QuantityValue` with this unit.
        language: if given, values are texts in this language.
        link: if given, values are resources by this template.
        link_class: the class of linked resources.
        iri: whether cells are IRIs.
        lookup: if given, the resources by cell text; other texts are rejected.
        separator: splits a cell into several values.
        absent: texts for missing values; None for those of the mapping.
        required: whether rows without a value are rejected.
        date_format: a `strptime` format; empty for ISO 8601.
    """

    property: NamedNode
    datatype: NamedNode = XSD.string
    unit: NamedNode | None = None
    language: str = ""
    link: Template | None = None
    link_class: NamedNode | None = None
    iri: bool = False
    lookup: Mapping[str, NamedNode] | None = None
    separator: str = ""
    absent: frozenset[str] | None = None
    required: bool = False
    date_format: str = ""


@dataclass(frozen=True)
class Constant:
    """A statement about every row's thing."""

    property: NamedNode
    value: NamedNode | Literal


@dataclass(frozen=True)
class TableMapping:
    """A mapping.

    Args:
        subject: the IRI of a row's thing.
        columns: the rules by column, in order.
        ignored: columns without rules on purpose.
        constants: statements about every row's thing.
        absent: texts for missing values, compared without surrounding whitespace.
        skip: rows to skip, by column and its texts.
        table: the layout of the file.
        shared_subjects: whether several rows may describe one thing; else they are reported.
        prefixes: of the mapping file.
        headings: alternative column names, with the name in the mapping.
        needed: required columns; None for all.
    """

    subject: Template
    classes: tuple[NamedNode, ...] = ()
    columns: Mapping[str, tuple[ColumnRule, ...]] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    constants: tuple[Constant, ...] = ()
    absent: frozenset[str] = frozenset({""})
    numbers: NumberFormat = NumberFormat()
    skip: Mapping[str, frozenset[str]] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    table: TableFormat = FOUND_OUT
    shared_subjects: bool = False
    headings: Mapping[str, str] = field(default_factory=dict)
    needed: tuple[str, ...] | None = None

    @property
    def named_columns(self) -> tuple[str, ...]:
        """All columns that the mapping uses, in order."""
        links = [rule.link for rules in self.columns.values() for rule in rules if rule.link is not None]
        names = [*self.subject.columns, *self.skip, *self.columns, *(name for link in links for name in link.columns)]
        return tuple(dict.fromkeys(names))

    @property
    def needed_columns(self) -> tuple[str, ...]:
        """The required columns, in order."""
        named = self.named_columns
        return named if self.needed is None else tuple(dict.fromkeys([*self.subject.columns, *self.needed]))

    def for_columns(self, columns: Sequence[str]) -> TableMapping:
        """The mapping with the column names of a table and without columns that it lacks.

        Required columns are kept.
        """
        there = set(columns)
        names: dict[str, str] = {}
        for other, name in self.headings.items():
            if other in there and name not in there and other not in self.named_columns:
                names.setdefault(name, other)
        kept = {*there, *(names.get(name, name) for name in self.needed_columns)}

        def rules_of(rules: tuple[ColumnRule, ...]) -> tuple[ColumnRule, ...]:
            renamed = (replace(rule, link=rule.link.renamed(names)) if rule.link else rule for rule in rules)
            return tuple(rule for rule in renamed if rule.link is None or kept.issuperset(rule.link.columns))

        found = {names.get(name, name): rules_of(rules) for name, rules in self.columns.items()}
        return replace(
            self,
            subject=self.subject.renamed(names),
            columns={name: rules for name, rules in found.items() if name in kept and rules},
            skip={names.get(name, name): texts for name, texts in self.skip.items() if names.get(name, name) in kept},
            needed=None if self.needed is None else tuple(names.get(name, name) for name in self.needed),
            headings={other: name for other, name in self.headings.items() if name not in names},
        )
