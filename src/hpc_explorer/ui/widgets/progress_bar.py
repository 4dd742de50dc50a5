"""A progress bar."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget


class ProgressLine(QProgressBar):
    """A progress bar that does not repaint the whole window at each step, as Qt's does."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def show_fraction(self, fraction: float | None) -> None:
        """Show a fraction from 0 to 1; None shows an indefinite progress."""
        self.setUpdatesEnabled(False)  # otherwise each step is painted at once
        self.setRange(0, 0 if fraction is None else 1000)
        if fraction is not None:
            self.setValue(round(1000 * min(1.0, fraction)))
        self.setUpdatesEnabled(True)
