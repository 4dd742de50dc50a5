"""Opens the window on the given sources and closes it as soon as it can be used: everything asked for is shown."""

from __future__ import annotations

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from hpc_explorer.ui.window.main_window import MainWindow


def close_when_usable() -> None:
    """Close the window once its sources are open and no work is left."""
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow) and window.features.overview.size_label.text() and not window.is_busy:
            window.close()


def main() -> int:
    """Run the program with the arguments of this script."""
    from hpc_explorer.ui.window.application import run_window

    application = QApplication(sys.argv[:1])
    watch = QTimer(application)
    watch.timeout.connect(close_when_usable)
    watch.start(5)
    return run_window(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
