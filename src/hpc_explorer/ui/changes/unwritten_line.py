"""The line at the bottom of the window: what is not written to a file yet, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from hpc_explorer.app.journal.saving import Unwritten
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon, on_theme

LONGEST = 64


class UnwrittenLine(QWidget):
    """Such as "3 changes not written to my.ttl: Review · Write · Discard"; hidden if everything is written.

    Args:
        review, write, discard: called when the words are clicked.

    Attributes:
        text: the sentence.
    """

    def __init__(
        self, review: Callable[[], None], write: Callable[[], None], discard: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._sign = Label()
        self._words = Label()
        self.text = ""
        row = row_in(self, GRID, 0, GRID, 0, spacing=GRID)
        row.addWidget(self._sign)
        row.addWidget(self._words)
        self._links: list[LinkBlock] = []
        for number, act in enumerate((review, write, discard)):
            if number:
                row.addWidget(Label("·"))
            link = LinkBlock("")
            link.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(link, 0, Qt.AlignmentFlag.AlignVCenter)  # it writes at its top
            self._links.append(link)
        self.hide()
        self._dress()
        on_theme(self._dress)

    def show_unwritten(self, found: Unwritten) -> None:
        """Show the changes, or nothing if there are none."""
        self.text = f"{found.words}:" if found.total else ""
        self._words.setText(brief(self.text, LONGEST))
        self._words.setToolTip(plain_tip(f"{found.figures}\n{', '.join(found.names)}"))
        for link, name in zip(
            self._links, ("Review", "Write" if found.has_file else "Save as…", "Discard"), strict=True
        ):
            link.say(name)
            link.setAccessibleName(f"{name}: {found.words}")
        self.setVisible(bool(found.total))

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._sign.setPixmap(icon("edit", current_theme().accent).pixmap(QSize(14, 14)))
