"""Opening sources: all of them or none, each in its own graph, and closed without a trace."""

from pathlib import Path

import pytest

from hpc_explorer.app.workspace.opening import close_source, open_sources
from hpc_explorer.app.workspace.session import Change, Session
from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.errors import InputError, SourceNotFound, UnknownFormat, UnsupportedSyntax
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

GOOD = "@prefix ex: <http://example.org/> .\nex:a ex:p ex:b .\n"


def file(folder: Path, name: str, content: str) -> str:
    (folder / name).write_text(content, encoding="utf-8")
    return str(folder / name)


def test_every_sample_opens() -> None:
    session = Session.new()
    names = [f"sample:{name}" for name, _ in sample_names()]
    opened = open_sources(session, names)
    assert [source.name for source in opened] == names
    assert sum(source.triples.value for source in opened) == session.store.size().value
    session.close()


def test_one_bad_file_leaves_the_graph_as_it_was(tmp_path: Path) -> None:
    session = session_of(file(tmp_path, "first.ttl", GOOD))
    before = set(session.store.match())
    told: list[Change] = []
    session.subscribe(told.append)
    shared = file(
        tmp_path,
        "shared.trig",
        f"<{session.sources[0].graph.value}> {{ <urn:x> <urn:y> <urn:z> }} <urn:g> {{ <urn:x> <urn:y> <urn:z> }}",
    )
    with pytest.raises(InputError):
        open_sources(session, [shared, file(tmp_path, "second.ttl", GOOD), file(tmp_path, "bad.ttl", GOOD + "oops")])
    assert [source.name for source in session.sources] == [str(tmp_path / "first.ttl")]
    assert {quad for quad in session.store.match() if quad.graph_name == session.sources[0].graph} >= before
    assert NamedNode("urn:g") not in session.store.graphs()
    assert told == []
    session.close()


def test_opening_again_reads_anew_unless_it_is_broken_now(tmp_path: Path) -> None:
    session = Session.new()
    path = file(tmp_path, "a.ttl", GOOD)
    open_sources(session, [path])
    file(tmp_path, "a.ttl", GOOD + "ex:a ex:p ex:c .")
    open_sources(session, [path])
    assert session.store.size().value == 2
    file(tmp_path, "a.ttl", GOOD + "broken")
    with pytest.raises(InputError):
        open_sources(session, [path])
    assert session.store.size().value == 2
    assert len(session.sources) == 1
    session.close()


def test_a_folder_is_its_graphs(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / ".hidden").mkdir()
    file(tmp_path, "a.ttl", GOOD)
    file(tmp_path / "deep", "b.nt", "<urn:a> <urn:b> <urn:c> .\n")
    file(tmp_path / "deep", "ro-crate-metadata.json", '{"@context": {"@vocab": "urn:v:"}, "@id": "urn:x", "p": 1}')
    file(tmp_path, "settings.json", "{}")
    file(tmp_path, "notes.md", "# no graph")
    file(tmp_path / ".hidden", "c.ttl", "broken")
    session = Session.new()
    opened = open_sources(session, [str(tmp_path)])
    assert [Path(source.name).name for source in opened] == ["a.ttl", "b.nt", "ro-crate-metadata.json"]
    session.close()


def test_closing_takes_only_what_no_other_source_has(tmp_path: Path) -> None:
    session = Session.new()
    one = file(tmp_path, "one.trig", "<urn:g> { <urn:a> <urn:p> <urn:b> } <urn:one> { <urn:a> <urn:p> <urn:b> }")
    two = file(tmp_path, "two.trig", "<urn:g> { <urn:c> <urn:p> <urn:d> }")
    open_sources(session, [one, two])
    close_source(session, session.sources[0].graph)
    assert set(session.store.graphs()) == {NamedNode("urn:g")}
    close_source(session, session.sources[0].graph)
    assert session.store.graphs() == ()
    with pytest.raises(SourceNotFound):
        close_source(session, NamedNode("urn:never"))
    session.close()


def test_everybody_is_told_once_and_what_was_derived_is_made_anew(tmp_path: Path) -> None:
    session = Session.new()
    told: list[Change] = []
    stop = session.subscribe(told.append)
    open_sources(session, [file(tmp_path, "a.ttl", GOOD)])
    assert [change.generation for change in told] == [1]
    assert session.usage().predicates == {NamedNode("http://example.org/p"): 1}
    open_sources(session, [file(tmp_path, "b.ttl", GOOD.replace("ex:b", "ex:c"))])
    assert session.usage().predicates == {NamedNode("http://example.org/p"): 2}
    stop()
    close_source(session, session.sources[0].graph)
    assert [change.generation for change in told] == [1, 2]
    session.close()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("sample:nothing", SourceNotFound),
        ("missing.ttl", SourceNotFound),
        ("ftp://example.org/graph.ttl", UnsupportedSyntax),
    ],
)
def test_what_cannot_be_opened_is_named(name: str, error: type[InputError]) -> None:
    session = Session.new()
    with pytest.raises(error) as refused:
        open_sources(session, [name])
    assert name in refused.value.where
    session.close()


def test_a_file_without_triples(tmp_path: Path) -> None:
    session = Session.new()
    with pytest.raises(UnknownFormat):
        open_sources(session, [file(tmp_path, "none.jsonld", "{}")])
    assert session.sources == ()
    (opened,) = open_sources(session, [file(tmp_path, "none.ttl", "@prefix ex: <http://example.org/> .\n")])
    assert str(opened.triples) == "0"
    session.close()
