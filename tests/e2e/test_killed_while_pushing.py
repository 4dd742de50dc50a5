"""Killed at any moment of a push, the file is whole: as it was before, or as it is after.

HPC_EXPLORER_KILLS says how often, in place of 6 times.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from hpc_explorer.app.journal.push import push, push_plan
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF
from tests.helpers.killing import Programs

KILLS = int(os.environ.get("HPC_EXPLORER_KILLS", "6"))
PATIENCE = 200.0


@pytest.mark.slow
def test_killed_while_pushing(programs: Programs, tmp_path: Path) -> None:
    file, workspace, acks = tmp_path / "count.ttl", tmp_path / "w", tmp_path / "acks"
    padding = "".join(f'ex:r{number} ex:name "resource {number}" . # {number}\n' for number in range(600))
    text = (
        "@prefix ex: <http://example.org/> .\n@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
        f"{padding}ex:count rdf:value NUMBER .\n"
    )
    file.write_text(text.replace("NUMBER", "0"))
    load_into(workspace, [str(file)])
    acks.touch()
    chance = random.Random(5)
    reached: set[int] = set()
    for _ in range(KILLS):
        begun = acks.stat().st_size

        def moment(begun: int = begun) -> None:
            end = time.monotonic() + PATIENCE
            while acks.stat().st_size == begun:
                assert time.monotonic() < end, "nothing was pushed"
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.3))

        programs.run_until(moment, "push", workspace, acks)
        number = int(file.read_text().rstrip(" .\n").rpartition(" ")[2])
        assert file.read_text() == text.replace("NUMBER", str(number))
        assert number >= int(acks.read_text().split()[-1]), "what was said to be pushed is there"
        reached.add(number)
    assert len(reached) == KILLS
    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=True)
    push(session, push_plan(session))
    (now,) = session.store.match(predicate=RDF.value)
    assert file.read_text() == text.replace("NUMBER", now.object.value)  # type: ignore[union-attr]  # a literal
    assert push_plan(session).targets == ()
    session.close()
