"""What is open becomes editable in a draft: the same graphs, every spelling kept; drafts are found, gone on with, deleted."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.journal.editing import (
    Draft,
    all_drafts,
    continue_draft,
    delete_draft,
    drafts_folder,
    drafts_of,
    edit,
    start_editing,
    undo_recovered,
    why_not_to_start,
)
from hpc_explorer.app.journal.journal import working_diff
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, StoreError, StoreLocked, Unsupported
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.full_disk import files_no_larger_than
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

TURTLE = """@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:a a ex:Model ; rdfs:label "old" ; ex:size 0012, 1.50 .
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def graph_of(session: Session) -> NamedNode:
    return session.opened[0].summary.graph


def relabelled(session: Session, old: str, new: str, words: str = "Label of a") -> ChangeSet:
    graph = graph_of(session)
    return ChangeSet(
        (Quad(ex("a"), RDFS.label, Literal(old), graph),), (Quad(ex("a"), RDFS.label, Literal(new), graph),), words
    )


def labels(session: Session) -> list[str]:
    return sorted(quad.object.value for quad in session.store.match(ex("a"), RDFS.label))  # type: ignore[union-attr]


def edited_draft(file: Path) -> Draft:
    """The draft of a file, with one edit in it; closed."""
    session = session_of(file)
    draft = start_editing(session)
    edit(session, relabelled(session, "old", "new"))
    session.close()
    return draft


def test_opened_files_become_editable_as_they_are(file: Path) -> None:
    session = session_of(file, "sample:xplacer")
    before = Counter(quad for quad in session.store.match(None, ex("size")))
    told: list[object] = []
    session.subscribe(told.append)
    names, size = [source.name for source in session.sources], session.store.size().value
    assert session.read_only_reason is not None
    assert why_not_to_start(session) is None
    draft = start_editing(session)
    assert session.read_only_reason is None
    assert [source.name for source in session.sources] == names
    assert draft.folder.parent == drafts_folder()
    assert draft.folder.name.startswith("models-")
    assert Counter(session.store.match(None, ex("size"))) == before, "0012 and 1.50 are spelled as they were"
    assert session.store.size().value == size
    assert len(told) == 1
    edit(session, relabelled(session, "old", "new"))
    assert labels(session) == ["new"]
    assert file.read_text() == TURTLE
    assert start_editing(session).folder == draft.folder, "it is editable already"
    session.close()


def test_what_was_inferred_is_taken_back(file: Path) -> None:
    session = session_of(file)
    infer(session)
    start_editing(session)
    assert session.inference is None
    edit(session, relabelled(session, "old", "new"))
    session.close()


def test_from_nothing_a_draft_has_a_graph_of_its_own() -> None:
    session = Session.new()
    draft = start_editing(session)
    (source,) = session.opened
    assert (source.summary.name, source.path, source.summary.triples.value) == ("New graph", None, 0)
    made = ChangeSet((), (Quad(ex("a"), RDF.type, ex("Model"), source.summary.graph),), "a model")
    edit(session, made)
    assert ex("Model") in session.schema().classes
    (diff,) = working_diff(session)
    assert (diff.source, diff.added) == ("New graph", made.added)
    session.close()
    session = Session.new()
    continued = continue_draft(session, draft.folder)
    assert continued.statements == 1
    assert session.store.size().value == 1
    session.close()


def test_a_draft_with_edits_is_offered_and_gone_on_with(file: Path) -> None:
    draft = edited_draft(file)
    (offered,) = drafts_of([str(file)])
    assert (offered.folder, offered.statements, offered.in_use) == (draft.folder, 2, False)
    assert offered.edited is not None
    assert drafts_of(["sample:xplacer"]) == drafts_of([str(file), "sample:xplacer"]) == drafts_of(["no such"]) == ()
    session = session_of("sample:npb")
    assert continue_draft(session, offered.folder).notes == ()
    assert labels(session) == ["new"]
    assert [source.name for source in session.sources] == [str(file)]
    other = session_of(file)
    with pytest.raises(StoreLocked):
        continue_draft(other, draft.folder)
    with pytest.raises(StoreLocked):
        delete_draft(draft.folder)
    assert labels(other) == ["old"], "it is as it was"
    assert [draft.in_use for draft in all_drafts()] == [True]
    assert start_editing(other).folder != draft.folder, "another one is begun"
    other.close()
    session.close()
    for one in all_drafts():
        delete_draft(one.folder)
    assert all_drafts() == ()
    with pytest.raises(StoreError, match="no draft"):
        delete_draft(draft.folder)


def test_a_draft_without_edits_is_used_again(file: Path) -> None:
    session = session_of(file)
    draft = start_editing(session)
    session.close()
    session = session_of(file)
    assert start_editing(session).folder == draft.folder
    assert drafts_of([str(file)]) == ()
    session.close()


