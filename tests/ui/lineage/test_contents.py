"""A lineage opens so that it can be read, and what is in it is one click away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtWidgets import QMenu, QToolButton

from hpc_explorer.canvas.camera import WHOLE_FROM
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.export.dialog import ExportDialog
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
    assert window.presenter.phases.view is not None
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
    assert window.presenter.phases.view is None
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


def test_the_lineage_can_be_exported_from_another_view(user: User, window: MainWindow) -> None:
    user.open_sample()
    user.search("decisionTree")
    assert window.navigator.place.view is View.EXPLORE
    user.window.run("file.export")
    dialog = user.dialog(ExportDialog)
    offers = [button.text() for button in dialog.what.buttons()]
    assert "The lineage of decisionTree.onnx, upstream" in offers
    user.close(dialog)


def test_the_file_of_a_node_is_opened(user: User, window: MainWindow, tmp_path: Path) -> None:
    opened: list[QUrl] = []
    window.place_opener.open_url = opened.append
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
