"""The dialog for loading files into a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from hpc_explorer.stores.changes.manifest import is_workspace
from hpc_explorer.ui.widgets.dialog_parts import add_answers, browse_row, dialog_column
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.typed_path import is_file, is_folder, typed_path


class LoadDialog(QDialog):
    """Asks which files to load into which workspace.

    Args:
        names: the proposed files and folders.
        workspace: the proposed workspace, if any.
        folder: the folder that file dialogs start in.
    """

    def __init__(self, names: Sequence[str], workspace: Path | None, folder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Load into workspace")
        self.setFixedWidth(72 * GRID)
        self._folder = folder
        column = dialog_column(self)
        column.addWidget(caption("Files"))
        self.files = QListWidget()
        self.files.setAccessibleName("Files to load")
        self.files.setProperty("framed", True)
        self.files.setFixedHeight(14 * GRID)
        self.files.setTextElideMode(Qt.TextElideMode.ElideLeft)
        self.files.addItems(list(names))
        column.addWidget(self.files)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for title, act in (
            ("Add files…", self._add_files),
            ("Add folder…", self._add_folder),
            ("Remove", self._remove),
        ):
            button = QPushButton(title)
            button.setAccessibleName(title.rstrip("…"))
            button.setAutoDefault(False)
            button.clicked.connect(act)
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addSpacing(GRID)
        column.addWidget(caption("Workspace"))
        self.workspace = QLineEdit(str(workspace) if workspace is not None else "")
        self.workspace.setAccessibleName("Folder of the workspace")
        self.workspace.setPlaceholderText("A new or empty folder, or a workspace")
        column.addLayout(browse_row(self.workspace, "Choose the folder of the workspace", self._browse))
        self._remark = TextBlock(" ", muted=True)
        column.addWidget(self._remark)
        column.addSpacing(GRID)
        self.load_button = add_answers(self, column, "Load")
        self.workspace.textChanged.connect(self._look)
        self._look()

    @property
    def names(self) -> tuple[str, ...]:
        """The files and folders to load."""
        return tuple(self.files.item(row).text() for row in range(self.files.count()))

    @property
    def target(self) -> Path:
        """The folder of the workspace."""
        return typed_path(self.workspace.text())

    @property
    def remark(self) -> str:
        """The note about the folder."""
        return self._remark.text()

    def add(self, names: Sequence[str]) -> None:
        """Add files and folders that are not in the list."""
        self.files.addItems([name for name in dict.fromkeys(names) if name not in self.names])
        self._look()

    def _add_files(self) -> None:
        files, _ = QFileDialog.getOpenFileNames(self, "Files to load", self._folder)
        self.add(files)

    def _add_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Folder to load", self._folder)
        self.add([folder] if folder else [])

    def _remove(self) -> None:
        for item in self.files.selectedItems():
            self.files.takeItem(self.files.row(item))
        self._look()

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Workspace", self.workspace.text() or self._folder)
        if folder:
            self.workspace.setText(folder)

    def _look(self) -> None:
        """Check the folder."""
        try:
            problem, remark = self._said_of_folder()
        except OSError as error:
            problem, remark = f"The system refuses to look at this folder: {error.strerror}.", ""
        self._remark.say(problem or remark)
        self.load_button.setEnabled(not problem and self.files.count() > 0)

    def _said_of_folder(self) -> tuple[str, str]:
        """What is wrong with the folder, and what will happen in it."""
        problem = "" if self.workspace.text().strip() else "Choose the folder that will hold the triples."
        remark = "A new workspace will be created in this folder."
        if not problem and is_workspace(self.target):
            remark = "The files will be added to this workspace; files that it already has will be reloaded."
        elif not problem and is_file(self.target):
            problem = "This is a file: choose a folder."
        elif not problem and is_folder(self.target) and any(self.target.iterdir()):
            problem = "This folder has other files in it: choose a new or empty one."
        return problem, remark
