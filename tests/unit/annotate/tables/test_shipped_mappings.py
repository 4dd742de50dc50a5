"""The mappings that ship: no two rows of different things share an IRI, and what they write is as the shapes want it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, serialize

from hpc_explorer.annotate.tables.conversion import Conversion
from hpc_explorer.annotate.tables.mapping import ColumnRule
from hpc_explorer.annotate.tables.mapping_file import find_mapping, shipped_mappings
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.app.checks.validating import check_graph
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC, QUDT, UNIT, XSD
from hpc_explorer.rdf.terms import NamedNode, Quad

SAME_IN_ALL_TABLES = {"top500", "dataracebench"}
"""Their rows are systems and benchmarks, which have one name in every table, as their files say."""


def converted(name: str, path: Path) -> tuple[Conversion, list[Quad]]:
    mapping = find_mapping(f"mapping:{name}")
    with open_table(path, mapping.table) as table:
        conversion = Conversion(mapping, table)
        return conversion, list(conversion.quads())


def things(name: str, path: Path) -> set[NamedNode]:
    """What the rows of a table are."""
    (cls,) = find_mapping(f"mapping:{name}").classes
    return {quad.subject for quad in converted(name, path)[1] if quad.object == cls}


def cell(rule: ColumnRule, number: int) -> str:
    if rule.datatype == XSD.gYear:
        return f"20{number:02}"
    return str(number) if rule.datatype != XSD.string or rule.unit is not None else f"text {number}"


def write(name: str, path: Path, rows: int) -> None:
    """A table that a mapping is for, each row of which has other texts."""
    mapping = find_mapping(f"mapping:{name}")
    blanks = {column: (ColumnRule(HPC.name),) for column in mapping.subject.columns}
    columns = blanks | dict(mapping.columns)
    records = [{column: cell(rules[0], number) for column, rules in columns.items()} for number in range(1, rows + 1)]
    if "@key" in columns:
        path.write_text(json.dumps({record.pop("@key"): {**record, "more": {}} for record in records}))
        return
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(columns))
        writer.writeheader()
        if mapping.table.units:
            writer.writerow(dict.fromkeys(columns, ""))
        writer.writerows(records)


@pytest.mark.parametrize("name", shipped_mappings())
def test_rows_are_apart_within_a_table_and_beside_another(tmp_path: Path, name: str) -> None:
    ending = "json" if name == "dataracebench" else "csv"
    for file in ("bfs", "cfd"):
        write(name, tmp_path / f"{file}.{ending}", 3)
    conversion, _ = converted(name, tmp_path / f"bfs.{ending}")
    assert (conversion.converted, conversion.reject_count, conversion.repeat_count.value) == (3, 0, 0)
    first, second = (things(name, tmp_path / f"{file}.{ending}") for file in ("bfs", "cfd"))
    assert len(first) == 3
    assert (first == second) if name in SAME_IN_ALL_TABLES else not first & second


NSIGHT_COMPUTE = """"ID","Process ID","Kernel Name","Block Size","gpu__time_duration.sum","gpc__cycles_elapsed.max",\
"launch__block_size","launch__shared_mem_config_size","launch__waves_per_multiprocessor","dram__bytes.sum.per_second",\
"smsp__cycles_elapsed.avg.per_second","sm__warps_active.avg.per_cycle_active"
"","","","","{unit}","cycle","","Kbyte","","Gbyte/second","cycle/nsecond","warp"
"0","12","Kernel(Node *)","(512, 1, 1)","8.67","10,651","512","8.19","6.11","216.24","1.23","48.24"
"1","12","Kernel2","(512, 1, 1)","12.45","15,838","512","8.19","6.11","149.86","1.27","42.88"
"""
NSIGHT_SYSTEMS = """"Time (%)","Total Time (ns)","Instances","Avg (ns)","Med (ns)","Min (ns)","Max (ns)","StdDev (ns)","Name"
"62.0","86720","10","8672.0","8670.5","8640","8704","20.1","Kernel(Node *)"
"""
OLDER_SYSTEMS = """Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name
62.0,86720,10,8672.0,8640,8704,Kernel(Node *)
"""


def violations(quads: list[Quad], folder: Path) -> list[str]:
    (folder / "made.nt").write_bytes(serialize(quads, format=RdfFormat.N_TRIPLES))
    session = Session.new()
    try:
        open_sources(session, [str(folder / "made.nt")])
        return [one.message for one in check_graph(session) if one.severity is Severity.VIOLATION]
    finally:
        session.close()


def amounts(quads: list[Quad], predicate: NamedNode) -> list[tuple[str, NamedNode]]:
    said = {(quad.subject, quad.predicate): quad.object for quad in quads}
    nodes = [quad.object for quad in quads if quad.predicate == predicate]
    return [(said[node, QUDT.value].value, said[node, QUDT.unit]) for node in nodes]


@pytest.mark.parametrize(("unit", "wanted"), [("us", UNIT.MicroSEC), ("nsecond", UNIT.NanoSEC), ("ms", UNIT.MilliSEC)])
def test_nsight_compute_says_the_unit_of_each_column(tmp_path: Path, unit: str, wanted: NamedNode) -> None:
    (tmp_path / "bfs.csv").write_text(NSIGHT_COMPUTE.format(unit=unit))
    conversion, quads = converted("nsight-compute", tmp_path / "bfs.csv")
    assert (conversion.converted, conversion.rejects, conversion.unmentioned) == (2, [], ())
    assert amounts(quads, HPC.executionTime) == [("8.67", wanted), ("12.45", wanted)]
    assert amounts(quads, HPC.gpuSharedMemoryConfigurationSize)[0] == ("8.19", UNIT.KiloBYTE)
    assert amounts(quads, HPC.streamingMultiprocessorFrequency)[0] == ("1.23", UNIT.GigaHZ)
    assert violations(quads, tmp_path) == []


@pytest.mark.parametrize("text", [NSIGHT_SYSTEMS, OLDER_SYSTEMS])
def test_nsight_systems_of_new_and_old_versions(tmp_path: Path, text: str) -> None:
    (tmp_path / "bfs.csv").write_text(text)
    conversion, quads = converted("nsight-systems", tmp_path / "bfs.csv")
    assert (conversion.converted, conversion.rejects, conversion.unmentioned) == (1, [], ())
    assert amounts(quads, HPC.executionTime) == [("86720", UNIT.NanoSEC)]
    assert amounts(quads, HPC.averageExecutionTime) == [("8672.0", UNIT.NanoSEC)]
    assert violations(quads, tmp_path) == []


def test_xplacers_kernel_table_with_the_headings_of_newer_versions_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    write("xplacer-kernel", tmp_path / "bfs.csv", 2)
    heading, rest = (tmp_path / "bfs.csv").read_text().split("\n", 1)
    newer = {name: other for other, name in find_mapping("mapping:xplacer-kernel").headings.items()}
    renamed = ",".join(newer.get(name, name) for name in heading.strip().split(","))
    assert renamed != heading.strip()
    (tmp_path / "new" / "bfs.csv").write_text(f"{renamed}\n{rest}")
    old, new = (converted("xplacer-kernel", folder / "bfs.csv") for folder in (tmp_path, tmp_path / "new"))
    assert new[1] == old[1]
    assert new[0].unmentioned == ()
