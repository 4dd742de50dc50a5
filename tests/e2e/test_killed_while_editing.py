"""Killed at any moment while somebody edits: what was made is there, and what was typed before the last writing of it.

HPC_EXPLORER_KILLS says how often, in place of 15 times.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from hpc_explorer.app.forms import typed
from hpc_explorer.app.forms.typed import TypedFormsFile
from hpc_explorer.app.journal.journal import changes
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.changes.journal import records
from tests.helpers.killing import Programs

KILLS = int(os.environ.get("HPC_EXPLORER_KILLS", "15"))
PATIENCE = 200.0


class Acks:
    """What the killed programs were told to be done."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.revision = 0
        self.typed: list[tuple[int, int]] = []

    def read(self) -> None:
        """Take in what came since; a last line that was cut off was told to nobody. What the one before typed is past."""
        self.typed.clear()
        for line in self.file.read_text().split("\n")[:-1] if self.file.exists() else ():
            what, number, *when = line.split()
            if what == "edit":
                self.revision = int(number)
            else:
                self.typed.append((int(number), int(when[0])))
        self.file.unlink(missing_ok=True)

    def size(self) -> int:
        return self.file.stat().st_size if self.file.exists() else 0


class Writings:
    """When what is typed into the form was written to its file, as far as that was seen from outside."""

    def __init__(self, workspace: Path) -> None:
        self._folder = workspace / typed.FOLDER
        self.times = [self._time()]

    def _time(self) -> int:
        return max((file.stat().st_mtime_ns for file in self._folder.glob("*.json")), default=0)

    def look(self) -> None:
        """See whether it was written again."""
        now = self._time()
        if now != self.times[-1]:
            self.times.append(now)

    def due(self, acks: Acks) -> int:
        """The number of the last key that must be in the file: it was typed before the last writing but one ended.

        The last writing began after that. How soon it is written is a matter of the machine, and of `TypedFormsFile`.
        """
        before = self.times[-2] if len(self.times) > 2 else 0
        return max((number for number, when in acks.typed if when <= before), default=0)


def replayed(first: Counter[Quad], workspace: Path) -> Counter[Quad]:
    """A graph with the whole journal made in it again."""
    graph = set(first)
    for record in records(workspace / "journal"):
        assert graph.issuperset(record.change.removed), "only what is there is removed"
        graph.difference_update(record.change.removed)
        assert graph.isdisjoint(record.change.added), "only what is not there is added"
        graph.update(record.change.added)
    return Counter(graph)


@pytest.mark.slow
@pytest.mark.timeout(900 + 10 * KILLS)
def test_killed_while_somebody_edits(tmp_path: Path, programs: Programs) -> None:
    workspace = tmp_path / "w"
    load_into(workspace, ["sample:xplacer"])
    opened = OpenWorkspace.open(workspace)
    first = Counter(opened.store.match())
    opened.close()
    chance, acks = random.Random(KILLS), Acks(tmp_path / "acks")
    recovered = 0
    for number in range(10 * KILLS):
        if number >= KILLS and recovered:
            break  # before that, none died with edits that only the journal had, as may be where a machine is slow
        # Mostly soon after it began, for openings and closings to be met; sometimes after the keeper wrote many times.
        seconds, writings = chance.uniform(0, 0.7), Writings(workspace)

        def moment(seconds: float = seconds, sure: bool = number % 5 == 0, writings: Writings = writings) -> None:
            end = time.monotonic() + PATIENCE
            while sure and not (acks.size() and len(writings.times) > 5):
                assert time.monotonic() < end, "it did nothing, or wrote nothing of what was typed"
                writings.look()
                time.sleep(0.005)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                writings.look()
                time.sleep(0.005)

        programs.run_until(moment, "describe", workspace, acks.file, number)
        acks.read()
        revisions = [record.revision for record in records(workspace / "journal")]
        assert revisions == list(range(1, len(revisions) + 1)), "the journal can be read, whole"
        assert acks.revision <= len(revisions) <= acks.revision + 1, "nothing that was made is lost"
        alone = chance.random() < 0.7
        opened = OpenWorkspace.open(workspace, alone=alone)
        assert opened.revision == len(revisions)
        if opened.recovered is not None:
            recovered += 1
            assert opened.recovered.last == opened.revision
        assert Counter(opened.store.match()) == replayed(first, workspace), "the graph is the journal's replay"
        opened.close()
        kept = max((one.document["number"] for one in TypedFormsFile(workspace).kept()), default=0)
        assert writings.due(acks) <= kept
        assert writings.due(acks) or number % 5, "something of it was written"
        acks.revision = len(revisions)
    assert acks.revision
    assert recovered, "some died with edits that only the journal had"
    session = Session.new()
    session.show_workspace(OpenWorkspace.open(workspace))
    assert len(changes(session)) == acks.revision
    session.close()
