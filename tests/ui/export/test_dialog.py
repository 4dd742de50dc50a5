"""The export dialog: what, in which syntax, into which file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.app.export.choices import SYNTAXES, Extent, Offer
from hpc_explorer.rdf.syntax.formats import JSON_LD, N_QUADS, TURTLE
from hpc_explorer.ui.export.dialog import ExportDialog

OFFERS = (
    Offer(Extent.RESOURCE, "decisionTree.onnx, with its description", "decisionTree.onnx"),
    Offer(Extent.GRAPH, "Everything open", "xplacer"),
)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


@pytest.fixture
def dialog(parent: QWidget, tmp_path: Path) -> ExportDialog:
    return ExportDialog(OFFERS, tmp_path, parent)


def choose(dialog: ExportDialog, syntax: object) -> None:
    number = next(at for at, offered in enumerate(SYNTAXES) if syntax in (offered.format, offered.target))
    dialog.syntax.button(number).click()


def test_it_proposes_json_ld_under_the_name_of_the_thing(dialog: ExportDialog, tmp_path: Path) -> None:
    assert dialog.choice.extent is Extent.RESOURCE
    assert dialog.choice.path == tmp_path / "decisionTree.onnx.jsonld"
    dialog.what.button(1).click()
    assert dialog.choice.extent is Extent.GRAPH
    assert dialog.choice.path == tmp_path / "xplacer.jsonld"


def test_the_file_gets_the_ending_of_the_syntax_and_keeps_its_name(dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.file.setText(str(tmp_path / "mine.v2.jsonld"))
    choose(dialog, TURTLE)
    assert dialog.choice.path == tmp_path / "mine.v2.ttl"
    dialog.compressed.click()
    assert dialog.choice.path == tmp_path / "mine.v2.ttl.gz"
    choose(dialog, N_QUADS)
    assert dialog.choice.path == tmp_path / "mine.v2.nq.gz"
    dialog.compressed.click()
    choose(dialog, JSON_LD)
    assert dialog.choice.path == tmp_path / "mine.v2.jsonld"


def test_the_syntax_follows_the_ending_that_is_typed(dialog: ExportDialog, qtbot: QtBot) -> None:
    dialog.file.clear()
    qtbot.keyClicks(dialog.file, "/tmp/x.nq.gz")
    assert SYNTAXES[dialog.syntax.checkedId()].format is N_QUADS
    assert dialog.compressed.isChecked()
    assert dialog.file.text() == "/tmp/x.nq.gz"


def test_a_line_that_was_emptied_is_filled_in_again(dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.file.clear()
    choose(dialog, TURTLE)
    assert dialog.choice.path == tmp_path / "decisionTree.onnx.ttl"


def test_a_folder_that_was_typed_gets_the_proposed_name(dialog: ExportDialog, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    dialog.file.setText(str(folder))
    assert dialog.warning == "This is a folder: add a name for the file."
    dialog.what.button(1).click()
    assert dialog.choice.path == folder / "xplacer.jsonld"


@pytest.mark.parametrize("name", ["", "x", "x.txt"])
def test_a_name_that_promises_no_syntax_cannot_be_written(dialog: ExportDialog, name: str, tmp_path: Path) -> None:
    dialog.file.setText(str(tmp_path / name) if name else "")
    assert not dialog.export.isEnabled()
    dialog.file.setText(str(tmp_path / "x.ttl"))
    assert dialog.export.isEnabled()


def test_a_file_that_is_there_is_named_before_it_is_replaced(dialog: ExportDialog, tmp_path: Path) -> None:
    there = tmp_path / "there.ttl"
    there.write_text("", encoding="utf-8")
    dialog.file.setText(str(there))
    assert dialog.warning == "This file will be replaced."
    dialog.file.setText(str(tmp_path / "not there.ttl"))
    assert dialog.warning == ""


def test_a_preview_that_cannot_be_says_why(parent: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = ExportDialog(OFFERS, tmp_path, parent, lambda order, on_result, on_error: on_error(ValueError("why not")))
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.preview.toPlainText() == "why not")
