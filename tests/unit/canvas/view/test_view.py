"""Views of a graph: what steps do to them, that each can be undone, and that a saved one comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.graph.view_document import ViewDocument
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.picture import draw
from hpc_explorer.canvas.scene import SceneEdge, SceneNode
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.patch import difference, patched
from hpc_explorer.canvas.view.placing import visible_scene
from hpc_explorer.canvas.view.saved import from_json, to_json
from hpc_explorer.canvas.view.state import Expansion, Filters, GraphView, NeighbourSet, NodePlace, rest_key, set_of_rest
from hpc_explorer.errors import StoreError

PREDICATES = ("urn:used", "urn:made")
CLASSES = ("urn:Batch", "urn:Model", "urn:Run")


def node(number: int) -> SceneNode:
    return SceneNode(
        f"urn:n{number}", f"Node {number}", classes=(CLASSES[number % 3],), badges=("edited",) * (number % 2)
    )


def expansion_of(
    anchor: int, predicate: str, first: int, number: int, total: int
) -> tuple[NeighbourSet, Expansion, list[SceneNode], list[SceneEdge]]:
    """Neighbours numbered from `first` on, as the graph would give them."""
    members = [node(at) for at in range(first, first + number)]
    of = NeighbourSet(f"urn:n{anchor}", predicate, outgoing=True)
    edges = [SceneEdge(of.anchor, member.key, "uses", predicate=predicate, graphs=("urn:g",)) for member in members]
    return of, Expansion("uses", total, False, number, tuple(member.key for member in members)), members, edges


def hub(total: int = 14_204) -> GraphView:
    return steps.expanded(steps.opened(GraphView(), [node(0)]), *expansion_of(0, "urn:used", 1, 50, total))


def test_a_hub_shows_a_page_and_says_how_many_more_there_are() -> None:
    scene = visible_scene(hub())
    assert len(scene.nodes) == 52
    rest = scene.nodes[-1]
    assert (rest.label, rest.group) == ("14,154 more", True)
    assert set_of_rest(rest.key) == NeighbourSet("urn:n0", "urn:used", outgoing=True)


def test_a_total_that_is_a_lower_bound_says_so() -> None:
    of, expansion, nodes, edges = expansion_of(0, "urn:used", 1, 2, 10)
    view = steps.expanded(steps.opened(GraphView(), [node(0)]), of, replace(expansion, at_least=True), nodes, edges)
    found = visible_scene(view).node(rest_key(of))
    assert found is not None
    assert found.label == "8+ more"


def test_collapsing_takes_away_what_only_the_expansion_showed() -> None:
    view = steps.opened(hub(), [node(7)])
    second = expansion_of(3, "urn:made", 100, 4, 4)
    view = steps.expanded(view, *second)
    shared = expansion_of(7, "urn:made", 5, 1, 1)
    view = steps.expanded(view, *shared)
    view = steps.collapsed(view, NeighbourSet("urn:n0", "urn:used", outgoing=True))
    assert set(view.nodes) == {"urn:n0", "urn:n7", "urn:n5"}
    assert second[0] not in view.expansions


def test_a_ring_of_expansions_does_not_keep_itself_alive() -> None:
    view = steps.expanded(steps.opened(GraphView(), [node(0)]), *expansion_of(0, "urn:used", 1, 1, 1))
    view = steps.expanded(view, *expansion_of(1, "urn:used", 2, 1, 1))
    view = steps.expanded(view, *expansion_of(2, "urn:used", 1, 1, 1))
    assert set(steps.collapsed_node(view, "urn:n0").nodes) == {"urn:n0"}


def test_an_expansion_of_what_is_not_there_or_without_its_nodes_is_refused() -> None:
    of, expansion, nodes, edges = expansion_of(0, "urn:used", 1, 2, 2)
    with pytest.raises(ValueError, match="not in the view"):
        steps.expanded(GraphView(), of, expansion, nodes, edges)
    with pytest.raises(ValueError, match="without its node"):
        steps.expanded(steps.opened(GraphView(), [node(0)]), of, expansion, nodes[:1], edges)


def test_filters_leave_out_and_say_so() -> None:
    view = hub(50)
    scene = visible_scene(steps.filtered(view, Filters(classes=frozenset({"urn:Batch"}))))
    assert {found.classes for found in scene.nodes} == {("urn:Model",), ("urn:Run",)}
    assert scene.note == "17 of 51 opened nodes are hidden"
    assert not visible_scene(steps.filtered(view, Filters(predicates=frozenset({"urn:used"})))).edges
    assert not visible_scene(steps.filtered(view, Filters(graphs=frozenset({"urn:g"})))).edges
    assert not visible_scene(steps.filtered(view, Filters(origins=frozenset({"asserted"})))).edges
    named = visible_scene(steps.filtered(view, Filters(text="node 4")))
    assert {found.label for found in named.nodes} == {"Node 0", "Node 4", *(f"Node 4{digit}" for digit in range(10))}


def test_the_focus_narrows_to_what_is_near() -> None:
    view = steps.expanded(hub(50), *expansion_of(3, "urn:made", 100, 4, 4))
    near = visible_scene(steps.focused(view, "urn:n3"))
    assert {found.key for found in near.nodes} == {"urn:n0", "urn:n3", *(f"urn:n{at}" for at in range(100, 104))}
    assert len(visible_scene(steps.focused(view, "urn:n3", 2)).nodes) == 55


def test_what_a_person_fixed_stays_when_a_layout_moves_the_rest() -> None:
    view = steps.dragged(hub(50), {"urn:n1": (10.0, 20.0)})
    view = steps.placed(view, dict.fromkeys(view.nodes, (1.0, 2.0)))
    assert view.places["urn:n1"] == NodePlace(10.0, 20.0, pinned=True)
    assert view.places["urn:n2"] == NodePlace(1.0, 2.0)
    free = steps.placed(steps.pinned(view, ["urn:n1"], fixed=False), {"urn:n1": (3.0, 4.0)})
    assert free.places["urn:n1"] == NodePlace(3.0, 4.0)


def test_what_a_person_fixed_has_a_pin_in_the_picture() -> None:
    view = steps.opened(GraphView(), [SceneNode("urn:a", "A", badges=("edited",)), SceneNode("urn:b", "B")])
    moved = steps.dragged(view, {"urn:a": (1.0, 2.0)})
    badges = {node.key: node.badges for node in visible_scene(moved).nodes}
    assert badges == {"urn:a": ("edited", "pinned"), "urn:b": ()}
    let_go = steps.pinned(moved, ["urn:a"], fixed=False)
    assert visible_scene(let_go) == visible_scene(view)


def test_of_a_link_both_stated_and_inferred_the_statement_is_shown() -> None:
    inferred = SceneEdge("urn:n0", "urn:n1", origin="inferred", predicate="urn:used")
    for order in ([inferred, replace(inferred, origin="asserted")], [replace(inferred, origin="asserted"), inferred]):
        view = steps.opened(GraphView(), [node(0), node(1)], order)
        assert [edge.origin for edge in view.edges.values()] == ["asserted"]


# -- undo and saving, for any steps

Change = tuple[str, Callable[[GraphView], GraphView]]
_number = st.integers(0, 12)
_predicate = st.sampled_from(PREDICATES)
_keys = st.lists(_number.map(lambda number: f"urn:n{number}"), max_size=4)
_coordinate = st.floats(-1e4, 1e4, allow_nan=False)


def _expand(anchor: int, predicate: str, first: int, number: int) -> Callable[[GraphView], GraphView]:
    def step(view: GraphView) -> GraphView:
        here = expansion_of(anchor, predicate, first, number, number + 3)
        return steps.expanded(view, *here) if here[0].anchor in view.nodes else view

    return step


_changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(lambda at: ("open", lambda view: steps.opened(view, [node(at)])), _number),
    st.builds(
        lambda anchor, predicate, first, number: ("expand", _expand(anchor, predicate, first, number)),
        _number,
        _predicate,
        _number,
        st.integers(1, 4),
    ),
    st.builds(lambda at: ("collapse", lambda view: steps.collapsed_node(view, f"urn:n{at}")), _number),
    st.builds(lambda keys: ("remove", lambda view: steps.removed(view, keys)), _keys),
    st.builds(lambda keys: ("hide", lambda view: steps.hidden(view, keys)), _keys),
    st.just(("show again", steps.shown_again)),
    st.builds(
        lambda at, far: ("focus", lambda view: steps.focused(view, f"urn:n{at}", far)), _number, st.integers(1, 3)
    ),
    st.builds(
        lambda classes, text: ("filter", lambda view: steps.filtered(view, Filters(frozenset(classes), text=text))),
        st.lists(st.sampled_from(CLASSES)),
        st.sampled_from(["", "1", "node"]),
    ),
    st.builds(
        lambda cls, shape: ("style", lambda view: steps.styled(view, cls, Style("#336699", shape))),
        st.sampled_from(CLASSES),
        st.sampled_from(["square", "circle"]),
    ),
    st.builds(lambda keys: ("select", lambda view: steps.selecting(view, keys)), _keys),
    st.builds(
        lambda keys, x, y: ("move", lambda view: steps.dragged(view, dict.fromkeys(keys, (x, y)))),
        _keys,
        _coordinate,
        _coordinate,
    ),
    st.builds(lambda keys, fixed: ("pin", lambda view: steps.pinned(view, keys, fixed=fixed)), _keys, st.booleans()),
)


def picture_of(view: GraphView) -> object:
    scene = visible_scene(view)
    return draw(scene, arrange(scene), LIGHT)


@given(st.lists(_changes, min_size=1, max_size=60))
def test_steps_undone_give_back_the_view_and_its_picture_and_redone_too(changes: list[Change]) -> None:
    undo = UndoStack()
    document = ViewDocument(undo)
    document.settle(steps.opened(GraphView(), [node(at) for at in range(4)]))
    first = document.view
    for words, step in changes:
        document.change(step(document.view), words)
    last = document.view
    while undo.undo():
        pass
    assert document.view == first
    assert picture_of(document.view) == picture_of(first)
    while undo.redo():
        pass
    assert document.view == last
    assert picture_of(document.view) == picture_of(last)


@pytest.mark.slow
def test_a_thousand_random_steps_are_undone() -> None:
    import random

    chance = random.Random(4)
    undo = UndoStack()
    document = ViewDocument(undo)
    first = document.view
    done = 0
    while done < 1000:
        at = chance.randrange(200)
        view = document.view
        after = chance.choice(
            (
                lambda at=at, view=view: steps.opened(view, [node(at)]),
                lambda at=at, view=view: _expand(at, PREDICATES[at % 2], chance.randrange(200), 1 + at % 9)(view),
                lambda at=at, view=view: steps.collapsed_node(view, f"urn:n{at}"),
                lambda at=at, view=view: steps.hidden(view, [f"urn:n{at}"]),
                lambda at=at, view=view: steps.dragged(view, {f"urn:n{at}": (at * 1.5, -at)}),
                lambda at=at, view=view: steps.focused(view, f"urn:n{at}" if at % 3 else None, 2),
            )
        )()
        if after != view:
            document.change(after, "step")
            done += 1
    undone = 0
    while undo.undo():
        undone += 1
    assert undone == 1000
    assert document.view == first


@given(st.lists(_changes, max_size=30))
def test_a_view_saved_and_read_is_the_same_view(changes: list[Change]) -> None:
    view = steps.opened(GraphView(), [node(0), node(1)])
    for _, step in changes:
        view = step(view)
    text = to_json(view)
    assert from_json(text) == view
    assert to_json(from_json(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "hpc-explorer view", "version": 2}',
        '{"format": "hpc-explorer view", "version": 1}',
        to_json(hub()).replace('"roots": [\n  "urn:n0"', '"roots": [\n  "urn:elsewhere"'),
        to_json(steps.styled(GraphView(), "urn:Batch", Style(shape="circle"))).replace('"circle"', '"cloud"'),
        "[" * 100_000,
    ],
    ids=["empty", "list", "object", "null", "newer", "bare", "stray root", "odd shape", "deep"],
)
def test_what_is_no_saved_view_is_named(text: str) -> None:
    with pytest.raises(StoreError, match="saved view"):
        from_json(text, "views/mine.json")


def test_where_a_layout_puts_things_is_undone_with_the_step_before_it() -> None:
    undo = UndoStack()
    document = ViewDocument(undo)
    document.change(steps.opened(document.view, [node(0), node(1)]), "open")
    document.settle(steps.placed(document.view, {"urn:n0": (1.0, 1.0)}))
    placed = document.view
    document.change(steps.hidden(document.view, ["urn:n1"]), "hide")
    document.settle(steps.placed(document.view, {"urn:n0": (5.0, 5.0)}))
    assert undo.undo()
    assert document.view == placed
    document.settle(steps.selecting(document.view, ["urn:n1"]))
    assert undo.redo()
    assert document.view.hidden == {"urn:n1"}
    assert undo.undo_words == "hide"


def test_a_patch_for_another_view_is_refused() -> None:
    before, after = GraphView(), steps.opened(GraphView(), [node(0)])
    patch = difference(before, after, "open")
    with pytest.raises(ValueError, match="made for"):
        patched(steps.opened(GraphView(), [replace(node(0), label="other")]), patch)
    with pytest.raises(ValueError, match="made for"):
        patched(after, difference(GraphView(focus=None, roots=frozenset({"urn:n3"})), GraphView(), "close"))
