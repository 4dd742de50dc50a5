"""Write the web page of the chosen resource: which direction of its lineage, and to which file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.export.choices import file_stem
from hpc_explorer.app.share.page import SharedPage
from hpc_explorer.app.share.sharing import write_shared_page
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ui.bridge.commands import Command, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.wording import counted

_WAYS = ("Where it comes from", "What was derived from it")


class ShareDialog(FileDialog):
    """Asks for the direction of the lineage and the file."""

    def __init__(self, ref: ResourceRef, folder: Path, parent: QWidget) -> None:
        super().__init__(f"Share {ref.label}", folder, parent)
        self.ways = self._add_choices("Lineage", _WAYS)
        self._add_file()
        self._add_answers("Save page")
        self.file.setText(str(folder / f"{file_stem(ref.label)}.html"))

    @property
    def downstream(self) -> bool:
        """Whether the page shows what was derived from the resource."""
        return self.ways.checkedId() == 1

    def _problem(self) -> str:
        return "" if self.path.suffix.lower() in (".html", ".htm") else "Choose a file name that ends in .html."


class ShareController(QObject):
    """Asks for the file, writes the page, and says where it is.

    Args:
        folder: the folder that the dialog proposes.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        inspector: Inspector,
        banner: Banner,
        folder: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._navigator, self._inspector = bridge, navigator, inspector
        self._banner, self._folder, self._window = banner, folder, window

    def commands(self) -> tuple[Command, ...]:
        """The command that shares."""
        return (
            Command("resource.share", "Share as a web page…", "File", 2, "", "export", short="Share…")
            .runs(self._ask, chosen_resource(self._bridge, self._navigator))
            .about("Write one HTML file about the chosen resource: facts, lineage, how to reproduce it, FAIR score."),
        )

    def _ask(self) -> None:
        view = self._inspector.view
        if view is None:
            return
        dialog = ShareDialog(view.ref, Path(self._folder()), self._window)
        dialog.accepted.connect(lambda: self._write(view.ref, dialog.path, dialog.downstream))
        open_dialog(dialog)

    def _write(self, ref: ResourceRef, path: Path, downstream: bool) -> None:
        title = f"Share {ref.label}"

        def open_page() -> None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.absolute())))

        def done(page: SharedPage) -> None:
            self._banner.show_done(
                f"Wrote a web page with {counted(page.traced, 'resource')} of the lineage",
                str(path.absolute()),
                "Open in browser",
                open_page,
            )
            self._bridge.wrote_to.emit(str(path.absolute().parent))

        self._bridge.run(
            partial(write_shared_page, downstream=downstream),
            ref.resource,
            path,
            title=title,
            on_result=done,
        )
