"""Asks for the file that something is saved as."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from hpc_explorer.ui.text import caption
from hpc_explorer.ui.theme import GRID


class SaveDialog(QDialog):
    """Asks for a file.

    Args:
        title: what is saved as what.
        proposed: the file that is proposed; any other must end like it.
    """

    def __init__(self, title: str, proposed: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(64 * GRID)
        self._suffix = proposed.suffix
        self.file = QLineEdit(str(proposed))
        self.file.setAccessibleName("File to write")
        browse = QPushButton("Browse…")
        browse.setAccessibleName("Choose the file to write")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        self._warning = QLabel()
        self._warning.setProperty("role", "small")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save = buttons.addButton("Save", QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        for one in buttons.buttons():
            one.setAccessibleName(one.text().replace("&", ""))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        grid = QGridLayout(self)
        grid.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        grid.setSpacing(GRID)
        grid.addWidget(caption("File"), 0, 0)
        grid.addWidget(self.file, 1, 0)
        grid.addWidget(browse, 1, 1)
        grid.addWidget(self._warning, 2, 0, 1, 2)
        grid.addWidget(buttons, 3, 0, 1, 2)
        self.file.textChanged.connect(self._look)
        self._look(self.file.text())
        self.file.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def path(self) -> Path:
        """The file that was chosen."""
        path = Path(self.file.text()).expanduser()
        return path if path.suffix.lower() == self._suffix else path.with_name(path.name + self._suffix)

    @property
    def warning(self) -> str:
        """What is wrong with the file's name, or what will happen to the file."""
        return self._warning.text()

    def _look(self, text: str) -> None:
        problem = "Name a file." if not text.strip() else ""
        if not problem and Path(text).expanduser().is_dir():
            problem = "This is a folder: add a name for the file."
        self.save.setEnabled(not problem)
        self._warning.setText(problem or ("This file will be replaced." if self.path.is_file() else ""))

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, self.windowTitle(), self.file.text(), options=QFileDialog.Option.DontConfirmOverwrite
        )
        if chosen:
            self.file.setText(chosen)
