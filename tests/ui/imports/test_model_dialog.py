"""A model's file becomes a description, by keys: looked at first, added as one step, taken back."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.imports.model_dialog import ModelDialog
from hpc_explorer.ui.widgets.edit_tab import EditView
from hpc_explorer.ui.window.command_palette import CommandPalette
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User, open_window
from tests.unit.annotate.models.estimators import trained

MODEL = NamedNode("https://example.org/models/advice")


def model_file(folder: Path) -> Path:
    path = folder / "advice.pkl"
    path.write_bytes(pickle.dumps(trained("tree")))
    return path


def dialog_of(user: User, window: MainWindow) -> ModelDialog:
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    user.type("Describe a model file", palette.box)
    user.press("Return", palette.box)
    return user.dialog(ModelDialog)


def types_of(session: Session, resource: NamedNode) -> set[Any]:
    return {quad.object for quad in session.store.match(resource, RDF.type)}


def test_a_model_is_described_by_keys_and_taken_back(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qapp, qtbot)
    user = User(qtbot, window)
    dialog = dialog_of(user, window)
    assert not dialog.add_button.isEnabled()
    user.type(str(model_file(tmp_path)), dialog.file)
    user.press("Tab", dialog.file)
    user.until(lambda: dialog.facts)
    assert "Algorithm: Decision Tree" in dialog.facts
    assert "Labels: host, pin, prefetch" in dialog.facts
    assert dialog.trees.isChecked()
    user.until(dialog.iri.hasFocus)
    user.press("Ctrl+A", dialog.iri)
    user.type(MODEL.value, dialog.iri)
    user.press("Return", dialog.iri)
    user.until(lambda: types_of(window.bridge.session, MODEL))
    user.rest()
    assert types_of(window.bridge.session, MODEL) == {HPC.AIModel, HPC.DecisionTree}
    assert window.navigator.place.view is View.EDIT
    assert window.pictures.edit.view is EditView.FORM
    (file,) = [quad.object for quad in window.bridge.session.store.match(MODEL, HPC.file)]
    assert isinstance(file, NamedNode)
    nodes = sum(1 for _ in window.bridge.session.store.match(None, RDF.type, HPC.DecisionTreeNode))
    assert nodes == trained("tree").tree_.node_count
    user.press("Ctrl+Z", window)
    user.until(lambda: not types_of(window.bridge.session, MODEL))
    user.rest()
    assert not list(window.bridge.session.store.match(None, RDF.type, HPC.DecisionTreeNode))


def test_what_is_no_model_is_told_in_the_dialog(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qapp, qtbot)
    user = User(qtbot, window)
    dialog = dialog_of(user, window)
    path = tmp_path / "list.pkl"
    path.write_bytes(pickle.dumps([1, 2]))
    user.type(str(path), dialog.file)
    user.press("Tab", dialog.file)
    user.until(lambda: "not a scikit-learn model" in dialog.file.accessibleDescription())
    assert not dialog.add_button.isEnabled()
    assert dialog.facts == ""
    user.press("Escape", dialog)
    user.rest()
    assert window.bridge.session.workspace is None


def test_a_dialog_that_is_closed_while_it_reads_is_told_nothing(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(qapp, qtbot)
    user = User(qtbot, window)
    dialog = dialog_of(user, window)
    path = tmp_path / "deep.pkl"
    path.write_bytes(b"\x80\x04" + b"]" * 100_000 + b"a" * 99_999 + b".")
    user.type(str(path), dialog.file)
    user.press("Tab", dialog.file)
    user.press("Escape", dialog)
    user.until(lambda: not window.findChildren(ModelDialog))
    user.rest()
    assert not window.is_busy
