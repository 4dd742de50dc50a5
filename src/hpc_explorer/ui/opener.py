"""From the wish to open something to the graph, or to the word why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.app.commands import source_title
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.ui.banner import Banner
from hpc_explorer.ui.session_bridge import SessionBridge


class Opener(QObject):
    """Asks which files, has them read, and says on the banner what went wrong.

    Args:
        folder: where files are looked for first.

    Attributes:
        opening: the names of what is being opened now.

    Signals:
        changed(): something began to be opened, or no longer is.
        opened(tuple): the names of what is open now, as they are to be remembered.
        looked_in(str): the folder that a file was chosen from.
    """

    changed = Signal()
    opened = Signal(tuple)
    looked_in = Signal(str)

    def __init__(self, bridge: SessionBridge, banner: Banner, folder: Callable[[], str], window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._folder = folder
        self._window = window
        self.opening: list[str] = []

    def open(self, names: Sequence[str]) -> None:
        """Open files, folders and samples beside what is open."""
        title = ", ".join(source_title(name) for name in names)
        self.opening.append(title)
        self.changed.emit()

        def done(found: tuple[SourceSummary, ...]) -> None:
            self._banner.hide()
            self.opening.remove(title)
            self.changed.emit()
            self.opened.emit(
                tuple(name if name.startswith("sample:") else str(Path(name).absolute()) for name in names)
            )

        def failed(error: BaseException) -> None:
            self.opening.remove(title)
            self.changed.emit()
            self._banner.show_error(f"Open {title}", error)

        self._bridge.open_sources(names, done, failed)

    def choose_files(self) -> None:
        """Ask for files and open them."""
        files, _ = QFileDialog.getOpenFileNames(self._window, "Open files", self._folder())
        if files:
            self.looked_in.emit(str(Path(files[0]).parent))
            self.open(files)

    def choose_folder(self) -> None:
        """Ask for a folder and open every graph in it."""
        folder = QFileDialog.getExistingDirectory(self._window, "Open folder", self._folder())
        if folder:
            self.looked_in.emit(folder)
            self.open([folder])


def dropped_names(data: QMimeData) -> list[str]:
    """The files and folders in what is dragged; other things are left out."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
