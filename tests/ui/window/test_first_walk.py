"""The journey this program is for: from a trained model back to its raw data, and out again as JSON-LD."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.export.dialog import ExportDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.canvases import middle_of
from tests.helpers.windows import MODEL, User


def canonical(path: Path) -> Dataset:
    dataset = Dataset(read_source(path).quads())
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def walk_to(user: User, kind: str) -> list[str]:
    """Press the left arrow in the picture until a node of this class is chosen; returns the classes passed."""
    canvas = user.window.pictures.canvas
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    passed: list[str] = []
    for _ in range(40):
        node = canvas.scene().node(canvas.selection.current or "")
        passed.append(node.kind if node is not None else "")
        if passed[-1] == kind:
            return passed
        user.press("Left", canvas)
        user.rest()
    pytest.fail(f"no {kind} on the way: {passed}")


def test_from_the_model_to_the_raw_logs_and_out_as_json_ld(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    assert user.reads == "decisionTree.onnx"
    assert window.navigator.place.selected == NamedNode(MODEL)

    user.trace()
    user.rest()
    assert window.navigator.place.view is View.LINEAGE
    assert window.pictures.summary.startswith("62 things, 159 links")

    walk_to(user, "Log file")
    log = user.reads
    assert log.endswith(".log")

    user.press("Alt+Left")
    user.rest()
    assert user.reads not in ("", log)
    user.press("Alt+Right")
    user.rest()
    assert user.reads == log

    user.window.run("file.export")
    dialog = user.dialog(ExportDialog)
    out = tmp_path / "lineage.jsonld"
    dialog.file.selectAll()
    user.type(str(out), dialog.file)
    user.press("Return", dialog.file)
    user.until(window.banner.isVisible)
    user.rest()
    assert window.banner.title.startswith("Exported ")
    assert window.banner.text == str(out)

    user.window.run("file.close_all")
    user.until(window.start_page.isVisible)
    user.open_files([out])
    user.search("decisionTree")
    assert user.reads == "decisionTree.onnx"
    user.trace()
    user.rest()
    walk_to(user, "Log file")


def test_everything_exported_reads_back_as_the_same_graph(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_sample("xplacer")
    user.window.run("file.export")
    dialog = user.dialog(ExportDialog)
    assert dialog.what.button(0).text() == "Everything open"
    out = tmp_path / "xplacer.jsonld.gz"
    dialog.file.setText(str(tmp_path / "xplacer"))
    user.click(user.button("Compress the file with gzip", dialog))
    assert dialog.file.text() == str(out)
    user.click(user.button("Export", dialog))
    user.until(window.banner.isVisible)
    assert canonical(out) == canonical(shipped_folder("sample_graphs") / "xplacer.ttl")


def test_downstream_from_a_log_reaches_the_models(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    user.trace()
    user.rest()
    walk_to(user, "Log file")
    user.window.run("go.downstream")
    user.rest()
    assert window.navigator.place.downstream
    kinds = {node.kind for node in window.pictures.canvas.scene().nodes}
    assert "AI model" in kinds
    assert user.button("Downstream: what was derived from it").isChecked()
    user.click(user.button("Upstream: where it comes from"))
    user.rest()
    assert not window.navigator.place.downstream


def test_enter_on_a_node_makes_it_what_the_picture_is_about(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    canvas = window.pictures.canvas
    assert QApplication.focusWidget() is canvas
    user.press("Right")
    user.rest()
    beside = canvas.selection.current
    assert beside not in (None, MODEL)
    user.press("Return")
    user.rest()
    focus = canvas.scene().focus()
    assert focus is not None
    assert focus.key == beside
    user.press("Alt+Left")
    user.press("Alt+Left")
    user.rest()
    focus = canvas.scene().focus()
    assert focus is not None
    assert focus.key == MODEL
    assert canvas.selection.current == MODEL


def test_a_double_click_on_a_node_opens_it(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    canvas = window.pictures.canvas
    canvas.fit()
    node = next(node for node in canvas.scene().nodes if node.kind == "Person")
    user.until(lambda: canvas.view_rect(node.key) is not None and canvas.rect().contains(middle_of(canvas, node.key)))
    user.qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=middle_of(canvas, node.key))
    user.rest()
    assert user.reads == node.label


def test_the_depth_of_a_lineage_can_be_limited(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    user.trace()
    user.rest()
    whole = len(window.pictures.canvas.scene().nodes)
    window.navigator.limit(1)
    user.rest()
    assert len(window.pictures.canvas.scene().nodes) < whole
    assert "more beyond these steps" in window.pictures.summary
    assert user.button("Steps of the lineage: 1 step").text() == "1 step"


def test_the_iri_of_what_is_chosen_can_be_copied(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    user.window.run("resource.copy_iri")
    assert QGuiApplication.clipboard().text() == MODEL


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_picture_in_sight_can_be_exported(window: MainWindow, user: User, tmp_path: Path, suffix: str) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    out = tmp_path / f"neighbours.{suffix}"
    window.features.exporter.write_picture(window.pictures.canvas.drawing(), out)
    user.until(window.banner.isVisible)
    assert window.banner.title == "Exported the picture"
    content = out.read_bytes()
    if suffix == "png":
        assert content.startswith(b"\x89PNG")
    else:
        assert b"decisionTree.onnx" in content


def test_a_lineage_is_drawn_by_its_main_line_or_whole(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    user.trace()
    user.rest()
    canvas = window.pictures.canvas
    kinds = {node.kind for node in canvas.scene().nodes}
    assert "Log file" in kinds
    assert "Person" not in kinds
    assert "named on the cards" in window.pictures.summary

    user.window.run("view.whole_lineage")
    user.rest()
    kinds = {node.kind for node in canvas.scene().nodes}
    assert {"Person", "Cluster"} <= kinds
    assert "named on the cards" not in window.pictures.summary

    user.window.run("view.whole_lineage")
    user.rest()
    assert "Person" not in {node.kind for node in canvas.scene().nodes}