def test_a_file_that_changed_comes_in_as_a_version(file: Path) -> None:
    draft = edited_draft(file)
    file.write_text(TURTLE.replace("1.50", "1.75"), encoding="utf-8")
    (offered,) = drafts_of([str(file)])
    assert offered.changed == (str(file),)
    session = Session.new()
    continued = continue_draft(session, draft.folder)
    assert continued.notes == (f"{file} has changed since, and was read again",)
    assert labels(session) == ["new"]
    assert Literal("1.75", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#decimal")) in {
        quad.object for quad in session.store.match(ex("a"), ex("size"))
    }
    (diff,) = working_diff(session)
    assert (len(diff.removed), len(diff.added)) == (1, 1)
    assert session.workspace is not None
    assert len(session.workspace.sources[0].earlier) == 1
    session.close()


def test_what_the_changed_file_says_itself_is_no_edit_any_more(file: Path) -> None:
    draft = edited_draft(file)
    file.write_text(TURTLE.replace('"old"', '"new"'), encoding="utf-8")
    session = Session.new()
    continued = continue_draft(session, draft.folder)
    assert continued.statements == 0
    assert "needed it no more" in continued.notes[-1]
    assert (labels(session), working_diff(session)) == (["new"], ())
    edit(session, relabelled(session, "new", "newer"))
    assert [diff.removed[0].object for diff in working_diff(session)] == [Literal("new")]
    session.close()


def test_the_file_may_be_gone(file: Path) -> None:
    draft = edited_draft(file)
    file.unlink()
    session = Session.new()
    assert continue_draft(session, draft.folder).notes == (f"{file} is gone; the draft goes on without it",)
    assert labels(session) == ["new"]
    session.close()


def test_a_draft_can_go_on_with_a_file_as_it_was(file: Path) -> None:
    draft = edited_draft(file)
    file.write_text(TURTLE.replace("1.50", "1.75"), encoding="utf-8")
    session = Session.new()
    continued = continue_draft(session, draft.folder, bring_in=False)
    assert continued.notes == (f"{file} was changed since it was loaded",)
    assert continued.changed == (str(file),)
    session.close()


def test_what_can_only_be_read_is_not_edited_in_a_draft_of_a_draft(file: Path) -> None:
    session = session_of(file)
    draft = start_editing(session)
    reader = session_of(draft.folder)
    with pytest.raises(Unsupported, match="read"):
        start_editing(reader)
    reader.close()
    session.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_where_no_draft_can_be_kept_the_session_stays_as_it_was(file: Path) -> None:
    session = session_of(file)
    drafts_folder().parent.mkdir(parents=True)
    drafts_folder().parent.chmod(0o500)
    with pytest.raises(OutputNotWritable, match="drafts"):
        start_editing(session)
    drafts_folder().parent.chmod(0o700)
    assert labels(session) == ["old"]
    session.close()


def test_a_folder_that_is_a_file_is_said_and_the_session_stays(file: Path) -> None:
    session = session_of(file)
    drafts_folder().parent.mkdir(parents=True, exist_ok=True)
    drafts_folder().write_text("a file where the folder should be")
    with pytest.raises(OutputNotWritable, match="drafts cannot be kept"):
        start_editing(session)
    assert labels(session) == ["old"]
    session.close()


def test_undoing_what_was_recovered_is_one_change(file: Path, tmp_path: Path) -> None:
    session = session_of(file)
    draft = start_editing(session)
    for old, new in (("old", "one"), ("one", "two")):
        edit(session, relabelled(session, old, new))
    left = drafts_folder() / "left-0"
    # The state in which edits are made is lost with the program.
    shutil.copytree(draft.folder, left, ignore=shutil.ignore_patterns("2"))
    session.close()
    assert next(one for one in all_drafts() if one.folder == left).recovered is not None
    session = Session.new()
    recovered = continue_draft(session, left).recovered
    assert recovered is not None
    assert session.workspace is not None
    assert session.workspace.recovered == recovered
    assert (recovered.edits, labels(session)) == (2, ["two"])
    edit(session, undo_recovered(session, recovered))
    assert (labels(session), working_diff(session)) == (["old"], ())
    session.close()


def test_a_full_disk_is_said_and_nothing_is_lost(file: Path) -> None:
    session = session_of(file)
    with files_no_larger_than(100), pytest.raises((StoreError, OutputNotWritable)):
        start_editing(session)
    assert (labels(session), all_drafts()) == (["old"], ())
    assert list(drafts_folder().iterdir()) == [], "what was begun is taken away"
    draft = start_editing(session)
    edit(session, relabelled(session, "old", "new"))
    with files_no_larger_than(100), pytest.raises(OutputNotWritable, match="cannot be written"):
        edit(session, relabelled(session, "new", "newer"))
    assert labels(session) == ["new"]
    # The engine writes in its own threads too, and may have given up for good; then the edit fails and is withdrawn.
    try:
        edit(session, relabelled(session, "new", "newest"))
        kept = ["newest"]
    except StoreError:
        kept = ["new"]
    session.close()
    session = Session.new()
    continue_draft(session, draft.folder)
    assert labels(session) == kept
    session.close()
