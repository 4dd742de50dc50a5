"""The line below rows: their number, and buttons to stop, load more or ask again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.wording import counted


class RowsStatus(QWidget):
    """Shows the number of rows.

    Signals:
        stop_wanted(): stop loading rows.
        more_wanted(): load more rows.
        again_wanted(): repeat the query.
    """

    stop_wanted = Signal()
    more_wanted = Signal()
    again_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = TextBlock("", size=SMALL, muted=True)
        self._words.setAccessibleName("Number of rows")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(8 * GRID, 4)
        self._bar.setAccessibleName("Loading rows")
        self._stop, self._more, self._again = QPushButton("Stop"), QPushButton("Load more"), QPushButton("Ask again")
        self._stop.setAccessibleName("Stop loading rows")
        self._stop.clicked.connect(self.stop_wanted)
        self._more.clicked.connect(self.more_wanted)
        self._again.clicked.connect(self.again_wanted)
        row = row_in(self, GRID, 0, GRID, GRID // 2, spacing=GRID)
        row.addWidget(self._words, 1)
        for widget in (self._bar, self._stop, self._more, self._again):
            row.addWidget(widget)

    @property
    def words(self) -> str:
        """The shown text."""
        return self._words.text()

    def say(self, words: str, *, is_loading: bool, more: int | None, again: bool) -> None:
        """Show a text and the buttons that apply.

        Args:
            more: the number of rows that can be loaded; None if there are no more.
            again: whether to offer repeating the query.
        """
        self._words.say(words)
        self._bar.setVisible(is_loading)
        self._stop.setVisible(is_loading)
        self._more.setVisible(more is not None)
        if more is not None:
            self._more.setText(f"Load up to {more:,}")
        self._again.setVisible(again)


def row_words(count: int, shown: int, total: Count, *, is_loading: bool, is_filtered: bool) -> str:
    """The number of rows in words: exact or a lower bound.

    Args:
        count: the loaded rows.
        shown: the rows that pass the filter.
    """
    if is_loading:
        return f"loading… {counted(count, 'row')} so far" if count else "loading…"
    if total.kind is CountKind.UNKNOWN:
        return ""
    if total.kind is CountKind.EXACT:
        whole = counted(count, "row")
    elif total.value > count:
        whole = f"first {count:,} of at least {total.value:,} rows"
    else:
        whole = f"at least {counted(count, 'row')}"
    return f"{shown:,} of the {whole}" if is_filtered else whole
