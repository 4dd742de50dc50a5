"""Selecting several nodes and moving them on the canvas, with a real mouse and real keys."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.ui.canvas.view import CanvasView
from tests.helpers.canvases import ROOMY, above_all, middle_of, open_canvas, place_of
from tests.helpers.scenes import field, story
from tests.helpers.watchdog import longest_here

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
EVERY_KEY = frozenset(node.key for node in story().nodes)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> CanvasView:
    """The story in a view that all of it fits in."""
    made = open_canvas(qapp, qtbot, story(), size=ROOMY)
    qtbot.mouseClick(made, LEFT, pos=QPoint(4, 4))  # with the mouse at hand no frame shows where the keys go
    return made


def drag(
    qtbot: QtBot,
    view: CanvasView,
    corners: list[QPoint],
    held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    *,
    drop: bool = True,
) -> None:
    qtbot.mousePress(view, LEFT, held, corners[0])
    for corner in corners[1:]:
        qtbot.mouseMove(view, corner)
    if drop:
        qtbot.mouseRelease(view, LEFT, held, corners[-1])


def around(view: CanvasView, *keys: str) -> list[QPoint]:
    """The corners of a path around these cards, from the left top."""
    rects = [place_of(view, key) for key in keys]
    left, top = round(min(r.x for r in rects)) - 6, round(min(r.y for r in rects)) - 6
    right, bottom = round(max(r.right for r in rects)) + 6, round(max(r.bottom for r in rects)) + 6
    return [QPoint(left, top), QPoint(right, top), QPoint(right, bottom), QPoint(left, bottom)]


# -- selecting several


def test_shift_adds_and_control_toggles(view: CanvasView, qtbot: QtBot) -> None:
    heard: list[frozenset[str]] = []
    chosen: list[str] = []
    view.selection_changed.connect(heard.append)
    view.node_selected.connect(chosen.append)
    qtbot.mouseClick(view, LEFT, pos=middle_of(view, "data"))
    qtbot.mouseClick(view, LEFT, SHIFT, middle_of(view, "train"))
    qtbot.mouseClick(view, LEFT, CONTROL, middle_of(view, "model"))
    qtbot.mouseClick(view, LEFT, CONTROL, middle_of(view, "data"))
    assert [set(keys) for keys in heard] == [
        {"data"},
        {"data", "train"},
        {"data", "train", "model"},
        {"train", "model"},
    ]
    assert chosen == ["data", "train", "model"]
    assert view.selection.current == "model"
    for held in (SHIFT, CONTROL):
        qtbot.mouseClick(view, LEFT, held, above_all(view))
    assert view.selection.keys == {"train", "model"}, "a slip of the hand beside the cards loses nothing"
    qtbot.mouseClick(view, LEFT, pos=middle_of(view, "train"))
    assert view.selection.keys == {"train"}
    with qtbot.waitSignal(view.selection_cleared):
        qtbot.mouseClick(view, LEFT, pos=above_all(view))
    assert heard[-1] == frozenset()


def test_a_box_adds_what_has_its_middle_in_it(view: CanvasView, qtbot: QtBot) -> None:
    view.select("model")
    start, _, end, _ = around(view, "log1", "log2", "parse")
    with qtbot.assertNotEmitted(view.node_selected), qtbot.waitSignal(view.selection_changed) as heard:
        drag(qtbot, view, [start, (start + end) / 2, end], SHIFT)
    assert heard.args == [{"model", "log1", "log2", "parse"}]
    assert view.selection.current == "model"


def test_a_box_is_seen_while_it_is_drawn_and_escape_gives_it_up(view: CanvasView, qtbot: QtBot) -> None:
    before = view.grab().toImage()
    start, _, end, _ = around(view, "log1", "log2", "parse")
    with qtbot.assertNotEmitted(view.selection_changed):
        drag(qtbot, view, [start, end], SHIFT, drop=False)
        assert view.grab().toImage() != before
        qtbot.keyClick(view, Qt.Key.Key_Escape)
        qtbot.mouseRelease(view, LEFT, SHIFT, end)
    qtbot.mouseMove(view, above_all(view))
    assert view.grab().toImage() == before


@pytest.mark.parametrize("held", [ALT, SHIFT | CONTROL])
def test_a_lasso_takes_what_lies_inside(view: CanvasView, qtbot: QtBot, held: Qt.KeyboardModifier) -> None:
    with qtbot.waitSignal(view.selection_changed) as heard:
        drag(qtbot, view, around(view, "train", "person"), held)
    assert {"train", "person"} <= set(heard.args[0])
    assert not {"log1", "log2", "parse", "model"} & set(heard.args[0])


def test_everything_and_nothing_by_key(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.selection_changed) as heard:
        qtbot.keyClick(view, Qt.Key.Key_A, CONTROL)
    assert heard.args == [EVERY_KEY]
    with qtbot.waitSignal(view.selection_cleared):
        qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection.keys == frozenset()


def test_walking_with_shift_and_control_selects_on_the_way(view: CanvasView, qtbot: QtBot) -> None:
    view.select("model")
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_Left, SHIFT | CONTROL)
    assert view.selection.keys == {"model", "train", "data"}
    assert view.selection.current == "data"
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.selection.keys == {"parse"}


def test_selecting_from_outside_sends_no_signal(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.selection_changed), qtbot.assertNotEmitted(view.node_selected):
        view.select_keys(["data", "train", "no such key"])
        assert view.selection.keys == {"data", "train"}
        view.select("train")
        assert view.selection.keys == {"data", "train"}
        assert view.selection.current == "train"
        view.select_keys(["data", "train", "model"])
        assert view.selection.current == "train"
        view.select("person")
        assert view.selection.keys == {"person"}
        view.set_scene(Scene((SceneNode("new", "New"),)))
        assert view.selection.keys == frozenset()


def test_every_selected_card_has_a_mark(view: CanvasView) -> None:
    view.select_keys(["data", "train"])
    shot = view.grab().toImage()
    for key in ("data", "train"):
        rect = place_of(view, key).grown(4)
        edge = {shot.pixelColor(round(rect.centre.x), round(rect.y) + down).name() for down in range(5)}
        assert LIGHT.accent in edge


def test_the_exported_picture_marks_every_selected_node(view: CanvasView) -> None:
    bare = len(view.drawing().page().primitives)
    view.select_keys(["data", "train"])
    assert len(view.drawing().page().primitives) == bare + 2


def test_the_menu_of_a_selected_node_keeps_the_others_selected(view: CanvasView, qtbot: QtBot) -> None:
    view.select_keys(["data", "train"])
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=middle_of(view, "data"))
    assert view.selection.keys == {"data", "train"}


# -- moving cards


def test_a_picture_that_is_not_movable_is_moved_as_a_whole(view: CanvasView, qtbot: QtBot) -> None:
    start = middle_of(view, "data")
    with qtbot.assertNotEmitted(view.nodes_dragged):
        drag(qtbot, view, [start, start + QPoint(40, 30), start + QPoint(80, 60)])
    assert middle_of(view, "data") == start + QPoint(80, 60)


def test_dragging_a_card_moves_it_and_says_where_it_is(view: CanvasView, qtbot: QtBot) -> None:
    view.movable = True
    start, other = middle_of(view, "data"), middle_of(view, "model")
    with qtbot.waitSignal(view.nodes_dragged) as heard:
        drag(qtbot, view, [start, start + QPoint(30, 90), start + QPoint(64, 160)])
    assert middle_of(view, "data") == start + QPoint(64, 160)
    assert middle_of(view, "model") == other
    assert view.selection.keys == {"data"}
    (moved,) = heard.args
    assert set(moved) == {"data"}
    was = arrange(story()).places["data"].centre
    by = 1 / view.camera().scale
    assert moved["data"] == pytest.approx((was.x + 64 * by, was.y + 160 * by), abs=0.01)


def test_all_selected_cards_move_together(view: CanvasView, qtbot: QtBot) -> None:
    view.movable = True
    view.select_keys(["data", "train"])
    before = {key: middle_of(view, key) for key in ("data", "train", "model")}
    with qtbot.waitSignal(view.nodes_dragged) as heard:
        drag(qtbot, view, [before["data"], before["data"] + QPoint(50, 50), before["data"] + QPoint(50, 150)])
    assert set(heard.args[0]) == {"data", "train"}
    assert middle_of(view, "train") == before["train"] + QPoint(50, 150)
    assert middle_of(view, "model") == before["model"]


def test_a_card_on_its_way_is_drawn_there_and_no_longer_here(view: CanvasView, qtbot: QtBot) -> None:
    view.movable = True
    start, free = middle_of(view, "person"), place_of(view, "person")
    shot = view.grab().toImage()
    bar = QPoint(round(free.x + 8 * view.camera().scale), start.y())
    colour = shot.pixelColor(bar).name()
    drag(qtbot, view, [start, start + QPoint(0, 60), start + QPoint(0, 120)], drop=False)
    shot = view.grab().toImage()
    assert shot.pixelColor(bar + QPoint(0, 120)).name() == colour
    assert shot.pixelColor(bar).name() != colour
    qtbot.mouseRelease(view, LEFT, pos=start + QPoint(0, 120))
    assert view.node_at((start + QPoint(0, 120)).toPointF()) == "person"
    assert view.node_at(start.toPointF()) is None


def test_escape_gives_a_dragged_card_its_place_back(view: CanvasView, qtbot: QtBot) -> None:
    view.movable = True
    start = middle_of(view, "data")
    view.select("data")
    qtbot.mouseMove(view, above_all(view))
    before = view.grab().toImage()
    with qtbot.assertNotEmitted(view.nodes_dragged):
        drag(qtbot, view, [start, start + QPoint(30, 90), start + QPoint(64, 160)], drop=False)
        qtbot.keyClick(view, Qt.Key.Key_Escape)
        qtbot.mouseRelease(view, LEFT, pos=start + QPoint(64, 160))
    assert middle_of(view, "data") == start
    assert view.selection.keys == {"data"}
    qtbot.mouseMove(view, above_all(view))
    assert view.grab().toImage() == before


def test_control_and_arrows_move_the_selected_nodes(view: CanvasView, qtbot: QtBot) -> None:
    start = middle_of(view, "data")
    view.select("data")
    with qtbot.assertNotEmitted(view.nodes_dragged):
        qtbot.keyClick(view, Qt.Key.Key_Down, CONTROL)
    view.movable = True
    moved: list[dict[str, tuple[float, float]]] = []
    view.nodes_dragged.connect(moved.append)
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_Down, CONTROL)
    assert moved[1]["data"][1] - moved[0]["data"][1] == 16.0
    assert middle_of(view, "data").y() == pytest.approx(start.y() + 32 * view.camera().scale, abs=1)


def test_a_scene_that_has_the_card_where_it_was_dropped_takes_over(view: CanvasView, qtbot: QtBot) -> None:
    view.movable = True
    scene, layout = field(20)
    view.set_scene(scene, layout)
    start = middle_of(view, "n3")
    drag(qtbot, view, [start, start + QPoint(30, 30), start + QPoint(60, 30)])
    view.set_scene(scene, layout, keep_camera=True)
    assert middle_of(view, "n3") == start


# -- growing and zooming


def test_a_scene_that_grows_does_not_make_the_view_jump(view: CanvasView, qtbot: QtBot) -> None:
    scene, layout = field(60)
    view.resize(700, 500)
    view.set_scene(scene, layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    view.viewpoint.look(view.camera().zoomed(1.4, view.camera().to_view(layout.places["n7"].centre)))
    before = view.camera()
    larger = field(90)
    view.set_scene(*larger, keep_camera=True)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    assert view.camera() == before
    assert view.view_rect("n89") is not None
    assert view.painting.map() is not None, "what lies outside is seen on the map"
    view.set_scene(*larger)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    assert view.camera() != before


def test_the_first_scene_is_opened_whatever_is_asked(view: CanvasView) -> None:
    opened = view.camera()
    view.set_scene(Scene())
    view.set_scene(story(), keep_camera=True)
    assert view.camera() == opened


def test_zooming_to_what_is_selected(view: CanvasView, qtbot: QtBot) -> None:
    scene, layout = field(900)
    view.set_scene(scene, layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    view.select_keys(["n500", "n501"])
    qtbot.keyClick(view, Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: not view.viewpoint.is_moving)
    for key in ("n500", "n501"):
        assert Rect(0.0, 0.0, view.width(), view.height()).contains(place_of(view, key).centre)
    assert view.camera().scale == pytest.approx(1.0)
    view.zoom_to(["no such key"])
    assert not view.viewpoint.is_moving
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    qtbot.keyClick(view, Qt.Key.Key_Z)
    qtbot.waitUntil(lambda: not view.viewpoint.is_moving)
    assert view.painting.map() is None, "without a selection everything is shown"


# -- fifty thousand


@pytest.mark.slow
def test_selecting_among_fifty_thousand_takes_no_time(view: CanvasView, qtbot: QtBot) -> None:
    scene, layout = field(50_000)
    view.set_scene(scene, layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    view.fit()
    qtbot.waitUntil(lambda: not view.viewpoint.is_moving)
    view.grab()
    corners = [QPoint(500, 100), QPoint(800, 300), QPoint(1100, 600)]
    taken: dict[str, list[float]] = {"box": [], "all": [], "none": []}
    for _ in range(3):
        drag(qtbot, view, corners, SHIFT, drop=False)
        taken["box"].append(work(lambda: qtbot.mouseRelease(view, LEFT, SHIFT, corners[-1])))
        assert 1_000 < len(view.selection.keys) < 50_000
        taken["all"].append(work(lambda: qtbot.keyClick(view, Qt.Key.Key_A, CONTROL)))
        assert len(view.selection.keys) == 50_000
        taken["none"].append(work(lambda: qtbot.keyClick(view, Qt.Key.Key_Escape)))
        assert view.selection.keys == frozenset()
    assert max(map(min, taken.values())) < 8 * longest_here(), taken


def work(do: Callable[[], object]) -> float:
    """The milliseconds that the window's thread works for it; not what other programs take."""
    began = time.thread_time()
    do()
    return 1000 * (time.thread_time() - began)


def test_a_hub_is_chosen_without_a_stall(view: CanvasView, qtbot: QtBot) -> None:
    scene, layout = field(20_000)
    edges = tuple(SceneEdge(node.key, "n0", "used") for node in scene.nodes[1:])
    view.set_scene(Scene(scene.nodes, edges, "A hub", "star"), layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    took = [work(lambda key=key: view.select(key)) for key in ("n0", "n1", "n0", "n1", "n0")]
    assert min(took[::2]) < 4 * longest_here(), took
    there, back = Qt.Key.Key_Right, Qt.Key.Key_Left
    took = [work(lambda key=key: qtbot.keyClick(view, key)) for key in (there, back, there, back)]
    assert max(min(took[::2]), min(took[1::2])) < 8 * longest_here(), took
