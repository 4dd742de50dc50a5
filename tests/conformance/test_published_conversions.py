"""The published conversions of the papers' tables beside ours, cell by cell; each difference has its reason here.

XPlacer's are published as triples, and as the Tarql query that made them; Top500's as its query alone, which is
converted here by importing it. docs/guide/tables.md tells of the differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from pyoxigraph import parse

from hpc_explorer.annotate.tables.conversion import Conversion
from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.annotate.tables.mapping_file import find_mapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.tables.tarql import TarqlImport, read_tarql
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad

SharedData = Callable[[str], Path]
Cell = tuple[str, str, str, str]
"""Row, property, text and unit."""

XPLACER = [
    ("xplacer-data", "rodinia_3.1_cuda_bfs_datalevel-lassen-plus-rowId", 12),
    ("xplacer-kernel", "rodinia_3.1_cuda_bfs_kernellevel-lassen-plus-rowId", 51),
    ("xplacer-kernel", "rodinia_3.1_cuda_cfd_kernellevel-lassen-plus-rowId", 300),
]
FOLDER = "tables/xplacer-reference"

OURS = {
    "array": HPC.arrayName,
    "id": HPC.arrayID,
    "kernel": HPC.kernelName,
    "Duration": HPC.executionTime,
    "BeginMemoryAddress": HPC.beginMemoryAddress,
    "EndMemoryAddress": HPC.endMemoryAddress,
    "CPUPageFault": HPC.cpuPageFault,
    "DeviceToHostTransfer": HPC.deviceToHostTransferSize,
    "HostToDeviceTransfer": HPC.hostToDeviceTransferSize,
}
"""The published property, and that of the ontology as it was published later."""

NO_COLUMN = {
    "xplacer-data": {"Duration": 12},
    "xplacer-kernel": {"DeviceToHostTransfer": 351, "HostToDeviceTransfer": 351},
}
"""Quantities without a number: the query makes them of a column that the table does not have."""

WRONG_NAMES = {
    "xplacer-data": {"GPUPageFault"},
    "xplacer-kernel": {
        "DRAMFrequency",
        "ElapsedCycles",
        "MemoryPercentage",
        "BlockSize",
        "GridSize",
        "RegistersPerThread",
    },
}
"""Variables of the query that mean a column which is called otherwise: its cells are missing in the publication."""


TOP500_CELLS = {
    "the same text": 8651,
    "a number or a year": 5112,  # of strings such as "7,630,848", which the query leaves strings
    "a quantity": 1952,  # likewise, with the unit of the heading
    "'None' is no value": 353,  # which the query has as a string
}
"""How the cells of Top500 that the query makes statements of differ from ours."""


def quads_of(mapping: TableMapping, path: Path, rejected: frozenset[str] = frozenset()) -> list[Quad]:
    """The statements of a table, of which cells of these columns and no others are rejected."""
    with open_table(path, mapping.table) as table:
        conversion = Conversion(mapping, table)
        quads = list(conversion.quads())
        assert {reject.column for reject in conversion.rejects} == rejected
        assert conversion.repeat_count.value == 0
        return quads


def cells(quads: Iterable[Quad]) -> tuple[Counter[Cell], Counter[str]]:
    """The cells that are stated, and the properties whose quantities have no number."""
    stated = list(quads)
    inside: dict[BlankNode, dict[NamedNode, NamedNode | Literal]] = {}
    for quad in stated:
        if isinstance(quad.subject, BlankNode):
            inside.setdefault(quad.subject, {})[quad.predicate] = quad.object
    found: Counter[Cell] = Counter()
    empty: Counter[str] = Counter()
    for quad in stated:
        if isinstance(quad.subject, BlankNode) or quad.predicate == RDF.type:
            continue
        row, name = quad.subject.value.rsplit("/", 1)[-1], quad.predicate.value
        if isinstance(quad.object, BlankNode):
            said = inside[quad.object]
            if QUDT.value in said:
                found[row, name, str(Decimal(said[QUDT.value].value).normalize()), said[QUDT.unit].value] += 1
            else:
                empty[name.rpartition("#")[2]] += 1
        else:
            found[row, name, quad.object.value, ""] += 1
    return found, empty


@pytest.mark.slow
@pytest.mark.parametrize(("name", "file", "rows"), XPLACER)
def test_every_published_cell_of_xplacer_is_in_ours(shared_data: SharedData, name: str, file: str, rows: int) -> None:
    published, empty = cells(parse(path=shared_data(f"{FOLDER}/{file}.nt")))
    renamed = Counter[Cell]()
    for (row, predicate, text, unit), number in published.items():
        renamed[row, OURS[predicate.rpartition("#")[2]].value, text, unit] += number
    ours, none_empty = cells(quads_of(find_mapping(f"mapping:{name}"), shared_data(f"{FOLDER}/{file}.csv")))
    assert renamed - ours == Counter()
    assert none_empty == Counter()
    assert dict.fromkeys(NO_COLUMN[name], rows) == dict(empty)


@pytest.mark.parametrize(("name", "file", "rows"), XPLACER)
def test_the_published_query_imported_makes_the_published_cells(
    shared_data: SharedData, name: str, file: str, rows: int
) -> None:
    table = shared_data(f"{FOLDER}/{file}.csv")
    imported = tarql(shared_data(f"{FOLDER}/xplacer.sparql"), table)
    told = " ".join(imported.left)
    assert all(f"?{variable}, which is not a column" in told for variable in WRONG_NAMES[name])
    # `xsd:integer("graph1MW.6")` is an error in Tarql, which says nothing and leaves the cell out.
    ours, _ = cells(quads_of(imported.mapping, table, frozenset({"InputData"})))
    published, _ = cells(parse(path=shared_data(f"{FOLDER}/{file}.nt")))
    # The triples were published under another address of the ontology than the query has.
    spelled = Counter[Cell]()
    for (row, predicate, text, unit), number in published.items():
        spelled[row, predicate.replace("hpc-ontology.ttl#", "hpc-ontology.owl#"), text, unit] += number
    assert ours == spelled


def tarql(query: Path, table: Path) -> TarqlImport:
    with open_table(table) as opened:
        return read_tarql(query, opened.columns or ())


@pytest.mark.slow
def test_every_cell_of_top500_is_as_its_published_query_makes_it_or_better(shared_data: SharedData) -> None:
    """The query makes a string of each cell; ours are numbers, quantities and years of the same value."""
    path = shared_data("tables/top500/TOP500_202011.csv")
    imported = tarql(shared_data("tables/top500/top500.sparql"), path)
    assert imported.left == ()
    query, ours = imported.mapping, find_mapping("mapping:top500")
    assert {*query.columns, *query.subject.columns} == {*ours.columns, *ours.ignored}
    with open_table(path) as table:
        rows = list(table.rows())
    differences: Counter[str] = Counter()
    theirs = values_by_column(query, path)
    better = values_by_column(ours, path)
    for row in rows:
        for column in query.columns:
            text, value = theirs[column].get(row.number), better[column].get(row.number)
            if text is None:
                assert value is None, (row.number, column)
            elif text.value == "None":
                differences["'None' is no value"] += 1
                assert value is None, (row.number, column)
            elif value == text:
                differences["the same text"] += 1
            else:
                assert value is not None, (row.number, column, text)
                assert Decimal(text.value.replace(",", "")) == Decimal(value.value), (row.number, column, text)
                unit = ours.columns[column][0].unit
                differences["a quantity" if unit is not None else "a number or a year"] += 1
    assert sum(differences.values()) == sum(map(len, theirs.values()))
    assert differences == TOP500_CELLS


def values_by_column(mapping: TableMapping, path: Path) -> dict[str, dict[int, Literal]]:
    """What a mapping makes of each cell, by column and row; of a quantity its number."""
    found: dict[str, dict[int, Literal]] = {}
    for column, rules in mapping.columns.items():
        with open_table(path) as table:
            probe = Conversion(replace(mapping, shared_subjects=True), table)
            values = found.setdefault(column, {})
            for row in table.rows():
                for value in probe.values(row, column, rules[0]):
                    term = probe.term(row, column, rules[0], value)
                    assert isinstance(term, Literal)
                    values[row.number] = term
    return found
