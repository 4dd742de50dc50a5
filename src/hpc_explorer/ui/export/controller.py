"""Shows the export dialogs, writes the files and reports the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.export.choices import ExportChoice, Extent, Offer, file_stem
from hpc_explorer.app.export.exporting import Extent as Taken
from hpc_explorer.app.export.requests import ExportDone, ExportOrder, ExportPreview, carry_out, preview_export
from hpc_explorer.app.journal.export import JournalExport, JournalFormat, export_journal
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.app.views import ClassNode, ResourceView, source_title
from hpc_explorer.canvas.export.drawing import Drawing, write_drawing
from hpc_explorer.canvas.export.png import to_png
from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.text import brief
from hpc_explorer.lineage.trace.trace import Direction, Lineage
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.export.dialog import ExportDialog
from hpc_explorer.ui.export.picture_dialog import PictureDialog
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

COPY_SCALE = 2.0
"""Pixels per scene unit of a copied picture; less for a large one."""
MOST_COPIED = 24_000_000
"""The most pixels of a copied picture, because other programs hold it in memory."""


class ExportController(QObject):
    """Exports graphs, pictures and edits.

    Args:
        folder: returns the initial folder of dialogs.
    """

    def __init__(self, bridge: SessionBridge, banner: Banner, folder: Callable[[], str], window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._folder = folder
        self._window = window

    def dialog(
        self,
        proposed: Extent,
        view: ResourceView | None,
        lineage: Lineage | None,
        focus_label: str,
        selected: Sequence[Resource] = (),
        cls: ClassNode | None = None,
    ) -> ExportDialog:
        """The export dialog; accepting it writes the file.

        Args:
            proposed: the initial choice.
            view, lineage, selected, cls: what else the dialog offers: the resource, the lineage, the selection on the
                canvas, the instances of the class.
            focus_label: the label of the resource whose lineage it is.
        """
        offers = [Offer(Extent.GRAPH, "Everything open", self._graph_stem())]
        if view is not None:
            name = view.ref.label
            order = ExportOrder(Taken((view.ref.resource,)))
            offers.append(Offer(Extent.RESOURCE, f"{name}, with its description", file_stem(name), order))
        if len(selected) > 1:
            order = ExportOrder(Taken(tuple(selected)))
            offers.append(Offer(Extent.SELECTION, f"The {len(selected):,} selected resources", "selection", order))
        if cls is not None and isinstance(cls.ref.resource, NamedNode):
            order = ExportOrder(Taken(classes=(cls.ref.resource,)))
            offers.append(Offer(Extent.CLASS, f"All instances of {cls.ref.label}", file_stem(cls.ref.label), order))
        if lineage is not None:
            way = "upstream" if lineage.direction is Direction.UPSTREAM else "downstream"
            text = f"The lineage of {focus_label}, {way}"
            order = ExportOrder(lineage=lineage)
            offers.append(Offer(Extent.LINEAGE, text, file_stem(f"{focus_label}-lineage"), order))
        offers.sort(key=lambda offer: offer.extent is not proposed)
        dialog = ExportDialog(offers, Path(self._folder()), self._window, self._ask_preview)
        dialog.accepted.connect(lambda: self._write(dialog.choice))
        dialog.finished.connect(lambda: self._bridge.drop("export preview"))
        return dialog

    def _ask_preview(self, order: ExportOrder, done: Callable[[ExportPreview], None], failed: Failed) -> None:
        self._bridge.run(
            preview_export,
            order,
            title="Preview the export",
            on_result=done,
            on_error=failed,
            replaces="export preview",
        )

    def ask_picture(self, canvas: CanvasView, kind_of_picture: str) -> PictureDialog:
        """The dialog for exporting a canvas as a picture; accepting it writes the file."""
        drawing = canvas.drawing()
        focus = drawing.scene.focus()
        name = f"{focus.label if focus is not None else 'classes'}-{kind_of_picture}"
        dialog = PictureDialog(drawing, Path(self._folder()), file_stem(name), self._window)
        dialog.accepted.connect(lambda: self.write_picture(dialog.drawing, dialog.path, dialog.scale))
        return dialog

    def write_picture(self, drawing: Drawing, path: Path, scale: float = 2.0) -> None:
        """Write a picture in the format of the file's extension; `scale` is for PNG, in pixels per scene unit."""
        self._bridge.jobs.run(
            partial(write_drawing, scale=scale),
            drawing,
            path,
            title=f"Export to {path.name}",
            on_result=lambda written: self._say("Exported the picture", written.absolute()),
            on_error=self._failed(path),
        )

    def copy_picture(self, canvas: CanvasView, said: Callable[[str], None]) -> None:
        """Copy the picture on a canvas to the clipboard, as an image and as SVG.

        Args:
            said: called with a message when done.
        """
        drawing = canvas.drawing()

        def work(*, limits: Limits = NO_LIMITS) -> tuple[QImage, bytes]:
            page = drawing.page()
            scale = min(COPY_SCALE, (MOST_COPIED / (page.bounds.width * page.bounds.height)) ** 0.5)
            png = to_png(page, scale=scale, check=lambda: limits.check("the picture"))
            return QImage.fromData(png), to_svg(page).encode()

        def put(copied: tuple[QImage, bytes]) -> None:
            image, svg = copied
            data = QMimeData()
            data.setImageData(image)
            data.setData("image/svg+xml", svg)
            QGuiApplication.clipboard().setMimeData(data)
            said(f"Copied the picture, {image.width():,} × {image.height():,} pixels")

        title = "Copy the picture"
        self._bridge.jobs.run(work, title=title, on_result=put)

    def export_edits(self, entry: JournalEntry | None) -> None:
        """Ask which edits to export, and write them.

        Args:
            entry: the selected edit.
        """
        dialog = JournalExportDialog(entry, Path(self._folder()), self._window)
        dialog.accepted.connect(lambda: self._write_edits(dialog))
        open_dialog(dialog)

    def _write_edits(self, dialog: JournalExportDialog) -> None:
        path = dialog.path.absolute()

        def done(written: JournalExport) -> None:
            what = f"Exported {counted(written.edits, 'edit')}"
            if written.unsaid:
                lost = counted(written.unsaid, "statement")
                what += f"; SPARQL cannot express {lost} about blank nodes, which the file has as comments"
            self._say(what, path)

        self._bridge.run(
            partial(export_journal, entry=dialog.entry),
            path,
            dialog.chosen_format,
            title=f"Export to {path.name}",
            on_result=done,
            on_error=self._failed(path),
            writes=True,
        )

    def _graph_stem(self) -> str:
        names = [source_title(source.name).removeprefix("sample:") for source in self._bridge.sources]
        return file_stem(names[0].partition(".")[0]) if len(names) == 1 else "graph"

    def _write(self, choice: ExportChoice) -> None:
        self._bridge.run(
            carry_out,
            choice.order,
            choice.path,
            title=f"Export to {choice.path.name}",
            on_result=self._written,
            on_error=self._failed(choice.path),
        )

    def _written(self, done: ExportDone) -> None:
        self._say(f"{done.sentence}; {done.read_back}", done.path)

    def _say(self, what: str, path: Path) -> None:
        folder = QUrl.fromLocalFile(str(path.parent))

        def show_folder() -> None:
            QDesktopServices.openUrl(folder)

        self._banner.show_done(what, str(path), "Show in folder", show_folder)
        self._bridge.wrote_to.emit(str(path.parent))

    def _failed(self, path: Path) -> Callable[[BaseException], None]:
        return lambda error: self._banner.show_error(f"Export to {path.name}", error)


