"""Where a view's nodes stand: old ones stay, new ones settle, and the same view always gives the same picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.picture import draw
from hpc_explorer.canvas.scene import Arrangement, SceneEdge, SceneNode
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.placing import drawn, placed_view, rearranged
from hpc_explorer.canvas.view.saved import from_json, to_json
from hpc_explorer.canvas.view.state import Expansion, GraphView, NeighbourSet, rest_key

USED = "urn:used"


def node(number: int) -> SceneNode:
    return SceneNode(f"urn:n{number}", f"Node {number}")


def hub(shown: int = 20, total: int = 90) -> tuple[NeighbourSet, GraphView]:
    of = NeighbourSet("urn:n0", USED, outgoing=False)
    return of, grown(steps.opened(GraphView(), [node(0)]), of, shown, total)


def grown(view: GraphView, of: NeighbourSet, shown: int, total: int) -> GraphView:
    members = [node(number) for number in range(1, shown + 1)]
    edges = [SceneEdge(member.key, of.anchor, "used", predicate=USED) for member in members]
    expansion = Expansion("used by", total, False, shown, tuple(member.key for member in members))
    return steps.expanded(view, of, expansion, members, edges)


def picture(view: GraphView) -> str:
    return to_svg(draw(*drawn(view), LIGHT), embed_fonts=False)


def overlaps(view: GraphView) -> list[tuple[str, str]]:
    cards = sorted(drawn(view)[1].places.items())
    return [(a, b) for n, (a, one) in enumerate(cards) for b, other in cards[n + 1 :] if one.overlaps(other)]


def test_what_has_a_place_keeps_it_when_the_view_grows() -> None:
    of, view = hub()
    first = placed_view(view)
    second = placed_view(grown(first, of, 60, 90))
    assert {key: second.places[key] for key in first.places} == first.places
    assert second.places.keys() == second.nodes.keys() | {rest_key(of)}
    assert overlaps(second) == []


def test_neighbours_of_one_kind_stand_in_the_order_of_their_names() -> None:
    alone = placed_view(steps.opened(GraphView(), [node(0)]))
    places = placed_view(grown(alone, NeighbourSet("urn:n0", USED, outgoing=False), 12, 12)).places
    column = [places[f"urn:n{number}"] for number in range(1, 13)]
    assert len({place.x for place in column}) == 1
    assert [place.y for place in column] == sorted(place.y for place in column)
    assert column[0].x < places["urn:n0"].x


@pytest.mark.parametrize("arrangement", ["layered", "force", "tree"])
def test_the_picture_depends_on_the_view_alone(arrangement: Arrangement) -> None:
    of, view = hub()
    tidy = rearranged(placed_view(view), arrangement)
    assert overlaps(tidy) == []
    shown = picture(tidy)
    assert picture(from_json(to_json(tidy))) == shown
    later = placed_view(grown(tidy, of, 40, 90))
    assert picture(later) != shown
    assert picture(tidy) == shown


def test_a_layered_view_has_the_lines_of_its_layout_until_something_is_moved() -> None:
    _, view = hub()
    tidy = rearranged(placed_view(view), "layered")
    assert tidy.arranged == "layered"
    assert drawn(tidy)[1].labels != drawn(replace(tidy, arranged=None))[1].labels
    moved = steps.dragged(tidy, {"urn:n3": (0.0, 900.0)})
    assert moved.arranged is None
    assert drawn(moved)[1].places["urn:n3"].centre == (0.0, 900.0)


@pytest.mark.parametrize("arrangement", ["layered", "force", "tree"])
def test_pinned_nodes_stay_where_they_are_when_all_is_laid_out_anew(arrangement: Arrangement) -> None:
    _, view = hub()
    fixed = steps.dragged(placed_view(view), {"urn:n3": (1234.5, -300.25), "urn:n9": (1600.0, 40.0)})
    anew = rearranged(fixed, arrangement)
    assert [anew.places[key] for key in ("urn:n3", "urn:n9")] == [fixed.places[key] for key in ("urn:n3", "urn:n9")]
    assert overlaps(anew) == []


def test_a_hidden_node_comes_back_where_it_was() -> None:
    _, view = hub()
    before = placed_view(view)
    hidden = placed_view(steps.hidden(before, ["urn:n5"]))
    assert picture(steps.shown_again(hidden)) == picture(before)


def test_what_is_drawn_must_have_a_place() -> None:
    _, view = hub()
    with pytest.raises(ValueError, match="has no place"):
        drawn(view)
