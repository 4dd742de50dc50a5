"""The tables that the HPC-FAIR papers converted, by the mappings that ship: every row, every number, every unit."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from hpc_explorer.annotate.tables.cells import NUMBERS
from hpc_explorer.annotate.tables.conversion import Conversion
from hpc_explorer.annotate.tables.mapping_file import find_mapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, UNIT
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

SharedData = Callable[[str], Path]

TABLES = [
    ("top500", "tables/top500/TOP500_202011.csv", 500),
    ("xplacer", "tables/xplacer/IBM_2688data.csv", 2688),
    ("xplacer-kernel", "tables/xplacer-reference/rodinia_3.1_cuda_bfs_kernellevel-lassen-plus-rowId.csv", 51),
    ("xplacer-kernel", "tables/xplacer-reference/rodinia_3.1_cuda_cfd_kernellevel-lassen-plus-rowId.csv", 300),
    ("xplacer-data", "tables/xplacer-reference/rodinia_3.1_cuda_bfs_datalevel-lassen-plus-rowId.csv", 12),
    ("dataracebench", "tables/dataracebench/DRB-metainfo.json", 351),
]


def convert(name: str, path: Path) -> tuple[Conversion, list[Quad]]:
    with open_table(path) as table:
        conversion = Conversion(find_mapping(f"mapping:{name}"), table)
        return conversion, list(conversion.quads())


@pytest.mark.parametrize(("name", "file", "rows"), TABLES)
def test_every_row_is_converted_and_every_column_spoken_of(
    shared_data: SharedData, name: str, file: str, rows: int
) -> None:
    conversion, quads = convert(name, shared_data(file))
    assert (conversion.rows, conversion.converted, conversion.rejects) == (rows, rows, [])
    assert conversion.unmentioned == ()
    assert len({quad.subject for quad in quads if isinstance(quad.subject, NamedNode)}) == rows


@pytest.mark.parametrize(("name", "file", "rows"), TABLES[:5])
def test_every_number_of_the_table_is_a_number_of_the_graph(
    shared_data: SharedData, name: str, file: str, rows: int
) -> None:
    path = shared_data(file)
    mapping = find_mapping(f"mapping:{name}")
    _, quads = convert(name, path)
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
