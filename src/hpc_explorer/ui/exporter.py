"""From the wish to export to the file and the word that it is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.app.commands import source_title
from hpc_explorer.app.views import ExportReport, ResourceView
from hpc_explorer.canvas.picture import Picture
from hpc_explorer.lineage.trace import Direction, Lineage
from hpc_explorer.ui.banner import Banner
from hpc_explorer.ui.canvas_view import CanvasView
from hpc_explorer.ui.export_dialog import ExportChoice, ExportDialog, Extent, Offer, file_stem
from hpc_explorer.ui.session_bridge import SessionBridge


class Exporter(QObject):
    """Asks what goes into which file, has it written, and says so on the banner.

    Args:
        folder: where files are proposed to be.

    Signals:
        wrote_to(str): the folder that was written to.
    """

    wrote_to = Signal(str)

    def __init__(self, bridge: SessionBridge, banner: Banner, folder: Callable[[], str], window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._folder = folder
        self._window = window

    def dialog(
        self, proposed: Extent, view: ResourceView | None, lineage: Lineage | None, focus_label: str
    ) -> ExportDialog:
        """The dialog that asks; accepting it has the file written.

        Args:
            view: the resource that could be exported.
            lineage: the lineage that could be, and `focus_label` the name of what it is about.
        """
        offers = [Offer(Extent.GRAPH, "Everything that is open", self._graph_stem())]
        if view is not None:
            name = view.ref.label
            offers.append(Offer(Extent.RESOURCE, f"{name}, with what belongs to it", file_stem(name)))
        if lineage is not None:
            way = "upstream" if lineage.direction is Direction.UPSTREAM else "downstream"
            text = f"The lineage of {focus_label}, {way}"
            offers.append(Offer(Extent.LINEAGE, text, file_stem(f"{focus_label}-lineage")))
        offers.sort(key=lambda offer: offer.extent is not proposed)
        dialog = ExportDialog(offers, Path(self._folder()), self._window)
        dialog.accepted.connect(lambda: self._write(dialog.choice, view, lineage))
        return dialog

    def ask_picture(self, canvas: CanvasView, kind_of_picture: str) -> None:
        """Ask where the picture on a canvas goes, and write it there."""
        focus, picture = canvas.scene().focus(), canvas.picture()
        name = f"{focus.label if focus is not None else 'classes'}-{kind_of_picture}"
        proposed = str(Path(self._folder()) / f"{file_stem(name)}.svg")
        kinds = "SVG (*.svg);;PNG (*.png)"
        chosen, kind = QFileDialog.getSaveFileName(self._window, "Export picture", proposed, kinds)
        if chosen:
            path = Path(chosen)
            self.write_picture(picture, path if path.suffix else path.with_suffix(f".{kind[:3].lower()}"))

    def write_picture(self, picture: Picture, path: Path) -> None:
        """Write a picture as SVG or PNG, by the end of the file's name."""
        self._bridge.export_picture(
            path, picture, lambda written: self._say("Exported the picture", written), self._failed(path)
        )

    def _graph_stem(self) -> str:
        names = [source_title(source.name).removeprefix("sample:") for source in self._bridge.sources]
        return file_stem(names[0].partition(".")[0]) if len(names) == 1 else "graph"

    def _write(self, choice: ExportChoice, view: ResourceView | None, lineage: Lineage | None) -> None:
        if choice.extent is Extent.LINEAGE and lineage is not None:
            self._bridge.export_lineage(choice.path, lineage, self._written, self._failed(choice.path))
        else:
            chosen = [view.ref.resource] if choice.extent is Extent.RESOURCE and view is not None else []
            self._bridge.export_graph(choice.path, chosen, self._written, self._failed(choice.path))

    def _written(self, report: ExportReport) -> None:
        number = f"{report.triples:,} triple" + ("" if report.triples == 1 else "s")
        self._say(f"Exported {number} as {report.format}", Path(report.path).absolute())

    def _say(self, what: str, path: Path) -> None:
        folder = QUrl.fromLocalFile(str(path.parent))

        def show_folder() -> None:
            QDesktopServices.openUrl(folder)

        self._banner.show_done(what, str(path), "Show in folder", show_folder)
        self.wrote_to.emit(str(path.parent))

    def _failed(self, path: Path) -> Callable[[BaseException], None]:
        return lambda error: self._banner.show_error(f"Export to {path.name}", error)
