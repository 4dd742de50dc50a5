"""The forms that were typed and not saved, to go on with one of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from hpc_explorer.app.views import FacetRow
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

LONGEST_NAME = 200
_ROLE = Qt.ItemDataRole.UserRole


class UnsavedDialog(QDialog):
    """Lists them, the last one typed first.

    Args:
        rows: one for each, its key that of the form.

    Attributes:
        list: the list; go: the button that goes on with the chosen one.

    Signals:
        chosen(str): the key of the form to go on with; the dialog is closed.
    """

    chosen = Signal(str)

    def __init__(self, rows: Sequence[FacetRow], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Forms not saved")
        self.resize(64 * GRID, 40 * GRID)
        column = dialog_column(self)
        column.addWidget(TextBlock("Each is kept until you save or discard it."))
        self.list = QTreeWidget()
        self.list.setAccessibleName("Forms not saved")
        self.list.setProperty("framed", True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHeaderLabels(["Form of", "Is"])
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.ensurePolished()  # else its rows are measured before they have their look
        column.addWidget(self.list, 1)
        for row in rows:
            state = row.detail or "in the graph"
            item = QTreeWidgetItem([brief(row.label, LONGEST_NAME), state])
            item.setToolTip(0, plain_tip(f"{row.label}\n{row.tip}"))
            item.setData(0, _ROLE, row.key)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{row.label}, {state}")
            self.list.addTopLevelItem(item)
        self.go = add_answers(self, column, "Go on", self._choose)
        self.list.itemActivated.connect(lambda item, at: self._choose())
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            self.chosen.emit(item.data(0, _ROLE))
