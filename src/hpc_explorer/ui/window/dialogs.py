"""Small dialogs: all values of a property, keyboard shortcuts, and About."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable

from PySide6.QtCore import Signal, qVersion
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer import __version__
from hpc_explorer.app.explore.described import all_values
from hpc_explorer.app.views import PropertyView, ResourceView, ValueView
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import add_closing, dialog_column, fit_height, open_dialog
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.resource_list import ResourceList, ResourceRow
from hpc_explorer.ui.widgets.text import TextBlock, shortened
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class ValuesDialog(QDialog):
    """All values of one property, with a filter.

    Signals:
        opened(Resource): a value was chosen; the dialog is closed.
    """

    opened = Signal(object)

    def __init__(self, one: PropertyView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"{one.label}: {one.total}")
        self.resize(64 * GRID, 72 * GRID)
        self._rows = tuple(_row(value) for value in one.values)
        self.filter = FilterLine("Filter")
        self.list = ResourceList(f"Values of {one.label}")
        self._remark = Label()
        self._remark.setProperty("role", "small")
        self._total = one.total
        column = dialog_column(self)
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        column.addWidget(self._remark)
        add_closing(self, column)
        self.filter.textChanged.connect(self._show)
        self.filter.left_downwards.connect(self.list.setFocus)
        self.list.opened.connect(self._open)
        self._show("")

    def _show(self, words: str) -> None:
        wanted = words.casefold().split()
        rows = tuple(
            row for row in self._rows if all(word in f"{row.label} {row.second}".casefold() for word in wanted)
        )
        self.list.rows.set_rows(rows)
        if rows:
            self.list.setCurrentIndex(self.list.rows.index(0))
        self._remark.setText(f"{len(rows):,} of {self._total}")

    def _open(self, ref: object) -> None:
        self.accept()
        self.opened.emit(ref.resource)  # type: ignore[attr-defined]  # a ResourceRef, through a signal


def show_values(
    bridge: SessionBridge,
    view: ResourceView | None,
    one: PropertyView,
    incoming: bool,
    opened: Callable[[Resource], None],
    window: QWidget,
) -> None:
    """Query all values of one property, and list them in a dialog.

    Args:
        view: the resource; None does nothing.
        incoming: whether the values are the resources that link to it.
        opened: receives the chosen value.
    """
    if view is None:
        return

    def show(whole: PropertyView) -> None:
        dialog = ValuesDialog(whole, window)
        dialog.opened.connect(opened)
        open_dialog(dialog)

    title = f"List all {one.label}"
    bridge.run(all_values, view.ref.resource, one, incoming, title=title, on_result=show, replaces="dialog")


def _row(value: ValueView) -> ResourceRow:
    tip = value.target.iri if value.target is not None else shortened(value.text)
    return ResourceRow(shortened(value.text, 200), value.detail, tip, value.target)


class KeyboardDialog(QDialog):
    """The keyboard shortcuts."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self.resize(64 * GRID, 80 * GRID)
        table = QTreeWidget()
        table.setAccessibleName("Keys")
        table.setColumnCount(2)
        table.setHeaderHidden(True)
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        table.header().setStretchLastSection(False)
        native = QKeySequence.SequenceFormat.NativeText
        for command in commands:
            if command.shortcut:
                item = QTreeWidgetItem([command.title.rstrip("…"), QKeySequence(command.shortcut).toString(native)])
                item.setToolTip(0, command.description)
                table.addTopLevelItem(item)
        for title, keys in _ELSEWHERE:
            table.addTopLevelItem(QTreeWidgetItem([title, keys]))
        column = dialog_column(self)
        column.addWidget(table)
        add_closing(self, column)


_ELSEWHERE = (
    ("In a picture: go to the next node in that direction", "Arrow keys"),
    ("In a picture: make the chosen node its focus", "Enter"),
    ("In a picture: go to the next node and add it to the selection", "Ctrl+Shift+arrow keys"),
    ("In a picture: select all nodes; none", "Ctrl+A; Escape"),
    ("In a picture: move the view", "Shift+arrow keys"),
    ("In a picture that can be rearranged: move the selected nodes", "Ctrl+arrow keys"),
    ("In a picture: zoom to the selection; to everything", "Z; F or Home"),
    ("In a picture: the menu of the chosen node", "Menu key"),
    ("Cancel dragging", "Escape"),
    ("In a tree or list: open what is chosen", "Enter"),
    ("In the sources: close the chosen one", "Delete"),
    ("Close a message or a list of results", "Escape"),
)


class AboutDialog(QDialog):
    """Version and licences."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("About HPC Explorer")
        self.setFixedWidth(52 * GRID)
        column = dialog_column(self)
        column.addWidget(TextBlock("HPC Explorer", __version__, size=TITLE, weight=600))
        column.addWidget(TextBlock("Shows where the models and data in an HPC knowledge graph come from."))
        made_of = (
            "Apache License 2.0. Uses Oxigraph (MIT or Apache 2.0), Qt and PySide6 (LGPL 3), PyLD (BSD), "
            "resvg (Apache 2.0 or MIT) and the typeface Inter (SIL Open Font License)."
        )
        column.addWidget(TextBlock(made_of, muted=True))
        column.addWidget(TextBlock(f"Python {platform.python_version()}, Qt {qVersion()}", muted=True))
        add_closing(self, column)
        fit_height(self, column)
