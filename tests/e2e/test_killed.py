"""Killed at any moment of an edit or a load, a workspace opens with the old state or the new, and nothing in between."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import DefaultGraph, NamedNode, Quad
from hpc_explorer.stores.local.profile import count_profile
from tests.helpers.kept_names import current_state, kept_names, names_made
from tests.helpers.killed_programs import edited
from tests.helpers.killing import Programs

PATIENCE = 200.0
"""Seconds within which a program gets something done."""


def document(file: Path, size: int) -> Path:
    """A graph of so many resources."""
    file.write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <http://example.org/> .\n"
        + "\n".join(
            f'ex:{file.stem}{n} a ex:Kind{n % 7} ; rdfs:label "{file.stem} {n}" ; ex:p 0{n} ; ex:next ex:{file.stem}{n + 1} .'
            for n in range(size)
        ),
        encoding="utf-8",
    )
    return file


def with_graphs(file: Path) -> Path:
    """The same graph as quads, half of them in a graph with a name, and spelled by a rule with exceptions."""
    quads = file.with_suffix(".nq")
    decimal = "<http://www.w3.org/2001/XMLSchema#decimal>"
    lines = [
        f'<urn:two:{n}> <urn:p> "{n}.{"50" if n % 9 else "5"}"^^{decimal} {"<urn:two>" if n % 2 else ""} .\n'
        for n in range(200)
    ]
    described = [
        f"{quad.subject} {quad.predicate} {quad.object} {'<urn:two>' if number % 2 else ''} .\n"
        for number, quad in enumerate(read_source(file).quads())
    ]
    quads.write_text("".join([*lines, *described]), encoding="utf-8")
    return quads


def quads_in(file: Path) -> frozenset[Quad]:
    """What a file states; what is in no graph there is in one of the file's name here."""
    own = NamedNode(file.as_uri())
    return frozenset(
        Quad(
            quad.subject,
            quad.predicate,
            quad.object,
            own if isinstance(quad.graph_name, DefaultGraph) else quad.graph_name,
        )
        for quad in read_source(file).quads()
    )


class Checked:
    """What a workspace must hold, and what it was found to hold."""

    def __init__(self, folder: Path, chance: random.Random, *, graphs: bool) -> None:
        self.workspace = folder / "w"
        self.one, self.two = document(folder / "one.ttl", 60), document(folder / "two.ttl", 40)
        if graphs:
            self.two = with_graphs(self.two)
        load_into(self.workspace, [str(self.one)])
        began = time.monotonic()
        load_into(self.workspace, [str(self.two)])
        # A load or an edit of these graphs, with the opening and closing around it, takes about so many seconds here.
        self.longest = 1.5 * (time.monotonic() - began)
        load_into(self.workspace, [], remove=[str(self.two)])
        self.revision = 0
        self.loads = 0
        self.acks = folder / "acks"
        self._chance = chance

    def acknowledged(self) -> int | None:
        """The last thing that the killed program was told to be done, if there was one."""
        if not self.acks.exists():
            return None
        done = self.acks.read_text().split()
        self.acks.unlink()
        return int(done[-1]) if done else None

    def until_told(self) -> None:
        """Wait until a program was told that it has done something."""
        end = time.monotonic() + PATIENCE
        while not (self.acks.exists() and self.acks.stat().st_size):
            assert time.monotonic() < end, "it did nothing"

    def check(self, what: str) -> None:
        """Open it, and see that it is the state of which the program was told, or the next one."""
        opened = OpenWorkspace.open(self.workspace, alone=self._chance.random() < 0.5)
        told = self.acknowledged()
        loaded = len(opened.sources) - 1
        if what == "edit":
            last = self.revision if told is None else told
            assert opened.revision in (last, last + 1)
            assert loaded == self.loads % 2
            self.revision = opened.revision
        else:
            last = self.loads if told is None else told
            assert opened.revision == self.revision
            self.loads = last if loaded == last % 2 else last + 1
        quads = Counter(opened.store.match())
        stated = quads_in(self.one) | edited(self.revision) | (quads_in(self.two) if loaded else frozenset())
        assert frozenset(quads) == stated
        assert opened.profile == count_profile(opened.store)
        assert kept_names(current_state(self.workspace)) == names_made(opened.store, opened.schema())
        opened.close()


def moments(workspace: Path, longest: float, chance: random.Random) -> Iterator[Callable[[], None]]:
    """When to kill: after any time, or when something appears in the workspace's folder."""

    def after(seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass

    def appears(pattern: str) -> None:
        def seen() -> dict[Path, tuple[int, int]]:
            try:
                # What is replaced is another file, of the same size perhaps.
                return {
                    path: (found.st_ino, found.st_size) for path in workspace.glob(pattern) for found in [path.stat()]
                }
            except FileNotFoundError:
                # Something went while it was looked at: that is a change too.
                return {}

        before, end = seen(), time.monotonic() + PATIENCE
        while seen() == before:
            assert time.monotonic() < end, f"{pattern} never changed"
        after(chance.choice((0, 0, 0.0005, 0.002)))

    patterns = (
        "manifest.json.new",
        "manifest.json",
        "states/*",
        "states/*/labels.db",
        "states/*/in-use",
        "states/*/store",
    )
    while True:
        yield lambda: after(chance.uniform(0, longest))
        yield lambda: after(chance.uniform(0, longest))
        yield lambda: appears(chance.choice(patterns))
        yield lambda: appears("**/*")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_killed_at_a_hundred_moments(
    seed: int, tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    if seed == 3:
        monkeypatch.setattr(loading, "BULK_FROM", 1)
    checked = Checked(tmp_path, chance, graphs=seed == 3)
    for moment, _ in zip(moments(checked.workspace, checked.longest, chance), range(25), strict=False):
        if chance.random() < 0.5:
            programs.run_until(moment, "edit", checked.workspace, checked.acks, checked.revision)
            checked.check("edit")
        else:
            programs.run_until(moment, "load", checked.workspace, checked.acks, checked.loads, checked.two)
            checked.check("load")
    # However slow the machine is: one of each kind gets something done before it is killed.
    programs.run_until(checked.until_told, "edit", checked.workspace, checked.acks, checked.revision)
    checked.check("edit")
    programs.run_until(checked.until_told, "load", checked.workspace, checked.acks, checked.loads, checked.two)
    checked.check("load")
    load_into(checked.workspace, [str(checked.one)])
    assert len(list((checked.workspace / "states").iterdir())) == 1, "what the killed ones left is cleaned up"
    assert checked.revision
    assert checked.loads
