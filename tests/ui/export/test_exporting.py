"""Exporting from the window: previewed, told what is missing, read back; by clicks and by keyboard alone."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.app.export.choices import DEPTHS, FORMS, SYNTAXES
from hpc_explorer.rdf.syntax.formats import JSON_LD, TURTLE
from hpc_explorer.ui.export.dialog import ExportDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User


@pytest.fixture
def user(qtbot: QtBot, window: MainWindow) -> User:
    user = User(qtbot, window)
    user.open_sample("xplacer")
    return user


def opened(user: User, name: str) -> ExportDialog:
    user.search(name)
    user.window.run("resource.export")
    dialog = user.dialog(ExportDialog)
    previewed(user, dialog)
    return dialog


def previewed(user: User, dialog: ExportDialog) -> str:
    """The preview, once it is that of what is chosen."""
    user.until(lambda: not any(timer.isActive() for timer in dialog.findChildren(QTimer)))
    user.rest()
    return dialog.preview.toPlainText()


def choose(user: User, dialog: ExportDialog, name: str) -> None:
    number = next(at for at, syntax in enumerate(SYNTAXES) if syntax.name == name)
    user.click(dialog.syntax.button(number))


def walk_to(user: User, widget: QWidget) -> None:
    """Press Tab until the keyboard is there."""
    for _ in range(30):
        if QApplication.focusWidget() is widget:
            return
        user.press("Tab")
    raise AssertionError(f"Tab never comes to {widget.accessibleName()}")


def test_a_framed_record_with_what_it_needs_by_keyboard_alone(window: MainWindow, user: User, tmp_path: Path) -> None:
    dialog = opened(user, "decisionTree")
    assert QApplication.focusWidget() is dialog.what.button(0)
    assert '"hpc:name": "decisionTree.onnx"' in dialog.preview.toPlainText()
    walk_to(user, dialog.belonging)
    user.press("Down")
    assert DEPTHS[dialog.belonging.currentIndex()][0] == 0
    walk_to(user, dialog.form)
    user.press("Down")
    assert FORMS[dialog.form.currentIndex()][0].value == "framed"
    assert '"hpc:name": "Mira Solberg"' in previewed(user, dialog)
    assert dialog.told == "1 resource in full; 10 more by name and class; 8 that the graph says neither of"
    walk_to(user, dialog.file)
    user.press("Ctrl+A")
    out = tmp_path / "model.jsonld"
    user.type(str(out))
    user.press("Return")
    user.until(window.banner.isVisible)
    document = json.loads(out.read_text(encoding="utf-8"))
    assert document["hpc:contributor"]["hpc:name"] == "Mira Solberg"
    assert window.banner.title.startswith("Exported ")
    assert "; read back: the same " in window.banner.title


def test_croissant_says_what_is_missing_before_it_is_written(window: MainWindow, user: User, tmp_path: Path) -> None:
    dialog = opened(user, "DataRaceBench micro")
    walk_to(user, dialog.syntax.button(0))
    for key in ("Down", "Down", "Right"):
        user.press(key)
    assert SYNTAXES[dialog.syntax.checkedId()].name == "Croissant"
    assert '"conformsTo": "http://mlcommons.org/croissant/1.0"' in previewed(user, dialog)
    assert "Required: creator is missing\nRequired: date of publication (datePublished) is missing\n" in dialog.missing
    assert dialog.path.name == "DataRaceBench-micro-benchmarks.json"
    out = tmp_path / "races.json"
    dialog.file.setText(str(out))
    user.click(dialog.export)
    user.until(window.banner.isVisible)
    assert window.banner.title.startswith("Exported Croissant, 2 required missing; read back: ")
    assert "creator" not in json.loads(out.read_text(encoding="utf-8"))


def test_a_crate_and_an_element_for_a_page(window: MainWindow, user: User, tmp_path: Path) -> None:
    dialog = opened(user, "DataRaceBench micro")
    choose(user, dialog, "RO-Crate")
    assert dialog.version.isVisible()
    assert dialog.copy_files.isVisible()
    assert not dialog.compressed.isVisible()
    assert "ro-crate-metadata.json" in previewed(user, dialog)
    assert "graph.ttl: read back: the same " in dialog.told
    user.click(dialog.version)
    user.press("Down", dialog.version.view())
    user.press("Return", dialog.version.view())
    assert '"https://w3id.org/ro/crate/1.2/context"' in previewed(user, dialog)
    out = tmp_path / "races.zip"
    dialog.file.setText(str(out))
    user.click(dialog.export)
    user.until(window.banner.isVisible)
    names = set(zipfile.ZipFile(out).namelist())
    assert names == {"ro-crate-metadata.json", "ro-crate-preview.html", "graph.ttl"}

    window.run("resource.export")
    dialog = user.dialog(ExportDialog)
    choose(user, dialog, "schema.org")
    dialog.file.selectAll()
    page = tmp_path / "races.html"
    user.type(str(page), dialog.file)
    assert previewed(user, dialog).startswith('<script type="application/ld+json">')
    user.click(dialog.export)
    user.until(page.exists)
    user.rest()
    assert "DataRaceBench" in page.read_text(encoding="utf-8")


def test_files_are_listed_before_they_are_copied(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    user, here = User(qtbot, window), tmp_path / "here"
    here.mkdir()
    for path in (tmp_path / "secret.csv", here / "a.csv", here / "b.csv"):
        path.write_text(path.name, encoding="utf-8")
    graph = here / "graph.ttl"
    files = "".join(
        f"<#d> hpc:file <#{path.stem}> . <#{path.stem}> a hpc:File ; hpc:url '{path}' . "
        for path in (tmp_path / "secret.csv", here / "a.csv", here / "b.csv")
    )
    graph.write_text(
        f"@prefix hpc: <https://hpc-fair.github.io/ontology#> . <#d> a hpc:Dataset ; hpc:name 'Readings' . {files}",
        encoding="utf-8",
    )
    user.open_files([graph])
    dialog = opened(user, "Readings")
    choose(user, dialog, "RO-Crate")
    user.click(dialog.copy_files)
    user.until(dialog.files.isVisible)
    previewed(user, dialog)
    assert [dialog.files.item(row).text() for row in range(dialog.files.count())] == [
        str(here / "a.csv"),
        str(here / "b.csv"),
    ]
    assert f"not read: {tmp_path / 'secret.csv'}: outside" in dialog.told
    dialog.files.item(0).setCheckState(Qt.CheckState.Unchecked)
    previewed(user, dialog)
    out = tmp_path / "readings.zip"
    dialog.file.setText(str(out))
    user.click(dialog.export)
    user.until(window.banner.isVisible)
    with zipfile.ZipFile(out) as packed:
        assert [name for name in packed.namelist() if name.startswith("data/")] == ["data/b.csv"]


def test_everything_and_what_is_about_chosen_things(user: User) -> None:
    dialog = opened(user, "decisionTree")
    choose(user, dialog, "RO-Crate")
    user.click(dialog.what.button(1))
    assert SYNTAXES[dialog.syntax.checkedId()].format is JSON_LD
    enabled = [dialog.syntax.button(number).isEnabled() for number in range(len(SYNTAXES))]
    assert enabled == [syntax.target is None or syntax.target.is_provenance for syntax in SYNTAXES]
    assert not dialog.belonging.isVisible()
    assert dialog.preview.toPlainText()
    assert previewed(user, dialog)
    assert "Preview of the beginning" in [label.text() for label in dialog.findChildren(QLabel)]
    number = next(at for at, syntax in enumerate(SYNTAXES) if syntax.format is TURTLE)
    user.click(dialog.syntax.button(number))
    assert "@prefix hpc:" in previewed(user, dialog)
    user.close(dialog)


def test_a_lineage_is_exported_for_other_tools(user: User, tmp_path: Path) -> None:
    dialog = opened(user, "decisionTree")
    user.click(dialog.what.button(1))
    choose(user, dialog, "PROV-N")
    assert previewed(user, dialog).startswith("document\n")
    choose(user, dialog, "MLflow")
    assert "meta.yaml" in previewed(user, dialog)
    dialog.file.setText(str(tmp_path / "store"))
    user.click(dialog.export)
    user.rest()
    assert list((tmp_path / "store").glob("*/*/tags/hpc_explorer.iri"))


def test_what_is_selected_and_a_class_can_be_exported(window: MainWindow, user: User) -> None:
    user.search("decisionTree")
    window.run("go.neighbours")
    user.rest()
    keys = sorted(node.key for node in window.pictures.canvas.scene().nodes)[:3]
    window.pictures.canvas.select_keys(keys)
    window.browser.classes.setCurrentIndex(window.browser.classes.model().index(0, 0))
    user.rest()
    window.run("file.export")
    dialog = user.dialog(ExportDialog)
    texts = [button.text() for button in dialog.what.buttons()]
    assert "The 3 selected resources" in texts
    assert any(text.startswith("All instances of ") for text in texts)
    user.click(dialog.what.button(texts.index("The 3 selected resources")))
    text = previewed(user, dialog)
    assert sum(f'"@id": "{key}"' in text for key in keys) == 3
    user.close(dialog)


def test_what_a_format_requires_and_lacks_is_said(user: User) -> None:
    dialog = opened(user, "decisionTree")
    choose(user, dialog, "Croissant")
    assert "it is no dataset" in dialog.missing or previewed(user, dialog)
    assert "Required: it is not a dataset: Croissant describes datasets" in dialog.missing
    user.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    user.rest()


def test_a_crate_without_files_on_this_machine_says_so(user: User) -> None:
    dialog = opened(user, "decisionTree")
    choose(user, dialog, "RO-Crate")
    user.click(dialog.copy_files)
    previewed(user, dialog)
    assert dialog.files.count() == 0
    assert not dialog.files.isVisible()
    said = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert any(text.startswith("No file in the folders") for text in said)
