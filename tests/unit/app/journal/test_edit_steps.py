"""Edits on the undo stack: taken back and made again, also after the workspace was closed and opened."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import records
from tests.helpers.examples import examples
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

GRAPH = NamedNode("urn:test:edits")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    load_into(tmp_path / "w", ["sample:xplacer"])
    return tmp_path / "w"


def editing(folder: Path) -> Session:
    return session_of(folder, keep_workspace=True)


def label(text: str) -> Quad:
    return Quad(ex("a"), RDFS.label, Literal(text), GRAPH)


def labels(session: Session) -> list[str]:
    return sorted(quad.object.value for quad in session.store.match(ex("a"), RDFS.label))  # type: ignore[union-attr]


def do(session: Session, stack: UndoStack, removed: str, added: str) -> None:
    change = ChangeSet((label(removed),) if removed else (), (label(added),), f"label {added}", "a test")
    step = EditStep.made(session, change)
    assert step is not None
    stack.push(step)


def test_an_edit_is_taken_back_and_made_again(folder: Path) -> None:
    session, stack = editing(folder), UndoStack()
    do(session, stack, "", "one")
    do(session, stack, "one", "two")
    assert EditStep.made(session, ChangeSet((), (label("two"),))) is None, "it changes nothing"
    assert stack.undo_words == "label two"
    stack.undo()
    assert labels(session) == ["one"]
    stack.redo()
    stack.undo()
    stack.undo()
    assert labels(session) == []
    stack.redo()
    assert labels(session) == ["one"]
    made = [(record.change.words, record.change.takes_back) for record in records(folder / "journal")]
    assert made == [
        ("label one", ()),
        ("label two", ()),
        ("Undo: label two", (2,)),
        ("label two", (3,)),
        ("Undo: label two", (4,)),
        ("Undo: label one", (1,)),
        ("label one", (6,)),
    ]
    session.close()


def test_what_was_changed_since_is_not_taken_back(folder: Path) -> None:
    session, stack = editing(folder), UndoStack()
    do(session, stack, "", "one")
    session.edit(ChangeSet((label("one"),), (label("other"),), "by another way"))
    with pytest.raises(UsageError, match="changed since"):
        stack.undo()
    assert (labels(session), stack.undo_words) == (["other"], "label one")
    session.close()


def test_the_last_edits_can_be_taken_back_after_reopening(folder: Path) -> None:
    session, stack = editing(folder), UndoStack()
    for before, after in (("", "one"), ("one", "two"), ("two", "three"), ("three", "four")):
        do(session, stack, before, after)
    stack.undo()
    stack.undo()
    session.close()
    session, stack = editing(folder), UndoStack()
    stack.resume(*journal_steps(session))
    assert [step.words for step in stack.done] == ["label two", "label one"]
    assert [step.words for step in stack.undone] == ["label three", "label four"]
    stack.redo()
    assert labels(session) == ["three"]
    while stack.undo():
        pass
    assert labels(session) == []
    session.close()
    session, stack = editing(folder), UndoStack()
    stack.resume(*journal_steps(session))
    assert (stack.undo_words, len(stack.undone)) == (None, 4)
    while stack.redo():
        pass
    assert labels(session) == ["four"]
    session.close()
    session, stack = editing(folder), UndoStack()
    stack.resume(*journal_steps(session, most=2))
    assert [step.words for step in stack.done] == ["label four", "label three"]
    do(session, stack, "four", "five")
    assert stack.redo_words is None
    session.close()
    reader = session_of(folder)
    assert journal_steps(reader) == journal_steps(Session.new()) == ((), ())
    reader.close()


NODES = [ex("a"), ex("b"), BlankNode("n"), BlankNode("m")]
TERMS = [*NODES, Literal("x"), Literal("1", datatype=XSD.integer), Literal("01", datatype=XSD.integer)]
QUADS = st.builds(
    Quad,
    st.sampled_from(NODES),
    st.sampled_from([RDF.type, RDFS.label, ex("p")]),
    st.sampled_from(TERMS),
    st.sampled_from([GRAPH, NamedNode("urn:test:other")]),
)
CHANGES = st.builds(ChangeSet, st.lists(QUADS, max_size=4).map(tuple), st.lists(QUADS, max_size=4).map(tuple))


@examples(8)
@given(changes=st.lists(CHANGES, min_size=1, max_size=8), undos=st.lists(st.booleans(), max_size=12))
def test_any_undos_and_redos_are_found_in_the_journal_again(changes: list[ChangeSet], undos: list[bool]) -> None:
    with tempfile.TemporaryDirectory() as name:
        load_into(Path(name) / "w", ["sample:npb"])
        session, stack = editing(Path(name) / "w"), UndoStack()
        before = Counter(session.store.match())
        for change in changes:
            step = EditStep.made(session, change)
            if step is not None:
                stack.push(step)
        for back in undos:
            stack.undo() if back else stack.redo()
        session.close()
        session, again = editing(Path(name) / "w"), UndoStack()
        again.resume(*journal_steps(session))
        assert [step.words for step in again.done] == [step.words for step in stack.done]
        assert len(again.undone) == len(stack.undone)
        while again.undo():
            pass
        assert Counter(session.store.match()) == before
        while again.redo():
            pass
        while again.undo():
            pass
        assert Counter(session.store.match()) == before
        session.close()


@pytest.mark.slow
def test_a_thousand_random_edits_undone_leave_the_graph_as_it_was(folder: Path) -> None:
    session, stack = editing(folder), UndoStack()
    chance = random.Random(7)
    before = Counter(session.store.match())
    there = list(before)
    predicates = [RDFS.label, RDF.type, ex("p"), *{quad.predicate for quad in there}]
    objects = [*(quad.object for quad in there), *(Literal(f"text {number}") for number in range(50)), BlankNode("new")]
    graphs = [*{quad.graph_name for quad in there}, GRAPH]
    while len(stack.done) < 1000:
        removed = tuple(chance.choice(there) for _ in range(chance.randint(0, 3)))
        added = tuple(
            Quad(
                chance.choice(there).subject,
                chance.choice(predicates),
                chance.choice(objects),
                chance.choice(graphs),
            )
            for _ in range(chance.randint(0, 3))
        )
        step = EditStep.made(session, ChangeSet(removed, added, "an edit"))
        if step is not None:
            stack.push(step)
            there = [*there, *step.change.added]
    assert Counter(session.store.match()) != before
    while stack.undo():
        pass
    # The same blank nodes too: nothing has to be mapped for the graphs to be the same.
    assert Counter(session.store.match()) == before
    session.close()
    session = editing(folder)
    assert Counter(session.store.match()) == before
    assert session.workspace is not None
    assert session.workspace.revision == 2000
    session.close()
