"""The tables that the HPC-FAIR papers converted, by the mappings that ship: every row, every number, every unit."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from itertools import islice
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, serialize

from hpc_explorer.annotate.tables.cells import NUMBERS
from hpc_explorer.annotate.tables.conversion import Conversion
from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.annotate.tables.mapping_file import find_mapping, parse_mapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.app.checks.validating import check_graph
from hpc_explorer.app.imports.converting import suggested_mapping
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, UNIT
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from tests.helpers.sessions import session_of

SharedData = Callable[[str], Path]

TABLES = [
    ("top500", "tables/top500/TOP500_202011.csv", 500),
    ("xplacer", "tables/xplacer/IBM_2688data.csv", 2688),
    ("xplacer-kernel", "tables/xplacer-reference/rodinia_3.1_cuda_bfs_kernellevel-lassen-plus-rowId.csv", 51),
    ("xplacer-kernel", "tables/xplacer-reference/rodinia_3.1_cuda_cfd_kernellevel-lassen-plus-rowId.csv", 300),
    ("xplacer-data", "tables/xplacer-reference/rodinia_3.1_cuda_bfs_datalevel-lassen-plus-rowId.csv", 12),
    ("dataracebench", "tables/dataracebench/DRB-metainfo.json", 351),
]

LONG = 1_000
"""A table of more rows is converted as a whole by `make test-slow` only."""


def convert(name: str, path: Path) -> tuple[Conversion, list[Quad]]:
    with open_table(path) as table:
        conversion = Conversion(find_mapping(f"mapping:{name}"), table)
        return conversion, list(conversion.quads())


@pytest.mark.parametrize(
    ("name", "file", "rows"),
    [pytest.param(*table, marks=[pytest.mark.slow] if table[2] > LONG else []) for table in TABLES],
)
def test_every_row_number_and_column_is_converted(shared_data: SharedData, name: str, file: str, rows: int) -> None:
    check_conversion(name, shared_data(file), rows)


@pytest.mark.parametrize(("name", "file"), [table[:2] for table in TABLES if table[2] > LONG])
def test_the_first_rows_of_a_long_table_are_converted(
    shared_data: SharedData, tmp_path: Path, name: str, file: str
) -> None:
    with open(shared_data(file), encoding="utf-8") as whole:
        (tmp_path / "first.csv").write_text("".join(islice(whole, 301)), encoding="utf-8")
    check_conversion(name, tmp_path / "first.csv", 300)


def check_conversion(name: str, path: Path, rows: int) -> None:
    conversion, quads = convert(name, path)
    assert (conversion.rows, conversion.converted, conversion.rejects) == (rows, rows, [])
    assert conversion.unmentioned == ()
    # Each row is a thing of its own: no two are merged.
    assert conversion.repeat_count.value == 0
    linked = {quad.object for quad in quads if quad.predicate == HPC.benchmark}
    assert len({quad.subject for quad in quads if isinstance(quad.subject, NamedNode)} - linked) == rows
    if path.suffix == ".csv":
        check_numbers(find_mapping(f"mapping:{name}"), path, rows, quads)


def check_numbers(mapping: TableMapping, path: Path, rows: int, quads: list[Quad]) -> None:
    """Check that every number of the table is a number of the graph, with its unit, and that there is no other."""
    with open(path, encoding="utf-8", newline="") as stream:
        records = list(csv.DictReader(stream))
    assert len(records) == rows
    wanted: Counter[tuple[NamedNode, Decimal]] = Counter()
    for column, rules in mapping.columns.items():
        for rule in rules:
            if rule.datatype in NUMBERS:
                texts = [record[column] for record in records]
                wanted.update(
                    (rule.unit or rule.property, Decimal(text.replace(",", ""))) for text in texts if text.strip()
                )
    units = {quad.subject: quad.object for quad in quads if quad.predicate == QUDT.unit}
    found: Counter[tuple[NamedNode, Decimal]] = Counter()
    for quad in quads:
        if isinstance(quad.object, Literal) and quad.object.datatype in NUMBERS:
            key = units.get(quad.subject, quad.predicate)
            assert isinstance(key, NamedNode)
            found[key, Decimal(quad.object.value)] += 1
    assert found == wanted
    assert set(units.values()) <= set(known_units())


def violations(quads: list[Quad], folder: Path) -> list[str]:
    """What the shapes that ship find wrong, once for each property and message."""
    (folder / "made.nt").write_bytes(serialize(quads, format=RdfFormat.N_TRIPLES))
    session = session_of(folder / "made.nt")
    try:
        found = [one for one in check_graph(session) if one.severity is Severity.VIOLATION]
        return sorted({f"{one.path}: {one.message}" for one in found})
    finally:
        session.close()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "file"), [table[:2] for table in TABLES])
def test_what_the_mappings_write_is_as_the_shapes_want_it(
    shared_data: SharedData, tmp_path: Path, name: str, file: str
) -> None:
    assert violations(convert(name, shared_data(file))[1], tmp_path) == []


PUBLISHED = [
    *dict.fromkeys(file for _, file, _ in TABLES),
    "tables/xplacer/overhead_lassen.csv",
    "tables/xplacer-reference/rodinia_3.1_cuda_bfs_datalevel-lassen-plus-rowId.json",
    "tables/xplacer-reference/rodinia_3.1_cuda_cfd_kernellevel-lassen-plus-rowId.json",
]


@pytest.mark.slow
@pytest.mark.parametrize("file", PUBLISHED)
def test_what_a_suggestion_writes_is_as_the_shapes_want_it(shared_data: SharedData, tmp_path: Path, file: str) -> None:
    path = shared_data(file)
    mapping = parse_mapping(suggested_mapping(path))
    with open_table(path, mapping.table) as table:
        conversion = Conversion(mapping, table)
        quads = list(conversion.quads())
    assert (conversion.converted, conversion.repeat_count.value) == (conversion.rows, 0)
    assert violations(quads, tmp_path) == []


@pytest.mark.slow
def test_tables_of_two_benchmarks_share_no_row(shared_data: SharedData, tmp_path: Path) -> None:
    """The tables of a level name neither benchmark nor machine throughout, and each counts its rows anew."""
    for name, file, _ in TABLES[1:5]:
        path = shared_data(file)
        (tmp_path / f"other-{path.name}").write_bytes(path.read_bytes())
        rows = [
            {quad.subject for quad in convert(name, one)[1] if quad.object == HPC.TableRow}
            for one in (path, tmp_path / f"other-{path.name}")
        ]
        assert rows[0]
        assert not rows[0] & rows[1]


def test_fugaku_is_as_the_list_has_it(shared_data: SharedData) -> None:
    _, quads = convert("top500", shared_data("tables/top500/TOP500_202011.csv"))
    fugaku = NamedNode("https://www.top500.org/system/179807")
    said = {quad.predicate: quad.object for quad in quads if quad.subject == fugaku}
    assert said[RDF.type] == HPC.SuperComputer
    assert said[HPC.top500Rank] == Literal("1", datatype=said[HPC.top500Rank].datatype)
    rmax = {quad.predicate: quad.object for quad in quads if quad.subject == said[HPC.hasRmax]}
    assert rmax[QUDT.unit] == UNIT.TeraFLOPS
    assert Decimal(rmax[QUDT.value].value) == 442010
    # The table has the text "None" where there is no accelerator; the published conversion keeps it as a string.
    assert not any(isinstance(quad.object, Literal) and quad.object.value == "None" for quad in quads)


def test_the_published_conversion_of_kernels_has_the_same_durations(shared_data: SharedData) -> None:
    """It has the duration as the one number of a row; its unit and its figures are compared row by row."""
    import pyoxigraph

    folder = "tables/xplacer-reference/rodinia_3.1_cuda_bfs_kernellevel-lassen-plus-rowId"
    store = list(pyoxigraph.parse(path=shared_data(f"{folder}.nt")))
    published = {}
    for quad in store:
        if quad.predicate.value.endswith("#Duration"):
            node = quad.object
            number = next(one.object.value for one in store if one.subject == node and one.predicate == QUDT.value)
            published[quad.subject.value.rsplit("/", 1)[-1]] = Decimal(number)
    _, quads = convert("xplacer-kernel", shared_data(f"{folder}.csv"))
    values = {quad.subject: quad.object for quad in quads if quad.predicate == QUDT.value}
    ours = {
        quad.subject.value.rsplit("/", 1)[-1]: Decimal(values[quad.object].value)
        for quad in quads
        if quad.predicate == HPC.executionTime
    }
    assert published
    assert ours == published
