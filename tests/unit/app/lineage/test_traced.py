"""A lineage with its picture, as the window asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from hpc_explorer.app.lineage.traced import phases_as_of, recorded, traced
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode

MODEL = NamedNode("http://example.org/seismic/run1-training-epoch2-model")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with closing(Session.new()) as made:
        open_sources(made, ["sample:seismic"])
        yield made


@pytest.mark.parametrize(
    ("whole", "phases", "is_folded"),
    [(False, None, True), (True, None, False), (False, False, False), (True, True, True)],
)
def test_it_is_folded_up_where_that_serves_or_is_asked_for(
    session: Session, whole: bool, phases: bool | None, is_folded: bool
) -> None:
    found = traced(session, MODEL, whole=whole, phases=phases)
    assert (found.phases is not None) is is_folded
    assert found.lineage == trace_lineage(session, MODEL)
    assert found.refs.keys() >= ({MODEL} if is_folded else found.lineage.nodes.keys())


def test_the_whole_picture_has_more_than_its_main_line(session: Session) -> None:
    line, whole = (traced(session, MODEL, whole=whole, phases=False) for whole in (False, True))
    assert line.lineage == whole.lineage
    assert len(line.scene.nodes) < len(whole.scene.nodes)


def test_what_was_open_is_open_in_phases(session: Session) -> None:
    closed = traced(session, MODEL).phases
    assert closed is not None
    (row,) = (row for row in closed.rows if row.title == "Learning" and row.opens)
    opened = traced(session, MODEL, frozenset({row.key})).phases
    assert opened is not None
    assert {one.key for one in opened.rows if one.is_open} == {row.key}


@pytest.mark.parametrize(("year", "is_there"), [(1990, False), (2100, True)])
def test_a_lineage_as_of_a_moment_is_none_before_its_resource(session: Session, year: int, is_there: bool) -> None:
    found = phases_as_of(session, MODEL, frozenset(), datetime(year, 1, 1, tzinfo=UTC))
    assert (found is not None) is is_there


@pytest.mark.parametrize("whole", [False, True])
def test_what_was_recorded_is_drawn_as_the_lineage_is(session: Session, whole: bool) -> None:
    now = traced(session, MODEL, whole=whole, phases=False)
    found = recorded(session, now.lineage, whole=whole)
    assert found.timeline.lineage.nodes.keys() == now.lineage.nodes.keys()
    assert {node.key for node in found.scene.nodes} == {node.key for node in now.scene.nodes}
