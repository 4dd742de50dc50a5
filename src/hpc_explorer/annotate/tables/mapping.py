"""A mapping as a value: what the columns of a table say about the thing that a row describes.

It knows nothing of files: `mapping_file.py` reads and writes it as YAML (docs/decisions/0038-mappings.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hpc_explorer.annotate.tables.template import Template
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a table are written.

    Args:
        thousands: what stands between groups of three digits; empty: nothing does.
        decimal: what the fraction begins with.
    """

    thousands: str = ","
    decimal: str = "."


@dataclass(frozen=True)
class TableFormat:
    """How a table lies in its file; what is left open is found out.

    Args:
        sheet: of a workbook; empty: the first one.
        delimiter: what stands between the cells of a text; empty: what cuts the first lines best.
        encoding: of a text, as Python calls it; empty: UTF-8 or UTF-16, and else Windows-1252.
        heading: the row that names the columns, from 1; those above it are passed over. 0: none does. `LIKELY_ROW`:
            the one that seems to, below notes, titles and names of groups of columns.
        units: whether the row below the heading has the units of the columns, and no values.
    """

    sheet: str = ""
    delimiter: str = ""
    encoding: str = ""
    heading: int = 1
    units: bool = False


FOUND_OUT = TableFormat()
"""All of it is found out; the first row names the columns."""

LIKELY_ROW = -1
"""The row that seems to name the columns."""


@dataclass(frozen=True)
class ColumnRule:
    """What one column says.

    Args:
        property: the predicate of its statements.
        datatype: of the literal; for a quantity, of its number.
        unit: where given, the value is a `qudt:QuantityValue` with this unit.
        language: where given, the value is text in this language.
        link: where given, the value is the resource of this template.
        link_class: where given, the class of the resource that a link makes.
        iri: whether the cell has the IRI of the resource that is the value.
        lookup: where given, the value is the resource that the cell's text stands for; other texts are rejected.
        separator: where given, a cell holds several values, apart by this.
        absent: texts that mean there is no value; None: those of the whole mapping.
        required: whether a row without a value is rejected.
        date_format: how a date or moment is written, as `strptime` has it; empty: as ISO 8601 has it.
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
    """A statement that is made of each row's thing alike."""

    property: NamedNode
    value: NamedNode | Literal


@dataclass(frozen=True)
class TableMapping:
    """What a table says.

    Args:
        subject: the IRI of the thing that a row describes.
        classes: its classes.
        columns: the rules of each column, in the order of the file; a column may have several.
        ignored: columns that are left out on purpose.
        constants: what holds of each row's thing.
        absent: texts that mean there is no value; compared without the space around them.
        numbers: how numbers are written.
        skip: rows to leave out: those that have one of these texts in this column.
        table: how the table lies in its file.
        shared_subjects: whether several rows may describe one thing; otherwise it is told where they do.
        prefixes: that the file declares.
        headings: what else a column may be called, with the name that the mapping gives it.
        needed: the columns without which a table is another one than this mapping is for; None: all of them.
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
        """All columns that the mapping takes something from, in its order."""
        links = [rule.link for rules in self.columns.values() for rule in rules if rule.link is not None]
        names = [*self.subject.columns, *self.skip, *self.columns, *(name for link in links for name in link.columns)]
        return tuple(dict.fromkeys(names))

    @property
    def needed_columns(self) -> tuple[str, ...]:
        """The columns without which a table is another one than this mapping is for, in its order."""
        named = self.named_columns
        return named if self.needed is None else tuple(dict.fromkeys([*self.subject.columns, *self.needed]))

    def for_columns(self, columns: Sequence[str]) -> TableMapping:
        """The same mapping with the names that the columns of a table have, and without those that it lacks.

        A column that is needed stays, whether the table has it or not.
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
