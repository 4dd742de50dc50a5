"""The common part of dialogs that write a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from hpc_explorer.ui.widgets.dialog_parts import add_answers, browse_row, dialog_column
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.typed_path import is_file, is_folder, typed_path


class FileDialog(QDialog):
    """Asks for the file to write; subclasses add choices above.

    Args:
        title: the title of the dialog, such as "Export".
        folder: the proposed folder.

    Attributes:
        file: the path.
    """

    def __init__(self, title: str, folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(64 * GRID)
        self._folder = folder
        self._column = dialog_column(self)
        self.file = QLineEdit()
        self.file.setAccessibleName("File to write")
        self._warning = Label()
        self._warning.setProperty("role", "small")
        self._warning.setWordWrap(True)

    @property
    def path(self) -> Path:
        """The file to write."""
        return typed_path(self.file.text())

    @property
    def warning(self) -> str:
        """The problem with the choice, or what will happen to an existing file."""
        return self._warning.text()

    # Building

    def _add_choices(
        self, title: str, names: Sequence[str], uses: Sequence[str] = (), *, in_row: int = 4
    ) -> QButtonGroup:
        """Add radio buttons; the first is checked.

        Args:
            uses: an explanation of each choice, if necessary.
            in_row: the number of choices in a row.
        """
        self._column.addWidget(caption(title))
        group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID)
        for at, name in enumerate(names):
            button = QRadioButton(name)
            button.setChecked(at == 0)
            button.setAccessibleName(f"{name}. {uses[at]}" if uses else f"{title}: {name}")
            button.setToolTip(plain_tip(uses[at] if uses else ""))
            group.addButton(button, at)
            grid.addWidget(button, at // in_row, at % in_row)
        grid.setColumnStretch(in_row, 1)
        self._column.addLayout(grid)
        return group

    def _add_remark(self) -> QLabel:
        """Add an explanation of the choice above."""
        remark = Label()
        remark.setProperty("role", "small")
        self._column.addWidget(remark)
        return remark

    def _add_file(self) -> None:
        self._column.addWidget(caption("File"))
        self._column.addLayout(browse_row(self.file, "Choose the file to write", self._browse))
        self.file.textEdited.connect(self._read_name)
        self.file.textChanged.connect(self._look)

    def _add_answers(self, name: str) -> QPushButton:
        """Add the warning and the buttons; returns the accepting button."""
        self._column.addWidget(self._warning)
        self._column.addSpacing(GRID)
        self._go = add_answers(self, self._column, name)
        return self._go

    # The file's name

    def _read_name(self, text: str) -> None:
        """Choose the format of the suffix that the user typed."""

    def _problem(self) -> str:
        """Why the file cannot be written, or empty."""
        return ""

    def _place(self) -> tuple[Path, str]:
        """The folder and the name of the typed path; the name may be empty."""
        typed = Path(self.file.text().strip() or self._folder)
        return (typed, "") if is_folder(typed_path(str(typed))) else (typed.parent, typed.name)

    def _look(self) -> None:
        """Update the warning."""
        problem = self._problem()
        typed = self.file.text().strip()
        if not typed:
            problem = "Name a file."
        elif is_folder(typed_path(typed)):
            problem = "This is a folder: add a name for the file."
        self._go.setEnabled(not problem)
        self._warning.setText(problem or ("This file will be replaced." if is_file(self.path) else ""))

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, f"{self.windowTitle()} to", self.file.text(), options=QFileDialog.Option.DontConfirmOverwrite
        )
        if chosen:
            self.file.setText(chosen)
            self._read_name(chosen)


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
