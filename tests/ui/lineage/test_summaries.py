"""What is said of a picture in one line."""

from __future__ import annotations

import pytest

from hpc_explorer.app.lineage.traced import traced
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.lineage.summaries import lineage_summary, neighbours_summary
from tests.helpers.windows import MODEL


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session.new()
    open_sources(session, ["sample:xplacer"])
    return session


def test_a_lineage_says_how_large_it_is(session: Session) -> None:
    found = traced(session, NamedNode(MODEL), phases=False)
    said = lineage_summary(found, downstream=False)
    assert f"{len(found.lineage.nodes) - 1} things, {len(found.lineage.edges)} links" in said


def test_a_cut_off_lineage_says_so(session: Session) -> None:
    assert "more beyond these steps" in lineage_summary(
        traced(session, NamedNode(MODEL), depth=1, phases=False), downstream=False
    )


def test_where_nothing_is_recorded_that_is_said(session: Session) -> None:
    end = NamedNode("http://example.org/nobody")
    assert lineage_summary(traced(session, end), downstream=False) == "Nothing is recorded before it."
    assert lineage_summary(traced(session, end, downstream=True), downstream=True) == "Nothing is recorded after it."


FOCUS = SceneNode("f", "Focus", focus=True)


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (Scene(), ""),
        (Scene((FOCUS,)), "No links to other resources"),
        (
            Scene((FOCUS, SceneNode("a", "A")), (SceneEdge("f", "a"),)),
            "1 link with 1 neighbour",
        ),
        (
            Scene((FOCUS, SceneNode("a", "A"), SceneNode("m", "… and 9 more", group=True))),
            "1 neighbour drawn. Each “… and more” opens the whole list.",
        ),
    ],
)
def test_a_neighbourhood_in_one_line(scene: Scene, said: str) -> None:
    assert neighbours_summary(scene) == said
