"""Convert a table: its rows become the statements that a mapping says, and what cannot be converted is told."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from hpc_explorer.annotate.tables.conversion import KEPT, Conversion, Reject, Repeat
from hpc_explorer.annotate.tables.mapping import LIKELY_ROW, TableFormat, TableMapping
from hpc_explorer.annotate.tables.mapping_file import find_mapping, mapping_text
from hpc_explorer.annotate.tables.reading import Table, open_table
from hpc_explorer.annotate.tables.suggestion import suggest_mapping
from hpc_explorer.annotate.tables.tarql import ENDINGS as TARQL_ENDINGS
from hpc_explorer.annotate.tables.tarql import TarqlImport, read_tarql
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import property_kinds, shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, PrefixMap
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import Format
from hpc_explorer.rdf.syntax.prefixes_in_use import Shortener
from hpc_explorer.rdf.syntax.writing import STREAMABLE, format_of_output, write_quads
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits

# Rows between two words on how far it has come.
_TELL_EVERY = 5_000


@dataclass(frozen=True)
class ConversionReport:
    """What became of a table.

    Args:
        path: the file that was written.
        statements: how many were written; where rows share an IRI, some may be the same.
        rows, converted, skipped: rows that were read, that became statements, and that the mapping leaves out.
        reject_count: how many cells and rows could not be converted.
        rejects: the first of them.
        unmentioned: columns of which the mapping says nothing.
        note: what was assumed about the table's file; may be empty.
        repeat_count: how many rows have the IRI of an earlier row, where the mapping does not mean them to.
        differing_count: how many of them differ from that row in a column that has one value, so that a thing has
            several values there.
        repeats: the first of them.
        streamed: whether memory did not grow with the table.
        may_repeat: whether rows may have made the same statements.
    """

    path: Path
    statements: int
    rows: int
    converted: int
    skipped: int
    reject_count: int
    rejects: tuple[Reject, ...]
    unmentioned: tuple[str, ...]
    note: str
    repeat_count: Count
    differing_count: Count
    repeats: tuple[Repeat, ...]
    streamed: bool
    may_repeat: bool

    @property
    def statements_told(self) -> str:
        """How many different statements there are, in words: at most so many, where rows may have made the same."""
        return f"{'at most ' if self.may_repeat else ''}{self.statements:,}"

    @property
    def found_wrong(self) -> bool:
        """Whether a person should look at something."""
        return bool(self.reject_count or self.repeat_count.value)


def repeats_told(report: ConversionReport) -> str:
    """How many rows have the IRI of an earlier row, and what that means; empty where none has."""
    if not report.repeat_count.value:
        return ""
    one = report.repeat_count.value == 1
    said = f"{report.repeat_count} row{' has' if one else 's have'} the IRI of an earlier row"
    if not report.differing_count.value:
        return f"{said}, and the same values"
    which = "and other values" if one else f"{report.differing_count} of them with other values"
    return f"{said}, {which}: rows are merged into one thing, which then has several values of one column"


MOST_IN_MEMORY = 2_000_000
"""How many statements are put together in memory, for a syntax that cannot be streamed."""


def convert_table(
    table: Path,
    mapping: str | TableMapping,
    output: Path,
    *,
    sheet: str = "",
    rejects: Path | None = None,
    kept: int = KEPT,
    progress: Callable[[str], None] = lambda _: None,
    limits: Limits = NO_LIMITS,
) -> ConversionReport:
    """Write what a table says; both files are written whole or not at all.

    N-Quads, N-Triples, Turtle, TriG and N3 are written row by row, in memory that does not grow with the table.

    Args:
        table: .csv, .tsv, .json, .jsonl, .parquet or .xlsx.
        mapping: a file, also one of Tarql, or a shipped one as `mapping:top500`, or the mapping itself.
        output: its ending says the syntax.
        sheet: of a workbook, in place of what the mapping says.
        rejects: where all rejects are listed, as CSV.
        kept: how many rejects are in the report.
        progress: told how far it has come.

    Raises:
        InputError: the table, the mapping or a name cannot be used, or the syntax is none for so many statements.
        Cancelled, DeadlineExceeded: by the limits.
    """
    format = format_of_output(output)
    streamed = format in STREAMABLE
    rules = mapping_for(mapping, table).mapping if isinstance(mapping, str) else mapping
    lies = replace(rules.table, sheet=sheet) if sheet else rules.table
    with open_table(table, lies) as opened, _list_of_rejects(rejects) as on_reject:
        conversion = Conversion(rules, opened, on_reject, kept)
        quads = told(conversion, limits, progress)
        prefixes = prefixes_of(rules)
        if streamed:
            statements = write_quads(quads, output, format, prefixes, streamed=True)
        else:
            statements = write_quads(_at_most(quads, output, format), output, format, prefixes)
        return report_of(conversion, opened, output, statements, streamed=streamed)


def mapping_for(name: str, table: Path) -> TarqlImport:
    """The mapping of a file, or a shipped one; of a Tarql file what could be taken over, for the columns of a table.

    Raises:
        InputError: there is none, it is none, or the table cannot be used.
    """
    if not name.lower().endswith(TARQL_ENDINGS):
        return TarqlImport(find_mapping(name), ())
    with open_table(table) as opened:
        columns = opened.columns or ()
    return read_tarql(Path(name), columns)


def imported_mapping(name: str, table: Path) -> str:
    """A Tarql file as a mapping in YAML, with remarks on what could not be taken over.

    Raises:
        InputError: it is no Tarql file that a mapping can be made of, or the table cannot be used.
    """
    found = mapping_for(name, table)
    return "".join(f"# {' '.join(remark.split())}\n" for remark in found.left) + mapping_text(found.mapping)


def report_of(
    conversion: Conversion, opened: Table, output: Path, statements: int, *, streamed: bool
) -> ConversionReport:
    """What became of a table, after all its statements were taken."""
    return ConversionReport(
        path=output,
        statements=statements,
        rows=conversion.rows,
        converted=conversion.converted,
        skipped=conversion.skipped,
        reject_count=conversion.reject_count,
        rejects=tuple(conversion.rejects),
        unmentioned=conversion.unmentioned,
        note="; ".join(filter(None, (opened.note, _never_met(conversion)))),
        repeat_count=conversion.repeat_count,
        differing_count=conversion.differing_count,
        repeats=tuple(conversion.repeats),
        streamed=streamed,
        may_repeat=conversion.mapping.shared_subjects or conversion.repeat_count != Count(0),
    )


def _never_met(conversion: Conversion) -> str:
    names = conversion.never_met
    return f"no record has {', '.join(map(repr, names[:5]))}, which the mapping takes" if names else ""


def told(conversion: Conversion, limits: Limits, progress: Callable[[str], None]) -> Iterator[Quad]:
    """The statements, while it is told how many rows were read."""
    told = 0
    for quad in conversion.quads(limits):
        if conversion.rows - told >= _TELL_EVERY:
            told = conversion.rows
            progress(f"{told:,} rows")
        yield quad


def _at_most(quads: Iterator[Quad], output: Path, format: Format) -> Iterator[Quad]:
    for number, quad in enumerate(quads):
        if number == MOST_IN_MEMORY:
            raise OutputNotWritable(
                f"{format.name} is put together in memory, and there are more than {MOST_IN_MEMORY:,} statements",
                str(output),
                "write .nq, .nt or .ttl, which are written row by row",
            )
        yield quad


def prefixes_of(mapping: TableMapping) -> dict[str, str]:
    """The prefixes that shorten what a mapping can say."""
    shortener = Shortener(PrefixMap(mapping.prefixes))
    rules = [rule for rules in mapping.columns.values() for rule in rules]
    terms = [RDF.type, *mapping.classes, *(constant.property for constant in mapping.constants)]
    terms += [constant.value for constant in mapping.constants if isinstance(constant.value, NamedNode)]
    for rule in rules:
        terms += [rule.property, rule.datatype, *([rule.unit, QUDT.value] if rule.unit is not None else [])]
        terms += [*(rule.lookup or {}).values(), *([rule.link_class] if rule.link_class is not None else [])]
    for term in terms:
        shortener.short(term.value)
    for template in (mapping.subject, *(rule.link for rule in rules if rule.link is not None)):
        if len(template.parts) == 2 and not template.parts[1]:
            shortener.short(template.parts[0] + "x")
    return shortener.used


def suggested_mapping(table: Path, *, sheet: str = "", limits: Limits = NO_LIMITS) -> str:
    """A mapping to begin with, as YAML, in terms of the HPC ontology, with remarks on what should be looked at.

    Args:
        sheet: of a workbook; empty: the first one.

    Raises:
        InputError: the table cannot be used.
        Cancelled, DeadlineExceeded: by the limits.
    """
    ontology = shipped_ontology()
    schema = build_schema(ontology, ontology, used_classes=(), used_properties=())
    properties = [info for term, info in schema.properties.items() if term.value.startswith(HPC)]
    with open_table(table, TableFormat(sheet=sheet, heading=LIKELY_ROW)) as opened:
        suggestion = suggest_mapping(
            opened, properties, known_units(), property_kinds(), superclasses=schema.superclasses, limits=limits
        )
    remarks = [" ".join(remark.split()) for remark in suggestion.remarks]
    return "".join(f"# {remark}\n" for remark in remarks) + mapping_text(suggestion.mapping)


@contextmanager
def _list_of_rejects(path: Path | None) -> Iterator[Callable[[Reject], None]]:
    if path is None:
        yield lambda _: None
        return
    with atomic_output(path) as stream, _as_text(stream) as text:
        writer = CsvWriter(text)
        writer.writerow(REJECT_COLUMNS)
        yield lambda reject: writer.writerow(_reject_row(reject))


REJECT_COLUMNS = ("row", "column", "text", "reason", "left out")
"""The columns of a list of rejects."""


def write_rejects(rejects: Iterable[Reject], path: Path) -> None:
    """List rejects as CSV.

    Raises:
        OutputNotWritable: it cannot be written there.
    """
    with _list_of_rejects(path) as on_reject:
        for reject in rejects:
            on_reject(reject)


def _reject_row(reject: Reject) -> tuple[int, str, str, str, str]:
    left_out = "row" if reject.whole_row else "cell"
    return reject.row, reject.column, reject.text, reject.reason, left_out


@contextmanager
def _as_text(stream: BinaryIO) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    yield text
    text.flush()
    text.detach()
