"""The scripts of a workflow before they run: their folder, the exact commands, the approval of each, and the limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from hpc_explorer.language.script_running import RunLimits, ScriptCommand, landlock_version
from hpc_explorer.ui.widgets.dialog_parts import browse_row, column_in, field_label
from hpc_explorer.ui.widgets.number_box import WholeNumberBox
from hpc_explorer.ui.widgets.plain import without_shortcut
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.ui.widgets.typed_path import typed_path

_MEGABYTE = 1 << 20

CONFINED = (
    "A script runs as a copy, on a copy of its input, with an empty environment. It can write in its own "
    "temporary folder only, and can start no other program."
)
NOT_CONFINED = (
    "A script runs as a copy, on a copy of its input, with an empty environment. This system cannot keep it "
    "from writing elsewhere: approve only what you have read."
)


class ScriptPanel(QWidget):
    """Asks for the folder of the scripts and for the approval of each command.

    Attributes:
        folder: the line with the folder.
        ticks: the approval of each command, by operation.
        texts: the text of each script.

    Signals:
        folder_chosen(): another folder was named.
        changed(): an approval was given or withdrawn.
    """

    folder_chosen = Signal()
    changed = Signal()

    def __init__(self, folder: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.ticks: dict[str, QCheckBox] = {}
        self.texts: dict[str, QPlainTextEdit] = {}
        self._commands: Mapping[str, ScriptCommand] = {}
        column = column_in(self, spacing=GRID)
        column.addWidget(caption("Scripts"))
        self.folder = QLineEdit("" if folder is None else str(folder))
        self.folder.setAccessibleName("Folder of the scripts")
        self.folder.setPlaceholderText("The folder where the scripts lie; none other is run")
        self.folder.editingFinished.connect(self.folder_chosen)
        column.addLayout(browse_row(self.folder, "Choose the folder of the scripts", self._browse))
        column.addWidget(TextBlock(CONFINED if landlock_version() else NOT_CONFINED, size=SMALL, muted=True))
        self._list = QVBoxLayout()
        column.addLayout(self._list)
        grid = QGridLayout()
        usual = RunLimits()
        self.seconds = _box("Seconds of processor time, and of waiting", usual.seconds, 86_400)
        self.memory = _box("Memory in MB", usual.memory // _MEGABYTE, 1 << 20)
        self.file_size = _box("Largest file in MB", usual.file_size // _MEGABYTE, 1 << 20)
        for at, box in enumerate((self.seconds, self.memory, self.file_size)):
            grid.addWidget(field_label(box.accessibleName(), box), 0, at)
            grid.addWidget(box, 1, at)
        column.addLayout(grid)

    @property
    def path(self) -> Path | None:
        """The folder of the scripts; None if none is named."""
        text = self.folder.text().strip()
        return typed_path(text) if text else None

    @property
    def limits(self) -> RunLimits:
        """The limits of each script."""
        return RunLimits(self.seconds.value(), self.memory.value() * _MEGABYTE, self.file_size.value() * _MEGABYTE)

    @property
    def approved(self) -> tuple[ScriptCommand, ...]:
        """The commands that are ticked."""
        return tuple(self._commands[name] for name, tick in self.ticks.items() if tick.isChecked())

    @property
    def is_complete(self) -> bool:
        """Whether every command is ticked."""
        return bool(self.ticks) and all(tick.isChecked() for tick in self.ticks.values())

    def show_commands(self, commands: Mapping[str, ScriptCommand], known: frozenset[str]) -> None:
        """Show the commands.

        Args:
            known: the operations whose command and content were approved before.
        """
        if commands == self._commands:
            return
        self._commands = commands
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self.ticks, self.texts = {}, {}
        for name, command in commands.items():
            tick = QCheckBox(without_shortcut(f"Run: {command.shown}"))
            tick.setAccessibleDescription(f"{command.file}, SHA-256 {command.sha256}")
            tick.setChecked(name in known)
            tick.toggled.connect(lambda _: self.changed.emit())
            before = "You approved this content before." if name in known else "Read it before you approve it."
            facts = TextBlock(f"{command.file}\nSHA-256 {command.sha256}\n{before}", size=SMALL, muted=True)
            text = QPlainTextEdit(command.text)
            text.setReadOnly(True)
            text.setAccessibleName(f"Text of {command.file.name}")
            text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            text.setTabChangesFocus(True)
            text.setFixedHeight(12 * GRID)
            self.ticks[name], self.texts[name] = tick, text
            for widget in (tick, facts, text):
                self._list.addWidget(widget)
        self.changed.emit()

    def _browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder of the scripts", self.folder.text())
        if chosen:
            self.folder.setText(chosen)
            self.folder_chosen.emit()


def _box(name: str, value: int, most: int) -> WholeNumberBox:
    box = WholeNumberBox()
    box.setAccessibleName(name)
    box.setRange(1, most)
    box.setValue(value)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box
