"""The line below rows: how many there are, and what can be done about that."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.wording import counted


class RowsStatus(QWidget):
    """Says how many rows there are.

    Signals:
        stop_wanted(): no more rows are wanted.
        more_wanted(): more rows are.
        again_wanted(): the same is to be asked again.
    """

    stop_wanted = Signal()
    more_wanted = Signal()
    again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = TextBlock("", size=SMALL, muted=True)
        self._words.setAccessibleName("How many rows there are")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(8 * GRID, 4)
        self._bar.setAccessibleName("Looking for rows")
        self._stop, self._more, self._again = QPushButton("Stop"), QPushButton("Take more"), QPushButton("Ask again")
        self._stop.setAccessibleName("Stop looking for rows")
        self._stop.clicked.connect(self.stop_wanted)
        self._more.clicked.connect(self.more_wanted)
        self._again.clicked.connect(self.again_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, GRID, GRID // 2)
        row.setSpacing(GRID)
        row.addWidget(self._words, 1)
        for widget in (self._bar, self._stop, self._more, self._again):
            row.addWidget(widget)

    @property
    def words(self) -> str:
        """What is said."""
        return self._words.text()

    def say(self, words: str, *, is_loading: bool, more: int | None, again: bool) -> None:
        """Say something, and offer what goes with it.

        Args:
            is_loading: rows still come: they can be stopped.
            more: so many rows can be taken; None: no more than there are.
            again: whether to ask again is of use.
        """
        self._words.say(words)
        self._bar.setVisible(is_loading)
        self._stop.setVisible(is_loading)
        self._more.setVisible(more is not None)
        if more is not None:
            self._more.setText(f"Take up to {more:,}")
        self._again.setVisible(again)


def row_words(count: int, shown: int, total: Count, *, is_loading: bool, is_filtered: bool) -> str:
    """How many rows there are: exact, or at least so many.

    Args:
        count: those that came.
        shown: those that pass the filter.
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
