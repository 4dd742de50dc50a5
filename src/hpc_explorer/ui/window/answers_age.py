"""The age of cached answers of an endpoint, in the status bar."""

from __future__ import annotations

from datetime import timedelta

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import GRID

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))

# Milliseconds between updates.
_MINUTE = 60_000


class AnswersAge(QWidget):
    """Visible while cached answers are shown, or the endpoint is unreachable.

    Args:
        refresh: the command that queries the endpoint again.
    """

    def __init__(self, bridge: SessionBridge, refresh: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._text = Label(parent=self)
        self._text.setProperty("role", "muted")
        self._button = QToolButton(self)
        self._button.setDefaultAction(refresh)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setAccessibleName("Refresh: query the endpoint again")
        row = row_in(self, 0, 0, GRID, 0, spacing=GRID // 2)
        for widget in (self._text, self._button):
            row.addWidget(widget)
        self._grows = QTimer(self)
        self._grows.setInterval(_MINUTE)
        self._grows.timeout.connect(self.look)
        bridge.jobs.changed.connect(lambda job: self.look() if job.state.finished else None)
        bridge.graph_changed.connect(self.look)
        self.look()

    @property
    def text(self) -> str:
        """The shown text, if any."""
        return self._text.text()

    def look(self) -> None:
        """Update the text."""
        self._text.setText(age_text(self._bridge.answers_age, offline=self._bridge.is_offline))
        self.setVisible(bool(self.text))
        if bool(self.text) != self._grows.isActive():
            (self._grows.start if self.text else self._grows.stop)()


def age_text(age: timedelta | None, *, offline: bool) -> str:
    """The age of answers in words; empty if all are new.

    >>> age_text(timedelta(minutes=12), offline=True)
    'no connection · answers of 12 minutes ago'
    """
    parts = ["no connection"] if offline else []
    if age is not None:
        number, unit = next(
            (int(age.total_seconds() // size), unit)
            for unit, size in _UNITS
            if age.total_seconds() >= size or unit == "second"
        )
        parts.append(f"answers of {max(number, 1)} {unit}{'s' if number > 1 else ''} ago")
    return " · ".join(parts)
