"""A dialog that asks for the file to save."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.widgets.file_dialog import FileDialog


class SaveDialog(FileDialog):
    """Asks for a file.

    Args:
        title: the title of the dialog.
        proposed: the proposed file; its suffix is added to other names.

    Attributes:
        save: the button that accepts.
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
        """The chosen file."""
        path = super().path
        return path if path.suffix.lower() == self._suffix else path.with_name(path.name + self._suffix)
