"""Pictures say what their scene says, in the colours of the theme, within their bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from hpc_explorer.canvas.export.page import sheet
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.legend import of_look
from hpc_explorer.canvas.palette import DARK, LIGHT, PRINT, Theme, class_colour, contrast
from hpc_explorer.canvas.picture import Picture, draw, emphasis
from hpc_explorer.canvas.primitives import Box, Line, Polygon, Sign, Text, extent, moved
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from tests.helpers.scenes import hub, scenes, story


def drawn(scene: Scene, theme: Theme = LIGHT, **marks: str) -> Picture:
    return draw(scene, arrange(scene), theme, **marks)


def texts(picture: Picture) -> list[str]:
    return [item.text for item in picture.primitives if isinstance(item, Text)]


def lines(picture: Picture) -> list[Line]:
    return [item for item in picture.primitives if isinstance(item, Line)]


def test_a_picture_shows_labels_classes_captions_and_notes() -> None:
    shown = texts(drawn(story()))
    for expected in ("decisionTree.onnx", "AI model", "Dataset · 1,204 rows", "nothing recorded before"):
        assert expected in shown


def test_how_a_link_is_known_shows_in_its_line() -> None:
    nodes = tuple(SceneNode(key, key) for key in "abcd")
    edges = (
        SceneEdge("a", "b", "x", "asserted"),
        SceneEdge("b", "c", "y", "inferred"),
        SceneEdge("c", "d", "z", "matched"),
    )
    picture = drawn(Scene(nodes, edges))
    assert len({line.dash for line in lines(picture)}) == 3
    assert [entry.label for entry in picture.legend] == ["asserted", "inferred", "matched by value"]


def test_every_line_has_one_arrowhead_at_its_target() -> None:
    scene = story()
    layout = arrange(scene)
    polygons = [item for item in draw(scene, layout, LIGHT).primitives if isinstance(item, Polygon)]
    tips = [item.points[0] for item in polygons if len(item.points) == 3]
    assert sorted(set(tips)) == sorted({route.path.end for route in layout.routes})
    assert len(tips) == len(set(tips))


def test_what_lines_share_is_drawn_once() -> None:
    assert len(lines(drawn(hub(40)))) == 3


def test_the_legend_names_each_colour_once() -> None:
    nodes = (SceneNode("a", "a", "Cluster"), SceneNode("b", "b", "GPU"), SceneNode("c", "c", "Dataset"))
    legend = drawn(Scene(nodes)).legend
    assert [entry.label for entry in legend] == ["Cluster, GPU", "Dataset"]
    assert legend[1].colour == class_colour(LIGHT, "Dataset")


def test_a_look_is_counted_and_named_in_the_legend() -> None:
    nodes = [SceneNode(key, key, "Dataset") for key in "abc"] + [
        SceneNode("d", "d", "Run"),
        SceneNode("e", "…", group=True),
    ]
    entries = drawn(Scene(tuple(nodes))).legend
    assert [(entry.label, entry.count, entry.key) for entry in entries] == [
        ("Dataset", 3, "data"),
        ("Run", 1, "experiment"),
    ]
    shown = texts(sheet(drawn(Scene(tuple(nodes))), LIGHT))
    assert shown[-4:] == ["Dataset", "3", "Run", "1"]


def test_classes_themselves_are_named_by_the_kind_of_things_they_are_of() -> None:
    nodes = (
        SceneNode("a", "Dataset", "", "data"),
        SceneNode("b", "GPU", "", "machine"),
        SceneNode("c", "?", "", "other"),
    )
    assert [(entry.label, entry.count) for entry in drawn(Scene(nodes)).legend] == [("Data", 1), ("Machines", 1)]


def test_what_is_put_back_lies_faint_behind_the_rest() -> None:
    scene = story()
    layout = arrange(scene)
    theme = replace(LIGHT, faded=frozenset({"data", "model"}))
    plain, faded = draw(scene, layout, LIGHT), draw(scene, layout, theme)
    assert len(plain.primitives) == len(faded.primitives)
    ink = {item.text: item.colour for item in faded.primitives if isinstance(item, Text)}
    assert ink["Parse the logs"] == ink["decisionTree.onnx"] == LIGHT.text, "the focus is never put back"
    assert contrast(ink["Training dataset DA000001"], LIGHT.surface) < 2
    order = [item.text for item in faded.primitives if isinstance(item, Text)]
    assert order.index("Training dataset DA000001") < order.index("Parse the logs")
    touched = [item.stroke for item in lines(faded)]
    assert set(touched) - {LIGHT.edge}
    assert LIGHT.edge in touched
    assert [node.key for node in of_look(scene, LIGHT, "data")] == ["data"]
    assert [node.key for node in of_look(scene, LIGHT, "file")] == ["log1", "log2"]


def test_a_node_is_put_back_by_itself_even_the_focus() -> None:
    scene = story()
    layout = arrange(scene)
    marked = replace(scene, nodes=tuple(replace(node, back=node.focus) for node in scene.nodes))
    ink = {item.text: item.colour for item in draw(marked, layout, LIGHT).primitives if isinstance(item, Text)}
    assert contrast(ink["decisionTree.onnx"], LIGHT.surface) < 2
    assert ink["Parse the logs"] == LIGHT.text
    assert len(draw(marked, layout, LIGHT).primitives) == len(draw(scene, layout, LIGHT).primitives)


def test_what_a_filter_leaves_out_keeps_its_place_in_the_legend() -> None:
    nodes = (
        SceneNode("a", "A", "Activity"),
        SceneNode("b", "B", "Dataset"),
        SceneNode("c", "C", "Dataset"),
        SceneNode("d", "D", "Person"),
    )
    shown, gone = (nodes[0], nodes[3]), nodes[1:3]
    whole, filtered = drawn(Scene(nodes)).legend, drawn(Scene(shown, left_out=gone)).legend
    assert [entry.key for entry in filtered] == [entry.key for entry in whole] == ["activity", "data", "agent"]
    assert [(entry.count, entry.left_out) for entry in filtered] == [(1, False), (2, True), (1, False)]
    assert of_look(Scene(shown, left_out=gone), LIGHT, "data") == gone
    # What is shown goes before what is left out.
    part = Scene(nodes[:2], left_out=nodes[2:3])
    assert [(entry.count, entry.left_out) for entry in drawn(part).legend] == [(1, False), (1, False)]
    assert of_look(part, LIGHT, "data") == nodes[1:2]
    nothing = drawn(Scene(left_out=nodes)).legend
    assert [entry.left_out for entry in nothing] == [True, True, True]


def test_cards_bear_the_sign_of_their_kind() -> None:
    signs = [item for item in drawn(story()).primitives if isinstance(item, Sign)]
    assert [sign.icon for sign in signs] == ["file", "file", "workflow", "dataset", "experiment", "person", "model"]
    cards = drawn(story()).cards.values()
    assert all(any(card.contains(sign.square.centre) for card in cards) for sign in signs)


def test_the_colour_key_wins_over_the_class() -> None:
    picture = drawn(Scene((SceneNode("a", "a", "Very special thing", colour_key="data"),)))
    assert any(isinstance(item, Box) and item.fill == LIGHT.classes["data"] for item in picture.primitives)


def test_a_group_is_drawn_as_a_stack() -> None:
    one, many = (drawn(Scene((SceneNode("a", "a", group=group),))) for group in (False, True))
    assert len(many.primitives) == len(one.primitives) + 2


def test_the_focus_and_the_selected_node_are_marked() -> None:
    scene = story()
    card = arrange(scene).places["data"]
    rings = [
        item.rect
        for item in drawn(scene, selected="data").primitives
        if isinstance(item, Box) and item.stroke == LIGHT.accent and item.rect.overlaps(card)
    ]
    assert [ring.contains(card.centre) and ring.width > card.width for ring in rings] == [True]
    focus = [item for item in drawn(scene).primitives if isinstance(item, Box) and item.fill == LIGHT.accent_soft]
    assert [item.rect for item in focus] == [arrange(scene).places["model"]]


def test_marked_nodes_have_all_their_lines_with_their_labels() -> None:
    scene = story()
    layout = arrange(scene)
    marks = emphasis(scene, layout, LIGHT, selected="train", hovered="log1")
    assert {item.text for item in marks if isinstance(item, Text)} == {"used", "conducted by", "was generated by"}
    assert all(item.stroke == LIGHT.accent for item in marks if isinstance(item, Line))
    assert emphasis(scene, layout, LIGHT, selected="unknown") == ()
    assert emphasis(scene, layout, LIGHT) == ()


def test_an_empty_picture_says_what_it_is_for() -> None:
    scene = Scene(title="Lineage", empty_text="Choose a model to see where it comes from.")
    assert texts(drawn(scene)) == ["Choose a model to see where it comes from."]
    assert texts(sheet(drawn(scene), LIGHT))[0] == "Lineage"


def test_a_page_has_a_title_above_and_a_legend_below() -> None:
    page = sheet(drawn(story()), LIGHT)
    shown = {item.text: item.at.y for item in page.primitives if isinstance(item, Text)}
    card = page.cards["model"]
    assert shown["Where decisionTree.onnx comes from"] < card.y
    assert shown["Dataset"] > max(rect.bottom for rect in page.cards.values())
    assert card.contains(next(item.at for item in page.primitives if getattr(item, "text", "") == "decisionTree.onnx"))


@given(scenes())
def test_nothing_is_drawn_outside_the_page(scene: Scene) -> None:
    for theme in (LIGHT, DARK, PRINT):
        page = sheet(drawn(scene, theme), theme)
        for item in page.primitives:
            part = extent(item)
            assert page.bounds.x <= part.x <= part.right <= page.bounds.right
            assert page.bounds.y <= part.y <= part.bottom <= page.bounds.bottom


@given(scenes())
def test_texts_stay_within_their_card(scene: Scene) -> None:
    layout = arrange(scene)
    picture = draw(scene, layout, LIGHT)
    for item in picture.primitives:
        if isinstance(item, Text) and item.anchor == "start":
            part = extent(item)
            assert any(
                card.x <= part.x and part.right <= card.right + 0.01
                for key, rect in layout.places.items()
                for card in [Rect(rect.x, rect.y, rect.width, rect.height + layout.feet[key])]
                if card.contains(item.at)
            )


@given(scenes(most=8))
def test_light_and_dark_differ_in_colours_only(scene: Scene) -> None:
    light, dark = drawn(scene, LIGHT), drawn(scene, DARK)
    assert [type(item) for item in light.primitives] == [type(item) for item in dark.primitives]
    assert [extent(item) for item in light.primitives] == [extent(item) for item in dark.primitives]
    colours = {value for value in vars(DARK).values() if isinstance(value, str)} | set(DARK.classes.values())
    for item in dark.primitives:
        used = {getattr(item, name, None) for name in ("fill", "stroke", "colour")} - {None}
        assert used <= colours


def test_moved_primitives_keep_their_shape() -> None:
    before = drawn(story()).primitives
    after = moved(before, 10.0, -5.0)
    assert [extent(item).moved(10.0, -5.0) for item in before] == [pytest.approx(extent(item)) for item in after]


def test_the_description_tells_the_links() -> None:
    description = drawn(story()).description
    assert "7 nodes, 7 links" in description
    assert "decisionTree.onnx was generated by Train the decision tree" in description
