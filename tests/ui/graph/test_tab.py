"""The graph view in the window, with real clicks and keys: laid open step by step, steered, undone, kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from hpc_explorer.app.explore.finding import key_of, resource_of_key
from hpc_explorer.app.graph.expanding import PAGE, neighbour_sets
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.picture import draw
from hpc_explorer.canvas.selection import area
from hpc_explorer.canvas.view.placing import drawn
from hpc_explorer.canvas.view.saved import to_json
from hpc_explorer.canvas.view.state import REST_PREFIX, GraphView
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.canvas.legend import LegendButton
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.graph.expand_popup import ExpandPopup
from hpc_explorer.ui.graph.saved_views import NameDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.watchdog import longest_here, usual, watched
from tests.helpers.windows import MODEL, User, open_window

EX = "http://example.org/"
DATA = EX + "data"
BATCHES = 14_204


@pytest.fixture(scope="module")
def hub_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset that 14,204 batches used, each of which made a loss."""
    file = tmp_path_factory.mktemp("hub") / "hub.ttl"
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(f"@prefix ex: <{EX}> . @prefix prov: <http://www.w3.org/ns/prov#> .\n")
        stream.write("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
        stream.write('ex:data a ex:Dataset ; rdfs:label "Training rows" ; prov:wasDerivedFrom ex:raw .\n')
        for number in range(BATCHES):
            stream.write(f'ex:batch{number} a ex:Batch ; rdfs:label "Batch {number}" ; prov:used ex:data .\n')
    return file


@pytest.fixture
def hub(user: User, hub_file: Path) -> User:
    """Somebody who has put the dataset into the graph."""
    user.open_files([hub_file])
    user.search("Training rows")
    user.press("Ctrl+G")
    user.rest()
    return user


@pytest.fixture
def model(user: User) -> User:
    """Somebody who has put a model of the sample into the graph."""
    user.open_sample()
    user.search("decisionTree.onnx")
    user.press("Ctrl+G")
    user.rest()
    return user


def view_of(user: User) -> GraphView:
    return user.window.features.graph.controller.view


def canvas_of(user: User) -> CanvasView:
    return user.window.pictures.canvases[View.GRAPH]


def popup_of(user: User) -> ExpandPopup:
    """The list of what a node can be expanded by, once it is counted."""
    user.until(lambda: user.window.features.graph.commands.popup is not None)
    popup = user.window.features.graph.commands.popup
    assert popup is not None
    user.until(lambda: popup.sets.topLevelItemCount())
    return popup


def rows(popup: ExpandPopup) -> list[tuple[str, str]]:
    items = [popup.sets.topLevelItem(number) for number in range(popup.sets.topLevelItemCount())]
    return [(item.text(0), item.text(1)) for item in items if item is not None]


def choose(popup: ExpandPopup, label: str) -> QTreeWidgetItem:
    found = popup.sets.findItems(label, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    assert found, rows(popup)
    popup.sets.setCurrentItem(found[0])
    return found[0]


def expand(user: User, label: str) -> None:
    """Ctrl+M, choose, Enter."""
    user.press("Ctrl+M")
    popup = popup_of(user)
    choose(popup, label)
    user.qtbot.keyClick(popup.sets, Qt.Key.Key_Return)
    user.rest()
    user.until(lambda: not canvas_of(user).viewpoint.is_moving)


def click_node(user: User, key: str, *, twice: bool = False) -> None:
    """Bring a node into sight and click in its middle."""
    canvas = canvas_of(user)
    canvas.fit()
    user.until(lambda: not canvas.viewpoint.is_moving)
    rect = canvas.view_rect(key)
    assert rect is not None, f"{key} is not in the picture"
    at = QPoint(round(rect.centre.x), round(rect.centre.y))
    if twice:
        user.qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    else:
        user.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    user.rest()


def scene_keys(user: User) -> set[str]:
    return {node.key for node in canvas_of(user).scene().nodes}


def picture(view: GraphView) -> str:
    return to_svg(draw(*drawn(view), LIGHT), embed_fonts=False)


def test_an_empty_graph_says_how_to_begin(user: User) -> None:
    user.open_sample()
    user.press("Ctrl+3")
    assert user.window.pictures.view is View.GRAPH
    assert "Ctrl+G" in canvas_of(user).scene().empty_text
    assert not user.window.commands.by_id["graph.expand"].isEnabled()


def test_a_resource_is_added_and_described(model: User) -> None:
    assert model.window.pictures.view is View.GRAPH
    assert scene_keys(model) == {MODEL}
    assert model.reads == "decisionTree.onnx"
    assert model.window.pictures.summary == "1 node, 0 links"


def test_what_a_step_brings_is_told_before_anything_is_fetched(hub: User) -> None:
    hub.press("Ctrl+M")
    popup = popup_of(hub)
    assert rows(popup) == [("was derived from", "1"), ("used by", "14,204")]
    assert len(view_of(hub).nodes) == 1
    choose(popup, "used by")
    assert popup.next_button.text() == "Show 50"
    assert popup.all_button.isHidden()
    hub.qtbot.keyClick(popup.sets, Qt.Key.Key_Escape)
    hub.rest()
    assert len(view_of(hub).nodes) == 1


def test_a_hub_opens_in_pages_and_old_nodes_stay_where_they_are(hub: User) -> None:
    expand(hub, "used by")
    assert len(view_of(hub).nodes) == 1 + PAGE
    rest = next(key for key in scene_keys(hub) if key.startswith(REST_PREFIX))
    more = canvas_of(hub).scene().node(rest)
    assert more is not None
    assert more.label == "14,154 more"
    assert hub.window.commands.by_id["edit.undo"].text() == "Undo expand used by"
    before = dict(view_of(hub).places)
    canvas = canvas_of(hub)
    click_node(hub, rest)
    camera = canvas.camera()
    hub.press("Return", canvas)
    hub.rest()
    assert len(view_of(hub).nodes) == 1 + 2 * PAGE
    assert {key: view_of(hub).places[key] for key in before} == before
    assert canvas.camera().scale == camera.scale
    click_node(hub, rest, twice=True)
    assert len(view_of(hub).nodes) == 1 + 3 * PAGE
    for shown in (2 * PAGE, PAGE, 0):
        hub.press("Ctrl+Z")
        hub.rest()
        assert len(view_of(hub).nodes) == 1 + shown


def test_what_is_opened_comes_into_sight_at_the_zoom_as_it_is(model: User) -> None:
    canvas = canvas_of(model)
    card = canvas.view_rect(MODEL)
    assert card is not None
    canvas.viewpoint.look(canvas.camera().moved(canvas.width() - card.right - 40, canvas.height() - card.bottom - 40))
    scale, before = canvas.camera().scale, scene_keys(model)
    expand(model, "was derived from dataset")
    new = [canvas.view_rect(key) for key in scene_keys(model) - before]
    inside = Rect(0, 0, canvas.width(), canvas.height())
    assert new
    assert all(rect is not None and inside.contains(rect.centre) for rect in (*new, canvas.view_rect(MODEL)))
    assert canvas.camera().scale == scale
    place = canvas.camera()
    model.press("Ctrl+Z")
    model.rest()
    assert canvas.camera() == place, "what goes does not move the rest"


def test_a_set_is_counted_by_class_and_one_class_opened(hub: User) -> None:
    hub.press("Ctrl+M")
    popup = popup_of(hub)
    item = choose(popup, "used by")
    hub.click(popup.class_button)
    hub.until(lambda: item.childCount() == 1 and item.child(0).text(0) == "Batch")
    assert item.child(0).text(1) == "10,000+"
    choose(popup, "Batch")
    hub.qtbot.keyClick(popup.sets, Qt.Key.Key_Return)
    hub.rest()
    assert len(view_of(hub).nodes) == 1 + PAGE
    assert hub.window.features.graph.controller.undo.undo_words == "expand used by: Batch"


def test_a_set_of_some_hundred_can_be_shown_at_once(user: User, tmp_path: Path) -> None:
    file = tmp_path / "runs.ttl"
    runs = "".join(f"ex:run{number} prov:used ex:data .\n" for number in range(120))
    file.write_text(f"@prefix ex: <{EX}> . @prefix prov: <http://www.w3.org/ns/prov#> .\n{runs}")
    user.open_files([file])
    user.search(DATA)
    user.press("Ctrl+G")
    user.rest()
    user.press("Ctrl+M")
    popup = popup_of(user)
    assert popup.all_button.text() == "Show all 120"
    user.click(popup.all_button)
    user.rest()
    assert len(view_of(user).nodes) == 121
    user.press("Ctrl+M")
    again = popup_of(user)
    assert rows(again) == [("used by", "120 of 120")]
    assert again.remark.text() == "All of them are shown."
    again.close()


def test_collapse_hide_remove_and_back_again(model: User) -> None:
    expand(model, "was derived from dataset")
    expand(model, "contributor")
    assert len(view_of(model).nodes) == 6
    states = [view_of(model)]
    dataset = next(key for key in view_of(model).nodes if "Dataset" in key or "dataset" in key.casefold())
    click_node(model, dataset)
    model.window.run("graph.hide")
    model.rest()
    assert dataset not in scene_keys(model)
    assert model.window.pictures.summary.endswith("1 of 6 nodes left out")
    model.click(model.button("Show hidden nodes", model.window.pictures.graph.toolbar))
    model.rest()
    assert dataset in scene_keys(model)
    click_node(model, dataset)
    model.window.run("graph.remove")
    model.rest()
    assert dataset not in view_of(model).nodes
    click_node(model, MODEL)
    model.window.run("graph.collapse")
    model.rest()
    assert set(view_of(model).nodes) == {MODEL}
    for _ in range(4):
        model.press("Ctrl+Z")
        model.rest()
    assert set(view_of(model).nodes) == set(states[0].nodes)
    assert view_of(model).places == states[0].places
    for _ in range(4):
        model.press("Ctrl+Shift+Z")
        model.rest()
    assert set(view_of(model).nodes) == {MODEL}


def test_the_menu_of_a_node_narrows_the_picture_to_it(model: User) -> None:
    expand(model, "was generated by")
    run = next(key for key in view_of(model).nodes if key != MODEL)
    expand(model, "contributor")
    (person,) = view_of(model).nodes.keys() - {MODEL, run}
    click_node(model, person)
    expand(model, "was conducted by (from)")
    whole = scene_keys(model)
    click_node(model, MODEL)
    canvas = canvas_of(model)
    rect = canvas.view_rect(MODEL)
    assert rect is not None
    canvas.node_context_menu.emit(MODEL, canvas.mapToGlobal(QPoint(round(rect.centre.x), round(rect.centre.y))))
    menu = next(menu for menu in model.window.findChildren(QMenu) if menu.isVisible())
    assert "Expand…" in [action.text() for action in menu.actions()]
    menu.close()
    model.window.run("graph.focus:1")
    model.rest()
    assert scene_keys(model) < whole
    assert {MODEL, run} <= scene_keys(model)
    assert "left out" in model.window.pictures.summary
    model.click(model.button("Whole graph again", model.window.pictures.graph.toolbar))
    model.rest()
    assert scene_keys(model) == whole
    assert model.window.features.graph.controller.undo.undo_words == "show the whole graph"


def test_a_path_between_two_nodes_is_shown_or_that_there_is_none(model: User) -> None:
    lineage = trace_lineage(model.window.bridge.session, resource_of_key(MODEL))
    (end, *_) = [node.resource for node in lineage.ends()]
    model.search(key_of(end))
    model.press("Ctrl+G")
    model.rest()
    controller = model.window.features.graph.controller
    controller.select([MODEL, key_of(end)])
    model.window.run("graph.path")
    model.rest()
    assert len(view_of(model).nodes) > 2
    assert len(view_of(model).edges) > 1
    assert controller.undo.undo_words == "show the path"
    kind = "https://hpc-fair.github.io/ontology#Dataset"
    model.search(kind)
    model.press("Ctrl+G")
    model.rest()
    before = view_of(model)
    controller.select([kind, key_of(end)])
    model.window.run("graph.path")
    model.rest()
    assert set(view_of(model).nodes) == set(before.nodes)
    assert "Nothing found that joins" in model.told


def test_a_node_dragged_by_the_mouse_is_pinned_where_it_was_dropped(model: User) -> None:
    expand(model, "was derived from dataset")
    canvas = canvas_of(model)
    rect, before = canvas.view_rect(MODEL), canvas.camera()
    assert rect is not None
    start, by = QPoint(round(rect.centre.x), round(rect.centre.y)), QPoint(30, 90)
    model.qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    model.qtbot.mouseMove(canvas, start + by / 2)
    model.qtbot.mouseMove(canvas, start + by)
    model.qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + by)
    model.rest()
    now = canvas.view_rect(MODEL)
    assert now is not None
    assert (now.centre.x - rect.centre.x, now.centre.y - rect.centre.y) == pytest.approx((30, 90), abs=0.01)
    assert canvas.camera() == before
    assert canvas.mover.moving is None, "the scene has it there"
    assert view_of(model).places[MODEL].pinned
    node = canvas.scene().node(MODEL)
    assert node is not None
    assert node.badges[-1] == "pinned"
    model.press("Ctrl+Z", canvas)
    model.rest()
    assert canvas.view_rect(MODEL) == pytest.approx(rect, abs=0.01)


def test_a_dragged_node_stays_where_it_was_put_when_all_is_laid_out_anew(model: User) -> None:
    expand(model, "was derived from dataset")
    canvas_of(model).nodes_dragged.emit({MODEL: (-512.0, 300.0)})
    model.rest()
    assert view_of(model).places[MODEL] == (-512.0, 300.0, True)
    for command in ("graph.arrange_layered", "graph.arrange_force", "graph.arrange_tree"):
        model.window.run(command)
        model.rest()
        assert view_of(model).places[MODEL] == (-512.0, 300.0, True)
    click_node(model, MODEL)
    model.window.run("graph.unpin")
    model.rest()
    assert not view_of(model).places[MODEL].pinned
    model.window.run("graph.pin")
    model.rest()
    assert view_of(model).places[MODEL].pinned
    for words in ("pin “decisionTree.onnx”", "unpin “decisionTree.onnx”", "arrange as a tree"):
        assert model.window.features.graph.controller.undo.undo_words == words
        model.press("Ctrl+Z")
        model.rest()


def test_filters_say_what_they_leave_out_and_one_click_clears_them(hub: User) -> None:
    expand(hub, "used by")
    hub.window.run("graph.filters")
    panel = hub.window.pictures.graph.filters
    hub.until(lambda: panel.list.findItems("Batch", Qt.MatchFlag.MatchExactly))
    (batch,) = panel.list.findItems("Batch", Qt.MatchFlag.MatchExactly)
    assert batch.text(1) == "50"
    panel.list.setCurrentItem(batch)
    hub.qtbot.keyClick(panel.list, Qt.Key.Key_Space)
    hub.rest()
    assert hub.window.pictures.summary == "1 node, 0 links  ·  50 of 51 nodes left out"
    assert hub.window.features.graph.controller.undo.undo_words == "leave out Batch"
    hub.click(hub.button("Clear filters", hub.window.pictures.graph.toolbar))
    hub.rest()
    assert "left out" not in hub.window.pictures.summary
    panel.text.setFocus()
    hub.type("batch 1419", panel.text)
    hub.press("Return", panel.text)
    hub.rest()
    assert 2 < len(scene_keys(hub)) < 20
    hub.window.run("edit.undo")
    hub.rest()
    assert len(scene_keys(hub)) == 52
    assert panel.text.text() == ""
    hub.window.run("graph.filters")
    assert panel.isHidden()


def legend_entry(user: User, label: str) -> LegendButton:
    buttons = user.window.pictures.legends[View.GRAPH].buttons
    return next(button for button in buttons if button.accessibleName().startswith(f"{label}, "))


def test_a_click_in_the_legend_leaves_a_class_out_and_another_shows_it_again(model: User) -> None:
    controller = model.window.features.graph.controller
    expand(model, "was derived from dataset")
    before = scene_keys(model)
    button = legend_entry(model, "Dataset")
    where = button.geometry()
    model.click(button)
    model.rest()
    gone = before - scene_keys(model)
    assert gone
    assert all(controller.view.filters.classes.issuperset(controller.view.nodes[key].classes) for key in gone)
    assert controller.undo.undo_words == "hide Dataset"
    assert model.window.commands.by_id["edit.undo"].text() == "Undo hide Dataset"
    assert not canvas_of(model).faded()
    button = legend_entry(model, "Dataset")
    assert button.isChecked()
    assert button.accessibleName().endswith("left out")
    assert button.geometry().left() == where.left()
    assert "left out" in model.window.pictures.summary
    # The panel beside shows the same filter.
    model.window.run("graph.filters")
    model.rest()
    panel = model.window.pictures.graph.filters
    ticked = {
        item.text(0): item.checkState(0)
        for item in (panel.list.topLevelItem(at) for at in range(panel.list.topLevelItemCount()))
        if item is not None
    }
    assert ticked["Dataset"] is Qt.CheckState.Unchecked
    model.click(legend_entry(model, "Dataset"))
    model.rest()
    assert scene_keys(model) == before
    assert controller.undo.undo_words == "show Dataset"
    assert not legend_entry(model, "Dataset").isChecked()
    model.press("Ctrl+Z")
    model.rest()
    assert scene_keys(model) == before - gone


def test_the_legend_of_the_graph_is_used_by_keyboard_and_shift_shows_all(model: User) -> None:
    expand(model, "was derived from dataset")
    before = scene_keys(model)
    buttons = model.window.pictures.legends[View.GRAPH].buttons
    for number in range(len(buttons)):
        button = model.window.pictures.legends[View.GRAPH].buttons[number]
        button.setFocus()
        model.qtbot.keyClick(button, Qt.Key.Key_Space)
        model.rest()
    assert not scene_keys(model)
    assert "hidden" in canvas_of(model).scene().empty_text
    button = model.window.pictures.legends[View.GRAPH].buttons[0]
    assert "with Shift" in button.toolTip()
    model.qtbot.keyClick(button, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    model.rest()
    assert scene_keys(model) == before
    assert model.window.features.graph.controller.undo.undo_words == "show all classes"
    model.click(legend_entry(model, "AI model"))
    model.rest()
    assert scene_keys(model) < before
    button = legend_entry(model, "AI model")
    model.qtbot.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier)
    model.rest()
    assert scene_keys(model) == before


def test_a_view_is_saved_under_a_name_and_opened_again(model: User) -> None:
    expand(model, "was derived from dataset")
    canvas_of(model).nodes_dragged.emit({MODEL: (-512.0, 300.0)})
    model.rest()
    kept = view_of(model)
    model.window.run("graph.save_view")
    dialog = model.dialog(NameDialog)
    model.type("The four datasets", dialog.box)
    model.press("Return", dialog.box)
    model.rest()
    model.window.run("graph.clear")
    model.rest()
    assert not view_of(model).nodes
    model.window.run("graph.open_view")
    dialog = model.dialog(NameDialog)
    assert dialog.list.item(0).text() == "The four datasets"
    model.press("Return", dialog.list)
    model.rest()
    assert view_of(model).places == kept.places
    assert picture(view_of(model)) == picture(kept)
    assert model.window.features.graph.controller.undo.undo_words == "open view “The four datasets”"


def test_a_workspace_remembers_its_graph(qapp: QApplication, qtbot: QtBot, tmp_path: Path, window: MainWindow) -> None:
    folder = tmp_path / "work"
    load_into(folder, ["sample:xplacer"])
    states = []
    for _ in range(2):
        other = open_window(qapp, qtbot, session=Session.new())
        user = User(qtbot, other)
        other.open_sources([str(folder)])
        user.until(lambda shown=other: not shown.bridge.is_empty)
        user.rest()
        if not states:
            user.search("decisionTree.onnx")
            user.press("Ctrl+G")
            user.rest()
            expand(user, "was derived from dataset")
            canvas_of(user).nodes_dragged.emit({MODEL: (-512.0, 300.0)})
        user.rest()
        states.append(view_of(user))
        other.close()
    assert len(states[0].nodes) == 5
    assert states[1].places == states[0].places
    assert picture(states[1]) == picture(states[0])


def test_back_and_forward_lead_through_the_graph_too(model: User) -> None:
    expand(model, "was generated by")
    run = next(key for key in view_of(model).nodes if key != MODEL)
    click_node(model, run)
    model.press("Ctrl+1")
    model.rest()
    assert model.window.pictures.view is View.EXPLORE
    model.press("Alt+Left")
    model.rest()
    assert model.window.pictures.view is View.GRAPH
    model.press("Alt+Left")
    model.rest()
    assert model.window.pictures.view is View.GRAPH
    assert model.reads == "decisionTree.onnx"
    assert canvas_of(model).selection.current == MODEL


def test_every_step_has_its_words_and_the_edit_menu_shows_them(model: User) -> None:
    window, controller, canvas = model.window, model.window.features.graph.controller, canvas_of(model)
    edit = next(action for action in window.menuBar().actions() if action.text().replace("&", "") == "Edit")
    menu = edit.menu()
    assert isinstance(menu, QMenu)
    undo, redo = menu.actions()[:2]

    def open_set(label: str) -> Callable[[], None]:
        def go() -> None:
            canvas.choose(area([MODEL]))
            expand(model, label)

        return go

    def run(command: str, *keys: str) -> Callable[[], None]:
        def go() -> None:
            canvas.choose(area(keys))
            window.run(command)

        return go

    def drag() -> None:
        canvas.zoom_to([MODEL])
        model.until(lambda: not canvas.viewpoint.is_moving)
        rect = canvas.view_rect(MODEL)
        assert rect is not None
        here = QPoint(round(rect.centre.x), round(rect.centre.y))
        model.qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=here)
        for step in (10, 30, 60):
            model.qtbot.mouseMove(canvas, here + QPoint(step, step))
        model.qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=here + QPoint(60, 60))

    def filter_names() -> None:
        window.run("graph.filters")
        model.type("Mira", window.pictures.graph.filters.text)
        model.qtbot.keyClick(window.pictures.graph.filters.text, Qt.Key.Key_Return)

    name = "“decisionTree.onnx”"
    steps: list[tuple[str, Callable[[], None]]] = [
        ("expand contributor", open_set("contributor")),
        ("expand was derived from dataset", open_set("was derived from dataset")),
        (f"pin {name}", run("graph.pin", MODEL)),
        (f"unpin {name}", run("graph.unpin", MODEL)),
        (f"move {name}", drag),
        ("arrange in layers", run("graph.arrange_layered")),
        ("arrange by forces", run("graph.arrange_force")),
        ("arrange as a tree", run("graph.arrange_tree")),
        (f"focus {name}", run("graph.focus:1", MODEL)),
        ("show the whole graph", run("graph.whole")),
        (f"hide {name}", run("graph.hide", MODEL)),
        ("show hidden nodes", run("graph.show_hidden")),
        ("hide Dataset", lambda: model.click(legend_entry(model, "Dataset"))),
        ("clear filters", run("graph.clear_filters")),
        ("show names with “Mira”", filter_names),
        ("clear filters", run("graph.clear_filters")),
        (f"collapse {name}", run("graph.collapse", MODEL)),
        (f"remove {name}", run("graph.remove", MODEL)),
    ]
    done = ["add to graph"]
    for words, step in steps:
        step()
        model.rest()
        done.append(words)
        assert undo.text() == f"Undo {words}"
    for words in reversed(done):
        assert undo.text() == f"Undo {words}"
        model.press("Ctrl+Z", window)
        model.rest()
        assert redo.text() == f"Redo {words}"
    assert undo.text() == "Undo"
    assert not undo.isEnabled()
    assert not controller.view.nodes


