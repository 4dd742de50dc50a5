"""A lineage opens so that it can be read, and what is in it is one click away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton

from hpc_explorer.canvas.camera import WHOLE_FROM
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import VIEWS, Level, View, views_of
from hpc_explorer.ui.export.dialog import ExportDialog
from hpc_explorer.ui.lineage.phases import FITTED_FROM
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User


@pytest.fixture
def lineage(user: User) -> User:
    user.open_sample()
    user.search("decisionTree")
    user.press("Ctrl+L")
    user.rest()
    return user


def named(window: MainWindow) -> list[str]:
    return [button.text() for button in window.pictures.lineage.contents.buttons]


def test_what_does_not_fit_legibly_opens_in_phases_as_a_whole(lineage: User, window: MainWindow) -> None:
    canvas = window.pictures.canvas
    assert window.features.presenter.phases.view is not None
    rects = [canvas.view_rect(node.key) for node in canvas.scene().nodes]
    view = QRect(0, 0, canvas.width(), canvas.height())
    assert all(rect is not None and view.contains(round(rect.centre.x), round(rect.centre.y)) for rect in rects)
    assert named(window)[:3] == ["Rodinia inputs", "Rodinia", "9 × Log file"]


def test_what_fits_is_drawn_card_by_card(user: User, window: MainWindow) -> None:
    user.open_sample("campaign")
    window.resize(2_000, 1_000)
    user.search("finer-rain-1.0.pt")
    user.press("Ctrl+L")
    user.rest()
    assert window.features.presenter.phases.view is None
    assert window.pictures.canvas.camera().scale >= WHOLE_FROM


def test_an_end_and_a_raw_log_are_led_to(lineage: User, window: MainWindow) -> None:
    canvas = window.pictures.canvas
    lineage.click(lineage.button("Go to Rodinia inputs"))
    lineage.rest()
    assert lineage.reads == "Rodinia inputs"
    button = lineage.button("9 × Log file: list them")
    assert isinstance(button, QToolButton)
    menu = button.menu()
    assert isinstance(menu, QMenu)
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    wanted = next(action for action in menu.actions() if action.text() == "bfs.nvprof.log")
    lineage.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(wanted).center())
    lineage.rest()
    assert lineage.reads == "bfs.nvprof.log"
    assert window.focusWidget() is canvas
    key = canvas.selection.current
    assert key is not None
    lineage.until(
        lambda: (
            (rect := canvas.view_rect(key)) is not None
            and canvas.rect().contains(round(rect.centre.x), round(rect.centre.y))
        )
    )


def test_everything_keeps_the_scale_and_the_model_in_its_place(lineage: User, window: MainWindow) -> None:
    lineage.window.run("view.phases")
    lineage.rest()
    canvas = window.pictures.canvas
    canvas.zoom_out()
    lineage.until(lambda: not canvas.viewpoint.is_moving)
    before, scale = canvas.view_rect(MODEL), canvas.camera().scale
    lineage.window.run("view.whole_lineage")
    lineage.rest()
    after = canvas.view_rect(MODEL)
    assert before is not None
    assert after is not None
    assert canvas.camera().scale == pytest.approx(scale)
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=1.0)


def test_back_restores_the_zoom_the_place_and_the_selection(lineage: User, window: MainWindow) -> None:
    lineage.window.run("view.phases")
    lineage.rest()
    canvas = window.pictures.canvas
    canvas.zoom_out()
    lineage.until(lambda: not canvas.viewpoint.is_moving)
    camera = canvas.camera()
    lineage.click(lineage.button("Home"))
    lineage.rest()
    lineage.press("Alt+Left", window)
    lineage.rest()
    assert window.navigator.place.view is View.LINEAGE
    assert canvas.camera() == camera
    assert canvas.selection.current == MODEL


def test_the_lineage_can_be_exported_from_every_view_of_its_resource(user: User, window: MainWindow) -> None:
    user.open_sample()
    user.search("decisionTree")
    offered = {}
    for view in (*views_of(Level.PAGE), View.GRAPH, View.ASK):
        if VIEWS[view].optional:
            continue
        window.navigator.show_view(view)
        user.rest()
        window.run("file.export")
        dialog = user.dialog(ExportDialog)
        offered[view] = [button.text() for button in dialog.what.buttons()]
        user.close(dialog)
    wanted = "The lineage of decisionTree.onnx, upstream"
    assert [view for view, offers in offered.items() if wanted not in offers] == []


@pytest.mark.parametrize("size", [(640, 330), (1000, 650), (1280, 720), (1920, 1080)])
def test_at_every_size_the_ends_are_named_in_sight_and_cards_are_legible(
    user: User, window: MainWindow, size: tuple[int, int]
) -> None:
    window.run("theme.dark" if size[0] % 3 else "theme.light")
    user.open_sample()
    window.resize(*size)
    user.search("decisionTree")
    user.press("Ctrl+L")
    user.rest()
    contents = window.pictures.lineage.contents
    first = contents.buttons[0]
    assert first.text() == "Rodinia inputs"
    assert contents.rect().contains(first.geometry())
    in_menu = contents.as_menu.isVisible()
    assert (contents.isVisible(), in_menu) == (size[1] > 600, size[1] < 600)
    assert not in_menu or window.pictures.lineage.toolbar.rect().contains(contents.as_menu.geometry())
    canvas = window.pictures.canvas
    in_phases = window.features.presenter.phases.view is not None
    assert canvas.camera().scale >= (FITTED_FROM if in_phases else WHOLE_FROM)
    card = canvas.view_rect(MODEL)
    assert card is not None
    assert canvas.rect().toRectF().contains(card.x, card.y), "the model is out of sight"
    window.run("view.as_of")
    user.until(lambda: window.features.time.bar.slider.maximum() > 0)
    user.rest()
    line = window.features.time.bar.field.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    assert line.text() != ""
    assert line.width() >= line.fontMetrics().horizontalAdvance(line.text())
    assert window.rect().contains(QRect(line.mapTo(window, QPoint()), line.size())), "the date is out of sight"


def test_toggles_keep_the_zoom(lineage: User, window: MainWindow) -> None:
    window.run("view.phases")
    lineage.rest()
    canvas = window.pictures.canvas
    canvas.zoom_out()
    lineage.until(lambda: not canvas.viewpoint.is_moving)
    scale = canvas.camera().scale
    for toggle in ("view.match_content", "view.whole_lineage", "view.as_of", "view.as_of", "view.whole_lineage"):
        window.run(toggle)
        lineage.rest()
        assert canvas.camera().scale == pytest.approx(scale), toggle


def test_the_file_of_a_node_is_opened(user: User, window: MainWindow, tmp_path: Path) -> None:
    opened: list[QUrl] = []
    window.features.place_opener.open_url = opened.append
    (tmp_path / "raw.csv").write_text("x", encoding="utf-8")
    graph = tmp_path / "graph.ttl"
    graph.write_text(
        '<urn:x:raw> <http://www.w3.org/2000/01/rdf-schema#label> "raw" ; <http://schema.org/contentUrl> "raw.csv" .',
        encoding="utf-8",
    )
    user.open_files([graph])
    user.search("raw")
    window.run("resource.open")
    user.until(lambda: opened)
    assert opened == [QUrl.fromLocalFile(str(tmp_path / "raw.csv"))]
    assert user.told == f"Opened {tmp_path / 'raw.csv'}"


def test_the_address_of_a_node_is_opened_by_its_menu(user: User, window: MainWindow, tmp_path: Path) -> None:
    opened: list[QUrl] = []
    window.features.place_opener.open_url = opened.append
    graph = tmp_path / "graph.ttl"
    graph.write_text(
        "@prefix prov: <http://www.w3.org/ns/prov#> . <urn:x:model> prov:wasDerivedFrom <urn:x:raw> ."
        " <urn:x:raw> a prov:Entity ; <http://schema.org/contentUrl> <https://example.org/raw.csv> .",
        encoding="utf-8",
    )
    user.open_files([graph])
    window.navigator.trace(NamedNode("urn:x:model"), downstream=False)
    user.rest()
    canvas = window.pictures.canvas
    rect = canvas.view_rect("urn:x:raw")
    assert rect is not None
    place = QPoint(round(rect.centre.x), round(rect.centre.y))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, canvas.mapToGlobal(place))
    QApplication.sendEvent(canvas, event)
    user.rest()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    chosen = next(action for action in menu.actions() if action.objectName() == "resource.open")
    user.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(chosen).center())
    user.until(lambda: opened)
    assert opened == [QUrl("https://example.org/raw.csv")]


def test_a_crate_opens_on_the_lineage_of_its_main_entity(window: MainWindow, user: User, tmp_path: Path) -> None:
    entities = [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        },
        {"@id": "./", "@type": "Dataset", "name": "A run", "mentions": {"@id": "#run"}},
        {
            "@id": "#run",
            "@type": "CreateAction",
            "name": "Train",
            "object": {"@id": "raw.csv"},
            "result": {"@id": "model.onnx"},
        },
        {"@id": "raw.csv", "@type": "File", "name": "raw data"},
        {"@id": "model.onnx", "@type": "File", "name": "the model"},
    ]
    crate = tmp_path / "ro-crate-metadata.json"
    crate.write_text(json.dumps({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": entities}))
    user.open_files([crate])
    user.until(lambda: window.navigator.place.view is View.LINEAGE)
    user.rest()
    assert user.reads == "the model"
    assert {"raw data", "Train", "the model"} == {node.label for node in window.pictures.canvas.scene().nodes}
    assert "raw data" in named(window)
    user.press("Alt+Left", window)
    user.rest()
    assert window.navigator.place.view is View.HOME


def test_where_there_is_little_room_one_toolbar_stands_above_the_picture(user: User, window: MainWindow) -> None:
    user.open_sample()
    window.resize(640, 330)
    user.search("decisionTree")
    user.press("Ctrl+L")
    user.rest()
    page = window.pictures.lineage
    top = page.mapTo(window, QPoint(0, 0)).y()
    above = page.canvas.mapTo(window, QPoint(0, 0)).y() - top
    assert above <= page.toolbar.height() + 3 * GRID
    assert page.toolbar.height() < 5 * GRID
    button = user.button("62 things in this lineage: list them")
    assert isinstance(button, QToolButton)
    assert "159 links" in button.toolTip()
    menu = button.menu()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()][:5] == [
        "Comes from", "Rodinia inputs", "Rodinia", "by way of", "9 × Log file"
    ]  # fmt: skip
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    wanted = menu.actions()[1]
    user.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(wanted).center())
    user.rest()
    assert user.reads == "Rodinia inputs"
    window.resize(1280, 800)
    user.rest()
    assert not button.isVisible()
    assert named(window)[:1] == ["Rodinia inputs"]
    assert page.contents.isVisible()
