"""The resources of a class as a table, compared with what the graph states."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.explore.class_filter import listed_classes
from hpc_explorer.app.explore.finding import known_resources
from hpc_explorer.app.explore.overview import overview
from hpc_explorer.app.home.class_table import MOST_VALUES, class_table
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.table import CellKind
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode

EX = "http://example.org/"


def opened(*names: str) -> Session:
    session = Session.new()
    open_sources(session, names)
    return session


def machines(folder: Path, number: int) -> Path:
    """A file of machines: a number each, two GPUs for every tenth, ten tags for the first."""
    path = folder / "machines.ttl"
    lines = [f"@prefix ex: <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    lines += [f'ex:m{n} a ex:Computer ; rdfs:label "machine {n}" ; ex:cores {n} ; ex:on true .' for n in range(number)]
    lines += [f'ex:m{n} ex:gpu "V100", "A100" .' for n in range(0, number, 10)]
    lines += ["ex:m0 ex:tag " + ", ".join(f'"t{n}"' for n in range(10)) + " ."]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_each_resource_is_a_row_and_each_property_a_column(tmp_path: Path) -> None:
    with_machines = opened(str(machines(tmp_path, 500)))
    table = class_table(with_machines, NamedNode(f"{EX}Computer"))
    rows = table.rows
    assert (len(rows), str(table.total), table.left_out) == (500, "500", ())
    assert [column.heading for column in rows.columns] == ["Name", "cores", "gpu", "tag", "on"]
    assert [column.kind for column in rows.columns][:2] == [CellKind.RESOURCE, CellKind.NUMBER]
    for row in range(500):
        assert rows.text(row, 0) == f"machine {row}"
        assert rows.cell(row, 1) == row
        assert rows.text(row, 2) == ("A100, V100" if row % 10 == 0 else "")
    first = rows.text(0, 3)
    assert first.count(",") == MOST_VALUES - 1
    assert first.endswith(" and 7 more")
    assert table.words == "500 rows"


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    session = opened(str(machines(tmp_path, 30)))
    table = class_table(session, NamedNode(f"{EX}Computer"), most_rows=20, most_columns=2)
    assert (len(table.rows), str(table.total)) == (20, "30")
    assert table.left_out == (("tag", 1), ("on", 20))
    assert table.words == "the first 20 of 30 rows  ·  2 of 4 properties as columns"


def test_quantities_are_values_that_sort_by_size() -> None:
    table = class_table(opened("sample:xplacer"), HPC.File)
    headings = [column.heading for column in table.rows.columns]
    size = headings.index("size")
    by_name = {table.rows.text(row, 0): row for row in range(len(table.rows))}
    row = by_name["bfs.nsight-compute.log"]
    assert table.rows.text(row, size) == "1.9 MB"
    assert table.rows.measure(row, size) == pytest.approx(1.9e6, rel=0.05)


def test_the_classes_people_look_for_come_first() -> None:
    listed = listed_classes(overview(opened("sample:xplacer")).classes)
    names = [node.ref.label for node in listed]
    wanted = ["AI model", "Dataset", "Experiment", "Computer", "Person", "Software"]
    assert [name for name in names if name in wanted] == wanted
    assert str(next(node.instances for node in listed if node.ref.label == "Dataset")) == "17"
    assert "Thing" not in names, "a class without instances of its own is not listed"


def test_an_unknown_graph_lists_its_largest_classes(tmp_path: Path) -> None:
    path = tmp_path / "odd.ttl"
    path.write_text(f"@prefix ex: <{EX}> . ex:a a ex:Zog . ex:b a ex:Blip . ex:c a ex:Blip .", encoding="utf-8")
    listed = listed_classes(overview(opened(str(path))).classes)
    assert [(node.ref.label, str(node.instances)) for node in listed] == [("Blip", "2"), ("Zog", "1")]


def test_only_resources_of_this_graph_are_recent() -> None:
    session = opened("sample:xplacer")
    model, gone = "http://example.org/AIModel/MO000001", "http://example.org/gone"
    assert [ref.label for ref in known_resources(session, [gone, model])] == ["decisionTree.onnx"]