def test_an_undo_elsewhere_shows_what_it_takes_back(model: User) -> None:
    expand(model, "contributor")
    model.press("Ctrl+1")
    model.rest()
    model.press("Ctrl+Z")
    model.rest()
    assert model.window.pictures.view is View.GRAPH
    assert set(view_of(model).nodes) == {MODEL}


def test_closing_the_source_empties_the_graph(model: User) -> None:
    model.press("Ctrl+W")
    model.rest()
    assert not view_of(model).nodes
    assert model.window.features.graph.controller.undo.undo_words is None


def test_another_source_beside_keeps_the_graph(model: User, tmp_path: Path) -> None:
    expand(model, "contributor")
    before = view_of(model)
    file = tmp_path / "more.ttl"
    file.write_text(f"<{MODEL}> <http://example.org/likes> <{EX}somebody> .\n")
    model.open_files([file])
    assert view_of(model).places == before.places
    model.press("Ctrl+M")
    popup = popup_of(model)
    assert ("likes", "1") in rows(popup)
    popup.close()


def test_steps_are_undone_after_a_source_was_closed_as_far_as_they_hold(model: User, tmp_path: Path) -> None:
    window, controller = model.window, model.window.features.graph.controller
    file = tmp_path / "more.ttl"
    file.write_text(
        f'<{EX}somebody> <http://www.w3.org/2000/01/rdf-schema#label> "Somebody" .\n'
        f"<{EX}somebody> <{EX}likes> <{MODEL}> , <{EX}nobody> .\n"
    )
    model.open_files([file])
    expand(model, "contributor")
    with_contributor = scene_keys(model)
    model.search("Somebody")
    model.press("Ctrl+G")
    model.rest()
    assert f"{EX}somebody" in scene_keys(model)
    expand(model, "likes")
    assert f"{EX}nobody" in scene_keys(model)
    click_node(model, MODEL)
    window.run("graph.hide")
    model.press("Ctrl+Z")
    model.rest()
    # Done: add, expand contributor, add, expand likes; taken back: hide.
    said: list[str] = []
    window.bridge.said.connect(said.append)
    (source,) = [source for source in window.bridge.sources if source.name.endswith("more.ttl")]
    window.browser.sources.close_wanted.emit(source.graph)
    model.rest()
    assert scene_keys(model) == with_contributor
    assert said == ["The graph was replaced: 2 earlier steps of the graph view can no longer be undone"]
    assert "can no longer be undone" in model.told
    assert controller.undo.undo_words == "expand contributor"
    assert window.commands.by_id["edit.undo"].text() == "Undo expand contributor"
    assert (controller.undo.redo_words or "").startswith("hide")
    model.press("Ctrl+Z")
    model.rest()
    assert scene_keys(model) == {MODEL}
    model.press("Ctrl+Shift+Z")
    model.rest()
    assert scene_keys(model) == with_contributor
    model.press("Ctrl+Shift+Z")
    model.rest()
    assert MODEL not in scene_keys(model)


