"""Outlines in columns: cards keep to their column and their order, and only what stands above moves them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.layout.columns import BULGE, STEM
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode

Columns = tuple[tuple[tuple[str, int], ...], ...]


def scene(columns: Columns, *edges: tuple[str, str]) -> Scene:
    nodes = tuple(SceneNode(key, f"Card {key}", "Dataset", stop="a note") for column in columns for key, _ in column)
    return Scene(nodes, tuple(SceneEdge(*edge, "used", leads="back") for edge in edges), "", "columns", columns=columns)


def test_an_outline_is_indented_and_columns_stand_beside_each_other() -> None:
    layout = arrange(
        scene(((("a", 0), ("b", 1), ("c", 2)), (("d", 0),)), ("a", "b"), ("d", "c"), ("d", "d"), ("c", "b"))
    )
    a, b, c, d = (layout.places[key] for key in "abcd")
    assert a.x < b.x < c.x
    assert a.bottom < b.y < b.bottom < c.y
    assert c.right < d.x
    assert a.width == d.width
    assert d.y == a.y
    assert len(layout.routes) == 4
    # Into what is inside a card the line goes down from it.
    (inside,) = [route for route in layout.routes if route.bundle.source == 0]
    assert inside.path.start.y == a.bottom
    assert inside.path.end == (b.x, b.centre.y)


OUTLINE = (("a", 0), ("b", 1), ("c", 1), ("d", 0))


@pytest.mark.parametrize(
    ("upper", "lower", "inside"),
    [("a", "b", True), ("a", "c", True), ("b", "c", False), ("c", "d", False), ("a", "d", False), ("b", "d", False)],
)
@pytest.mark.parametrize("up", [False, True])
def test_a_line_within_a_column_leads_down_or_past_the_left_sides(
    upper: str, lower: str, inside: bool, up: bool
) -> None:
    layout = arrange(scene((OUTLINE, (("other", 0),)), (lower, upper) if up else (upper, lower)))
    (route,) = layout.routes
    path = route.path.reversed() if up else route.path
    above, below = layout.places[upper], layout.places[lower]
    assert path.end == (below.x, below.centre.y)
    assert path.start == ((above.x + STEM, above.bottom) if inside else (above.x, above.centre.y))
    left = min(point.x for point in path.points())
    assert left == (above.x + STEM if inside else min(above.x, below.x) - BULGE)
    assert all(point.x <= max(above.x + STEM, below.x) for point in path.points())


def test_a_line_moves_no_card() -> None:
    columns = (OUTLINE, (("other", 0),))
    for line in (("b", "c"), ("a", "b"), ("d", "d"), ("other", "a")):
        assert arrange(scene(columns, line)).places == arrange(scene(columns)).places


def test_a_node_in_no_column_has_a_place_too() -> None:
    lonely = Scene((SceneNode("a", "A"), SceneNode("b", "B")), arrangement="columns", columns=((("a", 0),),))
    places = arrange(lonely).places
    assert not places["a"].overlaps(places["b"])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(0, 11), st.integers(1, 6))
def test_opening_a_card_moves_only_what_is_below_it(indents: list[int], at: int, new: int) -> None:
    at = min(at, len(indents) - 1)
    column = tuple((f"k{number}", indent) for number, indent in enumerate(indents))
    added = tuple((f"new{number}", indents[at] + 1) for number in range(new))
    before = arrange(scene((column, (("other", 0),)))).places
    after = arrange(scene(((*column[: at + 1], *added, *column[at + 1 :]), (("other", 0),)))).places
    assert all(after[key] == before[key] for key, _ in column[: at + 1])
    assert all(after[key].x == before[key].x for key, _ in column)
    assert after["other"].y == before["other"].y
    rects = list(after.values())
    assert not any(one.overlaps(two) for number, one in enumerate(rects) for two in rects[number + 1 :])
