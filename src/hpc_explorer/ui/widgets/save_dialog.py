"""Asks for the file that something is saved as, where nothing else is to be asked."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.widgets.file_dialog import FileDialog


class SaveDialog(FileDialog):
    """Asks for a file.

    Args:
        title: what is saved as what.
        proposed: the file that is proposed; any other gets its ending.

    Attributes:
        save: the button that has the file written.
    """

    def __init__(self, title: str, proposed: Path, parent: QWidget) -> None:
        super().__init__(title, proposed.parent, parent)
        self._suffix = proposed.suffix
        self._add_file()
        self.save = self._add_answers("Save")
        self.file.setText(str(proposed))
        self.file.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def path(self) -> Path:
        """The file that was chosen."""
        path = super().path
        return path if path.suffix.lower() == self._suffix else path.with_name(path.name + self._suffix)