COMMANDS = (
    "graph.collapse", "graph.hide", "graph.show_hidden", "graph.remove", "graph.focus:1", "graph.focus:2",
    "graph.whole", "graph.pin", "graph.unpin", "graph.arrange_layered", "graph.arrange_force", "graph.clear_filters",
)  # fmt: skip


@pytest.mark.slow
def test_random_commands_in_the_window_undone_give_back_the_same_views(model: User) -> None:
    dice = random.Random(11)
    window, controller = model.window, model.window.features.graph.controller
    session = window.bridge.session
    states = {0: (to_json(controller.view), "")}
    steps_of = 1  # the model was added
    states[1] = (to_json(controller.view), picture(controller.view))
    while steps_of < 60:
        before = controller.undo.last
        if dice.random() < 0.5 and controller.view.nodes:
            anchor = dice.choice(sorted(controller.view.nodes))
            sets = neighbour_sets(session, resource_of_key(anchor))
            if sets:
                one = dice.choice(sets)
                controller.expand(one.of, one.label, dice.randint(1, 5))
        elif not controller.view.nodes:
            controller.add([resource_of_key(MODEL)], "add to graph")
        else:
            controller.select([dice.choice(sorted(controller.view.nodes))])
            states[steps_of] = (to_json(controller.view), picture(controller.view))
            window.run(dice.choice(COMMANDS))
        model.rest()
        if controller.undo.last is not before:
            steps_of += 1
        states[steps_of] = (to_json(controller.view), picture(controller.view) if controller.view.nodes else "")
    for number in range(steps_of, 0, -1):
        assert to_json(controller.view) == states[number][0]
        if controller.view.nodes:
            assert picture(controller.view) == states[number][1]
        model.press("Ctrl+Z")
        model.rest()
    assert not controller.view.nodes
    assert not canvas_of(model).scene().nodes


