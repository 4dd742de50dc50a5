"""The journal as it is shown: entries, of one resource, blame of a triple, what is not pushed, taking one edit back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.journal import blame, changes, entries, take_back, working_diff
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownStatement, UsageError
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import records, records_backwards
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

OWN = NamedNode("urn:test:own")


class Place:
    """A workspace of one N-Triples file, open to be edited."""

    def __init__(self, folder: Path) -> None:
        self.file, self.folder = folder / "one.nt", folder / "w"
        self.graph = NamedNode(self.file.resolve().as_uri())
        self.write("old", "stays")
        load_into(self.folder, [str(self.file)])
        self.session = Session.new()
        self.open()

    def write(self, *texts: str) -> None:
        self.file.write_text("# labels\n" + "".join(f"{self.label(text).triple} .\n" for text in texts))

    def open(self) -> None:
        self.session = Session.new()
        open_sources(self.session, [str(self.folder)], keep_workspace=True)

    def reload(self) -> None:
        self.session.close()
        load_into(self.folder, [str(self.file)])
        self.open()

    def label(self, text: str, subject: NamedNode | None = None) -> Quad:
        return Quad(subject or ex("a"), RDFS.label, Literal(text), self.graph)

    def edit(self, removed: str, added: str, why: str = "") -> None:
        change = ChangeSet(
            (self.label(removed),) if removed else (), (self.label(added),) if added else (), f"{removed}→{added}", why
        )
        assert self.session.edit(change).change

    def do(self, change: ChangeSet) -> int:
        step = EditStep.made(self.session, change)
        assert step is not None
        return step.revision


@pytest.fixture
def place(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = Place(tmp_path)
    yield made
    made.session.close()


def test_entries_tell_when_who_what_and_why(place: Place) -> None:
    place.session.close()
    Settings(user_name="Ada Lovelace").save()
    place.open()
    place.edit("old", "new", "the old one was misleading")
    place.edit("new", "newer")
    last, first = changes(place.session)
    assert (last.revision, first.revision) == (2, 1)
    assert (first.who, first.words, first.why) == ("Ada Lovelace", "old→new", "the old one was misleading")
    assert first.when.utcoffset() is not None
    assert (first.removed, first.added) == ((place.label("old"),), (place.label("new"),))
    assert changes(place.session, newest_first=False) == (first, last)
    assert changes(place.session, limit=1) == (last,)
    assert changes(place.session, before=2) == (first,)
    assert changes(Session.new()) == ()


def test_an_undone_entry_says_by_which(place: Place) -> None:
    place.edit("old", "new")
    step = EditStep.made(place.session, ChangeSet((), (place.label("more"),), "more"))
    assert step is not None
    step.undo()
    assert [entry.undone_by for entry in changes(place.session)] == [None, 3, None]
    step.redo()
    assert [entry.undone_by for entry in changes(place.session)] == [None, 4, None, None]
    assert [entry.undone_by for entry in changes(place.session, before=4)] == [4, None, None]


def test_of_one_resource_with_its_value_nodes_and_where_it_is_linked(place: Place) -> None:
    value, other = BlankNode("v"), ex("b")
    place.do(
        ChangeSet((), (Quad(ex("a"), ex("size"), value, OWN), Quad(value, RDF.value, Literal("1"), OWN)), "a quantity")
    )
    place.do(ChangeSet((Quad(value, RDF.value, Literal("1"), OWN),), (Quad(value, RDF.value, Literal("2"), OWN),), "2"))
    place.do(ChangeSet((), (place.label("other", other),), "other"))
    place.do(ChangeSet((), (Quad(other, ex("part"), ex("a"), OWN),), "link"))
    gone = (Quad(ex("a"), ex("size"), value, OWN), Quad(value, RDF.value, Literal("2"), OWN))
    assert [entry.words for entry in entries(place.session, about=ex("a"))] == ["link", "2", "a quantity"]
    place.do(ChangeSet(gone, (), "no quantity"))
    words = ["no quantity", "link", "2", "a quantity"]
    assert [entry.words for entry in entries(place.session, about=ex("a"))] == words, "though the value node is gone"
    assert [entry.words for entry in entries(place.session, about=other)] == ["link", "other"]
    assert list(entries(place.session, about=ex("nobody"))) == []


def test_blame_names_the_line_the_version_or_the_edit(place: Place) -> None:
    first = blame(place.session, place.label("stays").triple)
    assert (first.source, first.version, first.path, first.line) == (str(place.file), 1, place.file, 3)
    place.edit("old", "new", "because")
    edited = blame(place.session, place.label("new").triple)
    assert edited.entry is not None
    assert (edited.entry.revision, edited.entry.why, edited.version) == (1, "because", None)
    assert edited.recorded == edited.entry.when
    place.write("old", "stays", "added to the file")
    place.reload()
    second = blame(place.session, place.label("added to the file").triple)
    assert (second.version, second.line, second.entry) == (2, 4, None)
    assert blame(place.session, place.label("stays").triple).version == 1
    assert blame(place.session, place.label("new").triple).entry == edited.entry, "the edit was made again"
    own = Quad(ex("b"), RDFS.label, Literal("b"), OWN)
    place.do(ChangeSet((), (own,), "in no source"))
    blamed = blame(place.session, own.triple)
    assert (blamed.source, blamed.quad) == ("", own)
    with pytest.raises(UnknownStatement):
        blame(place.session, Triple(ex("a"), RDFS.label, Literal("old")))
    with pytest.raises(UnknownStatement):
        blame(place.session, own.triple, place.graph)


def test_blame_without_a_workspace_names_the_file(place: Place) -> None:
    session = session_of(place.file)
    found = blame(session, place.label("old").triple)
    assert (found.source, found.line, found.recorded) == (str(place.file), 2, session.opened[0].recorded)
    session.close()


def test_the_working_diff_is_net_by_source_since_the_load_or_the_push(place: Place) -> None:
    place.edit("old", "new")
    place.edit("new", "newer")
    place.edit("stays", "")
    place.edit("", "stays")
    own = Quad(ex("b"), RDFS.label, Literal("b"), OWN)
    place.do(ChangeSet((), (own,), "in no source"))
    diff, rest = working_diff(place.session)
    assert (diff.source, diff.graph) == (str(place.file), place.graph)
    assert (diff.removed, diff.added) == ((place.label("old"),), (place.label("newer"),))
    assert (rest.source, rest.graph, rest.added) == ("", OWN, (own,))
    workspace = place.session.workspace
    assert workspace is not None
    place.write("newer", "stays")
    now = place.file.stat()
    recorded = workspace.sources[0].recorded
    workspace.mark_pushed([replace(workspace.sources[0], size=now.st_size, mtime_ns=now.st_mtime_ns)])
    assert [diff.source for diff in working_diff(place.session)] == [""]
    place.edit("newer", "newest")
    assert next(diff.removed for diff in working_diff(place.session)) == (place.label("newer"),)
    place.session.close()
    place.open()
    assert place.session.workspace is not None
    assert place.session.workspace.sources[0].recorded == recorded
    assert next(diff.added for diff in working_diff(place.session)) == (place.label("newest"),)
    place.reload()
    assert place.session.workspace is not None
    assert place.session.workspace.sources[0].earlier == (), "the file says what was pushed: no other version"
    assert next(diff.added for diff in working_diff(place.session)) == (place.label("newest"),)


def test_edits_are_carried_over_versions(place: Place) -> None:
    place.edit("old", "new")
    for text in ("more", "still more"):
        place.write("old", "stays", text)
        place.reload()
        (diff,) = working_diff(place.session)
        assert (diff.removed, diff.added) == ((place.label("old"),), (place.label("new"),))
    place.edit("new", "old")
    assert working_diff(place.session) == ()
    assert len(list((place.folder / "versions").iterdir())) == 3, "two versions, and the edits carried over the last"


def test_any_one_edit_is_taken_back_unless_another_stands_on_it(place: Place) -> None:
    place.edit("old", "new")
    place.edit("", "more")
    place.edit("new", "newer")
    with pytest.raises(UsageError, match=r"later change touched.*take back first edit 3: new→newer"):
        take_back(place.session, 1)
    place.do(take_back(place.session, 2))
    assert changes(place.session)[0].words == "Undo: →more"
    with pytest.raises(UsageError, match="edit 4 did it"):
        take_back(place.session, 2)
    place.do(take_back(place.session, 3))
    place.do(take_back(place.session, 1))
    place.do(take_back(place.session, 4))
    assert working_diff(place.session)[0].added == (place.label("more"),)
    with pytest.raises(UsageError, match="no such edit"):
        take_back(place.session, 99)


def test_a_value_node_that_was_added_to_is_not_left_hanging(place: Place) -> None:
    value = BlankNode("v")
    made = (Quad(ex("a"), ex("size"), value, OWN), Quad(value, RDF.value, Literal("1", datatype=XSD.integer), OWN))
    first = place.do(ChangeSet((), made, "a quantity"))
    second = place.do(ChangeSet((), (Quad(value, ex("unit"), Literal("GB"), OWN),), "its unit"))
    with pytest.raises(UsageError, match=f"edit {second}: its unit"):
        take_back(place.session, first)
    place.do(take_back(place.session, second))
    place.do(take_back(place.session, first))
    assert working_diff(place.session) == ()


def test_a_journal_of_before_there_were_reasons_is_read(place: Place) -> None:
    place.edit("old", "new", "a reason")
    place.session.close()
    (file,) = (place.folder / "journal").iterdir()
    import hashlib

    members = json.loads(file.read_bytes()[65:])
    del members["why"]
    content = json.dumps(members, ensure_ascii=False).encode()
    file.write_bytes(hashlib.sha256(content).hexdigest().encode() + b" " + content + b"\n")
    place.open()
    (entry,) = changes(place.session)
    assert (entry.words, entry.why, entry.takes_back) == ("old→new", "", ())


def test_the_journal_backwards_is_the_journal(place: Place) -> None:
    tricky = '"takes_back": [7], {"revision": 9,'
    for number in range(3):
        place.edit("" if number else "old", f"{tricky} {number}", tricky)
        place.session.close()
        place.open()
    place.do(take_back(place.session, 2))
    forwards = list(records(place.folder / "journal"))
    lines = list(records_backwards(place.folder / "journal"))
    assert [line.record() for line in lines] == forwards[::-1]
    assert [(line.revision, line.takes_back) for line in lines] == [(4, (2,)), (3, ()), (2, ()), (1, ())]
    assert [line.revision for line in records_backwards(place.folder / "journal", 2)] == [2, 1]
