"""Programs that edit a workspace, or load into it, until somebody kills them; started in no time by a process that forks.

    python killed_programs.py

It reads `edit WORKSPACE ACKS REVISION` or `load WORKSPACE ACKS LOADS FILE` from standard input and answers with the
number of the process it started; it reads `wait NUMBER` and answers with the signal that ended that process.
What a program has done, and was told to be done, it writes to ACKS.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
from pathlib import Path

from hpc_explorer.app import workspace as workspaces
from hpc_explorer.app.operations import load_into, loading
from hpc_explorer.app.workspace import OpenWorkspace
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes import ChangeSet

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
    workspaces._SNAPSHOT_EVERY = 5
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
            (edit if what == "edit" else load)(*arguments)
        _answer(process)


if __name__ == "__main__":
    main()
