"""Starts the window, and opens the sources once it is visible."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hpc_explorer import __version__


def run_window(names: Sequence[str]) -> int:
    """Show the window, open the sources, and return the exit code when it is closed.

    Args:
        names: sources as `open_sources` takes them; none for the start page.

    Raises:
        UsageError: Qt or one of its libraries is missing, or there is no screen.
    """
    from hpc_explorer.ui.window.screen import refuse_without_qt, require_screen

    try:
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        refuse_without_qt(str(error))
    require_screen()
    running = QApplication.instance()
    application = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("hpc-explorer")
    application.setApplicationDisplayName("HPC Explorer")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("hpc-explorer")

    from hpc_explorer.app.settings import Settings
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.ui.widgets import theme
    from hpc_explorer.ui.window.garbage import no_pauses
    from hpc_explorer.ui.window.main_window import MainWindow

    theme.prepare(application)
    window = MainWindow(Session.new(), Settings.load())
    window.show()
    if names:
        QTimer.singleShot(0, window, lambda: window.open_sources(names))
    with no_pauses(window.bridge.jobs), _interrupts(window.quit_now):
        return application.exec()


@contextmanager
def _interrupts(stop: object) -> Iterator[None]:
    """Let Ctrl+C in the terminal close the window.

    Python runs signal handlers only between its own instructions, and runs none while Qt waits for events. The
    byte that Python writes to a socket on each signal wakes Qt.
    """
    from PySide6.QtCore import QSocketNotifier

    reader, writer = socket.socketpair()
    reader.setblocking(False)
    writer.setblocking(False)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: reader.recv(64))
    before = signal.signal(signal.SIGINT, lambda *_: stop())  # type: ignore[operator]  # a method to call
    wake = signal.set_wakeup_fd(writer.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGINT, before)
        notifier.setEnabled(False)
        reader.close()
        writer.close()
