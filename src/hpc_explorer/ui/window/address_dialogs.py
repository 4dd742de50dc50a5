"""Dialogs for opening an address, and for its login."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.views import source_title
from hpc_explorer.errors import ExplorerError
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, fit_height, row_in
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon

WIDTH = 64 * GRID

MOST_RECENT = 5
"""The most recent addresses that are offered."""


class Problem(QFrame):
    """An error inside the dialog that can correct it."""

    def __init__(self, error: ExplorerError, remedy: str) -> None:
        super().__init__()
        self.setObjectName("problem")
        lines = [part for part in (sentence(error.what), sentence(remedy)) if part]
        self.text = "\n".join(lines)
        self.setAccessibleName(self.text)
        row = row_in(self, GRID, GRID, GRID, GRID, spacing=GRID)
        sign = Label()
        sign.setPixmap(icon("error", current_theme().error).pixmap(16, 16))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(TextBlock(lines[0], weight=600))
        for line in lines[1:]:
            words.addWidget(TextBlock(line, muted=True))
        row.addLayout(words, 1)


class AddressDialog(QDialog):
    """Asks for the address of a SPARQL endpoint, an RDF document or a stream of recorded runs.

    Args:
        recent: recent addresses, latest first.
        address: the initial text.
        error: why that address could not be opened, if it was tried.
    """

    def __init__(
        self,
        recent: Sequence[str],
        parent: QWidget,
        address: str = "",
        error: ExplorerError | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open address")
        self.setFixedWidth(WIDTH)
        column = dialog_column(self)
        column.addWidget(caption("Address of an endpoint, a document, a stream or a server of measurements"))
        self.line = QLineEdit(address)
        self.line.setPlaceholderText("https://example.org/sparql")
        self.line.setAccessibleName("Address")
        column.addWidget(self.line)
        self.problem = Problem(error, error.remedy) if error is not None else None
        if self.problem is not None:
            column.addWidget(self.problem)
        else:
            about = (
                "An endpoint is queried without copying it. A document is downloaded. "
                "Runs that are recorded into redis://HOST:PORT/STREAM are shown as they grow. "
                "Measurements of influx://HOST:PORT/DATABASE or amqp://HOST:PORT/QUEUE are watched."
            )
            column.addWidget(TextBlock(about, muted=True))
        if recent:
            column.addSpacing(GRID)
            column.addWidget(caption("Recent"))
            for one in recent[:MOST_RECENT]:
                link = LinkBlock(source_title(one))
                link.setAccessibleName(f"Open {one}")
                link.setToolTip(plain_tip(one))
                link.clicked.connect(lambda _=False, one=one: self._take(one))
                column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(GRID)
        self.open_button = add_answers(self, column, "Open")
        self.line.textChanged.connect(self._look)
        self._look()
        fit_height(self, column)
        self.line.selectAll()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def address(self) -> str:
        """The text, with `https://` in front if it has no scheme."""
        text = self.line.text().strip()
        return text if "://" in text else f"https://{text}"

    def _take(self, address: str) -> None:
        self.line.setText(address)
        self.accept()

    def _look(self) -> None:
        self.open_button.setEnabled(bool(self.line.text().strip()))


class LoginDialog(QDialog):
    """Asks for a name and password, or a token.

    Args:
        error: the answer of the server.
    """

    def __init__(self, address: str, error: ExplorerError, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sign in")
        self.setFixedWidth(WIDTH)
        column = self._column = dialog_column(self)
        self.problem = Problem(error, "Give a name and password, or a token")
        column.addWidget(TextBlock(source_title(address), weight=600))
        column.addWidget(self.problem)
        column.addSpacing(GRID)
        ways = QHBoxLayout()
        ways.setSpacing(3 * GRID)
        self.by_password = QRadioButton("Name and password")
        self.by_token = QRadioButton("Token")
        self._ways = QButtonGroup(self)
        for way in (self.by_password, self.by_token):
            way.setAccessibleName(way.text())
            self._ways.addButton(way)
            ways.addWidget(way)
        ways.addStretch(1)
        self.by_password.setChecked(True)
        column.addLayout(ways)
        self.user, self.password, self.token = QLineEdit(), QLineEdit(), QLineEdit()
        self._labels: list[QLabel] = []
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnMinimumWidth(0, 9 * GRID)
        for row, (name, line) in enumerate((("Name", self.user), ("Password", self.password), ("Token", self.token))):
            line.setAccessibleName(name)
            line.setEchoMode(QLineEdit.EchoMode.Normal if row == 0 else QLineEdit.EchoMode.Password)
            label = Label(name)
            label.setProperty("role", "muted")
            self._labels.append(label)
            grid.addWidget(label, row, 0)
            grid.addWidget(line, row, 1)
            line.textChanged.connect(self._look)
        column.addLayout(grid)
        self.remember = QCheckBox("Remember in the system’s keyring")
        self.remember.setAccessibleName("Remember in the system keyring")
        column.addWidget(self.remember, 0, Qt.AlignmentFlag.AlignLeft)
        if address.startswith("http://"):
            column.addWidget(
                TextBlock("The connection is not encrypted: others on the network can read this.", muted=True)
            )
        column.addSpacing(GRID)
        self.open_button = add_answers(self, column, "Sign in")
        self.by_token.toggled.connect(self._show_way)
        self._show_way()

    @property
    def credentials(self) -> Credentials:
        """The credentials that were entered."""
        if self.by_token.isChecked():
            return Credentials(token=self.token.text().strip())
        return Credentials(self.user.text(), self.password.text())

    def _show_way(self) -> None:
        token = self.by_token.isChecked()
        for label, line in zip(self._labels, (self.user, self.password, self.token), strict=True):
            for widget in (label, line):
                widget.setVisible((line is self.token) == token)
        (self.token if token else self.user).setFocus(Qt.FocusReason.OtherFocusReason)
        self._look()
        fit_height(self, self._column)

    def _look(self) -> None:
        known = self.token.text().strip() if self.by_token.isChecked() else self.user.text() and self.password.text()
        self.open_button.setEnabled(bool(known))
