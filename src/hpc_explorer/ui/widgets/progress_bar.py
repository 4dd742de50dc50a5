"""A bar that tells how far something has come."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget


class ProgressLine(QProgressBar):
    """A bar that is painted with all else.

    Qt's own paints the whole window at each step, before what changed beside it has its place.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def show_fraction(self, fraction: float | None) -> None:
        """Show how far it is, 0 to 1; None: nobody can say."""
        self.setUpdatesEnabled(False)  # for else a step is painted at once
        self.setRange(0, 0 if fraction is None else 1000)
        if fraction is not None:
            self.setValue(round(1000 * min(1.0, fraction)))
        self.setUpdatesEnabled(True)
