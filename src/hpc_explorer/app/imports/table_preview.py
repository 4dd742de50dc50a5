"""Preview a table before its conversion: its layout, its first rows, and their statements by a mapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path

from hpc_explorer.annotate.tables.conversion import Conversion, Reject
from hpc_explorer.annotate.tables.mapping import FOUND_OUT, ColumnRule, TableFormat, TableMapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.tables.rows import TableRow
from hpc_explorer.annotate.tables.suggestion import own_namespace, suggest_mapping, term_name
from hpc_explorer.app.imports.converting import prefixes_of
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.ontology.schema import ClassInfo, PropertyInfo, SchemaIndex, build_schema
from hpc_explorer.ontology.shipped import property_kinds, shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, RDF, WELL_KNOWN, PrefixMap
from hpc_explorer.rdf.quantities import known_units, read_quantity
from hpc_explorer.rdf.syntax.formats import TURTLE
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.names.label_index import MatchQuality

ROWS_SHOWN = 50
"""The number of rows in a preview."""

# A preview of a wide table has fewer rows, to stay fast.
_MOST_CELLS, _FEWEST_ROWS = 3_000, 5

# Different values shown of a column.
_SAMPLES = 8


@dataclass(frozen=True)
class TermChoice:
    """A term to choose.

    Args:
        text: to show and search, such as "Rmax · hpc:hasRmax".
        detail: a description; may be empty.
    """

    term: NamedNode
    text: str
    detail: str


@dataclass(frozen=True)
class TableLook:
    """The layout and the first rows of a table, with a suggested mapping.

    Args:
        columns: the names, in order.
        rows: the texts of the first rows, in the order of the columns.
        format: as detected or given.
        sheets: of a workbook.
        note: assumptions about the file.
        remarks: what the user should check, one sentence each.
        offers: rules for columns whose heading matches a property but whose values do not fit it.
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
    """A cell's text and its value.

    Args:
        made: the value, formatted for people.
        fault: why the text has no value; else empty.
    """

    text: str
    made: str
    fault: str


@dataclass(frozen=True)
class RowPreview:
    """The statements of a row, formatted for people.

    Args:
        subject: the local name of the IRI.
        said: pairs of property and value, in the order of the columns.
    """

    subject: str
    iri: str
    said: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TablePreview:
    """The result of a mapping for the first rows; as text, a summary.

    Args:
        read: the number of rows read.
        statements: the number of statements.
        turtle: the statements as Turtle.
        rejects: the first rejects of `reject_count`.
        samples: by column of the mapping.
        missing: columns that the mapping requires and the table lacks.
        repeats: the number of rows with the IRI of an earlier one.
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

    def __str__(self) -> str:
        rejected = f", {self.reject_count:,} rejected" if self.reject_count else ""
        rows = "row has" if self.repeats == 1 else "rows have"
        repeated = f"; {self.repeats:,} {rows} the IRI of an earlier one" if self.repeats else ""
        return f"The first {self.read:,} rows make {self.statements:,} statements{rejected}{repeated}."


def look_at_table(
    session: Session, path: Path, format: TableFormat = FOUND_OUT, *, limits: Limits = NO_LIMITS
) -> TableLook:
    """Read the first rows of a table and suggest a mapping, with links to resources of the open graph.

    Raises:
        InputError: the table cannot be read in this format.
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
        # The open graph may not use the ontology.
        if any(term.value.startswith(HPC) for term in open_.properties):
            shipped = _shipped()
            return SchemaIndex({**shipped.classes, **open_.classes}, {**shipped.properties, **open_.properties})
    return _shipped()


@cache
def _shipped() -> SchemaIndex:
    """The terms of the shipped ontology."""
    ontology = shipped_ontology()
    return build_schema(ontology, ontology, used_classes=(), used_properties=())


def _is_offered(term: NamedNode, schema: SchemaIndex) -> bool:
    return term.value.startswith(HPC) or schema.properties[term].defined


def _named(session: Session, name: str, limits: Limits) -> NamedNode | None:
    """The resource with this name; None if none or several have it."""
    if not session.sources or session.store.capabilities.remote:
        return None
    matches, _ = session.label_index(limits=limits).search(name, 3, limits=limits)
    exact = {match.iri for match in matches if match.fit is MatchQuality.EXACT and match.text == name}
    iri = exact.pop() if len(exact) == 1 else ""
    return NamedNode(iri) if iri and not iri.startswith("_:") else None


@dataclass(frozen=True)
class TermChoices:
    """The terms that a mapping can use, sorted by text."""

    properties: tuple[TermChoice, ...]
    classes: tuple[TermChoice, ...]
    units: tuple[TermChoice, ...]


def term_choices(session: Session, *, limits: Limits = NO_LIMITS) -> TermChoices:
    """The terms of the ontology and the open graph, and the known units."""
    schema = _schema(session, limits)
    prefixes = PrefixMap(WELL_KNOWN)

    def by_text(choices: Iterable[TermChoice]) -> tuple[TermChoice, ...]:
        return tuple(sorted(choices, key=lambda choice: choice.text.casefold()))

    def of(infos: Iterable[PropertyInfo | ClassInfo]) -> tuple[TermChoice, ...]:
        return by_text(
            TermChoice(info.term, f"{info.label} · {prefixes.short(info.term.value)}", info.comment) for info in infos
        )

    units = (TermChoice(iri, f"{unit.symbol} · {unit.label}", "") for iri, unit in known_units().items())
    return TermChoices(of(schema.properties.values()), of(schema.classes.values()), by_text(units))


def own_term(table: Path, mapping: TableMapping | None, name: str, *, capital: bool = False) -> NamedNode:
    """A new term in the namespace of a table, or that of the mapping's prefix `t`.

    Args:
        capital: whether it begins with a capital letter, as a class does.
    """
    namespace = mapping.prefixes.get("t") if mapping is not None else None
    local = term_name(name)
    return NamedNode((namespace or f"{own_namespace(table)}#") + (local[:1].upper() + local[1:] if capital else local))


def remark_on(column: str, look: TableLook, mapping: TableMapping) -> str:
    """The remarks on a column; empty if its rules are no longer the suggested ones."""
    if mapping.columns.get(column) != look.mapping.columns.get(column):
        return ""
    mark = f"{column!r}: "
    found = [text.removeprefix(mark) for text in look.remarks if text.startswith(mark)]
    return " ".join(text[:1].upper() + text[1:] for text in found)


def preview_table(
    path: Path,
    mapping: TableMapping,
    labels: Mapping[NamedNode, str],
    *,
    limits: Limits = NO_LIMITS,
) -> TablePreview:
    """Convert the first rows of a table.

    Args:
        labels: labels of properties; default: the local name.

    Raises:
        InputError: the table cannot be read in the mapping's format.
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
    """The first different texts of each mapped column, with their values."""
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
    """A value for people: a number with its unit, a text with its language, a link as IRI."""
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
