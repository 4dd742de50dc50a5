"""Edits of a workspace: whole, kept, told, and with counts and names that are those of a graph loaded so."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.finding import resolve, search
from hpc_explorer.app.journal.editing import start_editing
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Change, Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import SourceSyntaxError, StoreError, StoreLocked, Unsupported, UsageError
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet, net_change
from hpc_explorer.stores.changes.journal import records
from hpc_explorer.stores.local.profile import count_profile
from tests.helpers.examples import examples
from tests.helpers.full_disk import files_no_larger_than
from tests.helpers.graphs import ex
from tests.helpers.kept_names import kept_names, names_made, newest_state
from tests.helpers.sessions import session_of

EDITS = NamedNode("urn:test:edits")
MODEL = NamedNode("http://example.org/AIModel/MO000001")

PREFIXES = (
    "@prefix ex: <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
)


def load(folder: Path, **documents: str) -> None:
    """A workspace of these Turtle documents."""
    for name, content in documents.items():
        (folder / f"{name}.ttl").write_text(PREFIXES + content, encoding="utf-8")
    load_into(folder / "w", [str(folder / f"{name}.ttl") for name in documents])


def graph_of(folder: Path, name: str) -> NamedNode:
    return NamedNode((folder / f"{name}.ttl").resolve().as_uri())


def quads_of(workspace: OpenWorkspace) -> Counter[Quad]:
    return Counter(workspace.store.match())


def check(workspace: OpenWorkspace) -> None:
    """Counts and names are those that are made from the triples as they are."""
    profile = count_profile(workspace.store)
    assert workspace.profile == profile
    assert workspace.store.size().value == profile.quads == quads_of(workspace).total()
    schema = build_schema(
        workspace.store,
        shipped_ontology(),
        used_classes={cls for classes in profile.type_sets for cls in classes},
        used_properties=profile.predicates,
    )
    assert workspace.schema() == schema
    assert kept_names(newest_state(workspace.folder)) == names_made(workspace.store, schema)
    asked = workspace.store.select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert int(next(iter(asked))["n"].value) == sum(profile.predicates.values()), "the merge has each triple once"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded") / "w"
    load_into(folder, ["sample:xplacer"])
    return folder


@pytest.fixture
def workspace(loaded: Path, tmp_path: Path) -> Path:
    shutil.copytree(loaded, tmp_path / "w")
    return tmp_path / "w"


def editing(folder: Path) -> Session:
    return session_of(folder, keep_workspace=True)


def label(resource: NamedNode, text: str) -> Quad:
    return Quad(resource, RDFS.label, Literal(text), EDITS)


# Random edits of a small graph: few terms, so that they meet; numbers that are equal and spelled differently.

NODES = [ex("a"), ex("b"), ex("C"), ex("D"), BlankNode("n")]
OBJECTS = [
    *NODES,
    *(Literal(text) for text in ("one", "two words")),
    Literal("one", language="en"),
    *(Literal(text, datatype=XSD.integer) for text in ("1", "01")),
    Literal("1", datatype=XSD.int),
    Literal("0.50", datatype=XSD.decimal),
]
PREDICATES = [RDF.type, RDFS.label, RDFS.subClassOf, ex("p"), ex("q")]
QUADS = st.builds(
    Quad,
    st.sampled_from(NODES),
    st.sampled_from(PREDICATES),
    st.sampled_from(OBJECTS),
    st.sampled_from([EDITS, NamedNode("urn:test:other"), NamedNode("urn:test:source")]),
)
CHANGES = st.builds(
    ChangeSet, st.lists(QUADS, max_size=4).map(tuple), st.lists(QUADS, max_size=4).map(tuple), st.just("an edit")
)

ONE = 'ex:a a ex:C, ex:D ; rdfs:label "one" ; ex:p 01, "0.50"^^xsd:decimal . ex:b a ex:C ; ex:q ex:a .'
TWO = 'ex:a a ex:C ; ex:p 1 ; ex:q "one" . [] a ex:D ; ex:p ex:a .'


@pytest.mark.parametrize("overlapping", [False, True])
@examples(12)
@given(changes=st.lists(CHANGES, min_size=1, max_size=5))
def test_counts_and_names_follow_any_edits(changes: list[ChangeSet], overlapping: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        load(folder, one=ONE, **({"two": TWO} if overlapping else {}))
        first = OpenWorkspace.open(folder / "w", alone=True)
        before = quads_of(first)
        done = [first.edit(change).change for change in changes]
        if any(done):
            check(first)
        after = quads_of(first)
        assert after == before + Counter(net_change(done).added) - Counter(net_change(done).removed)
        for change in reversed(done):
            assert first.edit(change.inverse("undo")).change == change.inverse("undo")
        assert quads_of(first) == before
        for change in done:
            first.edit(change)
        first.close()
        again = OpenWorkspace.open(folder / "w")
        assert quads_of(again) == after
        check(again)
        again.close()


def test_an_edit_is_told_and_what_is_derived_follows(workspace: Path) -> None:
    session = editing(workspace)
    told: list[Change] = []
    session.subscribe(told.append)
    size = session.store.size().value
    assert search(session, "renamed").hits == ()
    edit = session.edit(ChangeSet((), (label(MODEL, "Renamed model"),), "a label"))
    assert told == [Change(session.generation, sources=False)]
    assert edit.revision == 1
    assert [hit.ref.resource for hit in search(session, "renamed").hits] == [MODEL]
    schema = session.schema()
    assert RDFS.label in session.usage().predicates
    session.edit(ChangeSet((label(MODEL, "Renamed model"),), (label(MODEL, "Renamed again"),)))
    assert session.schema() is schema, "no class or property was touched"
    assert [hit.ref.label for hit in search(session, "renamed").hits] == ["Renamed again"]
    told.clear()
    assert session.store.size().value == size + 1
    assert session.graph_sizes()[EDITS] == 1
    session.edit(ChangeSet((), (Quad(ex("new"), RDF.type, ex("Sieve"), EDITS),)))
    assert ex("Sieve") in session.schema().classes
    assert session.usage().classes()[ex("Sieve")] == 1
    assert [hit.ref.resource for hit in search(session, "sieve").hits] == [ex("Sieve")]
    session.edit(ChangeSet((), (), "nothing"))
    session.edit(ChangeSet((label(MODEL, "no such label"),), (label(MODEL, "Renamed again"),)))
    assert len(told) == 1, "what changes nothing is not told"
    session.close()


def test_edits_stay_when_the_workspace_is_closed(workspace: Path) -> None:
    session = editing(workspace)
    session.edit(ChangeSet((), (label(MODEL, "Renamed"),), "a label"))
    session.close()
    assert [state.name for state in (workspace / "states").iterdir()] == ["2"]
    session = editing(workspace)
    assert session.workspace is not None
    assert session.workspace.revision == 1
    assert "Renamed" in str(describe_resource(session, resolve(session, MODEL.value)))
    check(session.workspace)
    session.edit(ChangeSet((label(MODEL, "Renamed"),)))
    session.close()
    kept = list(records(workspace / "journal"))
    assert [record.revision for record in kept] == [1, 2]
    assert kept[0].change == ChangeSet((), (label(MODEL, "Renamed"),), "a label")
    assert kept[0].when <= kept[1].when


def test_what_is_spelled_otherwise_than_the_engine_keeps_it_stays_so(tmp_path: Path) -> None:
    load(tmp_path, one="ex:a ex:p 01, 1.50 .")
    graph = graph_of(tmp_path, "one")

    def value(text: str, datatype: NamedNode) -> Quad:
        return Quad(ex("a"), ex("p"), Literal(text, datatype=datatype), graph)

    first = OpenWorkspace.open(tmp_path / "w", alone=True)
    first.edit(ChangeSet((value("01", XSD.integer),), (value("1", XSD.integer), value("001", XSD.integer))))
    first.edit(ChangeSet((value("1.5", XSD.decimal),), ()))
    check(first)
    first.close()
    again = OpenWorkspace.open(tmp_path / "w")
    assert set(again.store.match()) == {
        value("1", XSD.integer),
        value("001", XSD.integer),
        value("1.50", XSD.decimal),
    }, "a value is removed as it is spelled, or not at all"
    again.close()


def test_a_triple_that_one_graph_states_is_not_stated_twice(workspace: Path) -> None:
    opened = OpenWorkspace.open(workspace, alone=True)
    stated = next(iter(opened.store.match(MODEL)))
    twice = Quad(stated.subject, stated.predicate, stated.object, EDITS)
    edit = opened.edit(ChangeSet((), (twice, label(MODEL, "x"))))
    assert (edit.already_stated, edit.change.added) == ((twice,), (label(MODEL, "x"),))
    moved = opened.edit(ChangeSet((stated,), (twice,)))
    assert moved.change == ChangeSet((stated,), (twice,))
    check(opened)
    opened.close()


def test_only_the_first_program_edits(workspace: Path) -> None:
    first, second = editing(workspace), editing(workspace)
    with pytest.raises(Unsupported, match="another program"):
        second.edit(ChangeSet((), (label(MODEL, "x"),)))
    with pytest.raises(UsageError, match="named graph"):
        first.edit(ChangeSet((), (Quad(MODEL, RDFS.label, Literal("x")),)))
    first.edit(ChangeSet((), (label(MODEL, "Sieved"),)))
    assert search(second, "sieved").hits == (), "it sees the workspace as it was"
    third = session_of(workspace)
    assert [hit.ref.resource for hit in search(third, "sieved").hits] == [MODEL]
    assert third.workspace is not None
    assert third.workspace.profile == count_profile(third.store)
    with pytest.raises(StoreLocked):
        load_into(workspace, ["sample:npb"])
    for session in (first, third, second):
        session.close()
    last = OpenWorkspace.open(workspace, alone=True)
    assert last.read_only_reason is None
    last.close()
    assert len(list((workspace / "states").iterdir())) == 1
    with pytest.raises(Unsupported, match="load the sources"):
        Session.new().edit(ChangeSet())


def test_an_edit_that_cannot_be_made_is_not_in_the_journal(workspace: Path) -> None:
    """The names of resources cannot be written, when the edit is in the journal already."""
    opened = OpenWorkspace.open(workspace, alone=True)
    opened.edit(ChangeSet((), (label(MODEL, "first"),)))
    with files_no_larger_than(10_000), pytest.raises(StoreError):
        opened.edit(ChangeSet((), (label(MODEL, "second"),)))
    with pytest.raises(Unsupported):
        opened.edit(ChangeSet((), (label(MODEL, "third"),)))
    opened.close()
    again = OpenWorkspace.open(workspace, alone=True)
    assert [quad.object for quad in again.store.match(MODEL, RDFS.label, None, EDITS)] == [Literal("first")]
    assert again.edit(ChangeSet((), (label(MODEL, "fourth"),))).revision == 2
    again.close()
    assert [one.change.added for one in records(workspace / "journal")] == [
        (label(MODEL, text),) for text in ("first", "fourth")
    ]


def abandoned(workspace: Path, folder: Path, edits: int) -> Path:
    """A workspace as a program leaves it that is killed after some edits."""
    opened = OpenWorkspace.open(workspace, alone=True)
    for number in range(edits):
        opened.edit(ChangeSet((), (label(ex(f"r{number}"), f"sieve {number}"),), f"edit {number}"))
    left = folder / "left"

    def copied(file: str, copy: str) -> None:
        # The engine tidies up its files while they are copied.
        with suppress(FileNotFoundError):
            shutil.copy2(file, copy)

    shutil.copytree(workspace, left, copy_function=copied)
    opened.close()
    return left


@pytest.mark.parametrize("alone", [True, False])
def test_what_a_killed_program_had_journalled_is_there_at_the_next_opening(
    workspace: Path, tmp_path: Path, alone: bool
) -> None:
    left = abandoned(workspace, tmp_path, 3)
    with open(left / "journal" / "000000000001.journal", "ab") as journal:
        journal.write(b"0123456789abcdef half a record")
    opened = OpenWorkspace.open(left, alone=alone)
    assert (opened.revision, opened.profile.graphs[EDITS]) == (3, 3)
    check(opened)
    opened.close()
    opened = OpenWorkspace.open(left, alone=True)
    assert opened.edit(ChangeSet((), (label(MODEL, "x"),))).revision == 4
    opened.close()
    assert [record.revision for record in records(left / "journal")] == [1, 2, 3, 4]
    assert len(list((left / "states").iterdir())) == 1


def test_a_load_keeps_what_a_killed_program_had_journalled(workspace: Path, tmp_path: Path) -> None:
    left = abandoned(workspace, tmp_path, 2)
    load_into(left, ["sample:npb"])
    opened = OpenWorkspace.open(left)
    assert (opened.revision, opened.profile.graphs[EDITS]) == (2, 2)
    check(opened)
    opened.close()


def test_a_damaged_journal_is_said_to_be_damaged(workspace: Path, tmp_path: Path) -> None:
    left = abandoned(workspace, tmp_path, 3)
    file = left / "journal" / "000000000001.journal"
    whole = file.read_bytes().splitlines(keepends=True)
    changed = [line.replace(b"sieve", b"sauce") for line in whole]
    for lines in ([whole[0][:-9] + b"\n", *whole[1:]], [changed[0], *whole[1:]], [*whole[:2], changed[2]]):
        file.write_bytes(b"".join(lines))
        with pytest.raises(StoreError, match=r"journal is damaged.*not as it was written"):
            OpenWorkspace.open(left)
    for rest in (whole[1:], [whole[0], whole[2]]):
        file.write_bytes(b"".join(rest))
        with pytest.raises(StoreError, match=r"journal is damaged.*is missing"):
            OpenWorkspace.open(left)


def test_a_file_that_was_read_in_part_is_not_edited(tmp_path: Path) -> None:
    """A save of what was read would lose the damaged statements."""
    file, text = tmp_path / "broken.ttl", "<x:a> <x:b> 1 .\n<x:a> oops .\n<x:a> <x:b> 2 .\n"
    file.write_text(text)
    session = Session.new()
    (source,) = open_sources(session, [str(file)], skip_damaged=True)
    assert source.missing
    with pytest.raises(SourceSyntaxError):
        start_editing(session)
    assert session.workspace is None
    assert file.read_text() == text
    session.close()


def test_edits_outlive_the_reload_of_their_source_and_go_with_its_removal(tmp_path: Path) -> None:
    load(tmp_path, one='ex:a rdfs:label "old", "stays" .', two="ex:b ex:p 1 .")
    graph, folder = graph_of(tmp_path, "one"), tmp_path / "w"
    opened = OpenWorkspace.open(folder, alone=True)
    old, new = (Quad(ex("a"), RDFS.label, Literal(text), graph) for text in ("old", "new"))
    opened.edit(ChangeSet((old,), (new, label(ex("a"), "annotated")), "relabel"))
    opened.close()
    (tmp_path / "one.ttl").write_text(PREFIXES + 'ex:a rdfs:label "old", "stays", "more" .')
    done = load_into(folder, [str(tmp_path / "one.ttl")])
    assert (done.edits_kept, done.edits_moot) == (2, 0)
    opened = OpenWorkspace.open(folder)
    texts = sorted(quad.object.value for quad in opened.store.match(ex("a"), RDFS.label))  # type: ignore[union-attr]
    assert texts == ["annotated", "more", "new", "stays"]
    check(opened)
    opened.close()
    (tmp_path / "one.ttl").write_text(PREFIXES + 'ex:a rdfs:label "new" .')
    done = load_into(folder, [str(tmp_path / "one.ttl")])
    assert (done.edits_kept, done.edits_moot) == (0, 2), "the file says now what the edit said"
    done = load_into(folder, [], remove=[str(tmp_path / "one.ttl")])
    assert done.edits_gone == 0, "what the file says itself is an edit no more"
    opened = OpenWorkspace.open(folder)
    assert [quad.object.value for quad in opened.store.match(ex("a"))] == ["annotated"]  # type: ignore[union-attr]
    check(opened)
    opened.close()
    done = load_into(folder, [str(tmp_path / "one.ttl")])
    assert (done.edits_kept, done.edits_moot) == (0, 0), "a source loaded anew has no edits yet"


def test_a_long_journal_is_taken_into_a_state(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hpc_explorer.app.workspace.workspace.SNAPSHOT_EVERY", 4)
    left = abandoned(workspace, tmp_path, 6)
    manifest = json.loads((left / "manifest.json").read_text())
    assert manifest["revision"] == 4
    for folder in (left, workspace):
        opened = OpenWorkspace.open(folder, alone=True)
        assert opened.revision == 6
        check(opened)
        opened.close()
        assert len(list((folder / "states").iterdir())) == 1


def test_a_long_row_of_edits_leaves_no_more_behind_than_a_short_one(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hpc_explorer.app.workspace.workspace.SNAPSHOT_EVERY", 4)
    opened = OpenWorkspace.open(workspace, alone=True)
    begun = opened.store
    read_before = {quad.subject for quad in begun.match(None, RDFS.label)}
    for number in range(30):
        opened.edit(ChangeSet((), (label(ex(f"r{number}"), f"sieve {number}"),), f"edit {number}"))
        assert len(list((workspace / "states").iterdir())) <= 3, "that which was opened, the working one, the last"
    assert {quad.subject for quad in begun.match(None, RDFS.label)} == read_before, "who read it still reads it"
    beside = OpenWorkspace.open(workspace)
    assert beside.revision == 30
    assert beside.profile == opened.profile == count_profile(beside.store)
    beside.close()
    opened.close()
    assert [file.stem.lstrip("0") for file in sorted((workspace / "journal").iterdir())] == [
        str(first) for first in range(1, 30, 4)
    ]
    opened = OpenWorkspace.open(workspace, alone=True)
    assert opened.revision == 30
    check(opened)
    opened.close()
    assert [record.revision for record in records(workspace / "journal")] == list(range(1, 31))


def test_a_class_of_the_ontology_gets_its_names_when_it_is_first_used(workspace: Path) -> None:
    opened = OpenWorkspace.open(workspace, alone=True)
    opened.edit(ChangeSet((), (Quad(ex("job"), RDF.type, HPC.Supercomputer, EDITS),)))
    check(opened)
    opened.edit(ChangeSet((Quad(ex("job"), RDF.type, HPC.Supercomputer, EDITS),)))
    check(opened)
    opened.close()
