"""The command palette: find and run a command by name."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.ui.bridge.commands import Command, matching, nearest
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.dialog_size import keep_on_screen
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon

ID_ROLE = Qt.ItemDataRole.UserRole


class CommandPalette(QDialog):
    """A search box above the matching commands; unavailable ones are greyed out, with the reason.

    Args:
        commands: all commands, in menu order.
        usable: the ids of the commands that can run now.

    Signals:
        chosen(str): the id of the command to run, after the palette has closed.
    """

    chosen = Signal(str)

    def __init__(self, commands: Iterable[Command], usable: set[str], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.FramelessWindowHint | Qt.WindowType.Dialog)
        self.setObjectName("popup")
        self.setWindowTitle("All commands")
        self._commands = tuple(commands)
        self._usable = usable
        self.box = QLineEdit(self)
        self.box.setPlaceholderText("Type what you want to do")
        self.box.setAccessibleName("Command")
        self.box.setAccessibleDescription("Arrow keys choose, Enter runs, Escape closes")
        self.list = QTreeWidget(self)
        self.list.setAccessibleName("Commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformRowHeights(True)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(16, 16))
        self.remark = Label(parent=self)
        self.remark.setProperty("role", "small")
        self.remark.setWordWrap(True)
        self.remark.setMinimumHeight(4 * GRID)
        self.remark.setContentsMargins(GRID, 0, GRID, 0)
        layout = column_in(self, GRID, GRID, GRID, GRID, spacing=GRID)
        keep_on_screen(self)
        for widget in (self.box, self.list, self.remark):
            layout.addWidget(widget)
        self.box.textChanged.connect(self._fill)
        self.box.installEventFilter(self)
        self.list.currentItemChanged.connect(self._explain)
        self.list.itemClicked.connect(self._run)
        self.resize(66 * GRID, 52 * GRID)
        above = parent.window().rect()
        corner = parent.window().mapToGlobal(above.topLeft())
        self.move(corner.x() + (above.width() - self.width()) // 2, corner.y() + 9 * GRID)
        self.list.ensurePolished()  # the first row decides the height of all rows
        self._fill("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if key in ENTER:
                self._run(self.list.currentItem())
                return True
            if key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
                self.list.keyPressEvent(event)
                return True
        return False

    def _fill(self, words: str) -> None:
        self.list.clear()
        found = matching(self._commands, words)
        near = [] if found else nearest(self._commands, words)
        items = [self._item(command) for command in found or near]
        self.list.addTopLevelItems(items)
        if found:
            self.list.setCurrentItem(items[0])
        else:
            what = "These are all commands" if len(near) == len(self._commands) else "These are close"
            self.remark.setText(f"No command is called “{words}”. {what}.")

    def _item(self, command: Command) -> QTreeWidgetItem:
        keys = QKeySequence(command.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        item = QTreeWidgetItem([command.title, keys])
        item.setData(0, ID_ROLE, command.id)
        theme = current_theme()
        # In the colours of its action, for which it was drawn before.
        item.setIcon(0, icon(command.icon, theme.muted, theme.line) if command.icon else _no_icon())
        item.setToolTip(0, command.description)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for number in range(2):
            if number == 1 or command.id not in self._usable:
                item.setForeground(number, QColor(theme.muted))
        return item

    def _explain(self, item: QTreeWidgetItem | None) -> None:
        command = self._command(item)
        if command is None:
            return
        missing = "" if command.id in self._usable else f"Not now: it needs {command.needs.what}. "
        self.remark.setText(missing + command.description)
        self.box.setAccessibleDescription(f"{command.title}. {missing}{command.description}")

    def _run(self, item: QTreeWidgetItem | None) -> None:
        command = self._command(item)
        if command is not None and command.id in self._usable:
            self.accept()
            self.chosen.emit(command.id)

    def _command(self, item: QTreeWidgetItem | None) -> Command | None:
        wanted = item.data(0, ID_ROLE) if item is not None else None
        return next((command for command in self._commands if command.id == wanted), None)


def _no_icon() -> QIcon:
    """An empty icon that aligns the titles."""
    empty = QPixmap(16, 16)
    empty.fill(Qt.GlobalColor.transparent)
    return QIcon(empty)
