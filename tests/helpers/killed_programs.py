"""Programs that edit a workspace, or load into it, until somebody kills them; started in no time by a process that forks.

    python -m tests.helpers.killed_programs

It reads `edit WORKSPACE ACKS REVISION`, `load WORKSPACE ACKS LOADS FILE`, `describe WORKSPACE ACKS SEED` or `push WORKSPACE
ACKS` from standard input and answers with the number of the process it started; it reads `wait NUMBER` and answers with the signal that ended that process.
What a program has done, and was told to be done, it writes to ACKS.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from pathlib import Path

from hpc_explorer.app.forms.typed import TypedFormsFile
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.push import push, push_plan
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace import workspace as workspaces
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.sessions import session_of

EDITS = NamedNode("urn:test:edits")


def edit_of(revision: int) -> ChangeSet:
    """The edit that makes a revision: one of five resources gets another label and another class."""
    return ChangeSet(_said(revision - 5) if revision > 5 else (), _said(revision), f"edit {revision}")


def edited(revision: int) -> frozenset[Quad]:
    """What the graph of the edits states at a revision."""
    return frozenset(quad for one in range(max(1, revision - 4), revision + 1) for quad in _said(one))


def _said(revision: int) -> tuple[Quad, ...]:
    resource = NamedNode(f"http://example.org/edited{revision % 5}")
    return (
        Quad(resource, RDFS.label, Literal(f"edit {revision}"), EDITS),
        Quad(resource, RDF.type, NamedNode(f"http://example.org/Kind{revision % 11}"), EDITS),
    )


def _acknowledge(acks: str, number: int) -> None:
    handle = os.open(acks, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, f"{number}\n".encode())
    os.close(handle)


def edit(workspace: str, acks: str, revision: str) -> None:
    """Open the workspace, edit, close it; again and again."""
    chance = random.Random(int(revision))
    # A state is made of the edits while the workspace is open too, so that it may be killed at that.
    workspaces.SNAPSHOT_EVERY = 5
    while True:
        opened = OpenWorkspace.open(Path(workspace), alone=True)
        for _ in range(chance.randint(1, 12)):
            done = opened.edit(edit_of(opened.revision + 1))
            _acknowledge(acks, done.revision)
        opened.close()


def load(workspace: str, acks: str, loads: str, file: str) -> None:
    """Load a file, remove it; again and again. One of quads is loaded as large ones are."""
    if file.endswith(".nq"):
        loading.BULK_FROM = 1
    for number in itertools.count(int(loads) + 1):
        if number % 2:
            load_into(Path(workspace), [file])
        else:
            load_into(Path(workspace), [], remove=[file])
        _acknowledge(acks, number)


def describe(workspace: str, acks: str, seed: str) -> None:
    """Edit as a person does: type, save, take back, make again; opening and closing the workspace now and then.

    To ACKS goes `edit REVISION` for each edit that was made, and `typed NUMBER NANOSECONDS` for each key, by the clock
    that files have their times from.
    """
    chance = random.Random(int(seed))
    workspaces.SNAPSHOT_EVERY = 30
    handle = os.open(acks, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    typed = 0
    while True:
        session, stack = Session.new(), UndoStack()
        open_sources(session, [workspace], keep_workspace=True)
        opened = session.workspace
        assert opened is not None
        keeper = TypedFormsFile(opened.folder)
        typed = max([typed, *(one.document["number"] for one in keeper.kept())])
        stack.resume(*journal_steps(session))
        for _ in range(chance.randint(5, 200)):
            typed += 1
            keeper.keep("form", {"number": typed})
            os.write(handle, f"typed {typed} {time.time_ns()}\n".encode())
            match chance.choice(("save", "save", "undo", "redo")):
                case "undo":
                    stack.undo()
                case "redo":
                    stack.redo()
                case _:
                    step = EditStep.made(session, _random_edit(session, chance))
                    if step is not None:
                        stack.push(step)
            os.write(handle, f"edit {opened.revision}\n".encode())
        keeper.close()
        session.close()


def push_numbers(workspace: str, acks: str) -> None:
    """Count a number up in the one source of a workspace, and push each to its file."""
    while True:
        session = session_of(workspace, keep_workspace=True)
        for _ in range(5):
            (now,) = session.store.match(predicate=RDF.value)
            number = Literal(str(int(now.object.value) + 1), datatype=XSD.integer)  # type: ignore[union-attr]  # a literal
            session.edit(ChangeSet((now,), (Quad(now.subject, now.predicate, number, now.graph_name),)))
            push(session, push_plan(session))
            _acknowledge(acks, int(number.value))
        session.close()


def _random_edit(session: Session, chance: random.Random) -> ChangeSet:
    some = list(itertools.islice(session.store.match(), chance.randint(0, 50), 60))
    value, thing = BlankNode(f"v{chance.randint(0, 9)}"), chance.choice(some).subject
    number = Literal(f"0{chance.randint(0, 99)}", datatype=XSD.integer)
    size = NamedNode("http://example.org/size")
    added = [Quad(thing, RDFS.label, Literal(f"label {chance.random()}"), EDITS)]
    if chance.random() < 0.5:
        added += [Quad(thing, size, value, EDITS), Quad(value, RDF.value, number, EDITS)]
    return ChangeSet(tuple(chance.sample(some, chance.randint(0, 3))), tuple(added), "an edit", "because")


def _answer(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def main() -> None:
    """Start and end processes as they are asked for."""
    for line in sys.stdin:
        what, *arguments = line.split()
        if what == "wait":
            _, status = os.waitpid(int(arguments[0]), 0)
            _answer(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
            continue
        process = os.fork()
        if not process:
            {"edit": edit, "load": load, "describe": describe, "push": push_numbers}[what](*arguments)
        _answer(process)


if __name__ == "__main__":
    main()
