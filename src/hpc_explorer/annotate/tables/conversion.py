"""Convert a table's rows to quads one by one and collect what could not be converted.

Memory does not grow with the table: only the first rejects are kept; all are counted and reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hpc_explorer.annotate.tables.cells import NUMBERS, CellFault, literal_of, resource_of
from hpc_explorer.annotate.tables.mapping import ColumnRule, TableMapping
from hpc_explorer.annotate.tables.reading import Table
from hpc_explorer.annotate.tables.rows import TableRow
from hpc_explorer.annotate.tables.subjects import Full, Subjects
from hpc_explorer.annotate.tables.template import FILE_NAME, ROW_NUMBER
from hpc_explorer.annotate.units import is_scaled_count, unit_in_table
from hpc_explorer.errors import InvalidIri, SourceSyntaxError
from hpc_explorer.rdf.namespaces import QUDT, RDF
from hpc_explorer.rdf.quantities import unit_of
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

KEPT = 100
"""The most rejects kept for display."""

# Cached instead of created per cell.
_TYPE, _QUANTITY, _VALUE, _UNIT = RDF.type, QUDT.QuantityValue, QUDT.value, QUDT.unit

# The most links whose class is remembered as stated.
_MOST_LINKS = 10_000

# Rows between checks of the limits.
_CHECK_EVERY = 1_000


@dataclass(frozen=True)
class Reject:
    """A cell or row that was not converted.

    Args:
        row: the row number, from 1 below the heading.
        column: empty for the whole row.
        text: the cell, up to 80 characters.
        reason: the explanation.
        whole_row: whether the whole row was rejected.
    """

    row: int
    column: str
    text: str
    reason: str
    whole_row: bool


@dataclass(frozen=True)
class Repeat:
    """Two rows with the same IRI, which describe the same thing.

    Args:
        row, earlier: the row numbers.
        differs: whether they differ in a single-valued column.
    """

    row: int
    earlier: int
    iri: str
    differs: bool


class Conversion:
    """The conversion of one table: its quads, and afterwards its statistics.

    Args:
        table: a newly opened table.
        on_reject: called with each reject.
        kept: the most rejects kept.
        nodes: a prefix for the labels of blank nodes, to keep several tables apart.

    Raises:
        SourceSyntaxError: the table lacks a column of the mapping.
    """

    def __init__(
        self,
        mapping: TableMapping,
        table: Table,
        on_reject: Callable[[Reject], None] = lambda _: None,
        kept: int = KEPT,
        nodes: str = "",
    ) -> None:
        self.rows = 0
        self.converted = 0
        self.skipped = 0
        self.reject_count = 0
        self.rejects: list[Reject] = []
        self._kept = kept
        self._nodes = nodes
        self.reject_reasons: Counter[tuple[str, str]] = Counter()
        self.mapping = mapping = mapping if table.columns is None else mapping.for_columns(table.columns)
        self._table = table
        self._on_reject = on_reject
        self._odd_units = self._take_units()
        self._link_classes: dict[Term, None] = {}
        self.repeats: list[Repeat] = []
        self._repeat_count = 0
        self._differing_count = 0
        self._unseen = 0
        self._met: dict[str, None] = dict.fromkeys(table.columns or ())
        alone = ROW_NUMBER in mapping.subject.blanks or mapping.shared_subjects
        self._subjects = None if alone else Subjects()
        if table.columns is not None:
            missing = [name for name in mapping.needed_columns if name not in table.columns]
            if missing:
                raise SourceSyntaxError(
                    f"the table lacks the column{'s' * (len(missing) > 1)} {', '.join(map(repr, missing[:5]))}",
                    str(table.path),
                    "check that this mapping is for this table",
                )

    def _take_units(self) -> dict[str, str]:
        """Apply the units of the table's unit row; record why a column's unit does not fit."""
        odd: dict[str, str] = {}
        rules = dict(self.mapping.columns)
        for name, text in self._table.units.items():
            found = unit_in_table(text)
            for rule in rules.get(name, ()):
                if rule.unit is not None and (found is None or unit_of(found).kind != unit_of(rule.unit).kind):
                    odd[name] = f"the table has the unit {text!r}, which is no unit like {unit_of(rule.unit).symbol}"
                elif rule.unit is None and rule.datatype in NUMBERS and is_scaled_count(text):
                    odd[name] = f"the table has the unit {text!r}, and the mapping none"
            if name in rules and name not in odd:
                rules[name] = tuple(replace(rule, unit=rule.unit and found) for rule in rules[name])
        self.mapping = replace(self.mapping, columns=rules)
        return odd

    @property
    def unmentioned(self) -> tuple[str, ...]:
        """The columns that the mapping neither uses nor ignores; of JSON records, those seen so far."""
        known = {*self.mapping.named_columns, *self.mapping.ignored}
        return tuple(name for name in self._met if name not in known)

    @property
    def never_met(self) -> tuple[str, ...]:
        """The columns of the mapping that no record had so far."""
        return tuple(name for name in self.mapping.needed_columns if name not in self._met) if self.rows else ()

    @property
    def repeat_count(self) -> Count:
        """The number of rows with the IRI of an earlier row; a lower bound if memory was exhausted."""
        return Count(self._repeat_count, CountKind.AT_LEAST if self._unseen else CountKind.EXACT)

    @property
    def differing_count(self) -> Count:
        """The number of those that differ from the earlier row in a single-valued column."""
        return Count(self._differing_count, self.repeat_count.kind)

    def quads(self, limits: Limits = NO_LIMITS, most: int | None = None) -> Iterator[Quad]:
        """The statements of all rows.

        Args:
            most: the most rows to read.

        Raises:
            SourceSyntaxError: a later part of the table is damaged.
            Cancelled, DeadlineExceeded: by the limits.
        """
        for row in islice(self._table.rows(), most):
            if self.rows % _CHECK_EVERY == 0:
                limits.check("converting the table")
            self.rows += 1
            if self._table.columns is None:
                self._met.update(dict.fromkeys(row.cells))
            if row.fault:
                self._reject(row.number, "", "", row.fault, whole_row=True)
            elif any(row.text(name) in texts for name, texts in self.mapping.skip.items()):
                self.skipped += 1
            else:
                yield from self._row(row)

    def _row(self, row: TableRow) -> Iterator[Quad]:
        mapping = self.mapping
        try:
            subject = mapping.subject.fill(row.number, lambda name: self._present(row, name))
        except InvalidIri as error:
            self._reject(row.number, ", ".join(mapping.subject.columns), "", error.what, whole_row=True)
            return
        made: list[Quad] = [Quad(subject, _TYPE, cls) for cls in mapping.classes]
        made += (Quad(subject, constant.property, constant.value) for constant in mapping.constants)
        # Statements about quantities come last, so that those about the row's thing stay together.
        nodes: list[Quad] = []
        number_of_values = 0
        said: list[str] = []
        for name, rules in mapping.columns.items():
            for rule in rules:
                values = self.values(row, name, rule)
                said.append(values[0] if len(values) == 1 and not rule.separator else "")
                if rule.required and not values:
                    self._reject(row.number, name, "", "no value, and there must be one", whole_row=True)
                    return
                for value in values:
                    number_of_values += 1
                    self._state(made, nodes, subject, row, name, rule, value, number_of_values)
        self.converted += 1
        if self._subjects is not None:
            self._look_for_repeat(row.number, subject.value, tuple(said))
        yield from made
        yield from nodes

    def _look_for_repeat(self, row: int, iri: str, said: tuple[str, ...]) -> None:
        assert self._subjects is not None
        try:
            earlier = self._subjects.earlier(iri, row, said)
        except Full:
            self._unseen += 1
            return
        if earlier is not None:
            self._repeat_count += 1
            self._differing_count += not earlier.same
            if len(self.repeats) < KEPT:
                self.repeats.append(Repeat(row, earlier.row, iri, not earlier.same))

    def _state(
        self,
        made: list[Quad],
        nodes: list[Quad],
        subject: NamedNode,
        row: TableRow,
        name: str,
        rule: ColumnRule,
        value: str,
        nth: int,
    ) -> None:
        """Add the statements of one value; an invalid value is rejected alone."""
        try:
            term = self.term(row, name, rule, value)
        except (CellFault, InvalidIri) as error:
            reason = error.what if isinstance(error, InvalidIri) else str(error)
            self._reject(row.number, name, value, reason, whole_row=False)
            return
        if rule.unit is None:
            made.append(Quad(subject, rule.property, term))
            if rule.link_class is not None and isinstance(term, NamedNode) and term not in self._link_classes:
                # Beyond the limit the class of a link may be stated twice, which is harmless.
                if len(self._link_classes) == _MOST_LINKS:
                    self._link_classes.clear()
                self._link_classes[term] = None
                made.append(Quad(term, _TYPE, rule.link_class))
            return
        node = BlankNode(f"{self._nodes}r{row.number}v{nth}")
        made.append(Quad(subject, rule.property, node))
        nodes += (
            Quad(node, _TYPE, _QUANTITY),
            Quad(node, _VALUE, term),
            Quad(node, _UNIT, rule.unit),
        )

    def term(self, row: TableRow, name: str, rule: ColumnRule, value: str) -> Term:
        """The term of a value by its column's rule.

        Raises:
            CellFault, InvalidIri: the value is invalid; gives the reason.
        """
        if name in self._odd_units and rule.datatype in NUMBERS:
            raise CellFault(self._odd_units[name])
        if rule.lookup is not None:
            if value not in rule.lookup:
                raise CellFault("not in the mapping's lookup")
            return rule.lookup[value]
        if rule.link is not None:
            return rule.link.fill(row.number, lambda other: value if other == name else self._present(row, other))
        if rule.iri:
            return resource_of(value)
        if rule.language:
            return Literal(literal_of(value, rule.datatype, self.mapping.numbers).value, language=rule.language)
        return literal_of(value, rule.datatype, self.mapping.numbers, rule.date_format)

    def values(self, row: TableRow, name: str, rule: ColumnRule) -> list[str]:
        """The values of a cell without absent ones."""
        absent = self.mapping.absent if rule.absent is None else rule.absent
        texts = row.cells.get(name, ())
        if rule.separator:
            texts = tuple(part for text in texts for part in text.split(rule.separator))
        stripped = (text.strip() for text in texts)
        return [text for text in stripped if text and text not in absent]

    def _present(self, row: TableRow, name: str) -> str:
        """The text of a column or of `@file` for an IRI; empty if absent."""
        if name == FILE_NAME:
            return self._table.path.stem
        text = row.text(name)
        return "" if text in self.mapping.absent else text

    def _reject(self, row: int, column: str, text: str, reason: str, *, whole_row: bool) -> None:
        reject = Reject(row, column, text[:80], reason, whole_row)
        self.reject_count += 1
        self.reject_reasons[column, reason] += 1
        if len(self.rejects) < self._kept:
            self.rejects.append(reject)
        self._on_reject(reject)
