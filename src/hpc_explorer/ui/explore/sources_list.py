"""The list of open sources."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from hpc_explorer.app.views import SourceSummary, source_title
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import font

GRAPH_ROLE = Qt.ItemDataRole.UserRole


class SourcesList(QTreeWidget):
    """The open sources with their sizes.

    Signals:
        close_wanted(NamedNode): close the source with this graph.
    """

    close_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Sources")
        self.setAccessibleDescription("Delete closes the chosen source")
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        close = QAction("Close source", self)
        close.triggered.connect(self.close_current)
        self.addAction(close)
        self._theme = LIGHT
        self._sources: tuple[SourceSummary, ...] = ()

    def show_sources(self, sources: tuple[SourceSummary, ...]) -> None:
        """List these sources."""
        self._sources = sources
        current = self.selectedItems()
        chosen = current[0].data(0, GRAPH_ROLE) if current else ""
        self.clear()
        for source in sources:
            item = QTreeWidgetItem([source_title(source.name), str(source.triples)])
            item.setData(0, GRAPH_ROLE, source.graph.value)
            item.setToolTip(0, plain_tip("\n".join(explained(source))))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(1, plain_tip(f"{source.triples} triples"))
            item.setFont(1, font(figures=True))
            item.setForeground(1, QColor(self._theme.muted))
            self.addTopLevelItem(item)
            if source.graph.value == chosen:
                self.setCurrentItem(item)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.show_sources(self._sources)

    def close_current(self) -> None:
        """Request to close the chosen source, or the only one."""
        chosen = self.selectedItems()
        if chosen:
            self.close_wanted.emit(NamedNode(chosen[0].data(0, GRAPH_ROLE)))
        elif len(self._sources) == 1:
            self.close_wanted.emit(self._sources[0].graph)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.close_current()
        else:
            super().keyPressEvent(event)


_MOST_MISSING = 10
"""The most lines about what could not be read."""


def explained(source: SourceSummary) -> list[str]:
    """The facts about a source, one per line."""
    lines = [source.name, f"{source.format}, {source.triples} triples"]
    lines += [f"{spelled} read as {read}" for spelled, read in source.aliases]
    lines += source.notes
    lines += [f"Not read: {line}" for line in source.missing[:_MOST_MISSING]]
    more = len(source.missing) - _MOST_MISSING
    return [*lines, f"and {more:,} more that were not read"] if more > 0 else lines
