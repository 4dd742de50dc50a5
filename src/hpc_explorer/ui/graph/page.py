"""The page of the graph view: its toolbar, its filters, and the canvas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from hpc_explorer.app.views import FilterChoice, FilterChoices
from hpc_explorer.canvas.view.state import Filters
from hpc_explorer.ui.canvas.page import CanvasPage
from hpc_explorer.ui.graph.controller import EMPTY_TEXT
from hpc_explorer.ui.graph.toolbar import GraphToolbar
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import caption
from hpc_explorer.ui.widgets.theme import GRID, current_theme, font, on_theme
from hpc_explorer.ui.widgets.timers import single_shot


class GraphPage(CanvasPage):
    """The graph view on a canvas.

    Signals:
        filters_toggled(): the filters were shown or hidden.
    """

    filters_toggled = Signal()

    def __init__(self, toolbar: GraphToolbar) -> None:
        super().__init__(EMPTY_TEXT, toolbar, fades=False)
        self.toolbar = toolbar
        self.filters = GraphFilters()
        self.filters.hide()
        self.add_beside(self.filters)

    def toggle_filters(self) -> None:
        """Show the filters, or hide them."""
        self.filters.setVisible(self.filters.isHidden())
        if self.filters.isVisible():
            self.filters.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters_toggled.emit()


WIDTH = 30 * GRID
PAUSE = 250
"""Milliseconds after the last key before names are filtered."""

_KINDS = (("classes", "Classes"), ("predicates", "Links"), ("graphs", "Sources"), ("origins", "Origin"))
_KEY = Qt.ItemDataRole.UserRole


class GraphFilters(QWidget):
    """A search field for names, and a check box for each class, predicate, source and origin.

    Signals:
        filtered(Filters, str): the new filters, and a description of the change.
    """

    filtered = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self._filters = Filters()
        self._choices = FilterChoices()
        self._filling = False
        self.text = QLineEdit()
        self.text.setPlaceholderText("Names that contain")
        self.text.setAccessibleName("Names that contain")
        self.text.setClearButtonEnabled(True)
        self.list = QTreeWidget()
        self.list.setAccessibleName("What is shown")
        self.list.setAccessibleDescription("Space shows or hides the chosen row")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(0)
        self.list.setUniformRowHeights(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        column = column_in(self, GRID, GRID, GRID, GRID, spacing=GRID)
        heading = caption("Shown in the graph")
        add_parts(column, heading, self.text, (self.list, 1))
        self._pause = single_shot(self, PAUSE, self._filter_names)
        self.text.textEdited.connect(lambda: self._pause.start())
        self.text.returnPressed.connect(self._filter_names)
        self.list.itemChanged.connect(self._tick)
        on_theme(self._dress)

    def show_choices(self, choices: FilterChoices, filters: Filters) -> None:
        """Show the choices and which of them are left out."""
        self._choices, self._filters = choices, filters
        if not self.text.hasFocus() or not self._pause.isActive():
            self.text.setText(filters.text)
        here = self.list.currentItem()
        chosen = here.data(0, _KEY) if here is not None else None
        self._filling = True
        self.list.clear()
        for kind, title in _KINDS:
            offered: tuple[FilterChoice, ...] = getattr(choices, kind)
            out: frozenset[str] = getattr(filters, kind)
            if offered:
                self._add_title(title)
            for one in offered:
                self._add(kind, one, shown=one.key not in out, chosen=(kind, one.key) == chosen)
        self._filling = False

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self.show_choices(self._choices, self._filters)

    def _add_title(self, title: str) -> None:
        item = QTreeWidgetItem([title])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setForeground(0, QColor(current_theme().muted))
        item.setFont(0, font(11, 500))
        self.list.addTopLevelItem(item)

    def _add(self, kind: str, one: FilterChoice, *, shown: bool, chosen: bool) -> None:
        item = QTreeWidgetItem([one.label, f"{one.number:,}"])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, Qt.CheckState.Checked if shown else Qt.CheckState.Unchecked)
        item.setData(0, _KEY, (kind, one.key))
        item.setToolTip(0, plain_tip(one.key))
        item.setFont(1, font(figures=True))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(1, QColor(current_theme().muted))
        self.list.addTopLevelItem(item)
        if chosen:
            self.list.setCurrentItem(item)

    def _tick(self, item: QTreeWidgetItem) -> None:
        if self._filling:
            return
        kind, key = item.data(0, _KEY)
        shown = item.checkState(0) is Qt.CheckState.Checked
        out: frozenset[str] = getattr(self._filters, kind)
        words = f"{'show' if shown else 'leave out'} {item.text(0)}"
        self._filter(_with(self._filters, kind, out - {key} if shown else out | {key}), words)

    def _filter_names(self) -> None:
        self._pause.stop()
        if self.text.text() != self._filters.text:
            text = self.text.text()
            self._filter(replace(self._filters, text=text), f"show names with “{text}”" if text else "show all names")

    def _filter(self, filters: Filters, words: str) -> None:
        self._filters = filters
        self.filtered.emit(filters, words)


def _with(filters: Filters, kind: str, out: Iterable[str]) -> Filters:
    changed: dict[str, frozenset[str]] = {kind: frozenset(out)}
    return replace(filters, **changed)  # type: ignore[arg-type]  # each kind is a set of texts
