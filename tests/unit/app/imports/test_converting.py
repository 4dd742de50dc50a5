"""A table converted: into streamed and other syntaxes, and into what is open."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from pyoxigraph import parse

from hpc_explorer.annotate.tables.conversion import Reject
from hpc_explorer.annotate.tables.mapping_file import parse_mapping
from hpc_explorer.app.imports import converting, table_adding
from hpc_explorer.app.imports.converting import convert_table, write_rejects
from hpc_explorer.app.imports.table_adding import add_table
from hpc_explorer.app.imports.table_preview import look_at_table, preview_table
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, Unsupported
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset

MAPPING = parse_mapping("""
prefixes: {my: "https://example.org/my#"}
subject: https://example.org/run/{ID}
class: hpc:TableRow
columns:
  Name: hpc:name
  Time: {property: my:time, unit: unit:NanoSEC}
""")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = "".join(f'{number},"<a> ""b"" {number}",{number}.5\n' for number in range(300))
    (tmp_path / "t.csv").write_text(f"ID,Name,Time\n{rows}")
    return tmp_path / "t.csv"


def canonical(path: Path) -> Dataset:
    found = Dataset(parse(path=str(path)))
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return found


def test_streamed_syntaxes_say_the_same_as_the_others(table: Path, tmp_path: Path) -> None:
    reports = {
        ending: convert_table(table, MAPPING, tmp_path / f"out.{ending}")
        for ending in ("nt", "nq", "ttl", "trig", "rdf")
    }
    assert {ending: report.streamed for ending, report in reports.items()} == {
        "nt": True,
        "nq": True,
        "ttl": True,
        "trig": True,
        "rdf": False,
    }
    assert {report.statements for report in reports.values()} == {300 * 6}
    graphs = [canonical(tmp_path / f"out.{ending}") for ending in reports]
    assert all(graph == graphs[0] for graph in graphs)
    beginning = (tmp_path / "out.ttl").read_text()
    assert "@prefix my: <https://example.org/my#>" in beginning
    assert "@prefix prov:" not in beginning


def test_a_syntax_that_is_put_together_in_memory_is_refused_for_many_statements(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(converting, "MOST_IN_MEMORY", 100)
    with pytest.raises(OutputNotWritable, match="JSON-LD cannot be streamed, and there are more than 100"):
        convert_table(table, MAPPING, tmp_path / "out.jsonld")
    assert not (tmp_path / "out.jsonld").exists()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    peaks = []
    for rows in (1_000, 8_000):
        (tmp_path / "t.csv").write_text("ID,Name,Time\n" + "".join(f"{n},name {n},1\n" for n in range(rows)))
        tracemalloc.start()
        convert_table(tmp_path / "t.csv", MAPPING, tmp_path / "out.ttl")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Of each IRI twelve bytes are kept, in a table that doubles.
    assert peaks[1] - peaks[0] < 8_000 * 90


def test_a_list_of_rejects_has_no_formulas(tmp_path: Path) -> None:
    rejects = [Reject(1, "=A1", text, "why", False) for text in ("=1+1", "-1", "plain")]
    write_rejects(rejects, tmp_path / "r.csv")
    cells = [line.split(",")[1:3] for line in (tmp_path / "r.csv").read_text().splitlines()[1:]]
    assert cells == [["'=A1", text] for text in ("'=1+1", "-1", "plain")]


def test_a_table_is_added_as_one_edit_and_taken_back(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    session = Session.new()
    try:
        open_sources(session, ["sample:xplacer"])
        before = session.store.size().value
        added = add_table(session, table, MAPPING)
        assert added.step is not None
        assert added.resumed is not None, "a draft was begun for it"
        assert session.store.size().value == before + 300 * 6
        again = add_table(session, table, MAPPING)
        assert (again.step, again.resumed) == (None, None), "the same table says nothing new"
        added.resumed[0][-1].undo()
        assert session.store.size().value == before
    finally:
        session.close()


def test_a_table_too_large_for_an_edit_changes_nothing(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_adding, "MOST_ADDED", 10)
    session = Session.new()
    try:
        with pytest.raises(Unsupported, match="more than 10 statements"):
            add_table(session, table, MAPPING)
        assert session.workspace is None
    finally:
        session.close()


def test_names_of_what_is_open_become_links_in_the_suggestion(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Model,Score\ndecisionTree.onnx,0.9\n")
    session = Session.new()
    try:
        open_sources(session, ["sample:xplacer"])
        look = look_at_table(session, tmp_path / "t.csv")
        lookup = look.mapping.columns["Model"][0].lookup
        assert lookup is not None
        assert lookup["decisionTree.onnx"].value == "http://example.org/AIModel/MO000001"
    finally:
        session.close()


def test_a_preview_says_what_becomes_of_each_text(table: Path) -> None:
    preview = preview_table(table, MAPPING, {})
    assert preview.rows[0].iri == "https://example.org/run/0"
    assert ("time", "0.5 ns") in preview.rows[0].said
    assert preview.samples["Time"][0].made == "0.5 ns"
    other = preview_table(table, parse_mapping("subject: https://example.org/{Key}\ncolumns: {A: hpc:name}"), {})
    assert other.missing == ("Key", "A")
