"""Convert tables to RDF with a mapping, and report what could not be converted."""

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
from hpc_explorer.annotate.tables.suggestion import Suggestion, suggest_mapping
from hpc_explorer.annotate.tables.tarql import ENDINGS as TARQL_ENDINGS
from hpc_explorer.annotate.tables.tarql import TarqlImport, read_tarql
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import property_kinds, shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, PrefixMap
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import N_QUADS, Format
from hpc_explorer.rdf.syntax.prefixes_in_use import Shortener
from hpc_explorer.rdf.syntax.writing import STREAMABLE, format_of_output, write_quads
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits

# Rows between two progress messages.
_PROGRESS_EVERY = 5_000


@dataclass(frozen=True)
class ConversionReport:
    """The result of a conversion.

    Args:
        path: the output file.
        statements: the number written; duplicates are possible if rows share an IRI.
        rows, converted, skipped: the rows read, converted, and skipped by the mapping.
        reject_count, rejects: the number of rejected cells and rows, and the first of them.
        unmentioned: columns that the mapping does not mention.
        note: assumptions about the table's file; may be empty.
        repeat_count, repeats: the number of rows with the IRI of an earlier row, unless the mapping allows them, and
            the first of them.
        differing_count: how many of these differ from the earlier row in a column with a single value.
        streamed: whether memory use was independent of the table's size.
        may_repeat: whether statements may be duplicated.
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
    def statement_text(self) -> str:
        """The number of different statements, with "at most" if there may be duplicates."""
        return f"{'at most ' if self.may_repeat else ''}{self.statements:,}"

    @property
    def found_wrong(self) -> bool:
        """Whether the user should check the result."""
        return bool(self.reject_count or self.repeat_count.value)


def repeats_text(report: ConversionReport) -> str:
    """A message about rows with the IRI of an earlier row; empty if there are none."""
    if not report.repeat_count.value:
        return ""
    one = report.repeat_count.value == 1
    said = f"{report.repeat_count} row{' has' if one else 's have'} the IRI of an earlier row"
    if not report.differing_count.value:
        return f"{said}, and the same values"
    which = "and other values" if one else f"{report.differing_count} of them with other values"
    return f"{said}, {which}: rows with the same IRI are merged, so one resource has several values for a column"


MOST_IN_MEMORY = 2_000_000
"""The most statements held in memory for a syntax that cannot be streamed."""


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
    """Convert a table to a file. Output files are written completely or not at all.

    N-Quads, N-Triples, Turtle, TriG and N3 are streamed.

    Args:
        table: .csv, .tsv, .json, .jsonl, .parquet or .xlsx.
        mapping: a mapping, a YAML or Tarql file, or a shipped mapping such as `mapping:top500`.
        output: its extension gives the syntax.
        sheet: of a workbook; overrides the mapping.
        rejects: a CSV file for all rejects.
        kept: the most rejects in the report.
        progress: receives progress messages.

    Raises:
        InputError: the table, the mapping or a file name is invalid.
        OutputNotWritable: the file cannot be written, or there are too many statements for its syntax.
    """
    format = format_of_output(output)
    streamed = format in STREAMABLE
    rules = mapping_for(mapping, table).mapping if isinstance(mapping, str) else mapping
    lies = replace(rules.table, sheet=sheet) if sheet else rules.table
    with open_table(table, lies) as opened, _list_of_rejects(rejects) as on_reject:
        conversion = Conversion(rules, opened, on_reject, kept)
        quads = with_progress(conversion, limits, progress)
        prefixes = prefixes_of(rules)
        if streamed:
            statements = write_quads(quads, output, format, prefixes, streamed=True)
        else:
            statements = write_quads(_at_most(quads, output, format), output, format, prefixes)
        return report_of(conversion, opened, output, statements, streamed=streamed)


def converted_table(
    table: Path, mapping: TableMapping, *, sheet: str = "", limits: Limits = NO_LIMITS
) -> tuple[tuple[Quad, ...], ConversionReport]:
    """The statements of a table, held in memory, and the report; its path is that of the table.

    Raises:
        InputError: the table is invalid.
        OutputNotWritable: there are more than `MOST_IN_MEMORY` statements.
    """
    lies = replace(mapping.table, sheet=sheet) if sheet else mapping.table
    with open_table(table, lies) as opened:
        conversion = Conversion(mapping, opened)
        quads = tuple(_at_most(conversion.quads(limits), table, N_QUADS))
        return quads, report_of(conversion, opened, table, len(quads), streamed=False)


def mapping_for(name: str, table: Path) -> TarqlImport:
    """Read a mapping file or a shipped mapping. A Tarql file is converted for the columns of a table.

    Raises:
        InputError: the mapping is missing or invalid, or the table cannot be read.
    """
    if not name.lower().endswith(TARQL_ENDINGS):
        return TarqlImport(find_mapping(name), ())
    with open_table(table) as opened:
        columns = opened.columns or ()
    return read_tarql(Path(name), columns)


def imported_mapping(name: str, table: Path) -> str:
    """Convert a Tarql file to a YAML mapping, with comments on unsupported parts.

    Raises:
        InputError: the file cannot be converted, or the table cannot be read.
    """
    found = mapping_for(name, table)
    return "".join(f"# {' '.join(remark.split())}\n" for remark in found.left) + mapping_text(found.mapping)


def report_of(
    conversion: Conversion, opened: Table, output: Path, statements: int, *, streamed: bool
) -> ConversionReport:
    """The report of a finished conversion."""
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


def with_progress(conversion: Conversion, limits: Limits, progress: Callable[[str], None]) -> Iterator[Quad]:
    """The statements; reports the number of rows read."""
    reported = 0
    for quad in conversion.quads(limits):
        if conversion.rows - reported >= _PROGRESS_EVERY:
            reported = conversion.rows
            progress(f"{reported:,} rows")
        yield quad


def _at_most(quads: Iterator[Quad], output: Path, format: Format) -> Iterator[Quad]:
    for number, quad in enumerate(quads):
        if number == MOST_IN_MEMORY:
            raise OutputNotWritable(
                f"{format.name} cannot be streamed, and there are more than {MOST_IN_MEMORY:,} statements",
                str(output),
                "write .nq, .nt or .ttl, which are streamed",
            )
        yield quad


def prefixes_of(mapping: TableMapping) -> dict[str, str]:
    """The prefixes used by the terms of a mapping."""
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
    """Suggest a mapping with terms of the HPC ontology, as YAML, with comments on what to check.

    Args:
        sheet: of a workbook; empty for the first.

    Raises:
        InputError: the table cannot be read.
    """
    suggestion = suggestion_for(table, sheet=sheet, limits=limits)
    remarks = [" ".join(remark.split()) for remark in suggestion.remarks]
    return "".join(f"# {remark}\n" for remark in remarks) + mapping_text(suggestion.mapping)


def suggestion_for(table: Path, *, sheet: str = "", limits: Limits = NO_LIMITS) -> Suggestion:
    """A mapping for a table with terms of the HPC ontology, and remarks on what to check; see `suggested_mapping`."""
    ontology = shipped_ontology()
    schema = build_schema(ontology, ontology, used_classes=(), used_properties=())
    properties = [info for term, info in schema.properties.items() if term.value.startswith(HPC)]
    with open_table(table, TableFormat(sheet=sheet, heading=LIKELY_ROW)) as opened:
        return suggest_mapping(
            opened, properties, known_units(), property_kinds(), superclasses=schema.superclasses, limits=limits
        )


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
"""The columns of a rejects file."""


def write_rejects(rejects: Iterable[Reject], path: Path) -> None:
    """Write rejects to a CSV file.

    Raises:
        OutputNotWritable: the file cannot be written.
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