FORMATS: tuple[tuple[JournalFormat, str, str, str], ...] = (
    ("rdf-patch", "RDF Patch", ".rdfp", "One line for each removed or added statement, for tools that replay changes."),
    ("sparql", "SPARQL Update", ".ru", "Runs on any endpoint."),
    ("prov", "PROV", ".ttl", "Each edit as an activity, with who, when and why, as Turtle."),
)
"""Formats, with label, file extension and description."""


class JournalExportDialog(FileDialog):
    """Asks which edits to export.

    Args:
        entry: the selected edit; None offers only all edits.
        folder: the initial folder.

    Attributes:
        what, format: button groups.
        export: the button that accepts.
    """

    def __init__(self, entry: JournalEntry | None, folder: Path, parent: QWidget) -> None:
        super().__init__("Export edits", folder, parent)
        self._entry = entry
        names = [*([f"The selected edit: {brief(entry.words or 'edit', 50)}"] if entry else []), "All edits, in order"]
        self.what = self._add_choices("What", names, in_row=1)
        self._column.addSpacing(GRID)
        self.format = self._add_choices("Format", [one[1] for one in FORMATS], [one[3] for one in FORMATS])
        self._use = self._add_remark()
        self._column.addSpacing(GRID)
        self._add_file()
        self.export = self._add_answers("Export")
        self.format.idToggled.connect(self._respell)
        self._respell()
        self.what.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def entry(self) -> JournalEntry | None:
        """The edit to export; None for all."""
        return self._entry if self.what.checkedId() == 0 else None

    @property
    def chosen_format(self) -> JournalFormat:
        """The format to write."""
        return FORMATS[self.format.checkedId()][0]

    def _respell(self) -> None:
        # No button is checked while the choice changes.
        _, _, suffix, use = FORMATS[max(self.format.checkedId(), 0)]
        self._use.setText(use)
        folder, name = self._place()
        stem = Path(name).stem if Path(name).suffix in {one[2] for one in FORMATS} else name
        self.file.setText(str(folder / f"{stem or 'edits'}{suffix}"))
