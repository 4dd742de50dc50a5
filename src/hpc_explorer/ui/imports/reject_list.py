"""The list of rejected cells, with row, column, text and reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from hpc_explorer.annotate.tables.conversion import Reject
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import GRID

_LONGEST = 200
_NARROWEST = 6 * GRID
_SHARES = (0.2, 0.25, 0.25)
"""The largest share of the width for row, column and text; the reason has the rest."""


class RejectList(QTreeWidget):
    """The list. Its columns fit their contents and the width."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Rejected cells")
        self.setProperty("framed", True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHeaderLabels(["Row", "Column", "Text", "Reason"])
        self.header().setMinimumSectionSize(_NARROWEST)
        self.ensurePolished()  # apply the style before rows are measured

    def show_rejects(self, rejects: Sequence[Reject]) -> None:
        """Show these rejects."""
        self.clear()
        items = []
        for reject in rejects:
            why = reject.reason + (" (the whole row is left out)" if reject.whole_row else "")
            text = " ".join(shortened(reject.text, _LONGEST).split())
            item = QTreeWidgetItem([f"{reject.row:,}", shortened(reject.column, 60), text, why])
            for place, whole in ((1, reject.column), (2, reject.text), (3, why)):
                item.setToolTip(place, plain_tip(shortened(whole)))
            items.append(item)
        self.addTopLevelItems(items)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        header, left = self.header(), self.viewport().width()
        for place, share in enumerate(_SHARES):
            wanted = max(self.sizeHintForColumn(place) + GRID, header.sectionSizeHint(place))
            width = max(_NARROWEST, min(wanted, int(share * self.viewport().width())))
            header.resizeSection(place, width)
            left -= width
        header.resizeSection(len(_SHARES), max(left, _NARROWEST))
