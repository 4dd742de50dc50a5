"""A table as it is about to be converted: how it lies in its file, its first rows, and what a mapping makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path

from hpc_explorer.annotate.tables.conversion import Conversion, Reject
from hpc_explorer.annotate.tables.mapping import FOUND_OUT, ColumnRule, TableFormat, TableMapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.tables.rows import TableRow
from hpc_explorer.annotate.tables.suggestion import suggest_mapping
from hpc_explorer.app.imports.converting import prefixes_of
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.ontology.schema import SchemaIndex, build_schema
from hpc_explorer.ontology.shipped import property_kinds, shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, RDF, WELL_KNOWN, PrefixMap
from hpc_explorer.rdf.quantities import known_units, read_quantity
from hpc_explorer.rdf.syntax.formats import TURTLE
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.names.label_index import MatchQuality

ROWS_SHOWN = 50
"""How many of the first rows are looked at while a mapping is changed."""

# Of a table of many columns fewer rows are looked at, so that a change is answered at once.
_MOST_CELLS, _FEWEST_ROWS = 3_000, 5

# Values that are shown of a column.
_SAMPLES = 8


@dataclass(frozen=True)
class TermChoice:
    """A class or property that can be chosen.

    Args:
        text: how it is found and shown, "Rmax · hpc:hasRmax".
        detail: what it is for; may be empty.
    """

    term: NamedNode
    text: str
    detail: str


@dataclass(frozen=True)
class TableLook:
    """How a table lies in its file, and what it begins with.

    Args:
        columns: their names, in order.
        rows: the texts of the first rows, in the order of the columns.
        format: as it was found or given.
        sheets: of a workbook.
        note: what was assumed about the file.
        mapping: to begin with.
        remarks: what a person should look at, each a sentence.
        offers: of columns whose heading is that of a property, and whose values do not fit it, a rule with it.
    """

    path: Path
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    format: TableFormat
    sheets: tuple[str, ...]
    note: str
    mapping: TableMapping
    remarks: tuple[str, ...]
    offers: Mapping[str, ColumnRule]


@dataclass(frozen=True)
class Sample:
    """A text of a column, and what becomes of it.

    Args:
        text: as it stands in the table.
        made: the value, as it is read.
        fault: why it is none; empty where it is one.
    """

    text: str
    made: str
    fault: str


@dataclass(frozen=True)
class RowPreview:
    """What a row says, as it is read.

    Args:
        subject: the name of its thing.
        iri: of the thing.
        said: property and value, in the order of the columns.
    """

    subject: str
    iri: str
    said: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TablePreview:
    """What a mapping makes of the first rows.

    Args:
        rows: what each converted row says.
        read: how many rows were read.
        statements: how many they make.
        turtle: the statements, as Turtle.
        rejects: the first of what could not be converted.
        reject_count: how many there are.
        samples: of each column that the mapping speaks of.
        missing: columns that the mapping needs and the table lacks.
        repeats: how many of the rows have the IRI of an earlier one.
    """

    rows: tuple[RowPreview, ...]
    read: int
    statements: int
    turtle: str
    rejects: tuple[Reject, ...]
    reject_count: int
    samples: Mapping[str, tuple[Sample, ...]]
    missing: tuple[str, ...] = ()
    repeats: int = 0


def look_at_table(
    session: Session, path: Path, format: TableFormat = FOUND_OUT, *, limits: Limits = NO_LIMITS
) -> TableLook:
    """Look at a table's first rows, and suggest a mapping; names of resources that are open become links.

    Raises:
        InputError: the table cannot be used so.
    """
    schema = _schema(session, limits)
    with open_table(path, format) as table:
        first = list(islice(table.rows(), ROWS_SHOWN))
        columns = table.columns or tuple(dict.fromkeys(name for row in first for name in row.cells))
        found, sheets, note = table.format, table.sheets, table.note
    with open_table(path, format) as table:
        suggestion = suggest_mapping(
            table,
            [info for info in schema.properties.values() if _is_offered(info.term, schema)],
            known_units(),
            property_kinds(),
            lambda name: _named(session, name, limits),
            schema.superclasses,
            limits,
        )
    return TableLook(
        path,
        columns,
        tuple(_texts(row, columns) for row in first),
        found,
        sheets,
        note,
        suggestion.mapping,
        suggestion.remarks,
        suggestion.offers,
    )


def _texts(row: TableRow, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(" | ".join(row.cells.get(name, ())) for name in columns)


def _schema(session: Session, limits: Limits) -> SchemaIndex:
    if session.sources and not session.store.capabilities.remote:
        open_ = session.schema(limits=limits)
        # What is open may use none of the ontology's terms.
        if any(term.value.startswith(HPC) for term in open_.properties):
            return _merged(open_, _shipped())
    return _shipped()


@cache
def _shipped() -> SchemaIndex:
    """The terms of the ontology that ships, which stay the same."""
    ontology = shipped_ontology()
    return build_schema(ontology, ontology, used_classes=(), used_properties=())


def _merged(own: SchemaIndex, shipped: SchemaIndex) -> SchemaIndex:
    """The terms of the graph, and those of the ontology besides."""
    return SchemaIndex({**shipped.classes, **own.classes}, {**shipped.properties, **own.properties})


def _is_offered(term: NamedNode, schema: SchemaIndex) -> bool:
    return term.value.startswith(HPC) or schema.properties[term].defined


def _named(session: Session, name: str, limits: Limits) -> NamedNode | None:
    """The one resource that is called just so; None where there is none, or several."""
    if not session.sources or session.store.capabilities.remote:
        return None
    matches, _ = session.label_index(limits=limits).search(name, 3, limits=limits)
    exact = {match.iri for match in matches if match.fit is MatchQuality.EXACT and match.text == name}
    iri = exact.pop() if len(exact) == 1 else ""
    return NamedNode(iri) if iri and not iri.startswith("_:") else None


def property_choices(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[TermChoice, ...]:
    """The properties of the ontology and of what is open, by their names."""
    schema = _schema(session, limits)
    prefixes = PrefixMap(WELL_KNOWN)
    found = [
        TermChoice(info.term, f"{info.label} · {prefixes.short(info.term.value)}", info.comment)
        for info in schema.properties.values()
    ]
    return tuple(sorted(found, key=lambda choice: choice.text.casefold()))


def class_choices(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[TermChoice, ...]:
    """The classes of the ontology and of what is open, by their names."""
    schema = _schema(session, limits)
    prefixes = PrefixMap(WELL_KNOWN)
    found = [
        TermChoice(info.term, f"{info.label} · {prefixes.short(info.term.value)}", info.comment)
        for info in schema.classes.values()
    ]
    return tuple(sorted(found, key=lambda choice: choice.text.casefold()))


def unit_choices() -> tuple[TermChoice, ...]:
    """The units that are known, by symbol and name."""
    found = [TermChoice(iri, f"{unit.symbol} · {unit.label}", "") for iri, unit in known_units().items()]
    return tuple(sorted(found, key=lambda choice: choice.text.casefold()))


@dataclass(frozen=True)
class TermChoices:
    """What can be chosen for properties, classes and units."""

    properties: tuple[TermChoice, ...]
    classes: tuple[TermChoice, ...]
    units: tuple[TermChoice, ...]


def term_choices(session: Session, *, limits: Limits = NO_LIMITS) -> TermChoices:
    """All terms that a mapping can name."""
    return TermChoices(property_choices(session, limits=limits), class_choices(session, limits=limits), unit_choices())


def preview_table(
    path: Path,
    mapping: TableMapping,
    labels: Mapping[NamedNode, str],
    *,
    limits: Limits = NO_LIMITS,
) -> TablePreview:
    """What a mapping makes of a table's first rows.

    Args:
        labels: names of properties; others are shown by the ends of their IRIs.

    Raises:
        InputError: the table cannot be used so.
    """
    rejects: list[Reject] = []
    rows = max(_FEWEST_ROWS, min(ROWS_SHOWN, _MOST_CELLS // max(len(mapping.columns), 1)))
    with open_table(path, mapping.table) as table:
        if table.columns is not None:
            mapping = mapping.for_columns(table.columns)
        missing = tuple(name for name in mapping.needed_columns if name not in (table.columns or (name,)))
        if missing:
            return TablePreview((), 0, 0, "", (), 0, {}, missing)
        conversion = Conversion(mapping, table, rejects.append)
        quads = list(conversion.quads(limits, rows))
    faults = {(reject.row, reject.column, reject.text): reject.reason for reject in rejects if not reject.whole_row}
    stream = BytesIO()
    write_quads(quads, stream, TURTLE, prefixes_of(mapping))
    return TablePreview(
        rows=_said(quads, labels),
        read=conversion.rows,
        statements=len(quads),
        turtle=stream.getvalue().decode("utf-8"),
        rejects=tuple(rejects[:_MOST_REJECTS]),
        reject_count=conversion.reject_count,
        samples=_samples(path, mapping, faults, rows),
        repeats=conversion.repeat_count.value,
    )


_MOST_REJECTS = 200


def _said(quads: Sequence[Quad], labels: Mapping[NamedNode, str]) -> tuple[RowPreview, ...]:
    nodes: dict[Resource, list[tuple[NamedNode, Literal | NamedNode]]] = {}
    things: dict[NamedNode, list[tuple[NamedNode, Term | Triple]]] = {}
    for quad in quads:
        if isinstance(quad.subject, BlankNode) and isinstance(quad.object, (Literal, NamedNode)):
            nodes.setdefault(quad.subject, []).append((quad.predicate, quad.object))
        elif isinstance(quad.subject, NamedNode):
            things.setdefault(quad.subject, []).append((quad.predicate, quad.object))

    def value(term: Term | Triple) -> str:
        if isinstance(term, BlankNode):
            return str(read_quantity(nodes[term]) or "")
        if isinstance(term, NamedNode):
            return f"→ {labels.get(term) or local_name(term.value)}"
        return term.value if isinstance(term, Literal) else str(term)

    return tuple(
        RowPreview(
            local_name(thing.value),
            thing.value,
            tuple(
                ("is a" if predicate == RDF.type else labels.get(predicate) or local_name(predicate.value), value(one))
                for predicate, one in said
            ),
        )
        for thing, said in things.items()
    )


def _samples(
    path: Path, mapping: TableMapping, faults: Mapping[tuple[int, str, str], str], rows: int
) -> dict[str, tuple[Sample, ...]]:
    """The first different texts of each column that the mapping speaks of, with what becomes of each."""
    samples: dict[str, dict[str, Sample]] = {name: {} for name in mapping.columns}
    with open_table(path, mapping.table) as table:
        probe = Conversion(mapping, table)
        for row in islice(table.rows(), rows):
            if row.fault:
                continue
            for name, found in samples.items():
                text = " | ".join(row.cells.get(name, ()))
                if text in found or len(found) >= _SAMPLES:
                    continue
                made, fault = [], ""
                for value in probe.values(row, name, mapping.columns[name][0]):
                    reason = faults.get((row.number, name, value[:80]), "")
                    fault = fault or reason
                    if not reason:
                        made.append(_made(probe, row, name, value))
                found[text] = Sample(text, ", ".join(made) if made or fault else "no value", fault)
    return {name: tuple(found.values()) for name, found in samples.items()}


def _made(probe: Conversion, row: TableRow, name: str, value: str) -> str:
    """A value as it is read: a number with its unit, a text with its language, a link by its IRI."""
    rule = probe.mapping.columns[name][0]
    try:
        term = probe.term(row, name, rule, value)
    except (ExplorerError, ValueError) as error:
        return str(error)
    if rule.unit is not None and isinstance(term, Literal):
        unit = known_units().get(rule.unit)
        return f"{term.value} {unit.symbol if unit is not None else local_name(rule.unit.value)}"
    if isinstance(term, NamedNode):
        return term.value
    return f"{term.value} ({term.language})" if isinstance(term, Literal) and term.language else str(term.value)
