"""Workflows to choose from say how large their tables are; nothing is run for that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.ask.choosing import interpret_with_tables
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.language.interpretation import Status
from tests.helpers.sessions import session_of
from tests.helpers.workflow_graph import workflow_graph


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = session_of(workflow_graph(tmp_path / "graph"))
    yield session
    session.close()


def test_each_workflow_to_choose_from_tells_the_size_of_its_table(session: Session) -> None:
    found = interpret_with_tables(session, "merge runs.csv with nodes.csv with cores over 50")
    assert found.status is Status.AMBIGUOUS
    assert [(one.sentence.split()[0], one.size) for one in found.readings] == [
        ("Keep", "1 row, 5 columns"),
        ("Merge", "1 row, 5 columns"),
    ]


def test_one_workflow_is_not_looked_at_before_it_is_shown(session: Session) -> None:
    found = interpret_with_tables(session, "Average seconds per state in runs.csv")
    assert found.status is Status.UNDERSTOOD
    assert found.readings[0].size == ""


def test_a_table_that_is_gone_is_told_beside_the_workflow(session: Session, tmp_path: Path) -> None:
    (tmp_path / "graph" / "nodes.csv").unlink()
    found = interpret_with_tables(session, "merge runs.csv with nodes.csv with cores over 50")
    assert found.status is Status.AMBIGUOUS
    assert all(one.size.startswith("cannot be run: ") for one in found.readings)
