"""Sharing from the window: the dialog, the page, and the word that it is there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.share.share import ShareDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User


def test_a_page_is_written_and_said_to_be_there(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    user = User(qtbot, window)
    user.open_sample("xplacer")
    user.search("decisionTree")
    window.run("resource.share")
    dialog = user.dialog(ShareDialog)
    assert dialog.path.name == "decisionTree.onnx.html"
    dialog.file.setText(str(tmp_path / "page.txt"))
    write = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Save page")
    assert not write.isEnabled()
    assert "html" in dialog.warning
    dialog.file.setText(str(tmp_path / "page.html"))
    user.click(write)
    user.until((tmp_path / "page.html").exists)
    user.rest()
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "Train the decision tree" in text
    assert "63 resources" in window.banner.title


def test_what_was_derived_is_another_page(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    user = User(qtbot, window)
    user.open_sample("xplacer")
    user.search("hotspot-nvprof")
    window.run("resource.share")
    dialog = user.dialog(ShareDialog)
    user.click(dialog.ways.button(1))
    dialog.file.setText(str(tmp_path / "page.html"))
    user.click(next(button for button in dialog.findChildren(QPushButton) if button.text() == "Save page"))
    user.until((tmp_path / "page.html").exists)
    user.rest()
    assert "What was made from" in (tmp_path / "page.html").read_text("utf-8")
