"""A file chosen for a field: read for what can be known of it, and described as a resource when the form is saved."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from hpc_explorer.annotate.forms.entries import entry_text
from hpc_explorer.app.forms.annotating import form_for
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.describe_dialog import DescribeDialog
from hpc_explorer.ui.forms.entries import FileEntry
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

CONTENT = b"kernel,time\nbfs,1.5\n"


def describe_dataset(window: MainWindow, user: User, name: str) -> Filling:
    user.window.run("edit.describe")
    user.dialog(DescribeDialog)
    user.until(
        lambda: (at := QApplication.focusWidget()) is not None and at.accessibleName().startswith("Type a class")
    )
    user.type("dataset")
    user.press("Return")
    user.type(name)
    user.rest()
    user.press("Return")
    user.until(lambda: window.features.form.filling is not None and window.features.form.filling.is_new)
    user.rest()
    assert window.features.form.filling is not None
    return window.features.form.filling


def choose(window: MainWindow, user: User, file: Path) -> str:
    """Choose a file for the field of files; what stands in the field then."""
    user.press("Ctrl+F")
    user.type("file")
    user.press("Return")
    user.rest()
    (entry,) = (one for one in window.features.form.page.findChildren(FileEntry) if one.isVisible())
    user.qtbot.mouseClick(entry.button, Qt.MouseButton.LeftButton)
    dialog = user.dialog(QFileDialog)
    dialog.selectFile(str(file))
    dialog.accept()
    user.until(lambda: bool(entry.line.text()))
    user.rest()
    return entry.line.text()


def save(window: MainWindow, user: User) -> None:
    user.window.run("edit.save")
    user.until(lambda: window.features.form.filling is not None and not window.features.form.filling.is_new)
    user.rest()


def test_a_chosen_file_is_described_with_what_is_known_of_it(window: MainWindow, user: User, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_bytes(CONTENT)
    describe_dataset(window, user, "Kernel times")
    iri = choose(window, user, tmp_path / "times.csv")
    save(window, user)
    session = window.bridge.session
    (link,) = session.store.match(None, HPC.file)
    assert link.object == NamedNode(iri)
    form = form_for(session, NamedNode(iri)).form
    shown = {field.predicate: entry_text(value) for field in form.fields for value in field.values}
    assert form.classes == (HPC.File,)
    assert shown[HPC.name] == "times.csv"
    assert shown[HPC.size] == "20 B"
    assert shown[HPC.term("format")] == "CSV"
    assert shown[HPC.md5] == hashlib.md5(CONTENT).hexdigest()

    # The same content under another name is the same file.
    (tmp_path / "copy.csv").write_bytes(CONTENT)
    describe_dataset(window, user, "Kernel times again")
    assert choose(window, user, tmp_path / "copy.csv") == iri
    save(window, user)
    assert len(list(session.store.match(None, HPC.md5))) == 1
