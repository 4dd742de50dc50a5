"""A dialog that explains which store answers a query, with the SQL and the query plan of columns."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from hpc_explorer.app.query.checking import HowAnswered
from hpc_explorer.ui.sparql.code_edit import CodeEdit
from hpc_explorer.ui.widgets.dialog_parts import ButtonBox, dialog_column
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class HowAnsweredDialog(QDialog):
    """The dialog."""

    def __init__(self, how: HowAnswered, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("How this query is answered")
        self.words = f"Answered by {how.by}"
        column = dialog_column(self)
        column.addWidget(TextBlock(self.words, size=TITLE, weight=600))
        column.addWidget(TextBlock(how.why))
        for title, text in (("SQL on the facts by column", how.sql), ("Query plan", how.plan)):
            if text:
                column.addWidget(caption(title))
                box = CodeEdit()
                box.setReadOnly(True)
                box.setTabChangesFocus(True)
                box.setAccessibleName(title)
                box.setPlainText(text)
                column.addWidget(box, 1)
        if not how.sql:
            column.addStretch(1)
        buttons = ButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(72 * GRID, 60 * GRID if how.sql else 22 * GRID)
