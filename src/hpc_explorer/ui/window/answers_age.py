"""How old the answers are where a server was asked before or is away, in the status bar, and a way to ask anew."""

from __future__ import annotations

from datetime import timedelta

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import GRID

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))

# An age in minutes is wrong after so many milliseconds.
_MINUTE = 60_000


class AnswersAge(QWidget):
    """Shown while kept answers of an endpoint are shown, or it cannot be reached.

    Args:
        bridge: knows how old the answers are.
        refresh: the command that asks anew.
    """

    def __init__(self, bridge: SessionBridge, refresh: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._text = Label(parent=self)
        self._text.setProperty("role", "muted")
        self._button = QToolButton(self)
        self._button.setDefaultAction(refresh)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setAccessibleName("Refresh: ask the endpoint anew")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, GRID, 0)
        row.setSpacing(GRID // 2)
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
        """What is said; empty where there is nothing to say."""
        return self._text.text()

    def look(self) -> None:
        """Say how it is now."""
        self._text.setText(age_text(self._bridge.answers_age, offline=self._bridge.is_offline))
        self.setVisible(bool(self.text))
        if bool(self.text) != self._grows.isActive():
            (self._grows.start if self.text else self._grows.stop)()


def age_text(age: timedelta | None, *, offline: bool) -> str:
    """How old answers are, in words; empty if all came now.

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
