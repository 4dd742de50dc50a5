"""Files with the same checksum in several sources are offered, and joined only where a lineage is asked to."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources, same_content_notes
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode

SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
MADE = """@prefix prov: <http://www.w3.org/ns/prov#> . @prefix ex: <http://example.org/> .
ex:model prov:wasGeneratedBy ex:run ; <https://schema.org/sha256> "%s" . ex:run prov:used ex:raw ."""
USED = """@prefix prov: <http://www.w3.org/ns/prov#> . @prefix ex: <http://example.org/> .
ex:report prov:wasDerivedFrom ex:copy . ex:copy <https://w3id.org/ro/terms/workflow-run#sha256> "%s" ."""


def test_the_same_file_in_two_sources_is_offered_and_followed_where_asked(tmp_path: Path) -> None:
    made, used = tmp_path / "made.ttl", tmp_path / "used.ttl"
    made.write_text(MADE % SHA)
    used.write_text(USED % SHA.upper())
    session = Session.new()
    open_sources(session, [str(made)])
    assert session.sources[0].notes == ()
    open_sources(session, [str(used)])
    (note,), (other,) = (source.notes for source in session.sources)
    assert note.startswith(f"1 file has the same content as in {used} (by checksum)")
    assert other.startswith(f"1 file has the same content as in {made} (by checksum)")
    report, raw = NamedNode("http://example.org/report"), NamedNode("http://example.org/raw")
    assert raw not in trace_lineage(session, report).nodes
    assert raw in trace_lineage(session, report, match_content=True).nodes
    open_sources(session, [str(used)])
    assert [len(source.notes) for source in session.sources] == [1, 1]


def test_the_same_file_in_two_sources_of_a_workspace_is_offered(tmp_path: Path) -> None:
    made, used = tmp_path / "made.ttl", tmp_path / "used.ttl"
    made.write_text(MADE % SHA)
    used.write_text(USED % SHA.upper())
    load_into(tmp_path / "ws", [str(made), str(used)])
    with closing(Session.new()) as session:
        open_sources(session, [str(tmp_path / "ws")])
        notes = {source.name: source.notes[-1] for source in session.sources}
    assert notes[str(made)].startswith(f"1 file has the same content as in {used} (by checksum)")
    assert notes[str(used)].startswith(f"1 file has the same content as in {made} (by checksum)")


def test_where_not_all_checksums_are_compared_the_number_is_at_least(tmp_path: Path) -> None:
    made, used = tmp_path / "made.ttl", tmp_path / "used.ttl"
    made.write_text(MADE % SHA)
    used.write_text(USED % SHA)
    with closing(Session.new()) as session:
        open_sources(session, [str(made), str(used)])
        graphs = {source.summary.name: source.graphs for source in session.opened}
        told = same_content_notes(session.store, graphs, most=2)
        assert told[str(made)][0].startswith("at least 1 file has")
        assert same_content_notes(session.store, graphs, most=1) == {}


def test_one_resource_in_two_sources_is_no_news(tmp_path: Path) -> None:
    one, two = tmp_path / "one.ttl", tmp_path / "two.ttl"
    one.write_text(MADE % SHA)
    two.write_text(MADE % SHA)
    session = Session.new()
    open_sources(session, [str(one), str(two)])
    assert [source.notes for source in session.sources] == [(), ()]