@pytest.mark.slow
def test_expanding_and_laying_out_thousands_leaves_the_window_free(hub: User) -> None:
    """What the program itself holds up, it holds up each time; what other programs do, not always."""
    window, controller = hub.window, hub.window.features.graph.controller
    hub.press("Ctrl+M")
    popup = popup_of(hub)
    of = choose(popup, "used by").data(0, Qt.ItemDataRole.UserRole).of
    popup.close()
    expanding, arranging, computing = [], [], []
    for arrangement in ("layered", "force", "force"):
        with watched(window.bridge.jobs) as watchdog:
            controller.expand(of, "used by", 1_000)
            hub.rest()
        expanding.append(usual(watchdog.held))
        computing += watchdog.work
        with watched(window.bridge.jobs) as watchdog:
            window.run(f"graph.arrange_{arrangement}")
            hub.rest()
        arranging.append(usual(watchdog.held))
        computing += watchdog.work
    assert len(controller.view.nodes) == 3_001
    assert len(controller.view.places) == 3_002
    longest = longest_here()
    assert min(expanding) < longest
    assert min(arranging) < longest
    assert max(computing) < longest, sorted(computing)[-5:]


def test_a_layout_can_be_stopped_and_what_was_there_stays(hub: User) -> None:
    window, controller = hub.window, hub.window.features.graph.controller
    hub.press("Ctrl+M")
    popup = popup_of(hub)
    of = choose(popup, "used by").data(0, Qt.ItemDataRole.UserRole).of
    popup.close()
    controller.expand(of, "used by", 3_000)
    hub.rest()
    before = controller.view
    window.run("graph.arrange_force")
    hub.catch(lambda: window.bridge.jobs.active())
    for job in window.bridge.jobs.active():
        job.cancel()
    hub.rest()
    assert controller.view.places == before.places
    assert controller.undo.undo_words == "expand used by"
    layout_of = drawn(controller.view)[1].places
    shown = canvas_of(hub).ready()
    assert shown is not None
    assert shown.layout.places == layout_of
